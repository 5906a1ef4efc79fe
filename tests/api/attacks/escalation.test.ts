/**
 * Indirect privilege escalation: API tokens, imports started with them, invitations created by others, and a user's own
 * roles and links. tests/api/rights.test.ts covers direct grants.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../../server/db/core/rowShape';
import { callImport, importFile } from '../../support/importFile';
import { add, nextNumber } from '../../support/rows';
import { startTestWorld, type TestApp } from '../../support/startTestApp';
import type { World } from '../../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  errors?: Record<string, string[]>;
  data: { id: number; token: string };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

/** Creates an API token of a user, limited to these permissions. */
async function createToken(user: number, permissions?: string[]): Promise<string> {
  const { body } = await app.call<ResponseBody>(user, 'POST', 'account/tokens', {
    name: `Token ${nextNumber()}`,
    days: 1,
    ...(permissions && { permissions }),
  });
  return body.data.token;
}
const readRoles = async (user: number) =>
  (
    await app.db.select(
      { id: pg.integer },
      sql`select roles_id as id from users_roles where users_id = ${user} order by roles_id`,
    )
  ).map(({ id }) => id);
const readEmail = async (user: number) =>
  (await app.db.selectOne({ email: pg.text }, sql`select email from users where id = ${user}`))?.email;

describe('an API token', () => {
  test('cannot grant a permission that it lacks, although its owner has it', async () => {
    const token = await createToken(world.admin, [
      'users.list',
      'users.show',
      'users.create',
      'users.edit',
      'roles.list',
      'roles.show',
      'roles.create',
      'roles.edit',
    ]);
    const person = {
      first_name: 'By',
      last_name: 'Token',
      email: `token${nextNumber()}@example.com`,
      language_id: world.language,
    };
    const { status, body } = await app.call<ResponseBody>(token, 'POST', 'users', {
      ...person,
      role_ids: [world.roles.admin],
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['role_ids']]);
    expect(
      (await app.call(token, 'PATCH', `users/${world.users.operator}`, { role_ids: [world.roles.admin] })).status,
    ).toBe(403);
    const allPermissions = (
      await app.db.select({ id: pg.integer }, sql`select id from permissions where deleted_at is null`)
    ).map(({ id }) => id);
    expect(
      (
        await app.call(token, 'POST', 'roles', {
          name: `Role ${nextNumber()}`,
          scope: 'all',
          permission_ids: allPermissions,
        })
      ).status,
    ).toBe(422);
    expect(await readRoles(world.users.operator)).toEqual([world.roles.operator]);
  });

  test('cannot change its owner by any call', async () => {
    const token = await createToken(world.admin);
    const [email, roles] = [await readEmail(world.admin), await readRoles(world.admin)];
    for (const [method, path, body] of [
      ['PATCH', `users/${world.admin}`, { email: 'mine@example.com' }],
      ['POST', `users/patch/${world.admin}`, { email: 'mine@example.com' }],
      ['PUT', 'users', { ids: [world.admin], data: { phone: '+49 40 1234567' } }],
      [
        'POST',
        `users/${world.admin}/password`,
        { current_password: 'x', password: 'Other!Pass8', password_confirmation: 'Other!Pass8' },
      ],
      ['POST', 'account/tokens', { name: 'Next', days: 1 }],
      ['POST', 'account/emails', { email: 'mine@example.com' }],
      ['POST', 'account/second-factor', {}],
      ['POST', `users/${world.users.operator}/impersonate`, undefined],
    ] as const)
      expect([method, path, (await app.call(token, method, path, body)).status]).toEqual([method, path, 403]);
    const { data } = await importFile(app, token, 'users', `id,email\n${world.admin},mine@example.com\n`, {
      commits: true,
    });
    expect([data.state, data.counts.update]).toEqual(['failed', 0]);
    expect([await readEmail(world.admin), await readRoles(world.admin)]).toEqual([email, roles]);
  });

  test('imports only within its own permissions, including files that its owner uploaded and later commits', async () => {
    const owner = world.users.country_manager;
    const [machine] = world.north.machines;
    const readNote = async () =>
      (await app.db.selectOne({ note: pg.text.nullable }, sql`select note from machines where id = ${machine}`))?.note;
    const file = `id,note\n${machine},by import\n`;
    const narrowToken = await createToken(owner, ['machines.import', 'imports.list', 'imports.show']);
    const { data } = await importFile(app, narrowToken, 'machines', file, { commits: true });
    expect([data.state, data.counts.update]).toEqual(['failed', 0]);

    const checkedImport = await importFile(app, owner, 'machines', file);
    expect(checkedImport.data.state).toBe('checked');
    const commitResponse = await callImport(app, narrowToken, 'POST', `${checkedImport.data.id}/commit`);
    expect([commitResponse.data.state, await readNote()]).toEqual(['failed', null]);

    // The owner can still commit the import in a session.
    expect((await callImport(app, owner, 'POST', `${checkedImport.data.id}/commit`)).data.state).toBe('done');
    expect(await readNote()).toBe('by import');
    expect((await callImport(app, narrowToken, 'POST', `${checkedImport.data.id}/undo`)).data.state).toBe('done');
    expect(await readNote()).toBe('by import');
  });
});

