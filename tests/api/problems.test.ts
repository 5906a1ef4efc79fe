/**
 * Problem reports by users at a machine. A report becomes an alert without a rule and is sent to the responsible users.
 */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { registry } from '../../schema/index';
import { pg } from '../../server/db/core/rowShape';
import { reportsPerHour } from '../../server/features/alerts/openProblemAlert';
import { readMailsTo } from '../support/outboxMails';
import { hasPermission } from '../support/rolePermissions';
import { add, nextNumber } from '../support/rows';
import { type SimulatedDevices, simulateDevices } from '../support/simulatedDevices';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let devices: SimulatedDevices;
let machine: number;
let reportText: string;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  devices = simulateDevices(app);
  machine = world.north.machines[0] as number;
});
afterAll(() => app.close());
beforeEach(() => {
  reportText = `Water under the left wheel ${nextNumber()}`;
  // Advances past the hourly limit of reports.
  devices.advance(3600);
});

interface Alert {
  id: number;
  [field: string]: unknown;
}
const reportProblem = (caller: number, id = machine, values: object = {}, headers?: Record<string, string>) =>
  app.call<{ data: Alert; errors: object }>(
    caller,
    'POST',
    `machines/${id}/problems`,
    { problem: 'leak', report: reportText, ...values },
    headers,
  );
const readAlert = async (caller: number, id: number) =>
  (await app.call<{ data: Alert }>(caller, 'GET', `alerts/${id}`)).body.data;
/** Ids of the users who have received a mail about the report. */
const readMailedUsers = async () => {
  await devices.runJobs();
  const mails = (await app.services.mail.outbox()).filter(({ text }) => text.includes(reportText));
  const users = await app.db.select({ id: pg.integer, email: pg.text }, sql`select id, email from users order by id`);
  return users.filter(({ email }) => mails.some(({ to }) => to.includes(email))).map(({ id }) => id);
};
const sortIds = (ids: number[]) => [...ids].sort((a, b) => a - b);

test('an operator reports a problem; responsible users get a mail in their language and handle the alert, which the operator can see', async () => {
  const { operator, site_manager, customer_admin } = world.north.users;
  await app.db.rows(
    sql`update users set language_id = (select id from languages where two_letter_code = 'de') where id = ${site_manager}`,
  );
  const rowsBefore = await app.db.rows(
    sql`select last_service::text, total_maintenance_cost from machines where id = ${machine}`,
  );
  const { status, body } = await reportProblem(operator, machine, { is_out_of_use: true });
  expect(status).toBe(201);
  const { id } = body.data;
  expect(body.data).toMatchObject({
    summary: 'North-111 · problem reported: Leak',
    metric: 'reported',
    problem: 'leak',
    report: reportText,
    reported_by: 'North Operator',
    severity: 'critical',
    state: 'open',
    rule_id: null,
    machine_ids: [machine],
    client_id: world.north.client,
    location_id: world.north.locations[0],
  });
  expect(await readMailedUsers()).toEqual(sortIds([site_manager, customer_admin]));
  const [mail] = await readMailsTo(app, 'site_manager@north.example.com');
  expect(mail?.subject).toBe('North-111 · Problem gemeldet: Undicht');
  expect(mail?.text).toContain(`„${reportText}“`);
  expect(mail?.text).toContain(`/alerts/${id}`);

  // The evaluation of rules must not close the alert.
  await devices.runJobs();
  expect(await readAlert(site_manager, id)).toMatchObject({ state: 'open', report: reportText });
  expect((await app.call(operator, 'POST', `alerts/${id}/close`)).status).toBe(403);
  expect((await app.call(site_manager, 'POST', `alerts/${id}/acknowledge`, { comment: 'On my way' })).status).toBe(200);
  expect(await readAlert(operator, id)).toMatchObject({ state: 'acknowledged', acknowledged_by: 'North Site Manager' });
  expect((await app.call(customer_admin, 'POST', `alerts/${id}/close`)).status).toBe(200);
  const notes = await app.call<{ data: Record<string, unknown>[] }>(operator, 'GET', `alerts/${id}/notes`);
  expect(notes.body.data.map(({ kind, text }) => [kind, text])).toEqual([
    ['reported', reportText],
    ['acknowledged', 'On my way'],
    ['closed', null],
  ]);
  const closedResponse = await app.call<{ data: Alert[] }>(
    operator,
    'GET',
    `alerts?filter[machine_ids]=${machine}&filter[metric]=reported&filter[state]=closed`,
  );
  expect(closedResponse.body.data.map((alert) => alert.id)).toEqual([id]);

  expect(
    await app.db.rows(sql`select last_service::text, total_maintenance_cost from machines where id = ${machine}`),
  ).toEqual(rowsBefore);
  const [change] = await app.db.rows(
    sql`select user_id, action, detail from audit where entity = 'alerts' and record_id = ${id} order by id`,
  );
  expect(change).toMatchObject({
    user_id: operator,
    action: 'create',
    detail: { report: [null, reportText], machine_ids: [null, [machine]] },
  });
});

