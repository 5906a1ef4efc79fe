/**
 * E-mail addresses of a user: users add and verify them and choose a primary one. Responses never reveal whether
 * another user has an address.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OwnAddress } from '../../schema/endpoints/account';
import { readMailSecrets, readMailsTo } from '../support/outboxMails';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { PUBLIC_URL: 'https://fleet.example.org' } }));
});
beforeEach(() => app.db.rows(sql`delete from login_failures`));
afterAll(() => app?.close());

interface EmailsResponse {
  data: OwnAddress[];
  errors: Record<string, string[]>;
}

const addAddress = (email: string, caller = world.users.operator, headers?: Record<string, string>) =>
  app.call<EmailsResponse>(caller, 'POST', 'account/emails', { email }, headers);
const readAddresses = async (caller = world.users.operator) =>
  (await app.call<EmailsResponse>(caller, 'GET', 'account/emails')).body.data;
const findAddressId = async (email: string, caller?: number) =>
  (await readAddresses(caller)).find((address) => address.email === email)?.id;
const verify = (token: string) => app.call<EmailsResponse>(undefined, 'POST', 'emails/verify', { token });

describe('an address', () => {
  test('is unverified until the link in its mail is opened; the link works once', async () => {
    expect((await addAddress('second@north.example.com')).status).toBe(201);
    expect(await readAddresses()).toMatchObject([
      { email: 'operator@north.example.com', primary: true },
      { email: 'second@north.example.com', verified: false, primary: false },
    ]);
    const { token } = await readMailSecrets(app, 'second@north.example.com');
    expect((await verify(token)).body).toEqual({ verified: true });
    expect((await verify(token)).status).toBe(422);
    expect((await readAddresses())[1]).toMatchObject({ verified: true });
  });

  test('is stored once, however many requests arrive at the same time', async () => {
    const caller = world.users.partner;
    await app.db.rows(sql`delete from user_emails where user_id = ${caller}`);
    const lists = await Promise.all(Array.from({ length: 4 }, () => readAddresses(caller)));
    expect(lists.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    const responses = await Promise.all(Array.from({ length: 3 }, () => addAddress('twice@north.example.com', caller)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect((await readAddresses(caller)).map(({ email }) => email)).toEqual([
      'partner@north.example.com',
      'twice@north.example.com',
    ]);
    await app.db.rows(sql`delete from user_emails where user_id = ${caller}`);
  });

  test('gets a mail in the user’s language, with a link built from PUBLIC_URL', async () => {
    await app.db.rows(
      sql`update users set language_id = (select id from languages where two_letter_code = 'de') where id = ${world.users.partner}`,
    );
    await addAddress('partner2@north.example.com', world.users.partner, {
      host: 'evil.example.net',
      'x-forwarded-host': 'evil.example.net',
    });
    const [mail] = await readMailsTo(app, 'partner2@north.example.com');
    expect(mail?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse');
    expect((await readMailSecrets(app, 'partner2@north.example.com')).link).toMatch(
      /^https:\/\/fleet\.example\.org\/verifyemail\/[\w-]{20,}$/,
    );
    expect(mail?.text).not.toContain('evil');
  });

  test('can become primary only when verified; the previous primary address is notified', async () => {
    await addAddress('third@north.example.com');
    const id = await findAddressId('third@north.example.com');
    const makePrimary = () => app.call<EmailsResponse>(world.users.operator, 'POST', `account/emails/${id}/primary`);
    expect(Object.keys((await makePrimary()).body.errors)).toEqual(['email']);
    const patchResponse = await app.call<EmailsResponse>(
      world.users.operator,
      'PATCH',
      `users/${world.users.operator}`,
      {
        email: 'third@north.example.com',
      },
    );
    expect([patchResponse.status, Object.keys(patchResponse.body.errors)]).toEqual([422, ['email']]);
    await verify((await readMailSecrets(app, 'third@north.example.com')).token);
    expect((await makePrimary()).status).toBe(200);
    expect((await readAddresses())[0]).toEqual({ id, email: 'third@north.example.com', verified: true, primary: true });
    expect((await readAddresses()).map(({ email }) => email)).toContain('operator@north.example.com');
    expect((await readMailsTo(app, 'operator@north.example.com'))[0]?.text).toContain('e-mail address');
    const revertResponse = await app.call(world.admin, 'PATCH', `users/${world.users.operator}`, {
      email: 'operator@north.example.com',
    });
    expect(revertResponse.status).toBe(200);
  });

  test('can be set to any value by an Admin, also for themselves', async () => {
    expect((await app.call(world.admin, 'PATCH', `users/${world.admin}`, { email: 'chief@example.com' })).status).toBe(
      200,
    );
    expect(
      (await app.call(world.admin, 'PATCH', `users/${world.users.site_manager}`, { email: 'site@example.com' })).status,
    ).toBe(200);
  });

  test('that another user has is accepted with the same response, and rejected only on verification', async () => {
    const [unregisteredResponse, registeredResponse] = [
      await addAddress('nobody@north.example.com'),
      await addAddress('partner@north.example.com'),
    ];
    expect([registeredResponse.status, registeredResponse.body.data.at(-1)?.verified]).toEqual([
      unregisteredResponse.status,
      unregisteredResponse.body.data.at(-1)?.verified,
    ]);
    await verify((await readMailSecrets(app, 'partner@north.example.com')).token);
    const conflict = await app.call<EmailsResponse>(
      world.users.operator,
      'POST',
      `account/emails/${await findAddressId('partner@north.example.com')}/primary`,
    );
    expect([conflict.status, Object.keys(conflict.body.errors)]).toEqual([422, ['email']]);
  });

  test('can be removed unless primary, and only by its user', async () => {
    await addAddress('gone@north.example.com');
    const id = await findAddressId('gone@north.example.com');
    expect((await app.call(world.users.partner, 'DELETE', `account/emails/${id}`)).status).toBe(404);
    expect((await app.call(world.users.operator, 'DELETE', `account/emails/${id}`)).status).toBe(204);
    const [primary] = await readAddresses();
    expect((await app.call(world.users.operator, 'DELETE', `account/emails/${primary?.id}`)).status).toBe(409);
  });

  test('has a verification link that expires on removal, with the next mail, and after a day', async () => {
    const address = 'links@north.example.com';
    await addAddress(address);
    const first = (await readMailSecrets(app, address)).token;
    const id = await findAddressId(address);
    expect((await app.call(world.users.operator, 'POST', `account/emails/${id}/verification`)).status).toBe(204);
    expect((await verify(first)).status).toBe(422);
    const second = (await readMailSecrets(app, address)).token;
    await app.db.rows(sql`update user_emails set token_expires_at = now() - interval '1 second' where id = ${id}`);
    expect((await verify(second)).status).toBe(422);
    for (let index = 0; index < 2; index++)
      await app.call(world.users.operator, 'POST', `account/emails/${id}/verification`);
    expect((await app.call(world.users.operator, 'POST', `account/emails/${id}/verification`)).status).toBe(429);
    const third = (await readMailSecrets(app, address)).token;
    await app.call(world.users.operator, 'DELETE', `account/emails/${id}`);
    expect((await verify(third)).status).toBe(422);
  });

  test.each(['not-an-address', '', 'OPERATOR@north.example.com'])('is rejected as %j', async (email) => {
    const response = await addAddress(email);
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, ['email']]);
  });
});

describe('list of addresses in the contract', () => {
  test('contains email, verified and primary', async () => {
    const { body } = await app.call<{ data: { emails: object[] } }>(
      world.users.operator,
      'GET',
      `users/${world.users.operator}`,
    );
    expect(body.data.emails.length).toBeGreaterThan(0);
    for (const address of body.data.emails) expect(Object.keys(address)).toEqual(['email', 'verified', 'primary']);
  });
});
