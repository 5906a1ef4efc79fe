/**
 * Hostile input to the calls of every entity: each response has a status of the contract, never 500, and nothing
 * changes.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReadOnly } from '../../schema/dsl/entity';
import { entities } from '../../schema/index';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let rowsBefore: string;

/** All rows of all entities, as one text. */
async function readAllRows(): Promise<string> {
  const checksums = await Promise.all(
    entities.map(({ name }) =>
      app.db.rows(
        sql`select md5(coalesce(string_agg(t::text, ',' order by id), '')) as sum from ${sql.identifier(name)} t`,
      ),
    ),
  );
  return JSON.stringify(checksums);
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await add(app.db, 'saved_views', { user_id: world.admin });
  await app.createSessionToken(world.admin);
  rowsBefore = await readAllRows();
});
afterAll(() => app.close());

const hostileValues = [
  "'; drop table machines; --",
  "' or '1'='1",
  '$1',
  '$'.concat('{process.exit()}'),
  '\\',
  "\\\\'",
  '%00',
  '\u0000',
  '\ud800',
  '\u202e',
  '💥'.repeat(50),
  'a'.repeat(3000),
  '[object Object]',
  'null,null',
  '>=',
  '>=x,<y',
  '<>',
  '-1',
  '1e400',
  'NaN',
  '9'.repeat(40),
  '2026-02-30',
  '0000-00-00',
  '>=99999-01-01',
  'true,false,null',
  ',,,',
  '(select 1)',
  '{1,2}',
];

const isExhaustive = process.env.SWEEPLINE_TEST_WHOLE === 'yes';
const rounds = new Map<string, number>();
/**
 * All values for the first field of a kind; for each later one a different quarter, since rejection depends on the kind.
 * All values for every field with `SWEEPLINE_TEST_WHOLE=yes`.
 */
function selectFor<T>(kind: string, values: readonly T[]): readonly T[] {
  const round = rounds.get(kind) ?? 0;
  rounds.set(kind, round + 1);
  return round === 0 || isExhaustive ? values : values.filter((_, index) => index % 4 === round % 4);
}
const valuesFor = (kind: string) => selectFor(kind, hostileValues);

const malformedIds = [
  '0',
  '-1',
  '1.5',
  'x',
  '1e3',
  '99999999999999999999',
  '%00',
  "1'--",
  'constructor',
  '__proto__',
  '1%2F..%2F2',
  '%ff',
];
const malformedBodies = [
  '',
  '{',
  '[]',
  'null',
  '1',
  '"x"',
  '{"a":',
  '{"id":',
  '\u0000',
  `${'['.repeat(40)}${']'.repeat(40)}`,
  '{"__proto__":{"is_staff":true}}',
  '{"constructor":{"prototype":{}}}',
];
const wrongValues = [
  {},
  [{}],
  [[]],
  { length: 1 },
  'a\u0000b',
  '\ud800',
  1e308,
  -1e308,
  'x'.repeat(20_000),
  [1, 1],
  [-1],
  true,
];

