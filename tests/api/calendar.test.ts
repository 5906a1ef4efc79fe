/** The cleaning calendar and the dashboard's figures: compared with the plan, within the caller's scope. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DashboardFigures } from '../../schema/endpoints/dashboard';
import type { SiteCalendar } from '../../schema/endpoints/locations';
import { pg } from '../../server/db/core/rowShape';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let location: number;
/** The two machines of the first location of the north client. */
let [first, second]: number[] = [];

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  // This is a Thursday.
  app.services.now = () => new Date('2026-10-22T10:00:00Z');
  location = world.north.locations[0];
  [first, second] = world.north.machines;
  await app.db.rows(sql`update locations set cleaning_plan = 'monday_to_friday' where id = ${location}`);
  await app.db.rows(
    sql`update machines set stock_state = 'deployed', working_radius_m2 = 500 where location_id = ${location}`,
  );
  await addCleaning(first, '2026-10-19', { area: 900, cleaning: 3600 });
  await addCleaning(first, '2026-10-20', { area: 300, cleaning: 3600 });
  await addCleaning(second, '2026-10-20', { area: 599, cleaning: 3600 });
  await addCleaning(first, '2026-10-18', { area: 10, cleaning: 700 });
});
afterAll(() => app?.close());

const addCleaning = (
  machine: number | undefined,
  day: string,
  { area, cleaning, robotic = 0, manual = 0 }: { area: number; cleaning: number; robotic?: number; manual?: number },
) =>
  app.db.rows(
    sql`insert into machine_days (machine_id, day, area_m2, cleaning, robotic, manual) values (${machine}, ${day}::date, ${area}, ${cleaning}, ${robotic}, ${manual})`,
  );
const readCalendar = (caller: number, search = 'from=2026-10-17&to=2026-10-24') =>
  app.call<{ data: SiteCalendar[]; total: number }>(caller, 'GET', `locations/calendar?${search}`);
const readDays = async (caller: number, id = location) => {
  const match = (await readCalendar(caller)).body.data.find((row) => row.id === id);
  return Object.fromEntries((match?.days ?? []).map(({ day, state }) => [day.slice(8), state]));
};

describe('the calendar', () => {
  test('returns for each day whether the plan was met', async () => {
    expect(await readDays(world.admin)).toEqual({
      17: null,
      18: 'cleaned',
      19: 'cleaned',
      20: 'partly',
      21: 'missed',
      22: 'planned',
      23: 'planned',
      24: null,
    });
  });

  test('compares with the area that was entered by hand, if any', async () => {
    await app.db.rows(sql`update locations set planned_area_m2 = 300 where id = ${location}`);
    expect(await readDays(world.admin)).toMatchObject({ 20: 'cleaned', 21: 'missed' });
    await app.db.rows(sql`update locations set planned_area_m2 = null where id = ${location}`);
  });

  test('returns opening hours and public holidays of each day in the local time of the location', async () => {
    const locationBefore = (await readCalendar(world.admin)).body.data.find(({ id }) => id === location);
    expect(locationBefore?.days.map(({ open }) => open)).toEqual(Array(8).fill(null));
    const germany = await app.db.selectOne({ id: pg.integer }, sql`select id from countries where name = 'Germany'`);
    const hours = { opening_hours: 'Mo-Fr 20:00-02:00; PH off', holiday_country_id: germany?.id };
    await app.call(world.admin, 'PATCH', `locations/${location}`, hours);
    const { body } = await readCalendar(world.admin, 'from=2026-10-01&to=2026-10-06');
    const match = body.data.find(({ id }) => id === location);
    expect(match?.time_zone).toBe('Europe/Berlin');
    const night = { from: '00:00', to: '02:00' };
    const evening = { from: '20:00', to: '24:00' };
    expect(match?.days.map(({ day, open, holiday }) => [day.slice(8), open, holiday])).toEqual([
      ['01', [night, evening], null],
      ['02', [night, evening], null],
      ['03', [night], 'National Holiday'],
      ['04', [], null],
      ['05', [evening], null],
      ['06', [night, evening], null],
    ]);
    await app.call(world.admin, 'PATCH', `locations/${location}`, { opening_hours: null, holiday_country_id: null });
  });

  test('filters locations by the result of a day, and counts them like the dashboard', async () => {
    const missedResponse = await readCalendar(world.admin, 'state=missed&day=2026-10-21');
    expect(missedResponse.body.data.map(({ id }) => id)).toEqual([location]);
    expect(missedResponse.body.total).toBe(1);
    expect((await readCalendar(world.admin, 'state=missed&day=2026-10-20')).body.total).toBe(0);
    expect((await readFigures(world.admin)).attention.missed_cleaning).toBe(1);
    expect((await readFigures(world.south.users.customer_admin)).attention.missed_cleaning).toBe(0);
  });

  test('counts only machines in scope', async () => {
    await app.db.rows(sql`update machines set is_dummy = true where id = ${first}`);
    expect(await readDays(world.admin)).toMatchObject({ 19: 'missed', 20: 'cleaned' });
    await app.db.rows(sql`update machines set is_dummy = false where id = ${first}`);
    for (const role of ['customer_admin', 'site_manager', 'operator'] as const) {
      const ids = (await readCalendar(world.users[role])).body.data.map(({ id }) => id);
      const response = await app.call<{ data: { id: number }[] }>(world.users[role], 'GET', 'locations?per_page=100');
      expect(ids.sort(), role).toEqual(response.body.data.map(({ id }) => id).sort());
    }
    expect((await app.call(undefined, 'GET', 'locations/calendar')).status).toBe(401);
  });

  test.each([
    'from=1',
    'to=2026-02-30',
    'from=2026-10-22&to=2026-10-01',
    'from=2026-01-01&to=2026-10-01',
    'state=lost',
    'state=missed&day=x',
  ])('rejects %s', async (search) => {
    expect((await readCalendar(world.admin, search)).status).toBe(422);
  });

  test('pages and filters like the list', async () => {
    const page = await readCalendar(world.admin, 'per_page=3&page=2&filter[fleet_id]=null');
    expect(page.body).toMatchObject({ data: [], total: 0 });
    const { data, total } = (await readCalendar(world.admin, 'per_page=3')).body;
    expect([data.length, total]).toEqual([3, 8]);
    expect((await readCalendar(world.admin, 'filter[secret]=1')).status).toBe(400);
  });
});

