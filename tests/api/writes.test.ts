/** Contract, "Dialect": idempotent, conditional and validate-only writes. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDeferred } from '../support/deferred';
import { add } from '../support/rows';
import { databaseKind, startTestWorld, type TestApp, type TestResponse } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface Body {
  message: string;
  errors?: Record<string, string[]>;
  data: { id: number; name: string; version: number };
  current: { id: number; version: number; note: string };
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const call = (
  method: 'POST' | 'PUT' | 'DELETE' | 'GET',
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<TestResponse<Body>> => app.call<Body>(world.admin, method, path, body, headers);
const countTypesNamed = async (name: string) =>
  (await app.call<{ total: number }>(world.admin, 'GET', `types?filter[name]=${name}`)).body.total;

describe('Precognition', () => {
  const precognition = { precognition: 'true' };

  test('validates a new row without creating it', async () => {
    const { status, headers, text } = await call('POST', 'types', { name: 'Foreseen' }, precognition);
    expect([status, text, headers.precognition, headers['precognition-success']]).toEqual([204, '', 'true', 'true']);
    expect(await countTypesNamed('Foreseen')).toBe(0);
  });

  test('returns the problems, marked as precognition', async () => {
    const { status, headers, body } = await call('POST', 'types', { name: '' }, precognition);
    expect([status, headers.precognition, Object.keys(body.errors ?? {})]).toEqual([422, 'true', ['name']]);
    expect(headers['precognition-success']).toBeUndefined();
  });

  test('validates only the named fields', async () => {
    const headers = { ...precognition, 'precognition-validate-only': 'serial_number' };
    expect((await call('POST', 'machines', { serial_number: 'Foreseen' }, headers)).status).toBe(204);
    const duplicate = await call('POST', 'machines', { serial_number: 'North-111' }, headers);
    expect([duplicate.status, Object.keys(duplicate.body.errors ?? {})]).toEqual([422, ['serial_number']]);
  });

  test('validates a change without applying it', async () => {
    const path = `types/${world.type}`;
    expect((await call('PUT', path, { name: 'Foreseen' }, precognition)).status).toBe(204);
    expect((await call('GET', path)).body.data).toMatchObject({ name: 'Scrubber S1', version: 1 });
  });
});

describe('If-Match', () => {
  test('with an older version gets 412 with the current row, and changes nothing', async () => {
    const path = `machines/${world.north.machines[0]}`;
    const { etag = '' } = (await call('GET', path)).headers;
    expect((await call('PUT', path, { note: 'first' }, { 'if-match': etag })).status).toBe(200);
    for (const method of ['PUT', 'DELETE'] as const) {
      const { status, body } = await call(method, path, method === 'PUT' ? { note: 'second' } : undefined, {
        'if-match': etag,
      });
      expect([method, status, body.current.note]).toEqual([method, 412, 'first']);
    }
    expect((await call('GET', path)).body.data).toMatchObject({ note: 'first' });
  });

  test('may list several tags, one of which must be the current one', async () => {
    const path = `machines/${world.north.machines[0]}`;
    const { etag = '' } = (await call('GET', path)).headers;
    const put = (tags: string) => call('PUT', path, { note: tags }, { 'if-match': tags });
    expect((await put(`"none", ${etag}`)).status).toBe(200);
    expect((await put(`${etag},"none"`)).status).toBe(412);
  });
});

describe('Idempotency-Key', () => {
  test('concurrent repetitions create one row and get the same response', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', 'types', { name: 'Once' }, { 'idempotency-key': 'once' })),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([responses[0]?.status, await countTypesNamed('Once')]).toEqual([201, 1]);
  });

  test('the same key with another body is a conflict', async () => {
    expect((await call('POST', 'types', { name: 'Other' }, { 'idempotency-key': 'once' })).status).toBe(409);
    expect(await countTypesNamed('Other')).toBe(0);
  });
});

test('of two concurrent equal creations, one gets 201 and the other 422 at the field', async () => {
  const responses = await Promise.all([1, 2].map(() => call('POST', 'types', { name: 'Twin' })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect(responses.find(({ status }) => status === 422)?.body.errors).toHaveProperty('name');
});

describe('a row is not created below a row that is deleted concurrently', () => {
  const locationValues = { name: 'Late', city: 'Hamburg', postal_code: '20095', address: 'Platz 1' };
  const userValues = () => ({
    first_name: 'Ada',
    last_name: 'Late',
    email: `late${Math.random()}@example.com`,
    language_id: world.language,
    role_ids: [world.roles.operator],
  });
  test.each([
    ['fleets', 'clients', 'client_id', () => ({ name: 'Late', color: '#0b7a75' })],
    ['locations', 'fleets', 'fleet_id', () => locationValues],
    ['machines', 'fleets', 'fleet_id', () => ({ serial_number: `late-${Math.random()}`, custom_type: 'Special' })],
    [
      'machines',
      'types',
      'type_id',
      () => ({ serial_number: `late-${Math.random()}`, fleet_id: world.north.fleets[0] }),
    ],
    ['users', 'clients', 'client_id', userValues],
    ['users', 'roles', 'role_ids', userValues],
  ] as const)('%s in %s by %s', async (entity, parent, field, values) => {
    const requiredValues = {
      clients: { country_id: world.north.country },
      fleets: { client_id: world.north.client },
      types: {},
      roles: {},
    }[parent];
    const id = await add(app.db, parent, requiredValues);
    const locked = createDeferred();
    const requested = createDeferred();
    const deletion = app.db.transaction(async (tx) => {
      await tx.rows(sql`select from ${sql.identifier(parent)} where id = ${id} for update`);
      locked.resolve();
      await requested.promise;
      if (databaseKind === 'postgres')
        await expect
          .poll(() =>
            tx.rows(sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`),
          )
          .not.toEqual([]);
      await tx.rows(sql`update ${sql.identifier(parent)} set deleted_at = now() where id = ${id}`);
    });
    await locked.promise;
    const response = call('POST', entity, { ...values(), [field]: field === 'role_ids' ? [id] : id });
    requested.resolve();
    await deletion;
    const { status, body } = await response;
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });
});
