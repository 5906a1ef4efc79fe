/** Audit entries about an account other than field changes. They name the actor and never contain a secret. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashPassword } from '../../server/auth/password';
import { pg } from '../../server/db/core/rowShape';
import { readMailSecrets } from '../support/outboxMails';
import { add } from '../support/rows';
import { setPasswords } from '../support/setPasswords';
import { type Method, startTestWorld, type TestApp } from '../support/startTestApp';
import { totpCode } from '../support/totpCode';
import type { World } from '../support/world';

const password = 'Right!Pass7';
let app: TestApp;
let world: World;
let user: number;
let clock = Date.now();
/** Secrets that must never appear in an audit entry. */
const secrets: string[] = [password];

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  user = world.users.operator;
  await setPasswords(app.db, password);
  app.services.now = () => new Date(clock);
});
afterAll(() => app.close());

interface AuditEntry {
  action: string;
  user_id: number | null;
  changes: { field: string; before: unknown; after: unknown }[];
}
/** Audit entries about the user, newest first, as an Admin reads them. */
const readEntries = async (caller = world.admin) =>
  (
    await app.call<{ data: AuditEntry[] }>(
      caller,
      'GET',
      `audit?filter[entity]=users&filter[record_id]=${user}&sort=-id&per_page=50`,
    )
  ).body.data;
const readNewestEntry = async () => {
  const [entry] = await readEntries();
  return entry && { action: entry.action, by: entry.user_id, fields: entry.changes.map(({ field }) => field) };
};
async function callAccount<T>(method: Method, path: string, body?: object, status = 200): Promise<T> {
  const response = await app.call<{ data: T }>(user, method, `account/${path}`, body);
  expect([path, response.status, response.text]).toEqual([path, status, expect.any(String)]);
  return response.body.data;
}
describe('the second factor', () => {
  let secret: string;
  const nextCode = () => {
    clock += 30_000;
    return totpCode(secret, clock);
  };
  async function enableSecondFactor() {
    const enrolment = await callAccount<{ secret: string }>('POST', 'second-factor', { current_password: password });
    secret = enrolment.secret;
    const { recovery_codes } = await callAccount<{ recovery_codes: string[] }>('POST', 'second-factor/confirm', {
      code: nextCode(),
    });
    secrets.push(enrolment.secret, ...recovery_codes);
  }

  test('is audited when it is enabled or disabled, or gets new recovery codes', async () => {
    await enableSecondFactor();
    expect(await readNewestEntry()).toEqual({ action: 'second_factor_on', by: user, fields: [] });
    const { recovery_codes } = await callAccount<{ recovery_codes: string[] }>('POST', 'second-factor/recovery-codes', {
      current_password: password,
      code: nextCode(),
    });
    secrets.push(...recovery_codes);
    expect(await readNewestEntry()).toEqual({ action: 'recovery_codes', by: user, fields: [] });
    await callAccount('POST', 'second-factor/off', { current_password: password, code: nextCode() }, 204);
    expect(await readNewestEntry()).toEqual({ action: 'second_factor_off', by: user, fields: [] });
  });

  test('is audited with the Admin who reset it', async () => {
    await enableSecondFactor();
    expect((await app.call(world.admin, 'DELETE', `users/${user}/second-factor`)).status).toBe(204);
    expect(await readNewestEntry()).toEqual({ action: 'second_factor_reset', by: world.admin, fields: [] });
  });
});

test('an API token is audited when it is created or revoked, but not when another user attempts it', async () => {
  const { id, token } = await callAccount<{ id: number; token: string }>(
    'POST',
    'tokens',
    { name: 'Robot', days: 1 },
    201,
  );
  secrets.push(token);
  expect(await readNewestEntry()).toEqual({ action: 'token_create', by: user, fields: [] });
  const countBefore = (await readEntries()).length;
  expect((await app.call(world.users.partner, 'DELETE', `account/tokens/${id}`)).status).toBe(404);
  expect(await readEntries()).toHaveLength(countBefore);
  await callAccount('DELETE', `tokens/${id}`, undefined, 204);
  expect(await readNewestEntry()).toEqual({ action: 'token_revoke', by: user, fields: [] });
});

