/** The sums of fleets, which the dashboard reads, equal the sums of the raw rows after any write. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import type { DashboardFigures, FleetPerformance } from '../../schema/endpoints/dashboard';
import type { MapResult } from '../../schema/endpoints/machines';
import { namedRoles } from '../../schema/shared/roles';
import { alertEvaluation } from '../../server/app/alertEvaluation';
import { pg } from '../../server/db/core/rowShape';
import { foldFleetSums } from '../../server/features/locations/fleetSums';
import { countedDaysSql } from '../../server/telemetry/timeline/days';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let types: number[];
const currentTime = new Date('2026-10-22T10:00:00Z');

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => currentTime;
  types = await Promise.all(['X 1', 'X 2', 'X 3'].map((name) => add(app.db, 'types', { name })));
  for (const [index, id] of machines().entries())
    await app.db.rows(sql`update machines set type_id = ${types[index % 3]}::int, custom_type = null where id = ${id}`);
  const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland'];
  for (const [index, id] of world.north.locations.entries())
    await app.db.rows(sql`update locations set time_zone = ${zones[index % 3]}::text where id = ${id}`);
});
afterAll(() => app?.close());

const readFigures = async (caller: number) =>
  (await app.call<{ data: DashboardFigures }>(caller, 'GET', 'dashboard')).body.data;

/** The dashboard's figures, computed from the machines that the user can list. */
async function computeFigures(caller: number): Promise<Pick<DashboardFigures, 'work' | 'autonomy' | 'states'>> {
  const response = await app.call<{ data: { id: number }[] }>(
    caller,
    'GET',
    'machines?per_page=200&filter[is_dummy]=false',
  );
  const ids = response.body.data.map(({ id }) => id);
  const sum = (column: string, ages: string) =>
    sql.raw(`coalesce(sum(${column}) filter (where age ${ages}), 0)::float8`);
  const figure = pg.double;
  const row = await app.db.selectOne(
    {
      cleaning: figure,
      area: figure,
      reported: figure,
      reported_before: figure,
      cleaning_before: figure,
      area_before: figure,
      robotic: figure,
      manual: figure,
    },
    sql`select ${sum('cleaning', '= 0')} as cleaning, ${sum('area_m2', '= 0')} as area,
      ${sum('reported_area_m2', '= 0')} as reported, ${sum('reported_area_m2', '= 7')} as reported_before,
      ${sum('cleaning', '= 7')} as cleaning_before, ${sum('area_m2', '= 7')} as area_before,
      ${sum('robotic', 'between 0 and 6')} as robotic, ${sum('manual', 'between 0 and 6')} as manual
      from (select d.*, (${currentTime.toISOString()}::timestamptz at time zone coalesce(l.time_zone, 'Europe/Berlin'))::date
        - d.day as age from ${countedDaysSql} d join machines m on m.id = d.machine_id
        left join locations l on l.id = m.location_id where m.id = any(${ids}::int[])) of_machine`,
  );
  const states = await app.db.select(
    { status: pg.text, n: pg.integer },
    sql`select status, count(*)::int as n from machines_state where id = any(${ids}::int[]) group by 1`,
  );
  const noMachines = { Cleaning: 0, Charging: 0, Parked: 0, Online: 0, Offline: 0 };
  return {
    states: { ...noMachines, ...Object.fromEntries(states.map(({ status, n: count }) => [status, count])) },
    work: {
      today: { cleaning: row?.cleaning ?? 0, area_m2: row?.area ?? 0, reported_area_m2: row?.reported ?? 0 },
      week_ago: {
        cleaning: row?.cleaning_before ?? 0,
        area_m2: row?.area_before ?? 0,
        reported_area_m2: row?.reported_before ?? 0,
      },
    },
    autonomy: { robotic: row?.robotic ?? 0, manual: row?.manual ?? 0 },
  };
}

/** Cleaning seconds per machine type over the last seven complete days, for the machines that the user can list. */
async function computeTypeSums(caller: number): Promise<Record<number, number>> {
  const query = 'machines?per_page=200&filter[is_dummy]=false&fields[machines]=id,type_id';
  const response = await app.call<{ data: { id: number; type_id: number | null }[] }>(caller, 'GET', query);
  const sums: Record<number, number> = {};
  for (const { id, type_id } of response.body.data) {
    if (type_id === null) continue;
    const row = await app.db.selectOne(
      { seconds: pg.double },
      sql`select coalesce(sum(cleaning), 0)::float8 as seconds from ${countedDaysSql} d where machine_id = ${id}::int
        and day between '2026-10-15' and '2026-10-21'`,
    );
    sums[type_id] = (sums[type_id] ?? 0) + (row?.seconds ?? 0);
  }
  return sums;
}

