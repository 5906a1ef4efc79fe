/** Key rules: they map names of keys and words of values, per tracker or machine type. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let tracker: number;
let deviceId: string;
let secret: string;
let nextIndex = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ machine, tracker, deviceId, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

interface MachineValues {
  status: string;
  battery: number | null;
}
const readMachine = async () =>
  (await app.call<{ data: MachineValues }>(world.admin, 'GET', `machines/${machine}`)).body.data;
const setRules = (key_rules: string[]) => app.call(world.admin, 'PUT', `trackers/${tracker}`, { key_rules });
const sendThingsBoard = (values: object) =>
  app.call(undefined, 'POST', `/ingest/tb/api/v1/${secret}/telemetry`, values);
const rules = ['batteryLevel -> battery', 'state = docked -> status = charging', 'state = busy -> status = cleaning'];

test('key rules apply to every protocol of the tracker', async () => {
  expect((await setRules(rules)).status).toBe(200);
  expect((await sendThingsBoard({ batteryLevel: '55%', state: 'docked' })).status).toBe(200);
  expect(await readMachine()).toMatchObject({ status: 'Charging', battery: 55 });
  const batch = await sendBatch(app, secret, [{ batteryLevel: 54, state: 'busy' }]);
  expect(batch.status).toBe(200);
  expect(await readMachine()).toMatchObject({ status: 'Cleaning', battery: 54 });
  expect((await app.call(undefined, 'GET', `/ingest/osmand?id=${deviceId}&batteryLevel=53&state=docked`)).status).toBe(
    200,
  );
  expect(await readMachine()).toMatchObject({ status: 'Charging', battery: 53 });
});

test('key rules of the machine type apply to trackers without their own', async () => {
  const type = (
    await app.call<{ data: { id: number } }>(world.admin, 'POST', 'types', {
      name: 'Scrubber with fractions',
      tracking: true,
      key_rules: ['battery * 100 -> battery'],
    })
  ).body.data.id;
  await app.db.rows(sql`update machines set type_id = ${type}, custom_type = null where id = ${machine}`);
  await sendThingsBoard({ battery: 0.42 });
  expect(await readMachine()).toMatchObject({ battery: 42 });
  await setRules(['soc -> battery']);
  await sendThingsBoard({ soc: 41, battery: 0.4 });
  expect(await readMachine()).toMatchObject({ battery: 41 });
});

test('a preview of key rules stores nothing; a replay applies the stored rules to raw messages', async () => {
  const firstTime = Date.now() - 600_000;
  await sendThingsBoard([
    { ts: firstTime, values: { batteryLevel: 70, state: 'busy' } },
    { ts: firstTime + 300_000, values: { batteryLevel: 69 } },
    { ts: firstTime + 540_000, values: { batteryLevel: 68, state: 'docked' } },
  ]);
  expect(await readMachine()).toMatchObject({ status: 'Online', battery: null });
  const preview = async (key_rules: string[]) =>
    (
      await app.call<{ data: { sent: string; read: MachineValues & { state: string } }[] }>(
        world.admin,
        'POST',
        `trackers/${tracker}/preview`,
        { key_rules },
      )
    ).body.data.map(({ read }) => [read.state, read.battery]);
  expect(await preview([])).toEqual([
    ['Online', null],
    ['Online', null],
    ['Online', null],
  ]);
  expect(await preview(rules)).toEqual([
    ['Charging', 68],
    ['Online', 69],
    ['Cleaning', 70],
  ]);
  expect(await readMachine()).toMatchObject({ status: 'Online', battery: null });
  await setRules(rules);
  const { body } = await app.call<{ data: object }>(world.admin, 'POST', `trackers/${tracker}/replay`);
  expect(body.data).toEqual({ messages: 3, unreadable: 0, removed: 3, added: 3 });
  expect(await readMachine()).toMatchObject({ status: 'Charging', battery: 68, cleaning_time: 540 });
  const secondReplay = await app.call<{ data: object }>(world.admin, 'POST', `trackers/${tracker}/replay`);
  expect(secondReplay.body.data).toEqual({ messages: 3, unreadable: 0, removed: 0, added: 0 });
});

test('a message in which a key rule meets an unreadable value is rejected', async () => {
  await setRules(['v -> speed']);
  expect((await app.call(undefined, 'GET', `/ingest/osmand?id=${deviceId}&v=fast`)).status).toBe(400);
  expect((await app.call(undefined, 'GET', `/ingest/osmand?id=${deviceId}&v=2`)).status).toBe(200);
});

test('key rules are validated; preview and replay require the permission to edit trackers', async () => {
  const rejection = await app.call<{ errors: Record<string, string[]> }>(world.admin, 'PUT', `trackers/${tracker}`, {
    key_rules: ['batteryLevel => battery'],
  });
  expect(rejection.status).toBe(422);
  expect(Object.keys(rejection.body.errors)).toEqual(['key_rules']);
  for (const path of ['preview', 'replay']) {
    const body = path === 'preview' ? { key_rules: rules } : undefined;
    expect(
      (await app.call(world.north.users.customer_admin, 'POST', `trackers/${tracker}/${path}`, body)).status,
      path,
    ).toBe(403);
    expect((await app.call(world.admin, 'POST', `trackers/999999/${path}`, body)).status, path).toBe(404);
  }
  expect((await app.call(world.admin, 'POST', `trackers/${tracker}/preview`, { key_rules: ['x'] })).status).toBe(422);
});

test('a preview for a type reads messages of its trackers without their own rules, within the caller’s scope', async () => {
  const type = await add(app.db, 'types', { key_rules: ['unused -> battery'] });
  const [trackerWithRules, southTracker] = [world.north.trackers.at(-1) as number, world.south.trackers[0] as number];
  await app.db.rows(sql`
    update machines set type_id = ${type}, custom_type = null
      where tracker_id in (${tracker}, ${trackerWithRules}, ${southTracker})`);
  await setRules([]);
  await app.call(world.admin, 'PUT', `trackers/${trackerWithRules}`, { key_rules: ['soc -> battery'] });
  const levels = { [trackerWithRules]: 10, [southTracker]: 20, [tracker]: 30 };
  for (const id of [trackerWithRules, southTracker, tracker]) {
    const { body } = await app.call<{ data: { secret: string } }>(world.admin, 'POST', `trackers/${id}/secret`);
    await app.call(undefined, 'POST', `/ingest/tb/api/v1/${body.data.secret}/telemetry`, { batteryLevel: levels[id] });
  }
  const preview = (user: number | undefined, key_rules: string[], id = type) =>
    app.call<{ data: { sent: string; read: { battery: number | null } }[] }>(user, 'POST', `types/${id}/preview`, {
      key_rules,
    });
  const previewBatteries = async (user: number, key_rules: string[]) =>
    (await preview(user, key_rules)).body.data.map(({ read }) => read.battery);
  expect(await previewBatteries(world.admin, rules)).toEqual([30, 20]);
  // The preview replaces the rules of the type with none.
  expect(await previewBatteries(world.admin, [])).toEqual([null, null]);
  const addEditor = async (...codes: string[]) => {
    const permissions = await app.db.select(
      { id: pg.integer },
      sql`select id from permissions where code_name = any(${sql.param(codes)}::text[])`,
    );
    const role = await add(app.db, 'roles', { scope: 'client', permission_ids: permissions.map(({ id }) => id) });
    return add(app.db, 'users', { language_id: world.language, role_ids: [role], client_id: world.north.client });
  };
  expect(await previewBatteries(await addEditor('types.edit', 'trackers.edit'), rules)).toEqual([30]);
  expect((await preview(await addEditor('types.edit'), rules)).status).toBe(403);
  expect((await preview(await addEditor('trackers.edit'), rules)).status).toBe(403);
  expect((await preview(undefined, rules)).status).toBe(401);
  expect((await preview(world.admin, rules, 999999)).status).toBe(404);
  expect((await preview(world.admin, ['x'])).status).toBe(422);
  await app.db.rows(sql`
    insert into raw_messages (received_at, protocol, device, tracker_id, machine_id, media_type, body)
    select now() + n * interval '1 second', 'thingsboard', 'x', ${tracker}, ${machine}, 'application/json', '{"n":1}'
    from generate_series(1, 20) n`);
  expect((await preview(world.admin, rules)).body.data.length).toBe(10);
});
