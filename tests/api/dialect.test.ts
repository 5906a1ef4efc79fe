/** The list dialect of the contract, case by case: paging, filters, sorts, includes, sparse fields, totals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { add } from '../support/rows';
import { startTestWorld, type TestApp, type TestResponse } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
/** Machines with values that are awkward to filter, in addition to the sixteen initial ones. */
let createdIds: Record<'percent' | 'underscore' | 'backslash' | 'comma' | 'nullText' | 'bare' | 'umlaut', number>;

interface MachineRow {
  id: number;
  [field: string]: unknown;
}
interface MachineList {
  data: MachineRow[];
  links: Record<'first' | 'last' | 'prev' | 'next', string | null>;
  meta: {
    current_page: number;
    from: number | null;
    last_page: number;
    path: string;
    per_page: number;
    to: number | null;
    total: number;
  };
  current_page: number;
  last_page: number;
  per_page: number;
  total: number;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const fleet_id = world.north.fleets[0];
  const addMachine = (values: object) => add(app.db, 'machines', { fleet_id, custom_type: 'Special', ...values });
  createdIds = {
    percent: await addMachine({ serial_number: '100%-sure', price: '1000.00' }),
    underscore: await addMachine({ serial_number: '100_sure' }),
    backslash: await addMachine({ serial_number: 'a\\b' }),
    comma: await addMachine({ serial_number: 'one,two' }),
    nullText: await addMachine({ serial_number: 'null' }),
    bare: await addMachine({ serial_number: 'bare', location_id: null, price: null, note: null }),
    umlaut: await addMachine({ serial_number: 'Größe-7', note: 'Ärger' }),
  };
});
afterAll(() => app.close());

const listMachines = async (query: string, caller = world.users.admin): Promise<TestResponse<MachineList>> =>
  app.call<MachineList>(caller, 'GET', `machines?${query}`);
const listIds = async (query: string) => {
  const { status, body } = await listMachines(`per_page=1000&sort=id&${query}`);
  expect(status).toBe(200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }) => id);
};
const filterBy = (name: string, value: string) =>
  `${encodeURIComponent(`filter[${name}]`)}=${encodeURIComponent(value)}`;
/** In UTC. The machines of the world may have been created just before midnight. */
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const northMachines = () => world.north.machines;
const southMachines = () => world.south.machines;
const firstMachine = (machines: () => number[]) => machines()[0] as number;
const lastMachine = (machines: () => number[]) => machines().at(-1) as number;
const allMachineIds = () => [...world.north.machines, ...world.south.machines, ...Object.values(createdIds)];