test.each(roleNames)('a %s can report problems of machines within scope only', async (role: RoleName) => {
  const caller = world.users[role];
  const mayReport = hasPermission(role, registry.machines, 'report');
  const { status, body } = await reportProblem(caller);
  expect(status).toBe(mayReport ? 201 : 403);
  expect((await reportProblem(caller, world.south.machines[0])).status).toBe(
    !mayReport ? 403 : role === 'admin' ? 201 : 404,
  );
  expect((await app.call(world.south.users.site_manager, 'GET', `alerts/${body.data.id}`)).status).toBe(404);
});

test('reporting requires its own permission', async () => {
  const otherPermissions = await app.db.select(
    { id: pg.integer },
    sql`select id from permissions where code_name like 'machines.%' and code_name <> 'machines.report'`,
  );
  const role = await add(app.db, 'roles', { scope: 'all', permission_ids: otherPermissions.map(({ id }) => id) });
  const language = await app.db.selectOne(
    { language_id: pg.integer },
    sql`select language_id from users where id = ${world.admin}`,
  );
  const user = await add(app.db, 'users', { ...language, role_ids: [role] });
  expect((await app.call(user, 'GET', `machines/${machine}`)).status).toBe(200);
  expect((await reportProblem(user)).status).toBe(403);
});

test('the request body is validated', async () => {
  const { operator } = world.north.users;
  const readRejection = async (values: object) => {
    const { status, body } = await reportProblem(operator, machine, values);
    return [status, Object.keys(body.errors)];
  };
  expect(await readRejection({ problem: 'flying' })).toEqual([422, ['problem']]);
  expect(await readRejection({ report: '' })).toEqual([422, ['report']]);
  expect(await readRejection({ report: 'x'.repeat(2001) })).toEqual([422, ['report']]);
  expect(await readRejection({ severity: 'info' })).toEqual([422, ['severity']]);
});

test('a report that is repeated with its idempotency key is created once; the number per hour is limited', async () => {
  const { operator } = world.north.users;
  const key = { 'Idempotency-Key': `report-${nextNumber()}` };
  const [first, second] = [
    await reportProblem(operator, machine, {}, key),
    await reportProblem(operator, machine, {}, key),
  ];
  expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
  const statuses = [];
  for (let index = 1; index <= reportsPerHour; index++) statuses.push((await reportProblem(operator)).status);
  expect(statuses).toEqual([...Array(reportsPerHour - 1).fill(201), 429]);
  expect((await reportProblem(world.north.users.site_manager)).status).toBe(201);
  devices.advance(3601);
  expect((await reportProblem(operator)).status).toBe(201);
});

test('without a responsible user at the location or client, the partner gets the mail; users who opted out get none', async () => {
  const { operator, site_manager, customer_admin, partner } = world.north.users;
  await app.call(customer_admin, 'PUT', 'account/notifications', {
    choices: [{ event: 'problem_reported', channel: 'email', wanted: false }],
  });
  await reportProblem(operator);
  expect(await readMailedUsers()).toEqual([site_manager]);
  await app.db.rows(
    sql`delete from users_roles where users_id = any(${sql.param([site_manager, customer_admin])}::int[])`,
  );
  reportText = `${reportText} and more`;
  await reportProblem(operator);
  expect(await readMailedUsers()).toEqual([partner]);
});

