/**
 * A search finds the same rows whether the related rows that a word matches are few enough to be listed first or not,
 * and whether indexes can find the word or not.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleNames } from '../../schema/dsl/entity';
import type { SearchGroup } from '../../schema/features/search';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

interface Machine {
  id: number;
  serial_number: string;
  reference_number: string | null;
  custom_type: string | null;
  type?: { name: string } | null;
  location?: { name: string; address: string; city: string } | null;
}

const hallCount = 1100;
let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const [fleet, otherFleet] = [world.north.fleets[0], world.south.fleets[0]];
  await app.db.rows(sql`
    insert into locations (name, fleet_id, address, postal_code, city)
    select 'Hall ' || n, ${fleet}::int, 'Gate ' || n % 7, '10115', case when n % 10 = 0 then 'Oulu' else 'Espoo' end
    from generate_series(1, ${hallCount}::int) n`);
  await app.db.rows(sql`
    insert into machines (serial_number, reference_number, custom_type, fleet_id, type_id, location_id)
    select 'HX-' || n, case when n % 3 = 0 then 'ref ' || n end, case when n % 4 = 0 then 'Sweeper ' || n % 20 end,
      case when n % 5 = 0 then ${otherFleet}::int else ${fleet}::int end,
      case when n % 4 <> 0 then ${world.type}::int end,
      case when n % 5 <> 0 then (select id from locations where name = 'Hall ' || n) end
    from generate_series(1, ${hallCount}::int) n`);
});
afterAll(() => app.close());

/** All machines that the role sees, in order. */
async function machinesOf(user: number, query = ''): Promise<Machine[]> {
  const rows: Machine[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await app.call<{ data: Machine[]; last_page: number }>(
      user,
      'GET',
      `machines?per_page=1000&page=${page}&include=type,location${query}`,
    );
    rows.push(...body.data);
    if (page >= body.last_page) return rows;
  }
}

const textOf = ({ type, location, ...machine }: Machine): string =>
  [
    machine.serial_number,
    machine.reference_number,
    machine.custom_type,
    type?.name,
    location?.name,
    location?.address,
    location?.city,
  ]
    .join('\n')
    .toLowerCase();

const matches = (words: string) => (machine: Machine) =>
  words.split(',').some((word) => textOf(machine).includes(word.toLowerCase()));

// `hall` matches more locations than are listed first.
const searches = [
  'hall',
  'hall 10',
  'oulu',
  'gate 3',
  'hx-1',
  'ref 9',
  'sweeper',
  'hall 77,hx-4',
  'hx',
  '77',
  'nobody',
];

test.each(roleNames)('a %s finds the rows that contain the words, on every page', async (role) => {
  const user = world.users[role];
  const visibleMachines = await machinesOf(user);
  for (const words of searches) {
    const expected = visibleMachines.filter(matches(words)).map(({ id }) => id);
    const query = `&filter[search]=${encodeURIComponent(words)}`;
    const foundMachines = await machinesOf(user, query);
    expect(
      foundMachines.map(({ id }) => id),
      words,
    ).toEqual(expected);
    const { body } = await app.call<{ data: Machine[]; total: number }>(
      user,
      'GET',
      `machines?per_page=4&page=2${query}`,
    );
    expect({ ids: body.data.map(({ id }) => id), total: body.total }, words).toEqual({
      ids: expected.slice(4, 8),
      total: expected.length,
    });
  }
});

test.each(roleNames)('the global search of a %s shows the first five of these rows', async (role) => {
  const user = world.users[role];
  const visibleMachines = await machinesOf(user);
  for (const words of searches.filter((word) => !word.includes(','))) {
    const { body } = await app.call<{ data: SearchGroup[] }>(user, 'GET', `search?q=${encodeURIComponent(words)}`);
    const rows = body.data.find(({ resource }) => resource === 'machines')?.rows ?? [];
    expect(
      rows.map(({ id }) => id),
      words,
    ).toEqual(
      visibleMachines
        .filter(matches(words))
        .slice(0, 5)
        .map(({ id }) => id),
    );
  }
});

test('a word that very many related rows contain finds those that reference them', async () => {
  await app.db.rows(sql`
    insert into service_entries (machine_id, date, kind, note)
    select id, '2026-01-01'::date + id % 90, 'repair', case when id % 7 = 0 then 'HX replaced' end from machines
    where serial_number like 'HX-%' and id % 3 = 0`);
  const { body } = await app.call<{ data: SearchGroup[] }>(world.users.admin, 'GET', 'search?q=hx-');
  const rows = body.data.find(({ resource }) => resource === 'service_entries')?.rows ?? [];
  const list = await app.call<{ data: { id: number }[] }>(
    world.users.admin,
    'GET',
    'service_entries?per_page=5&filter[machine.serial_number]=hx-',
  );
  expect(rows.map(({ id }) => id)).toEqual(list.body.data.map(({ id }) => id));
  expect(rows).toHaveLength(5);
});
