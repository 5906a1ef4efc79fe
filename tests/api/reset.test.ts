/** Password reset, invitations, and the first Admin. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureAdmin } from '../../server/app/ensureAdmin';
import { pg } from '../../server/db/core/rowShape';
import { mailTexts } from '../../server/mail/renderMail';
import { readMailSecrets, readMailsTo } from '../support/outboxMails';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  message?: string;
  errors?: Record<string, string[]>;
  token?: string;
  data?: Record<string, unknown>;
}
const passwords = { password: 'Fresh!Pass7', password_confirmation: 'Fresh!Pass7' };

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { PUBLIC_URL: 'https://fleet.example.org' } }));
});
afterAll(() => app.close());

const post = (path: string, body: object, headers?: Record<string, string>, caller?: number) =>
  app.call<ResponseBody>(caller, 'POST', path, body, headers);
const verify = (body: object) => post('users/verifyResetPassword', body);
const login = (email: string, password = passwords.password) => post('login', { email, password });

/** Requests a password reset and returns the mailed link and code. */
async function requestReset(language = 'en') {
  const language_id = (
    await app.db.selectOne({ id: pg.integer }, sql`select id from languages where two_letter_code = ${language}`)
  )?.id as number;
  const id = await add(app.db, 'users', { language_id, role_ids: [world.roles.operator] });
  const email = (await app.db.selectOne({ email: pg.text }, sql`select email from users where id = ${id}`))
    ?.email as string;
  expect((await post('users/forgotPassword', { email })).status).toBe(200);
  return { id, email, ...(await readMailSecrets(app, email)) };
}

