/**
 * Messages with equal device time are merged field by field according to their content, never by order of arrival. A
 * message whose clock is rejected keeps its own time in the key. A late message fills in a missing battery or position.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { createAdapterSettings, mediaTypeOf, readMessage } from '../../server/telemetry/adapters/readMessage';
import { ingest } from '../../server/telemetry/ingest/ingest';
import type { Incoming } from '../../server/telemetry/ingest/storeMessages';
import { replay } from '../../server/telemetry/replay/replay';
import type { Protocol } from '../../server/telemetry/timeline/observation';
import { caseCount } from '../support/caseCount';
import { vdaState } from '../support/mqttDevice';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';

let app: TestApp;
let fleet: number;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await addFleet(app.db);
});
afterAll(() => app.close());

const start = Date.UTC(2026, 9, 20, 8);
const now = new Date(start + 3600_000);
const findSettings = createAdapterSettings({ env: { cleaningActions: ['clean'] } });

interface SentMessage {
  protocol: Protocol;
  topic: string;
  body: object;
  receivedAt: Date;
}
const telemetryMessage = (ts: number | string, values: object, receivedAt = now): SentMessage => ({
  protocol: 'thingsboard',
  topic: 'telemetry',
  body: { ts, values },
  receivedAt,
});
const ownMessage = (time: number, values: object): SentMessage => ({
  protocol: 'own',
  topic: '',
  body: { at: new Date(time), ...values },
  receivedAt: now,
});
const stateMessage = (time: number, fields: object): SentMessage => ({
  protocol: 'vda5050',
  topic: 'state',
  body: { ...vdaState(fields, new Date(time)), headerId: 1 },
  receivedAt: now,
});

async function ingestBatches(batches: readonly (readonly SentMessage[])[]): Promise<number> {
  const { machineId, trackerId } = await addTrackedMachine(app.db, fleet);
  for (const batch of batches)
    await ingest(
      { ...app.services, now: () => now },
      batch.flatMap(({ protocol, topic, body, receivedAt }) =>
        readMessage(
          protocol,
          { mediaType: mediaTypeOf(topic), body: Buffer.from(JSON.stringify(body)) },
          findSettings({ cleaningActions: null, keyRules: null }),
        ).map(
          ({ message, body: ownBody }): Incoming => ({
            machineId,
            trackerId,
            protocol,
            message,
            receivedAt,
            raw: { device: 'd', mediaType: mediaTypeOf(topic), body: ownBody },
          }),
        ),
      ),
    );
  return machineId;
}

/** Everything that is stored about a machine, except ids and times of receipt. */
const readHistory = async (machine: number) => ({
  observations: await app.db.rows(sql`
    select at, kind, protocol, state, reason, mode, own_keys, state_keys, battery, latitude, longitude, odometer, area,
      area_total, error, message, attributes
    from observations where machine_id = ${machine} order by at, kind`),
  segments: await app.db.rows(
    sql`select from_at, to_at, state, mode, reason, reason_at from segments where machine_id = ${machine} order by 1`,
  ),
  days: await app.db.rows(sql`
    select day, cleaning, charging, parked, online, robotic, manual, messages, round(area_m2::numeric, 6) as area,
      round(distance_m::numeric, 3) as distance
    from machine_days where machine_id = ${machine} and messages + cleaning + charging + parked + online > 0 order by 1`),
  state: await app.db.rows(sql`
    select status, status_since, mode, battery, latitude, longitude, last_seen, cleaning_time, charging_time
    from machines_state where id = ${machine}`),
});

test('a message without a state counts when it is stored together with a late one', async () => {
  const minute = (minutes: number) => now.getTime() - 60_000 * (60 - minutes);
  const states = ['cleaning', 'parked', 'cleaning', 'parked'].map((status, index) =>
    ownMessage(minute(10 * index), { status, battery: 80 }),
  );
  const lateMessage = ownMessage(minute(5), { status: 'charging' });
  const attributes = {
    ...telemetryMessage(minute(40), { battery: 70, latitude: 1, longitude: 2 }),
    topic: 'attributes',
  };
  const [together, separate] = [
    await ingestBatches([states, [lateMessage, attributes]]),
    await ingestBatches([states, [lateMessage], [attributes]]),
  ];
  expect((await readHistory(together)).state).toMatchObject([{ battery: 70, latitude: 1 }]);
  expect(await readHistory(together)).toEqual(await readHistory(separate));
});

const values = fc.oneof(
  fc.constantFrom<object>({ status: 'cleaning' }, { status: 'parked' }, { charging: true }, { charging: false }),
  fc.constantFrom<object>({ battery: 40 }, { battery: 60 }, { mode: 'manual' }, { mode: 'robotic' }, { speed: 0 }),
  fc.constantFrom<object>({ lat: 52.5, lon: 13.4 }, { lat: 52.5001, lon: 13.4 }, { odometer: 5 }, { odometer: 9 }),
  fc.constantFrom<object>({ area: 3 }, { area: 5 }, { area_total: 70 }, { area_total: 90 }, { error: 'E1' }, { a: 1 }),
);
const states = fc.constantFrom<object>(
  { driving: true },
  { batteryState: { batteryCharge: 30, charging: true } },
  { actionStates: [{ actionId: 'a', actionType: 'clean', actionStatus: 'RUNNING' }] },
  { latitude: 52.5, longitude: 13.4, operatingMode: 'MANUAL' },
  { errors: [{ errorType: 'E1', errorLevel: 'FATAL' }] },
);
const times = fc.integer({ min: 0, max: 4 }).map((step) => start + step * 200);
const arbitraryMessages = {
  vehicle: fc.tuple(times, states).map(([time, fields]) => stateMessage(time, fields)),
  tracker: fc
    .tuple(fc.constantFrom(telemetryMessage, ownMessage), times, values)
    .map(([createMessage, time, fields]) => createMessage(time, fields)),
};

