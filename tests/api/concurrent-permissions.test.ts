/**
 * Concurrent changes of permissions: no request fails because of another one, and a permission holds until it is
 * revoked.
 */
import { Readable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { requestBodies, tenantReferences, unusedLanguageCode } from '../support/requestBodies';
import { add, nextNumber } from '../support/rows';
import { type Method, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const clients = Array.from({ length: 8 }, (_, index) => index);
const findPermissionId = async (name: string) =>
  (await app.db.selectOne({ id: pg.integer }, sql`select id from permissions where code_name = ${name}`))?.id as number;
const findPermissionIds = (...names: string[]) => Promise.all(names.map(findPermissionId));

/** Creates a user with a role of scope `all` and these permissions. */
async function createPermissionHolder(...names: string[]): Promise<{ user: number; role: number; token: string }> {
  const role = await add(app.db, 'roles', { scope: 'all', permission_ids: await findPermissionIds(...names) });
  const user = await add(app.db, 'users', { language_id: world.language, role_ids: [role] });
  return { user, role, token: await app.createSessionToken(user) };
}

const setPermissions = async (role: number, ...names: string[]) => {
  const { status } = await app.call(world.admin, 'PUT', `roles/${role}`, {
    permission_ids: await findPermissionIds(...names),
  });
  expect(status).toBe(200);
};

describe('eight concurrent clients', () => {
  test.each([
    'roles',
    'users',
    'languages',
  ] as const)('create %s while a ninth reads, and no request is rejected', async (entity) => {
    const statuses: number[] = [];
    let isWriting = true;
    const reader = (async () => {
      const readStatuses: number[] = [];
      while (isWriting)
        for (const path of [entity, `users/${world.admin}`, 'machines?include=fleet'])
          readStatuses.push((await app.call(world.admin, 'GET', path)).status);
      return readStatuses;
    })();
    const values = () => ({
      ...requestBodies[entity](),
      ...tenantReferences[entity](world.north, world),
      ...(entity === 'languages' && { two_letter_code: unusedLanguageCode() }),
    });
    await Promise.all(
      clients.map(async () => {
        for (let count = 0; count < 25; count += 1)
          statuses.push((await app.call(world.admin, 'POST', entity, values())).status);
      }),
    );
    isWriting = false;
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    expect((await reader).filter((status) => status !== 200)).toEqual([]);
  });
});

describe('a permission that is revoked and granted again', () => {
  const permissionNames = [
    'roles.create',
    'roles.edit',
    'roles.show',
    'types.create',
    'types.edit',
    'types.show',
    'types.delete',
    'fleets.show',
  ];
  const permissionCases: [
    name: string,
    right: string,
    refused: number,
    method: Method,
    path: () => string,
    body: () => Record<string, unknown>,
  ][] = [
    ['to create rows', 'types.create', 403, 'POST', () => 'types', () => requestBodies.types()],
    [
      'to change a row',
      'types.edit',
      403,
      'PUT',
      () => `types/${world.type}`,
      () => ({ name: `Scrubber ${nextNumber()}` }),
    ],
    [
      'to change many rows',
      'types.edit',
      403,
      'PUT',
      () => 'types',
      () => ({ ids: [world.type], data: { name: `Scrubber ${nextNumber()}` } }),
    ],
    [
      'to grant a permission to others',
      'fleets.show',
      422,
      'POST',
      () => 'roles',
      () => ({ ...requestBodies.roles(), permission_ids: [permissionId] }),
    ],
  ];
  let permissionId = 0;

  test.each(
    permissionCases,
  )('%s: all later calls are rejected, then allowed', async (_name, permissionName, refusedStatus, method, path, body) => {
    permissionId = await findPermissionId('fleets.show');
    const { role, token } = await createPermissionHolder(...permissionNames);
    const responses: { from: number; to: number; status: number }[] = [];
    let isWriting = true;
    const writers = clients.map(async () => {
      while (isWriting) {
        const from = performance.now();
        const { status } = await app.call(token, method, path(), body());
        responses.push({ from, to: performance.now(), status });
      }
    });
    const spans: { from: number; to: number; held: boolean }[] = [];
    for (let round = 0; round < 4; round += 1) {
      const isHeld = round % 2 === 1;
      await setPermissions(role, ...permissionNames.filter((name) => isHeld || name !== permissionName));
      const from = performance.now();
      const responseCount = responses.length;
      await expect
        .poll(() => responses.slice(responseCount).filter((response) => response.from > from).length, { interval: 5 })
        .toBeGreaterThan(8);
      spans.push({ from, to: performance.now(), held: isHeld });
    }
    isWriting = false;
    await Promise.all(writers);
    for (const span of spans) {
      const responsesWithin = responses.filter(({ from, to }) => from > span.from && to < span.to);
      const expected = span.held ? [method === 'POST' ? 201 : 200] : [refusedStatus];
      expect([...new Set(responsesWithin.map(({ status }) => status))]).toEqual(expected);
    }
  });

  const lateWrites: [name: string, method: Method, path: () => string, body: () => object][] = [
    ['a creation', 'POST', () => 'types', () => requestBodies.types()],
    ['a change', 'PUT', () => `types/${world.type}`, () => ({ name: `Scrubber ${nextNumber()}` })],
    [
      'a bulk change',
      'PATCH',
      () => 'types',
      () => ({ ids: [world.type], data: { name: `Scrubber ${nextNumber()}` } }),
    ],
    ['a bulk deletion', 'DELETE', () => 'types', () => ({ ids: [world.type] })],
    [
      'the grant of a role',
      'POST',
      () => `roles/${world.roles.operator}/users`,
      () => ({ user_ids: [world.north.users.operator] }),
    ],
    ['a comment', 'POST', () => `alerts/${world.north.alerts[0]}/comments`, () => ({ comment: 'Late' })],
  ];
  test.each(lateWrites)('cannot be used by %s whose body arrives later', async (_name, method, path, body) => {
    const { role, token } = await createPermissionHolder(
      ...permissionNames,
      'users.edit',
      'alerts.show',
      'alerts.acknowledge',
    );
    expect((await app.call(token, 'GET', `types/${world.type}`)).status).toBe(200);
    const stream = new Readable({ read() {} });
    const response = app.call(token, method, path(), stream, {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    await app.call(token, 'GET', `types/${world.type}`);
    await setPermissions(role);
    stream.push(JSON.stringify(body()));
    stream.push(null);
    expect((await response).status).toBe(403);
  });

  test('when two roles of one user change concurrently, neither is granted a permission that the other lost', async () => {
    const grantedId = await findPermissionId('fleets.show');
    const { user, role, token } = await createPermissionHolder('roles.edit', 'roles.show', 'fleets.show');
    const ownRole = await add(app.db, 'roles', { scope: 'all', permission_ids: [] });
    await app.db.rows(sql`insert into users_roles (users_id, roles_id) values (${user}, ${ownRole})`);
    const grant = async (): Promise<{ status: number }> => ({
      status: (await app.call(token, 'PUT', `roles/${ownRole}`, { permission_ids: [grantedId] })).status,
    });
    for (let round = 0; round < 20; round += 1) {
      await setPermissions(role, 'roles.edit', 'roles.show', 'fleets.show');
      await setPermissions(ownRole);
      const revocation: Promise<number> = setPermissions(role, 'roles.edit', 'roles.show').then(() =>
        performance.now(),
      );
      const attempts = Array.from({ length: 4 }, async () => {
        const from = performance.now();
        return { from, ...(await grant()) };
      });
      const revokedAt = await revocation;
      const responses = await Promise.all(attempts);
      const lateResponse = await grant();
      const hasSucceeded = responses.some(({ status }) => status === 200);
      // A call that waited for the lock of the one that succeeded gets a 403 if the permission has been revoked
      // meanwhile: the role then exceeds the rights of its caller.
      const expected = hasSucceeded ? [200, 403, 422] : [422];
      expect(
        responses.filter(({ from, status }) => !expected.includes(status) || (status === 200 && from > revokedAt)),
      ).toEqual([]);
      expect(lateResponse.status).toBe(hasSucceeded ? 200 : 422);
    }
  });
});
