/** `GET /{r}/facets`: counts of a list by value, within scope. Each facet ignores its own filter. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { add, nextNumber } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

interface Facet {
  value: string | number | boolean | null;
  label: string | null;
  count: number;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

async function readFacets(caller: number, path: string): Promise<Record<string, Facet[]>> {
  const { status, body } = await app.call<{ data: Record<string, Facet[]> }>(caller, 'GET', path);
  expect(status).toBe(200);
  return body.data;
}
/** Counts by label. */
const countsOf = (facet: Facet[] | undefined) =>
  Object.fromEntries((facet ?? []).map(({ label, count }) => [String(label), count]));
const readTotal = async (caller: number, path: string) =>
  (await app.call<{ total: number }>(caller, 'GET', path)).body.total;

describe('facets of machines', () => {
  test('count by state, fleet, type and stock state, closed sets in declared order', async () => {
    const result = await readFacets(world.admin, 'machines/facets');
    expect(Object.keys(result)).toEqual(['status', 'fleet_id', 'type_id', 'stock_state']);
    expect(result.status).toEqual([
      { value: 'Offline', label: 'Offline', count: 16 },
      ...['Online', 'Parked', 'Charging', 'Cleaning'].map((state) => ({ value: state, label: state, count: 0 })),
    ]);
    expect(countsOf(result.fleet_id)).toEqual({
      'North Fleet 1': 4,
      'North Fleet 2': 4,
      'South Fleet 1': 4,
      'South Fleet 2': 4,
    });
    expect(countsOf(result.type_id)).toEqual({ 'Scrubber S1': 16 });
    expect(result.stock_state?.map(({ value, count }) => [value, count])).toEqual([
      ['in_stock', 0],
      ['deployed', 16],
      ['in_repair', 0],
      ['retired', 0],
    ]);
  });

  test('ignore their own filter and apply the others; every count equals the total of the list', async () => {
    const [first] = world.north.fleets;
    await app.db.rows(
      sql`update machines set stock_state = 'in_repair' where id = ${world.north.machines[0] as number}`,
    );
    const result = await readFacets(
      world.admin,
      `machines/facets?filter[fleet_id]=${first}&filter[stock_state]=deployed`,
    );
    expect(countsOf(result.fleet_id)).toEqual({
      'North Fleet 1': 3,
      'North Fleet 2': 4,
      'South Fleet 1': 4,
      'South Fleet 2': 4,
    });
    expect(result.stock_state?.filter(({ count }) => count > 0).map(({ value, count }) => [value, count])).toEqual([
      ['deployed', 3],
      ['in_repair', 1],
    ]);
    for (const { value, count } of result.fleet_id ?? [])
      expect(await readTotal(world.admin, `machines?filter[fleet_id]=${value}&filter[stock_state]=deployed`)).toBe(
        count,
      );
  });

  test('count a new row at once, and apply search and bin like the list', async () => {
    const countBefore = countsOf((await readFacets(world.admin, 'machines/facets')).type_id)['Scrubber S1'] as number;
    const machine = await add(app.db, 'machines', {
      serial_number: `Facet-${nextNumber()}`,
      type_id: world.type,
      fleet_id: world.north.fleets[0],
    });
    expect(countsOf((await readFacets(world.admin, 'machines/facets')).type_id)['Scrubber S1']).toBe(countBefore + 1);
    expect(countsOf((await readFacets(world.admin, 'machines/facets?filter[search]=Facet-')).fleet_id)).toEqual({
      'North Fleet 1': 1,
    });
    await app.db.rows(sql`update machines set deleted_at = now() where id = ${machine}`);
    expect(countsOf((await readFacets(world.admin, 'machines/facets')).type_id)['Scrubber S1']).toBe(countBefore);
    expect(countsOf((await readFacets(world.admin, 'machines/facets?filter[trashed]=only')).fleet_id)).toEqual({
      'North Fleet 1': 1,
    });
  });

  test('neither count nor name rows out of scope', async () => {
    const { operator, customer_admin } = world.users;
    expect(countsOf((await readFacets(customer_admin, 'machines/facets')).fleet_id)).toEqual({
      'North Fleet 1': 4,
      'North Fleet 2': 4,
    });
    expect(countsOf((await readFacets(operator, 'machines/facets')).fleet_id)).toEqual({ 'North Fleet 1': 3 });
    const foreignFacets = await readFacets(customer_admin, `machines/facets?filter[fleet_id]=${world.south.fleets[0]}`);
    expect(countsOf(foreignFacets.type_id)).toEqual({});
    expect(JSON.stringify(foreignFacets)).not.toContain('South');
  });

  test('reject unknown filters like the list, and require the permission to list', async () => {
    expect((await app.call(world.admin, 'GET', 'machines/facets?filter[colour]=red')).status).toBe(400);
    expect((await app.call(world.users.operator, 'GET', 'invitations/facets')).status).toBe(403);
    expect((await app.call(undefined, 'GET', 'machines/facets')).status).toBe(401);
  });
});