describe('paging', () => {
  test('returns the first 10 rows by default, with links and meta', async () => {
    const { body } = await listMachines('');
    expect(body.data).toHaveLength(10);
    expect(body).toMatchObject({
      current_page: 1,
      per_page: 10,
      last_page: 3,
      total: 23,
      meta: { current_page: 1, from: 1, to: 10, last_page: 3, per_page: 10, total: 23 },
    });
    expect(body.links.prev).toBeNull();
    expect(new URL(body.links.next ?? '').searchParams.get('page')).toBe('2');
    expect(new URL(body.links.last ?? '').searchParams.get('page')).toBe('3');
    expect(body.meta.path).toMatch(/\/api\/v1\/machines$/);
  });

  test('links keep the rest of the query', async () => {
    const { body } = await listMachines('per_page=2&page=2&sort=-id&filter[status]=Offline&include=fleet');
    const next = new URL(body.links.next ?? '').searchParams;
    expect([
      next.get('per_page'),
      next.get('page'),
      next.get('sort'),
      next.get('filter[status]'),
      next.get('include'),
    ]).toEqual(['2', '3', '-id', 'Offline', 'fleet']);
    expect(new URL(body.links.prev ?? '').searchParams.get('page')).toBe('1');
  });

  test.each(['0', '-1', 'x', '1.5', '', '1e3', ' 2', '%00', '2;drop'])('page=%s is page 1', async (page) => {
    expect((await listMachines(`page=${page}`)).body.current_page).toBe(1);
  });

  test('returns no rows and the total for a page past the end', async () => {
    const { status, body } = await listMachines('page=500');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [],
      total: 23,
      current_page: 500,
      last_page: 3,
      meta: { from: null, to: null },
    });
    expect((await listMachines(`page=${'9'.repeat(30)}`)).body).toMatchObject({
      data: [],
      total: 23,
      meta: { from: null, to: null },
    });
  });

  test('per_page is capped at 1000 and echoed', async () => {
    expect((await listMachines('per_page=5000')).body).toMatchObject({ per_page: 1000, total: 23 });
    expect((await listMachines('per_page=0')).body.per_page).toBe(10);
    expect((await listMachines(`per_page=${'9'.repeat(30)}`)).body.per_page).toBe(1000);
  });

  test.each(['limit=3', 'perPage=3', 'page[size]=3', 'page%5Bsize%5D=3'])('accepts %s as page size', async (query) => {
    const { body } = await listMachines(query);
    expect(body.per_page).toBe(3);
    expect(body.data).toHaveLength(3);
  });

  test('accepts page[number] as page', async () => {
    expect((await listMachines('page[number]=2&page[size]=5')).body).toMatchObject({ current_page: 2, per_page: 5 });
  });

  test('neither repeats nor omits rows in any order', async () => {
    for (const sort of ['status', '-status', 'fleet.name', '-price', 'price', 'location_id', 'type.name']) {
      const pages = await Promise.all(
        [1, 2, 3, 4, 5].map((page) => listMachines(`per_page=5&page=${page}&sort=${sort}`)),
      );
      const ids = pages.flatMap(({ body }) => body.data.map(({ id }) => id));
      expect([...ids].sort((a, b) => a - b)).toEqual(allMachineIds().sort((a, b) => a - b));
    }
  });
});

describe('sorting', () => {
  test('by a field, ascending and descending', async () => {
    const ascendingIds = (await listMachines('sort=serial_number&per_page=1000')).body.data.map(({ id }) => id);
    const descendingIds = (await listMachines('sort=-serial_number&per_page=1000')).body.data.map(({ id }) => id);
    expect(ascendingIds.indexOf(createdIds.bare)).toBeLessThan(ascendingIds.indexOf(firstMachine(northMachines)));
    expect(descendingIds).toEqual([...ascendingIds].reverse());
  });

  test('by several fields', async () => {
    const { body } = await listMachines('sort=-fleet_id,id&per_page=1000');
    const keys = body.data.map(({ fleet_id, id }) => [fleet_id as number, id]);
    const expected = [...keys].sort(([a = 0, x = 0], [b = 0, y = 0]) => b - a || x - y);
    expect(keys).toEqual(expected);
  });

  test('by a field of a relation, then by id', async () => {
    const { body } = await listMachines('sort=fleet.name&per_page=1000&include=fleet');
    const keys = body.data.map(({ fleet, id }) => ({ name: (fleet as { name: string }).name, id }));
    expect(keys).toEqual([...keys].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)));
  });

  test('by a derived reference and by telemetry columns', async () => {
    for (const sort of ['client_id', 'client.name', 'battery', '-last_seen', 'overall_cleaning_time']) {
      const { status, body } = await listMachines(`sort=${sort}&per_page=1000`);
      expect([sort, status, body.data?.length]).toEqual([sort, 200, 23]);
    }
  });
});