describe.each(entities.map((entity) => [entity.name, entity] as const))('%s', (name, entity) => {
  const { fields } = entity;
  const filters = [...Object.keys(fields), 'search', 'trashed'].map(
    (field) => [field, valuesFor(fields[field]?.kind ?? field)] as const,
  );
  const hostileNames = valuesFor('names');
  test('filters of any value get status 200 or 400', async () => {
    for (const [field, invalidValues] of filters) {
      for (const value of invalidValues) {
        const { status } = await app.call(
          world.admin,
          'GET',
          `${name}?${new URLSearchParams({ [`filter[${field}]`]: value, per_page: '1' })}`,
        );
        expect([200, 400], `filter[${field}]=${value.slice(0, 20)} gave ${status}`).toContain(status);
      }
    }
  });

  test('names of filters, sorts, includes and fields of any text get status 200 or 400', async () => {
    for (const value of hostileNames) {
      for (const query of [
        { [`filter[${value}]`]: '1' },
        { sort: value },
        { sort: `-${value}` },
        { include: value },
        { [`fields[${name}]`]: value },
        { [`fields[${value}]`]: 'id' },
        { page: value },
        { per_page: value },
      ]) {
        const { status } = await app.call(
          world.admin,
          'GET',
          `${name}?${new URLSearchParams(query as Record<string, string>)}`,
        );
        expect([200, 400], `${JSON.stringify(query).slice(0, 40)} gave ${status}`).toContain(status);
      }
    }
  });

  test('malformed ids match nothing', async () => {
    for (const id of selectFor('ids', malformedIds)) {
      for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
        const { status } = await app.call(world.admin, method, `${name}/${id}`, method === 'PATCH' ? {} : undefined);
        expect([400, 404, 422], `${method} ${id} gave ${status}`).toContain(status);
      }
    }
  });

  test('rejects bodies that are not rows', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const body of selectFor(isReadOnly(entity) ? 'bodies of read-only entities' : 'bodies', malformedBodies)) {
      for (const [method, path] of [
        ['POST', name],
        ['PATCH', `${name}/999999`],
        ['PUT', name],
        ['DELETE', name],
      ] as const) {
        const { status } = await app.call(world.admin, method, path, body, headers);
        expect([400, 404, 413, 415, 422], `${method} ${body.slice(0, 20)} gave ${status}`).toContain(status);
      }
    }
  });

  /** Objects that a field accepts, by field. */
  const acceptedObjects: Readonly<Record<string, readonly string[]>> = {
    consumables: ['{}', '{"length":1}'],
    mapping: ['{}'],
  };

  // The problem of a run's `mode` may be at `mode_raw`, the field for the original word.
  test('rejects values of a wrong type at their field', async () => {
    const [row] = await app.db.select({ id: pg.integer }, sql`select id from ${sql.identifier(name)} limit 1`);
    for (const [field, { write, kind }] of Object.entries(fields)) {
      if (write === false || kind === 'many') continue;
      for (const value of selectFor(`wrong ${kind}`, wrongValues)) {
        if (kind === 'boolean' && value === true) continue;
        if (acceptedObjects[field]?.includes(JSON.stringify(value))) continue;
        const { status, body } = await app.call<{ errors?: object }>(world.admin, 'PATCH', `${name}/${row?.id}`, {
          [field]: value,
        });
        expect(status, `${field}=${JSON.stringify(value).slice(0, 20)}`).toBe(422);
        expect(
          Object.keys(body.errors ?? {}).some(
            (path) => path === field || path === `${field}_raw` || path.startsWith(`${field}.`),
          ),
          field,
        ).toBe(true);
      }
    }
  });

  test('rejects bulk work without a target', async () => {
    const expectedStatuses = isReadOnly(entity) ? [404] : [400, 422];
    for (const target of [
      {},
      { ids: 'all' },
      { ids: [0] },
      { ids: ['1'] },
      { ids: {} },
      { filter: [] },
      { filter: 'x' },
      { filter: { nonsense: 1 } },
      { filter: { trashed: 'with' } },
    ]) {
      expect(expectedStatuses, JSON.stringify(target)).toContain(
        (await app.call(world.admin, 'DELETE', name, target)).status,
      );
      expect(expectedStatuses, JSON.stringify(target)).toContain(
        (await app.call(world.admin, 'PUT', name, { ...target, data: { nonsense: 1 } })).status,
      );
    }
  });

  test('has changed nothing', async () => {
    expect(await readAllRows()).toBe(rowsBefore);
  });
});

test('responds to unknown paths with 400 or 404 as JSON, whatever the method', async () => {
  for (const path of [
    '/api/v1/nonsense',
    '/api/v1/machines/1/nonsense',
    '/api/v2/machines',
    '/api/v1/machines/%c0%ae',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { status, headers } = await app.call(world.admin, method, path);
      expect([400, 404], `${method} ${path}`).toContain(status);
      expect(headers['content-type'], `${method} ${path}`).toContain('json');
    }
  }
});

test('an error reveals neither stack nor SQL', async () => {
  for (const path of ['machines?sort=nonsense', 'machines/x', 'machines?filter[id]=%27', 'nonsense']) {
    const { text } = await app.call(world.admin, 'GET', path);
    expect(text).not.toMatch(/at .*\.(ts|js):\d+|select |syntax error|postgres/i);
  }
});
