/**
 * `GET /{r}/groups`: groups every list by every possible field, for every role, and compares with the rows of the list.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entity, RoleName } from '../../schema/dsl/entity';
import { additiveFields, groupableFields, groupingOf } from '../../schema/dsl/grouping';
import { hasPermission, rolesAndEntities, unreadableFields } from '../support/rolePermissions';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

type Value = string | number | boolean | null;
interface Group {
  value: Value;
  label: string | null;
  count: number;
  sums: Record<string, string | number | null>;
}
type ListRow = Record<string, Value>;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`update machines set price = case when id % 3 = 0 then null else id * 100.37 end,
    working_radius_m2 = id * 0.1, purchase_date = date '2025-01-31' + (id % 5) * 20, is_dummy = id % 4 = 0,
    stock_state = (array['in_stock', 'deployed', 'in_repair', 'retired'])[1 + id % 4]`);
  await app.db.rows(sql`update machines_state set status = (array['Offline', 'Cleaning'])[1 + id % 2],
    operating_time = id * 1000`);
});
afterAll(() => app.close());

const readGroups = async (caller: number, path: string, headers?: Record<string, string>) => {
  const { status, body } = await app.call<{ data: Group[]; total: number }>(caller, 'GET', path, undefined, headers);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const readRows = async (caller: number, path: string) =>
  (await app.call<{ data: ListRow[] }>(caller, 'GET', path)).body.data;

/** Fields by which this role may group a list: those that it may read and, for references, whose rows it may read. */
const groupableBy = (role: RoleName, entity: Entity) =>
  groupableFields(entity).filter((name) => {
    const to = entity.fields[name]?.to;
    const target = to === undefined ? undefined : { name: to };
    const isTargetReadable = !target || hasPermission(role, target, 'list') || hasPermission(role, target, 'show');
    return !unreadableFields(role, entity).includes(name) && isTargetReadable;
  });
const visibleSumFields = (role: RoleName, entity: Entity) =>
  additiveFields(entity).filter((name) => !unreadableFields(role, entity).includes(name));

/** Groups rows in plain JavaScript: counts and sums by value. */
function groupRows(entity: Entity, rows: readonly ListRow[], field: string, sums: readonly string[]) {
  const isMonth = groupingOf(entity.fields[field] ?? { kind: 'text' }) === 'month';
  const keyOf = (row: ListRow) => (isMonth ? String(row[field] ?? '').slice(0, 7) || null : (row[field] ?? null));
  const values = [...new Set(rows.map(keyOf))];
  return new Map(
    values.map((value) => {
      const members = rows.filter((row) => keyOf(row) === value);
      const totals = sums.map((name) => {
        const filledValues = members.map((row) => row[name] ?? null).filter((value) => value !== null);
        return [
          name,
          filledValues.length === 0 ? null : filledValues.reduce((sum: number, value) => sum + Number(value), 0),
        ] as const;
      });
      return [value, { count: members.length, sums: Object.fromEntries(totals) }];
    }),
  );
}

describe.each(
  rolesAndEntities.filter(({ role, entity }) => hasPermission(role, entity, 'list')),
)('$role groups $name', ({ role, entity }) => {
  test('returns the counts and sums of the rows of the list', async () => {
    const caller = world.users[role];
    const rows = await readRows(caller, `${entity.name}?per_page=1000`);
    const sums = visibleSumFields(role, entity);
    for (const field of groupableBy(role, entity)) {
      const path = `${entity.name}/groups?by=${field}&sums=${sums.join()}&per_page=1000`;
      const { data, total } = await readGroups(caller, path);
      const expected = groupRows(entity, rows, field, sums);
      expect([field, total, new Set(data.map(({ value }) => value))]).toEqual([
        field,
        expected.size,
        new Set(expected.keys()),
      ]);
      for (const group of data) {
        const expectedGroup = expected.get(group.value);
        expect([field, group.value, group.count]).toEqual([field, group.value, expectedGroup?.count]);
        for (const name of sums) {
          const sum = expectedGroup?.sums[name] ?? null;
          if (sum === null) expect([field, name, group.sums[name]]).toEqual([field, name, null]);
          else expect(Number(group.sums[name])).toBeCloseTo(sum, 4);
        }
      }
    }
  });

  const [first = 'created_at'] = groupableBy(role, entity);
  const hiddenFields = groupableFields(entity).filter((name) => !groupableBy(role, entity).includes(name));
  const hiddenSums = additiveFields(entity).filter((name) => !visibleSumFields(role, entity).includes(name));
  if (hiddenFields.length + hiddenSums.length === 0) return;

  test('rejects grouping by fields, and sums of fields, that the role may not read', async () => {
    const caller = world.users[role];
    for (const name of hiddenFields)
      expect((await app.call(caller, 'GET', `${entity.name}/groups?by=${name}`)).status).toBe(400);
    for (const name of hiddenSums)
      expect((await app.call(caller, 'GET', `${entity.name}/groups?by=${first}&sums=${name}`)).status).toBe(400);
  });
});

