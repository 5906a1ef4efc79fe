/** The dashboard's figures of runs equal the totals of the linked lists, for every role and after any write. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FleetRunFigures } from '../../schema/endpoints/dashboard';
import { type FilteredList, runList, runResults } from '../../schema/features/dashboard';
import { foldFleetSums } from '../../server/features/locations/fleetSums';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
const currentTime = new Date('2026-10-22T10:00:00Z');
const outcomes = ['completed', 'partial', 'aborted', 'failed', null] as const;
const daysAgo = (days: number, hour: number, minute = 0) =>
  new Date(Date.UTC(2026, 9, 22 - days, hour, minute)).toISOString();

/**
 * A run with 40 of 50 m² and an interruption of ten minutes. Every third run has a second, unresolved
 * interruption.
 */
const buildRun = (index: number, { machines, locations }: World['north']) => ({
  machine_id: machines[index % machines.length] as number,
  location_id: locations[index % locations.length],
  source: 'reported' as const,
  outcome: outcomes[index % 5],
  started_at: daysAgo(index % 16, index % 24),
  ended_at: daysAgo(index % 16, (index % 24) + 1),
  planned_area_m2: 50,
  cleaned_area_m2: index % 4 === 0 ? null : 40,
  interruptions: [
    { at: daysAgo(index % 16, index % 24), reason: 'stuck', resolved_at: daysAgo(index % 16, index % 24, 10) },
    ...(index % 3 === 0 ? [{ at: daysAgo(index % 16, index % 24), reason: null, resolved_at: null }] : []),
  ] as never,
});

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => currentTime;
  for (let index = 0; index < 24; index += 1) await add(app.db, 'runs', buildRun(index, world.north));
  for (let index = 0; index < 6; index += 1) await add(app.db, 'runs', buildRun(index, world.south));
});
afterAll(() => app?.close());

const readFigures = async (caller: number) =>
  (await app.call<{ data: FleetRunFigures }>(caller, 'GET', 'dashboard/runs?days=7')).body.data;

async function countList(caller: number, { resource, filter }: FilteredList): Promise<number> {
  const search = new URLSearchParams(
    Object.entries(filter).map(([name, value]): [string, string] => [`filter[${name}]`, String(value)]),
  );
  return (await app.call<{ total: number }>(caller, 'GET', `${resource}?per_page=1&${search}`)).body.total;
}

/** Compares every number with the total of the list to which it links. */
async function expectMatchingLists(caller: number): Promise<FleetRunFigures> {
  const figures = await readFigures(caller);
  const { from, to, days, sum, before, worst } = figures;
  const lists = {
    sum: await Promise.all(runResults.map((result) => countList(caller, runList({ from, to, results: [result] })))),
    before: await Promise.all(
      runResults.map((result) =>
        countList(caller, runList({ from: '2026-10-08', to: '2026-10-14', results: [result] })),
      ),
    ),
    days: await Promise.all(days.map(({ day }) => countList(caller, runList({ from: day, to: day })))),
    worst: await Promise.all(
      worst.map(({ id }) =>
        countList(
          caller,
          runList({ from, to, locationId: id, results: ['partial', 'aborted', 'failed', 'completed'] }),
        ),
      ),
    ),
  };
  expect({
    sum: runResults.map((result) => sum[result]),
    before: runResults.map((result) => before[result]),
    days: days.map((day) => runResults.reduce((total, result) => total + day[result], 0)),
    worst: worst.map(({ runs }) => runs),
  }).toEqual(lists);
  return figures;
}

/** Users of roles with different scope: everything, a country, clients, one client, sites, single machines. */
const callers = () =>
  Object.entries({ all: world.admin, ...world.north.users, other: world.south.users.customer_admin });

describe('figures of runs', () => {
  test('equal the lists for every role, before and after sums are folded', async () => {
    for (const [role, user] of callers()) {
      const { from, to, days } = await expectMatchingLists(user);
      expect([role, from, to, days.length]).toEqual([role, '2026-10-15', '2026-10-21', 7]);
    }
    await foldFleetSums(app.db);
    for (const [, user] of callers()) await expectMatchingLists(user);
  });

  test('add up planned and cleaned areas of runs that have both, interruptions and their durations', async () => {
    const { sum } = await readFigures(world.admin);
    const row = await app.db.one(sql`
      select sum(planned_area_m2) filter (where cleaned_area_m2 is not null)::float8 as planned_m2,
        sum(cleaned_area_m2)::float8 as cleaned_m2, sum(jsonb_array_length(interruptions))::int as interruptions,
        count(*)::int as helped, count(*)::int * 600 as help_s
      from runs where started_at >= '2026-10-15T00:00Z' and started_at < '2026-10-22T00:00Z'`);
    expect(sum).toMatchObject(row as object);
    expect(sum.interruptions).toBeGreaterThan(sum.helped);
  });

  test('follow corrections, superseded runs, moves, soft deletion and purging', async () => {
    const figuresBefore = await readFigures(world.admin);
    await app.db.rows(sql`update runs set outcome = 'failed' where outcome = 'partial'`);
    await app.db.rows(sql`update runs set superseded_by = (select min(id) from runs) where outcome = 'aborted'`);
    await app.db.rows(sql`update runs set deleted_at = now() where id % 7 = 0`);
    await app.db.rows(sql`update runs set started_at = started_at - interval '3 days' where id % 5 = 0`);
    await app.db.rows(sql`update locations set fleet_id = ${world.south.fleets[0]}::int
      where id = ${world.north.locations[0]}::int`);
    for (const [, user] of callers()) await expectMatchingLists(user);
    await app.db.rows(sql`delete from runs where id % 3 = 0`);
    await foldFleetSums(app.db);
    for (const [, user] of callers()) await expectMatchingLists(user);
    const figuresAfter = await readFigures(world.admin);
    expect([figuresBefore.sum.partial > 0, figuresAfter.sum.partial, figuresAfter.sum.aborted]).toEqual([true, 0, 0]);
  });

  test('name only the sites where the smallest share was completed', async () => {
    const [location = 0, otherLocation = 0] = world.north.locations.slice(1);
    for (const [locationId, outcome] of [
      [location, 'failed'],
      [location, 'failed'],
      [location, 'completed'],
      [location, null],
      [otherLocation, 'completed'],
      [otherLocation, 'completed'],
      [otherLocation, 'completed'],
    ] as const)
      await add(app.db, 'runs', { ...buildRun(1, world.north), location_id: locationId, outcome });
    await app.db.rows(sql`delete from runs where location_id in (${location}, ${otherLocation})
      and id not in (select id from runs order by id desc limit 7)`);
    const { worst } = await readFigures(world.admin);
    expect(worst.find(({ id }) => id === location)).toMatchObject({ share: 1 / 3, runs: 3 });
    expect(worst.find(({ id }) => id === otherLocation)).toBeUndefined();
  });
});
