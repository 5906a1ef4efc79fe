/** Granting rights: nobody can grant a role, a permission or a scope beyond their own. */
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { entities } from '../../schema/index';
import { hashPassword } from '../../server/auth/password';
import { pg } from '../../server/db/core/rowShape';
import type { Statement } from '../../server/db/core/statement';
import { add, nextNumber } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface User {
  id: number;
  email: string;
  emails: { email: string; verified: boolean; primary: boolean }[];
  role_ids: number[];
  first_name: string;
  permission_ids: number[];
}
interface ResponseBody {
  message: string;
  errors?: Record<string, string[]>;
  data: User;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`delete from users where email = 'admin@sweepline.local'`);
});
afterAll(() => app.close());

const call = (caller: number, method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
  app.call<ResponseBody>(caller, method, path, body);
/** Fields at which creating the user is rejected; none if it succeeds. */
async function readRejectedFields(caller: number, values: object): Promise<string[]> {
  const person = {
    first_name: 'New',
    last_name: 'User',
    email: `rights${nextNumber()}@example.com`,
    language_id: world.language,
    role_ids: [world.roles.operator],
  };
  const { status, body } = await call(caller, 'POST', 'users', { ...person, ...values });
  expect([201, 422]).toContain(status);
  return Object.keys(body.errors ?? {});
}
const addOperator = (client: number, links: object = {}) =>
  add(app.db, 'users', { language_id: world.language, client_id: client, role_ids: [world.roles.operator], ...links });

test('a missing client is reported as required, not as out of scope', async () => {
  const { users, roles, language, admin } = world;
  const invite = (caller: number, email: string) =>
    call(caller, 'POST', 'invitations', { email, role_id: roles.operator, language_id: language });
  for (const caller of [admin, users.country_manager, users.partner, users.customer_admin]) {
    const { status, body } = await invite(caller, `nowhere${nextNumber()}@example.com`);
    expect(status).toBe(422);
    expect(body.errors).toEqual({ client_id: ['Company cannot be empty.'] });
  }
});

test('a client is required only if the scope of a role is client, site or machine', async () => {
  const { roles, language, admin, north } = world;
  const limitedRoles = ['customer_admin', 'site_manager', 'operator'] as const;
  const addedRole = await add(app.db, 'roles', { scope: 'site' });
  for (const role of [...limitedRoles.map((name) => roles[name]), addedRole]) {
    expect(await readRejectedFields(admin, { role_ids: [role] })).toEqual(['client_id']);
    expect(await readRejectedFields(admin, { role_ids: [roles.country_manager, role] })).toEqual(['client_id']);
    expect(await readRejectedFields(admin, { role_ids: [role], client_id: north.client })).toEqual([]);
    expect(await readRejectedFields(admin, { role_ids: [role, roles.admin] })).toEqual([]);
  }
  for (const name of ['admin', 'country_manager', 'partner'] as const) {
    expect(await readRejectedFields(admin, { role_ids: [roles[name]] })).toEqual([]);
    const body = { email: `free${nextNumber()}@example.com`, role_id: roles[name], language_id: language };
    expect((await call(admin, 'POST', 'invitations', body)).status).toBe(201);
  }
});

test('the client of a user who needs one cannot be removed; existing accounts without a client can be edited', async () => {
  const { admin, north, roles, language } = world;
  const operator = await addOperator(north.client);
  const { status, body } = await call(admin, 'PATCH', `users/${operator}`, { client_id: null });
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['client_id']]);
  const olderUser = await add(app.db, 'users', { language_id: language, role_ids: [roles.operator] });
  expect((await call(admin, 'PATCH', `users/${olderUser}`, { first_name: 'Olga' })).status).toBe(200);
  const dashboard = await call(olderUser, 'GET', 'dashboard');
  expect(dashboard.body).toMatchObject({ data: { is_linked: false } });
});

