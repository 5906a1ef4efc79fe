/**
 * Orders of VDA 5050 vehicles become runs: stored once, for any order of messages, without undoing changes by users.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { createAdapterSettings, mediaTypeOf, readMessage } from '../../server/telemetry/adapters/readMessage';
import { ingest } from '../../server/telemetry/ingest/ingest';
import { replay } from '../../server/telemetry/replay/replay';
import { refreshDerivedRuns } from '../../server/telemetry/runs/refreshDerivedRuns';
import { refreshOrderRuns } from '../../server/telemetry/runs/refreshOrderRuns';
import { storeReportedRuns } from '../../server/telemetry/runs/storeReportedRuns';
import { vdaState } from '../support/mqttDevice';
import { add } from '../support/rows';
import { seededRandom, shuffle } from '../support/seededRandom';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { addTrackedMachine, type TrackedMachine } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const start = Date.UTC(2026, 9, 20, 8);
const now = new Date(start + 24 * 3600_000);
const timeAfter = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const findSettings = createAdapterSettings({ env: { cleaningActions: ['clean'] } });
const settings = findSettings({ cleaningActions: null, keyRules: null });

interface SentState {
  /** Seconds since the start. */
  at: number;
  fields: object;
}
type Vehicle = Pick<TrackedMachine, 'machine' | 'tracker'>;

async function send({ machine, tracker }: Vehicle, messages: readonly SentState[]): Promise<void> {
  const incomingMessages = messages.flatMap(({ at, fields }) => {
    const body = Buffer.from(JSON.stringify(vdaState(fields, new Date(start + at * 1000))));
    const raw = { device: 'd', mediaType: mediaTypeOf('state'), body };
    return readMessage('vda5050', raw, settings).map(({ message }) => ({
      machineId: machine,
      trackerId: tracker,
      protocol: 'vda5050' as const,
      message,
      receivedAt: now,
      raw,
    }));
  });
  await ingest({ ...app.services, now: () => now }, incomingMessages);
}
const refresh = async () => {
  await refreshDerivedRuns(app.services);
  await refreshOrderRuns(app.services);
};

async function addVehicle(): Promise<Vehicle> {
  const [fleet, location] = [world.north.fleets[0] as number, world.north.locations[0] as number];
  const { machineId, trackerId } = await addTrackedMachine(app.db, fleet, location);
  await app.db.rows(
    sql`update machine_stays set from_at = ${timeAfter(-86_400)}::timestamptz where machine_id = ${machineId}`,
  );
  return { machine: machineId, tracker: trackerId };
}

interface StoredRun {
  id: number;
  source: string;
  superseded_by: number | null;
  [field: string]: unknown;
}
const readRuns = async ({ machine }: Vehicle, source = 'reported') =>
  (
    await app.call<{ data: StoredRun[] }>(
      world.admin,
      'GET',
      `runs?filter[machine_id]=${machine}&filter[source]=${source}&sort=started_at`,
    )
  ).body.data;
/** Fields that depend neither on the time of storage nor on the machine. */
const contentOf = (runs: readonly StoredRun[]) =>
  runs.map(
    ({ id, version, created_at, updated_at, superseded_by, summary, machine_id, own_machine_id, ...content }) =>
      content,
  );

const buildAction = (actionStatus: string, actionType = 'floorCleaning') => ({
  actionId: actionType,
  actionType,
  actionStatus,
});
const positionState = (x: number, mapId = 'hall') => ({
  agvPosition: { x, y: 0, theta: 0, mapId, positionInitialized: true },
});
const cleaningState = (orderId: string, extraFields: object = {}) => ({
  orderId,
  driving: true,
  actionStates: [buildAction('RUNNING')],
  nodeStates: [{ nodeId: 'n2', sequenceId: 4, released: true }],
  ...extraFields,
});
const finishedState = (orderId: string, status = 'FINISHED') => ({ orderId, actionStates: [buildAction(status)] });

/**
 * Two orders with a message every ten seconds. The vehicle is stuck during the first one, and sends a warning during
 * the second one.
 */
