/**
 * Access matrix of `/api/json-server/v1`: every entity with Admin and one other role in turn, and every role with
 * `SWEEPLINE_TEST_WHOLE=yes`, by every method of the ra-data-json-server package. As in `/api/v1`, whose code decides the
 * rights, rows out of scope do not exist and forbidden calls return 403.
 */
import { sql } from 'drizzle-orm';
import type { DataProvider, RaRecord } from 'react-admin';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCreatable, isReadOnly, type RoleName, roleNames } from '../../schema/dsl/entity';
import type { EntityName } from '../../schema/index';
import { openJsonServer, statusOf } from '../support/openJsonServer';
import { requestBodies, tenantReferences } from '../support/requestBodies';
import { editableFields, hasPermission, sampledRolesAndEntities, unreadableFields } from '../support/rolePermissions';
import { type RoleVisibility, readRoleVisibility, sortIds } from '../support/roleVisibility';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
const providers = {} as Record<RoleName, DataProvider>;
let visibility: RoleVisibility;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  visibility = await readRoleVisibility(app.db, world);
  const jsonServer = await openJsonServer(app);
  for (const role of roleNames) providers[role] = await jsonServer.createProvider(world.users[role]);
});
afterAll(() => app.close());

const idsOf = ({ data }: { data: RaRecord[] }) => data.map(({ id }) => id as number);
const readRow = (name: string, id: number) => app.db.one(sql`select * from ${sql.identifier(name)} where id = ${id}`);
const wholeList = {
  pagination: { page: 1, perPage: 1000 },
  sort: { field: 'id', order: 'ASC' },
  filter: {},
} as const;

describe.each(sampledRolesAndEntities)('$role reads $name', ({ role, name, entity }) => {
  const mayList = hasPermission(role, entity, 'list');
  const mayShow = hasPermission(role, entity, 'show');
  const existingOnly = (ids: number[]) => ids.filter((id) => visibility.initialIds[name]?.includes(id));

  test('getList, getMany and getManyReference return the rows in scope', async () => {
    const provider = providers[role];
    const allIds = [...(visibility.initialIds[name] ?? [])];
    const list = provider.getList(name, wholeList);
    const manyRows = provider.getMany(name, { ids: [...allIds.slice(0, 900), 999_999] });
    const reference = provider.getManyReference(name, {
      ...wholeList,
      target: 'id',
      id: visibility.hiddenIds(role, entity)[0] ?? 0,
    });
    if (!mayList) return expect(await Promise.all([list, manyRows, reference].map(statusOf))).toEqual([403, 403, 403]);
    const { data, total } = await list;
    expect(existingOnly(data.map(({ id }) => id as number))).toEqual(visibility.visibleIds(role, entity));
    expect(total).toBe(data.length);
    const hiddenFields = unreadableFields(role, entity);
    for (const row of data) expect(hiddenFields.filter((field) => field in row)).toEqual([]);
    expect(sortIds(idsOf(await manyRows))).toEqual(visibility.visibleIds(role, entity));
    return expect((await reference).total).toBe(0);
  });

  test('getOne returns a row in scope and responds 404 out of scope', async () => {
    const [id] = visibility.visibleIds(role, entity);
    if (id !== undefined) {
      const { status, row } = await providers[role].getOne(name, { id }).then(
        ({ data }) => ({ status: 200, row: data.id }),
        (error: { status: number }) => ({ status: error.status, row: undefined }),
      );
      expect([status, row]).toEqual(mayShow ? [200, id] : [403, undefined]);
    }
    for (const unreachableId of [...visibility.hiddenIds(role, entity).slice(0, 3), 999_999])
      expect([unreachableId, await statusOf(providers[role].getOne(name, { id: unreachableId }))]).toEqual([
        unreachableId,
        mayShow ? 404 : 403,
      ]);
  });

  test('rejects filtering and sorting by hidden fields', async () => {
    if (!mayList) return expect(await statusOf(providers[role].getList(name, wholeList))).toBe(403);
    for (const field of unreadableFields(role, entity))
      for (const params of [
        { ...wholeList, filter: { [field]: '1' } },
        { ...wholeList, filter: { [`${field}_ne`]: '1' } },
        { ...wholeList, sort: { field, order: 'ASC' as const } },
      ])
        expect([field, await statusOf(providers[role].getList(name, params))]).toEqual([field, 400]);
    return undefined;
  });
});

