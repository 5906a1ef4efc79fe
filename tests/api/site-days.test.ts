/**
 * Cleaned area per location and day. Sums of whole locations, corrected by stays that began or ended on the day, equal
 * the sums over single stays, for random movements of machines.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import type { ReportLine } from '../../schema/features/reports';
import { namedRoles } from '../../schema/shared/roles';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { dayStartSql } from '../../server/db/core/dayStartSql';
import { fleetSumsWhere, foldFleetSums } from '../../server/features/locations/fleetSums';
import { siteDaysSql } from '../../server/features/locations/siteDays';
import { readReport } from '../../server/features/reports/readReport';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
const now = new Date('2026-10-22T10:00:00Z');
const machines = () => [...world.north.machines, ...world.south.machines];
const locations = () => [...world.north.locations, ...world.south.locations];

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Atlantic/Azores'];
  for (const [index, id] of locations().entries())
    await app.db.rows(sql`update locations set time_zone = ${zones[index % 4]}::text, cleaning_plan = 'daily',
      planned_area_m2 = ${index % 3 === 0 ? 700.5 : null}::float8 where id = ${id}`);
  await app.db.rows(sql`update machines set stock_state = 'deployed', working_radius_m2 = 100.1 * id`);
  await app.db.rows(sql`insert into machine_watch (machine_id, observed_at) select id, ${now.toISOString()}::timestamptz
    from machines on conflict do nothing`);
});
afterAll(() => app?.close());

/** Hour of UTC at which the days of `locations()` begin in October, by the order of their zones. */
const midnights = [22, 4, 11, 0];

/** Random movements of a machine: hours between moves, indexes of locations, and a number that selects its state. */
interface Movement {
  machine: number;
  hours: number[];
  places: number[];
  state: number;
}
const movements: fc.Arbitrary<Movement[]> = fc.array(
  fc.record({
    machine: fc.nat(15),
    hours: fc.array(fc.nat(300), { minLength: 4, maxLength: 4 }),
    places: fc.array(fc.nat(8), { minLength: 1, maxLength: 5 }),
    state: fc.nat(9),
  }),
  { minLength: 3, maxLength: 9 },
);

/** Stores the movements. Index 8 means no location; the last location is the current one. */
async function storeMovement({ machine, hours, places, state }: Movement): Promise<void> {
  const id = machines()[machine] as number;
  const locationIds = places.map((place) => locations()[place] ?? null);
  await app.db.rows(sql`update machines set location_id = ${locationIds.at(-1) ?? null}::int, is_dummy = ${state === 0}::boolean,
    deleted_at = ${state === 1 ? now.toISOString() : null}::timestamptz,
    stock_state = ${state === 2 ? 'in_repair' : 'deployed'}::text,
    fleet_id = coalesce((select fleet_id from locations where id = ${locationIds.at(-1) ?? null}::int), fleet_id)
    where id = ${id}`);
  await app.db.rows(sql`delete from machine_stays where machine_id = ${id}`);
  // Every other machine moves at midnight of the location that it leaves or reaches: days begin and end with its stays.
  const movesAtMidnight = machine % 2 === 0;
  const steps = hours.map((value) => (movesAtMidnight ? 24 * (1 + (value % 8)) : 1 + value));
  const midnightOf = (index: number) => midnights[(places[index + (state % 2)] ?? 0) % midnights.length] as number;
  const sums = steps.map(
    (_, index) =>
      steps.slice(0, index + 1).reduce((sum, value) => sum + value, 0) + (movesAtMidnight ? midnightOf(index) : 0),
  );
  const instantAt = (index: number) =>
    index < 0
      ? '1970-01-01T00:00:00Z'
      : new Date(Date.UTC(2026, 8, 28) + (sums[index] as number) * 3_600_000).toISOString();
  for (const [index, location] of locationIds.entries())
    if (location !== null)
      await app.db.rows(sql`insert into machine_stays (machine_id, location_id, from_at, to_at) values (${id}::int,
        ${location}::int, ${instantAt(index - 1)}::timestamptz,
        ${index === locationIds.length - 1 ? null : instantAt(index)}::timestamptz)`);
  await app.db.rows(sql`delete from machine_days where machine_id = ${id}`);
  await app.db.rows(sql`insert into machine_days (machine_id, day, cleaning, area_m2)
    select ${id}::int, '2026-09-27'::date + n, case when n % 5 = ${state % 5}::int then 0
    else 60 * ((n * 7 + ${id}::int) % 40) end, 0.1 * n * ${id}::int from generate_series(0, 24) n where n % 4 <> ${state % 4}::int`);
  await app.db.rows(sql`delete from segments where machine_id = ${id}`);
  await app.db.rows(sql`insert into segments (machine_id, from_at, to_at, state, reason, reason_at)
    select ${id}::int, at, at + interval '17 minutes', 'Cleaning', 'cleaning', at from generate_series(
    '2026-09-27T00:00:00Z'::timestamptz, '2026-10-21T00:00:00Z', ${`${2 + (state % 3)} hours`}::interval) at`);
}

