/** Sessions: login and logout, tokens, language, and changes of the user's own password. */
import { verify } from '@node-rs/argon2';
import { sql } from 'drizzle-orm';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashPassword } from '../../server/auth/password';
import { pg } from '../../server/db/core/rowShape';
import { mailTexts } from '../../server/mail/renderMail';
import { readMailsTo } from '../support/outboxMails';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

// Counts calls of the real hash function, which dominates the response time. Resets modules, because those loaded by
// earlier files of this worker would not use the spy.
vi.hoisted(() => vi.resetModules());
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

let app: TestApp;
let world: World;
const password = 'Right!Pass7';

interface LoginResult {
  token: string;
  user_token: string;
  user: {
    id: number;
    email: string;
    emails: { email: string; verified: boolean; primary: boolean }[];
    role_ids: number[];
  };
}
interface RefusalBody {
  message: string;
  errors?: Record<string, string[]>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  for (const id of Object.values(world.users)) await setPassword(id);
});
afterAll(() => app.close());

async function setPassword(id: number): Promise<void> {
  const hash = await hashPassword(password);
  await app.db.rows(
    sql`insert into user_secrets (user_id, password_hash) values (${id}, ${hash}) on conflict (user_id) do update set password_hash = excluded.password_hash`,
  );
}

const login = (email: string, secret = password, headers?: Record<string, string>) =>
  app.call<LoginResult & RefusalBody>(undefined, 'POST', 'login', { email, password: secret }, headers);
const readEmail = async (id: number) =>
  (await app.db.selectOne({ email: pg.text }, sql`select email from users where id = ${id}`))?.email as string;
const logInForToken = async (id: number) => (await login(await readEmail(id))).body.token;

describe('login', () => {
  test('returns a token, a user token and the user', async () => {
    const { status, body, headers } = await login('ADMIN@example.com');
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ id: world.admin, email: 'admin@example.com', role_ids: [world.roles.admin] });
    expect(body.user.emails).toEqual([{ email: 'admin@example.com', verified: false, primary: true }]);
    expect(headers['cache-control']).toBe('no-store');
    expect((await app.call(body.token, 'GET', 'machines')).status).toBe(200);
    const state = await app.db.selectOne(
      { last_login: pg.timestamptz.nullable },
      sql`select last_login from users_state where id = ${world.admin}`,
    );
    expect(Date.now() - Number(state?.last_login)).toBeLessThan(60_000);
  });

  test('responds identically whether or not the address exists', async () => {
    const rejection = await login('admin@example.com', 'Wrong!Pass7');
    const unknownLogin = await login('nobody@example.com', 'Wrong!Pass7');
    expect([rejection.status, unknownLogin.status]).toEqual([422, 422]);
    expect(rejection.body).toEqual({
      message: 'These credentials do not match our records.',
      errors: { email: ['These credentials do not match our records.'] },
    });
    expect(unknownLogin.text).toBe(rejection.text);
  });

  test('does the same work whether or not the address exists', async () => {
    const countHashChecks = async (email: string) => {
      vi.mocked(verify).mockClear();
      await login(email, 'Wrong!Pass7');
      return vi.mocked(verify).mock.calls.length;
    };
    expect(await countHashChecks('nobody@example.com')).toBe(1);
    expect(await countHashChecks(await readEmail(world.users.partner))).toBe(1);
    await app.db.rows(sql`delete from login_failures`);
  });

  test('locks only this address from this IP for a minute after five failures', async () => {
    const email = await readEmail(world.users.operator);
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await login(email, 'Wrong!Pass7')).status).toBe(422);
    const lockedLogin = await login(email);
    expect(lockedLogin.status).toBe(429);
    expect(lockedLogin.body.message).toBe('Too Many Attempts.');
    expect(Number(lockedLogin.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(lockedLogin.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await login(await readEmail(world.users.partner))).status).toBe(200);
    await app.db.rows(sql`update login_failures set until = now()`);
    expect((await login(email)).status).toBe(200);
  });

  test('limits concurrent attempts like sequential ones', async () => {
    const email = await readEmail(world.users.site_manager);
    const responses = await Promise.all(Array.from({ length: 20 }, () => login(email, 'Wrong!Pass7')));
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
    await app.db.rows(sql`delete from login_failures`);
  });

  test('names missing and unknown fields', async () => {
    const { status, body } = await app.call<RefusalBody>(undefined, 'POST', 'login', { email: '', remember: true });
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {}).sort()).toEqual(['email', 'password', 'remember']);
    expect(body.message).toMatch(/\(and 2 more errors\)$/);
  });

  test('accepts forms', async () => {
    const body = 'email=admin%40example.com&password=Right!Pass7';
    const { status } = await app.call(undefined, 'POST', 'login', body, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(status).toBe(200);
  });

  test('responds in the language of the caller', async () => {
    const { body } = await login('admin@example.com', 'Wrong!Pass7', {
      'accept-language': 'xx, de-CH;q=0.8, en;q=0.5',
    });
    expect(body.message).toBe(
      (await login('nobody@example.com', 'Wrong!Pass7', { 'accept-language': 'de' })).body.message,
    );
    expect(body.message).not.toBe('These credentials do not match our records.');
  });
});

