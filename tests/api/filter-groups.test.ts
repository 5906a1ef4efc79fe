/**
 * Filter groups: alternatives are combined by "or", groups by "and". `filter[any][0][1][status]` is alternative 1 of
 * group 0.
 */
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseListQuery, printListQuery } from '../../schema/dsl/listQuery';
import { QueryContext } from '../../server/access/entityModel';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { filterWhere } from '../../server/crud/query/filterWhere';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let rows: MachineRow[];

interface MachineRow {
  id: number;
  serial_number: string;
  note: string | null;
  status: string;
  stock_state: string;
  battery: number | null;
  is_dummy: boolean;
  purchase_date: string | null;
  location: { city: string } | null;
}

interface Leaf {
  name: string;
  values: string[];
  matches: (row: MachineRow) => boolean;
}
/**
 * Single filters and groups. All single filters must match, and at least one alternative per group with all of its
 * filters.
 */
type Tree = { single: Leaf[]; groups: Leaf[][][] };

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  for (const index of Array.from({ length: 60 }).keys()) {
    const tenant = index % 3 === 0 ? world.south : world.north;
    const id = await add(app.db, 'machines', {
      serial_number: `${['Alpha', 'beta', 'GAMMA'][index % 3]} 5%_${index}`,
      fleet_id: tenant.fleets[index % 2],
      location_id: index % 4 === 0 ? null : tenant.locations[(index % 2) * 2],
      note: [null, '', 'Brush, left', 'alpha'][index % 4],
      stock_state: (['in_stock', 'deployed', 'in_repair', 'retired'] as const)[index % 4],
      is_dummy: index % 5 === 0,
      purchase_date: index % 6 === 0 ? null : `2025-0${1 + (index % 9)}-15`,
    });
    await app.db.rows(sql`update machines_state set battery = ${index % 7 === 0 ? null : (index * 13) % 101}::int,
      status = ${['Offline', 'Charging', 'Cleaning'][index % 3]} where id = ${id}`);
  }
  rows = (await app.call<{ data: MachineRow[] }>(world.admin, 'GET', 'machines?per_page=1000&include=location')).body
    .data;
});
afterAll(() => app.close());

const buildFilter = ({ single, groups }: Tree) => [
  ...single.map(({ name, values }) => ({ path: name, values })),
  ...groups.flatMap((alternatives, group) =>
    alternatives.flatMap((leaves, index) =>
      leaves.map(({ name, values }) => ({ path: `any.${group}.${index}.${name}`, values })),
    ),
  ),
];
const matchesTree =
  ({ single, groups }: Tree) =>
  (row: MachineRow) =>
    single.every((leaf) => leaf.matches(row)) &&
    groups.every((alternatives) => alternatives.some((leaves) => leaves.every((leaf) => leaf.matches(row))));

async function findIds(caller: number, search: string): Promise<number[]> {
  const { status, body } = await app.call<{ data: { id: number }[]; total: number }>(
    caller,
    'GET',
    `machines?per_page=1000&sort=id&fields[machines]=id&${search}`,
  );
  expect([search, status]).toEqual([search, 200]);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }) => id);
}

const contains = (text: string | null | undefined, part: string) =>
  (text ?? '').toLowerCase().includes(part.toLowerCase());
/** The comparison of each sign. */
const comparisons: Record<string, (a: number | string, b: number | string) => boolean> = {
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '<>': (a, b) => a !== b,
  '': (a, b) => a === b,
};

const words = fc.constantFrom('alpha', '5%_1', 'brush', 'zebra', 'A');
const leaf = fc.oneof<fc.Arbitrary<Leaf>[]>(
  fc
    .record({ field: fc.constantFrom('serial_number' as const, 'note' as const), text: words })
    .map(({ field, text }) => ({
      name: field,
      values: [text],
      matches: (row) => contains(row[field], text),
    })),
  words.map((text) => ({
    name: 'location.city',
    values: [text],
    matches: (row) => contains(row.location?.city, text),
  })),
  fc.constant<Leaf>({ name: 'note', values: ['null'], matches: ({ note }) => (note ?? '') === '' }),
  fc
    .record({ field: fc.constantFrom('status' as const, 'stock_state' as const), values: choices() })
    .map(({ field, values }) => ({ name: field, values, matches: (row) => values.includes(row[field]) })),
  fc
    .boolean()
    .map((isDummy) => ({ name: 'is_dummy', values: [`${isDummy}`], matches: ({ is_dummy }) => is_dummy === isDummy })),
  fc.record({ sign: fc.constantFrom(...Object.keys(comparisons)), to: fc.nat(100) }).map(({ sign, to }) => ({
    name: 'battery',
    values: [`${sign}${to}`],
    matches: ({ battery }) => battery !== null && comparisons[sign]?.(battery, to) === true,
  })),
  fc
    .record({ sign: fc.constantFrom(...Object.keys(comparisons)), month: fc.integer({ min: 1, max: 9 }) })
    .map(({ sign, month }) => ({
      name: 'purchase_date',
      values: [`${sign}2025-0${month}-15`],
      matches: ({ purchase_date: day }) => day !== null && comparisons[sign]?.(day, `2025-0${month}-15`) === true,
    })),
);
function choices() {
  return fc.uniqueArray(fc.constantFrom<string[]>('Offline', 'Charging', 'deployed', 'retired', 'nothing'), {
    minLength: 1,
    maxLength: 3,
  });
}
const negatableLeaf = fc
  .record({ positive: leaf, not: fc.boolean() })
  .map(
    ({ positive, not }): Leaf =>
      not ? { ...positive, name: `${positive.name}.not`, matches: (row) => !positive.matches(row) } : positive,
  );
