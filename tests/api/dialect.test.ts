/** The list dialect of the contract, case by case: paging, filters, sorts, includes, sparse fields, totals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type TestApp, testApp } from '../support/app';
import { add } from '../support/rows';
import { addWorld, type World } from '../support/world';

let app: TestApp;
let world: World;
/** Machines beside the world's sixteen, made to be filtered. */
let created: Record<'percent' | 'underscore' | 'backslash' | 'comma' | 'nullText' | 'bare' | 'umlaut', number>;

interface Item {
  id: number;
  [field: string]: unknown;
}
interface List {
  data: Item[];
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
  app = await testApp();
  world = await addWorld(app.db);
  const fleet_id = world.north.fleets[0];
  const machine = (values: object) => add(app.db, 'machines', { fleet_id, custom_type: 'Special', ...values });
  created = {
    percent: await machine({ serial_number: '100%-sure', price: '1000.00' }),
    underscore: await machine({ serial_number: '100_sure' }),
    backslash: await machine({ serial_number: 'a\\b' }),
    comma: await machine({ serial_number: 'one,two' }),
    nullText: await machine({ serial_number: 'null' }),
    bare: await machine({ serial_number: 'bare', location_id: null, price: null, note: null }),
    umlaut: await machine({ serial_number: 'Größe-7', note: 'Ärger' }),
  };
});
afterAll(() => app.close());

const list = async (query: string, as = world.users.admin): Promise<Answer<List>> =>
  app.call<List>(as, 'GET', `machines?${query}`);
const search = async (query: string) => {
  const { status, body } = await list(`per_page=1000&sort=id&${query}`);
  expect(status).toBe(200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }) => id);
};
const by = (name: string, value: string) => `${encodeURIComponent(`filter[${name}]`)}=${encodeURIComponent(value)}`;
const all = () => [...world.north.machines, ...world.south.machines, ...Object.values(created)];

describe('pages', () => {
  test('10 rows of page 1 by default, with links and meta', async () => {
    const { body } = await list('');
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
    const { body } = await list('per_page=2&page=2&sort=-id&filter[status]=Offline&include=fleet');
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
    expect((await list(`page=${page}`)).body.current_page).toBe(1);
  });

  test('a page past the end is empty and still has the total', async () => {
    const { status, body } = await list('page=500');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [],
      total: 23,
      current_page: 500,
      last_page: 3,
      meta: { from: null, to: null },
    });
    expect((await list(`page=${'9'.repeat(30)}`)).body).toMatchObject({
      data: [],
      total: 23,
      meta: { from: null, to: null },
    });
  });

  test('per_page is capped at 1000 and echoed', async () => {
    expect((await list('per_page=5000')).body).toMatchObject({ per_page: 1000, total: 23 });
    expect((await list('per_page=0')).body.per_page).toBe(10);
    expect((await list(`per_page=${'9'.repeat(30)}`)).body.per_page).toBe(1000);
  });

  test.each(['limit=3', 'perPage=3', 'page[size]=3', 'page%5Bsize%5D=3'])('%s is a page size too', async (query) => {
    const { body } = await list(query);
    expect(body.per_page).toBe(3);
    expect(body.data).toHaveLength(3);
  });

  test('page[number] is a page too', async () => {
    expect((await list('page[number]=2&page[size]=5')).body).toMatchObject({ current_page: 2, per_page: 5 });
  });

  test('pages neither repeat nor lose rows with any sort', async () => {
    for (const sort of ['status', '-status', 'fleet.name', '-price', 'price', 'location_id', 'type.name']) {
      const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`per_page=5&page=${page}&sort=${sort}`)));
      const ids = pages.flatMap(({ body }) => body.data.map(({ id }) => id));
      expect([...ids].sort((a, b) => a - b)).toEqual(all().sort((a, b) => a - b));
    }
  });
});

