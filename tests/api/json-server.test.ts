/**
 * `/api/json-server/v1`: the unmodified ra-data-json-server package against the listening application, and calls of
 * json-server that this package does not use.
 */
import { sql } from 'drizzle-orm';
import type { DataProvider, HttpError, RaRecord } from 'react-admin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registry } from '../../schema/index';
import { type JsonServer, openJsonServer } from '../support/openJsonServer';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let jsonServer: JsonServer;
let admin: DataProvider;
let fleet: number;
/** Ids of twelve machines of one fleet, with prices from 100 to 1200. */
const machines: number[] = [];

const byId = { field: 'id', order: 'ASC' } as const;
const firstPage = { page: 1, perPage: 100 };
const idsOf = ({ data }: { data: RaRecord[] }) => data.map(({ id }) => id);
const readStored = (id: number) =>
  app.db.one(sql`select serial_number, note, deleted_at from machines where id = ${id}`);

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { CORS_ORIGINS: 'https://admin.example.com' } }));
  fleet = await add(app.db, 'fleets', { client_id: world.north.client, name: 'Door fleet' });
  for (let number = 1; number <= 12; number += 1)
    machines.push(
      await add(app.db, 'machines', {
        serial_number: `DOOR-${String(number).padStart(2, '0')}`,
        fleet_id: fleet,
        type_id: world.type,
        price: `${number}00.00`,
        ...(number > 10 && { note: 'Spare, stored' }),
      }),
    );
  jsonServer = await openJsonServer(app);
  admin = await jsonServer.createProvider(world.admin);
});
afterAll(() => app.close());

