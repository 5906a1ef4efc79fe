/**
 * No call reveals who has an account: calls without a session, invitations and changes of the user's own address
 * respond identically for known and unknown addresses. tests/api/session.test.ts covers equal timing,
 * references.test.ts foreign ids.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMailsTo } from '../../support/outboxMails';
import { nextNumber } from '../../support/rows';
import { startTestWorld, type TestApp } from '../../support/startTestApp';
import type { World } from '../../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  message?: string;
  errors?: Record<string, string[]>;
  data?: { id: number; email: string; result?: string }[] & { id: number };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const foreignEmail = 'operator@south.example.com';
const unknownEmail = () => `nobody${nextNumber()}@south.example.com`;
const passwords = { password: 'Fresh!Pass7', password_confirmation: 'Fresh!Pass7' };

test.each([
  ['login', (email: string) => ({ email, password: 'Wrong!Pass1' })],
  ['users/forgotPassword', (email: string) => ({ email })],
  ['users/verifyResetPassword', (email: string) => ({ email, code: '12345678', ...passwords })],
])('%s responds with the same headers and body for every address', async (path, body) => {
  const request = async (email: string) => {
    const { status, text, headers } = await app.call(undefined, 'POST', path, body(email), { 'accept-language': 'de' });
    expect([200, 422]).toContain(status);
    return { status, text, names: Object.keys(headers).sort() };
  };
  expect(await request(foreignEmail)).toEqual(await request(unknownEmail()));
});

test('tokens that were never issued all get the same response', async () => {
  for (const path of ['invitations/token/', 'calendar/']) {
    const suffix = path === 'calendar/' ? '/services.ics' : '';
    const [firstResponse, secondResponse] = await Promise.all(
      ['a'.repeat(32), 'b'.repeat(43)].map((token) => app.call(undefined, 'GET', `${path}${token}${suffix}`)),
    );
    expect([firstResponse?.status, firstResponse?.text]).toEqual([404, secondResponse?.text]);
  }
});

describe('an invitation', () => {
  const invite = (email: string) =>
    app.call<ResponseBody>(world.users.customer_admin, 'POST', 'invitations', {
      email,
      role_id: world.roles.operator,
      client_id: world.north.client,
      language_id: world.language,
    });

  test('looks the same for an address with an account out of scope, and grants that account nothing', async () => {
    const [knownResponse, unknownResponse] = [await invite(foreignEmail), await invite(unknownEmail())];
    expect([knownResponse.status, Object.keys(knownResponse.body.data ?? {})]).toEqual([
      201,
      Object.keys(unknownResponse.body.data ?? {}),
    ]);
    const [mail] = await readMailsTo(app, foreignEmail);
    const token = /invitation\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const rowBefore = await app.db.one(sql`select to_jsonb(u) as row from users u where email = ${foreignEmail}`);
    const acceptResponse = await app.call<ResponseBody>(undefined, 'POST', 'invitations/accept', {
      token,
      first_name: 'A',
      last_name: 'B',
      ...passwords,
    });
    expect([acceptResponse.status, Object.keys(acceptResponse.body.errors ?? {})]).toEqual([422, ['email']]);
    expect(await app.db.one(sql`select to_jsonb(u) as row from users u where email = ${foreignEmail}`)).toEqual(
      rowBefore,
    );
  });

  test('reveals nothing more in bulk', async () => {
    const foreignEmail = 'site_manager@south.example.com';
    const { body } = await app.call<ResponseBody>(world.users.customer_admin, 'POST', 'invitations/many', {
      emails: `${foreignEmail}, ${unknownEmail()}`,
      role_id: world.roles.operator,
      client_id: world.north.client,
      language_id: world.language,
    });
    expect(body.data?.map(({ result }) => result)).toEqual(['invited', 'invited']);
  });

  test('of a user in the inviter’s scope reports that the user exists', async () => {
    const { status, body } = await invite('operator@north.example.com');
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['email']]);
  });
});

test.each([
  'operator',
  'site_manager',
  'customer_admin',
  'partner',
  'country_manager',
] as const)('%s learns nothing by changing their own address', async (role) => {
  const id = world.users[role];
  const request = async (values: object, headers?: Record<string, string>) => {
    const { status, body } = await app.call<ResponseBody>(id, 'PATCH', `users/${id}`, values, headers);
    return { status, body };
  };
  for (const send of [
    (email: string) => request({ email }),
    (email: string) => request({ email }, { precognition: 'true', 'precognition-validate-only': 'email' }),
    (email: string) => request({ emails: [{ email, primary: true }] }),
  ]) {
    const [knownResponse, unknownResponse] = [await send('operator@south.example.com'), await send(unknownEmail())];
    expect(knownResponse.status).toBe(422);
    expect(knownResponse).toEqual(unknownResponse);
  }
});