describe('sorts', () => {
  test('by a field, up and down', async () => {
    const up = (await list('sort=serial_number&per_page=1000')).body.data.map(({ id }) => id);
    const down = (await list('sort=-serial_number&per_page=1000')).body.data.map(({ id }) => id);
    expect(down).toEqual([...up].reverse());
  });

  test('by several fields', async () => {
    const { body } = await list('sort=-fleet_id,id&per_page=1000');
    const keys = body.data.map(({ fleet_id, id }) => [fleet_id as number, id]);
    const expected = [...keys].sort(([a = 0, x = 0], [b = 0, y = 0]) => b - a || x - y);
    expect(keys).toEqual(expected);
  });

  test('by a field of a relation, ties by id', async () => {
    const { body } = await list('sort=fleet.name&per_page=1000&include=fleet');
    const keys = body.data.map(({ fleet, id }) => ({ name: (fleet as { name: string }).name, id }));
    expect(keys).toEqual([...keys].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)));
  });

  test('by a derived reference and by telemetry columns', async () => {
    for (const sort of ['client_id', 'client.name', 'battery', '-last_seen', 'overall_cleaning_time']) {
      const { status, body } = await list(`sort=${sort}&per_page=1000`);
      expect([sort, status, body.data?.length]).toEqual([sort, 200, 23]);
    }
  });

  test('an unknown one is refused with the sentence of the dialect', async () => {
    const { status, body } = await list('sort=nonsense');
    expect(status).toBe(400);
    expect((body as unknown as { message: string }).message).toMatch(
      /^Requested sort\(s\) `nonsense` are not allowed\. Allowed sort\(s\) are `.*serial_number.*`\.$/,
    );
  });
});

