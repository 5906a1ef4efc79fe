/** Notification settings: users choose them, and everything that sends messages applies them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  defaultNotifications,
  type NotificationChoice,
  notificationChannels,
  notificationEvents,
} from '../../schema/shared/notifications';
import { pg } from '../../server/db/core/rowShape';
import { isNotificationWanted, notificationWantedWhere } from '../../server/notifications/notifications';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`update users set allow_sms = true`);
});
afterAll(() => app?.close());

const path = 'account/notifications';
const readChoices = async (caller: number) =>
  (await app.call<{ data: NotificationChoice[] }>(caller, 'GET', path)).body.data;
const saveChoices = (caller: number, ...choices: object[]) =>
  app.call<{ data: NotificationChoice[]; errors: Record<string, string[]> }>(caller, 'PUT', path, { choices });

test('users who have chosen nothing get the defaults', async () => {
  const choices = await readChoices(world.users.operator);
  expect(choices).toHaveLength(notificationEvents.length * notificationChannels.length);
  for (const { event, channel, wanted } of choices)
    expect(wanted, `${event} ${channel}`).toBe(defaultNotifications[event][channel]);
});

test('a choice applies only to its user, event and channel', async () => {
  const { operator, partner } = world.users;
  const response = await saveChoices(
    operator,
    { event: 'alert_fired', channel: 'sms', wanted: false },
    { event: 'alert_closed', channel: 'sms', wanted: true },
  );
  expect(response.status).toBe(200);
  const expectedSettings = [
    [operator, 'alert_fired', 'sms', false],
    [operator, 'alert_closed', 'sms', true],
    [operator, 'alert_fired', 'email', true],
    [partner, 'alert_fired', 'sms', true],
    [partner, 'alert_closed', 'sms', false],
  ] as const;
  for (const [user, event, channel, isOn] of expectedSettings)
    expect(await isNotificationWanted(app.db, user, event, channel), `${user} ${event} ${channel}`).toBe(isOn);
  expect(response.body.data.find(({ event, channel }) => event === 'alert_fired' && channel === 'sms')?.wanted).toBe(
    false,
  );
});

test('nothing is sent on a disabled channel or to deleted users', async () => {
  const { site_manager, customer_admin } = world.users;
  await app.db.rows(sql`update users set allow_email = false where id = ${site_manager}`);
  await app.db.rows(sql`update users set deleted_at = now() where id = ${customer_admin}`);
  expect(await isNotificationWanted(app.db, site_manager, 'alert_fired', 'email')).toBe(false);
  expect(await isNotificationWanted(app.db, site_manager, 'alert_fired', 'sms')).toBe(true);
  expect(await isNotificationWanted(app.db, customer_admin, 'alert_fired', 'email')).toBe(false);
});

test('the settings of many users are read in one statement', async () => {
  await saveChoices(world.users.operator, { event: 'service_due', channel: 'email', wanted: false });
  const users = [world.users.operator, world.users.partner];
  const rows = await app.db.select(
    { id: pg.integer },
    sql`select r.id from users r where r.id = any(${sql.param(users)}::int[])
      and ${notificationWantedWhere('r', { event: 'service_due', channel: 'email' })}`,
  );
  expect(rows.map(({ id }) => id)).toEqual([world.users.partner]);
});

test.each([
  [{ event: 'rain', channel: 'sms', wanted: true }, 'choices.0.event'],
  [{ event: 'alert_fired', channel: 'pigeon', wanted: true }, 'choices.0.channel'],
  [{ event: 'alert_fired', channel: 'sms', wanted: 'yes' }, 'choices.0.wanted'],
  [{ event: 'alert_fired', channel: 'sms' }, 'choices.0.wanted'],
])('rejects %j at its field', async (choice, field) => {
  const response = await saveChoices(world.users.operator, choice);
  expect([response.status, Object.keys(response.body.errors)]).toEqual([422, [field]]);
});

test('requires a session', async () => {
  expect((await app.call(undefined, 'GET', path)).status).toBe(401);
  expect((await app.call(undefined, 'PUT', path, { choices: [] })).status).toBe(401);
});