/** The same messages in two orders, some of them twice, split into different batches. */
const arrivals = fc
  .constantFrom('tracker' as const, 'vehicle' as const)
  .chain((device) => fc.array(arbitraryMessages[device], { minLength: 1, maxLength: 9 }))
  .chain((messages) => {
    const order = fc.record({
      repeated: fc.subarray(messages),
      keys: fc.array(fc.nat(), { minLength: 18, maxLength: 18 }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 18, maxLength: 18 }),
    });
    return fc.tuple(order, order).map((orders) =>
      orders.map(({ repeated, keys, sizes }) => {
        const remainingMessages = [...messages, ...repeated]
          .map((message, index) => ({ message, key: keys[index] as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ message }) => message);
        return sizes.map((size) => remainingMessages.splice(0, size)).filter((batch) => batch.length > 0);
      }),
    );
  });

test('messages with equal time give the same result in any order, batches and repetition', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ([first, second]) => {
      const [machine, otherMachine] = [await ingestBatches(first ?? []), await ingestBatches(second ?? [])];
      expect(await readHistory(machine)).toEqual(await readHistory(otherMachine));
      const options = { machineId: machine, from: new Date(0), to: now, since: new Date(0), findSettings, now };
      expect(await replay(app.db, options)).toMatchObject({ removed: 0, added: 0 });
    }),
    { numRuns: caseCount(30) },
  );
});

test('replaying a period does not change observations that include messages from outside it', async () => {
  const laterTime = new Date(now.getTime() - 60_000);
  const machine = await ingestBatches([
    [telemetryMessage(start, { status: 'cleaning' }, new Date(laterTime.getTime() - 60_000))],
    [telemetryMessage(start, { battery: 50 }, laterTime)],
  ]);
  const historyBefore = await readHistory(machine);
  expect(historyBefore.observations).toMatchObject([{ state: 'Cleaning', battery: 50 }]);
  const options = { machineId: machine, from: laterTime, to: now, since: new Date(0), findSettings, now };
  expect(await replay(app.db, options)).toMatchObject({ removed: 0, added: 0 });
  expect(await readHistory(machine)).toEqual(historyBefore);
});

const readObservations = (machine: number) =>
  app.db.select(
    { at: pg.timestamptz, battery: pg.integer.nullable },
    sql`select at, battery from observations where machine_id = ${machine} order by at`,
  );

test('a message with a wrong clock counts once however often it is sent; others with the same clock count separately', async () => {
  for (const clock of [now.getTime() + 86_400_000, 1, 8e15]) {
    const receiptTimes = [0, 7000, 14_000].map((ms) => new Date(now.getTime() - 60_000 + ms));
    const faultyValues = { status: 'cleaning', battery: 7 };
    const machine = await ingestBatches([
      ...receiptTimes.map((receipt) => [telemetryMessage(clock, faultyValues, receipt)]),
      [telemetryMessage(clock, faultyValues), telemetryMessage(clock, faultyValues)],
    ]);
    expect(await readObservations(machine)).toEqual([{ at: receiptTimes[0], battery: 7 }]);
    const [receipt] = receiptTimes;
    expect(
      await replay(app.db, { machineId: machine, from: new Date(0), to: now, since: new Date(0), findSettings, now }),
    ).toMatchObject({ removed: 0, added: 0 });
    const otherMachine = await ingestBatches([
      [telemetryMessage(clock, faultyValues, receipt), telemetryMessage(clock, { battery: 8 }, receipt)],
    ]);
    expect(await readObservations(otherMachine)).toHaveLength(2);
  }
});

test('a late message fills in a missing battery or position, and otherwise leaves the machine state row unchanged', async () => {
  const minute = (number: number) => start + number * 60_000;
  const readMachine = (machine: number) =>
    app.db.selectOne(
      { battery: pg.integer.nullable, latitude: pg.double.nullable, last_seen: pg.timestamptz.nullable },
      sql`select battery, latitude, last_seen from machines_state where id = ${machine}`,
    );
  const machine = await ingestBatches([
    [telemetryMessage(minute(9), { status: 'cleaning' })],
    [telemetryMessage(minute(5), { battery: 55 }), telemetryMessage(minute(6), { lat: 52.5, lon: 13.4 })],
    [telemetryMessage(minute(4), { battery: 44, lat: 50, lon: 10 })],
  ]);
  expect(await readMachine(machine)).toEqual({ battery: 55, latitude: 52.5, last_seen: new Date(minute(9)) });
});
