/** Filter operators, days relative to today, and empty values: everything that the filter dialog offers. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
/** Id of a machine without a location, documents, tracker or past dates. */
let bareMachine: number;
let machineDueSoon: number;
let lateMachine: number;

const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const fleet_id = world.north.fleets[0];
  bareMachine = await add(app.db, 'machines', {
    serial_number: 'SW-100',
    fleet_id,
    custom_type: 'Special',
    note: 'Not one',
  });
  machineDueSoon = await add(app.db, 'machines', {
    serial_number: 'XSW-100',
    fleet_id,
    custom_type: 'Special',
    next_service_due: dayFromToday(10),
  });
  lateMachine = await add(app.db, 'machines', {
    serial_number: '100%',
    fleet_id,
    custom_type: 'Special',
    next_service_due: dayFromToday(-10),
  });
});
afterAll(() => app.close());

const filterBy = (name: string, value: string) =>
  `${encodeURIComponent(`filter[${name}]`)}=${encodeURIComponent(value)}`;
async function readIds(query: string, { caller = world.admin, entity = 'machines' } = {}): Promise<number[]> {
  const { status, body } = await app.call<{ data: { id: number }[]; total: number }>(
    caller,
    'GET',
    `${entity}?per_page=1000&sort=id&${query}`,
  );
  expect([query, status]).toEqual([query, 200]);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }) => id);
}
const allMachines = () => [...world.north.machines, ...world.south.machines, bareMachine, machineDueSoon, lateMachine];
const idsExcept = (excludedIds: readonly number[]) => allMachines().filter((id) => !excludedIds.includes(id));

describe('text operators', () => {
  test('match by prefix, ignoring case', async () => {
    expect(await readIds(filterBy('serial_number.begins', 'sw-'))).toEqual([bareMachine]);
    expect(await readIds(filterBy('serial_number.begins', 'sw-,xs'))).toEqual([bareMachine, machineDueSoon]);
    expect(await readIds(filterBy('location.city.begins', 'sou'))).toEqual(world.south.machines);
  });
  test('match exactly, with wildcards taken literally', async () => {
    expect(await readIds(filterBy('serial_number.is', 'sw-100'))).toEqual([bareMachine]);
    expect(await readIds(filterBy('serial_number.is', 'SW-100,XSW-100'))).toEqual([bareMachine, machineDueSoon]);
    expect(await readIds(filterBy('serial_number.is', '1%'))).toEqual([]);
    expect(await readIds(filterBy('serial_number.begins', '100%'))).toEqual([lateMachine]);
  });
  test('compare each value of a list', async () => {
    expect(await readIds(filterBy('tags.is', 'north'), { entity: 'clients' })).toEqual([world.north.client]);
    expect(await readIds(filterBy('tags.is', 'nor'), { entity: 'clients' })).toEqual([]);
    expect(await readIds(filterBy('tags.begins', 'nor'), { entity: 'clients' })).toEqual([world.north.client]);
  });
  test('are rejected for fields that do not support them', async () => {
    for (const name of [
      'status.is',
      'price.begins',
      'fleet_id.is',
      'search.not',
      'trashed.not',
      'serial_number.not.is',
      'serial_number.ends',
    ])
      expect((await app.call(world.admin, 'GET', `machines?${filterBy(name, '1')}`)).status).toBe(400);
  });
});

