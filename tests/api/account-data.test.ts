/** Export of a user's personal data, and deletion of an account. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { setPasswords } from '../support/setPasswords';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

const password = 'Right!Pass7';
let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await setPasswords(app.db, password);
});
afterAll(() => app?.close());

const deleteAccount = (caller: number | string, current_password = password) =>
  app.call<{ errors: object }>(caller, 'POST', 'account/delete', { current_password });

describe('personal data export', () => {
  test('contains only the user’s own data, and no secrets', async () => {
    const { partner } = world.users;
    await app.call(partner, 'POST', 'account/tokens', { name: 'Weekly report', days: 30 });
    await app.call(partner, 'POST', 'account/emails', { email: 'second@north.example.com' });
    const response = await app.call<Record<string, object[]>>(partner, 'GET', 'account/export');
    expect([response.status, response.headers['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="sweepline-\d{4}-\d\d-\d\d\.json"$/),
    ]);
    expect(response.body.user).toMatchObject({ id: partner, email: 'partner@north.example.com', language: 'en' });
    expect(response.body.api_tokens).toMatchObject([{ name: 'Weekly report' }]);
    expect(response.body.user_emails).toMatchObject([
      { email: 'partner@north.example.com' },
      { email: 'second@north.example.com' },
    ]);
    expect(response.body.users_roles).toEqual([{ users_id: partner, roles_id: world.roles.partner }]);
    expect(response.text).not.toMatch(/hash|operator@|admin@|\$argon2/);
  });
});

describe("deleting the caller's account", () => {
  test('requires the password, ends every session and anonymizes the row', async () => {
    const { operator } = world.users;
    const [ownToken, otherToken] = [await app.createSessionToken(operator), await app.createSessionToken(operator)];
    expect(Object.keys((await deleteAccount(ownToken, 'Wrong!Pass1')).body.errors)).toEqual(['current_password']);
    const reportResponse = await app.call<{ data: { id: number } }>(
      ownToken,
      'POST',
      `machines/${world.north.machines[0]}/problems`,
      {
        problem: 'noise',
        report: 'It rattles',
      },
    );
    expect((await deleteAccount(ownToken)).status).toBe(204);
    const alert = await app.call(world.admin, 'GET', `alerts/${reportResponse.body.data.id}`);
    expect(alert.body).toMatchObject({ data: { report: 'It rattles', reported_by: `Deleted user ${operator}` } });
    for (const token of [ownToken, otherToken]) expect((await app.call(token, 'GET', 'machines')).status).toBe(401);
    expect((await app.call(undefined, 'POST', 'login', { email: 'operator@north.example.com', password })).status).toBe(
      422,
    );
    const row = await app.db.one(
      sql`select first_name, last_name, email, phone, image, client_id, deleted_at is not null as gone from users where id = ${operator}`,
    );
    expect(row).toEqual({
      first_name: 'Deleted',
      last_name: `user ${operator}`,
      email: `deleted-${operator}@deleted.invalid`,
      phone: null,
      image: null,
      client_id: null,
      gone: true,
    });
    for (const table of ['user_secrets', 'user_emails', 'sessions', 'api_tokens'])
      expect(await app.db.rows(sql`select 1 from ${sql.identifier(table)} where user_id = ${operator}`), table).toEqual(
        [],
      );
    expect(await app.db.rows(sql`select 1 from users_machines where users_id = ${operator}`)).toEqual([]);
  });

  test('anonymizes invitations to any verified address of the user', async () => {
    const { site_manager } = world.users;
    const addresses = ['first@private.example.com', 'Second@private.example.com', 'unverified@private.example.com'];
    const invitations: number[] = [];
    for (const email of addresses)
      invitations.push(
        await add(app.db, 'invitations', {
          ...{ email, role_id: world.roles.operator, language_id: world.language, client_id: world.north.client },
          expires_at: '2044-01-01T00:00:00Z',
        }),
      );
    await app.db.rows(sql`
      insert into user_emails (user_id, email, verified) select ${site_manager}, lower(email), email not like 'unverified%'
      from invitations where id = any(${invitations}::int[])`);
    expect((await deleteAccount(site_manager)).status).toBe(204);
    const stored = await app.db.select(
      { email: pg.text },
      sql`select email from invitations where id = any(${invitations}::int[]) order by id`,
    );
    const anonymousAddress = `deleted-${site_manager}@deleted.invalid`;
    expect(stored.map(({ email }) => email)).toEqual([anonymousAddress, anonymousAddress, addresses[2]]);
  });

  test('releases the e-mail address', async () => {
    const { customer_admin } = world.users;
    const { body } = await app.call<{ data: { email: string } }>(world.admin, 'GET', `users/${customer_admin}`);
    await deleteAccount(customer_admin);
    const values = {
      first_name: 'New',
      last_name: 'One',
      email: body.data.email,
      language_id: world.language,
      client_id: world.north.client,
      role_ids: [world.roles.operator],
    };
    expect((await app.call(world.admin, 'POST', 'users', values)).status).toBe(201);
  });

  test('is rejected for the last Admin, whose account stays unchanged', async () => {
    await app.db.rows(
      sql`update users set deleted_at = now() where id <> ${world.admin} and id in (select users_id from users_roles where roles_id = ${world.roles.admin})`,
    );
    const response = await deleteAccount(world.admin);
    expect(response.status).toBe(409);
    expect((await app.call(world.admin, 'GET', `users/${world.admin}`)).status).toBe(200);
  });
});