describe('size ranges', () => {
  test('assign each number of machines to exactly one range, for fleets and for clients', async () => {
    const client = await add(app.db, 'clients', { country_id: world.north.country });
    const addFleetOfSize = async (size: number) => {
      const fleet = await add(app.db, 'fleets', { client_id: client, name: `Size ${size}` });
      await app.db.rows(
        sql`insert into machines (serial_number, fleet_id, type_id) select ${`Size-${size}-`} || n, ${fleet}, ${world.type} from generate_series(1, ${size}::int) n`,
      );
    };
    for (const size of [5, 6, 10, 11, 30, 31]) await addFleetOfSize(size);
    const readSizes = async (path: string) =>
      (await readFacets(world.admin, path)).size?.map(({ value, count }) => [value, count]);
    expect(await readSizes(`fleets/facets?filter[client_id]=${client}`)).toEqual([
      ['0-5', 1],
      ['6-10', 2],
      ['11-30', 2],
      ['31+', 1],
    ]);
    expect(await readTotal(world.admin, `fleets?filter[client_id]=${client}&filter[size]=11-30,31%2B`)).toBe(3);
    expect(await readSizes(`clients/facets?filter[id]=${client}`)).toEqual([
      ['0-50', 0],
      ['51-100', 1],
      ['101+', 0],
    ]);
    expect(await readTotal(world.admin, `clients?filter[size]=51-100`)).toBe(1);
    expect(await readTotal(world.admin, `clients?filter[size]=nonsense`)).toBe(0);
    await app.db.rows(sql`update fleets set deleted_at = now() where client_id = ${client}`);
  });

  test('of a client count only machines in the caller’s scope; an unknown filter is rejected with the allowed names', async () => {
    await app.db.rows(
      sql`insert into machines (serial_number, fleet_id, type_id)
        select 'Scope-' || n, ${world.north.fleets[1]}::int, ${world.type}::int from generate_series(1, 60) n`,
    );
    expect(await readTotal(world.users.customer_admin, 'clients?filter[size]=51-100')).toBe(1);
    expect(await readTotal(world.users.operator, 'clients?filter[size]=0-50')).toBe(1);
    await app.db.rows(sql`delete from machines where serial_number like 'Scope-%'`);
    const { body } = await app.call<{ message: string }>(world.admin, 'GET', 'clients?filter[sizes]=1');
    expect(body.message).toMatch(/Allowed filter\(s\) are .*\bsize\b/);
  });

  test('are unknown to callers who may not read what they count', async () => {
    const role = await add(app.db, 'roles', { name: 'Lists fleets', scope: 'all' });
    await app.db.rows(
      sql`insert into roles_permissions (roles_id, permissions_id) select ${role}, id from permissions
        where code_name = 'fleets.list'`,
    );
    const user = await add(app.db, 'users', { language_id: world.language, role_ids: [role] });
    expect(Object.keys(await readFacets(user, 'fleets/facets'))).not.toContain('size');
    const { status, body } = await app.call<{ message: string }>(user, 'GET', 'fleets?filter[size]=0-5');
    expect(status).toBe(400);
    expect(body.message).not.toMatch(/Allowed filter\(s\) are .*\bsize\b/);
  });
});