describe('a role', () => {
  test('can be granted up to the caller’s own role, but no higher', async () => {
    const { north, roles, users } = world;
    const grantRole = (caller: number, role: keyof typeof roles, values: object = { client_id: north.client }) =>
      readRejectedFields(caller, { role_ids: [roles[role]], ...values });
    expect(await grantRole(users.customer_admin, 'operator')).toEqual([]);
    expect(await grantRole(users.customer_admin, 'site_manager')).toEqual([]);
    expect(await grantRole(users.customer_admin, 'customer_admin')).toEqual([]);
    expect(await grantRole(users.customer_admin, 'partner')).toEqual(['role_ids']);
    expect(await grantRole(users.customer_admin, 'admin')).toEqual(['role_ids']);
    expect(await grantRole(users.partner, 'customer_admin')).toEqual([]);
    expect(await grantRole(users.partner, 'country_manager')).toEqual(['role_ids']);
    expect(await grantRole(users.country_manager, 'partner')).toEqual([]);
    expect(await grantRole(users.country_manager, 'admin')).toEqual(['role_ids']);
    expect(await grantRole(world.admin, 'admin', {})).toEqual([]);
  });

  test('cannot be granted to oneself', async () => {
    const { customer_admin } = world.users;
    const { status, body } = await call(customer_admin, 'PATCH', `users/${customer_admin}`, {
      role_ids: [world.roles.customer_admin, world.roles.admin],
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['role_ids']]);
    const { operator } = world.users;
    expect((await call(operator, 'PATCH', `users/${operator}`, { role_ids: [world.roles.admin] })).status).toBe(422);
    const roles = await app.db.select(
      { id: pg.integer },
      sql`select roles_id as id from users_roles where users_id = ${operator}`,
    );
    expect(roles).toEqual([{ id: world.roles.operator }]);
  });

  test('with a permission that the caller lacks cannot be granted', async () => {
    const extraRole = await add(app.db, 'roles', { scope: 'machine' });
    await app.db.rows(
      sql`insert into roles_permissions (roles_id, permissions_id) select ${extraRole}, id from permissions where code_name = 'countries.edit'`,
    );
    expect(
      await readRejectedFields(world.users.customer_admin, { role_ids: [extraRole], client_id: world.north.client }),
    ).toEqual(['role_ids']);
    expect(await readRejectedFields(world.admin, { role_ids: [extraRole], client_id: world.north.client })).toEqual([]);
  });
});

describe('a scope', () => {
  test('can be granted only within the caller’s own scope', async () => {
    const { north, south, users, roles } = world;
    const ownScope = { client_id: north.client };
    expect(
      await readRejectedFields(users.customer_admin, {
        ...ownScope,
        fleet_ids: [north.fleets[1]],
        machine_ids: [north.machines[7]],
      }),
    ).toEqual([]);
    expect(await readRejectedFields(users.customer_admin, { ...ownScope, fleet_ids: [south.fleets[0]] })).toEqual([
      'fleet_ids',
    ]);
    expect(await readRejectedFields(users.customer_admin, { ...ownScope, country_ids: [north.country] })).toEqual([
      'country_ids',
    ]);
    expect(await readRejectedFields(users.country_manager, { ...ownScope, country_ids: [north.country] })).toEqual([]);
    expect(
      await readRejectedFields(users.country_manager, {
        ...ownScope,
        role_ids: [roles.country_manager],
        country_ids: [south.country],
      }),
    ).toEqual(['country_ids']);
    expect(await readRejectedFields(users.partner, { ...ownScope, client_ids: [north.client] })).toEqual([]);
    expect(await readRejectedFields(users.partner, { client_id: south.client })).toEqual(['client_id']);
    expect(
      await readRejectedFields(world.admin, {
        ...ownScope,
        country_ids: [south.country],
        fleet_ids: [south.fleets[0]],
        client_ids: [north.client],
      }),
    ).toEqual([]);
  });

  test('does not include all visible rows: a location shows its fleet without granting scope over it', async () => {
    const role = await add(app.db, 'roles', { scope: 'site' });
    await app.db.rows(
      sql`insert into roles_permissions (roles_id, permissions_id) select ${role}, id from permissions where code_name = any(${['users.list', 'users.show', 'users.create', 'users.edit', 'fleets.list', 'locations.list', 'machines.list', 'roles.list', 'languages.list', 'clients.list']}::text[])`,
    );
    const { north } = world;
    const [, , third, fourth] = north.locations;
    const addedUser = await add(app.db, 'users', {
      language_id: world.language,
      client_id: north.client,
      role_ids: [role],
      location_ids: [third],
    });
    const grantRole = (values: object) =>
      readRejectedFields(addedUser, { role_ids: [role], client_id: north.client, location_ids: [third], ...values });
    expect(await grantRole({})).toEqual([]);
    expect(await grantRole({ fleet_ids: [north.fleets[1]] })).toEqual(['fleet_ids']);
    expect(await grantRole({ location_ids: [third, fourth] })).toEqual(['location_ids']);
  });

  test('cannot be widened by a role that makes unused links effective', async () => {
    const { north, south, users, roles } = world;
    const user = await addOperator(north.client, { country_ids: [south.country] });
    const { status } = await call(users.country_manager, 'PATCH', `users/${user}`, {
      role_ids: [roles.country_manager],
    });
    expect(status).toBe(403);
    expect((await call(users.country_manager, 'PATCH', `users/${user}`, { first_name: 'Idle' })).status).toBe(200);
  });
});

