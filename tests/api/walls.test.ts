/** Walls: their tokens grant only the reads that a wall needs, within the rights of their owner. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { roleNames } from '../../schema/dsl/entity';
import { maxWalls, wallDays, wallPermissions } from '../../schema/shared/wall';
import { pg } from '../../server/db/core/rowShape';
import { listRoutes } from '../support/listRoutes';
import { add } from '../support/rows';
import { type Method, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

interface CreatedWall {
  id: number;
  name: string;
  token: string;
  expires_at: string;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const parseClaims = (userToken: string) =>
  JSON.parse(Buffer.from(userToken.split('.')[1] as string, 'base64url').toString()) as Record<string, unknown>;
async function createWall(caller: number | string, name = 'Reception'): Promise<CreatedWall> {
  const { status, body } = await app.call<{ data: CreatedWall }>(caller, 'POST', 'account/walls', { name });
  expect(status).toBe(201);
  return body.data;
}
const fetchStatus = async (token: string, path = 'dashboard') => (await app.call(token, 'GET', path)).status;
const readWalls = async (caller: number) =>
  (await app.call<{ data: CreatedWall[] }>(caller, 'GET', 'account/walls')).body.data;
const addUser = (role: number, values: object = {}) =>
  add(app.db, 'users', { language_id: world.language, role_ids: [role], ...values });
const readExpiryDays = async (id: number) =>
  (
    await app.db.selectOne(
      { days: pg.double },
      sql`select extract(epoch from expires_at - now())::float8 / 86400 as days from api_tokens where id = ${id}`,
    )
  )?.days;

/** The calls of a wall, other than the event stream. */
const wallCalls = [
  'wall',
  'config',
  'dashboard',
  'dashboard/performance',
  'inbox',
  'machines/map?bbox=-180,-85,180,85',
  'machines/timeline',
];

describe('a wall token', () => {
  test.each(roleNames)('of a %s reads what a wall shows, in the scope of its owner', async (role) => {
    const owner = world.users[role];
    const { token } = await createWall(owner);
    for (const path of wallCalls) expect([path, await fetchStatus(token, path)]).toEqual([path, 200]);
    const readMachineIds = async (caller: number | string) =>
      (
        await app.call<{ data: { machines: { id: number }[] } }>(caller, 'GET', 'machines/timeline')
      ).body.data.machines.map(({ id }) => id);
    expect(await readMachineIds(token)).toEqual(await readMachineIds(owner));
    expect((await readMachineIds(token)).length).toBeGreaterThan(0);
    expect((await readMachineIds(token)).length < (await readMachineIds(world.admin)).length).toBe(role !== 'admin');
  });

  test('gives access to no other call', async () => {
    const { token } = await createWall(world.admin);
    const expectedPaths = new Set(wallCalls.map((path) => `/api/v1/${path.replace(/\?.*/, '')}`));
    const routes = listRoutes(app.app).filter(
      // The event stream never ends; a page test covers it.
      ({ path, method }) => method !== 'OPTIONS' && !path.includes('*') && path !== '/api/v1/events',
    );
    const openPaths: string[] = [];
    for (const { method, path } of routes) {
      const url = path.replace(/:\w+/g, '1');
      const call = async (caller?: string) =>
        (
          await app.app.inject({
            method: method as Method,
            url,
            headers: caller === undefined ? {} : { authorization: `Bearer ${caller}` },
          })
        ).statusCode;
      // 401 without a token means that the call is neither public nor for devices.
      if (url.includes('/ingest') || (await call()) !== 401) continue;
      if ((await call(token)) !== 403) openPaths.push(`${method} ${path}`);
    }
    expect(routes.length).toBeGreaterThan(300);
    expect(openPaths.sort()).toEqual([...expectedPaths].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]).sort());
  });

  test('reveals nothing about its owner', async () => {
    const { token, id } = await createWall(world.users.partner, 'Hall 3');
    const { body } = await app.call<{ data: { name: string; user_token: string } }>(token, 'GET', 'wall');
    expect(body.data.name).toBe('Hall 3');
    const { exp: _, ...otherClaims } = parseClaims(body.data.user_token);
    expect(otherClaims).toEqual({
      id: -id,
      first_name: '',
      last_name: '',
      image: null,
      email: '',
      phone: null,
      language: null,
      countries: [],
      roles: [],
      permissions: [...wallPermissions].sort(),
      allow_sms: false,
      allow_email: false,
      wall: 'Hall 3',
    });
    expect(await fetchStatus(await app.createSessionToken(world.admin), 'wall')).toBe(404);
  });

  test('follows the rights of its owner', async () => {
    const owner = await addUser(world.roles.admin);
    const { token } = await createWall(owner);
    expect(await fetchStatus(token, 'machines/timeline')).toBe(200);
    const role = await add(app.db, 'roles', { scope: 'client' });
    await app.db.rows(sql`update users_roles set roles_id = ${role} where users_id = ${owner}`);
    expect(await fetchStatus(token, 'machines/timeline')).toBe(403);
    const { body } = await app.call<{ data: { user_token: string } }>(token, 'GET', 'wall');
    expect(parseClaims(body.data.user_token).permissions).toEqual([]);
  });

  test('ends on revocation, on expiry, when an Admin ends its owner’s sessions, and with its owner', async () => {
    const { admin, roles } = world;
    const owner = await addUser(roles.operator);
    const [revokedWall, expiredWall] = [await createWall(owner), await createWall(owner)];
    expect((await app.call(world.users.operator, 'DELETE', `account/walls/${revokedWall.id}`)).status).toBe(404);
    expect((await app.call(owner, 'DELETE', `account/tokens/${revokedWall.id}`)).status).toBe(404);
    expect((await app.call(owner, 'DELETE', `account/walls/${revokedWall.id}`)).status).toBe(204);
    await app.db.rows(sql`update api_tokens set expires_at = now() - interval '1 second' where id = ${expiredWall.id}`);
    expect([await fetchStatus(revokedWall.token), await fetchStatus(expiredWall.token)]).toEqual([401, 401]);
    for (const path of [`users/${owner}/sessions`, `users/${owner}`]) {
      const { token } = await createWall(await app.createSessionToken(owner));
      expect(await fetchStatus(token)).toBe(200);
      expect((await app.call(admin, 'DELETE', path)).status).toBe(204);
      expect(await fetchStatus(token)).toBe(401);
    }
  });

  test('is renewed by use, although the cached caller has its old expiry', async () => {
    const owner = await addUser(world.roles.admin);
    const { id, token } = await createWall(owner);
    await app.db.rows(sql`update api_tokens set expires_at = now() + interval '1 hour' where id = ${id}`);
    expect(await fetchStatus(token)).toBe(200);
    await readWalls(owner);
    expect(await readExpiryDays(id)).toBeGreaterThan(wallDays - 0.1);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 3_600_000);
    onTestFinished(() => clock.mockRestore());
    expect(await fetchStatus(token)).toBe(200);
    clock.mockRestore();
    await app.call(owner, 'POST', 'account/tokens', { name: 'Script', days: 1 });
    const [apiToken] = (await app.call<{ data: CreatedWall[] }>(owner, 'GET', 'account/tokens')).body.data;
    expect(await readExpiryDays(apiToken?.id ?? 0)).toBeLessThan(1.1);
  });
});

