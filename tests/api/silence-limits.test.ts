/** Offline policies per type and machine. The past follows the policy that applied at the time. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LiveEvent } from '../../server/context/eventBus';
import type { Database } from '../../server/db/core/database';
import { markOffline } from '../../server/telemetry/offline/markOffline';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { computeSums, computeTimeline, readSums, readTimeline } from '../support/storedTimeline';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let type: number;
let machine: number;
let device: string;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

/** A machine with its own type. Its last message, five minutes ago, started cleaning. */
beforeEach(async () => {
  type = await add(app.db, 'types');
  device = `silent-${type}`;
  const tracker_id = await add(app.db, 'trackers', { refno: device, tracker_or_serial: device });
  machine = await add(app.db, 'machines', { fleet_id: world.north.fleets[0], type_id: type, tracker_id });
  await send('cleaning', 300);
});

const now = () => Math.floor(Date.now() / 1000);
const send = (status: string, secondsAgo: number) =>
  app.call(
    undefined,
    'GET',
    `/ingest/osmand?${new URLSearchParams({ id: device, status, timestamp: String(now() - secondsAgo) })}`,
  );
const setValues = (resource: 'types' | 'machines', id: number, values: Record<string, unknown>) =>
  app.call(world.admin, 'PUT', `${resource}/${id}`, values);
/** Waits until nothing is due: setting a policy also starts a sweep, and one of two concurrent sweeps gives up. */
const awaitSweeps = () =>
  expect
    .poll(async () => {
      await markOffline(app.services);
      return app.db.one(
        sql`select (select count(*)::int from silence_limits where not is_applied) as limits,
          (select count(*)::int from machine_watch where silent_at <= now()) as silent`,
      );
    })
    .toEqual({ limits: 0, silent: 0 });
interface MachineValues {
  status: string;
  status_since: string;
  status_reason: string;
  mode: string | null;
  cleaning_time: number;
}
const readMachine = async () =>
  (await app.call<{ data: MachineValues }>(world.admin, 'GET', `machines/${machine}`)).body.data;
/** Seconds of each closed segment, and the state of the open one. */
const readLengths = async () =>
  (await readTimeline(app.db, machine)).map(({ state, from, to }) => (to === null ? state : [state, to - from]));
const expectComputedTimeline = async () => {
  expect(await readTimeline(app.db, machine)).toEqual(await computeTimeline(app.db, machine, new Date()));
  expect(await readSums(app.db, machine)).toEqual(await computeSums(app.db, machine));
};

test('a machine uses its own policy, else its type’s, else the protocol’s; changes apply at once', async () => {
  expect(await readMachine()).toMatchObject({ status: 'Cleaning' });
  await setValues('types', type, { offline_after: 120 });
  await awaitSweeps();
  const silentMachine = await readMachine();
  expect(silentMachine).toMatchObject({ status: 'Offline', mode: null, cleaning_time: 120 });
  expect(silentMachine.status_reason).toMatch(/silent for more than 2 min$/);
  expect(await readLengths()).toEqual([['Cleaning', 120], 'Offline']);
  await expectComputedTimeline();

  await setValues('machines', machine, { offline_after: 90 });
  await awaitSweeps();
  expect((await readMachine()).status_reason).toMatch(/silent for more than 90 s$/);
  await setValues('types', type, { offline_after: 60 });
  await awaitSweeps();
  expect(await readLengths()).toEqual([['Cleaning', 90], 'Offline']);

  await setValues('machines', machine, { offline_after: 3600 });
  await awaitSweeps();
  expect(await readMachine()).toMatchObject({ status: 'Cleaning', cleaning_time: 0 });
  expect(await readLengths()).toEqual(['Cleaning']);
  await expectComputedTimeline();

  await setValues('machines', machine, { offline_after: null, type_id: world.type });
  await awaitSweeps();
  expect(await readLengths()).toEqual(['Cleaning']);
});

test('a past gap keeps its state when the policy changes later, even if messages arrive late', async () => {
  await setValues('machines', machine, { offline_after: 120 });
  await awaitSweeps();
  await send('parked', 0);
  expect(await readLengths()).toEqual([['Cleaning', 120], ['Offline', expect.any(Number)], 'Parked']);
  await app.db.rows(
    sql`update silence_limits set from_at = from_at - interval '10 seconds' where machine_id = ${machine}`,
  );
  await app.db.rows(
    sql`insert into silence_limits (machine_id, from_at, seconds)
      values (${machine}, now() + interval '2 seconds', 3600)`,
  );
  await awaitSweeps();
  expect((await readLengths())[0]).toEqual(['Cleaning', 120]);

  await send('charging', 290);
  expect(await readLengths()).toEqual([
    ['Cleaning', expect.any(Number)],
    ['Charging', 120],
    ['Offline', expect.any(Number)],
    'Parked',
  ]);
  await expectComputedTimeline();
});

test('a policy set directly in the database also takes effect, in events and lists', async () => {
  const countOffline = async () =>
    (await app.call<{ total: number }>(world.admin, 'GET', `machines?filter[status]=Offline&filter[type_id]=${type}`))
      .body.total;
  expect(await countOffline()).toBe(0);
  await app.db.rows(sql`update machines set offline_after = 60 where id = ${machine}`);
  const events: LiveEvent[] = [];
  const live = { publish: async (batch: readonly LiveEvent[]) => void events.push(...batch) };
  await markOffline({ ...app.services, live: { ...app.services.live, ...live } });
  expect(await countOffline()).toBe(1);
  expect(events).toMatchObject([
    { entity: 'machines', id: machine, payload: { status: 'Offline', cleaning_time: 60 } },
  ]);
});

test('a message that arrives while overdue machines are read keeps its machine from being Offline', async () => {
  const { db } = app.services;
  const select: Database['select'] = async (shape, query) => {
    const rows = await db.select(shape, query);
    await send('parked', 0);
    return rows;
  };
  await markOffline({ ...app.services, db: { ...db, select }, now: () => new Date(Date.now() + 400_000) });
  expect(await readLengths()).toEqual([['Cleaning', expect.any(Number)], 'Parked']);
});

test('the limit must be between half a minute and a week', async () => {
  for (const [value, message] of [
    [29, 'Offline after must be at least 30 s.'],
    [604_801, 'Offline after must be at most 604800 s.'],
    [90.5, 'Offline after must be a whole number.'],
  ] as const)
    expect(await setValues('machines', machine, { offline_after: value })).toMatchObject({
      status: 422,
      body: { errors: { offline_after: [message] } },
    });
  expect((await setValues('types', type, { offline_after: 604_800 })).status).toBe(200);
});