describe('a stronger user', () => {
  test('cannot be changed, deleted or given a password by weaker roles', async () => {
    const { north, users, roles } = world;
    const manager = await add(app.db, 'users', {
      language_id: world.language,
      client_id: north.client,
      role_ids: [roles.admin],
    });
    const passwords = { password: 'Other!Pass8', password_confirmation: 'Other!Pass8' };
    expect((await call(users.country_manager, 'PATCH', `users/${manager}`, { first_name: 'Weak' })).status).toBe(403);
    expect((await call(users.country_manager, 'PATCH', `users/${manager}`, passwords)).status).toBe(403);
    expect((await call(users.country_manager, 'POST', `users/${manager}/password`, passwords)).status).toBe(403);
    expect(
      (await call(users.country_manager, 'PUT', `users/${manager}/language`, { language_id: world.language })).status,
    ).toBe(403);
    expect((await call(world.admin, 'DELETE', `users/${manager}`)).status).toBe(204);
  });
});

describe('the caller’s own user', () => {
  test.each([
    'country_manager',
    'partner',
    'customer_admin',
    'site_manager',
    'operator',
  ] as const)('%s can change their own profile, but nothing that grants permissions', async (role) => {
    const id = world.users[role];
    const { status, body } = await call(id, 'PATCH', `users/${id}`, { first_name: `Own ${role}`, allow_sms: true });
    expect([status, body.data?.first_name]).toEqual([200, `Own ${role}`]);
    const { status: rejectionStatus } = await call(id, 'PATCH', `users/${id}`, { fleet_ids: [...world.south.fleets] });
    expect(rejectionStatus).toBe(422);
  });

  test('cannot be deleted', async () => {
    expect((await call(world.admin, 'DELETE', `users/${world.admin}`)).status).toBe(409);
  });

  test('of a Site Manager can see other users, but not edit them', async () => {
    const id = await addOperator(world.north.client, { fleet_ids: [world.north.fleets[0]] });
    expect((await call(world.users.site_manager, 'GET', `users/${id}`)).status).toBe(200);
    expect((await call(world.users.site_manager, 'PATCH', `users/${id}`, { first_name: 'X' })).status).toBe(403);
  });
});

