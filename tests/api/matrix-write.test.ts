/**
 * Write access matrix: every role with every entity, by every kind of write, in and out of scope. The API responds with
 * 403 without the permission, 404 for rows out of scope and 422 for references to them. A rejected write changes
 * nothing.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Entity, isCreatable, isReadOnly, type RoleName } from '../../schema/dsl/entity';
import { type EntityName, registry } from '../../schema/index';
import { pg } from '../../server/db/core/rowShape';
import { requestBodies, tenantReferences, unusedLanguageCode } from '../support/requestBodies';
import { editableFields, hasPermission, rolesAndEntities } from '../support/rolePermissions';
import { add, nextNumber } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { Tenant, World } from '../support/world';

let app: TestApp;
let world: World;

interface Item {
  id: number;
  version: number;
  [field: string]: unknown;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const call = <T = { data: Item }>(
  role: RoleName,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => app.call<T>(world.users[role], method, path, body, headers);

/** Adds a row that nothing references, so that it can be deleted. */
async function addUnreferenced(name: EntityName, tenant: Tenant): Promise<number> {
  const id = await add(app.db, name, {
    ...tenantReferences[name](tenant, world),
    ...(name === 'languages' ? { two_letter_code: unusedLanguageCode() } : {}),
  } as never);
  if (name === 'users')
    await app.db.rows(sql`insert into users_fleets (users_id, fleets_id) values (${id}, ${tenant.fleets[0]})`);
  if (name === 'clients') await linkToClient(id, tenant);
  return id;
}

/** Adds a row that no other test uses. A tracker is in scope only through its machine. */
async function addTarget(name: EntityName, tenant: Tenant): Promise<number> {
  const id = await addUnreferenced(name, tenant);
  if (name === 'trackers')
    await add(app.db, 'machines', { ...tenantReferences.machines(tenant, world), tracker_id: id });
  if (name === 'fleets') await add(app.db, 'locations', { fleet_id: id });
  return id;
}

/** Assigns a new client to the tenant's partner, whose scope is a list of clients. */
async function linkToClient(id: number, tenant: Tenant): Promise<void> {
  await app.db.rows(sql`insert into users_clients (users_id, clients_id) values (${tenant.users.partner}, ${id})`);
}

const readRow = async (name: string, id: number) =>
  app.db.one(sql`select * from ${sql.identifier(name)} where id = ${id}`);
