/** The fleet's performance equals figures computed from the raw rows, in the scope of each role. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import type { FleetPerformance } from '../../schema/endpoints/dashboard';
import { plannedDays } from '../../schema/features/calendar';
import { pg } from '../../server/db/core/rowShape';
import { foldFleetSums } from '../../server/features/locations/fleetSums';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

const plans = Object.keys(plannedDays);
const dayBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
const yesterday = '2026-10-21';

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => new Date('2026-10-22T10:00:00Z');
  for (const tenant of [world.north, world.south]) {
    for (const [index, id] of tenant.locations.entries())
      await app.db.rows(sql`update locations set cleaning_plan = ${plans[(index + 1) % plans.length]},
        planned_area_m2 = ${index % 2 ? 700 : null}::float8 where id = ${id}`);
    for (const [index, id] of tenant.machines.entries()) {
      await app.db.rows(sql`update machines set working_radius_m2 = ${100 + index * 50}, is_dummy = ${index === 5},
        stock_state = ${index === 3 ? 'in_repair' : 'deployed'} where id = ${id}`);
      for (let daysAgo = -1; daysAgo < 70; daysAgo += 1)
        if ((daysAgo * 7 + index * 3) % 5 > 0)
          await app.db.rows(sql`insert into machine_days (machine_id, day, cleaning, robotic, manual, area_m2) values
            (${id}, ${dayBefore(yesterday, daysAgo)}::date, ${600 + ((daysAgo * 37 + index * 101) % 900)},
            ${(daysAgo * 13 + index) % 400}, ${(daysAgo * 3 + index) % 90}, ${(daysAgo * 41 + index * 17) % 420})`);
    }
    if (tenant === world.north) await foldFleetSums(app.db);
  }
});
afterAll(() => app?.close());

interface MachineRow {
  id: number;
  location_id: number | null;
  client_id: number;
  stock_state: string;
  type_id: number | null;
  working_radius_m2: number;
}
interface LocationRow {
  id: number;
  name: string;
  cleaning_plan: keyof typeof plannedDays;
  planned_area_m2: number | null;
}

const readPerformance = async (caller: number, days: string) =>
  (await app.call<{ data: FleetPerformance }>(caller, 'GET', `dashboard/performance?days=${days}`)).body.data;
const readRows = async <R>(caller: number, path: string) =>
  (await app.call<{ data: R[] }>(caller, 'GET', path)).body.data ?? [];

async function computeOracle(caller: number, length: number) {
  const machines = await readRows<MachineRow>(caller, 'machines?per_page=500&filter[is_dummy]=false');
  const locations = await readRows<LocationRow>(caller, 'locations?per_page=500');
  const workRows = await app.db.select(
    { machine: pg.integer, day: pg.text, cleaning: pg.double, area: pg.double },
    sql`select machine_id as machine, day::text as day, cleaning::float8 as cleaning, area_m2::float8 as area
      from machine_days where machine_id = any(${machines.map(({ id }) => id)}::int[])`,
  );
  const days = Array.from({ length: 2 * length }, (_, index) => dayBefore(yesterday, 2 * length - 1 - index));
  const areaAt = (day: string, location?: number) =>
    workRows
      .filter((row) => row.day === day)
      .filter(({ machine }) => !location || machines.find(({ id }) => id === machine)?.location_id === location)
      .reduce((sum, { area }) => sum + area, 0);
  const planOf = (location: LocationRow) =>
    location.planned_area_m2 ??
    machines
      .filter((machine) => machine.location_id === location.id && machine.stock_state === 'deployed')
      .reduce((sum, { working_radius_m2 }) => sum + working_radius_m2, 0);
  const isPlanned = (location: LocationRow, day: string) =>
    plannedDays[location.cleaning_plan].includes(new Date(day).getUTCDay() || 7);
  const shares = locations.flatMap((location) => {
    const plannedDays = days.slice(length).filter((day) => isPlanned(location, day));
    const plan = planOf(location);
    if (plannedDays.length === 0 || plan === 0) return [];
    const cleanedArea = plannedDays.reduce((sum, day) => sum + Math.min(plan, areaAt(day, location.id)), 0);
    return [{ id: location.id, name: location.name, share: cleanedArea / (plan * plannedDays.length) }];
  });
  const plannedAt = (day: string) =>
    locations.filter((location) => isPlanned(location, day)).reduce((sum, location) => sum + planOf(location), 0);
  return { days, machines, locations, areaAt, planOf, isPlanned, plannedAt, shares };
}

describe.each(
  roleNames.map((role) => [role] as [RoleName]),
)('the performance for %s equals the one computed from raw rows', (role) => {
  test.each(['7', '30'])('over %s days', async (length) => {
    const caller = world.users[role];
    const response = await readPerformance(caller, length);
    const oracle = await computeOracle(caller, Number(length));
    expect(response.days.map(({ day }) => day)).toEqual(oracle.days.slice(Number(length)));
    for (const { day, area_m2, planned_area_m2 } of response.days) {
      expect(area_m2, day).toBeCloseTo(oracle.areaAt(day), 1);
      expect(planned_area_m2, day).toBeCloseTo(oracle.plannedAt(day), 1);
    }
    const areaBefore = oracle.days.slice(0, Number(length)).reduce((sum, day) => sum + oracle.areaAt(day), 0);
    expect(response.before.area_m2).toBeCloseTo(areaBefore, 0);
    const rankedShares = oracle.shares.sort((a, b) => a.share - b.share || a.id - b.id);
    expect(response.worst.map(({ id }) => id)).toEqual(rankedShares.slice(0, 3).map(({ id }) => id));
    for (const { id, share } of [...response.worst, ...response.best])
      expect(share).toBeCloseTo(rankedShares.find((location) => location.id === id)?.share ?? Number.NaN, 6);
    expect(response.types.map(({ machines }) => machines)).toEqual(
      oracle.machines.length ? [oracle.machines.filter((machine) => machine.stock_state === 'deployed').length] : [],
    );
    const seesClients = ['admin', 'country_manager', 'partner'].includes(role);
    expect(response.compared.by).toBe(seesClients ? 'clients' : 'locations');
    for (const { id, area_m2, trend } of response.compared.rows) {
      const isOwn = (machine: MachineRow) => (seesClients ? machine.client_id : machine.location_id) === id;
      expect(oracle.machines.some(isOwn)).toBe(true);
      expect(trend).toHaveLength(Number(length));
      expect(trend.reduce((sum, value) => sum + value, 0)).toBeCloseTo(area_m2, -1);
    }
    const total = response.compared.rows.reduce((sum, { area_m2 }) => sum + area_m2, 0);
    expect(total).toBeCloseTo(
      oracle.days.slice(Number(length)).reduce((sum, day) => sum + oracle.areaAt(day), 0),
      0,
    );
  });
});

test('locations show the progress of their plan on the local day', async () => {
  const { today } = await readPerformance(world.admin, '7');
  const { locations, areaAt, planOf, isPlanned } = await computeOracle(world.admin, 7);
  const day = '2026-10-22';
  const expectedRows = locations.map((location) => [
    location.id,
    isPlanned(location, day) && planOf(location) > 0 ? Math.min(1, areaAt(day, location.id) / planOf(location)) : null,
  ]);
  expect(expectedRows.filter(([, share]) => share !== null).length).toBeGreaterThan(2);
  expect(Object.fromEntries(today.map(({ id, share }) => [id, share]))).toEqual(Object.fromEntries(expectedRows));
});

test('only locations with the same name show their address', async () => {
  const [first, second, third] = world.north.locations;
  const addresses = { [first]: 'Hafenstraße 1', [second]: 'Bahnhofplatz 2' };
  const names = (await readRows<LocationRow>(world.admin, 'locations?per_page=500')).map(({ id, name }) => ({
    id,
    name,
  }));
  for (const [id, address] of Object.entries(addresses))
    await app.db.rows(sql`update locations set name = 'Twin', address = ${address} where id = ${Number(id)}`);
  const { today, compared } = await readPerformance(world.users.customer_admin, '7');
  for (const { id, name } of names.filter(({ id }) => world.north.locations.includes(id)))
    await app.db.rows(sql`update locations set name = ${name} where id = ${id}`);
  for (const locations of [today, compared.rows]) {
    const nameOf = (location: number) => locations.find(({ id }) => id === location)?.name;
    expect([nameOf(first), nameOf(second)]).toEqual(['Twin (Hafenstraße 1)', 'Twin (Bahnhofplatz 2)']);
    expect(nameOf(third)).toBe(names.find(({ id }) => id === third)?.name);
  }
});

test('returns zeros for a role without machines or locations, and rejects other lengths', async () => {
  const role = await add(app.db, 'roles', { name: 'Clerk', scope: 'client' });
  const userId = await add(app.db, 'users', {
    email: 'clerk@example.com',
    last_name: 'Clerk',
    role_ids: [role],
    language_id: world.language,
    client_id: world.north.client,
  });
  const { days, types, today, compared } = await readPerformance(userId, '7');
  expect(days).toHaveLength(7);
  expect(days.every(({ area_m2, cleaning, planned_area_m2 }) => area_m2 + cleaning + planned_area_m2 === 0)).toBe(true);
  expect([types, today, compared.rows]).toEqual([[], [], []]);
  expect((await app.call(world.admin, 'GET', 'dashboard/performance?days=8')).status).toBe(422);
});

test('is incomplete while the demo loads its history', async () => {
  expect((await readPerformance(world.admin, '30')).is_incomplete).toBe(false);
  app.services.demo = { logins: [], isHistoryLoading: async () => true };
  expect((await readPerformance(world.admin, '30')).is_incomplete).toBe(true);
  app.services.demo = undefined;
});