describe('tokens', () => {
  test('the user token is signed and contains exactly the fields of the contract', async () => {
    const { body } = await login('admin@example.com');
    const { payload } = await jwtVerify(body.user_token, app.services.signingKey);
    const fields = [
      'allow_email',
      'allow_sms',
      'countries',
      'email',
      'exp',
      'first_name',
      'id',
      'image',
      'language',
      'last_name',
      'permissions',
      'phone',
      'roles',
    ];
    expect(Object.keys(payload).sort()).toEqual(fields);
    expect(payload).toMatchObject({
      id: world.admin,
      roles: ['Admin'],
      language: { id: world.language, name: 'English' },
      countries: [],
    });
    expect((payload.exp ?? 0) - Date.now() / 1000).toBeCloseTo(12 * 3600, -2);
    expect((await app.call(body.user_token, 'GET', 'machines')).status).toBe(401);
  });

  test('responds 401 without a token, with a wrong one, and with one in the query or a cookie', async () => {
    const { body } = await login('admin@example.com');
    const anonymousCall = await app.call(undefined, 'GET', 'machines');
    expect([anonymousCall.status, anonymousCall.body]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect((await app.call('x'.repeat(43), 'GET', 'machines')).status).toBe(401);
    expect((await app.call(undefined, 'GET', `machines?token=${body.token}&access_token=${body.token}`)).status).toBe(
      401,
    );
    expect((await app.call(undefined, 'GET', 'machines', undefined, { cookie: `token=${body.token}` })).status).toBe(
      401,
    );
    expect(
      (await app.call(undefined, 'GET', 'machines', undefined, { authorization: `Basic ${body.token}` })).status,
    ).toBe(401);
  });

  test('the database stores no token in plain text', async () => {
    const { body } = await login('admin@example.com');
    const rows = await app.db.select({ token_hash: pg.bytea }, sql`select token_hash from sessions`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some(({ token_hash }) => Buffer.from(token_hash).toString().includes(body.token))).toBe(false);
  });

  test('logout ends only this session, at once', async () => {
    const [first, second] = [await logInForToken(world.admin), await logInForToken(world.admin)];
    expect((await app.call(first, 'GET', 'machines')).status).toBe(200);
    expect((await app.call(first, 'POST', 'users/logout')).status).toBe(204);
    expect((await app.call(first, 'GET', 'machines')).status).toBe(401);
    expect((await app.call(first, 'POST', 'users/logout')).status).toBe(401);
    expect((await app.call(second, 'GET', 'machines')).status).toBe(200);
  });

  test('an expired session is rejected', async () => {
    const token = await logInForToken(world.admin);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(200);
    await app.db.rows(sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${world.admin}`);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(401);
  });

  test('changed roles, removed permissions and deleted users take effect on the next request', async () => {
    const { partner } = world.users;
    const token = await logInForToken(partner);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(200);
    await app.db.rows(sql`delete from users_roles where users_id = ${partner}`);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(403);
    await app.db.rows(sql`insert into users_roles (users_id, roles_id) values (${partner}, ${world.roles.partner})`);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(200);
    await app.db.rows(sql`update users set deleted_at = now() where id = ${partner}`);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(401);
    expect((await login(await readEmail(partner))).status).toBe(422);
    await app.db.rows(sql`update users set deleted_at = null where id = ${partner}`);
  });

  // Lists and creations read the access version in the same statement, and are authorized again if it has changed.
  test('creations are authorized again, whether valid, invalid, first or repeated', async () => {
    const { admin } = world;
    const token = await logInForToken(admin);
    const createType = (name: string, headers?: Record<string, string>) =>
      app.call<RefusalBody>(token, 'POST', 'types', { name }, headers);
    const key = { 'idempotency-key': 'a creation of a session that ends' };
    expect((await createType('Before')).status).toBe(201);
    expect((await createType('Repeated', key)).status).toBe(201);
    const countTypes = async () =>
      (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from types`))?.n;
    const countBefore = await countTypes();
    const links = await app.db.select(
      { roles_id: pg.integer },
      sql`delete from users_roles where users_id = ${admin} returning roles_id`,
    );
    expect([
      (await createType('Without')).status,
      (await createType('Repeated', key)).status,
      (await createType('')).status,
    ]).toEqual([403, 403, 403]);
    for (const { roles_id } of links)
      await app.db.rows(sql`insert into users_roles (users_id, roles_id) values (${admin}, ${roles_id})`);
    expect((await createType('')).status).toBe(422);
    expect(await countTypes()).toBe(countBefore);
    await app.call(token, 'POST', 'users/logout');
    expect([
      (await createType('Gone')).status,
      (await createType('Repeated', key)).status,
      (await createType('')).status,
    ]).toEqual([401, 401, 401]);
    expect(await countTypes()).toBe(countBefore);
  });
});