describe('an invitation', () => {
  test('with a stronger role cannot be redirected to another address', async () => {
    const { roles, users, north, language } = world;
    const strongInvitation = await add(app.db, 'invitations', {
      role_id: roles.country_manager,
      client_id: north.client,
      language_id: language,
    });
    const changeInvitation = (body: object) =>
      app.call<ResponseBody>(users.customer_admin, 'PATCH', `invitations/${strongInvitation}`, body);
    for (const body of [{ email: 'mine@example.com' }, { email: 'mine@example.com', role_id: roles.admin }])
      expect((await changeInvitation(body)).status).toBe(422);
    const bulk = await app.call(users.customer_admin, 'PUT', 'invitations', {
      ids: [strongInvitation],
      data: { email: 'mine@example.com' },
    });
    expect(bulk.status).toBe(422);
    expect(await app.db.one(sql`select 1 from invitations where email = 'mine@example.com'`)).toBeUndefined();
  });

  test('created by import cannot exceed the importer’s role and client', async () => {
    const file = `email,role,company,language\na@import.example,Admin,North Cleaning,English\nb@import.example,Operator,South Cleaning,English\n`;
    expect((await importFile(app, world.users.customer_admin, 'invitations', file, { commits: true })).status).toBe(
      403,
    );
    const { data } = await importFile(app, world.users.partner, 'invitations', file, { commits: true });
    expect([data.state, data.counts.create]).toEqual(['failed', 0]);
    expect(data.errors.map(({ row, field }) => [row, field])).toEqual([
      [2, 'role_id'],
      [3, 'client_id'],
    ]);
    expect(await app.db.one(sql`select 1 from invitations where email like '%@import.example'`)).toBeUndefined();
  });
});

describe('bulk work', () => {
  test('cannot grant a role, client or location beyond the caller’s own, not even to the caller', async () => {
    const { users, roles, south, north } = world;
    const rolesBefore = await readRoles(users.customer_admin);
    for (const data of [
      { role_ids: [roles.admin] },
      { client_id: south.client },
      { client_ids: [south.client] },
      { country_ids: [north.country] },
      { is_staff: true, role_ids: [roles.partner] },
    ])
      for (const ids of [[users.customer_admin], [users.operator], [users.operator, users.customer_admin]])
        expect([403, 422]).toContain((await app.call(users.customer_admin, 'PUT', 'users', { ids, data })).status);
    expect([await readRoles(users.customer_admin), await readRoles(users.operator)]).toEqual([
      rolesBefore,
      [roles.operator],
    ]);
  });
});
