/** Imports never exceed the importing user's permissions: on rows, references, fields and roles. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { callImport, importFile } from '../support/importFile';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const countRows = async (table: string) =>
  (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from ${sql.identifier(table)}`))?.n;

test('importing requires the permission, and imports are visible only to their owner and to Admins', async () => {
  for (const user of [world.users.operator, world.users.site_manager])
    expect((await importFile(app, user, 'machines', 'serial_number\nX\n')).status).toBe(403);
  const ownImport = await importFile(app, world.north.users.partner, 'machines', 'serial_number\nNorth-111\n');
  for (const path of ['', '/rows', '/rejected']) {
    expect((await app.call(world.south.users.partner, 'GET', `imports/${ownImport.data.id}${path}`)).status).toBe(404);
    expect((await app.call(world.admin, 'GET', `imports/${ownImport.data.id}${path}`)).status).toBe(200);
  }
  for (const step of ['commit', 'cancel', 'undo', 'check'])
    expect((await app.call(world.south.users.partner, 'POST', `imports/${ownImport.data.id}/${step}`)).status).toBe(
      404,
    );
});

test('rows out of scope are neither found nor changed', async () => {
  const countBefore = await countRows('machines');
  const file = `serial_number,fleet,note\nSouth-111,South Fleet 1,taken\nSouth-112,,\nNEW-9,South Fleet 1,\n`;
  const { data } = await importFile(app, world.north.users.country_manager, 'machines', file, { commits: true });
  expect([data.state, data.counts.error]).toEqual(['failed', 3]);
  expect(data.errors.flatMap(({ field, message }) => (field === 'fleet_id' ? [message] : []))).toEqual([
    'Fleet: nothing is called “South Fleet 1”.',
    'Fleet cannot be empty.',
    'Fleet: nothing is called “South Fleet 1”.',
  ]);
  const fileById = `id,note\n${world.south.machines[0]},taken\n`;
  expect((await importFile(app, world.north.users.country_manager, 'machines', fileById)).data.errors).toEqual([
    { row: 2, column: 'id', field: 'id', message: 'Id: no such entry.' },
  ]);
  const fileWithForeignFleet = `serial_number,fleet_id,type_id\nNEW-10,${world.south.fleets[0]},${world.type}\n`;
  expect(
    (await importFile(app, world.north.users.country_manager, 'machines', fileWithForeignFleet)).data.errors,
  ).toMatchObject([{ field: 'fleet_id', message: 'Fleet: no such entry.' }]);
  expect(await countRows('machines')).toBe(countBefore);
});

test('an import cannot grant the Admin role, neither to the caller nor to a new user', async () => {
  const partner = world.north.users.partner;
  const file = `email,first_name,last_name,language,roles,company\npartner@north.example.com,P,Q,English,Admin,North Cleaning\nnew@north.example.com,N,N,English,Admin,North Cleaning\n`;
  const { data } = await importFile(app, partner, 'users', file, { commits: true });
  expect([data.state, data.counts.create + data.counts.update]).toEqual(['failed', 0]);
  expect(data.errors.map(({ field }) => field)).toEqual(expect.arrayContaining(['role_ids']));
  expect(await app.db.one(sql`select 1 from users where email = 'new@north.example.com'`)).toBeUndefined();
});

test('a column cannot be mapped to a computed, hidden or unknown field', async () => {
  const send = (target: string) =>
    importFile(app, world.north.users.partner, 'machines', 'a\n1\n', {
      fields: { mapping: JSON.stringify({ a: target }) },
    });
  for (const target of ['status', 'version', 'nonsense', '__proto__'])
    expect([target, (await send(target)).status]).toEqual([target, 422]);
  const unfinishedImport = await importFile(
    app,
    world.north.users.partner,
    'machines',
    'serial_number,status,Nonsense\nNorth-111,Online,1\n',
  );
  expect(unfinishedImport.data.columns.map(({ left_out }) => left_out)).toEqual([undefined, 'read_only', 'unknown']);
});

test('permissions that are revoked before the commit do not count', async () => {
  const user = world.north.users.country_manager;
  const { data } = await importFile(app, user, 'machines', 'serial_number,note\nNorth-111,later\n');
  await app.db.rows(sql`delete from users_countries where users_id = ${user}`);
  const commitResponse = await callImport(app, user, 'POST', `${data.id}/commit`);
  expect([commitResponse.data.state, commitResponse.data.counts.error]).toEqual(['failed', 1]);
  expect(await app.db.one(sql`select note from machines where id = ${world.north.machines[0]}`)).toEqual({
    note: null,
  });
});

test('values that cannot be an id or key match no row, and the other rows are validated', async () => {
  const importById = await importFile(app, world.admin, 'machines', 'id,note\n5036300431,x\n1.5,x\n-3,x\nabc,x\n');
  expect([importById.data.state, importById.data.counts.error]).toEqual(['checked', 4]);
  const importByKey = await importFile(
    app,
    world.admin,
    'service_entries',
    'machine_id,date,kind,note\n99999999999,2024-02-30,maintenance,x\nx,31.13.2024,nonsense,x\n',
  );
  expect([importByKey.data.state, importByKey.data.counts.error]).toEqual(['checked', 2]);
});

test('an API token imports within its own permissions only', async () => {
  const partner = world.north.users.partner;
  const createToken = async (permissions: string[]) =>
    (
      await app.call<{ data: { token: string } }>(partner, 'POST', 'account/tokens', {
        name: 'Import',
        days: 1,
        permissions,
      })
    ).body.data.token;
  const narrowToken = await createToken(['machines.import', 'machines.list', 'machines.show']);
  const { data } = await importFile(app, narrowToken, 'machines', 'serial_number,note,price\nNorth-122,by token,1\n', {
    commits: true,
  });
  expect([data.state, data.counts]).toEqual(['failed', { create: 0, update: 0, unchanged: 0, error: 1 }]);
  const partnerImport = await importFile(app, partner, 'machines', 'serial_number,note\nNorth-122,by token\n');
  expect((await callImport(app, narrowToken, 'POST', `${partnerImport.data.id}/commit`)).data.state).toBe('failed');
  expect(await app.db.one(sql`select note, price from machines where serial_number = 'North-122'`)).toMatchObject({
    note: null,
  });
  const wideToken = await createToken(['machines.import', 'machines.edit', 'machines.note']);
  expect(
    (await importFile(app, wideToken, 'machines', 'serial_number,note\nNorth-122,by token\n', { commits: true })).data
      .state,
  ).toBe('done');
});

test('a user who continues another user’s import acts within the permissions of both, and is named in the audit', async () => {
  const partner = world.north.users.partner;
  const { data } = await importFile(
    app,
    partner,
    'machines',
    'serial_number,note\nNorth-211,gone on with\nSouth-111,out of sight\n',
    {
      fields: { rows: 'good' },
    },
  );
  const commitResponse = await callImport(app, world.admin, 'POST', `${data.id}/commit`);
  expect([commitResponse.data.state, commitResponse.data.counts]).toEqual([
    'done',
    { create: 0, update: 1, unchanged: 0, error: 1 },
  ]);
  expect(
    await app.db.one(sql`select user_id, as_user_id from audit where entity = 'machines' order by id desc limit 1`),
  ).toEqual({
    user_id: world.admin,
    as_user_id: partner,
  });
});

test('users who may import see their own imports only', async () => {
  const role = await add(app.db, 'roles', { name: 'Importer', scope: 'all' });
  await app.db.rows(sql`insert into roles_permissions (roles_id, permissions_id)
    select ${role}::int, id from permissions where code_name in ('types.import', 'types.create', 'types.list')`);
  const user = await add(app.db, 'users', {
    email: 'importer@example.com',
    language_id: world.language,
    role_ids: [role],
  });
  const { data } = await importFile(app, user, 'types', 'name\nFollowed\n', { commits: true });
  expect([data.state, (await app.call(user, 'GET', `imports/${data.id}/rows`)).status]).toEqual(['done', 200]);
  const otherImport = await importFile(app, world.admin, 'types', 'name\nOther\n');
  expect((await app.call(user, 'GET', `imports/${otherImport.data.id}`)).status).toBe(404);
  expect((await app.call(user, 'GET', `imports/${otherImport.data.id}/rows`)).status).toBe(404);
  expect((await app.call(world.users.operator, 'GET', `imports/${data.id}`)).status).toBe(403);
});