const distinctLeaves = (maxLength: number, minLength = 0) =>
  fc.uniqueArray(negatableLeaf, { minLength, maxLength, selector: ({ name }) => name });
const tree: fc.Arbitrary<Tree> = fc.record({
  single: distinctLeaves(2),
  groups: fc.array(fc.array(distinctLeaves(3, 1), { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
});

describe('filter groups', () => {
  test('match the same rows as plain JavaScript, with full and with limited scope', async () => {
    const reachableIds = new Set(await findIds(world.north.users.site_manager, ''));
    await fc.assert(
      fc.asyncProperty(tree, async (input) => {
        const filter = buildFilter(input);
        const search = printListQuery({ filter });
        expect(parseListQuery(search).filter).toEqual(filter);
        const expected = rows.filter(matchesTree(input)).map(({ id }) => id);
        expect(await findIds(world.admin, search)).toEqual(expected.sort((a, b) => a - b));
        // The role cannot read prices and purchase dates.
        if (!search.includes('purchase_date'))
          expect(await findIds(world.north.users.site_manager, search)).toEqual(
            expected.filter((id) => reachableIds.has(id)),
          );
      }),
      { numRuns: 60 },
    );
  });

  test('count, export and change the same rows, whether sent as query string or as JSON', async () => {
    const search =
      'filter[any][0][0][status]=Charging&filter[any][0][1][battery]=<20&filter[any][0][1][is_dummy]=false';
    const expected = rows.filter(
      ({ status, battery, is_dummy }) => status === 'Charging' || (battery !== null && battery < 20 && !is_dummy),
    );
    const ids = expected.map(({ id }) => id).sort((a, b) => a - b);
    expect(ids.length).toBeGreaterThan(3);
    expect(await findIds(world.admin, search)).toEqual(ids);
    const facets = await app.call<{ data: { stock_state: { count: number }[] } }>(
      world.admin,
      'GET',
      `machines/facets?${search}`,
    );
    expect(facets.body.data.stock_state.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
    const file = await app.call(world.admin, 'GET', `machines/export?format=csv&columns=serial_number&${search}`);
    expect(file.text.trim().split('\n').length).toBe(1 + ids.length);
    const groups = [[{ status: 'Charging' }, { battery: '<20', is_dummy: false }]];
    const bulkUpdate = (filter: object) =>
      app.call<{ count: number }>(world.admin, 'PUT', 'machines', { filter, data: { inventory_status: 'found' } });
    expect((await bulkUpdate({ any: groups })).body.count).toBe(ids.length);
    expect((await bulkUpdate({ any: { 0: groups[0] } })).body.count).toBe(ids.length);
    expect(await findIds(world.admin, 'filter[inventory_status]=found')).toEqual(ids);
  });

  test('read the machine state rows once for all their alternatives', async () => {
    const caller = (await loadCallerOfUser(app.db, world.admin)) as Caller;
    const filter = [
      { path: 'any.0.0.battery', values: ['<20'] },
      { path: 'any.0.1.status', values: ['Offline'] },
    ];
    const context = new QueryContext();
    const condition = filterWhere(app.services.model.require('machines'), { caller, filter, row: sql`m`, context });
    const text = new PgDialect().sqlToQuery(condition).sql;
    expect(text.match(/machines_state/g)).toHaveLength(1);
  });

  test('accept a search, and ignore empty values as all filters do', async () => {
    const alpha = rows.filter(({ serial_number }) => serial_number.startsWith('Alpha')).map(({ id }) => id);
    const result = await findIds(world.admin, 'filter[any][0][0][search]=alpha&filter[any][0][1][id]=1');
    expect(result).toEqual([...new Set([...alpha, 1])].sort((a, b) => a - b));
    expect(await findIds(world.admin, 'filter[any][0][0][search]=&filter[any][0][1][id]=1')).toEqual([1]);
  });

  test.each([
    'filter[any]=1',
    'filter[any][0]=1',
    'filter[any][0][status]=Offline',
    'filter[any][0][0][colour]=red',
    'filter[any][0][0][trashed]=only',
    'filter[any][x][0][status]=Offline',
    'filter[any][0][0][any][0][0][status]=Offline',
  ])('reject %s with an error that names the filter', async (search) => {
    const { status, body } = await app.call<{ message: string }>(world.admin, 'GET', `machines?${search}`);
    expect(status).toBe(400);
    expect(body.message).toContain('Requested filter(s) `any');
  });

  test('have the same limits as single filters', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`).join();
    const rejectedQueries = [
      `filter[any][0][0][note]=${values(101)}`,
      `filter[any][0][0][note]=${'x'.repeat(251)}`,
      `filter[any][0][0][search]=${values(21).replaceAll(',', '+')}`,
      Array.from({ length: 51 }, (_, index) => `filter[any][0][${index}][note]=x`).join('&'),
    ];
    for (const search of rejectedQueries)
      expect((await app.call(world.admin, 'GET', `machines?${search}`)).status).toBe(400);
  });

  test('reveal nothing about fields that the caller may not read', async () => {
    const search = 'filter[any][0][0][price]=>0&filter[any][0][1][status]=Offline';
    expect((await app.call(world.users.customer_admin, 'GET', `machines?${search}`)).status).toBe(400);
  });
});