describe('password reset', () => {
  test('sends a mail in the user’s language, with a link built from PUBLIC_URL and never from a header', async () => {
    await add(app.db, 'users', { email: 'host@example.com', language_id: world.language });
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      origin: 'https://evil.example',
    };
    await post('users/forgotPassword', { email: 'HOST@example.com' }, headers);
    const [mail] = await readMailsTo(app, 'host@example.com');
    expect(mail?.text).toMatch(/^https:\/\/fleet\.example\.org\/resetpassword\/[\w-]{32}$/m);
    expect(mail?.text).not.toContain('evil');
    const german = await requestReset('de');
    expect((await readMailsTo(app, german.email))[0]?.subject).toBe('Ihr neues Passwort für Sweepline');
  });

  test.each(
    Object.keys(mailTexts),
  )('is written to the outbox folder with an unbroken link, in %s', async (language) => {
    const { email, link, code } = await requestReset(language);
    const [{ file = '' } = {}] = (await app.services.mail.outbox()).filter(({ to }) => to.includes(email));
    const mail = readFileSync(join(app.dataDir, 'outbox', file), 'utf8');
    expect(mail.split('\r\n')).toEqual(expect.arrayContaining([link, code]));
    expect(mail).toContain(`href="${link}"`);
    expect(mail.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of mail.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
    const parts = mail.split(`--${/boundary="([^"]+)"/.exec(mail)?.[1]}`).slice(1, -1);
    expect(parts.map((part) => /^content-type: (\S+);/im.exec(part)?.[1])).toEqual(['text/plain', 'text/html']);
    for (const part of parts) expect(part).toMatch(/^content-transfer-encoding: 8bit$/im);
    expect(readdirSync(join(app.dataDir, 'outbox')).filter((name) => !name.endsWith('.eml'))).toEqual([]);
  });

  test('does not break a link that is longer than a line of a mail', async () => {
    const link = `https://fleet.example.org/${'x'.repeat(1200)}`;
    await app.services.mail.send(app.db, 'long@example.org', 'de', {
      kind: 'reset',
      name: 'Ada',
      link,
      code: '12345678',
      minutes: 60,
      codeMinutes: 10,
    });
    const [mail] = await readMailsTo(app, 'long@example.org');
    expect(mail?.text.split('\n')).toContain(link);
  });

  test('responds identically to an unknown address, and sends no mail', async () => {
    const knownResponse = await post('users/forgotPassword', { email: 'admin@example.com' });
    const unknownResponse = await post('users/forgotPassword', { email: 'nobody@example.com' });
    expect(knownResponse.status).toBe(200);
    expect([unknownResponse.status, unknownResponse.text]).toEqual([200, knownResponse.text]);
    expect(await readMailsTo(app, 'nobody@example.com')).toEqual([]);
    expect((await post('users/forgotPassword', { email: 'no address' })).status).toBe(422);
  });

  test('sends at most three mails per address in ten minutes', async () => {
    const { email } = await requestReset();
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect((await post('users/forgotPassword', { email })).status).toBe(200);
    expect(await readMailsTo(app, email)).toHaveLength(3);
  });

  test('works once with the link, ends every session and verifies the address', async () => {
    const { id, email, token } = await requestReset();
    const session = await app.createSessionToken(id);
    expect((await verify({ token, code: '', ...passwords })).status).toBe(200);
    expect((await app.call(session, 'GET', 'machines')).status).toBe(401);
    expect((await login(email)).status).toBe(200);
    const second = await verify({ token, password: 'Again!Pass7', password_confirmation: 'Again!Pass7' });
    expect([second.status, Object.keys(second.body.errors ?? {})]).toEqual([422, ['token']]);
    expect((await app.call<{ data: { emails: object[] } }>(id, 'GET', `users/${id}`)).body.data.emails).toEqual([
      { email, verified: true, primary: true },
    ]);
  });

  test.each([['code'], ['token']])('works with the code, sent as %s', async (field) => {
    const { email, code } = await requestReset();
    const other = field === 'code' ? 'token' : 'code';
    expect((await verify({ [field]: code, [other]: '', email, ...passwords })).status).toBe(200);
    expect((await login(email)).status).toBe(200);
    expect((await verify({ [field]: code, email, ...passwords })).status).toBe(422);
  });

  test('accepts the code without an e-mail address only from the IP address that requested it', async () => {
    const { email, code } = await requestReset();
    expect((await verify({ token: code, ...passwords })).status).toBe(200);
    expect((await login(email)).status).toBe(200);
    const secondReset = await requestReset();
    await app.db.rows(sql`update password_resets set address = '192.0.2.1' where user_id = ${secondReset.id}`);
    expect((await verify({ token: secondReset.code, ...passwords })).status).toBe(422);
  });

  test('invalidates the code but not the link after five wrong codes', async () => {
    const { email, code, token } = await requestReset();
    const wrongCode = code === '00000000' ? '00000001' : '00000000';
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await verify({ code: wrongCode, email, ...passwords })).status).toBe(422);
    expect((await verify({ code, email, ...passwords })).status).toBe(422);
    expect((await verify({ token, ...passwords })).status).toBe(200);
  });

  test('rejects a code after eleven minutes and a link after sixty-one', async () => {
    const { id, email, code, token } = await requestReset();
    await app.db.rows(
      sql`update password_resets set code_expires_at = code_expires_at - interval '11 minutes',
        expires_at = expires_at - interval '11 minutes' where user_id = ${id}`,
    );
    expect((await verify({ code, email, ...passwords })).status).toBe(422);
    await app.db.rows(
      sql`update password_resets set expires_at = expires_at - interval '50 minutes' where user_id = ${id}`,
    );
    expect((await verify({ token, ...passwords })).status).toBe(422);
  });

  test('invalidates the link on a second request, but not after a weak password', async () => {
    const first = await requestReset();
    await post('users/forgotPassword', { email: first.email });
    expect((await verify({ token: first.token, ...passwords })).status).toBe(422);
    const { token } = await readMailSecrets(app, first.email);
    const weakResponse = await verify({ token, password: 'weak', password_confirmation: 'weak' });
    expect([weakResponse.status, Object.keys(weakResponse.body.errors ?? {})]).toEqual([422, ['password']]);
    expect((await verify({ token, ...passwords })).status).toBe(200);
  });

  test('requires a link or a code', async () => {
    const { status, body } = await verify(passwords);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['token']]);
  });

  test('stores neither link nor code in plain text', async () => {
    const { id, token, code } = await requestReset();
    const storedReset = await app.db.selectOne(
      { row: pg.text },
      sql`select r::text as row from password_resets r where user_id = ${id}`,
    );
    expect(storedReset?.row).not.toContain(token);
    expect(storedReset?.row).not.toContain(code);
  });
});