describe('filters', () => {
  test.each<[behaviour: string, name: string, value: string, matches: () => number[]]>([
    ['text anywhere, ignoring case', 'serial_number', 'NORTH-1', () => world.north.machines.slice(0, 4)],
    ['text anywhere, ignoring case', 'serial_number', 'größe', () => [createdIds.umlaut]],
    ['text anywhere, ignoring case', 'note', 'ärg', () => [createdIds.umlaut]],
    [
      'any of comma-separated values',
      'serial_number',
      'north-111,south-222',
      () => [firstMachine(northMachines), lastMachine(southMachines)],
    ],
    ['% literally', 'serial_number', '100%', () => [createdIds.percent]],
    ['% literally', 'serial_number', '%', () => [createdIds.percent]],
    ['% literally', 'search', '0%-s', () => [createdIds.percent]],
    ['_ literally', 'serial_number', '100_', () => [createdIds.underscore]],
    ['a backslash literally', 'serial_number', 'a\\b', () => [createdIds.backslash]],
    ['every row if the value is empty', 'serial_number', '', allMachineIds],
    ['every row if the value is empty', 'fleet_id', '', allMachineIds],
    ['null as empty', 'location_id', 'null', () => Object.values(createdIds)],
    ['null as empty', 'last_seen', 'null', allMachineIds],
    ['no part of a choice', 'stock_state', 'deploy', () => []],
    ['any of several choices', 'stock_state', 'deployed,retired', allMachineIds],
    ['no id that is malformed', 'fleet_id', 'x', () => []],
    ['no id beyond the range of the column', 'fleet_id', '99999999999', () => []],
    ['booleans', 'is_dummy', 'true', () => []],
    ['booleans', 'is_dummy', '1', () => []],
    ['booleans', 'is_dummy', 'false', allMachineIds],
    ['booleans', 'is_dummy', '0', allMachineIds],
    ['no boolean that is malformed', 'is_dummy', 'maybe', () => []],
    ['a range of numbers', 'price', '>=222.50,<1000', () => [lastMachine(northMachines), lastMachine(southMachines)]],
    ['an exact number', 'price', '1000', () => [createdIds.percent]],
    ['greater numbers', 'price', '>999.99', () => [createdIds.percent]],
    ['numbers up to a limit', 'price', '<=111.50', () => [firstMachine(northMachines), firstMachine(southMachines)]],
    ['other numbers', 'price', '<>1000', () => [...northMachines(), ...southMachines()]],
    [
      'any of several numbers',
      'price',
      '111.50,112.50',
      () => [northMachines, southMachines].flatMap((machinesOf) => machinesOf().slice(0, 2)),
    ],
    [
      'a day',
      'purchase_date',
      '2021-01-02',
      () => [northMachines, southMachines].flatMap((machinesOf) => machinesOf().slice(1, 2)),
    ],
    [
      'a range of days',
      'purchase_date',
      '>=2022-01-01,<2022-02-01',
      () => [northMachines, southMachines].flatMap((machinesOf) => machinesOf().slice(4, 6)),
    ],
    ['no day that does not exist', 'purchase_date', '2021-02-30', () => []],
    ['moments since a day', 'created_at', `>=${yesterday}`, allMachineIds],
    ['moments before a day', 'created_at', '<2000-01-01', () => []],
    ['moments after an instant', 'created_at', '>2000-01-01T00:00:00Z', allMachineIds],
    ['a field of a relation', 'fleet.name', 'south fleet 1', () => southMachines().slice(0, 4)],
    ['a field of a relation', 'fleet.client.name', 'south', southMachines],
    ['a field of a relation', 'location.city', 'North', northMachines],
    ['a field of a relation', 'documents.name', 'South-221', () => southMachines().slice(6, 7)],
    ['declared fields in a search', 'search', 'south-2', () => southMachines().slice(4)],
    [
      'declared fields in a search',
      'search',
      'Site 12',
      () => [northMachines, southMachines].flatMap((machinesOf) => machinesOf().slice(2, 4)),
    ],
    ['declared fields in a search', 'search', 'special', () => Object.values(createdIds)],
    ['declared fields in a search', 'search', 'scrubber s1', () => [...northMachines(), ...southMachines()]],
    ['declared fields in a search', 'search', 'zzzzzz', () => []],
  ])('match %s: %s=%s', async (_, name, value, matches) => {
    expect(await listIds(filterBy(name, value))).toEqual(matches().sort((a, b) => a - b));
  });

  test('match ids exactly, with comparisons and by lists', async () => {
    const { bare: withoutValues, umlaut } = createdIds;
    expect(await listIds(filterBy('fleet_id', String(world.south.fleets[1])))).toEqual(southMachines().slice(4));
    expect(await listIds(filterBy('client_id', String(world.north.client)))).toHaveLength(15);
    expect(await listIds(filterBy('id', `>=${withoutValues}`))).toEqual([withoutValues, umlaut]);
    expect(await listIds(filterBy('id', `${withoutValues},${umlaut}`))).toEqual([withoutValues, umlaut]);
    expect(await listIds(`${filterBy('id][', String(withoutValues))}&${filterBy('id][', String(umlaut))}`)).toEqual([
      withoutValues,
      umlaut,
    ]);
  });

  test('take commas in a list of values literally', async () => {
    expect(await listIds('filter[serial_number][]=one%2Ctwo')).toEqual([createdIds.comma]);
  });

  test('match null as empty, together with values', async () => {
    expect(await listIds(filterBy('price', 'null'))).not.toContain(createdIds.percent);
    expect(await listIds(filterBy('price', 'null'))).toContain(createdIds.bare);
    expect(await listIds(filterBy('price', 'null,1000'))).toEqual(
      expect.arrayContaining([createdIds.percent, createdIds.bare]),
    );
    expect(await listIds(filterBy('note', 'null'))).not.toContain(createdIds.umlaut);
  });

  test('accept relations by nesting', async () => {
    expect(await listIds('filter[fleet][name]=South%20Fleet%201')).toEqual(southMachines().slice(0, 4));
  });

  test('are combined by "and"', async () => {
    expect(await listIds(`${filterBy('fleet.name', 'Fleet 1')}&${filterBy('serial_number', '112')}`)).toEqual([
      northMachines()[1],
      southMachines()[1],
    ]);
  });

  test('match tags anywhere', async () => {
    const { body } = await app.call<MachineList>(world.admin, 'GET', `clients?${filterBy('tags', 'nor')}`);
    expect(body.data.map(({ id }) => id)).toEqual([world.north.client]);
  });
});

