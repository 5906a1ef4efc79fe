/**
 * Sessions and API tokens of a user: how they are listed and end, and that tokens never exceed their owner's rights.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiToken, OwnSession } from '../../schema/endpoints/account';
import { readOnlyPermissions } from '../../schema/shared/account';
import { readMailSecrets } from '../support/outboxMails';
import { setPasswords } from '../support/setPasswords';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const password = 'Right!Pass7';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await setPasswords(app.db, password);
});
afterAll(() => app?.close());

const login = async (email: string, headers: Record<string, string> = {}) =>
  (await app.call<{ token: string }>(undefined, 'POST', 'login', { email, password }, headers)).body.token;
const readSessions = async (caller: string | number) =>
  (await app.call<{ data: OwnSession[] }>(caller, 'GET', 'account/sessions')).body.data;
/** Creates a calendar feed and returns its URL. */
const createCalendarFeed = async (caller: string) =>
  (await app.call<{ data: { url: string } }>(caller, 'POST', 'calendar')).body.data.url;
const fetchFeedStatus = async (url: string) => (await app.call(undefined, 'GET', new URL(url).pathname)).status;
/** Resets the caller's password with the mailed link. */
async function resetByMail(): Promise<void> {
  const email = 'operator@north.example.com';
  await app.call(undefined, 'POST', 'users/forgotPassword', { email });
  await expect.poll(async () => (await readMailSecrets(app, email)).token, { timeout: 20_000 }).not.toBe('');
  const { token } = await readMailSecrets(app, email);
  expect(
    (
      await app.call(undefined, 'POST', 'users/verifyResetPassword', {
        token,
        password,
        password_confirmation: password,
      })
    ).status,
  ).toBe(200);
}
const fetchStatus = async (token: string, path = 'machines') => (await app.call(token, 'GET', path)).status;

