/**
 * Figures of days, locations and fleets from runs. Each run counts once, for any order of messages, and for the client
 * to which it belongs.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DashboardFigures } from '../../schema/endpoints/dashboard';
import type { SiteCalendar } from '../../schema/endpoints/locations';
import { pg } from '../../server/db/core/rowShape';
import { refreshDerivedRuns } from '../../server/telemetry/runs/refreshDerivedRuns';
import { caseCount } from '../support/caseCount';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let secret: string;
let nextIndex = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => new Date('2026-03-10T12:00:00Z');
});
afterAll(() => app?.close());
beforeEach(() => prepareMachine());

/** Chooses the next machine of the world and deletes its history. */
async function prepareMachine(): Promise<void> {
  ({ machine, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
  for (const table of ['runs', 'observations', 'segments', 'machine_days', 'machine_watch', 'run_changes'])
    await app.db.rows(sql`delete from ${sql.identifier(table)} where machine_id = ${machine}::int`);
}

/** 22:00 in Berlin, the time zone of the initial locations. */
const start = Date.UTC(2026, 2, 2, 21);
const timeAfter = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
const send = async (items: readonly object[]) => {
  expect((await sendBatch(app, secret, items)).status).toBe(200);
};
interface Day {
  from: string;
  cleaning: number;
  area_m2: number;
  reported_area_m2: number;
}
const readDays = async () =>
  (
    await app.call<{ data: Day[] }>(
      world.admin,
      'GET',
      `machines/${machine}/statistics?group=day&from=2026-03-01&to=2026-03-05`,
    )
  ).body.data.map(({ area_m2, reported_area_m2 }) => [area_m2, reported_area_m2]);
/** The sums of all days that have data. */
const readSumsOfDays = () =>
  app.db.select(
    { day: pg.text, cleaning: pg.integer, area: pg.double, reported: pg.double },
    sql`select day::text, coalesce(run_cleaning, cleaning) as cleaning, coalesce(run_area_m2, area_m2) as area,
      reported_area_m2 as reported from machine_days where machine_id = ${machine}::int
      and (cleaning > 0 or run_cleaning is not null) order by day`,
  );
const buildCleaning = (from: number, to: number, area = 10) =>
  Array.from({ length: (to - from) / 4 + 1 }, (_, index) => from + index * 4).map((minute) => ({
    at: timeAfter(minute),
    status: minute < to ? 'cleaning' : 'parked',
    area: minute < to ? area : 0,
  }));
const buildReport = (id: string, from: number, to: number, area: number | undefined) => ({
  at: timeAfter(to),
  run: {
    external_id: id,
    started_at: timeAfter(from),
    ended_at: timeAfter(to),
    ...(area !== undefined && { cleaned_area_m2: area }),
  },
});

describe('figures of a day', () => {
  test('come from the timeline if no runs are reported', async () => {
    await send(buildCleaning(0, 40));
    await refreshDerivedRuns(app.services);
    expect(await readDays()).toEqual([
      [0, 0],
      [100, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  test('come from a reported run instead of its derived one, and from other runs', async () => {
    await send([...buildCleaning(0, 40), ...buildCleaning(60, 80), buildReport('r1', 1, 41, 70)]);
    await refreshDerivedRuns(app.services);
    expect(await readDays()).toEqual([
      [0, 0],
      [120, 70],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(await readSumsOfDays()).toEqual([{ day: '2026-03-02', cleaning: 60 * 60, area: 120, reported: 70 }]);
  });

  test('split a run over midnight by its time on each day, to the second and square metre', async () => {
    await send([buildReport('r1', 0, 400, 659.965)]);
    const [first, second] = await readSumsOfDays();
    expect(first).toMatchObject({ day: '2026-03-02', cleaning: 120 * 60 });
    expect(second).toMatchObject({ day: '2026-03-03', cleaning: 280 * 60 });
    expect(first?.area).toBeCloseTo(659.965 * 0.3, 2);
    expect((first?.area ?? 0) + (second?.area ?? 0)).toBeCloseTo(659.965, 9);
  });

  test('use the area of the derived run if the reported one has none', async () => {
    await send([...buildCleaning(0, 40), buildReport('r1', 0, 41, undefined)]);
    await refreshDerivedRuns(app.services);
    expect(await readSumsOfDays()).toEqual([{ day: '2026-03-02', cleaning: 41 * 60, area: 100, reported: 100 }]);
  });

  test('come from the timeline again once the report is deleted, or from a correction', async () => {
    await send([...buildCleaning(0, 40), buildReport('r1', 1, 41, 70)]);
    await refreshDerivedRuns(app.services);
    const run = await app.db.selectOne(
      { id: pg.integer },
      sql`select id from runs where machine_id = ${machine}::int and source = 'reported'`,
    );
    await app.call(world.admin, 'PATCH', `runs/${run?.id}`, { cleaned_area_m2: 65 });
    expect((await readDays())[1]).toEqual([65, 65]);
    await app.call(world.admin, 'DELETE', `runs/${run?.id}`);
    expect((await readDays())[1]).toEqual([100, 0]);
    await app.call(world.admin, 'POST', `runs/${run?.id}/restore`);
    expect((await readDays())[1]).toEqual([65, 65]);
  });

  test('follow the machine into another time zone', async () => {
    await send([buildReport('r1', 0, 60, 60)]);
    const location = world.north.locations[Math.floor(((nextIndex - 1) % 16) / 2)] as number;
    const setTimeZone = (time_zone: string) => app.call(world.admin, 'PATCH', `locations/${location}`, { time_zone });
    expect((await setTimeZone('Pacific/Auckland')).status).toBe(200);
    expect((await readSumsOfDays()).map(({ day }) => day)).toEqual(['2026-03-03']);
    await setTimeZone('Europe/Berlin');
    expect((await readSumsOfDays()).map(({ day }) => day)).toEqual(['2026-03-02']);
  });
});

test('messages and reports give identical sums in any order, repeated or late', async () => {
  const batches = [
    buildCleaning(0, 40, 7.3),
    buildCleaning(60, 100, 3.1),
    buildCleaning(160, 240, 0.7),
    [buildReport('a', 2, 44, 61.7)],
    [buildReport('b', 150, 250, 17.77)],
    [buildReport('c', 90, 130, undefined)],
  ];
  let expected: unknown;
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...batches.keys(), ...batches.keys()], { minLength: 12 }),
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      async (order, refreshesAfter) => {
        await prepareMachine();
        for (const [index, batchIndex] of order.entries()) {
          await send(batches[batchIndex] as object[]);
          if (refreshesAfter[index]) await refreshDerivedRuns(app.services);
        }
        await refreshDerivedRuns(app.services);
        const sums = await readSumsOfDays();
        expected ??= sums;
        expect(sums).toEqual(expected);
        // 42 and 100 minutes are reported; 40 are of the run that takes its area from the derived one.
        expect(sums.reduce((sum, day) => sum + day.cleaning, 0)).toBe((42 + 100 + 40) * 60);
      },
    ),
    { numRuns: caseCount(6) },
  );
});

describe('a reported run', () => {
  test('counts at its location: calendar, proof of cleaning and dashboard show the reported share of the plan', async () => {
    const location = world.north.locations[1] as number;
    const id = await add(app.db, 'machines', { fleet_id: world.north.fleets[0], location_id: location });
    await app.db.rows(sql`insert into runs (machine_id, location_id, source, started_at, ended_at, duration_s,
      cleaned_area_m2) values (${id}::int, ${location}::int, 'reported', '2026-03-10T08:00:00Z', '2026-03-10T09:00:00Z', 3600, 250)`);
    const { body } = await app.call<{ data: SiteCalendar[] }>(
      world.users.site_manager,
      'GET',
      `locations/calendar?from=2026-03-10&to=2026-03-10&filter[id]=${location}`,
    );
    expect(body.data[0]?.days).toMatchObject([{ area_m2: 250, reported_area_m2: 250, cleaning: 3600 }]);
    const dashboard = await app.call<{ data: DashboardFigures }>(world.users.customer_admin, 'GET', 'dashboard');
    expect(dashboard.body.data.work.today).toMatchObject({ area_m2: 250, reported_area_m2: 250, cleaning: 3600 });
    const south = await app.call<{ data: DashboardFigures }>(world.south.users.customer_admin, 'GET', 'dashboard');
    expect(south.body.data.work.today).toMatchObject({ area_m2: 0, reported_area_m2: 0 });
  });

  test('is a line of the proof of cleaning by run, below the sum of its location', async () => {
    await send([
      ...buildCleaning(0, 40),
      {
        at: timeAfter(41),
        run: { ...buildReport('r1', 1, 41, 70).run, planned_area_m2: 140, outcome: 'partial', task_name: 'Hall' },
      },
    ]);
    await send([...buildCleaning(60, 80)]);
    await refreshDerivedRuns(app.services);
    const { serial_number: serial, location_id: locationId } = (
      await app.call<{ data: { serial_number: string; location_id: number } }>(
        world.admin,
        'GET',
        `machines/${machine}`,
      )
    ).body.data;
    const { body } = await app.call<{ data: { lines: Record<string, unknown>[] } }>(
      world.admin,
      'GET',
      `reports/runs?from=2026-03-02&to=2026-03-02&location_id=${locationId}`,
    );
    const lines = body.data.lines.filter((line) => line.level !== 'run' || line.machine === serial);
    expect(lines.filter(({ level }) => level === 'run')).toMatchObject([
      {
        name: '02.03.2026 22:01 · Hall',
        area_m2: 70,
        planned_area_m2: 140,
        coverage: 50,
        outcome: 'partial',
        source: 'reported',
      },
      { area_m2: 50, planned_area_m2: null, coverage: null, outcome: null, source: 'derived' },
    ]);
    expect(lines.at(-1)).toMatchObject({ level: 'total', coverage: 50, completed: 0 });
    const plannedRun = {
      machine_id: machine,
      started_at: timeAfter(200),
      ended_at: timeAfter(210),
      planned_area_m2: 10,
    };
    expect((await app.call(world.admin, 'POST', 'runs', plannedRun)).body).toMatchObject({ data: { coverage: null } });
    const file = await app.call(world.admin, 'GET', `reports/runs/export?format=csv&from=2026-03-02&to=2026-03-02`);
    expect(file.status).toBe(200);
  });

  test('counts once in the sums of list groups', async () => {
    await send([...buildCleaning(0, 40), buildReport('r1', 1, 41, 70)]);
    await refreshDerivedRuns(app.services);
    const { body } = await app.call<{ data: { sums: Record<string, number> }[] }>(
      world.admin,
      'GET',
      `runs/groups?by=machine_id&sums=cleaned_area_m2&filter[machine_id]=${machine}`,
    );
    expect(body.data.map(({ sums }) => sums)).toEqual([{ cleaned_area_m2: 70 }]);
  });
});