describe('includes', () => {
  test('add the row of a reference beside its id', async () => {
    const { body } = await listMachines(
      `${filterBy('id', String(world.north.machines[0]))}&include=fleet,location,type,tracker,client`,
    );
    const [row] = body.data;
    expect(row).toMatchObject({
      fleet_id: world.north.fleets[0],
      fleet: { id: world.north.fleets[0], name: 'North Fleet 1' },
      location: { name: 'North Site 11' },
      type: { name: 'Scrubber S1' },
      tracker: { refno: 'TR-North-111' },
      client_id: world.north.client,
      client: { name: 'North Cleaning' },
    });
  });

  test('are null for an empty reference', async () => {
    const { body } = await listMachines(`${filterBy('id', String(createdIds.bare))}&include=location`);
    expect(body.data[0]).toMatchObject({ location_id: null, location: null });
  });

  test('add related rows as a list, nested ones by dots', async () => {
    const { body } = await app.call<MachineList>(
      world.admin,
      'GET',
      `fleets?${filterBy('id', String(world.south.fleets[0]))}&include=locations.machines,machines`,
    );
    const [fleet] = body.data as unknown as {
      locations: { id: number; machines: MachineRow[] }[];
      machines: MachineRow[];
    }[];
    expect(fleet?.locations.map(({ id }) => id)).toEqual(world.south.locations.slice(0, 2));
    expect(fleet?.locations.map(({ machines }) => machines.map(({ id }) => id))).toEqual([
      world.south.machines.slice(0, 2),
      world.south.machines.slice(2, 4),
    ]);
    expect(fleet?.machines).toHaveLength(4);
  });

  test('add the number of related rows with the suffix Count', async () => {
    const { body } = await app.call<MachineList>(
      world.admin,
      'GET',
      'clients?sort=id&include=fleetsCount,machinesCount,usersCount',
    );
    expect(
      body.data.map(({ fleets_count, machines_count, users_count }) => [fleets_count, machines_count, users_count]),
    ).toEqual([
      [2, 15, 3],
      [2, 8, 3],
    ]);
  });
});

describe('sparse fields', () => {
  test('limit the row and included rows to the requested fields', async () => {
    const { body } = await listMachines(
      'fields[machines]=id,serial_number&include=fleet&fields[fleets]=name&per_page=1&sort=id',
    );
    expect(body.data).toEqual([
      { id: world.north.machines[0], serial_number: 'North-111', fleet: { name: 'North Fleet 1' } },
    ]);
  });
});

