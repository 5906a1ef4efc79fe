/**
 * Stays of a machine, which the database maintains for every kind of move, and the location for which each day counts.
 */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SiteCalendar } from '../../schema/endpoints/locations';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
/** Two locations of the north client's first fleet, and one of its second. */
let [firstLocation, secondLocation, thirdLocation]: number[] = [];

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  [firstLocation, secondLocation, thirdLocation] = [
    world.north.locations[0],
    world.north.locations[1],
    world.north.locations[3],
  ];
});
afterAll(() => app.close());

beforeEach(async () => {
  machine = await add(app.db, 'machines', {
    fleet_id: world.north.fleets[0],
    location_id: firstLocation,
    custom_type: 'Scrubber',
    working_radius_m2: 500,
  });
});

/** Deletes the machine, so that other tests do not count its cleaning. */
afterEach(() =>
  app.db.rows(sql`update machines set deleted_at = now() where custom_type = 'Scrubber' and deleted_at is null`),
);

interface Stay {
  location: { id: number; name: string; city: string } | null;
  from: string | null;
  to: string | null;
}
const readStays = async (caller = world.admin) =>
  (await app.call<{ data: Stay[] }>(caller, 'GET', `machines/${machine}/stays`)).body.data;
const readLocationIds = async (caller?: number) =>
  (await readStays(caller)).map(({ location }) => location?.id ?? null);
const moveMachine = (values: Record<string, unknown>) => app.call(world.admin, 'PUT', `machines/${machine}`, values);

describe('stays of a machine', () => {
  test('are consecutive without overlap, from its first location to the current one', async () => {
    expect(await readStays()).toEqual([
      { location: { id: firstLocation, name: 'North Site 11', city: 'North' }, from: null, to: null },
    ]);
    await moveMachine({ location_id: secondLocation });
    await moveMachine({ note: 'Stands by the lift' });
    const [last, first] = await readStays();
    expect(last).toMatchObject({ location: { id: secondLocation }, to: null });
    expect(first).toEqual({ location: expect.objectContaining({ id: firstLocation }), from: null, to: last?.from });
    await moveMachine({ fleet_id: world.north.fleets[1] });
    expect((await readStays())[0]).toMatchObject({ location: { id: secondLocation }, to: expect.any(String) });
    await moveMachine({ location_id: thirdLocation });
    expect(await readLocationIds()).toEqual([thirdLocation, secondLocation, firstLocation]);
  });

  test('omit locations that a machine reaches and leaves within one transaction', async () => {
    await app.db.transaction(async (tx) => {
      for (const location of [secondLocation, thirdLocation, secondLocation])
        await tx.rows(sql`update machines set location_id = ${location} where id = ${machine}`);
    });
    expect(await readLocationIds()).toEqual([secondLocation, firstLocation]);
    await app.db.transaction(async (tx) => {
      for (const location of [firstLocation, secondLocation])
        await tx.rows(sql`update machines set location_id = ${location} where id = ${machine}`);
    });
    expect((await readStays()).filter(({ to }) => to === null)).toHaveLength(1);
    expect(await readLocationIds()).toEqual([secondLocation, firstLocation]);
  });

  test('do not change when the location moves to another fleet', async () => {
    const movedLocation = await add(app.db, 'locations', { fleet_id: world.north.fleets[0], name: 'Moving site' });
    await moveMachine({ location_id: movedLocation });
    const staysBefore = await readStays();
    expect(
      (await app.call(world.admin, 'POST', `locations/${movedLocation}/move`, { fleet_id: world.north.fleets[1] }))
        .status,
    ).toBe(200);
    expect(await readStays()).toEqual(staysBefore);
  });

  test('contain no location out of scope, and nothing of a machine out of scope', async () => {
    await moveMachine({ fleet_id: world.north.fleets[1], location_id: thirdLocation });
    await moveMachine({ fleet_id: world.north.fleets[0], location_id: firstLocation });
    expect(await readLocationIds(world.admin)).toEqual([firstLocation, thirdLocation, firstLocation]);
    expect(await readLocationIds(world.users.site_manager)).toEqual([firstLocation, null, firstLocation]);
    expect((await readStays(world.users.site_manager))[1]).toEqual({
      location: null,
      from: expect.any(String),
      to: expect.any(String),
    });
    await app.db.rows(sql`
      delete from roles_permissions k using permissions p
      where k.permissions_id = p.id and p.code_name like 'locations.%' and k.roles_id = ${world.roles.operator}`);
    expect(await readLocationIds(world.users.operator)).toEqual([null, null, null]);
    expect((await app.call(world.south.users.customer_admin, 'GET', `machines/${machine}/stays`)).status).toBe(404);
    expect((await app.call(undefined, 'GET', `machines/${machine}/stays`)).status).toBe(401);
  });
});

