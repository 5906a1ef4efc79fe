/**
 * Calendar feed of due services at a secret URL, with the current scope and permissions of its user on every request.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`update service_plans set deleted_at = now()`);
  await app.db.rows(sql`update machines set next_service_due = '2099-03-01'`);
});
afterAll(() => app.close());

/** Creates a user's feed and returns its path. */
async function createFeed(user: number | string): Promise<string> {
  const { status, body } = await app.call<{ data: { url: string } }>(user, 'POST', 'calendar');
  expect(status).toBe(201);
  return new URL(body.data.url).pathname;
}
const fetchText = (path: string) => app.call<string>(undefined, 'GET', path);
const machinesIn = (text: string) =>
  [...text.matchAll(/^UID:machine-(\d+)-service@/gm)].map(([, id]) => Number(id)).sort((a, b) => a - b);

test('contains the machines in its user’s current scope', async () => {
  const { operator } = world.north.users;
  const path = await createFeed(operator);
  const first = await fetchText(path);
  expect([first.status, first.headers['content-type'], first.headers['cache-control']]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'no-store',
  ]);
  expect(machinesIn(first.text)).toEqual(world.north.machines.slice(0, 3));
  await app.db.rows(sql`update machines set is_dummy = true where id = ${world.north.machines[0]}`);
  await app.db.rows(sql`update machines set stock_state = 'retired' where id = ${world.north.machines[1]}`);
  expect(machinesIn((await fetchText(path)).text)).toEqual([world.north.machines[2]]);
  await app.db.rows(sql`delete from users_machines where users_id = ${operator}`);
  expect(machinesIn((await fetchText(path)).text)).toEqual([]);
});

test('ids and timestamps are stable while nothing changes', async () => {
  const path = await createFeed(world.admin);
  const first = await fetchText(path);
  expect(machinesIn(first.text).length).toBeGreaterThan(1);
  // The next second, since timestamps have no fractions.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await fetchText(path)).text).toBe(first.text);
});

test('is in the language of its user and includes the reason', async () => {
  await app.db.rows(
    sql`update users set language_id = (select id from languages where two_letter_code = 'de')
      where id = ${world.north.users.partner}`,
  );
  const { text } = await fetchText(await createFeed(world.north.users.partner));
  expect(text).toContain('X-WR-CALNAME:Fällige Wartungen\r\n');
  expect(text).toContain('DESCRIPTION:01.03.2099: von Hand gesetzt\\n');
});

test('names locations only to users who may list them', async () => {
  const path = await createFeed(world.south.users.partner);
  expect((await fetchText(path)).text).toContain('LOCATION:South Site 11');
  await app.db.rows(sql`
    delete from roles_permissions k using permissions p
    where k.permissions_id = p.id and p.code_name = 'locations.list' and k.roles_id = ${world.roles.partner}`);
  const { text } = await fetchText(path);
  expect(machinesIn(text)).toEqual(world.south.machines);
  expect(text).not.toContain('South Site');
});

test('has a secret that is stored as a hash, and can be replaced and revoked', async () => {
  const user = world.north.users.country_manager;
  const oldFeed = await createFeed(user);
  const path = await createFeed(user);
  expect((await fetchText(oldFeed)).status).toBe(404);
  expect((await fetchText(path)).status).toBe(200);
  const storedFeed = await app.db.selectOne(
    { token_hash: pg.bytea },
    sql`select token_hash from calendar_feeds where user_id = ${user}`,
  );
  expect(path).not.toContain(Buffer.from(storedFeed?.token_hash ?? []).toString('base64url'));
  const calendar = await app.call<{ data: { created_at: string | null } }>(user, 'GET', 'calendar');
  expect(calendar.text).not.toContain(path.split('/').at(-2) as string);
  expect(calendar.body.data.created_at).not.toBeNull();
  expect((await app.call(user, 'DELETE', 'calendar')).status).toBe(204);
  expect((await fetchText(path)).status).toBe(404);
  expect(
    (await app.call<{ data: { created_at: string | null } }>(user, 'GET', 'calendar')).body.data.created_at,
  ).toBeNull();
});

test('stops working once its user is deleted, even if restored, or may list no machines', async () => {
  const user = world.north.users.site_manager;
  const path = await createFeed(user);
  expect((await app.call(world.admin, 'DELETE', `users/${user}`)).status).toBe(204);
  expect((await fetchText(path)).status).toBe(404);
  await app.call(world.admin, 'POST', `users/${user}/restore`);
  expect((await fetchText(path)).status).toBe(404);
  const secondFeed = await createFeed(await app.createSessionToken(user));
  expect((await fetchText(secondFeed)).status).toBe(200);
  await app.db.rows(sql`delete from users_roles where users_id = ${user}`);
  expect((await fetchText(secondFeed)).status).toBe(404);
});

test('requires a session to be created, and is not found under another secret', async () => {
  expect((await app.call(undefined, 'POST', 'calendar')).status).toBe(401);
  expect((await fetchText('/api/v1/calendar/guess/services.ics')).status).toBe(404);
});
