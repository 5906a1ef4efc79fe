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
interface SiteRow {
  id: number;
  name: string;
  cleaning_plan: keyof typeof plannedDays;
  planned_area_m2: number | null;
}

const performance = async (caller: number, days: string) =>
  (await app.call<{ data: FleetPerformance }>(caller, 'GET', `dashboard/performance?days=${days}`)).body.data;
const rows = async <R>(caller: number, path: string) =>
  (await app.call<{ data: R[] }>(caller, 'GET', path)).body.data ?? [];

async function oracle(caller: number, length: number) {
  const machines = await rows<MachineRow>(caller, 'machines?per_page=500&filter[is_dummy]=false');
  const sites = await rows<SiteRow>(caller, 'locations?per_page=500');
  const workRows = await app.db.select(
    { machine: pg.integer, day: pg.text, cleaning: pg.double, area: pg.double },
    sql`select machine_id as machine, day::text as day, cleaning::float8 as cleaning, area_m2::float8 as area
      from machine_days where machine_id = any(${machines.map(({ id }) => id)}::int[])`,
  );
  const days = Array.from({ length: 2 * length }, (_, index) => dayBefore(yesterday, 2 * length - 1 - index));
  const areaAt = (day: string, site?: number) =>
    workRows
      .filter((row) => row.day === day)
      .filter(({ machine }) => !site || machines.find(({ id }) => id === machine)?.location_id === site)
      .reduce((sum, { area }) => sum + area, 0);
  const planOf = (site: SiteRow) =>
    site.planned_area_m2 ??
    machines
      .filter((machine) => machine.location_id === site.id && machine.stock_state === 'deployed')
      .reduce((sum, { working_radius_m2 }) => sum + working_radius_m2, 0);
  const isPlanned = (site: SiteRow, day: string) =>
    plannedDays[site.cleaning_plan].includes(new Date(day).getUTCDay() || 7);
  const shares = sites.flatMap((site) => {
    const plannedDays = days.slice(length).filter((day) => isPlanned(site, day));
    const plan = planOf(site);
    if (plannedDays.length === 0 || plan === 0) return [];
    const cleanedArea = plannedDays.reduce((sum, day) => sum + Math.min(plan, areaAt(day, site.id)), 0);
    return [{ id: site.id, name: site.name, share: cleanedArea / (plan * plannedDays.length) }];
  });
  const plannedAt = (day: string) =>
    sites.filter((site) => isPlanned(site, day)).reduce((sum, site) => sum + planOf(site), 0);
  return { days, machines, sites, areaAt, planOf, isPlanned, plannedAt, shares };
}

describe.each(roleNames.map((role) => [role] as [RoleName]))('the performance for %s', (role) => {
  test.each(['7', '30'])('over %s days', async (length) => {
    const caller = world.users[role];
    const response = await performance(caller, length);
    const oracleResult = await oracle(caller, Number(length));
    expect(response.days.map(({ day }) => day)).toEqual(oracleResult.days.slice(Number(length)));
    for (const { day, area_m2, planned_area_m2 } of response.days) {
      expect(area_m2, day).toBeCloseTo(oracleResult.areaAt(day), 1);
      expect(planned_area_m2, day).toBeCloseTo(oracleResult.plannedAt(day), 1);
    }
    const areaBefore = oracleResult.days
      .slice(0, Number(length))
      .reduce((sum, day) => sum + oracleResult.areaAt(day), 0);
    expect(response.before.area_m2).toBeCloseTo(areaBefore, 0);
    const rankedShares = oracleResult.shares.sort((a, b) => a.share - b.share || a.id - b.id);
    expect(response.worst.map(({ id }) => id)).toEqual(rankedShares.slice(0, 3).map(({ id }) => id));
    for (const { id, share } of [...response.worst, ...response.best])
      expect(share).toBeCloseTo(rankedShares.find((site) => site.id === id)?.share ?? Number.NaN, 6);
    expect(response.types.map(({ machines }) => machines)).toEqual(
      oracleResult.machines.length
        ? [oracleResult.machines.filter((machine) => machine.stock_state === 'deployed').length]
        : [],
    );
    const isAmongClients = ['admin', 'country_manager', 'partner'].includes(role);
    expect(response.compared.by).toBe(isAmongClients ? 'clients' : 'locations');
    for (const { id, area_m2, trend } of response.compared.rows) {
      const isOwn = (machine: MachineRow) => (isAmongClients ? machine.client_id : machine.location_id) === id;
      expect(oracleResult.machines.some(isOwn)).toBe(true);
      expect(trend).toHaveLength(Number(length));
      expect(trend.reduce((sum, value) => sum + value, 0)).toBeCloseTo(area_m2, -1);
    }
    const total = response.compared.rows.reduce((sum, { area_m2 }) => sum + area_m2, 0);
    expect(total).toBeCloseTo(
      oracleResult.days.slice(Number(length)).reduce((sum, day) => sum + oracleResult.areaAt(day), 0),
      0,
    );
  });
});

test('locations show the progress of their plan on the local day', async () => {
  const { today } = await performance(world.admin, '7');
  const { sites, areaAt, planOf, isPlanned } = await oracle(world.admin, 7);
  const day = '2026-10-22';
  const expectedRows = sites.map((site) => [
    site.id,
    isPlanned(site, day) && planOf(site) > 0 ? Math.min(1, areaAt(day, site.id) / planOf(site)) : null,
  ]);
  expect(expectedRows.filter(([, share]) => share !== null).length).toBeGreaterThan(2);
  expect(Object.fromEntries(today.map(({ id, share }) => [id, share]))).toEqual(Object.fromEntries(expectedRows));
});

test('only locations with the same name show their address', async () => {
  const [first, second, third] = world.north.locations;
  const addresses = { [first]: 'Hafenstraße 1', [second]: 'Bahnhofplatz 2' };
  const names = (await rows<SiteRow>(world.admin, 'locations?per_page=500')).map(({ id, name }) => ({ id, name }));
  for (const [id, address] of Object.entries(addresses))
    await app.db.rows(sql`update locations set name = 'Twin', address = ${address} where id = ${Number(id)}`);
  const { today, compared } = await performance(world.users.customer_admin, '7');
  for (const [id, name] of names
    .filter(({ id }) => world.north.locations.includes(id))
    .map(({ id, name }) => [id, name]))
    await app.db.rows(sql`update locations set name = ${name} where id = ${id}`);
  for (const sites of [today, compared.rows]) {
    const nameOf = (site: number) => sites.find(({ id }) => id === site)?.name;
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
  const { days, types, today, compared } = await performance(userId, '7');
  expect(days).toHaveLength(7);
  expect(days.every(({ area_m2, cleaning, planned_area_m2 }) => area_m2 + cleaning + planned_area_m2 === 0)).toBe(true);
  expect([types, today, compared.rows]).toEqual([[], [], []]);
  expect((await app.call(world.admin, 'GET', 'dashboard/performance?days=8')).status).toBe(422);
});

test('is incomplete while the demo loads its history', async () => {
  expect((await performance(world.admin, '30')).is_incomplete).toBe(false);
  app.services.demo = { logins: [], isHistoryLoading: async () => true };
  expect((await performance(world.admin, '30')).is_incomplete).toBe(true);
  app.services.demo = undefined;
});