describe('groups', () => {
  test('apply filters, search and bin, and count the rows that the list shows for their values', async () => {
    const filter =
      'filter[stock_state]=deployed,retired&filter[any][0][0][is_dummy]=true&filter[any][0][1][price]=>500';
    const rows = await readRows(world.admin, `machines?per_page=1000&${filter}`);
    expect(rows.length).toBeGreaterThan(2);
    for (const field of ['status', 'fleet_id', 'stock_state', 'is_dummy', 'location_id', 'client_id']) {
      const { data } = await readGroups(world.admin, `machines/groups?by=${field}&${filter}`);
      expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(rows.length);
      for (const { value, count } of data) {
        const path = `machines?per_page=1000&${filter}&filter[any][999][0][${field}]=${value}`;
        expect((await readRows(world.admin, path)).length).toBe(count);
      }
    }
    const matchingGroups = await readGroups(world.admin, 'machines/groups?by=fleet_id&filter[search]=north-11');
    expect(matchingGroups.data.map(({ label }) => label)).toEqual(['North Fleet 1']);
    expect((await readGroups(world.admin, 'machines/groups?by=fleet_id&filter[trashed]=only')).data).toEqual([]);
  });

  test('are paged and sorted: fixed values in declared order, rows by name, months newest first', async () => {
    const readLabels = async (field: string, extraQuery = '') =>
      (await readGroups(world.admin, `machines/groups?by=${field}${extraQuery}`)).data.map(({ label }) => label);
    expect(await readLabels('stock_state')).toEqual(['In stock', 'Deployed', 'In repair', 'Retired']);
    expect(await readLabels('fleet_id')).toEqual(['North Fleet 1', 'North Fleet 2', 'South Fleet 1', 'South Fleet 2']);
    expect(await readLabels('purchase_date')).toEqual(['2025-04', '2025-03', '2025-02', '2025-01']);
    expect(await readLabels('fleet_id', '&per_page=3&page=2')).toEqual(['South Fleet 2']);
    const { total } = await readGroups(world.admin, 'machines/groups?by=fleet_id&per_page=3');
    expect(total).toBe(4);
    const swedish = await readGroups(world.admin, 'machines/groups?by=stock_state', { 'Page-Language': 'sv' });
    expect(swedish.data[0]?.label).not.toBe('In stock');
  });

  test('count months in the time zone of the caller', async () => {
    await app.db.rows(sql`update types set created_at = '2026-02-28T23:30:00Z' where id = ${world.type}`);
    const readMonths = async (zone: string) =>
      (await readGroups(world.admin, `types/groups?by=created_at&filter[id]=${world.type}`, { 'Time-Zone': zone }))
        .data;
    expect((await readMonths('Europe/Berlin'))[0]?.value).toBe('2026-03');
    expect((await readMonths('Europe/London'))[0]?.value).toBe('2026-02');
  });

  test.each([
    '',
    'by=note',
    'by=serial_number',
    'by=status&sums=battery',
    'by=status&sort=id',
    'by=status&filter[x]=1',
  ])('reject %j', async (search) => {
    expect((await app.call(world.admin, 'GET', `machines/groups?${search}`)).status).toBe(400);
  });

  test('require the permission to list, and a session', async () => {
    expect((await app.call(world.users.operator, 'GET', 'invitations/groups?by=role_id')).status).toBe(403);
    expect((await app.call(undefined, 'GET', 'machines/groups?by=status')).status).toBe(401);
  });
});
