/** The second factor: time-based codes, recovery codes, and rate limits. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { readMailsTo } from '../support/outboxMails';
import { setPasswords } from '../support/setPasswords';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { totpCode } from '../support/totpCode';
import type { World } from '../support/world';

const password = 'Right!Pass7';
const email = 'operator@north.example.com';

interface LoginResult {
  token?: string;
  two_factor?: boolean;
  ticket: string;
  errors?: Record<string, string[]>;
}

let app: TestApp;
let world: World;
let currentTime = Date.now();
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await setPasswords(app.db, password);
  app.services.now = () => new Date(currentTime);
});
afterAll(() => app?.close());

const path = 'account/second-factor';
const callSecondFactor = <T = object>(method: 'GET' | 'POST', call = '', body?: object) =>
  app.call<{ data: T } & LoginResult>(world.users.operator, method, `${path}${call}`, body);
const login = () => app.call<LoginResult>(undefined, 'POST', 'login', { email, password });
const submitCode = (ticket: string, code: string) =>
  app.call<LoginResult>(undefined, 'POST', 'login/second-factor', { ticket, code });

/** Advances the clock by half a minute, to the next code. */
const nextCode = () => {
  currentTime += 30_000;
  return totpCode(secret, currentTime);
};
let secret = '';
let recoveryCodes: string[] = [];

async function enableSecondFactor(): Promise<void> {
  await app.db.rows(sql`delete from second_factors`);
  await app.db.rows(sql`delete from login_failures`);
  const enrolment = await callSecondFactor<{ secret: string; uri: string }>('POST', '', { current_password: password });
  expect(enrolment.status).toBe(200);
  secret = enrolment.body.data.secret;
  const confirmResponse = await callSecondFactor<{ recovery_codes: string[] }>('POST', '/confirm', {
    code: nextCode(),
  });
  expect(confirmResponse.status).toBe(200);
  recoveryCodes = confirmResponse.body.data.recovery_codes;
}