describe('ra-data-json-server', () => {
  test('getList: a page, the total, nested filters, both directions', async () => {
    const sort = { field: 'serial_number', order: 'DESC' } as const;
    const page = await admin.getList('machines', {
      pagination: { page: 2, perPage: 5 },
      sort,
      filter: { fleet_id: fleet },
    });
    expect(page.total).toBe(12);
    expect(page.data.map(({ serial_number }) => serial_number)).toEqual(
      [7, 6, 5, 4, 3].map((number) => `DOOR-${String(number).padStart(2, '0')}`),
    );
    expect(page.data[0]).toMatchObject({ fleet_id: fleet, price: '700.00' });
    const nestedRows = await admin.getList('machines', {
      pagination: firstPage,
      sort: byId,
      filter: { fleet: { name: 'Door fleet', client: { id: world.north.client } }, price_gte: 300, price_lte: 500 },
    });
    expect([idsOf(nestedRows), nestedRows.total]).toEqual([machines.slice(2, 5), 3]);
  });

  test('getList: search and embedded rows', async () => {
    const { data, total } = await admin.getList('machines', {
      pagination: firstPage,
      sort: byId,
      filter: { q: 'door-0' },
      meta: { embed: ['fleet', 'documents'] },
    });
    expect(total).toBe(9);
    expect(data[0]).toMatchObject({ fleet: { id: fleet, name: 'Door fleet' }, documents: [] });
  });

  test('getOne, with embedded rows', async () => {
    const id = machines[0] as number;
    expect((await admin.getOne('machines', { id })).data).toMatchObject({ id, serial_number: 'DOOR-01' });
    const embeddedRow = await admin.getOne('machines', { id, meta: { embed: 'fleet' } });
    expect(embeddedRow.data.fleet).toMatchObject({ id: fleet });
    await expect(admin.getOne('machines', { id: 999_999 })).rejects.toMatchObject({
      status: 404,
      message: 'Not found.',
    });
  });

  test('getMany: more ids than the default page size', async () => {
    expect(idsOf(await admin.getMany('machines', { ids: machines })).sort(sortAscending)).toEqual(machines);
  });

  test('getManyReference', async () => {
    const result = await admin.getManyReference('machines', {
      target: 'fleet_id',
      id: fleet,
      pagination: { page: 3, perPage: 5 },
      sort: byId,
      filter: {},
    });
    expect([idsOf(result), result.total]).toEqual([machines.slice(10), 12]);
  });

  test('create: returns the row with its id, and problems by field', async () => {
    const data = { serial_number: 'DOOR-NEW', fleet_id: fleet, type_id: world.type, price: '12.50' };
    const createResult = await admin.create('machines', { data });
    expect(createResult.data).toMatchObject({ ...data, id: expect.any(Number), version: expect.any(Number) });
    expect(await readStored(createResult.data.id as number)).toMatchObject({ serial_number: 'DOOR-NEW' });
    const rejection: HttpError = await admin.create('machines', { data: { ...data, colour: 'red' } }).then(
      () => expect.unreachable(),
      (error: HttpError) => error,
    );
    expect([rejection.status, Object.keys(rejection.body.errors)]).toEqual([
      422,
      expect.arrayContaining(['serial_number', 'colour']),
    ]);
    expect(rejection.message).toBe(rejection.body.message);
  });

  test('update: accepts a whole record, including embedded rows and read-only fields', async () => {
    const id = machines[1] as number;
    const { data: previousData } = await admin.getOne('machines', { id, meta: { embed: 'fleet' } });
    const { data } = await admin.update('machines', { id, data: { ...previousData, note: 'Kept' }, previousData });
    expect(data).toMatchObject({ id, note: 'Kept', serial_number: 'DOOR-02', fleet_id: fleet });
    expect(await readStored(id)).toMatchObject({ note: 'Kept' });
  });

  test('updateMany and deleteMany: return all ids', async () => {
    const ids = [
      await add(app.db, 'machines', { fleet_id: fleet }),
      await add(app.db, 'machines', { fleet_id: fleet }),
    ];
    expect((await admin.updateMany('machines', { ids, data: { note: 'Both' } })).data).toEqual(ids);
    for (const id of ids) expect(await readStored(id)).toMatchObject({ note: 'Both', deleted_at: null });
    expect((await admin.deleteMany('machines', { ids })).data).toEqual(ids);
    for (const id of ids) expect((await readStored(id))?.deleted_at).not.toBeNull();
  });

  test('delete: moves the row to the bin', async () => {
    const id = await add(app.db, 'machines', { fleet_id: fleet });
    expect((await admin.delete('machines', { id })).data).toEqual({ id });
    expect((await readStored(id))?.deleted_at).not.toBeNull();
    await expect(admin.delete('machines', { id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('json-server', () => {
  const readIds = async (query: string): Promise<{ ids: number[]; total: number }> => {
    const response = await jsonServer.fetchAs(
      world.admin,
      `machines?fleet_id=${fleet}&serial_number_like=DOOR-&_sort=id&${query}`,
    );
    expect([query, response.status]).toEqual([query, 200]);
    const rows = (await response.json()) as { id: number }[];
    return { ids: rows.map(({ id }) => id), total: Number(response.headers.get('x-total-count')) };
  };
  /** Selects only the twelve machines, since other tests add more. */
  const twelveMachines = `serial_number_ne=DOOR-NEW&`;

  test.each([
    ['_start=3&_end=7', [3, 7]],
    ['_start=7&_end=12', [7, 12]],
    ['_start=11&_end=40', [11, 12]],
    ['_start=5&_limit=5', [5, 10]],
    ['_start=10', [10, 12]],
    ['_end=4', [0, 4]],
    ['_limit=2', [0, 2]],
    ['_page=2&_limit=5', [5, 10]],
    ['_page=2', [10, 12]],
    ['_start=40&_end=50', [12, 12]],
    ['_start=5&_end=5', [5, 5]],
    ['_start=7&_end=3', [7, 7]],
    ['', [0, 12]],
  ] as const)('returns the window %s', async (query, [from, to]) => {
    expect(await readIds(twelveMachines + query)).toEqual({ ids: machines.slice(from, to), total: 12 });
  });

  test.each([
    ['serial_number=DOOR-03', [2]],
    ['serial_number=DOOR-0', []],
    ['serial_number=DOOR-03&serial_number=door-05', [2, 4]],
    ['id_ne=1', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    ['price_gte=1100', [10, 11]],
    ['price=300&price=400', [2, 3]],
    ['price=300&price=400&price_gte=350', [3]],
    ['price_ne=100&price_lte=300', [1, 2]],
    ['note=Spare, stored', [10, 11]],
    ['note_like=spare,', [10, 11]],
    ['q=door-12', [11]],
  ] as const)('applies the filter %s', async (query, indexes) => {
    expect((await readIds(twelveMachines + query)).ids).toEqual(indexes.map((index) => machines[index]));
  });

  test('selects by repeated ids and sorts by several keys', async () => {
    const ids = [machines[4], machines[1]];
    const response = await jsonServer.fetchAs(
      world.admin,
      `machines?id=${ids[0]}&id=${ids[1]}&_sort=fleet.name,price&_order=asc,desc`,
    );
    expect(((await response.json()) as { id: number }[]).map(({ id }) => id)).toEqual(ids);
  });

  test('PATCH changes a field, and _expand adds the row of a reference', async () => {
    const id = machines[5];
    const changeResponse = await jsonServer.fetchAs(world.admin, `machines/${id}`, {
      method: 'PATCH',
      body: '{"note":"Patched"}',
    });
    expect([changeResponse.status, await changeResponse.json()]).toEqual([
      200,
      expect.objectContaining({ id, note: 'Patched' }),
    ]);
    const response = await jsonServer.fetchAs(world.admin, `machines/${id}?_expand=fleet`);
    expect(await response.json()).toMatchObject({ note: 'Patched', fleet: { id: fleet } });
    expect(response.headers.get('etag')).toBe(changeResponse.headers.get('etag'));
    const stalePatch = await jsonServer.fetchAs(world.admin, `machines/${id}`, {
      method: 'PUT',
      body: '{"note":"Late"}',
      headers: { 'if-match': '"1"' },
    });
    expect(stalePatch.status).toBe(412);
  });

  test.each([
    ['GET', 'machines?_strat=3', '_strat'],
    ['GET', 'machines?per_page=3', 'per_page'],
    ['GET', 'machines?filter[note]=x', 'filter[note]'],
    ['GET', 'machines?colour=red', 'colour'],
    ['GET', 'machines?note_gte=3', 'note_gte'],
    ['GET', 'machines?price_like=3', 'price_like'],
    ['GET', 'machines?_sort=colour', 'colour'],
    ['GET', 'machines?_sort=id&_order=up', 'up'],
    ['GET', 'machines?_embed=secrets', 'secrets'],
    ['GET', 'machines/1?_start=3', '_start'],
    ['POST', 'machines?_embed=fleet', '_embed'],
    ['PUT', 'machines/1?a=b', 'a'],
    ['DELETE', 'machines/1?permanent=1', 'permanent'],
  ])('%s %s is rejected by name', async (method, path, name) => {
    const response = await jsonServer.fetchAs(world.admin, path, { method, ...(method !== 'GET' && { body: '{}' }) });
    const { message } = (await response.json()) as { message: string };
    expect([response.status, message]).toEqual([400, expect.stringContaining(`\`${name}\``)]);
  });

  const filters = Object.entries(registry.machines.fields)
    .filter(([, { kind }]) => kind !== 'many')
    .flatMap(([name]) => [`${name}=1`, `${name}_ne=1`]);

  test.each([
    [`note=${'x'.repeat(251)}`, '250'],
    [`q=${'a+'.repeat(21)}`, '20'],
    [filters.slice(0, 51).join('&'), '50'],
    [Array.from({ length: 101 }, (_, index) => `note=${index}`).join('&'), '100'],
    [Array.from({ length: 1001 }, () => 'q=a').join('&'), '1000'],
  ])('applies the limits of the list dialect: %#', async (query, limit) => {
    const response = await jsonServer.fetchAs(world.admin, `machines?${query}`);
    const { message } = (await response.json()) as { message: string };
    expect([response.status, message.replaceAll(',', '').replace(/\D/g, ' ')]).toEqual([
      400,
      expect.stringContaining(` ${limit} `),
    ]);
    expect(message).not.toContain('not allowed');
  });

  test('exposes the total to pages of other origins', async () => {
    const { headers } = await jsonServer.fetchAs(world.admin, 'machines?_limit=1', {
      headers: { origin: 'https://admin.example.com' },
    });
    expect(headers.get('access-control-allow-origin')).toBe('https://admin.example.com');
    expect(headers.get('access-control-expose-headers')).toContain('X-Total-Count');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('requires a session', async () => {
    for (const path of ['machines', 'machines/1', 'companies'])
      expect((await app.call(undefined, 'GET', `/api/json-server/v1/${path}`)).status).toBe(401);
  });

  test('serves resources under their aliases', async () => {
    const [clients, companies] = await Promise.all(
      ['clients', 'companies'].map(async (name) => (await jsonServer.fetchAs(world.admin, `${name}?_sort=id`)).json()),
    );
    expect(clients).toHaveLength(2);
    expect(companies).toEqual(clients);
  });
});

const sortAscending = (a: unknown, b: unknown) => Number(a) - Number(b);