describe('language', () => {
  const readGermanId = async () =>
    (await app.db.selectOne({ id: pg.integer }, sql`select id from languages where two_letter_code = 'de'`))
      ?.id as number;

  test('can be changed by every user; the next user token contains it', async () => {
    const { operator } = world.users;
    const { status } = await app.call(operator, 'PUT', `users/${operator}/language`, {
      language_id: await readGermanId(),
    });
    expect(status).toBe(200);
    const { body } = await app.call<{ user_token: string }>(operator, 'GET', `languages/${await readGermanId()}/token`);
    const { payload } = await jwtVerify(body.user_token, app.services.signingKey);
    expect(payload.language).toEqual({ id: await readGermanId(), name: 'Deutsch' });
    const rejection = await app.call<RefusalBody>(operator, 'PUT', `users/${operator}/language`, {});
    expect(rejection.body.message).toMatch(/Sprache/);
  });

  test('of another user requires users.edit, scope, and a user whose rights do not exceed the caller’s', async () => {
    const language_id = await readGermanId();
    const changeLanguage = (caller: number, id: number) =>
      app.call(caller, 'PUT', `users/${id}/language`, { language_id }).then(({ status }) => status);
    expect(await changeLanguage(world.users.customer_admin, world.users.operator)).toBe(200);
    expect(await changeLanguage(world.users.customer_admin, world.south.users.operator)).toBe(404);
    expect(await changeLanguage(world.users.operator, world.users.customer_admin)).toBe(404);
    expect(await changeLanguage(world.admin, world.south.users.partner)).toBe(200);
  });

  test('is rejected if unknown', async () => {
    const { status, body } = await app.call<RefusalBody>(world.admin, 'PUT', `users/${world.admin}/language`, {
      language_id: 999_999,
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['language_id']]);
    expect((await app.call(world.admin, 'GET', 'languages/999999/token')).status).toBe(404);
  });
});