describe('not', () => {
  test('matches the rows that the filter excludes, including those without a value', async () => {
    expect(await readIds(filterBy('serial_number.not', 'north'))).toEqual([
      ...world.south.machines,
      bareMachine,
      machineDueSoon,
      lateMachine,
    ]);
    expect(await readIds(filterBy('serial_number.is.not', 'SW-100'))).toEqual(idsExcept([bareMachine]));
    expect(await readIds(filterBy('fleet_id.not', world.south.fleets.join(',')))).toEqual([
      ...world.north.machines,
      bareMachine,
      machineDueSoon,
      lateMachine,
    ]);
    expect(await readIds(filterBy('location_id.not', String(world.north.locations[0])))).toEqual(
      idsExcept(world.north.machines.slice(0, 2)),
    );
    expect(await readIds(filterBy('location.city.not', 'north'))).toEqual([
      ...world.south.machines,
      bareMachine,
      machineDueSoon,
      lateMachine,
    ]);
    expect(await readIds(filterBy('status.not', 'Offline'))).toEqual([]);
    expect(await readIds(filterBy('is_dummy.not', 'true'))).toEqual(allMachines());
    expect(await readIds(filterBy('note.not', 'one'))).toEqual(idsExcept([bareMachine]));
    expect(await readIds(filterBy('price.not', '>0'))).toEqual([bareMachine, machineDueSoon, lateMachine]);
  });
  test('stays within the scope of the caller', async () => {
    const reachedIds = await readIds('', { caller: world.north.users.site_manager });
    expect(
      await readIds(filterBy('fleet_id.not', String(world.south.fleets[0])), {
        caller: world.north.users.site_manager,
      }),
    ).toEqual(reachedIds);
  });
  test('requires the permission to read the field', async () => {
    expect(
      (await app.call(world.north.users.customer_admin, 'GET', `machines?${filterBy('price.not', '5')}`)).status,
    ).toBe(400);
  });
  test('applies to counts, exports and bulk work alike', async () => {
    const { body } = await app.call<{ data: { stock_state: { value: string; count: number }[] } }>(
      world.admin,
      'GET',
      `machines/facets?${filterBy('serial_number.not', 'north')}`,
    );
    expect(body.data.stock_state.reduce((sum, { count }) => sum + count, 0)).toBe(11);
    const { text } = await app.call(
      world.admin,
      'GET',
      `machines/export?format=csv&columns=serial_number&${filterBy('serial_number.begins', 'SW-')}`,
    );
    expect(text).toContain('SW-100');
    expect(text).not.toContain('XSW-100');
    const changeResponse = await app.call<{ count: number }>(world.admin, 'PUT', 'machines', {
      filter: { 'serial_number.is': 'SW-100' },
      data: { inventory_number: 'counted' },
    });
    expect(changeResponse.body.count).toBe(1);
  });
  test('applies to derived filters such as activity', async () => {
    await app.db.rows(
      sql`update users set created_at = now() - interval '200 days' where id = ${world.north.users.operator}`,
    );
    const allUsers = await readIds('', { entity: 'users' });
    const newUsers = await readIds(filterBy('activity', 'new'), { entity: 'users' });
    expect(newUsers.length).toBeGreaterThan(0);
    expect(newUsers).not.toContain(world.north.users.operator);
    expect(await readIds(filterBy('activity.not', 'new'), { entity: 'users' })).toEqual(
      allUsers.filter((id) => !newUsers.includes(id)),
    );
  });
});