describe('filters', () => {
  test('match text case-insensitively anywhere', async () => {
    expect(await search(by('serial_number', 'NORTH-1'))).toEqual(world.north.machines.slice(0, 4));
    expect(await search(by('serial_number', 'größe'))).toEqual([created.umlaut]);
    expect(await search(by('note', 'ärg'))).toEqual([created.umlaut]);
  });

  test('a comma means any of', async () => {
    expect(await search(by('serial_number', 'north-111,south-222'))).toEqual([
      world.north.machines[0],
      world.south.machines[7],
    ]);
    expect(await search(by('id', `${created.bare},${created.umlaut}`))).toEqual([created.bare, created.umlaut]);
  });

  test('a list means any of, commas in it are literal', async () => {
    expect(await search(`${by('id][', String(created.bare))}&${by('id][', String(created.umlaut))}`)).toEqual([
      created.bare,
      created.umlaut,
    ]);
    expect(await search('filter[serial_number][]=one%2Ctwo')).toEqual([created.comma]);
  });

  test('wildcards are literal', async () => {
    expect(await search(by('serial_number', '100%'))).toEqual([created.percent]);
    expect(await search(by('serial_number', '100_'))).toEqual([created.underscore]);
    expect(await search(by('serial_number', 'a\\b'))).toEqual([created.backslash]);
    expect(await search(by('serial_number', '%'))).toEqual([created.percent]);
    expect(await search(by('search', '0%-s'))).toEqual([created.percent]);
  });

  test('an empty value is skipped', async () => {
    expect(await search(by('serial_number', ''))).toHaveLength(23);
    expect(await search(by('fleet_id', ''))).toHaveLength(23);
  });

  test('null is empty', async () => {
    expect(await search(by('location_id', 'null'))).toEqual(Object.values(created));
    expect(await search(by('price', 'null'))).not.toContain(created.percent);
    expect(await search(by('price', 'null'))).toContain(created.bare);
    expect(await search(by('note', 'null'))).not.toContain(created.umlaut);
    expect(await search(by('last_seen', 'null'))).toHaveLength(23);
  });

  test('ids and choices are exact', async () => {
    expect(await search(by('fleet_id', String(world.south.fleets[1])))).toEqual(world.south.machines.slice(4));
    expect(await search(by('stock_state', 'deploy'))).toEqual([]);
    expect(await search(by('stock_state', 'deployed,retired'))).toHaveLength(23);
    expect(await search(by('fleet_id', 'x'))).toEqual([]);
    expect(await search(by('fleet_id', '99999999999'))).toEqual([]);
  });

  test('booleans take true, false, 1 and 0', async () => {
    expect(await search(by('is_dummy', 'true'))).toEqual([]);
    expect(await search(by('is_dummy', '1'))).toEqual([]);
    expect(await search(by('is_dummy', 'false'))).toHaveLength(23);
    expect(await search(by('is_dummy', '0'))).toHaveLength(23);
    expect(await search(by('is_dummy', 'maybe'))).toEqual([]);
  });

  test('numbers by prefix, a comma joins by and', async () => {
    expect(await search(by('price', '>=222.50,<1000'))).toEqual([world.north.machines[7], world.south.machines[7]]);
    expect(await search(by('price', '1000'))).toEqual([created.percent]);
    expect(await search(by('price', '>999.99'))).toEqual([created.percent]);
    expect(await search(by('price', '<=111.50'))).toEqual([world.north.machines[0], world.south.machines[0]]);
    expect(await search(by('price', '<>1000'))).toHaveLength(16);
    expect(await search(by('price', '111.50,112.50'))).toHaveLength(4);
    expect(await search(by('id', `>=${created.bare}`))).toEqual([created.bare, created.umlaut]);
  });

  test('dates by prefix', async () => {
    expect(await search(by('purchase_date', '2021-01-02'))).toEqual([world.north.machines[1], world.south.machines[1]]);
    expect(await search(by('purchase_date', '>=2022-01-01,<2022-02-01'))).toEqual([
      ...world.north.machines.slice(4, 6),
      ...world.south.machines.slice(4, 6),
    ]);
    expect(await search(by('purchase_date', '2021-02-30'))).toEqual([]);
  });

  test('moments by day and by instant', async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(await search(by('created_at', `>=${today}`))).toHaveLength(23);
    expect(await search(by('created_at', '<2000-01-01'))).toEqual([]);
    expect(await search(by('created_at', '>2000-01-01T00:00:00Z'))).toHaveLength(23);
  });

  test('a relation by dots and by nesting', async () => {
    const expected = world.south.machines.slice(0, 4);
    expect(await search(by('fleet.name', 'south fleet 1'))).toEqual(expected);
    expect(await search('filter[fleet][name]=South%20Fleet%201')).toEqual(expected);
    expect(await search(by('fleet.client.name', 'south'))).toEqual(world.south.machines);
    expect(await search(by('location.city', 'North'))).toEqual(world.north.machines);
    expect(await search(by('client_id', String(world.north.client)))).toHaveLength(15);
    expect(await search(by('documents.name', 'South-221'))).toEqual([world.south.machines[6]]);
  });

  test('combine by and', async () => {
    expect(await search(`${by('fleet.name', 'Fleet 1')}&${by('serial_number', '112')}`)).toEqual([
      world.north.machines[1],
      world.south.machines[1],
    ]);
  });

  test('search looks through the declared fields', async () => {
    expect(await search(by('search', 'south-2'))).toEqual(world.south.machines.slice(4));
    expect(await search(by('search', 'Site 12'))).toEqual([
      ...world.north.machines.slice(2, 4),
      ...world.south.machines.slice(2, 4),
    ]);
    expect(await search(by('search', 'special'))).toEqual(Object.values(created));
    expect(await search(by('search', 'scrubber s1'))).toHaveLength(16);
    expect(await search(by('search', 'zzzzzz'))).toEqual([]);
  });

  test('tags are contained', async () => {
    const { body } = await app.call<List>(world.admin, 'GET', `clients?${by('tags', 'nor')}`);
    expect(body.data.map(({ id }) => id)).toEqual([world.north.client]);
  });

  test('an unknown one is refused with the sentence of the dialect', async () => {
    for (const name of [
      'nonsense',
      'fleet.nonsense',
      'nonsense.name',
      'documents',
      'constructor',
      '__proto__',
      'fleet.__proto__.x',
      "id'--",
    ]) {
      const { status, body } = await list(by(name, '1'));
      expect([name, status]).toEqual([name, 400]);
      const { message } = body as unknown as { message: string };
      expect(message).toContain(`Requested filter(s) \`${name}\` are not allowed. Allowed filter(s) are \``);
      expect(message).toMatch(/serial_number.*`\.$/);
    }
  });
});

describe('includes', () => {
  test('a reference adds its row beside its id', async () => {
    const { body } = await list(
      `${by('id', String(world.north.machines[0]))}&include=fleet,location,type,tracker,client`,
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

  test('an empty reference is null', async () => {
    const { body } = await list(`${by('id', String(created.bare))}&include=location`);
    expect(body.data[0]).toMatchObject({ location_id: null, location: null });
  });

  test('related rows come as a list, nested ones by dots', async () => {
    const { body } = await app.call<List>(
      world.admin,
      'GET',
      `fleets?${by('id', String(world.south.fleets[0]))}&include=locations.machines,machines`,
    );
    const [fleet] = body.data as unknown as { locations: { id: number; machines: Item[] }[]; machines: Item[] }[];
    expect(fleet?.locations.map(({ id }) => id)).toEqual(world.south.locations.slice(0, 2));
    expect(fleet?.locations.map(({ machines }) => machines.map(({ id }) => id))).toEqual([
      world.south.machines.slice(0, 2),
      world.south.machines.slice(2, 4),
    ]);
    expect(fleet?.machines).toHaveLength(4);
  });

  test('Count adds a number', async () => {
    const { body } = await app.call<List>(
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

  test('an unknown one is refused with the sentence of the dialect', async () => {
    for (const name of ['nonsense', 'fleetCount', 'documentsCount.x', 'fleet.nonsense', '__proto__']) {
      const { status, body } = await list(`include=${name}`);
      expect([name, status]).toEqual([name, 400]);
      expect((body as unknown as { message: string }).message).toMatch(
        /^Requested include\(s\) `.*` are not allowed\. Allowed include\(s\) are `.*`\.$/,
      );
    }
  });
});

describe('sparse fields', () => {
  test('only the requested ones, of the row and of included rows', async () => {
    const { body } = await list(
      'fields[machines]=id,serial_number&include=fleet&fields[fleets]=name&per_page=1&sort=id',
    );
    expect(body.data).toEqual([
      { id: world.north.machines[0], serial_number: 'North-111', fleet: { name: 'North Fleet 1' } },
    ]);
  });

  test('an unknown one is refused with the sentence of the dialect', async () => {
    const { status, body } = await list('fields[machines]=id,nonsense');
    expect(status).toBe(400);
    expect((body as unknown as { message: string }).message).toMatch(
      /^Requested field\(s\) `nonsense` are not allowed\. Allowed field\(s\) are `.*`\.$/,
    );
  });
});

describe('values', () => {
  test('money is a decimal string, dates are days, times end with Z, numbers are numbers', async () => {
    const { body } = await list(`${by('id', String(world.north.machines[0]))}`);
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

  test('a postal code retains its leading zero', async () => {
    const { body } = await app.call<List>(world.admin, 'GET', 'clients?sort=id');
    expect(body.data[0]?.postal_code).toBe('01067');
  });
});

describe('totals', () => {
  test('follow every write at once', async () => {
    const total = async () => (await list(by('serial_number', 'counted'))).body.total;
    expect(await total()).toBe(0);
    const { body } = await app.call<{ data: Item }>(world.admin, 'POST', 'machines', {
      serial_number: 'Counted 1',
      fleet_id: world.north.fleets[0],
      custom_type: 'Special',
    });
    expect(await total()).toBe(1);
    await app.call(world.admin, 'PATCH', `machines/${body.data.id}`, { serial_number: 'Renamed' });
    expect(await total()).toBe(0);
    await app.call(world.admin, 'PATCH', `machines/${body.data.id}`, { serial_number: 'counted again' });
    expect(await total()).toBe(1);
    await app.call(world.admin, 'DELETE', `machines/${body.data.id}`);
    expect(await total()).toBe(0);
    expect((await list(`${by('trashed', 'only')}&${by('serial_number', 'counted')}`)).body.total).toBe(1);
    await app.call(world.admin, 'POST', `machines/${body.data.id}/restore`);
    expect(await total()).toBe(1);
  });
});

test('an alias serves the same rows', async () => {
  const clients = await app.call<List>(world.admin, 'GET', 'clients?sort=id');
  const companies = await app.call<List>(world.admin, 'GET', 'companies?sort=id');
  expect(companies.body.data).toEqual(clients.body.data);
  const sparse = await app.call<List>(world.admin, 'GET', 'companies?sort=id&fields[companies]=name');
  expect(sparse.body.data).toEqual(clients.body.data.map(({ name }) => ({ name })));
});
