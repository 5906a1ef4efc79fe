/** The stored timeline: the same observations give the same rows in any order of arrival and with any repetition. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { ingest } from '../../server/telemetry/ingest/ingest';
import type { Incoming } from '../../server/telemetry/ingest/storeMessages';
import { markOffline } from '../../server/telemetry/offline/markOffline';
import type { Message } from '../../server/telemetry/timeline/observation';
import { printStateKeys, type StateKeyValues, stateOfKeys } from '../../server/telemetry/timeline/stateKeys';
import { caseCount } from '../support/caseCount';
import { add } from '../support/rows';
import { startTestApp, type TestApp } from '../support/startTestApp';
import {
  computeDailySums,
  computeSums,
  computeTimeline,
  readDailySums,
  readSums,
  readTimeline,
} from '../support/storedTimeline';
import { clockOf, timeZones, zoneChanges } from '../support/timeZones';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';
import { addWorld } from '../support/world';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** The period includes the midnight on which clocks go back. */
const start = Date.UTC(2026, 9, 24, 21, 50);
const now = new Date(start + 5000_000);

const arbitraryMessage: fc.Arbitrary<Message & { keys: StateKeyValues | undefined }> = fc
  .record({
    seconds: fc.integer({ min: 0, max: 4000 }),
    milliseconds: fc.constantFrom(0, 0, 0, 1, 500),
    state: fc.constantFrom(
      'Online' as const,
      'Parked' as const,
      'Charging' as const,
      'Cleaning' as const,
      'Offline' as const,
    ),
    kind: fc.constantFrom('message', 'message', 'state', 'visualization'),
    mode: fc.constantFrom('robotic' as const, 'manual' as const, null),
    area: fc.constantFrom(null, 5),
    keys: fc.record({
      status: fc.constantFrom(undefined, undefined, undefined, 'cleaning' as const, 'parked' as const),
      charging: fc.constantFrom(undefined, undefined, true, false),
      moving: fc.constantFrom(undefined, undefined, true, false),
      mode: fc.constantFrom(undefined, undefined, null, 'robotic' as const),
    }),
  })
  .map(({ seconds, milliseconds, state, kind, mode, area, keys }) => ({
    at: new Date(start + seconds * 1000 + milliseconds),
    kind,
    state,
    keys: kind === 'message' ? keys : undefined,
    reason: (
      {
        Online: 'message',
        Parked: 'hibernating',
        Charging: 'charging',
        Cleaning: 'cleaning',
        Offline: 'connection_lost',
      } as const
    )[state],
    mode,
    battery: null,
    position: null,
    speed: null,
    heading: null,
    accuracy: null,
    altitude: null,
    odometer: null,
    area,
    area_total: null,
    error: null,
    message: null,
    attributes: {},
  }))
  .map((message) => {
    if (!message.keys) return message;
    const own_keys = printStateKeys(message.keys);
    return { ...message, own_keys, ...stateOfKeys(own_keys) };
  });

/** State and mode at each message with keys, if every key applies until it is sent again. */
function computeCarriedForwardStates(messages: readonly { at: Date | undefined; keys: StateKeyValues | undefined }[]) {
  let keys: StateKeyValues = {};
  return messages
    .filter((message) => message.keys)
    .sort((a, b) => (a.at as Date).getTime() - (b.at as Date).getTime())
    .map((message) => {
      const ownKeys = Object.entries(message.keys ?? {}).filter(([, value]) => value !== undefined);
      keys = { ...keys, ...Object.fromEntries(ownKeys) };
      const idleState = keys.status === undefined && keys.moving === false ? 'Parked' : 'Online';
      const namedState =
        ({ cleaning: 'Cleaning', parked: 'Parked' } as Record<string, string>)[keys.status ?? ''] ?? idleState;
      return { at: message.at, state: keys.charging ? 'Charging' : namedState, mode: keys.mode ?? null };
    });
}

/** Messages in order of arrival, some of them twice, and the sizes of their batches. */
const arrivals = fc
  .uniqueArray(arbitraryMessage, { minLength: 1, maxLength: 14, selector: ({ at }) => at?.getTime() })
  .chain((messages) =>
    fc.record({
      messages: fc.constant(messages),
      repetitions: fc.subarray(messages),
      keys: fc.array(fc.nat(), { minLength: 28, maxLength: 28 }),
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
      limits: fc.array(
        fc.record({ from: fc.integer({ min: 0, max: 5000 }), seconds: fc.constantFrom(30, 300, 1200, null) }),
        { maxLength: 3 },
      ),
    }),
  )
  .map(({ messages, repetitions, keys, sizes, limits }) => ({
    messages,
    sizes,
    limits,
    inOrderOfArrival: [...messages, ...repetitions]
      .map((entry, index) => ({ entry, key: keys[index] as number }))
      .sort((a, b) => a.key - b.key)
      .map(({ entry }) => entry),
  }));

/** Records an offline policy as the triggers of the database do, but at a chosen time. */
const setLimit = (machine: number, { from, seconds }: { from: number; seconds: number | null }) =>
  app.db.rows(sql`
    insert into silence_limits (machine_id, from_at, seconds) values (${machine}, ${new Date(start + from * 1000).toISOString()}::timestamptz, ${seconds}::int)
    on conflict (machine_id, from_at) do update set seconds = excluded.seconds, is_applied = false`);