describe('sessions', () => {
  const email = 'operator@north.example.com';

  test('are listed with browser, system and IP address, the current one first', async () => {
    const session = await login(email, { 'user-agent': firefox });
    await login(email, { 'user-agent': 'tool' });
    const [first, ...otherSessions] = await readSessions(session);
    expect(first).toMatchObject({ browser: 'Firefox', system: 'Windows', address: '127.0.0.1', is_current: true });
    expect(otherSessions).toMatchObject([{ browser: null, system: null, is_current: false }]);
    expect(Date.parse(first?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect(JSON.stringify(first)).not.toContain('hash');
  });

  test('are listed with the IP address of a client that disconnected before it was identified', async () => {
    const [endedSession, session] = [await login(email), await login(email)];
    const sessionBefore = (await readSessions(endedSession)).find(({ is_current }) => is_current) as OwnSession;
    const url = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }));
    await app.db.transaction(async (tx) => {
      await tx.rows(sql`lock table sessions in access exclusive mode`);
      const client = connect(Number(url.port), url.hostname);
      const [[request]] = (await Promise.all([
        once(app.app.server, 'request'),
        client.write(
          `GET /api/v1/account/sessions HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${endedSession}\r\n\r\n`,
        ),
      ])) as [[IncomingMessage], boolean];
      client.destroy();
      await new Promise((resolve) => request.socket.once('close', resolve));
    });
    const readSession = async () =>
      (await readSessions(session)).find(({ id }) => id === sessionBefore.id) as OwnSession;
    await expect.poll(async () => (await readSession()).last_used_at).not.toBe(sessionBefore.last_used_at);
    expect((await readSession()).address).toBe('127.0.0.1');
  });

  test('can be ended individually, by their own user only', async () => {
    const [session, otherSession] = [await login(email), await login(email)];
    const id = (await readSessions(otherSession)).find(({ is_current }) => is_current)?.id;
    const foreignToken = await app.createSessionToken(world.users.partner);
    expect((await app.call(foreignToken, 'DELETE', `account/sessions/${id}`)).status).toBe(404);
    expect(await fetchStatus(otherSession)).toBe(200);
    expect((await app.call(session, 'DELETE', `account/sessions/${id}`)).status).toBe(204);
    expect([await fetchStatus(otherSession), await fetchStatus(session)]).toEqual([401, 200]);
  });

  test('can be ended all at once, which also revokes the calendar URL but not API tokens', async () => {
    const [session, otherSession] = [await login(email), await login(email)];
    const [feed, token] = [await createCalendarFeed(session), await createToken(session)];
    expect((await app.call(session, 'DELETE', 'account/sessions')).status).toBe(204);
    expect([
      await fetchStatus(session),
      await fetchStatus(otherSession),
      await fetchFeedStatus(feed),
      await fetchStatus(token),
    ]).toEqual([401, 401, 404, 200]);
  });

  test('end on a password reset by mail and when the user is blocked, as do the calendar URL and API tokens', async () => {
    const { operator } = world.users;
    for (const endSessions of [resetByMail, () => app.call(world.admin, 'DELETE', `users/${operator}/sessions`)]) {
      const currentToken = await app.createSessionToken(operator);
      const [feed, token] = [await createCalendarFeed(currentToken), await createToken(currentToken)];
      expect([await fetchFeedStatus(feed), await fetchStatus(token)]).toEqual([200, 200]);
      await endSessions();
      expect([await fetchStatus(currentToken), await fetchFeedStatus(feed), await fetchStatus(token)]).toEqual([
        401, 404, 401,
      ]);
    }
  });

  test('of other users can be ended, with their API tokens, by users who may edit them', async () => {
    const { operator, partner, site_manager } = world.users;
    const otherSession = await login(email);
    const token = await createToken(otherSession);
    expect((await app.call(site_manager, 'DELETE', `users/${operator}/sessions`)).status).toBe(404);
    expect((await app.call(partner, 'DELETE', `users/${world.admin}/sessions`)).status).toBe(404);
    expect((await app.call(partner, 'DELETE', `users/${partner}/sessions`)).status).toBe(409);
    expect((await app.call(world.admin, 'DELETE', `users/${operator}/sessions`)).status).toBe(204);
    expect([await fetchStatus(otherSession), await fetchStatus(token)]).toEqual([401, 401]);
  });

  test('start with a new token, even if the client sent one before the login', async () => {
    const chosenToken = 'A'.repeat(43);
    const token = await login(email, { authorization: `Bearer ${chosenToken}`, cookie: `token=${chosenToken}` });
    expect(token).not.toBe(chosenToken);
    expect([await fetchStatus(chosenToken), await fetchStatus(token)]).toEqual([401, 200]);
  });
});

/** Creates an API token for the caller. */
async function createToken(caller: number | string, values: object = {}): Promise<string> {
  const response = await app.call<{ data: { token: string } }>(caller, 'POST', 'account/tokens', {
    name: 'Report',
    days: 30,
    ...values,
  });
  expect(response.status).toBe(201);
  return response.body.data.token;
}
const readTokens = async (caller: number) =>
  (await app.call<{ data: ApiToken[] }>(caller, 'GET', 'account/tokens')).body.data;