const decodeBase32 = (text: string) => {
  const bits = [...text.replace(/\s/g, '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

describe('enabled second factor', () => {
  beforeEach(enableSecondFactor);

  test('requires a code after the password, and accepts each code once', async () => {
    const first = await login();
    expect([first.status, first.body.two_factor, first.body.token]).toEqual([200, true, undefined]);
    expect((await app.call(first.body.ticket, 'GET', 'machines')).status).toBe(401);
    const code = nextCode();
    const session = await submitCode(first.body.ticket, code);
    expect(session.status).toBe(200);
    expect((await app.call(session.body.token, 'GET', 'machines')).status).toBe(200);
    const repeatedLogin = await submitCode((await login()).body.ticket, code);
    expect([repeatedLogin.status, Object.keys(repeatedLogin.body.errors ?? {})]).toEqual([422, ['code']]);
    const reusedResponse = await submitCode(first.body.ticket, nextCode());
    expect([reusedResponse.status, Object.keys(reusedResponse.body.errors ?? {})]).toEqual([422, ['ticket']]);
  });

  test('accepts one of two concurrent logins with the same code', async () => {
    const tickets = [(await login()).body.ticket, (await login()).body.ticket];
    const code = nextCode();
    const responses = await Promise.all(tickets.map((ticket) => submitCode(ticket, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test('accepts each recovery code once, in any spelling', async () => {
    expect(recoveryCodes).toHaveLength(10);
    const [code = ''] = recoveryCodes;
    expect((await submitCode((await login()).body.ticket, code.toLowerCase().replace('-', ' '))).status).toBe(200);
    expect((await submitCode((await login()).body.ticket, code)).status).toBe(422);
    expect((await callSecondFactor('GET')).body.data).toMatchObject({ enabled: true, recovery_codes_left: 9 });
    const renewResponse = await callSecondFactor<{ recovery_codes: string[] }>('POST', '/recovery-codes', {
      current_password: password,
      code: nextCode(),
    });
    expect(renewResponse.body.data.recovery_codes).toHaveLength(10);
    expect((await submitCode((await login()).body.ticket, recoveryCodes[1] ?? '')).status).toBe(422);
  });

  test('locks for five minutes after five wrong codes, even for a correct one and other tickets', async () => {
    for (let guess = 0; guess < 5; guess++)
      expect((await submitCode((await login()).body.ticket, '000000')).status).toBe(422);
    const lockedLogin = await submitCode((await login()).body.ticket, nextCode());
    expect(lockedLogin.status).toBe(429);
    expect(Number(lockedLogin.headers['retry-after'])).toBeGreaterThan(240);
    await app.db.rows(sql`update login_failures set until = now() - interval '1 second'`);
    expect((await submitCode((await login()).body.ticket, nextCode())).status).toBe(200);
  });

  test('responds identically to expired and unknown tickets', async () => {
    const { ticket } = (await login()).body;
    await app.db.rows(sql`update login_tickets set expires_at = now() - interval '1 second'`);
    const [lateResponse, unknownResponse] = [
      await submitCode(ticket, nextCode()),
      await submitCode('A'.repeat(43), '123456'),
    ];
    expect([lateResponse.status, lateResponse.body.errors]).toEqual([422, unknownResponse.body.errors]);
  });

  test('can be disabled with the password and a code', async () => {
    expect((await callSecondFactor('POST', '/off', { current_password: 'Wrong!Pass1', code: nextCode() })).status).toBe(
      422,
    );
    expect((await callSecondFactor('POST', '/off', { current_password: password, code: '000000' })).status).toBe(422);
    expect((await callSecondFactor('POST', '/off', { current_password: password, code: nextCode() })).status).toBe(204);
    expect((await login()).body.token).toBeDefined();
  });

  test('stores its secret encrypted, and cannot be set up again while enabled', async () => {
    const rows = await app.db.select({ secret: pg.bytea }, sql`select secret from second_factors`);
    expect(rows).toHaveLength(1);
    for (const plainSecret of [Buffer.from(secret), decodeBase32(secret)])
      expect(Buffer.from(rows[0]?.secret ?? plainSecret).includes(plainSecret)).toBe(false);
    expect((await callSecondFactor('POST', '', { current_password: password })).status).toBe(409);
    expect((await callSecondFactor('POST', '/confirm', { code: nextCode() })).status).toBe(409);
  });

  test('can be reset by Admins only, and the user gets a mail', async () => {
    const { operator, customer_admin } = world.users;
    const resetPath = `users/${operator}/second-factor`;
    expect((await app.call(customer_admin, 'DELETE', resetPath)).status).toBe(403);
    expect((await app.call(operator, 'DELETE', resetPath)).status).toBe(409);
    expect((await app.call(world.admin, 'DELETE', resetPath)).status).toBe(204);
    expect((await app.call(world.admin, 'DELETE', resetPath)).status).toBe(404);
    expect((await login()).body.token).toBeDefined();
    expect((await readMailsTo(app, email))[0]?.text).toContain('two-factor');
  });
});

describe('unconfirmed second factor', () => {
  test('requires the password, and has no effect before a correct code', async () => {
    await app.db.rows(sql`delete from second_factors`);
    expect((await callSecondFactor('POST', '', {})).status).toBe(422);
    await callSecondFactor('POST', '', { current_password: password });
    expect((await callSecondFactor('POST', '/confirm', { code: '000000' })).status).toBe(422);
    expect((await callSecondFactor('GET')).body.data).toEqual({ enabled: false, since: null, recovery_codes_left: 0 });
    expect((await login()).body.token).toBeDefined();
  });

  test('locks for a minute after wrong passwords', async () => {
    await app.db.rows(sql`delete from login_failures`);
    for (let guess = 0; guess < 5; guess++) await callSecondFactor('POST', '', { current_password: 'Wrong!Pass1' });
    expect((await callSecondFactor('POST', '', { current_password: password })).status).toBe(429);
  });
});
