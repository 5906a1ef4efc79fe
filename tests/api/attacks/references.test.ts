/**
 * Foreign ids in every reference of every declaration, by every kind of write. An id out of scope is rejected at its
 * field with the same message as an id that does not exist, and nothing is stored.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCreatable, isReadOnly, type RoleName } from '../../../schema/dsl/entity';
import type { EntityName } from '../../../schema/index';
import { pg } from '../../../server/db/core/rowShape';
import { importFile } from '../../support/importFile';
import { requestBodies, tenantReferences } from '../../support/requestBodies';
import { editableFields, hasPermission, rolesAndEntities } from '../../support/rolePermissions';
import { add } from '../../support/rows';
import { startTestWorld, type TestApp } from '../../support/startTestApp';
import type { Tenant, World } from '../../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  message: string;
  errors?: Record<string, string[]>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

/** Rows of the other tenant by entity. Omits rows that all users see. */
const foreignIds: Partial<Record<EntityName, (tenant: Tenant) => number>> = {
  clients: ({ client }) => client,
  fleets: ({ fleets }) => fleets[0],
  locations: ({ locations }) => locations[0],
  machines: ({ machines }) => machines[0] as number,
  trackers: ({ trackers }) => trackers[0] as number,
  users: ({ users }) => users.operator,
  alert_rules: ({ alert_rules }) => alert_rules[0] as number,
};
const missingId = 2_000_000;

interface Reference {
  field: string;
  to: EntityName;
  isList: boolean;
}

/** Roles with limited scope, and the entities in which they may write references. */
const cases = rolesAndEntities
  .filter(({ role, entity }) => role !== 'admin' && !isReadOnly(entity))
  .map(({ role, name, entity }) => ({
    role,
    name: name as EntityName,
    entity,
    references: Object.entries(entity.fields).flatMap(([field, { to, kind }]): Reference[] =>
      (kind === 'ref' || kind === 'refs') &&
      to !== undefined &&
      to in foreignIds &&
      editableFields(role, entity).includes(field)
        ? [{ field, to: to as EntityName, isList: kind === 'refs' }]
        : [],
    ),
  }))
  .filter(({ references }) => references.length > 0);

const call = (role: RoleName, method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) =>
  app.call<ResponseBody>(world.users[role], method, path, body);
const countRows = async (table: string) =>
  (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from ${sql.identifier(table)}`))?.n;
const foreignId = (to: EntityName) => (foreignIds[to] as (tenant: Tenant) => number)(world.south);
const bodyOf = ({ field, isList }: Reference, id: number) => ({ [field]: isList ? [id] : id });

/** Adds a row of the north client in the role's scope. */
const addOwnRow = (name: EntityName, role: RoleName): Promise<number> =>
  add(app.db, name, {
    ...tenantReferences[name](world.north, world),
    ...(name === 'saved_views' ? { user_id: world.users[role] } : {}),
  } as never);
const readStored = (name: EntityName, id: number) =>
  app.db.one(sql`select to_jsonb(t) as row from ${sql.identifier(name)} t where id = ${id}`);

test('the cases cover the most sensitive references', () => {
  const testedFields = cases.flatMap(({ name, references }) => references.map(({ field }) => `${name}.${field}`));
  for (const sensitiveField of [
    'machines.fleet_id',
    'machines.tracker_id',
    'users.machine_ids',
    'users.client_ids',
    'alert_rules.user_ids',
    'service_plans.machine_id',
  ])
    expect(testedFields).toContain(sensitiveField);
});

describe.each(cases)('$role writes foreign ids into $name', ({ role, name, entity, references }) => {
  test('when creating a row', async () => {
    const countBefore = await countRows(name);
    const body = { ...requestBodies[name](), ...tenantReferences[name](world.north, world) };
    const expectedStatus = !isCreatable(entity) ? 404 : hasPermission(role, entity, 'create') ? 422 : 403;
    for (const reference of references) {
      const [foreignResponse, missingResponse] = await Promise.all(
        [foreignId(reference.to), missingId].map((id) =>
          call(role, 'POST', name, { ...body, ...bodyOf(reference, id) }),
        ),
      );
      expect([reference.field, foreignResponse?.status, foreignResponse?.body]).toEqual([
        reference.field,
        expectedStatus,
        missingResponse?.body,
      ]);
      if (expectedStatus === 422) expect(Object.keys(foreignResponse?.body.errors ?? {})).toContain(reference.field);
    }
    expect(await countRows(name)).toBe(countBefore);
  });

  test('when editing one row or many', async () => {
    const id = await addOwnRow(name, role);
    const rowBefore = await readStored(name, id);
    for (const reference of references)
      for (const send of [
        (other: number) => call(role, 'PATCH', `${name}/${id}`, bodyOf(reference, other)),
        (other: number) => call(role, 'PUT', name, { ids: [id], data: bodyOf(reference, other) }),
      ]) {
        const [foreignResponse, missingResponse] = [await send(foreignId(reference.to)), await send(missingId)];
        expect([403, 404, 422]).toContain(foreignResponse.status);
        expect([reference.field, foreignResponse.status, foreignResponse.body]).toEqual([
          reference.field,
          missingResponse.status,
          missingResponse.body,
        ]);
        if (foreignResponse.status === 422)
          expect(Object.keys(foreignResponse.body.errors ?? {})).toContain(reference.field);
      }
    expect(await readStored(name, id)).toEqual(rowBefore);
  });

  test('when importing', async () => {
    const columns = references.filter(({ field }) => entity.imports.columns.includes(field));
    if (!hasPermission(role, entity, 'import') || columns.length === 0) return;
    const id = await addOwnRow(name, role);
    const rowsBefore = [await countRows(name), await readStored(name, id)];
    // Two rows per reference that differ only in the id: a foreign one, and one that does not exist.
    const lines = columns.flatMap(({ field, to }) =>
      [foreignId(to), missingId].map((other) => [
        '',
        ...columns.map((column) => (column.field === field ? other : '')),
      ]),
    );
    const edits = lines.map(([, ...cells]) => [id, ...cells]);
    const file = [['id', ...columns.map(({ field }) => field)], ...lines, ...edits]
      .map((cells) => cells.join(','))
      .join('\n');
    const { data } = await importFile(app, world.users[role], name, file, { commits: true });
    expect([data.state, data.counts.create + data.counts.update]).toEqual(['failed', 0]);
    const errorsOf = (row: number) =>
      data.errors.filter((error) => error.row === row).map(({ field, message }) => ({ field, message }));
    for (const [index] of lines.entries())
      if (index % 2 === 0) expect([file, errorsOf(index + 2)]).toEqual([file, errorsOf(index + 3)]);
    expect([await countRows(name), await readStored(name, id)]).toEqual(rowsBefore);
  });
});