async function expectEqualSums(): Promise<void> {
  for (const role of Object.keys(namedRoles) as RoleName[]) {
    const { states, work, autonomy } = await readFigures(world.users[role]);
    const expectedFigures = await computeFigures(world.users[role]);
    expect(states, role).toEqual(expectedFigures.states);
    expect(autonomy, role).toEqual(expectedFigures.autonomy);
    const { types } = (
      await app.call<{ data: FleetPerformance }>(world.users[role], 'GET', 'dashboard/performance?days=7')
    ).body.data;
    const expectedTypeSums = await computeTypeSums(world.users[role]);
    expect(types.map(({ id }) => id).sort(), role).toEqual(Object.keys(expectedTypeSums).map(Number).sort());
    for (const { id, machines: count, cleaning } of types)
      expect(cleaning * count * 7, `${role} ${id}`).toBeCloseTo(expectedTypeSums[id] ?? 0, 3);
    for (const day of ['today', 'week_ago'] as const) {
      expect(work[day].cleaning, role).toBe(expectedFigures.work[day].cleaning);
      expect(work[day].area_m2, role).toBeCloseTo(expectedFigures.work[day].area_m2, 6);
      expect(work[day].reported_area_m2, role).toBeCloseTo(expectedFigures.work[day].reported_area_m2, 6);
    }
  }
}

/** Rounds to 0.02 degrees, since positions from the sums are exact only to a cell of 0.003 degrees. */
const roundPosition = ({ latitude, longitude }: { latitude: number; longitude: number }) => ({
  latitude: Math.round(latitude * 50) / 50,
  longitude: Math.round(longitude * 50) / 50,
});
const comparePositions = (a: { latitude: number; longitude: number }, b: { latitude: number; longitude: number }) =>
  a.latitude - b.latitude || a.longitude - b.longitude;

const tenants = () => [world.north, world.south];
const machines = () => tenants().flatMap((tenant) => tenant.machines);
const locations = () => tenants().flatMap((tenant) => tenant.locations);

/** A random write, encoded as numbers. */
type Write = [kind: number, row: number, choice: number, age: number];
const writes: readonly ((write: Write) => Promise<unknown>)[] = [
  // A device's batch, possibly a late one.
  ([, row, choice, age]) =>
    report(row, age * 5_000_000 + choice * 60_000, ['cleaning', 'charging', 'parked'][choice % 3]),
  ([, row, choice, age]) => report(row, age * 5_000_000 + choice * 1000, 'cleaning'),
  ([, row, choice]) => edit(row, { fleet_id: null, location_id: locations()[choice % locations().length] }),
  ([, row, choice]) => edit(row, { is_dummy: choice % 2 === 0 }),
  ([, row, choice]) =>
    edit(row, choice % 3 ? { type_id: types[choice % 3], custom_type: null } : { type_id: null, custom_type: 'Own' }),
  ([, row]) => app.call(world.admin, 'DELETE', `machines/${machineAt(row)}`),
  ([, row]) => app.call(world.admin, 'POST', 'machines/restore', { ids: [machineAt(row)] }),
  ([, row, choice]) =>
    app.call(world.admin, 'POST', `locations/${locations()[row % locations().length]}/move`, {
      fleet_id: tenants()[choice % 2]?.fleets[row % 2],
    }),
  ([, row, choice]) =>
    app.call(world.admin, 'PATCH', `locations/${locations()[row % locations().length]}`, {
      time_zone: ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Asia/Tokyo'][choice % 4],
    }),
  ([, row, choice, age]) =>
    app.db.rows(sql`insert into machine_days (machine_id, day, cleaning, robotic, manual, area_m2)
      values (${machineAt(row)}, '2026-10-23'::date - ${age}::int, ${choice * 60}, ${choice * 40}, ${choice * 20}, ${choice * 0.1})
      on conflict (machine_id, day) do update set cleaning = excluded.cleaning, robotic = excluded.robotic, area_m2 = machine_days.area_m2 + excluded.area_m2`),
  () => foldFleetSums(app.db),
];