describe('invitation', () => {
  const invite = (values: object = {}, caller = world.users.customer_admin) => {
    const email = `invited${Math.random().toString(36).slice(2)}@example.com`;
    const body = {
      email,
      role_id: world.roles.operator,
      client_id: world.north.client,
      language_id: world.language,
      ...values,
    };
    return app.call<ResponseBody>(caller, 'POST', 'invitations', body).then((response) => ({ ...response, email }));
  };
  const accept = (token: string, values: object = {}) =>
    post('invitations/accept', { token, first_name: 'Ada', last_name: 'Neu', ...passwords, ...values });

  test('is mailed, shows role and client, and once creates the user and logs in', async () => {
    const { status, email, body } = await invite();
    expect(status).toBe(201);
    const { token, link } = await readMailSecrets(app, email);
    expect(link).toBe(`https://fleet.example.org/invitation/${token}`);
    const response = await app.call<ResponseBody>(undefined, 'GET', `invitations/token/${token}`);
    expect(response.body.data).toMatchObject({ email, role: 'Operator', client: 'North Cleaning' });
    const acceptResponse = await accept(token);
    expect(acceptResponse.status).toBe(200);
    const ownUser = await app.call<{ data: { email: string; client_id: number; role_ids: number[] }[] }>(
      acceptResponse.body.token,
      'GET',
      `users?filter[email]=${email}`,
    );
    expect(ownUser.body.data[0]).toMatchObject({
      email,
      client_id: world.north.client,
      role_ids: [world.roles.operator],
      emails: [{ email, verified: true, primary: true }],
    });
    expect((await accept(token)).status).toBe(422);
    expect((await app.call(undefined, 'GET', `invitations/token/${token}`)).status).toBe(404);
    expect((await login(email)).status).toBe(200);
    const invitation = await app.call<ResponseBody>(world.users.customer_admin, 'GET', `invitations/${body.data?.id}`);
    expect(invitation.body.data?.accepted).toBe(true);
  });

  test.each([
    ['de', 'Anna-Lena lädt Sie als Standortleiter zu Sweepline ein.'],
    ['fr', 'Anna-Lena vous invite à rejoindre Sweepline en tant que Responsable de site.'],
  ])('is mailed in %s with the role in that language, and without the address as a greeting', async (code, sentence) => {
    const language = await app.db.selectOne(
      { id: pg.integer },
      sql`select id from languages where two_letter_code = ${code}`,
    );
    const { first_name, last_name } = (await app.db.selectOne(
      { first_name: pg.text, last_name: pg.text },
      sql`select first_name, last_name from users where id = ${world.admin}::int`,
    )) ?? { first_name: '', last_name: '' };
    const { email } = await invite({ role_id: world.roles.site_manager, language_id: language?.id }, world.admin);
    const [mail] = await readMailsTo(app, email);
    expect(mail?.text.startsWith(sentence.replace('Anna-Lena', `${first_name} ${last_name}`))).toBe(true);
    expect(mail?.text).not.toContain(email);
  });

  test('expires after seven days and gets a new link when sent again', async () => {
    const { email, body } = await invite();
    const remainingTime = Date.parse(String(body.data?.expires_at)) - Date.now();
    expect(remainingTime / 86_400_000).toBeCloseTo(7, 1);
    const { token } = await readMailSecrets(app, email);
    const id = body.data?.id;
    await app.db.rows(sql`update invitations set expires_at = now() - interval '1 minute' where id = ${id}`);
    expect((await accept(token)).status).toBe(422);
    expect((await app.call(world.users.customer_admin, 'POST', `invitations/${id}/resend`)).status).toBe(200);
    expect((await accept(token)).status).toBe(422);
    expect((await accept((await readMailSecrets(app, email)).token)).status).toBe(200);
    expect((await app.call(world.users.customer_admin, 'POST', `invitations/${id}/resend`)).status).toBe(409);
  });

  test('gets a new link, valid for seven days, when its address is corrected', async () => {
    const { body } = await invite();
    const id = body.data?.id;
    await app.db.rows(sql`update invitations set expires_at = now() - interval '1 minute' where id = ${id}`);
    const email = 'corrected@north.example.com';
    expect((await app.call(world.users.customer_admin, 'PATCH', `invitations/${id}`, { email })).status).toBe(200);
    expect((await accept((await readMailSecrets(app, email)).token)).status).toBe(200);
  });

  test('is rejected after it is revoked', async () => {
    const { email, body } = await invite();
    const { token } = await readMailSecrets(app, email);
    expect((await app.call(world.users.customer_admin, 'DELETE', `invitations/${body.data?.id}`)).status).toBe(204);
    expect((await accept(token)).status).toBe(422);
    expect((await app.call(world.users.customer_admin, 'POST', `invitations/${body.data?.id}/resend`)).status).toBe(
      404,
    );
  });

  test('cannot exceed the inviter’s role or clients, nor invite an existing user', async () => {
    const readRejectedFields = async (values: object) => Object.keys((await invite(values)).body.errors ?? {});
    expect(await readRejectedFields({ role_id: world.roles.admin })).toEqual(['role_id']);
    expect(await readRejectedFields({ role_id: world.roles.partner })).toEqual(['role_id']);
    expect(await readRejectedFields({ client_id: world.south.client })).toEqual(['client_id']);
    expect(await readRejectedFields({ email: 'OPERATOR@north.example.com' })).toEqual(['email']);
  });

  test('of another client returns 404', async () => {
    expect(
      (await app.call(world.users.customer_admin, 'POST', `invitations/${world.south.invitation}/resend`)).status,
    ).toBe(404);
  });

  test('has no line break of the inviter’s name in its text or header', async () => {
    const name = '<b>Ada</b>\r\nBcc: all@example.com';
    await app.db.rows(sql`update users set first_name = ${name} where id = ${world.users.partner}`);
    const { email } = await invite({}, world.users.partner);
    const [mail] = await readMailsTo(app, email);
    expect(mail?.text).toContain('<b>Ada</b> Bcc: all@example.com Partner invites you');
    expect(mail?.to).toContain(email);
    expect(mail?.to).not.toContain('all@');
  });
});