test('ending one or all sessions is audited, also if an Admin does it; a logout is not', async () => {
  const token = await app.createSessionToken(user);
  const countBefore = (await readEntries()).length;
  expect((await app.call(await app.createSessionToken(user), 'POST', 'users/logout')).status).toBe(204);
  expect(await readEntries()).toHaveLength(countBefore);
  const sessions = await app.call<{ data: { id: number; is_current: boolean }[] }>(token, 'GET', 'account/sessions');
  const otherSession = sessions.body.data.find(({ is_current }) => !is_current)?.id;
  expect((await app.call(token, 'DELETE', `account/sessions/${otherSession}`)).status).toBe(204);
  expect((await app.call(token, 'DELETE', 'account/sessions')).status).toBe(204);
  expect((await app.call(world.admin, 'DELETE', `users/${user}/sessions`)).status).toBe(204);
  expect((await readEntries()).slice(0, 3).map(({ action, user_id }) => [action, user_id])).toEqual([
    ['sessions_end', world.admin],
    ['sessions_end', user],
    ['sessions_end', user],
  ]);
});

test('addresses are audited when they are added, verified, made primary or removed', async () => {
  const token = await app.createSessionToken(user);
  const call = <T>(method: Method, path: string, body?: object) =>
    app.call<{ data: T }>(token, method, `account/emails${path}`, body);
  const addResponse = await call<{ id: number; email: string }[]>('POST', '', { email: 'second@north.example.com' });
  const [first, second] = addResponse.body.data;
  expect(await readNewestEntry()).toEqual({ action: 'edit', by: user, fields: ['emails'] });
  const link = await readMailSecrets(app, 'second@north.example.com');
  secrets.push(link.token);
  expect((await app.call(undefined, 'POST', 'emails/verify', { token: link.token })).status).toBe(200);
  expect(await readNewestEntry()).toEqual({ action: 'email_verify', by: user, fields: [] });
  expect((await call('POST', `/${second?.id}/primary`)).status).toBe(200);
  expect((await readEntries())[0]).toMatchObject({
    action: 'edit',
    user_id: user,
    changes: [{ field: 'email', before: first?.email, after: second?.email }],
  });
  expect((await call('DELETE', `/${first?.id}`)).status).toBe(204);
  expect(await readNewestEntry()).toEqual({ action: 'edit', by: user, fields: ['emails'] });
});

test('entries are visible only to callers who can see the user, and an export labels their actions', async () => {
  const actions = new Set((await readEntries()).map(({ action }) => action));
  expect(new Set((await readEntries(world.users.customer_admin)).map(({ action }) => action))).toEqual(actions);
  expect(await readEntries(world.south.users.customer_admin)).toEqual([]);
  const auditPath = `audit/export?format=csv&filter[entity]=users&filter[action]=second_factor_reset&columns=action`;
  const { text } = await app.call(world.admin, 'GET', auditPath, undefined, { 'Accept-Language': 'de' });
  expect(text).toContain('Second factor reset');
});

test('exporting personal data and deleting an account are audited; the entry of a deletion has no name', async () => {
  user = await add(app.db, 'users', {
    first_name: 'Gone',
    last_name: 'Soon',
    language_id: world.language,
    role_ids: [world.roles.operator],
  });
  const hash = await hashPassword(password);
  await app.db.rows(sql`insert into user_secrets (user_id, password_hash) values (${user}, ${hash})`);
  expect((await app.call(user, 'GET', 'account/export')).status).toBe(200);
  expect(await readNewestEntry()).toEqual({ action: 'data_export', by: user, fields: [] });
  await callAccount('POST', 'delete', { current_password: password }, 204);
  expect(await readNewestEntry()).toEqual({ action: 'account_delete', by: user, fields: [] });
  const row = await app.db.selectOne(
    { text: pg.text },
    sql`select string_agg(a::text, ' ') as text from audit a where record_id = ${user} and entity = 'users'`,
  );
  expect(row?.text).not.toMatch(/Gone|Soon/);
});

test('no entry contains a secret', async () => {
  const row = await app.db.selectOne({ text: pg.text }, sql`select string_agg(a::text, ' ') as text from audit a`);
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((secret) => secret !== '' && row?.text.includes(secret))).toEqual([]);
});