test.each([
  ['sort', 'nonsense', 'serial_number'],
  ['filter', 'nonsense', 'serial_number'],
  ['filter', 'fleet.nonsense', 'serial_number'],
  ['filter', 'nonsense.name', 'serial_number'],
  ['filter', 'documents', 'serial_number'],
  ['filter', 'constructor', 'serial_number'],
  ['filter', '__proto__', 'serial_number'],
  ['filter', 'fleet.__proto__.x', 'serial_number'],
  ['filter', "id'--", 'serial_number'],
  ['include', 'nonsense', 'fleet'],
  ['include', 'fleetCount', 'fleet'],
  ['include', 'documentsCount.x', 'fleet'],
  ['include', '__proto__', 'fleet'],
  ['field', 'nonsense', 'serial_number'],
])('rejects the unknown %s %s with 400 and lists the allowed names', async (parameter, name, allowed) => {
  const queries: Record<string, string> = {
    sort: `sort=${name}`,
    filter: filterBy(name, '1'),
    include: `include=${name}`,
    field: `fields[machines]=id,${name}`,
  };
  const response = await app.call<{ message: string }>(world.admin, 'GET', `machines?${queries[parameter]}`);
  expect(response.status).toBe(400);
  const { message } = response.body;
  expect(message).toContain(`Requested ${parameter}(s) \`${name}\` are not allowed. Allowed ${parameter}(s) are \``);
  expect(message.slice(message.indexOf('. Allowed'))).toMatch(new RegExp(`\\b${allowed}\\b.*\`\\.$`));
});

describe('values', () => {
  test('format money as decimal strings, dates as days, times with Z', async () => {
    const { body } = await listMachines(`${filterBy('id', String(world.north.machines[0]))}`);
    const [row] = body.data;
    expect(row).toMatchObject({
      price: '111.50',
      purchase_date: '2021-01-01',
      depreciation_rate: 10,
      version: 1,
      tracker_id: world.north.trackers[0],
    });
    expect(row?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('keep the leading zero of a postal code', async () => {
    const { body } = await app.call<MachineList>(world.admin, 'GET', 'clients?sort=id');
    expect(body.data[0]?.postal_code).toBe('01067');
  });
});

describe('totals', () => {
  test('include every write immediately', async () => {
    const readTotal = async () => (await listMachines(filterBy('serial_number', 'counted'))).body.total;
    expect(await readTotal()).toBe(0);
    const { body } = await app.call<{ data: MachineRow }>(world.admin, 'POST', 'machines', {
      serial_number: 'Counted 1',
      fleet_id: world.north.fleets[0],
      custom_type: 'Special',
    });
    expect(await readTotal()).toBe(1);
    await app.call(world.admin, 'PATCH', `machines/${body.data.id}`, { serial_number: 'Renamed' });
    expect(await readTotal()).toBe(0);
    await app.call(world.admin, 'PATCH', `machines/${body.data.id}`, { serial_number: 'counted again' });
    expect(await readTotal()).toBe(1);
    await app.call(world.admin, 'DELETE', `machines/${body.data.id}`);
    expect(await readTotal()).toBe(0);
    expect(
      (await listMachines(`${filterBy('trashed', 'only')}&${filterBy('serial_number', 'counted')}`)).body.total,
    ).toBe(1);
    await app.call(world.admin, 'POST', `machines/${body.data.id}/restore`);
    expect(await readTotal()).toBe(1);
  });
});

test('an alias serves the same rows', async () => {
  const clients = await app.call<MachineList>(world.admin, 'GET', 'clients?sort=id');
  const companies = await app.call<MachineList>(world.admin, 'GET', 'companies?sort=id');
  expect(companies.body.data).toEqual(clients.body.data);
  const sparseResponse = await app.call<MachineList>(world.admin, 'GET', 'companies?sort=id&fields[companies]=name');
  expect(sparseResponse.body.data).toEqual(clients.body.data.map(({ name }) => ({ name })));
});
