/**
 * Bulk invitations from a pasted list: each address is invited or has its own problem. A problem common to all is
 * returned once.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressesOf } from '../../schema/shared/addressesOf';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  errors?: Record<string, string[]>;
  data: { email: string; result: string; id?: number; message?: string }[];
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const invite = (caller: number, emails: string, values: object = {}) =>
  app.call<ResponseBody>(caller, 'POST', 'invitations/many', {
    emails,
    role_id: world.roles.operator,
    client_id: world.north.client,
    language_id: world.language,
    ...values,
  });
const inviteForOutcomes = async (caller: number, emails: string) =>
  (await invite(caller, emails)).body.data.map(({ email, result }) => [email, result]);

test('parses addresses in the formats of mail programs and spreadsheets', () => {
  const pastedText =
    'Ada Example <ada@example.com>; "Bob, the" <bob@example.com>,\n  cem@example.com\tADA@example.com\r\ndora@example.com eve@example.com';
  expect(addressesOf(pastedText)).toEqual([
    'ADA@example.com',
    'bob@example.com',
    'cem@example.com',
    'dora@example.com',
    'eve@example.com',
  ]);
  expect(addressesOf(' a@b.de,, ;\n a@B.de c@d.de ')).toEqual(['a@B.de', 'c@d.de']);
  expect(addressesOf(' \n;, ')).toEqual([]);
});

test('each address is invited, already pending, or rejected with its own problem', async () => {
  const { customer_admin } = world.users;
  expect(
    await inviteForOutcomes(
      customer_admin,
      'one@many.example; Two <two@many.example>\nno-address, customer_admin@north.example.com, guest@north.example.com',
    ),
  ).toEqual([
    ['one@many.example', 'invited'],
    ['two@many.example', 'invited'],
    ['no-address', 'refused'],
    ['customer_admin@north.example.com', 'refused'],
    ['guest@north.example.com', 'pending'],
  ]);
  expect(await inviteForOutcomes(customer_admin, 'one@many.example')).toEqual([['one@many.example', 'pending']]);
  const auditEntry = await app.db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from audit where entity = 'invitations' and action = 'create' and user_id = ${customer_admin}`,
  );
  expect(auditEntry?.n).toBe(2);
});

test('does not reveal another user’s invitation to users who cannot see it', async () => {
  await add(app.db, 'invitations', {
    email: 'shared@many.example',
    role_id: world.roles.operator,
    client_id: world.south.client,
    language_id: world.language,
  });
  expect(await inviteForOutcomes(world.users.customer_admin, 'shared@many.example')).toEqual([
    ['shared@many.example', 'invited'],
  ]);
});

test('rejects a role or client beyond the caller’s rights once, and invites nobody', async () => {
  const { users, roles, south } = world;
  const countBefore = await app.db.one(sql`select count(*) as n from invitations`);
  const readRejectedFields = async (caller: number, values: object) =>
    Object.keys((await invite(caller, 'x@many.example, y@many.example', values)).body.errors ?? {});
  expect(await readRejectedFields(users.customer_admin, { role_id: roles.admin })).toEqual(['role_id']);
  expect(await readRejectedFields(users.customer_admin, { client_id: south.client })).toEqual(['client_id']);
  expect(Object.keys((await invite(users.customer_admin, ' ')).body.errors ?? {})).toEqual(['emails']);
  expect(
    Object.keys(
      (
        await invite(
          users.customer_admin,
          Array.from({ length: 201 }, (_, index) => `a${index}@many.example`).join(' '),
        )
      ).body.errors ?? {},
    ),
  ).toEqual(['emails']);
  expect((await invite(users.operator, 'x@many.example')).status).toBe(403);
  expect(await app.db.one(sql`select count(*) as n from invitations`)).toEqual(countBefore);
});