describe('walls', () => {
  test('show their token once, store it as a hash, and are listed separately from API tokens', async () => {
    const owner = await addUser(world.roles.site_manager);
    const { token, id } = await createWall(owner, 'Depot');
    expect(token).toMatch(/^sww_/);
    const ownWalls = await readWalls(owner);
    expect(ownWalls).toEqual([expect.objectContaining({ id, name: 'Depot' })]);
    expect(JSON.stringify(ownWalls)).not.toContain(token.slice(4));
    const storedTokens = await app.db.rows(sql`select *, encode(token_hash, 'escape') as text from api_tokens`);
    expect(JSON.stringify(storedTokens)).not.toContain(token.slice(4));
    expect((await app.call<{ data: unknown[] }>(owner, 'GET', 'account/tokens')).body.data).toEqual([]);
    await app.call(owner, 'DELETE', `account/walls/${id}`);
    const auditEntries = await app.db.select(
      { action: pg.text },
      sql`select action from audit where entity = 'users' and record_id = ${owner} order by id`,
    );
    expect(auditEntries.map(({ action }) => action)).toEqual(['wall_create', 'wall_revoke']);
  });

  test('can be created only in a user’s own session: not with tokens, not during impersonation', async () => {
    const { admin, users } = world;
    const impersonation = await app.call<{ token: string }>(admin, 'POST', `users/${users.operator}/impersonate`);
    const apiToken = await app.call<{ data: { token: string } }>(users.partner, 'POST', 'account/tokens', {
      name: 'Script',
      days: 1,
    });
    const { token: wall } = await createWall(users.partner);
    for (const token of [impersonation.body.token, apiToken.body.data.token, wall]) {
      expect((await app.call(token, 'POST', 'account/walls', { name: 'Mine' })).status).toBe(403);
      expect((await app.call(token, 'GET', 'account/walls')).status).toBe(403);
      expect((await app.call(token, 'DELETE', 'account/walls/1')).status).toBe(403);
    }
    const userWithoutPermissions = await addUser(await add(app.db, 'roles', { scope: 'client' }));
    expect((await app.call(userWithoutPermissions, 'POST', 'account/walls', { name: 'Mine' })).status).toBe(403);
  });

  test('are limited in number', async () => {
    const owner = await addUser(world.roles.operator);
    for (let count = 0; count < maxWalls; count++) await createWall(owner);
    expect((await app.call(owner, 'POST', 'account/walls', { name: 'More' })).status).toBe(409);
  });
});
