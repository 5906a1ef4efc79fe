/**
 * Domain, "Machine state": any order of arrival and any duplicates of the same observations give the same timeline, in
 * the database too.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ingest } from '../../server/telemetry/ingest/ingest';
import type { Incoming } from '../../server/telemetry/ingest/store';
import { markOffline } from '../../server/telemetry/offline/sweep';
import type { Message } from '../../server/telemetry/timeline/observation';
import { type TestApp, testApp } from '../support/app';
import { add } from '../support/rows';
import { computedSums, computedTimeline, storedSums, storedTimeline } from '../support/storedTimeline';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** Over the midnight on which clocks go back. */
const start = Date.UTC(2026, 9, 24, 21, 50);
const now = new Date(start + 5000_000);

const message: fc.Arbitrary<Message> = fc
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
  })
  .map(({ seconds, milliseconds, state, kind, mode, area }) => ({
    at: new Date(start + seconds * 1000 + milliseconds),
    kind,
    state,
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
  }));

/** Messages in the order in which they arrive, some of them twice, and how many come together. */
const arrivals = fc
  .uniqueArray(message, { minLength: 1, maxLength: 14, selector: ({ at }) => at?.getTime() })
  .chain((once) =>
    fc.record({
      once: fc.constant(once),
      again: fc.subarray(once),
      keys: fc.array(fc.nat(), { minLength: 28, maxLength: 28 }),
      sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
      limits: fc.array(
        fc.record({ from: fc.integer({ min: 0, max: 5000 }), seconds: fc.constantFrom(30, 300, 1200, null) }),
        { maxLength: 3 },
      ),
    }),
  )
  .map(({ once, again, keys, sizes, limits }) => ({
    once,
    sizes,
    limits,
    arriving: [...once, ...again]
      .map((one, index) => ({ one, key: keys[index] as number }))
      .sort((a, b) => a.key - b.key)
      .map(({ one }) => one),
  }));

/** As the triggers of the database note a change, at a time of our own. */
const setLimit = (machine: number, { from, seconds }: { from: number; seconds: number | null }) =>
  app.db.rows(sql`
    insert into silence_limits (machine_id, from_at, seconds) values (${machine}, ${new Date(start + from * 1000).toISOString()}::timestamptz, ${seconds}::int)
    on conflict (machine_id, from_at) do update set seconds = excluded.seconds, told = false`);

test('the timeline stored is the one told from scratch, whatever order messages come in and however often, and whatever limits of silence are set meanwhile', async () => {
  const services = { ...app.services, now: () => now };
  const fleet = await add(app.db, 'fleets', {
    client_id: await add(app.db, 'clients', { country_id: await add(app.db, 'countries') }),
  });
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ once, sizes, limits, arriving }) => {
      const tracker = await add(app.db, 'trackers');
      const machine = await add(app.db, 'machines', { fleet_id: fleet, custom_type: 'Scrubber', tracker_id: tracker });
      const waiting = arriving.map(
        (one): Incoming => ({
          machineId: machine,
          trackerId: tracker,
          // Two protocols that bear silence for different times.
          protocol: one.kind === 'message' ? 'osmand' : 'vda5050',
          message: one,
          receivedAt: now,
          raw: { device: 'd', mediaType: 'text/plain', body: new Uint8Array() },
        }),
      );
      for (let turn = 0; waiting.length > 0; turn += 1) {
        await ingest(services, waiting.splice(0, sizes[turn % sizes.length]));
        const limit = limits[turn];
        if (!limit) continue;
        await setLimit(machine, limit);
        await markOffline(services);
      }
      expect(await storedTimeline(app.db, machine)).toEqual(await computedTimeline(app.db, machine, now));
      expect(await storedSums(app.db, machine)).toEqual(await computedSums(app.db, machine));
      expect(
        (await app.db.one(sql`select count(*)::int as n from observations where machine_id = ${machine}`)) as object,
      ).toEqual({ n: once.length });

      const later = new Date(now.getTime() + 900_000);
      await markOffline({ ...services, now: () => later });
      expect(await storedTimeline(app.db, machine)).toEqual(await computedTimeline(app.db, machine, later));
      const [last] = (await storedTimeline(app.db, machine)).slice(-1);
      expect(await app.db.one(sql`select status, mode from machines_state where id = ${machine}`)).toEqual({
        status: last?.state ?? 'Offline',
        mode: last?.mode ?? null,
      });
    }),
    { numRuns: 30 },
  );
});
