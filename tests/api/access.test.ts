/**
 * Explanations of access: which role, permission and scope path allow or deny a call. Also replacement of roles, one or
 * many.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { add, nextNumber } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

interface AccessExplanation {
  allowed: boolean;
  permission: { code: string; held: boolean; own: boolean; roles: { name: string; scope: string; holds: boolean }[] };
  reach: {
    reached: boolean;
    everything: string | null;
    by: { kind: string; resource: string; id: number; name: string | null }[];
  };
}
interface ResponseBody {
  message: string;
  errors?: Record<string, string[]>;
  data: AccessExplanation;
  count: number;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const call = (caller: number, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  app.call<ResponseBody>(caller, method, path, body);
const readExplanation = async (caller: number, user: number, query: string) =>
  (await call(caller, 'GET', `users/${user}/access?${query}`)).body.data;
const readRoles = async (user: number) =>
  (
    await app.db.select(
      { id: pg.integer },
      sql`select roles_id as id from users_roles where users_id = ${user} order by 1`,
    )
  ).map(({ id }) => id);

describe('explanation of access', () => {
  test('names the role that grants the permission and the link to the row', async () => {
    const { users, north, admin } = world;
    const result = await readExplanation(
      admin,
      users.operator,
      `resource=machines&action=show&id=${north.machines[0]}`,
    );
    expect(result.allowed).toBe(true);
    expect(result.permission).toMatchObject({
      code: 'machines.show',
      held: true,
      roles: [{ name: 'Operator', scope: 'machine', holds: true }],
    });
    expect(result.reach.by).toEqual([
      { kind: 'machine', resource: 'locations', id: north.locations[0], name: 'North Site 11' },
    ]);
    const manager = await readExplanation(
      admin,
      users.country_manager,
      `resource=machines&action=delete&id=${north.machines[0]}`,
    );
    expect([manager.allowed, manager.reach.by]).toEqual([
      true,
      [{ kind: 'country', resource: 'countries', id: north.country, name: 'Germany' }],
    ]);
  });

  test('distinguishes a missing permission from a row out of scope', async () => {
    const { users, north, south, admin } = world;
    const notPermitted = await readExplanation(
      admin,
      users.operator,
      `resource=machines&action=delete&id=${north.machines[0]}`,
    );
    expect([notPermitted.allowed, notPermitted.permission.held, notPermitted.reach.reached]).toEqual([
      false,
      false,
      true,
    ]);
    const outOfScope = await readExplanation(
      admin,
      users.operator,
      `resource=machines&action=show&id=${south.machines[0]}`,
    );
    expect([outOfScope.allowed, outOfScope.permission.held, outOfScope.reach]).toMatchObject([
      false,
      true,
      { reached: false, by: [] },
    ]);
  });

  test('agrees with the call itself, for every role and many rows', async () => {
    const { users, north, south, admin } = world;
    for (const user of Object.values(users))
      for (const [resource, id] of [
        ['machines', north.machines[2]],
        ['machines', north.machines[7]],
        ['machines', south.machines[0]],
        ['locations', north.locations[3]],
        ['clients', south.client],
        ['roles', world.roles.admin],
        ['users', users.operator],
      ] as const) {
        const { status } = await app.call(user, 'GET', `${resource}/${id}`);
        expect([
          resource,
          id,
          user,
          (await readExplanation(admin, user, `resource=${resource}&action=show&id=${id}`)).allowed,
        ]).toEqual([resource, id, user, status === 200]);
      }
  });

  test('allows users to edit their own profile without a permission', async () => {
    const { operator } = world.users;
    const result = await readExplanation(operator, operator, `resource=users&action=edit&id=${operator}`);
    expect([result.allowed, result.permission.held, result.permission.own]).toEqual([true, false, true]);
  });

  test('is returned only to callers who see both the user and the row', async () => {
    const { users, north, south, admin } = world;
    const status = async (caller: number, user: number, id: number) =>
      (await call(caller, 'GET', `users/${user}/access?resource=machines&id=${id}`)).status;
    const machine = north.machines[0] as number;
    expect(await status(users.customer_admin, users.operator, machine)).toBe(200);
    expect(await status(users.customer_admin, users.operator, south.machines[0] as number)).toBe(404);
    expect(await status(users.customer_admin, south.users.operator, machine)).toBe(404);
    expect(await status(users.operator, admin, machine)).toBe(404);
    // The customer does not learn the names of the partner's other clients.
    const explanation = await readExplanation(
      users.customer_admin,
      users.site_manager,
      `resource=machines&id=${machine}`,
    );
    expect(explanation.reach.by.map(({ name }) => name)).toEqual(['North Fleet 1']);
  });

  test('rejects unknown entities, operations and ids', async () => {
    const { admin } = world;
    const readRejectedFields = async (query: string) =>
      Object.keys((await call(admin, 'GET', `users/${admin}/access?${query}`)).body.errors ?? {});
    expect(await readRejectedFields('resource=nothing')).toEqual(['resource']);
    expect(await readRejectedFields('resource=machines&action=fly')).toEqual(['action']);
    expect((await call(admin, 'GET', `users/${admin}/access?resource=machines&id=constructor`)).status).toBe(404);
  });
});

describe('a role', () => {
  const addUser = (role: number) =>
    add(app.db, 'users', { language_id: world.language, client_id: world.north.client, role_ids: [role] });

  test('cannot be deleted while in use unless another role replaces it for users and invitations', async () => {
    const { admin, roles, language, north } = world;
    const oldRole = await add(app.db, 'roles', { scope: 'machine' });
    const [first, second] = [await addUser(oldRole), await addUser(oldRole)];
    const invitationId = await add(app.db, 'invitations', {
      email: `guest${nextNumber()}@example.com`,
      role_id: oldRole,
      client_id: north.client,
      language_id: language,
    });
    const rejection = await call(admin, 'DELETE', `roles/${oldRole}`);
    expect([rejection.status, rejection.body.message]).toEqual([409, expect.stringContaining('2 users')]);
    expect((await call(admin, 'POST', `roles/${oldRole}/replace`, { replacement_id: oldRole })).status).toBe(422);
    const { status, body } = await call(admin, 'POST', `roles/${oldRole}/replace`, { replacement_id: roles.operator });
    expect([status, body.count]).toEqual([200, 2]);
    expect([await readRoles(first), await readRoles(second)]).toEqual([[roles.operator], [roles.operator]]);
    const invitation = await app.db.selectOne(
      { role_id: pg.integer, deleted_at: pg.timestamptz.nullable },
      sql`select role_id, deleted_at from invitations where id = ${invitationId}`,
    );
    expect(invitation).toEqual({ role_id: roles.operator, deleted_at: null });
    expect((await call(admin, 'GET', `roles/${oldRole}`)).status).toBe(404);
  });

  test('can be deleted when unused', async () => {
    const unusedRole = await add(app.db, 'roles', {});
    expect((await call(world.admin, 'DELETE', `roles/${unusedRole}`)).status).toBe(204);
  });

  test('cannot be replaced if built in; a replacement must not exceed the caller’s permissions', async () => {
    const { admin, roles, users } = world;
    expect(
      (await call(admin, 'POST', `roles/${roles.operator}/replace`, { replacement_id: roles.site_manager })).status,
    ).toBe(409);
    const oldRole = await add(app.db, 'roles', { scope: 'machine' });
    expect(
      (await call(users.customer_admin, 'POST', `roles/${oldRole}/replace`, { replacement_id: roles.operator })).status,
    ).toBe(403);
    expect((await call(admin, 'POST', `roles/${oldRole}/replace`, { replacement_id: 99_999 })).status).toBe(422);
  });

  test('is assigned to many users, all or none', async () => {
    const { admin, roles, users, south } = world;
    const [first, second] = [await addUser(roles.operator), await addUser(roles.operator)];
    const assignRole = (caller: number, role: number, user_ids: number[]) =>
      call(caller, 'POST', `roles/${role}/users`, { user_ids });
    expect((await assignRole(users.customer_admin, roles.site_manager, [first, second])).body.count).toBe(2);
    expect(await readRoles(first)).toEqual([roles.site_manager, roles.operator].sort((a, b) => a - b));
    expect((await assignRole(users.customer_admin, roles.site_manager, [first])).body.count).toBe(0);
    expect((await assignRole(users.customer_admin, roles.admin, [first, second])).status).toBe(422);
    expect((await assignRole(users.customer_admin, roles.site_manager, [second, south.users.operator])).status).toBe(
      404,
    );
    expect((await assignRole(users.operator, roles.operator, [first])).status).toBe(403);
    expect((await assignRole(admin, roles.partner, [first, 99_999])).status).toBe(404);
    expect(await readRoles(first)).not.toContain(roles.partner);
  });
});