describe('empty', () => {
  test('matches missing references and related rows without a value', async () => {
    expect(await readIds(filterBy('location_id', 'null'))).toEqual([bareMachine, machineDueSoon, lateMachine]);
    expect(await readIds(filterBy('location_id.not', 'null'))).toEqual([
      ...world.north.machines,
      ...world.south.machines,
    ]);
    expect(await readIds(filterBy('location.city', 'null'))).toEqual([bareMachine, machineDueSoon, lateMachine]);
    expect(await readIds(filterBy('location.city.not', 'null'))).toEqual([
      ...world.north.machines,
      ...world.south.machines,
    ]);
    expect(await readIds(filterBy('location.city', 'null,south'))).toEqual([
      ...world.south.machines,
      bareMachine,
      machineDueSoon,
      lateMachine,
    ]);
  });
  test('matches link lists without links', async () => {
    const userIds = await readIds('', { entity: 'users' });
    const linkedUsers = [world.north, world.south].flatMap(({ users }) => [users.site_manager]).sort((a, b) => a - b);
    expect(await readIds(filterBy('fleet_ids.not', 'null'), { entity: 'users' })).toEqual(linkedUsers);
    expect(await readIds(filterBy('fleet_ids', 'null'), { entity: 'users' })).toEqual(
      userIds.filter((id) => !linkedUsers.includes(id)),
    );
    expect(await readIds(filterBy('fleet_ids', `null,${world.north.fleets[0]}`), { entity: 'users' })).not.toContain(
      world.south.users.site_manager,
    );
  });
  test('matches rows without related rows', async () => {
    expect(await readIds(filterBy('documents.id', 'null'))).toEqual([bareMachine, machineDueSoon, lateMachine]);
    expect(await readIds(filterBy('documents.id.not', 'null'))).toEqual([
      ...world.north.machines,
      ...world.south.machines,
    ]);
  });
  test('filters every kind of field', async () => {
    for (const [name, expected] of Object.entries({
      note: [bareMachine],
      tracker_id: allMachines().slice(0, 16),
      price: allMachines().slice(0, 16),
    }))
      expect([name, await readIds(filterBy(`${name}.not`, 'null'))]).toEqual([name, expected]);
    expect(await readIds(filterBy('tags', 'null'), { entity: 'clients' })).toEqual([]);
    expect(await readIds(filterBy('tags.not', 'null'), { entity: 'clients' })).toEqual([
      world.north.client,
      world.south.client,
    ]);
    expect(await readIds(filterBy('mode', 'null'))).toEqual(allMachines());
    expect(await readIds(filterBy('last_seen.not', 'null'))).toEqual([]);
  });
});

describe('days from today', () => {
  test('move with the day', async () => {
    expect(await readIds(filterBy('next_service_due', '>=0d,<=30d'))).toEqual([machineDueSoon]);
    expect(await readIds(filterBy('next_service_due', '>=-30d,<=0d'))).toEqual([lateMachine]);
    expect(await readIds(filterBy('next_service_due', '<-5d'))).toEqual([lateMachine]);
    expect(await readIds(filterBy('next_service_due', '10d'))).toEqual([machineDueSoon]);
  });
  test('begin in the time zone of the caller', async () => {
    const idsInZone = async (zone: string, query: string) =>
      (
        await app.call<{ data: { id: number }[] }>(world.admin, 'GET', `types?${query}`, undefined, {
          'Time-Zone': zone,
        })
      ).body.data.map(({ id }) => id);
    const id = await add(app.db, 'types', { name: 'Made at night' });
    await app.db.rows(sql`update types set created_at = '2026-03-01T23:30:00Z' where id = ${id}`);
    const query = `filter[name.is]=Made at night&${filterBy('created_at', '2026-03-02')}`;
    expect(await idsInZone('Europe/Berlin', query)).toEqual([id]);
    expect(await idsInZone('Europe/London', query)).toEqual([]);
    // Niue is 25 hours behind Kiritimati. `created_at` is the start of today in Kiritimati, which is yesterday in Niue;
    // in the first hour of the day it is the end of today, which is tomorrow in Niue.
    await app.db.rows(
      sql`update types set created_at = (
            select (day + case when local < day + interval '1 hour' then interval '86399 s' else interval '0' end)
              at time zone 'Pacific/Kiritimati'
            from (select local, date_trunc('day', local) as day
                    from (select now() at time zone 'Pacific/Kiritimati' as local) as clock) as today)
          where id = ${id}`,
    );
    const today = `filter[name.is]=Made at night&${filterBy('created_at', '0d')}`;
    expect(await idsInZone('Pacific/Kiritimati', today)).toEqual([id]);
    expect(await idsInZone('Pacific/Niue', today)).toEqual([]);
  });
  test('also filter instants', async () => {
    expect(await readIds(filterBy('created_at', '>=-2d,<=1d'))).toEqual(allMachines());
    expect(await readIds(filterBy('created_at', '<-2d'))).toEqual([]);
  });
  test('match nothing if malformed', async () => {
    for (const value of ['>=d', '>=1.5d', '>=9999999d', '>=--1d'])
      expect(await readIds(filterBy('next_service_due', value))).toEqual([]);
  });
});