const countRows = async (name: string) =>
  (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from ${sql.identifier(name)}`))?.n;

/**
 * Whether a row that `addTarget` adds for the north tenant is in the role's scope. For narrow roles, this depends on
 * the fleet, location and machine of the row.
 */
function reaches(role: RoleName, { name, scope }: Entity): boolean {
  if (scope === 'global' || role === 'admin' || role === 'country_manager' || role === 'partner') return true;
  if (role === 'customer_admin') return name !== 'clients';
  if (role === 'site_manager')
    return !['clients', 'fleets', 'invitations', 'alert_rules', 'report_schedules'].includes(name);
  const machineEntities = ['machines', 'trackers', 'documents', 'runs', 'service_entries', 'service_plans', 'alerts'];
  return [...machineEntities, 'floors', 'zones'].includes(name);
}

/** A field that the role may edit, with a changed value. */
function buildChange(role: RoleName, entity: Entity): Record<string, unknown> {
  const values: Record<string, unknown> = {
    name: `Renamed ${nextNumber()}${entity.name === 'documents' ? '.pdf' : ''}`,
    first_name: `Renamed ${nextNumber()}`,
    contact_name: `Contact ${nextNumber()}`,
    note: `Note ${nextNumber()}`,
    tracker_or_serial: `device-${nextNumber()}`,
    task_name: `Task ${nextNumber()}`,
    email: `renamed${nextNumber()}@example.com`,
  };
  // Entities without such fields are changed by their title, as in a new row.
  const title = requestBodies[entity.name as EntityName]()[entity.title];
  if (typeof title === 'string') values[entity.title] ??= title;
  const editable = editableFields(role, entity);
  const [name = 'name'] = [
    'name',
    'first_name',
    'note',
    'contact_name',
    'tracker_or_serial',
    'task_name',
    'email',
    entity.title,
  ].filter((field) => field in entity.fields && (editable.length === 0 || editable.includes(field)));
  return { [name]: values[name] };
}

// Access to shared rows depends on their owner, not on scope: tests/api/saved-views.test.ts.
describe.each(
  rolesAndEntities.filter(({ entity }) => !isReadOnly(entity) && entity.scope !== 'shared'),
)('$role writes $name', ({ role, name, entity }) => {
  const entityName = name as EntityName;
  const mayCreate = hasPermission(role, entity, 'create');
  const mayEdit = editableFields(role, entity).length > 0;
  const mayDelete = hasPermission(role, entity, 'delete');
  const hasGlobalScope = entity.scope === 'global' || role === 'admin';

  test('creates a row in scope', async () => {
    const countBefore = await countRows(name);
    const { status, body } = await call(role, 'POST', name, {
      ...requestBodies[entityName](),
      ...tenantReferences[entityName](world.north, world),
    });
    if (!isCreatable(entity)) {
      // There is no such call: these rows are uploaded by POST /machines/{id}/documents, or created by the server.
      expect([status, await countRows(name)]).toEqual([404, countBefore]);
    } else if (!mayCreate) {
      expect([status, await countRows(name)]).toEqual([403, countBefore]);
    } else {
      expect([status, body.data?.id, await countRows(name)]).toEqual([201, expect.any(Number), (countBefore ?? 0) + 1]);
    }
  });

  test('creates no row out of scope', async () => {
    const countBefore = await countRows(name);
    const { status } = await call(role, 'POST', name, {
      ...requestBodies[entityName](),
      ...tenantReferences[entityName](world.south, world),
    });
    if (!isCreatable(entity)) expect(status).toBe(404);
    else if (!mayCreate) expect(status).toBe(403);
    // Not limited: trackers refer to nothing with a scope, and a partner manages every client that they add.
    else if (hasGlobalScope || name === 'trackers' || (name === 'clients' && role === 'partner'))
      return expect(status).toBe(201);
    else expect(status).toBe(422);
    return expect(await countRows(name)).toBe(countBefore);
  });

  test('changes a row in scope', async () => {
    const id = await addTarget(entityName, world.north);
    const values = buildChange(role, entity);
    const { status, body } = await call(role, 'PATCH', `${name}/${id}`, values);
    if (!mayEdit) expect(status).toBe(403);
    else if (!reaches(role, entity)) expect(status).toBe(404);
    else
      expect([status, body.data]).toEqual([200, expect.objectContaining({ ...values, version: expect.any(Number) })]);
    const [[field, value]] = Object.entries(values) as [[string, unknown]];
    const isStored = (await readRow(name, id))?.[field] === value;
    expect(isStored).toBe(status === 200);
  });

  test('changes no row out of scope', async () => {
    if (hasGlobalScope)
      return expect((await call(role, 'PATCH', `${name}/999999`, {})).status).toBe(mayEdit ? 404 : 403);
    const id = await addTarget(entityName, world.south);
    const rowBefore = await readRow(name, id);
    for (const method of ['PATCH', 'PUT'] as const)
      expect((await call(role, method, `${name}/${id}`, buildChange(role, entity))).status).toBe(mayEdit ? 404 : 403);
    return expect(await readRow(name, id)).toEqual(rowBefore);
  });

  test('moves no row out of scope', async () => {
    const references = Object.entries(tenantReferences[entityName](world.south, world)).filter(([field]) =>
      ['client_id', 'fleet_id', 'location_id'].includes(field),
    );
    const id = await addTarget(entityName, world.north);
    const rowBefore = await readRow(name, id);
    for (const [field, value] of references) {
      const { status } = await call(role, 'PATCH', `${name}/${id}`, { [field]: value });
      if (role === 'admin' && mayEdit) expect([200, 422]).toContain(status);
      else if (!mayEdit) expect(status).toBe(403);
      else expect([field, status]).toEqual([field, reaches(role, entity) ? 422 : 404]);
    }
    if (role !== 'admin') expect(await readRow(name, id)).toEqual(rowBefore);
  });

  test('changes only editable fields', async () => {
    const ownFields = editableFields(role, entity);
    const id = await addTarget(entityName, world.north);
    const rowBefore = await readRow(name, id);
    const { status, body } = await call<{ errors: object }>(role, 'PATCH', `${name}/${id}`, {
      id: 1_000_000 + id,
      version: 77,
      created_at: '2001-01-01T00:00:00Z',
      nonsense: 1,
    });
    if (!mayEdit) expect(status).toBe(403);
    else if (!reaches(role, entity)) expect(status).toBe(404);
    else expect([status, Object.keys(body.errors)]).toEqual([422, ['nonsense']]);
    const uneditableFields = Object.entries(entity.fields).filter(
      ([field, { write, kind }]) => write !== false && kind === 'text' && !ownFields.includes(field),
    );
    if (mayEdit && reaches(role, entity) && uneditableFields[0]) {
      const rejection = await call<{ errors: object }>(role, 'PATCH', `${name}/${id}`, {
        [uneditableFields[0][0]]: 'changed by somebody else',
      });
      expect([rejection.status, Object.keys(rejection.body.errors)]).toEqual([422, [uneditableFields[0][0]]]);
    }
    expect(await readRow(name, id)).toEqual(rowBefore);
  });

  test('deletes and restores a row in scope', async () => {
    const id = await addUnreferenced(entityName, world.north);
    const { status } = await call(role, 'DELETE', `${name}/${id}`);
    if (!mayDelete) expect(status).toBe(403);
    else if (!reachesUnreferenced(role, entity)) expect(status).toBe(404);
    else expect(status).toBe(204);
    expect((await readRow(name, id))?.deleted_at === null).toBe(status !== 204);
    const restoreResponse = await call(role, 'POST', `${name}/${id}/restore`);
    if (!mayDelete) expect(restoreResponse.status).toBe(403);
    else expect(restoreResponse.status).toBe(status === 204 ? 200 : 404);
    expect((await readRow(name, id))?.deleted_at).toBeNull();
  });

  test('deletes and restores no row out of scope', async () => {
    if (hasGlobalScope)
      return expect((await call(role, 'DELETE', `${name}/999999`)).status).toBe(mayDelete ? 404 : 403);
    const id = await addUnreferenced(entityName, world.south);
    expect((await call(role, 'DELETE', `${name}/${id}`)).status).toBe(mayDelete ? 404 : 403);
    expect((await readRow(name, id))?.deleted_at).toBeNull();
    await app.db.rows(sql`update ${sql.identifier(name)} set deleted_at = now() where id = ${id}`);
    expect((await call(role, 'POST', `${name}/${id}/restore`)).status).toBe(mayDelete ? 404 : 403);
    return expect((await readRow(name, id))?.deleted_at).not.toBeNull();
  });

  test('bulk work by ids is all or nothing', async () => {
    const reachableId = await addTarget(entityName, world.north);
    const unreachableId = hasGlobalScope ? 999_999 : await addTarget(entityName, world.south);
    const rowsBefore = [await readRow(name, reachableId), await readRow(name, unreachableId)];
    const data = buildChange(role, entity);
    expect((await call(role, 'PUT', name, { ids: [reachableId, unreachableId], data })).status).toBe(
      mayEdit ? 404 : 403,
    );
    expect((await call(role, 'DELETE', name, { ids: [reachableId, unreachableId] })).status).toBe(
      mayDelete ? 404 : 403,
    );
    expect([await readRow(name, reachableId), await readRow(name, unreachableId)]).toEqual(rowsBefore);

    const field = Object.keys(data)[0] as string;
    if (!mayEdit || !reaches(role, entity) || entity.fields[field]?.unique) return;
    const otherId = await addTarget(entityName, world.north);
    const { status, body } = await call<{ count: number }>(role, 'PUT', name, { ids: [reachableId, otherId], data });
    expect([status, body.count]).toEqual([200, 2]);
    expect([(await readRow(name, reachableId))?.[field], (await readRow(name, otherId))?.[field]]).toEqual([
      data[field],
      data[field],
    ]);
  });

  test('bulk work by filter changes nothing out of scope', async () => {
    const unreachableId = hasGlobalScope ? undefined : await addUnreferenced(entityName, world.south);
    const reachableId = await addUnreferenced(entityName, world.north);
    const filter = { id: [reachableId, unreachableId ?? 999_999].join(',') };
    const rowBefore = unreachableId && (await readRow(name, unreachableId));
    const data = buildChange(role, entity);
    const changeResponse = await call<{ count: number }>(role, 'PUT', name, { filter, data });
    if (!mayEdit) expect(changeResponse.status).toBe(403);
    else
      expect([changeResponse.status, changeResponse.body.count]).toEqual([
        200,
        reachesUnreferenced(role, entity) ? 1 : 0,
      ]);
    const deleteResponse = await call<{ count: number }>(role, 'DELETE', name, { filter });
    if (!mayDelete) expect(deleteResponse.status).toBe(403);
    else
      expect([deleteResponse.status, deleteResponse.body.count]).toEqual([
        200,
        reachesUnreferenced(role, entity) ? 1 : 0,
      ]);
    if (unreachableId) expect(await readRow(name, unreachableId)).toEqual(rowBefore);
  });
});

/** Whether the row of `addUnreferenced` is in the role's scope; only Admins have a tracker without a machine in scope. */
const reachesUnreferenced = (role: RoleName, entity: Entity) =>
  entity === (registry.trackers as Entity) ? role === 'admin' : reaches(role, entity);
