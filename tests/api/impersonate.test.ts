/** Impersonation: an administrator sees what another user sees, changes nothing, and is named in the audit. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface ImpersonationStart {
  token: string;
  user_token: string;
  user: { id: number };
  message: string;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const impersonate = (caller: number | string, user: number) =>
  app.call<ImpersonationStart>(caller, 'POST', `users/${user}/impersonate`);
const parseClaims = (userToken: string) =>
  JSON.parse(Buffer.from(userToken.split('.')[1] as string, 'base64url').toString());
/** A user with permission to impersonate, and the scope of one client. */
async function addSupporter(): Promise<number> {
  const role = await add(app.db, 'roles', { scope: 'client' });
  await app.db.rows(sql`
    insert into roles_permissions (roles_id, permissions_id)
    select ${role}::int, permissions_id from roles_permissions where roles_id = ${world.roles.customer_admin}
    union select ${role}::int, id from permissions where code_name = 'users.impersonate'`);
  return add(app.db, 'users', { language_id: world.language, client_id: world.north.client, role_ids: [role] });
}

describe('during impersonation', () => {
  test('calls return what the other user sees and name both users; the other user’s last login is unchanged', async () => {
    const { users, admin } = world;
    const { status, body } = await impersonate(admin, users.operator);
    expect([status, body.user.id]).toEqual([200, users.operator]);
    const viewedList = await app.call<{ data: unknown[]; total: number }>(body.token, 'GET', 'machines');
    const login = await app.db.selectOne(
      { last_login: pg.timestamptz.nullable },
      sql`select last_login from users_state where id = ${users.operator}`,
    );
    expect(login).toEqual({ last_login: null });
    const ownList = await app.call<{ data: unknown[]; total: number }>(users.operator, 'GET', 'machines');
    expect(viewedList.body.data).toEqual(ownList.body.data);
    expect(parseClaims(body.user_token)).toMatchObject({
      id: users.operator,
      roles: ['Operator'],
      impersonated_by: 'Ada Admin',
    });
    const refreshResponse = await app.call<ImpersonationStart>(
      body.token,
      'GET',
      `users/refreshInformationAboutUser/${users.operator}`,
    );
    expect(parseClaims(refreshResponse.body.user_token).impersonated_by).toBe('Ada Admin');
  });

  test('every call that changes something is rejected', async () => {
    const { users, admin, north } = world;
    const { token } = (await impersonate(admin, users.customer_admin)).body;
    const [machine] = north.machines;
    for (const [method, path, body] of [
      ['PUT', `machines/${machine}`, { note: 'x' }],
      ['POST', `machines/${machine}`, { _method: 'PUT', note: 'x' }],
      ['PATCH', 'machines', { ids: [machine], data: { note: 'x' } }],
      ['DELETE', `invitations/${north.invitation}`, undefined],
      ['POST', 'fleets', { name: 'New', client_id: north.client, color: '#000000' }],
      [
        'POST',
        `users/${users.customer_admin}/password`,
        { current_password: 'x', password: 'New!Pass1', password_confirmation: 'New!Pass1' },
      ],
      ['PUT', `users/${users.customer_admin}/language`, { language_id: world.language }],
      ['POST', 'invitations/many', { emails: 'x@view.example' }],
      ['POST', `users/${users.operator}/impersonate`, undefined],
    ] as const) {
      const { status, body: response } = await app.call<ImpersonationStart>(token, method, path, body);
      expect([method, path, status, response.message]).toEqual([
        method,
        path,
        403,
        expect.stringContaining('nothing can be changed'),
      ]);
    }
    expect((await app.call(token, 'GET', 'dashboard')).status).toBe(200);
  });

  test('the session ends on logout, and on expiry after 30 minutes', async () => {
    const { users, admin } = world;
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(async () => (await impersonate(admin, users.operator)).body.token),
    );
    const isAlive = async (token: string | undefined) => (await app.call(token, 'GET', 'dashboard')).status === 200;
    expect((await app.call(first, 'POST', 'users/logout')).status).toBe(204);
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, true]);
    expect((await app.call(admin, 'GET', 'dashboard')).status).toBe(200);
    await app.db.rows(
      sql`update sessions set expires_at = now() - interval '1 second' where impersonated_by = ${admin} and id = (select max(id) from sessions)`,
    );
    expect([await isAlive(second), await isAlive(third)].filter(Boolean)).toHaveLength(1);
    const entry = await app.db.selectOne(
      { minutes: pg.numeric },
      sql`select max(extract(epoch from expires_at - created_at)) / 60 as minutes from sessions where impersonated_by = ${admin}`,
    );
    expect(Math.round(Number(entry?.minutes))).toBe(30);
  });

  test('the session is audited with the impersonating user', async () => {
    const { users, admin } = world;
    await impersonate(admin, users.partner);
    const auditEntry = await app.db.selectOne(
      { user_id: pg.integer, record_id: pg.integer },
      sql`select user_id, record_id from audit where action = 'impersonate' order by id desc limit 1`,
    );
    expect(auditEntry).toEqual({ user_id: admin, record_id: users.partner });
  });
});

describe('impersonation is rejected', () => {
  test('without the permission, of oneself, or out of scope', async () => {
    const { users, admin, south } = world;
    expect((await impersonate(users.customer_admin, users.operator)).status).toBe(403);
    expect((await impersonate(admin, admin)).status).toBe(409);
    const supporter = await addSupporter();
    expect((await impersonate(supporter, users.operator)).status).toBe(200);
    expect((await impersonate(supporter, south.users.operator)).status).toBe(404);
    expect((await impersonate(supporter, admin)).status).toBe(404);
  });

  test('of a user with more permissions', async () => {
    const supporter = await addSupporter();
    const strongerUser = await add(app.db, 'users', {
      language_id: world.language,
      client_id: world.north.client,
      role_ids: [world.roles.country_manager],
    });
    expect((await impersonate(supporter, strongerUser)).status).toBe(403);
  });

  test('once the permission is revoked or the account is blocked', async () => {
    const supporter = await addSupporter();
    const { token } = (await impersonate(supporter, world.users.operator)).body;
    expect((await app.call(token, 'GET', 'dashboard')).status).toBe(200);
    await app.db.rows(sql`delete from users_roles where users_id = ${supporter}`);
    expect((await app.call(token, 'GET', 'dashboard')).status).toBe(401);
    const otherSupporter = await addSupporter();
    const second = (await impersonate(otherSupporter, world.users.operator)).body.token;
    expect((await app.call(world.admin, 'DELETE', `users/${otherSupporter}`)).status).toBe(204);
    expect((await app.call(second, 'GET', 'dashboard')).status).toBe(401);
  });
});