const orderMessages: SentState[] = [
  ...Array.from({ length: 60 }, (_, index) => {
    const isStuck = index >= 20 && index < 26;
    const errors = isStuck ? [{ errorType: 'stuck', errorLevel: 'FATAL' }] : [];
    const pausedState = { driving: false, actionStates: [buildAction('PAUSED')] };
    const battery = { batteryState: { batteryCharge: 90 - Math.floor(index / 10), charging: false } };
    return {
      at: index * 10,
      fields: cleaningState('o1', {
        ...positionState(isStuck ? 20 : index),
        ...battery,
        errors,
        ...(isStuck && pausedState),
      }),
    };
  }),
  { at: 600, fields: { ...finishedState('o1'), ...positionState(60) } },
  { at: 630, fields: finishedState('o1') },
  ...Array.from({ length: 30 }, (_, index) => ({
    at: 700 + index * 10,
    fields: cleaningState('o2', { errors: [{ errorType: 'brush', errorLevel: 'WARNING' }] }),
  })),
  { at: 1000, fields: finishedState('o2', 'FAILED') },
];
const expected = [
  {
    task_id: 'o1',
    started_at: timeAfter(0),
    ended_at: timeAfter(600),
    outcome: 'completed',
    outcome_raw: 'FINISHED',
    duration_s: 540,
    distance_m: 60,
    battery_start: 90,
    battery_end: 80,
    mode_raw: 'floorCleaning',
    mode: 'other',
    interruptions: [{ at: timeAfter(200), reason: 'stuck', resolved_at: timeAfter(260) }],
  },
  {
    task_id: 'o2',
    started_at: timeAfter(700),
    ended_at: timeAfter(1000),
    outcome: 'failed',
    outcome_raw: 'FAILED',
    duration_s: 300,
    interruptions: [],
  },
];