test('the stored timeline equals one computed from scratch, for any order and repetition of messages and any changes of offline policies', async () => {
  const services = { ...app.services, now: () => now };
  const fleet = await addFleet(app.db);
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ messages, sizes, limits, inOrderOfArrival }) => {
      const { machineId, trackerId } = await addTrackedMachine(app.db, fleet);
      const remainingMessages = inOrderOfArrival.map(
        (message): Incoming => ({
          machineId,
          trackerId,
          // Two protocols with different offline policies.
          protocol: message.kind === 'message' ? 'osmand' : 'vda5050',
          message,
          receivedAt: now,
          raw: { device: 'd', mediaType: 'text/plain', body: new Uint8Array() },
        }),
      );
      for (let round = 0; remainingMessages.length > 0; round += 1) {
        await ingest(services, remainingMessages.splice(0, sizes[round % sizes.length]));
        const limit = limits[round];
        if (!limit) continue;
        await setLimit(machineId, limit);
        await markOffline(services);
      }
      expect(await readTimeline(app.db, machineId)).toEqual(await computeTimeline(app.db, machineId, now));
      expect(await readSums(app.db, machineId)).toEqual(await computeSums(app.db, machineId));
      expect(
        await app.db.select(
          { at: pg.timestamptz, state: pg.text, mode: pg.text.nullable },
          sql`select at, state, mode from observations where machine_id = ${machineId} and kind = 'message' order by at`,
        ),
      ).toEqual(computeCarriedForwardStates(messages));
      expect(
        (await app.db.one(sql`select count(*)::int as n from observations where machine_id = ${machineId}`)) as object,
      ).toEqual({ n: messages.length });

      const laterTime = new Date(now.getTime() + 900_000);
      await markOffline({ ...services, now: () => laterTime });
      expect(await readTimeline(app.db, machineId)).toEqual(await computeTimeline(app.db, machineId, laterTime));
      const [last] = (await readTimeline(app.db, machineId)).slice(-1);
      expect(await app.db.one(sql`select status, mode from machines_state where id = ${machineId}`)).toEqual({
        status: last?.state ?? 'Offline',
        mode: last?.mode ?? null,
      });
    }),
    { numRuns: caseCount(30) },
  );
});

/** A time zone, and an instant near which its clock changes, or midnight if it never does. */
const zonedStart = fc.constantFrom(...timeZones).chain((zone) => {
  const midnight = Date.UTC(2026, 9, 25) - (clockOf(zone)(Date.UTC(2026, 9, 25)) - Date.UTC(2026, 9, 25));
  const changes = zoneChanges(zone);
  return fc.record({
    zone: fc.constant(zone),
    change: fc.constantFrom(...(changes.length > 0 ? changes : [midnight])),
  });
});

/**
 * Whether Node and PostgreSQL have the same rules for the zone around the instant. Otherwise results cannot be
 * compared.
 */
async function haveSameRules(zone: string, instant: number): Promise<boolean> {
  const instants = Array.from({ length: 25 }, (_, index) => instant + (index - 12) * 4 * 3_600_000);
  const databaseClocks = await app.db.select(
    { clock: pg.double },
    sql`select extract(epoch from to_timestamp(at / 1000) at time zone 'UTC' at time zone 'UTC' at time zone ${zone}::text)::float8 * 1000 as clock
      from unnest(${sql.param(instants)}::float8[]) with ordinality as m(at, n) order by n`,
  );
  return databaseClocks.every(({ clock }, index) => clock === clockOf(zone)(instants[index] as number));
}

test('daily sums are those of the local days in any zone, even after the zone of the location has changed', async () => {
  const fleet = await addFleet(app.db);
  const admin = (await addWorld(app.db)).admin;
  const values = fc.record({
    /** Hours before or after the clock change. */
    at: fc.double({ min: -36, max: 36, noNaN: true }),
    area_total: fc.option(fc.integer({ min: 0, max: 500 })),
    odometer: fc.option(fc.integer({ min: 0, max: 500 })),
    latitude: fc.option(fc.double({ min: 52.5, max: 52.51, noNaN: true })),
  });
  await fc.assert(
    fc.asyncProperty(
      zonedStart,
      fc.constantFrom(...timeZones),
      fc.array(fc.tuple(arbitraryMessage, values), { minLength: 1, maxLength: 12 }),
      async ({ zone, change }, laterZone, arrivals) => {
        fc.pre((await haveSameRules(zone, change)) && (await haveSameRules(laterZone, change)));
        const location = await add(app.db, 'locations', { fleet_id: fleet, time_zone: zone });
        const { machineId, trackerId } = await addTrackedMachine(app.db, fleet, location);
        const currentTime = new Date(change + 40 * 3_600_000);
        await ingest(
          { ...app.services, now: () => currentTime },
          arrivals.map(
            ([entry, { at, latitude, ...counters }]): Incoming => ({
              machineId,
              trackerId,
              protocol: 'osmand',
              message: {
                ...entry,
                ...counters,
                at: new Date(Math.round(change + at * 3_600_000)),
                position: latitude === null ? null : { latitude, longitude: 13.4 },
              },
              receivedAt: currentTime,
              raw: { device: 'd', mediaType: 'text/plain', body: new Uint8Array() },
            }),
          ),
        );
        expect(await readDailySums(app.db, machineId)).toEqual(await computeDailySums(app.db, machineId, zone));
        const { status } = await app.call(admin, 'PATCH', `locations/${location}`, { time_zone: laterZone });
        expect(status).toBe(200);
        expect(await readDailySums(app.db, machineId)).toEqual(await computeDailySums(app.db, machineId, laterZone));
      },
    ),
    { numRuns: caseCount(30) },
  );
});