describe('facets of users and invitations', () => {
  test('group users into new, active and inactive, like the dashboard', async () => {
    const { north, language, roles, admin } = world;
    const userValues = { language_id: language, client_id: north.client, role_ids: [roles.operator] };
    const [recentUser, inactiveUser, newUser] = await Promise.all(
      [1, 2, 3].map(() => add(app.db, 'users', userValues)),
    );
    await app.db.rows(
      sql`update users set created_at = now() - interval '200 days'
        where id = any(${sql.param([recentUser, inactiveUser, newUser])}::int[])`,
    );
    await app.db.rows(sql`update users_state set last_login = now() - interval '3 days' where id = ${recentUser}`);
    await app.db.rows(sql`update users_state set last_login = now() - interval '91 days' where id = ${inactiveUser}`);
    const result = await readFacets(admin, `users/facets?filter[id]=${recentUser},${inactiveUser},${newUser}`);
    expect(countsOf(result.activity)).toEqual({ Active: 1, New: 0, Inactive: 2 });
    const { body } = await app.call<{ data: { inactive_users: number; new_users: number } }>(admin, 'GET', 'dashboard');
    const allCounts = countsOf((await readFacets(admin, 'users/facets')).activity);
    expect([body.data.new_users, body.data.inactive_users]).toEqual([allCounts.New, allCounts.Inactive]);
    expect(await readTotal(admin, 'users?filter[activity]=inactive')).toBe(allCounts.Inactive);
  });

  test('count a user under each role, and name only roles and clients in scope', async () => {
    const result = await readFacets(world.users.customer_admin, 'users/facets');
    expect(countsOf(result.role_ids)['Customer Admin']).toBe(1);
    expect(countsOf(result.client_id)).toEqual({
      'North Cleaning': await readTotal(world.users.customer_admin, 'users'),
    });
  });

  test('group invitations into pending, accepted and expired', async () => {
    const values = { role_id: world.roles.operator, client_id: world.north.client, language_id: world.language };
    await add(app.db, 'invitations', { ...values, accepted: true });
    await add(app.db, 'invitations', { ...values, expires_at: '2020-01-01T00:00:00.000Z' });
    const result = await readFacets(world.users.customer_admin, 'invitations/facets');
    expect(countsOf(result.progress)).toEqual({ Pending: 1, Accepted: 1, Expired: 1 });
    expect(await readTotal(world.users.customer_admin, 'invitations?filter[progress]=pending,expired')).toBe(2);
  });
});

describe('language', () => {
  const readStockLabels = async (headers: Record<string, string>) => {
    const { body } = await app.call<{ data: Record<string, Facet[]> }>(
      world.admin,
      'GET',
      'machines/facets',
      undefined,
      headers,
    );
    return body.data.stock_state?.map(({ label }) => label);
  };
  test('of labels is that of the page, else that of the user, else Accept-Language', async () => {
    const ownLabels = await readStockLabels({});
    expect(ownLabels).toEqual(['In stock', 'Deployed', 'In repair', 'Retired']);
    expect(await readStockLabels({ 'accept-language': 'de' })).toEqual(ownLabels);
    expect(await readStockLabels({ 'page-language': 'de' })).toEqual([
      'Auf Lager',
      'Im Einsatz',
      'In Reparatur',
      'Ausgemustert',
    ]);
    expect(await readStockLabels({ 'page-language': 'xx' })).toEqual(ownLabels);
  });
  test('of error messages follows the same order', async () => {
    const readMessage = async (headers: Record<string, string>) =>
      (await app.call<{ message: string }>(world.admin, 'POST', 'countries', {}, headers)).body.message;
    expect(await readMessage({ 'page-language': 'de' })).not.toBe(await readMessage({}));
    expect(await readMessage({ 'accept-language': 'de' })).toBe(await readMessage({}));
  });
});