describe('orders', () => {
  test('become reported runs at their location and on the floor of their map, and supersede derived ones', async () => {
    const floor = await add(app.db, 'floors', {
      location_id: world.north.locations[0],
      maps: [{ map_id: 'hall' }] as never,
    });
    const vehicle = await addVehicle();
    await send(vehicle, orderMessages.slice(0, 40));
    await refresh();
    expect(await readRuns(vehicle)).toEqual([]);
    await send(vehicle, orderMessages.slice(40));
    await refresh();
    const runs = await readRuns(vehicle);
    expect(runs).toMatchObject(expected);
    expect(runs.map(({ location_id, floor_id }) => [location_id, floor_id])).toEqual([
      [world.north.locations[0], floor],
      [world.north.locations[0], null],
    ]);
    const derivedRuns = await readRuns(vehicle, 'derived');
    expect(derivedRuns.length).toBeGreaterThan(0);
    for (const { superseded_by: supersededBy } of derivedRuns) expect(runs.map(({ id }) => id)).toContain(supersededBy);
  });

  test('give the same runs for messages in any order, repeated or late', async () => {
    const first = await addVehicle();
    await send(first, orderMessages);
    await refresh();
    const plainContent = contentOf(await readRuns(first));
    expect(plainContent).toMatchObject(expected);
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed);
      const vehicle = await addVehicle();
      const messages = shuffle([...orderMessages, ...orderMessages.filter(() => random() < 0.3)], random);
      for (let index = 0; index < messages.length; ) {
        const length = 1 + Math.floor(random() * 60);
        await send(vehicle, messages.slice(index, index + length));
        if (random() < 0.5) await refresh();
        index += length;
      }
      await refresh();
      expect(contentOf(await readRuns(vehicle))).toEqual(plainContent);
    }
  });

  test('are stored once by several processes, and written again only if they change', async () => {
    const vehicle = await addVehicle();
    await send(vehicle, orderMessages);
    await Promise.all([refreshOrderRuns(app.services), refreshOrderRuns(app.services)]);
    await refresh();
    const readVersions = async () => (await readRuns(vehicle)).map(({ id, version }) => [id, version]);
    const versionsBefore = await readVersions();
    expect(versionsBefore).toHaveLength(2);
    await send(vehicle, orderMessages);
    await app.db.rows(sql`insert into order_changes (machine_id, from_at, to_at)
      values (${vehicle.machine}, ${timeAfter(300)}::timestamptz, ${timeAfter(300)}::timestamptz)`);
    await refresh();
    expect(await readVersions()).toEqual(versionsBefore);
  });

  test('are stored for all other machines if those of one cannot be', async () => {
    const [faulty, other] = [await addVehicle(), await addVehicle()];
    await app.db.rows(sql`create function reject_run() returns trigger language plpgsql as
      $$ begin raise exception 'rejected'; end $$`);
    await app.db.rows(sql`create trigger reject_run before insert on runs for each row
      when (new.machine_id = ${sql.raw(String(faulty.machine))}) execute function reject_run()`);
    for (const vehicle of [faulty, other]) await send(vehicle, orderMessages);
    await expect(refreshOrderRuns(app.services)).rejects.toThrow('rejected');
    expect(await readRuns(other)).toHaveLength(2);
    await app.db.rows(sql`drop function reject_run cascade`);
    await refreshOrderRuns(app.services);
    expect(await readRuns(faulty)).toHaveLength(2);
  });

  test('do not depend on fields of a vehicle that have the names of our attributes', async () => {
    const vehicle = await addVehicle();
    await send(vehicle, [{ at: 0, fields: { orderId: '', order: { left: 'all', cancelled: true } } }]);
    await send(vehicle, [{ at: 10, fields: { orderId: 'o1', order: { left: 'all' } } }]);
    const rows = await app.db.rows(
      sql`select attributes from observations where machine_id = ${vehicle.machine} and attributes ? 'order.cancelled'`,
    );
    expect(rows).toEqual([]);
  });

  test('end when another order starts, until a message reports their own end', async () => {
    const vehicle = await addVehicle();
    const isEnd = ({ at }: SentState) => at === 600 || at === 630;
    await send(
      vehicle,
      orderMessages.filter((message) => !isEnd(message)),
    );
    await refresh();
    const [firstRun] = await readRuns(vehicle);
    expect(firstRun).toMatchObject({
      task_id: 'o1',
      ended_at: timeAfter(700),
      outcome: 'aborted',
      outcome_raw: 'replaced',
    });
    await send(vehicle, orderMessages.filter(isEnd));
    await refresh();
    expect(await readRuns(vehicle)).toMatchObject([{ ...expected[0], id: firstRun?.id }, expected[1]]);
  });

  test('keep corrections by users, and stay deleted', async () => {
    const vehicle = await addVehicle();
    const isLate = ({ at }: SentState) => at === 500 || at === 700;
    await send(
      vehicle,
      orderMessages.filter((message) => !isLate(message)),
    );
    await refresh();
    const [first, second] = await readRuns(vehicle);
    expect(second?.started_at).toBe(timeAfter(710));
    expect((await app.call(world.admin, 'PATCH', `runs/${first?.id}`, { cleaned_area_m2: 120 })).status).toBe(200);
    expect((await app.call(world.admin, 'DELETE', `runs/${second?.id}`)).status).toBeLessThan(300);
    await send(vehicle, orderMessages.filter(isLate));
    await refresh();
    expect(await readRuns(vehicle)).toMatchObject([{ id: first?.id, cleaned_area_m2: 120 }]);
    await app.call(world.admin, 'POST', `runs/${second?.id}/restore`);
    expect((await readRuns(vehicle))[1]).toMatchObject({ ...expected[1], id: second?.id });
  });

  test('are found across days of changes, even if a message names them long after their end', async () => {
    const vehicle = await addVehicle();
    const day = 86_400;
    const idleMessages = Array.from({ length: 30 }, (_, index) => ({
      at: 700 - 7 * day + (index * day) / 5,
      fields: finishedState('o0'),
    }));
    const shiftedMessages = orderMessages.map(({ at, fields }) => ({ at: at - 7 * day, fields }));
    await send(vehicle, [...shiftedMessages.slice(0, -1), ...idleMessages, ...orderMessages]);
    await app.db.rows(sql`insert into order_changes (machine_id, from_at, to_at)
      values (${vehicle.machine}, ${timeAfter(-30 * day)}::timestamptz, ${timeAfter(day)}::timestamptz)`);
    await refresh();
    const runs = await readRuns(vehicle);
    expect(runs.map(({ task_id, started_at }) => [task_id, started_at])).toEqual([
      ['o1', timeAfter(-7 * day)],
      ['o2', timeAfter(700 - 7 * day)],
      ['o1', timeAfter(0)],
      ['o2', timeAfter(700)],
    ]);
  });

  test('do not count time twice that the maker’s cloud also reports', async () => {
    const vehicle = await addVehicle();
    await send(vehicle, orderMessages);
    await refresh();
    const report = {
      machine_id: vehicle.machine,
      started_at: timeAfter(5),
      ended_at: timeAfter(640),
      external_id: 'cloud-1',
      cleaned_area_m2: 77,
    };
    await app.db.transaction((tx) =>
      storeReportedRuns(tx, [{ machineId: vehicle.machine, values: report, reportedAt: now }], now),
    );
    const readCountingRuns = async () =>
      (await readRuns(vehicle)).map(({ task_id, external_id, superseded_by }) => ({
        run: task_id ?? external_id,
        counts: superseded_by === null,
      }));
    const expectedCounts = [
      { run: 'o1', counts: false },
      { run: 'cloud-1', counts: true },
      { run: 'o2', counts: true },
    ];
    expect(await readCountingRuns()).toEqual(expectedCounts);
    await app.db.rows(sql`insert into order_changes (machine_id, from_at, to_at)
      values (${vehicle.machine}, ${timeAfter(300)}::timestamptz, ${timeAfter(300)}::timestamptz)`);
    await refresh();
    expect(await readCountingRuns()).toEqual(expectedCounts);
    const derivedRuns = await readRuns(vehicle, 'derived');
    expect(derivedRuns.length).toBeGreaterThan(0);
    for (const { superseded_by: supersededBy } of derivedRuns)
      expect((await readRuns(vehicle)).find(({ id }) => id === supersededBy)?.superseded_by).toBeNull();
    const cloudRun = (await readRuns(vehicle)).find(({ external_id }) => external_id === 'cloud-1');
    await app.call(world.admin, 'DELETE', `runs/${cloudRun?.id}`);
    expect(await readCountingRuns()).toEqual([
      { run: 'o1', counts: true },
      { run: 'o2', counts: true },
    ]);
  });

  test('have no floor on an unlinked map, which their messages still name', async () => {
    const vehicle = await addVehicle();
    await send(vehicle, [
      { at: 0, fields: cleaningState('o1', positionState(0, 'unknown hall')) },
      { at: 60, fields: { ...finishedState('o1'), ...positionState(9, 'unknown hall') } },
    ]);
    await refresh();
    const [run] = await readRuns(vehicle);
    expect(run).toMatchObject({ task_id: 'o1', floor_id: null, distance_m: 9 });
    const { body } = await app.call<{ data: { reason: string } }>(world.admin, 'GET', `runs/${run?.id}/coverage`);
    expect(body.data.reason).toMatch(/on no floor that is known/);
    const row = await app.db.selectOne(
      { map: pg.text.nullable },
      sql`select attributes->>'agvPosition.mapId' as map from observations
        where machine_id = ${vehicle.machine} limit 1`,
    );
    expect(row?.map).toBe('unknown hall');
  });

  test('follow a replay with other cleaning actions', async () => {
    const vehicle = await addVehicle();
    await send(vehicle, orderMessages);
    await refresh();
    expect(await readRuns(vehicle)).toHaveLength(2);
    await replay(app.db, {
      machineId: vehicle.machine,
      from: new Date(0),
      to: now,
      since: new Date(0),
      now,
      findSettings: () => findSettings({ cleaningActions: ['polish'], keyRules: null }),
    });
    await refresh();
    expect((await readRuns(vehicle)).map(({ task_id }) => task_id)).toEqual([]);
  });
});