describe('e-mail addresses', () => {
  test('have one primary, and are marked as verified by the server only', async () => {
    const id = await addOperator(world.north.client);
    const first = (await call(world.admin, 'GET', `users/${id}`)).body.data.email;
    const second = `second${nextNumber()}@example.com`;
    const response = await call(world.admin, 'PATCH', `users/${id}`, {
      emails: [
        { email: first, primary: true },
        { email: second, verified: true },
      ],
    });
    expect(response.body.data.emails).toEqual([
      { email: first, verified: false, primary: true },
      { email: second, verified: false, primary: false },
    ]);
    await app.db.rows(sql`update user_emails set verified = true where user_id = ${id} and email = ${second}`);
    const swapResponse = await call(world.admin, 'PATCH', `users/${id}`, {
      emails: [{ email: first }, { email: second, primary: true }],
    });
    expect(swapResponse.body.data).toMatchObject({
      email: second,
      emails: [
        { email: second, verified: true, primary: true },
        { email: first, verified: false, primary: false },
      ],
    });
    const third = `third${nextNumber()}@example.com`;
    const changeResponse = await call(world.admin, 'PATCH', `users/${id}`, { email: third });
    expect(changeResponse.body.data.emails.map(({ email }) => email)).toEqual([third, first]);
  });

  test('reject two primary addresses, a duplicate, and an address of another user', async () => {
    const id = await addOperator(world.north.client);
    const patchForErrors = async (values: object) =>
      Object.keys((await call(world.admin, 'PATCH', `users/${id}`, values)).body.errors ?? {});
    const primaryAddresses = [1, 2].map((number) => ({ email: `p${number}@example.com`, primary: true }));
    expect(await patchForErrors({ emails: primaryAddresses })).toEqual(['emails']);
    expect(await patchForErrors({ emails: [{ email: 'same@example.com' }, { email: 'SAME@example.com' }] })).toEqual([
      'emails',
    ]);
    expect(await patchForErrors({ emails: [{ email: 'no address' }] })).toEqual(['emails.0.email']);
    expect(await patchForErrors({ emails: [{ email: 'admin@example.com', primary: true }] })).toEqual(['email']);
    expect(await patchForErrors({ email: 'ADMIN@EXAMPLE.COM' })).toEqual(['email']);
  });
});

describe('passwords of users', () => {
  test('are stored hashed, never returned, and end the sessions of the user', async () => {
    const id = await addOperator(world.north.client);
    const token = await app.createSessionToken(id);
    const { status, text } = await app.call(world.admin, 'PUT', `users/${id}`, {
      password: 'Given!Pass7',
      password_confirmation: 'Given!Pass7',
    });
    expect([status, text.includes('password')]).toEqual([200, false]);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(401);
    const secret = await app.db.selectOne(
      { password_hash: pg.text },
      sql`select password_hash from user_secrets where user_id = ${id}`,
    );
    expect(secret?.password_hash).toMatch(/^\$argon2id\$/);
    const unrepeatedResponse = await app.call<ResponseBody>(world.admin, 'PUT', `users/${id}`, {
      password: 'Given!Pass8',
    });
    expect([unrepeatedResponse.status, Object.keys(unrepeatedResponse.body.errors ?? {})]).toEqual([
      422,
      ['password_confirmation'],
    ]);
  });

  test('require the current one when users change their own, whatever their permissions', async () => {
    const credentials = { password: 'Given!Pass7', password_confirmation: 'Given!Pass7' };
    for (const caller of [world.admin, world.users.customer_admin]) {
      const responses = [
        await app.call(caller, 'PATCH', `users/${caller}`, credentials),
        await app.call(caller, 'PUT', `users/${caller}`, credentials),
        await app.call(caller, 'PUT', 'users', { ids: [caller], data: credentials }),
      ];
      for (const { status, text } of responses)
        expect([status, text]).toEqual([422, expect.stringContaining('own password')]);
    }
    expect(await app.db.one(sql`select 1 from user_secrets where user_id = ${world.admin}`)).toBeUndefined();
  });

  test('deleting a user ends their sessions at once', async () => {
    const id = await addOperator(world.north.client);
    await app.db.rows(
      sql`insert into user_secrets (user_id, password_hash) values (${id}, ${await hashPassword('Given!Pass7')})`,
    );
    const token = await app.createSessionToken(id);
    expect((await app.call(world.admin, 'DELETE', `users/${id}`)).status).toBe(204);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(401);
  });
});