const countUnfolded = async () =>
  (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from fleet_day_changes`))?.n;

const machineAt = (machineIndex: number) => machines()[machineIndex % machines().length] as number;

async function edit(machineIndex: number, values: Record<string, unknown>): Promise<unknown> {
  const { location_id } = values;
  const fleetOfLocation =
    location_id === undefined
      ? {}
      : {
          fleet_id: (
            await app.db.selectOne(
              { id: pg.integer },
              sql`select fleet_id as id from locations where id = ${location_id}`,
            )
          )?.id,
        };
  return app.call(world.admin, 'PATCH', `machines/${machineAt(machineIndex)}`, { ...values, ...fleetOfLocation });
}

async function report(machineIndex: number, age: number, status = 'cleaning'): Promise<unknown> {
  const tenant = tenants()[machineIndex % 2] as World['north'];
  const index = machineIndex % tenant.machines.length;
  const name = tenant === world.north ? 'North' : 'South';
  const tracker = `TR-${name}-${Math.floor(index / 4) + 1}${(Math.floor(index / 2) % 2) + 1}${(index % 2) + 1}`;
  const time = currentTime.getTime() - age;
  const from = Math.max(time, currentTime.getTime() - 9 * 86_400_000);
  for (const instant of [from, from + 600_000].filter((instant) => instant <= currentTime.getTime())) {
    const search = `id=${tracker}&timestamp=${instant}&status=${status}&area=12.7`;
    const response = await app.call(undefined, 'GET', `/ingest/osmand?${search}`);
    // 400 if its machine has been deleted.
    expect([200, 400]).toContain(response.status);
  }
  return undefined;
}

const write = fc.tuple(fc.nat(writes.length - 1), fc.nat(99), fc.nat(99), fc.nat(160)) as fc.Arbitrary<Write>;

describe('sums of fleets', () => {
  test('equal the sums of the raw rows after any writes, for every role', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 4, maxLength: 12 }), async (changes) => {
        for (const write of changes) await writes[write[0]]?.([...write]);
        await expectEqualSums();
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  test('equal the sums of the raw rows after concurrent writes', async () => {
    const changes = fc.sample(write, { numRuns: 60, seed: 7 });
    // Some of the writes conflict and are rejected.
    await Promise.allSettled(changes.map((write) => writes[write[0]]?.([...write])));
    await expectEqualSums();
    await foldFleetSums(app.db);
    await expectEqualSums();
  });

  test('draw a large fleet on the map as the single machines would, for every role', async () => {
    await app.db.rows(sql`with made as (
        insert into machines (serial_number, custom_type, fleet_id, location_id, is_dummy)
        select 'many-' || n || '-' || l.id || '-' || random(), 'Copy', l.fleet_id, case when n % 50 > 0 then l.id end, n % 7 = 0
        from generate_series(1, 1200) n, locations l returning id)
      select count(*) from made`);
    await app.db.rows(sql`update machines_state s set status = case id % 3 when 0 then 'Parked' else 'Cleaning' end,
      latitude = 50 + (id % 97) * 0.0001 + (id % 5) * 3, longitude = 9 + (id % 89) * 0.0001 - (id % 7) * 2 where id % 11 > 0`);
    await app.db.rows(sql`update machines_state set latitude = 10.5, longitude = -20.25 where id = ${machineAt(0)}`);
    await foldFleetSums(app.db);
    for (const role of Object.keys(namedRoles) as RoleName[])
      for (const view of ['bbox=-180,-90,180,90&zoom=2', 'bbox=-3.1,40,8.3,60&zoom=5', 'bbox=170,-80,2,80&zoom=0']) {
        const readMap = async (filter = '') => {
          const path = `machines/map?${view}${filter}`;
          const { total, points, clusters } = (await app.call<{ data: MapResult }>(world.users[role], 'GET', path)).body
            .data;
          const places = clusters.map(({ count, states, ...position }) => ({
            count,
            states,
            ...roundPosition(position),
          }));
          return { total, points: points.map(({ id }) => id).sort(), places: places.sort(comparePositions) };
        };
        // With a filter, the server reads the machines themselves.
        const exactMap = await readMap('&filter[status]=Cleaning,Charging,Parked,Online,Offline');
        expect(await readMap(), `${role} ${view}`).toEqual(exactMap);
        if (role === 'admin' && view.startsWith('bbox=-180')) expect(exactMap.total).toBeGreaterThan(5000);
      }
  });

  test('are also folded in a process that evaluates alert rules', async () => {
    await add(app.db, 'alert_rules', { name: 'Offline', client_id: world.north.client, is_active: true });
    await alertEvaluation(app.services).run();
    await app.db.rows(sql`insert into fleet_day_changes (fleet_id, location_id, day, cleaning, robotic, manual, area_m2)
      values (${world.north.fleets[0]}::int, 0, '2026-10-22', 0, 0, 0, 0)`);
    expect(await countUnfolded()).toBeGreaterThan(0);
    await foldFleetSums(app.db);
    expect(await countUnfolded()).toBe(0);
  });

  test('are folded, and are zero once all machines are deleted', async () => {
    await foldFleetSums(app.db);
    expect(await countUnfolded()).toBe(0);
    await app.db.transaction(async (tx) => {
      for (const table of ['documents', 'runs', 'service_entries', 'service_plans'])
        await tx.rows(sql`delete from ${sql.identifier(table)}`);
      await tx.rows(sql`delete from machines`);
    });
    await foldFleetSums(app.db);
    expect(
      await app.db.one(
        sql`select (select count(*)::int from fleet_states) as states,
          (select count(*)::int from fleet_days where (cleaning, robotic, manual, area_m2) <> (0, 0, 0, 0)) as days`,
      ),
    ).toEqual({ states: 0, days: 0 });
  });
});
