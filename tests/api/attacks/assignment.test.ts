/** Mass assignment: server-written fields are ignored, unknown fields are rejected by name. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCreatable, isReadOnly } from '../../../schema/dsl/entity';
import type { Field, Kind } from '../../../schema/dsl/field';
import { type EntityName, entities } from '../../../schema/index';
import { pg } from '../../../server/db/core/rowShape';
import { userHooks } from '../../../server/features/users/userHooks';
import { importFile } from '../../support/importFile';
import { requestBodies, tenantReferences, unusedLanguageCode } from '../../support/requestBodies';
import { editableFields, hasPermission, rolesAndEntities, unreadableFields } from '../../support/rolePermissions';
import { add } from '../../support/rows';
import { startTestWorld, type TestApp } from '../../support/startTestApp';
import type { World } from '../../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  errors?: Record<string, string[]>;
  data?: { id: number };
}
type Row = Record<string, unknown>;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

/** A value for each kind that no row has by default. */
const forgedValues: Record<Kind, (field: Field) => unknown> = {
  text: () => 'forged',
  longtext: () => 'forged',
  email: () => 'forged@example.com',
  phone: () => '+49 40 7777777',
  color: () => '#777777',
  integer: () => 77,
  number: () => 7.75,
  money: () => '77.75',
  boolean: () => true,
  date: () => '2001-02-03',
  instant: () => '2001-02-03T04:05:06.000Z',
  choice: ({ choices = [] }) => choices.at(-1),
  tags: () => ['forged'],
  hours: () => 'Mo 07:07-17:17',
  json: () => ({ forged: 0.7 }),
  image: () => 'https://forged.example/logo.png',
  password: () => 'Forged!Pass7',
  ref: () => 77,
  refs: () => [77],
  many: () => [{ id: 77 }],
  records: () => [{}],
};
const forgedFields = (fields: Record<string, Field>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, forgedValues[field.kind](field)]));
const fieldsWhere = (entity: { fields: Record<string, Field> }, predicate: (field: Field, name: string) => boolean) =>
  Object.fromEntries(Object.entries(entity.fields).filter(([name, field]) => predicate(field, name)));

const readRow = async (name: string, id: number) =>
  (
    await app.db.selectOne(
      { row: pg.json<Row>() },
      sql`select to_jsonb(t) as row from ${sql.identifier(name)} t where id = ${id}`,
    )
  )?.row ?? {};
const additionalValues: Partial<Record<EntityName, () => object>> = {
  languages: () => ({ two_letter_code: unusedLanguageCode() }),
  saved_views: () => ({ user_id: world.admin }),
};
const addRow = (name: EntityName) =>
  add(app.db, name, { ...tenantReferences[name](world.north, world), ...additionalValues[name]?.() } as never);

describe.each(
  entities.filter((entity) => !isReadOnly(entity)).map((entity) => ({ name: entity.name as EntityName, entity })),
)('$name', ({ name, entity }) => {
  const readOnlyFields = fieldsWhere(entity, ({ write }) => write === false);

  test('ignores fields that only the server writes', async () => {
    const id = await addRow(name);
    const rowBefore = await readRow(name, id);
    const data = forgedFields(readOnlyFields);
    expect((await app.call(world.admin, 'PATCH', `${name}/${id}`, data)).status).toBe(200);
    expect((await app.call(world.admin, 'PUT', name, { ids: [id], data })).status).toBe(200);
    if (hasPermission('admin', entity, 'import')) {
      const columns = Object.keys(readOnlyFields).filter(
        (field) => field !== 'id' && readOnlyFields[field]?.kind !== 'many',
      );
      const { data: importData } = await importFile(
        app,
        world.admin,
        name,
        `id,${columns.join(',')}\n${id}${',77'.repeat(columns.length)}\n`,
        { commits: true },
      );
      expect([importData.counts.create, importData.counts.update]).toEqual([0, 0]);
    }
    expect(await readRow(name, id)).toEqual(rowBefore);

    if (!isCreatable(entity)) return;
    const createResponse = await app.call<ResponseBody>(world.admin, 'POST', name, {
      ...data,
      ...requestBodies[name](),
      ...tenantReferences[name](world.north, world),
    });
    expect(createResponse.status).toBe(201);
    const row = await readRow(name, createResponse.body.data?.id as number);
    const acceptedFields = Object.entries(data).filter(
      ([field, value]) =>
        !(field in tenantReferences[name](world.north, world)) && JSON.stringify(row[field]) === JSON.stringify(value),
    );
    expect(acceptedFields).toEqual([]);
  });

  test('rejects unknown fields by name', async () => {
    const id = await addRow(name);
    const rowBefore = await readRow(name, id);
    const unknownFields = [
      ...Object.keys(rowBefore).filter((column) => !(column in entity.fields)),
      'password_hash',
      'token_hash',
      'is_admin',
      'permissions2',
      'created_by',
    ];
    for (const send of [
      (data: Row) => app.call<ResponseBody>(world.admin, 'PATCH', `${name}/${id}`, data),
      (data: Row) => app.call<ResponseBody>(world.admin, 'PUT', name, { ids: [id], data }),
    ]) {
      const { status, body } = await send(Object.fromEntries(unknownFields.map((column) => [column, 77])));
      expect([status, Object.keys(body.errors ?? {}).sort()]).toEqual([422, [...unknownFields].sort()]);
    }
    expect(await readRow(name, id)).toEqual(rowBefore);
  });
});