describe("changing one's password", () => {
  const otherPassword = { password: 'Other!Pass8', password_confirmation: 'Other!Pass8' };

  test('requires the current one; other sessions end, this one continues, and a mail is sent', async () => {
    const { customer_admin: id } = world.users;
    const [token, otherToken] = [await logInForToken(id), await logInForToken(id)];
    const { status } = await app.call(token, 'POST', `users/${id}/password`, {
      current_password: password,
      ...otherPassword,
    });
    expect(status).toBe(204);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(200);
    expect((await app.call(otherToken, 'GET', 'machines')).status).toBe(401);
    const email = await readEmail(id);
    expect((await login(email)).status).toBe(422);
    expect((await login(email, otherPassword.password)).status).toBe(200);
    expect((await readMailsTo(app, email))[0]?.subject).toBe('Your password was changed');
    await setPassword(id);
  });

  test('fails if the current one is wrong; five wrong attempts lock the call', async () => {
    const { country_manager: id } = world.users;
    const changePassword = (current_password: string) =>
      app.call<RefusalBody>(id, 'POST', `users/${id}/password`, { current_password, ...otherPassword });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { status, body } = await changePassword('Wrong!Pass7');
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['current_password']]);
    }
    expect((await changePassword(password)).status).toBe(429);
    expect((await login(await readEmail(id))).status).toBe(200);
  });

  test.each([
    ['Sh0rt!a', 'short'],
    ['alllower7!', 'no upper case'],
    ['ALLUPPER7!', 'no lower case'],
    ['NoDigits!!', 'no digit'],
    ['NoSpecial77', 'no special character'],
    [`A1!${'a'.repeat(126)}`, 'too long'],
    ['Nul!\u0000Pass7', 'NUL'],
  ])('%j is rejected: %s', async (newPassword) => {
    const { admin } = world;
    const request = { current_password: password, password: newPassword, password_confirmation: newPassword };
    const { status, body } = await app.call<RefusalBody>(admin, 'POST', `users/${admin}/password`, request);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['password']]);
  });

  test('must be confirmed', async () => {
    const request = { current_password: password, password: 'Other!Pass8', password_confirmation: 'Other!Pass9' };
    const { status, body } = await app.call<RefusalBody>(world.admin, 'POST', `users/${world.admin}/password`, request);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['password_confirmation']]);
  });

  test('of another user ends all their sessions', async () => {
    const { operator } = world.users;
    const token = await logInForToken(operator);
    expect((await app.call(world.admin, 'POST', `users/${operator}/password`, otherPassword)).status).toBe(204);
    expect((await app.call(token, 'GET', 'machines')).status).toBe(401);
    expect(
      (await app.call(world.users.site_manager, 'POST', `users/${world.admin}/password`, otherPassword)).status,
    ).toBe(404);
  });

  test.each([
    ['with the password call', 'POST', '/password'],
    ['together with other fields', 'PATCH', ''],
  ] as const)('of another user %s: that user gets a mail in their language', async (_, method, path) => {
    const { id: language_id } =
      (await app.db.selectOne({ id: pg.integer }, sql`select id from languages where two_letter_code = 'pl'`)) ?? {};
    const id = await add(app.db, 'users', { language_id, role_ids: [world.roles.operator] });
    expect((await app.call(world.admin, method, `users/${id}${path}`, otherPassword)).status).toBeLessThan(300);
    expect((await readMailsTo(app, await readEmail(id))).map(({ subject }) => subject)).toEqual([
      mailTexts.pl.password_changed.subject,
    ]);
  });

  test('of a new user sends no mail, nor does an edit without a password', async () => {
    const request = {
      first_name: 'Ada',
      last_name: 'Neu',
      email: 'fresh@example.com',
      language_id: world.language,
      role_ids: [world.roles.operator],
      client_id: world.north.client,
      ...otherPassword,
    };
    const { status, body } = await app.call<{ data: { id: number } }>(world.admin, 'POST', 'users', request);
    expect([
      status,
      (await app.call(world.admin, 'PATCH', `users/${body.data.id}`, { first_name: 'Eva' })).status,
    ]).toEqual([201, 200]);
    expect(await readMailsTo(app, 'fresh@example.com')).toEqual([]);
  });
});

describe('the current user', () => {
  test('is returned with a fresh user token', async () => {
    const { operator } = world.users;
    const { status, body } = await app.call<{ data: { id: number }; user_token: string }>(
      await app.createSessionToken(operator),
      'GET',
      `users/refreshInformationAboutUser/${operator}`,
    );
    expect([status, body.data.id]).toEqual([200, operator]);
    expect((await jwtVerify(body.user_token, app.services.signingKey)).payload.id).toBe(operator);
  });

  test('other users’ profiles are readable by Admins only', async () => {
    const { partner, operator } = world.users;
    const refreshUser = (caller: number, id: number) =>
      app.call(caller, 'GET', `users/refreshInformationAboutUser/${id}`).then(({ status }) => status);
    expect(await refreshUser(world.admin, operator)).toBe(200);
    expect(await refreshUser(partner, operator)).toBe(403);
    expect(await refreshUser(partner, world.south.users.operator)).toBe(404);
  });
});