describe('the last Admin', () => {
  test('cannot be deleted or lose the role, alone or in bulk', async () => {
    const roleRow = await app.db.selectOne(
      { id: pg.integer },
      sql`insert into roles (name, scope) values ('Everything', 'all') returning id`,
    );
    const role = (roleRow as { id: number }).id;
    await app.db.rows(
      sql`insert into roles_permissions (roles_id, permissions_id) select ${role}, id from permissions`,
    );
    const manager = await add(app.db, 'users', { language_id: world.language, role_ids: [role] });
    const second = await add(app.db, 'users', { language_id: world.language, role_ids: [world.roles.admin] });
    const admins = (
      await app.db.select(
        { id: pg.integer },
        sql`select u.id from users u join users_roles k on k.users_id = u.id where k.roles_id = ${world.roles.admin} and u.deleted_at is null`,
      )
    ).map(({ id }) => id);
    expect(admins).toContain(second);
    expect((await call(manager, 'DELETE', 'users', { ids: admins })).status).toBe(409);
    expect(
      (await call(manager, 'PUT', 'users', { ids: admins, data: { role_ids: [world.roles.operator] } })).status,
    ).toBe(422);
    for (const id of admins.filter((admin) => admin !== world.admin))
      expect((await call(manager, 'DELETE', `users/${id}`)).status).toBe(204);
    const { status, body } = await call(manager, 'PATCH', `users/${world.admin}`, { role_ids: [role] });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['role_ids']]);
    expect((await call(manager, 'DELETE', `users/${world.admin}`)).status).toBe(409);
    expect((await call(world.admin, 'GET', 'users')).status).toBe(200);
  });
});

describe('roles and permissions', () => {
  test('the six built-in roles cannot be renamed, rescoped or deleted', async () => {
    const { operator } = world.roles;
    const patchForErrors = async (values: object) =>
      Object.keys((await call(world.admin, 'PATCH', `roles/${operator}`, values)).body.errors ?? {});
    expect(await patchForErrors({ name: 'Cleaner' })).toEqual(['name']);
    expect(await patchForErrors({ scope: 'all' })).toEqual(['scope']);
    expect((await call(world.admin, 'DELETE', `roles/${operator}`)).status).toBe(409);
  });

  test('cannot exceed the caller’s own, and Admin keeps all permissions', async () => {
    const codes = [
      'roles.list',
      'roles.show',
      'roles.create',
      'roles.edit',
      'roles.delete',
      'permissions.list',
      'permissions.show',
      'users.list',
    ];
    const clientRole = await add(app.db, 'roles', { scope: 'client' });
    await app.db.rows(
      sql`insert into roles_permissions (roles_id, permissions_id) select ${clientRole}, id
        from permissions where code_name = any(${codes}::text[])`,
    );
    const user = await add(app.db, 'users', {
      language_id: world.language,
      client_id: world.north.client,
      role_ids: [clientRole],
    });
    const readPermissionIds = async (names: string[]) =>
      (
        await app.db.select({ id: pg.integer }, sql`select id from permissions where code_name = any(${names}::text[])`)
      ).map(({ id }) => id);
    const createRoleForErrors = async (values: object) =>
      Object.keys(
        (await call(user, 'POST', 'roles', { name: `Made ${nextNumber()}`, scope: 'client', ...values })).body.errors ??
          {},
      );
    expect(await createRoleForErrors({ permission_ids: await readPermissionIds(['users.list']) })).toEqual([]);
    expect(
      await createRoleForErrors({ permission_ids: await readPermissionIds(['users.list', 'users.delete']) }),
    ).toEqual(['permission_ids']);
    expect(await createRoleForErrors({ scope: 'country' })).toEqual(['scope']);
    expect((await call(user, 'PATCH', `roles/${world.roles.operator}`, { permission_ids: [] })).status).toBe(403);
    const stripResponse = await call(world.admin, 'PATCH', `roles/${world.roles.admin}`, { permission_ids: [] });
    expect([stripResponse.status, Object.keys(stripResponse.body.errors ?? {})]).toEqual([422, ['permission_ids']]);
  });

  test('enforced permissions cannot be renamed or deleted; a new permission can be granted', async () => {
    const permission = await app.db.selectOne(
      { id: pg.integer },
      sql`select id from permissions where code_name = 'machines.list'`,
    );
    expect((await call(world.admin, 'DELETE', `permissions/${permission?.id}`)).status).toBe(409);
    expect(
      (await call(world.admin, 'PATCH', `permissions/${permission?.id}`, { code_name: 'machines.liste' })).status,
    ).toBe(422);
    const createResponse = await call(world.admin, 'POST', 'permissions', {
      name: 'Dance',
      code_name: 'machines.dance',
    });
    expect(createResponse.status).toBe(201);
    const role = await call(world.admin, 'POST', 'roles', {
      name: 'Dancer',
      scope: 'machine',
      permission_ids: [createResponse.body.data.id],
    });
    expect([role.status, role.body.data.permission_ids]).toEqual([201, [createResponse.body.data.id]]);
  });
});