// Roles that may edit only some fields of a row: by a permission for one field, or on their own profile.
const partialEditors = rolesAndEntities.filter(
  ({ role, entity }) => !hasPermission(role, entity, 'edit') && editableFields(role, entity).length > 0,
);

test.each(partialEditors)('$role changes only editable fields of $name', async ({ role, name, entity }) => {
  const id = await addRow(name as EntityName);
  if (name === 'locations')
    await app.db.rows(sql`insert into users_locations (users_id, locations_id) values (${world.users[role]}, ${id})`);
  const rowBefore = await readRow(name, id);
  const allowedFields = editableFields(role, entity);
  const otherFields = forgedFields(
    fieldsWhere(
      entity,
      ({ write }, field) =>
        write !== false && !allowedFields.includes(field) && !unreadableFields(role, entity).includes(field),
    ),
  );
  const { status, body } = await app.call<ResponseBody>(world.users[role], 'PATCH', `${name}/${id}`, otherFields);
  // Unchanged values are not rejected, so only changed ones are sent.
  const changedFields = Object.keys(otherFields).filter(
    (field) => entity.fields[field]?.kind === 'refs' || rowBefore[field] !== otherFields[field],
  );
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, expect.arrayContaining(changedFields)]);
  expect(await readRow(name, id)).toEqual(rowBefore);
});

test.each([
  'site_manager',
  'operator',
] as const)('%s can change only profile fields of their own user', async (role) => {
  const id = world.users[role];
  const users = entities.find(({ name }) => name === 'users');
  const otherFields = forgedFields(
    fieldsWhere(
      { fields: users?.fields ?? {} },
      ({ write }, field) => write !== false && !userHooks.own?.fields.includes(field),
    ),
  );
  expect(Object.keys(otherFields)).toEqual(
    expect.arrayContaining(['role_ids', 'client_id', 'machine_ids', 'is_staff', 'password']),
  );
  const rowBefore = await readRow('users', id);
  for (const [field, value] of Object.entries(otherFields)) {
    const { status, body } = await app.call<ResponseBody>(id, 'PATCH', `users/${id}`, { [field]: value });
    expect([field, status, Object.keys(body.errors ?? {})]).toEqual([field, 422, expect.arrayContaining([field])]);
  }
  expect(await readRow('users', id)).toEqual(rowBefore);
});

test('calls without a session accept only the fields they declare', async () => {
  const foreignScope = {
    role_ids: [world.roles.admin],
    is_staff: true,
    client_id: world.south.client,
    email: 'forged@example.com',
    user_id: world.admin,
  };
  for (const path of [
    'invitations/accept',
    'users/verifyResetPassword',
    'users/forgotPassword',
    'login',
    'login/second-factor',
    'emails/verify',
  ]) {
    const { status, body } = await app.call<ResponseBody>(undefined, 'POST', path, foreignScope);
    expect([path, status, Object.keys(body.errors ?? {})]).toEqual([
      path,
      422,
      expect.arrayContaining(['role_ids', 'is_staff', 'client_id', 'user_id']),
    ]);
  }
});