test('the reporter is notified once when somebody else closes the alert, according to their settings', async () => {
  const { operator } = world.south.users;
  const handler = world.admin;
  const [reportedMachine] = world.south.machines;
  const readNotices = async (id: number) => {
    await devices.runJobs();
    const { email } =
      (await app.db.selectOne({ email: pg.text }, sql`select email from users where id = ${operator}`)) ?? {};
    return (await readMailsTo(app, email ?? '')).filter(({ text }) => text.includes(`/alerts/${id}`));
  };
  const reportAndClose = async (closer: number, path = 'alerts/{id}/close') => {
    reportText = `${reportText} again`;
    const { id } = (await reportProblem(operator, reportedMachine)).body.data;
    expect(await readNotices(id)).toEqual([]);
    expect((await app.call(closer, 'POST', path.replace('{id}', String(id)))).status).toBe(200);
    return readNotices(id);
  };
  const [notice, ...otherNotices] = await reportAndClose(handler);
  expect(otherNotices).toEqual([]);
  expect(notice?.subject).toMatch(/^Done: South-\S+ · problem reported: Leak$/);
  expect(notice?.text).toContain('The problem that you reported is closed');

  const { id } = (await reportProblem(handler, reportedMachine)).body.data;
  expect((await app.call(handler, 'POST', `alerts/${id}/close`)).status).toBe(200);
  await devices.runJobs();
  expect(
    (await app.services.mail.outbox()).filter(
      ({ subject, text }) => subject.startsWith('Done') && text.includes(`/alerts/${id}`),
    ),
  ).toEqual([]);

  await app.call(operator, 'PUT', 'account/notifications', {
    choices: [{ event: 'alert_closed', channel: 'email', wanted: false }],
  });
  expect(await reportAndClose(handler)).toEqual([]);
});

test('deleting the machine closes its report', async () => {
  const otherMachine = world.north.machines[1] as number;
  const { body } = await reportProblem(world.admin, otherMachine);
  await app.db.rows(sql`update machines set deleted_at = now() where id = ${otherMachine}`);
  await devices.runJobs();
  expect(await readAlert(world.admin, body.data.id)).toMatchObject({ state: 'closed', closed_by: null });
});

test('the reporter can add up to ten photos, once each and without their position, but none to reports of others', async () => {
  const { operator } = world.north.users;
  const { body } = await reportProblem(operator);
  const alert = body.data.id;
  const photo = await sharp({ create: { width: 2600, height: 30, channels: 3, background: 'red' } })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
  const send = (caller: number, key: string, content = photo) =>
    uploadFile<{ data: Alert }>(
      app,
      caller,
      `alerts/${alert}/photos`,
      { name: 'photo.jpg', content },
      { 'Idempotency-Key': key },
    );
  const key = `photo-${nextNumber()}`;
  expect((await send(operator, key)).status).toBe(201);
  expect((await send(operator, key)).status).toBe(201);
  expect((await send(operator, `${key} other`, Buffer.from('no picture'))).status).toBe(422);
  const notes = await app.call<{ data: { kind: string; text: string }[] }>(operator, 'GET', `alerts/${alert}/notes`);
  const photos = notes.body.data.filter(({ kind }) => kind === 'photo');
  expect(photos).toHaveLength(1);
  const name = photos[0]?.text;
  const storedPhoto = await app.db.selectOne({ bytes: pg.bytea }, sql`select bytes from files where name = ${name}`);
  const { width, exif } = await sharp(storedPhoto?.bytes).metadata();
  expect([width, exif]).toEqual([2000, undefined]);
  for (let index = 1; index < 10; index++) await send(operator, `${key} ${index}`);
  expect((await send(operator, `${key} eleventh`)).status).toBe(409);

  const otherReport = await reportProblem(world.admin);
  const foreignUpload = await uploadFile(app, operator, `alerts/${otherReport.body.data.id}/photos`, {
    name: 'a.jpg',
    content: 'x',
  });
  expect(foreignUpload.status).toBe(403);
});

test('a comment that is repeated with its idempotency key is written once', async () => {
  const { operator } = world.north.users;
  const { id } = (await reportProblem(operator)).body.data;
  const key = { 'Idempotency-Key': `comment-${nextNumber()}` };
  const addComment = () => app.call(world.admin, 'POST', `alerts/${id}/comments`, { comment: 'On my way' }, key);
  expect([(await addComment()).status, (await addComment()).status]).toEqual([201, 201]);
  const notes = await app.call<{ data: { kind: string }[] }>(world.admin, 'GET', `alerts/${id}/notes`);
  expect(notes.body.data.map(({ kind }) => kind)).toEqual(['reported', 'comment']);
});