/**
 * Adds to the caller a link to a machine that does not exist: the same rows are in scope, but sums of locations cannot
 * be used.
 */
const withMachineLink = (caller: Caller): Caller => ({
  ...caller,
  scopes: new Set([...caller.scopes, 'machine']),
  links: { ...caller.links, machines: [...caller.links.machines, 0] },
});

const readDays = (caller: Caller, from: string, to: string) =>
  app.db.rows(
    sql`select * from (${siteDaysSql({
      model: app.services.model,
      caller,
      sites: sql`select id from locations`,
      from: sql`${from}`,
      to: sql`${to}`,
      present: sql`${now.toISOString()}::timestamptz`,
    })}) d order by location_id, day`,
  );

/** The planned area of each day, from every stay that contains the whole day. */
const readPlannedAreas = (from: string, to: string) =>
  app.db.rows(sql`
    select l.id as location_id, d::date::text as day,
      coalesce(l.planned_area_m2, coalesce(sum(m.working_radius_m2::numeric), 0)::float8) as planned_area_m2
    from locations l cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') d
    left join machine_stays st on st.location_id = l.id and st.from_at <= ${dayStartSql(sql`d`, sql`l.time_zone`)}
      and coalesce(st.to_at, 'infinity') >= ${dayStartSql(sql`(d + interval '1 day')`, sql`l.time_zone`)}
    left join machines m on m.id = st.machine_id and m.stock_state = 'deployed' and m.deleted_at is null
      and not m.is_dummy
    group by l.id, d order by l.id, d`);

const readLines = async (caller: Caller, from: string, to: string): Promise<ReportLine[]> => {
  const context = { db: app.db, model: app.services.model, caller, now };
  return (await readReport({ report: 'cleaning', by: 'day', filter: {}, from, to }, context)).result.lines;
};

/** Expects the machines of each group to be those of its days. */
function expectMachinesOfDays(lines: readonly ReportLine[]): void {
  const machineNames = (group: readonly ReportLine[]) =>
    [...new Set(group.flatMap(({ machines }) => machines as string[]))].sort();
  expect(lines.at(-1)?.machines).toEqual(machineNames(lines.filter(({ level }) => level === 'day')));
  for (const [index, line] of lines.entries()) {
    if (line.level !== 'location' && line.level !== 'client') continue;
    const followingLines = lines.slice(index + 1);
    const end = followingLines.findIndex(
      ({ level }) => level === 'total' || level === 'client' || level === line.level,
    );
    expect(line.machines).toEqual(machineNames(followingLines.slice(0, end).filter(({ level }) => level === 'day')));
  }
}

test('site days and their report are equal whether computed from sums of locations or from single stays, for every role', async () => {
  let daysWithArea = 0;
  await fc.assert(
    fc.asyncProperty(movements, fc.nat(20), fc.nat(12), async (movements, firstDay, length) => {
      for (const movement of movements) await storeMovement(movement);
      if (firstDay % 2 === 0) await foldFleetSums(app.db);
      const from = new Date(Date.UTC(2026, 8, 28 + firstDay)).toISOString().slice(0, 10);
      const to = new Date(Date.UTC(2026, 8, 28 + firstDay + length)).toISOString().slice(0, 10);
      for (const role of Object.keys(namedRoles) as RoleName[]) {
        const caller = (await loadCallerOfUser(app.db, world.users[role])) as Caller;
        const singleMachineCaller = withMachineLink(caller);
        expect(fleetSumsWhere(app.services.model.require('machines'), singleMachineCaller)).toBeUndefined();
        const days = await readDays(caller, from, to);
        expect(days, role).toEqual(await readDays(singleMachineCaller, from, to));
        if (role !== 'admin') continue;
        const plannedAreas = days.map(({ location_id, day, planned_area_m2 }) => ({
          location_id,
          day: String(day),
          planned_area_m2,
        }));
        expect(plannedAreas).toEqual(await readPlannedAreas(from, to));
        daysWithArea += days.filter(({ area_m2 }) => Number(area_m2) > 0).length;
        const lines = await readLines(caller, from, to);
        expect(lines).toEqual(await readLines(singleMachineCaller, from, to));
        expectMachinesOfDays(lines);
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(daysWithArea).toBeGreaterThan(100);
});