describe('first Admin', () => {
  test('cannot use the address of another user, as the error explains', async () => {
    const setDeleted = async (deleted: boolean) =>
      app.db.rows(
        sql`update users set deleted_at = ${deleted ? new Date() : null}::timestamptz where id = ${world.admin}`,
      );
    const operator = await app.db.selectOne(
      { email: pg.text },
      sql`select email from users where id = ${world.users.operator}`,
    );
    await setDeleted(true);
    const env = { admin: { email: operator?.email, password: 'Given!Pass1' }, publicUrl: 'https://fleet.example.org' };
    await expect(ensureAdmin(app.services, env)).rejects.toThrow(
      `SWEEPLINE_ADMIN_EMAIL: ${operator?.email} belongs to a user who is not an Admin.`,
    );
    await setDeleted(false);
  });

  test('gets the set-up link at the address of their own, whatever the environment says', async () => {
    const admin = await app.db.selectOne({ email: pg.text }, sql`select email from users where id = ${world.admin}`);
    const env = { admin: { email: 'other@example.com' }, publicUrl: 'https://fleet.example.org' };
    expect((await ensureAdmin(app.services, env))?.email).toBe(admin?.email);
  });

  test('gets no link if they sign in by the identity provider', async () => {
    const env = { admin: { password: 'Given!Pass1' }, publicUrl: 'https://fleet.example.org' };
    const oidc = { issuer: 'https://id.example.org', clientId: 'sweepline', clientSecret: 'secret' };
    const setLastLogin = (time: Date | null) =>
      app.db.rows(sql`update users_state set last_login = ${time}::timestamptz where id = ${world.admin}`);
    await setLastLogin(new Date());
    expect(await ensureAdmin(app.services, { ...env, oidc })).toBeUndefined();
    expect(await app.db.one(sql`select 1 from user_secrets where user_id = ${world.admin}`)).toBeUndefined();
    await setLastLogin(null);
    expect(await ensureAdmin(app.services, { ...env, admin: {}, oidc })).toBeDefined();
  });

  test('is the user who opens the set-up link; the link is created once', async () => {
    const env = { admin: {}, publicUrl: 'https://fleet.example.org' };
    const setup = await ensureAdmin(app.services, env);
    expect(setup?.link).toMatch(/^https:\/\/fleet\.example\.org\/resetpassword\/[\w-]{32}$/);
    const token = setup?.link.split('/').at(-1);
    expect((await verify({ token, ...passwords })).status).toBe(200);
    expect((await login(setup?.email ?? '')).status).toBe(200);
    expect(await ensureAdmin(app.services, env)).toBeUndefined();
    expect((await verify({ token, ...passwords })).status).toBe(422);
  });

  test('is neither replaced nor added again by the environment variables of a later start', async () => {
    const env = {
      admin: { email: 'late@example.com', password: 'Late!Pass77' },
      publicUrl: 'https://fleet.example.org',
    };
    expect(await ensureAdmin(app.services, env)).toBeUndefined();
    expect((await login('late@example.com', 'Late!Pass77')).status).toBe(422);
  });
});