const readFigures = async (caller: number) =>
  (await app.call<{ data: DashboardFigures }>(caller, 'GET', 'dashboard')).body.data;

describe('the dashboard', () => {
  test('sums up today, the same weekday of the previous week, and robotic and manual cleaning', async () => {
    await addCleaning(first, '2026-10-22', { area: 120, cleaning: 60, robotic: 300, manual: 100 });
    await addCleaning(second, '2026-10-15', { area: 80, cleaning: 30, robotic: 999 });
    await addCleaning(world.south.machines[0], '2026-10-22', { area: 5, cleaning: 7 });
    const { work, autonomy } = await readFigures(world.admin);
    expect(work).toMatchObject({ today: { cleaning: 67, area_m2: 125 }, week_ago: { cleaning: 30, area_m2: 80 } });
    expect(autonomy).toEqual({ robotic: 300, manual: 100 });
    expect((await readFigures(world.south.users.customer_admin)).work.today).toMatchObject({ cleaning: 7, area_m2: 5 });
  });

  test('counts the same open alerts as the list of alerts', async () => {
    await app.db.rows(sql`update alerts set state = 'open'`);
    for (const caller of [world.admin, world.south.users.customer_admin, world.south.users.operator]) {
      const { total } = (await app.call<{ total: number }>(caller, 'GET', 'alerts?filter[state]=open')).body;
      expect((await readFigures(caller)).attention.alerts).toBe(total);
    }
    expect((await readFigures(world.admin)).attention.alerts).toBeGreaterThan(
      (await readFigures(world.south.users.customer_admin)).attention.alerts,
    );
  });

  test('counts machines in scope that have been silent for a day or are due for service', async () => {
    await app.db.rows(sql`update machines set next_service_due = '2026-10-22' where id = ${first}`);
    await app.db.rows(
      sql`update machines_state set status = 'Offline', status_since = '2026-10-21T09:59:00Z' where id = ${first}`,
    );
    await app.db.rows(
      sql`update machines_state set status = 'Offline', status_since = '2026-10-21T10:01:00Z' where id = ${second}`,
    );
    expect((await readFigures(world.admin)).attention).toMatchObject({ silent: 1, service_due: 1 });
    expect((await readFigures(world.south.users.customer_admin)).attention).toMatchObject({
      silent: 0,
      service_due: 0,
    });
  });
});
