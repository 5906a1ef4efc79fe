/** Last cleanings of zones, computed from the paths of runs. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ZoneCleaning } from '../../schema/endpoints/floors';
import { shiftDay } from '../../schema/shared/openSpans';
import { addLaneRun, stripZone } from '../support/laneRun';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let floor: number;
let zones: [number, number, number];
const today = new Date().toISOString().slice(0, 10);
/** Cleanings are at noon UTC, which is on the same day at the location. */
const daysAgo = (days: number) => shiftDay(today, -days);

/** Height of a zone of which one 0.6 m lane covers less than half. */
const zoneHeight = 1.5;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  floor = await add(app.db, 'floors', { location_id: world.north.locations[0], maps: [{ map_id: 'hall' }] as never });
  const addZone = (y: number, every_days: number | null) =>
    add(app.db, 'zones', { floor_id: floor, kind: 'clean', polygon: stripZone(y, zoneHeight), every_days });
  zones = [await addZone(0, 2), await addZone(10, null), await addZone(20, 7)];
  await add(app.db, 'zones', { floor_id: floor, kind: 'no_go', polygon: stripZone(30, zoneHeight) });
  // Two halves of a zone on the same day; the day before yesterday only one lane.
  await addRun(daysAgo(5), 0, 0.3);
  await addRun(daysAgo(5), 600, 0.9);
  await addRun(daysAgo(2), 0, 0.3);
});
afterAll(() => app.close());

const addRun = (day: string, second: number, y: number): Promise<void> =>
  addLaneRun(app.db, {
    machine: world.north.machines[0] as number,
    location: world.north.locations[0],
    floor,
    at: new Date(Date.parse(`${day}T12:00:00Z`) + second * 1000),
    y,
  });

const readCleanings = (caller: number) =>
  app.call<{ data: ZoneCleaning[] }>(caller, 'GET', `floors/${floor}/zone-cleanings`);

test('covering half of a zone, by all runs of one day together, counts as a cleaning; a plan determines its due date', async () => {
  const { status, body } = await readCleanings(world.users.customer_admin);
  expect(status).toBe(200);
  const [first, second, third] = body.data;
  expect(body.data).toHaveLength(3);
  expect(first).toMatchObject({
    zone_id: zones[0],
    cleaned_at: `${daysAgo(5)}T12:10:20.000Z`,
    due_on: daysAgo(3),
  });
  // At the location it may already be the next day.
  expect([3, 4]).toContain(first?.days_overdue);
  expect(second).toEqual({ zone_id: zones[1], cleaned_at: null, due_on: null, days_overdue: 0 });
  expect(third).toMatchObject({ zone_id: zones[2], cleaned_at: null, days_overdue: 0 });
  expect([7, 8].map((days) => shiftDay(today, days))).toContain(third?.due_on);
});

test('later runs count immediately', async () => {
  await addRun(daysAgo(2), 600, 0.9);
  const { body } = await readCleanings(world.users.site_manager);
  expect(body.data[0]).toMatchObject({ cleaned_at: `${daysAgo(2)}T12:10:20.000Z`, due_on: today });
});

test('runs without positions are cached as such until positions arrive', async () => {
  const start = Date.parse(`${daysAgo(1)}T12:00:00Z`);
  const instantAt = (second: number) => new Date(start + second * 1000).toISOString();
  const startTimeSql = sql`${instantAt(0)}::timestamptz + run * interval '100 seconds'`;
  await app.db.rows(sql`
    insert into runs (machine_id, location_id, floor_id, source, started_at, ended_at)
    select ${world.north.machines[0]}::int, ${world.north.locations[0]}::int, ${floor}::int, 'reported', ${startTimeSql},
      ${startTimeSql} + interval '60 seconds' from generate_series(0, 11) run`);
  expect((await readCleanings(world.admin)).body.data[0]?.cleaned_at).toBe(`${daysAgo(2)}T12:10:20.000Z`);
  const readEmptyRuns = () => app.db.rows(sql`select run_id from run_coverage where positions = 0`);
  expect(await readEmptyRuns()).toHaveLength(12);

  const { secret } = await prepareTrackedMachine(app, world, 0);
  const lanes = Array.from({ length: 42 }, (_, second) => ({
    at: instantAt(second),
    status: 'cleaning',
    floor: { map_id: 'hall', x: second < 21 ? second / 2 : (41 - second) / 2, y: second < 21 ? 0.3 : 0.9 },
  }));
  expect((await sendBatch(app, secret, lanes)).status).toBe(200);
  expect((await readCleanings(world.admin)).body.data[0]?.cleaned_at).toBe(`${daysAgo(1)}T12:01:00.000Z`);
  expect(await readEmptyRuns()).toHaveLength(11);
});

test('runs and floors out of scope are hidden', async () => {
  expect((await readCleanings(world.south.users.customer_admin)).status).toBe(404);
  const { fleets, locations } = world.south;
  await app.db.rows(
    sql`update runs set fleet_id = ${fleets[0]}, location_id = ${locations[0]} where floor_id = ${floor}`,
  );
  expect((await readCleanings(world.users.site_manager)).body.data[0]).toMatchObject({ cleaned_at: null });
  expect((await readCleanings(world.admin)).body.data[0]?.cleaned_at).not.toBeNull();
});