// Access to shared rows depends on their owner, not on scope: tests/api/saved-views.test.ts.
describe.each(
  sampledRolesAndEntities.filter(({ entity }) => !isReadOnly(entity) && entity.scope !== 'shared'),
)('$role writes $name', ({ role, name, entity }) => {
  const entityName = name as EntityName;
  const mayCreate = hasPermission(role, entity, 'create');
  const mayEdit = editableFields(role, entity).length > 0;
  const mayDelete = hasPermission(role, entity, 'delete');
  const hasGlobalScope = entity.scope === 'global' || role === 'admin';
  const create = (tenant: World['north']) =>
    providers[role].create(name, {
      data: { ...requestBodies[entityName](), ...tenantReferences[entityName](tenant, world) },
    });

  test('create in scope, then delete', async () => {
    const creation = create(world.north);
    if (!isCreatable(entity) || !mayCreate)
      return expect(await statusOf(creation)).toBe(isCreatable(entity) ? 403 : 404);
    const id = (await creation).data.id as number;
    expect((await readRow(name, id))?.deleted_at).toBeNull();
    // A new row may be outside its creator's scope, such as a tracker on no machine.
    const isVisible = (await providers[role].getMany(name, { ids: [id] })).data.length === 1;
    expect(await statusOf(providers[role].delete(name, { id }))).toBe(mayDelete ? (isVisible ? 200 : 404) : 403);
    return expect((await readRow(name, id))?.deleted_at === null).toBe(!(mayDelete && isVisible));
  });

  test('create out of scope', async () => {
    const status = await statusOf(create(world.south));
    if (!isCreatable(entity)) return expect(status).toBe(404);
    if (!mayCreate) return expect(status).toBe(403);
    // Not limited: trackers refer to nothing with a scope, and a partner manages every client that they add.
    const isUnrestricted = hasGlobalScope || name === 'trackers' || (name === 'clients' && role === 'partner');
    return expect(status).toBe(isUnrestricted ? 200 : 422);
  });

  test('update and updateMany out of scope', async () => {
    const [id = 999_999] = visibility.hiddenIds(role, entity);
    const rowBefore = await readRow(name, id);
    const data = { id, note: 'x', name: 'x' };
    const expected = mayEdit ? 404 : 403;
    expect(await statusOf(providers[role].update(name, { id, data, previousData: { id } }))).toBe(expected);
    expect(await statusOf(providers[role].updateMany(name, { ids: [id], data }))).toBe(expected);
    expect(await readRow(name, id)).toEqual(rowBefore);
  });

  test('delete and deleteMany out of scope', async () => {
    const [id = 999_999] = visibility.hiddenIds(role, entity);
    const rowBefore = await readRow(name, id);
    const expected = mayDelete ? 404 : 403;
    expect(await statusOf(providers[role].delete(name, { id }))).toBe(expected);
    expect(await statusOf(providers[role].deleteMany(name, { ids: [id] }))).toBe(expected);
    expect(await readRow(name, id)).toEqual(rowBefore);
  });

  test('update with the whole record, as forms send it', async () => {
    const [id] = visibility.visibleIds(role, entity);
    if (id === undefined || !hasPermission(role, entity, 'show'))
      return expect([mayEdit, id]).not.toEqual([true, expect.any(Number)]);
    const { data } = await providers[role].getOne(name, { id });
    const status = await statusOf(providers[role].update(name, { id, data, previousData: data }));
    // Unchanged values are ignored, so callers who may edit only some fields can send the others, too.
    const isOwn = name === 'users' && id === world.users[role];
    return expect(status).toBe(mayEdit || isOwn ? 200 : 403);
  });
});