describe('users of a client', () => {
  test('are listed in the list dialect, for callers with the client in scope', async () => {
    const listUsers = (caller: number, client: number) =>
      app.call<{ data: { client_id: number }[]; total: number }>(
        caller,
        'GET',
        `users/getUsersByCompanyCustomerAdmin/${client}?per_page=2&include=roles&sort=id`,
      );
    const { status, body } = await listUsers(world.users.partner, world.north.client);
    expect([status, body.data.length, body.data.every(({ client_id }) => client_id === world.north.client)]).toEqual([
      200,
      2,
      true,
    ]);
    expect(body.total).toBeGreaterThanOrEqual(3);
    expect((await listUsers(world.users.partner, world.south.client)).status).toBe(404);
  });

  test('languages/all returns every language', async () => {
    const { status, body } = await app.call<{ data: { id: number }[] }>(
      world.users.operator,
      'GET',
      'languages/all?sort=id',
    );
    expect([status, body.data.length]).toEqual([200, 6]);
  });
});

describe('the caller’s permissions', () => {
  test('are read at most once per request, in reads of every entity and in writes', async () => {
    const { machines } = world.north;
    const paths = entities.flatMap(({ name, list: { facets } }) => [
      name,
      `${name}/1`,
      ...(facets.length > 0 ? [`${name}/facets`] : []),
    ]);
    const selectSpy = vi.spyOn(app.db, 'select');
    const isAuthorization = (query: SQL | Statement) =>
      'text' in query && /from sessions\s+where token_hash/.test(query.text);
    const countAuthorizationReads = () => selectSpy.mock.calls.filter(([, query]) => isAuthorization(query)).length;
    const callsOf = (caller: number) => [
      ...paths.map((path) => () => call(caller, 'GET', path)),
      () => call(caller, 'GET', 'search?q=North'),
      () => call(caller, 'PATCH', `machines/${machines[0]}`, { note: `note ${nextNumber()}` }),
      () => call(caller, 'PUT', 'machines', { ids: [machines[0]], data: { note: `note ${nextNumber()}` } }),
      () =>
        call(caller, 'POST', 'machines', {
          serial_number: `R-${nextNumber()}`,
          fleet_id: world.north.fleets[0],
          type_id: world.type,
        }),
    ];
    try {
      for (const user of Object.values(world.users)) {
        let totalCount = 0;
        for (const send of callsOf(user)) {
          selectSpy.mockClear();
          await send();
          expect(countAuthorizationReads()).toBeLessThanOrEqual(1);
          totalCount += countAuthorizationReads();
        }
        expect(totalCount).toBeGreaterThan(0);
      }
    } finally {
      selectSpy.mockRestore();
    }
  });
});