describe('the cleaning calendar', () => {
  const monday = '2026-10-19';
  const readCalendar = async (caller = world.admin) => {
    const { data } = (
      await app.call<{ data: SiteCalendar[] }>(caller, 'GET', `locations/calendar?from=${monday}&to=2026-10-23`)
    ).body;
    return (locationId: number | undefined) =>
      data
        .find(({ id }) => id === locationId)
        ?.days.map(({ state, area_m2, cleaning }) => (area_m2 || cleaning ? [state, area_m2, cleaning] : state));
  };
  /**
   * The machine cleaned 500 m² in 1:20 h on each of Monday, Tuesday and Wednesday, and moved to the second location on
   * Wednesday at noon.
   */
  beforeEach(async () => {
    app.services.now = () => new Date('2026-10-23T10:00:00Z');
    await app.db.rows(
      sql`update locations set cleaning_plan = 'daily' where id in (${firstLocation}, ${secondLocation})`,
    );
    await app.db.rows(
      sql`update machines set stock_state = case when id = ${machine} then 'deployed' else 'in_stock' end`,
    );
    await app.db.rows(sql`
      insert into machine_days (machine_id, day, area_m2, cleaning) select ${machine}::int, day::date, 500, 4800 from generate_series(${monday}::timestamp, '2026-10-21', '1 day') day`);
    await app.db.rows(sql`
      insert into segments (machine_id, from_at, to_at, state, reason, reason_at) values
        (${machine}, '2026-10-21T08:00:00Z', '2026-10-21T09:00:00Z', 'Cleaning', 'cleaning', '2026-10-21T08:00:00Z'),
        (${machine}, '2026-10-21T09:00:00Z', '2026-10-21T14:00:00Z', 'Parked', 'parked', '2026-10-21T09:00:00Z'),
        (${machine}, '2026-10-21T14:00:00Z', '2026-10-21T14:20:00Z', 'Cleaning', 'cleaning', '2026-10-21T14:00:00Z')`);
    await moveMachine({ location_id: secondLocation });
    await app.db.rows(
      sql`update machine_stays set to_at = '2026-10-21T10:00:00Z' where machine_id = ${machine} and to_at is not null`,
    );
    await app.db.rows(
      sql`update machine_stays set from_at = '2026-10-21T10:00:00Z' where machine_id = ${machine} and to_at is null`,
    );
  });
  const cleanedDay = ['cleaned', 500, 4800];

  test('counts past days at the location where the machine was then, and splits the day of the move', async () => {
    const days = await readCalendar();
    expect(days(firstLocation)).toEqual([cleanedDay, cleanedDay, ['cleaned', 375, 3600], 'missed', 'planned']);
    expect(days(secondLocation)).toEqual(['missed', 'missed', ['cleaned', 125, 1200], 'missed', 'planned']);
  });

  test('counts for users whose scope included the machine at the time', async () => {
    await moveMachine({ fleet_id: world.north.fleets[1], location_id: thirdLocation });
    expect((await app.call(world.users.site_manager, 'GET', `machines/${machine}`)).status).toBe(404);
    expect((await readCalendar(world.users.site_manager))(firstLocation)).toEqual([
      cleanedDay,
      cleanedDay,
      ['cleaned', 375, 3600],
      'missed',
      'planned',
    ]);
    await app.db.rows(sql`update machines set is_dummy = true where id = ${machine}`);
    expect((await readCalendar())(firstLocation)).toEqual(['missed', 'missed', 'missed', 'missed', 'planned']);
  });

  test('counts a machine only for the days of its stay', async () => {
    await app.db.rows(sql`update machine_days set area_m2 = 450 where machine_id = ${machine}`);
    const otherMachine = await add(app.db, 'machines', {
      fleet_id: world.north.fleets[0],
      location_id: secondLocation,
      custom_type: 'Scrubber',
      working_radius_m2: 5000,
    });
    expect((await readCalendar())(firstLocation)?.[0]).toEqual(['cleaned', 450, 4800]);
    await app.call(world.admin, 'PUT', `machines/${otherMachine}`, { location_id: firstLocation });
    expect((await readCalendar())(firstLocation)?.[0]).toEqual(['cleaned', 450, 4800]);
  });
});
