/**
 * Saved views: owned by one user, shared with permission, readable by the users with whom they are shared, and writable
 * by the owner only.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

interface View {
  id: number;
  name: string;
  user_id: number;
  query: string | null;
  columns: string[];
}

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const call = <T = { data: View }>(
  role: RoleName,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => app.call<T>(world.users[role], method, path, body);
const buildView = (values: object = {}) => ({
  name: 'Idle',
  resource: 'machines',
  query: 'filter[status]=Offline&sort=-last_seen&per_page=50',
  columns: ['serial_number', 'status'],
  ...values,
});
const readVisibleNames = async (role: RoleName) =>
  (await call<{ data: View[] }>(role, 'GET', 'saved_views?per_page=100')).body.data.map(({ name }) => name);

test.each(roleNames)('%s can save private views', async (role) => {
  const name = `Own of ${role}`;
  const { status, body } = await call(role, 'POST', 'saved_views', buildView({ name }));
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    name,
    user_id: world.users[role],
    query: buildView().query,
    columns: ['serial_number', 'status'],
  });
  for (const otherRole of roleNames)
    expect((await readVisibleNames(otherRole)).includes(name)).toBe(otherRole === role);
  expect((await call(role, 'PUT', `saved_views/${body.data.id}`, { name: `${name}!` })).status).toBe(200);
  expect((await call(role, 'DELETE', `saved_views/${body.data.id}`)).status).toBe(204);
});

test('a view cannot be created for another user', async () => {
  const { body } = await call('operator', 'POST', 'saved_views', buildView({ name: 'Forged', user_id: world.admin }));
  expect(body.data.user_id).toBe(world.users.operator);
});

describe('column widths', () => {
  test('are stored with the view', async () => {
    const { status, body } = await call<{ data: View & { widths: string[] } }>(
      'operator',
      'POST',
      'saved_views',
      buildView({ widths: ['serial_number:220', 'status:120'] }),
    );
    expect([status, body.data.widths]).toEqual([201, ['serial_number:220', 'status:120']]);
  });
  test.each([
    'serial_number',
    'serial_number:0',
    'serial_number:12345',
    'nonsense:120',
    'status:-20',
    'serial_number:1e3',
  ])('are rejected as %s', async (width) => {
    const { status, body } = await call<{ errors: object }>(
      'operator',
      'POST',
      'saved_views',
      buildView({ widths: [width] }),
    );
    expect([status, Object.keys(body.errors)]).toEqual([422, ['widths']]);
  });
});

describe('sharing', () => {
  test('with a client makes the view visible to its users only, and changeable by the owner only', async () => {
    const { body } = await call(
      'customer_admin',
      'POST',
      'saved_views',
      buildView({ name: 'Of the north', client_id: world.north.client }),
    );
    const { id } = body.data;
    for (const role of ['customer_admin', 'site_manager', 'operator', 'admin'] as const)
      expect(await readVisibleNames(role)).toContain('Of the north');
    const southResponse = await app.call<{ data: View[] }>(world.south.users.operator, 'GET', 'saved_views');
    expect(southResponse.body.data).toEqual([]);
    expect((await app.call(world.south.users.operator, 'GET', `saved_views/${id}`)).status).toBe(404);
    expect((await call('operator', 'PUT', `saved_views/${id}`, { name: 'Mine' })).status).toBe(403);
    expect((await call('operator', 'DELETE', `saved_views/${id}`)).status).toBe(403);
    expect((await call('operator', 'DELETE', 'saved_views', { ids: [id] })).status).toBe(403);
    expect((await call('customer_admin', 'PUT', `saved_views/${id}`, { client_id: null })).status).toBe(200);
    expect(await readVisibleNames('operator')).not.toContain('Of the north');
  });

  test('with a role requires permission to edit roles, and includes every user with the role', async () => {
    const rejection = await call<{ errors: object }>(
      'customer_admin',
      'POST',
      'saved_views',
      buildView({ role_id: world.roles.operator }),
    );
    expect([rejection.status, Object.keys(rejection.body.errors)]).toEqual([422, ['role_id']]);
    await call(
      'admin',
      'POST',
      'saved_views',
      buildView({ name: 'For operators', role_id: world.roles.operator, is_default: true }),
    );
    expect(await readVisibleNames('operator')).toContain('For operators');
    expect(await readVisibleNames('site_manager')).not.toContain('For operators');
  });

  test('with a client out of scope, or without the permission to share, is rejected at its field', async () => {
    for (const [role, client] of [
      ['customer_admin', world.south.client],
      ['operator', world.north.client],
    ] as const) {
      const { status, body } = await call<{ errors: object }>(
        role,
        'POST',
        'saved_views',
        buildView({ client_id: client }),
      );
      expect([role, status, Object.keys(body.errors)]).toEqual([role, 422, ['client_id']]);
    }
  });
});

test.each([
  ['a list that does not exist', { resource: 'ghosts' }, 'resource'],
  ['a list that the owner may not open', { resource: 'invitations', query: null, columns: [] }, 'resource'],
  ['a filter that does not exist', { query: 'filter[ghost]=1' }, 'query'],
  ['a filter on a field that the owner may not read', { query: 'filter[price]=>=1' }, 'query'],
  ['a column that the owner may not read', { columns: ['serial_number', 'price'] }, 'columns'],
])('%s is rejected when saved', async (_, values, field) => {
  const { status, body } = await call<{ errors: object }>('operator', 'POST', 'saved_views', buildView(values));
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
});

test('audit entries of a purged view stay readable for its creator and Admins', async () => {
  const { body } = await call(
    'customer_admin',
    'POST',
    'saved_views',
    buildView({ name: 'Short-lived', client_id: world.north.client }),
  );
  const { id } = body.data;
  const readActions = async (role: RoleName) => {
    const auditPath = `audit?filter[entity]=saved_views&filter[record_id]=${id}&sort=id`;
    return (await call<{ data: { action: string }[] }>(role, 'GET', auditPath)).body.data.map(({ action }) => action);
  };
  expect(await readActions('site_manager')).toEqual(['create']);
  expect((await call('customer_admin', 'DELETE', `saved_views/${id}`)).status).toBe(204);
  expect((await call('admin', 'DELETE', `saved_views/${id}?permanent=1`)).status).toBe(204);
  for (const role of ['customer_admin', 'admin'] as const)
    expect(await readActions(role)).toEqual(['create', 'delete', 'remove']);
  for (const role of ['site_manager', 'partner'] as const) expect(await readActions(role)).toEqual([]);
});
