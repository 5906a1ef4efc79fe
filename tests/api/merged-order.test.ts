/** Messages with equal time are merged according to their content, never by order of arrival. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingest } from '../../server/telemetry/ingest/ingest';
import type { Incoming } from '../../server/telemetry/ingest/storeMessages';
import { printStateKeys, stateOfKeys } from '../../server/telemetry/timeline/stateKeys';
import { caseCount } from '../support/caseCount';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { readDailySums, readTimeline } from '../support/storedTimeline';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';

let app: TestApp;
let fleet: number;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await addFleet(app.db);
});
afterAll(() => app.close());

const start = Date.UTC(2026, 9, 24, 21, 58);
const now = new Date(start + 3600_000);

type SentMessage = Pick<Incoming, 'message' | 'protocol'>;

/** Few different times and values, so that messages coincide and contradict each other. */
const messageArbitrary: fc.Arbitrary<SentMessage> = fc
  .record({
    minutes: fc.integer({ min: 0, max: 6 }),
    milliseconds: fc.constantFrom(0, 0, 500),
    protocol: fc.constantFrom('osmand' as const, 'own' as const, 'thingsboard' as const),
    keys: fc.record({
      status: fc.constantFrom(undefined, undefined, undefined, 'cleaning' as const, 'parked' as const),
      charging: fc.constantFrom(undefined, undefined, true, false),
      moving: fc.constantFrom(undefined, undefined, true, false),
      mode: fc.constantFrom(undefined, undefined, null, 'robotic' as const),
    }),
    values: fc.record({
      battery: fc.constantFrom(null, 5, 50),
      position: fc.constantFrom(null, { latitude: 9, longitude: 1 }, { latitude: 10, longitude: 0 }),
      odometer: fc.constantFrom(null, 9, 10, 100),
      area: fc.constantFrom(null, 9, 10),
      area_total: fc.constantFrom(null, 9, 10, 100),
      attributes: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(9, 10, '9'), { maxKeys: 2 }),
    }),
  })
  .map(({ minutes, milliseconds, protocol, keys, values }) => {
    const own_keys = printStateKeys(keys);
    const noValues = { speed: null, heading: null, accuracy: null, altitude: null, error: null, message: null };
    const time = new Date(start + minutes * 60_000 + milliseconds);
    return {
      protocol,
      message: { at: time, kind: 'message', ...stateOfKeys(own_keys), own_keys, ...noValues, ...values },
    };
  });

/** Messages with their positions in the order of arrival; a repeated message has a second position. */
const arrivals = fc.array(
  fc.record({ message: messageArbitrary, positions: fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 2 }) }),
  { minLength: 1, maxLength: 14 },
);

/** Rows that a new machine has after messages in batches of these sizes. */
async function storeMessages(messages: readonly SentMessage[], sizes: readonly number[]) {
  const { machineId, trackerId } = await addTrackedMachine(app.db, fleet);
  const raw = { device: 'd', mediaType: 'text/plain', body: new Uint8Array() };
  const remainingMessages = messages.map(
    (message): Incoming => ({ ...message, machineId, trackerId, receivedAt: now, raw }),
  );
  for (let round = 0; remainingMessages.length > 0; round += 1)
    await ingest({ ...app.services, now: () => now }, remainingMessages.splice(0, sizes[round % sizes.length]));
  return {
    observations: await app.db.rows(sql`
      select at, kind, protocol, own_keys, state_keys, state, reason, mode, battery, latitude, longitude, odometer, area,
        area_total, attributes
      from observations where machine_id = ${machineId} order by at, kind`),
    raw: await app.db.rows(sql`select protocol from raw_messages where machine_id = ${machineId} order by protocol`),
    timeline: await readTimeline(app.db, machineId),
    days: await readDailySums(app.db, machineId),
    state: await app.db.one(sql`select status, status_since, mode from machines_state where id = ${machineId}`),
  };
}

test('messages of several protocols give the same rows in any order, grouping and repetition', async () => {
  await fc.assert(
    fc.asyncProperty(
      arrivals,
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
      async (messages, sizes) => {
        const inOrderOfArrival = messages
          .flatMap(({ message, positions }) => positions.map((position) => ({ message, position })))
          .sort((a, b) => a.position - b.position)
          .map(({ message }) => message);
        const inOrderOfTime = [...inOrderOfArrival].sort(
          (a, b) => (a.message.at as Date).getTime() - (b.message.at as Date).getTime(),
        );
        expect(await storeMessages(inOrderOfArrival, sizes)).toEqual(await storeMessages(inOrderOfTime, [1]));
      },
    ),
    { numRuns: caseCount(30) },
  );
});