describe('API tokens', () => {
  test('are shown once, stored as a hash, and record their last use', async () => {
    const { partner } = world.users;
    const token = await createToken(partner);
    expect(token).toMatch(/^swa_/);
    expect((await readTokens(partner))[0]).toMatchObject({ name: 'Report', permissions: null, last_used_at: null });
    expect(await fetchStatus(token)).toBe(200);
    const [result] = await readTokens(partner);
    expect(result).toMatchObject({ address: '127.0.0.1' });
    expect(result?.last_used_at).not.toBeNull();
    expect(JSON.stringify(await readTokens(partner))).not.toContain(token.slice(4));
    const storedText = JSON.stringify(
      await app.db.rows(sql`select *, encode(token_hash, 'escape') as text from api_tokens`),
    );
    expect(storedText).not.toContain(token.slice(4));
  });

  test('are limited to their own permissions', async () => {
    const { partner } = world.users;
    const restrictedToken = await createToken(partner, { permissions: ['machines.list'] });
    const readOnlyToken = await createToken(partner, { permissions: [...readOnlyPermissions] });
    const fleet = `fleets/${world.north.fleets[0]}`;
    expect([
      await fetchStatus(restrictedToken),
      await fetchStatus(restrictedToken, 'fleets'),
      await fetchStatus(readOnlyToken, 'fleets'),
      await fetchStatus(readOnlyToken, fleet),
    ]).toEqual([200, 403, 200, 200]);
    expect((await app.call(readOnlyToken, 'PATCH', fleet, { color: '#112233' })).status).toBe(403);
    expect((await app.call(await createToken(partner), 'PATCH', fleet, { color: '#112233' })).status).toBe(200);
  });

  test('never exceed their owner’s rights, even after these are reduced', async () => {
    const { partner, operator } = world.users;
    const rejection = await app.call<{ errors: object }>(operator, 'POST', 'account/tokens', {
      name: 'Wide',
      days: 1,
      permissions: ['machines.delete'],
    });
    expect([rejection.status, Object.keys(rejection.body.errors)]).toEqual([422, ['permissions']]);
    const token = await createToken(partner, { permissions: ['machines.list', 'machines.edit'] });
    const machine = `machines/${world.north.machines[0]}`;
    expect((await app.call(token, 'PATCH', machine, { note: 'a' })).status).toBe(200);
    expect((await app.call(token, 'PATCH', `machines/${world.south.machines[0]}`, { note: 'a' })).status).toBe(404);
    await app.db.rows(sql`update users_roles set roles_id = ${world.roles.operator} where users_id = ${partner}`);
    expect((await app.call(token, 'PATCH', machine, { note: 'b' })).status).toBe(403);
    await app.db.rows(sql`update users_roles set roles_id = ${world.roles.partner} where users_id = ${partner}`);
  });

  test('cannot read or change the account itself', async () => {
    const { partner } = world.users;
    const adminToken = await createToken(world.admin);
    const partnerToken = await createToken(partner);
    const rejectedCalls: [string, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, object?][] = [
      [partnerToken, 'GET', 'account/sessions'],
      [partnerToken, 'DELETE', 'account/sessions'],
      [partnerToken, 'GET', 'account/tokens'],
      [partnerToken, 'POST', 'account/tokens', { name: 'More', days: 1 }],
      [partnerToken, 'PUT', 'account/notifications', { choices: [] }],
      [partnerToken, 'POST', 'calendar'],
      [partnerToken, 'POST', 'users/logout'],
      [
        partnerToken,
        'POST',
        `users/${partner}/password`,
        { current_password: password, password: 'New!Pass77', password_confirmation: 'New!Pass77' },
      ],
      [partnerToken, 'PATCH', `users/${partner}`, { first_name: 'Else' }],
      [adminToken, 'PATCH', `users/${world.admin}`, { email: 'else@example.com' }],
    ];
    for (const [caller, method, path, body] of rejectedCalls)
      expect((await app.call(caller, method, path, body)).status, `${method} ${path}`).toBe(403);
  });

  test('end on revocation and expiry, and with their owner', async () => {
    const { partner } = world.users;
    const [revokedToken, expiredToken] = [await createToken(partner), await createToken(partner)];
    const [newestToken, second] = await readTokens(partner);
    expect((await app.call(world.admin, 'DELETE', `account/tokens/${second?.id}`)).status).toBe(404);
    expect((await app.call(partner, 'DELETE', `account/tokens/${second?.id}`)).status).toBe(204);
    expect(await fetchStatus(revokedToken)).toBe(401);
    await app.db.rows(
      sql`update api_tokens set expires_at = now() - interval '1 second' where id = ${newestToken?.id}`,
    );
    expect(await fetchStatus(expiredToken)).toBe(401);
    const { customer_admin } = world.users;
    const otherToken = await createToken(customer_admin);
    await app.call(world.admin, 'DELETE', `users/${customer_admin}`);
    await app.call(world.admin, 'POST', `users/${customer_admin}/restore`);
    expect(await fetchStatus(otherToken)).toBe(401);
  });

  test.each([
    { days: 0 },
    { days: 400 },
    { name: '' },
    { days: '30' },
    { permissions: 'all' },
    { further: 1 },
  ])('creation with %j is rejected', async (values) => {
    expect(
      (await app.call(world.users.partner, 'POST', 'account/tokens', { name: 'Report', days: 30, ...values })).status,
    ).toBe(422);
  });
});
