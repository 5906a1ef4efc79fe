/**
 * Adding an entity takes one declaration. Table, calls, OpenAPI, export, filters and access follow from it without
 * other changes.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entities } from '../../schema/index';
import { pg } from '../../server/db/core/rowShape';
import { brushes } from '../support/brushes';
import { buildDdl } from '../support/buildDdl';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

interface Brush {
  id: number;
  code: string;
  [field: string]: unknown;
}
interface List {
  data: Brush[];
  total: number;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ entities: [...entities, brushes] }));
  for (const statement of await buildDdl([brushes], entities)) await app.db.rows(sql.raw(statement));
  const create = (machine: number | undefined, values: object) =>
    app.call(world.admin, 'POST', 'brushes', { machine_id: machine, ...values });
  const responses = [
    await create(world.north.machines[0], {
      code: 'N-100',
      price: '12.50',
      diameter: 300,
      type_ids: [world.type],
      remarks: ['spare'],
    }),
    await create(world.north.machines[7], { code: 'N-200', material: 'steel', bought: '2026-02-01' }),
    await create(world.south.machines[0], { code: 'S-100', material: 'pad' }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
});
afterAll(() => app.close());

const readCodes = async (caller: number, query = '') => {
  const { status, body } = await app.call<List>(caller, 'GET', `brushes?${query}`);
  expect(status).toBe(200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ code }) => code);
};

describe('an added entity', () => {
  test('has a table with keys, checks and indexes', async () => {
    const { rows } = app.db;
    const indexes = await app.db.select(
      { name: pg.text },
      sql`select indexname as name from pg_indexes where tablename = 'brushes'`,
    );
    expect(indexes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['brushes_pkey', 'brushes_code_key', 'brushes_machine_id_idx', 'brushes_code_trgm']),
    );
    await expect(
      rows(sql`insert into brushes (code, machine_id, material) values ('X-1', ${world.north.machines[0]}, 'gold')`),
    ).rejects.toThrow('brushes_material_check');
    await expect(
      rows(sql`insert into brushes (code, machine_id, diameter) values ('X-1', ${world.north.machines[0]}, 0)`),
    ).rejects.toThrow('brushes_diameter_check');
    await expect(rows(sql`insert into brushes (code, machine_id) values ('X-1', 999999)`)).rejects.toThrow(
      'brushes_machine_id_fkey',
    );
    await expect(
      rows(sql`insert into brushes (code, machine_id) values ('N-100', ${world.north.machines[0]})`),
    ).rejects.toThrow('brushes_code_key');
  });

  test('is validated by its declaration', async () => {
    const { status, body } = await app.call<{ errors: Record<string, string[]> }>(world.admin, 'POST', 'brushes', {
      code: 'x',
      material: 'gold',
      diameter: 0,
      colour: 'red',
    });
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(['code', 'colour', 'diameter', 'machine_id', 'material']);
  });

  test('is listed within the scope of each role', async () => {
    expect(await readCodes(world.admin)).toEqual(['N-100', 'N-200', 'S-100']);
    for (const role of ['country_manager', 'partner', 'customer_admin'] as const)
      expect(await readCodes(world.users[role])).toEqual(['N-100', 'N-200']);
    expect(await readCodes(world.users.site_manager)).toEqual(['N-100']);
    expect((await app.call(world.users.operator, 'GET', 'brushes')).status).toBe(403);
    expect(await readCodes(world.south.users.customer_admin)).toEqual(['S-100']);
  });

  test('is filtered, searched, sorted and included', async () => {
    expect(await readCodes(world.admin, 'filter[material]=pad,steel')).toEqual(['N-200', 'S-100']);
    expect(await readCodes(world.admin, 'filter[machine.fleet.name]=North Fleet 2')).toEqual(['N-200']);
    expect(await readCodes(world.admin, 'filter[search]=south-111')).toEqual(['S-100']);
    expect(await readCodes(world.admin, 'filter[bought]=null&sort=-code')).toEqual(['S-100', 'N-100']);
    const { body } = await app.call<List>(world.admin, 'GET', 'brushes?include=machine,types&filter[code]=N-100');
    expect(body.data[0]).toMatchObject({
      machine: { serial_number: 'North-111' },
      types: [{ id: world.type }],
      type_ids: [world.type],
      remarks: ['spare'],
      price: '12.50',
    });
  });

  test('hides fields that a role may not read', async () => {
    const { body } = await app.call<List>(world.users.country_manager, 'GET', 'brushes');
    expect(body.data).toHaveLength(2);
    expect(body.data.filter((row) => 'price' in row)).toEqual([]);
    expect((await app.call(world.users.country_manager, 'GET', 'brushes?sort=price')).status).toBe(400);
  });

  test('is changed, deleted and restored with permission', async () => {
    const { body } = await app.call<{ data: Brush }>(world.users.country_manager, 'POST', 'brushes', {
      code: 'N-300',
      machine_id: world.north.machines[1],
    });
    const { id } = body.data;
    expect((await app.call(world.users.country_manager, 'PATCH', `brushes/${id}`, { is_worn: true })).status).toBe(200);
    expect(
      (await app.call(world.users.country_manager, 'PATCH', `brushes/${id}`, { machine_id: world.south.machines[1] }))
        .status,
    ).toBe(422);
    expect((await app.call(world.users.country_manager, 'DELETE', `brushes/${id}`)).status).toBe(403);
    expect((await app.call(world.users.partner, 'PATCH', `brushes/${id}`, { is_worn: false })).status).toBe(403);
    expect(
      (await app.call(world.south.users.country_manager, 'PATCH', `brushes/${id}`, { is_worn: false })).status,
    ).toBe(404);
    expect((await app.call(world.admin, 'DELETE', `brushes/${id}`)).status).toBe(204);
    expect(await readCodes(world.admin, 'filter[trashed]=only')).toEqual(['N-300']);
    expect((await app.call(world.admin, 'POST', `brushes/${id}/restore`)).status).toBe(200);
    expect((await app.call(world.admin, 'DELETE', 'brushes', { ids: [id] })).body).toEqual({ count: 1 });
  });

  test('is exported within scope', async () => {
    const { status, text: file } = await app.call(
      world.users.country_manager,
      'GET',
      'brushes/export?format=csv&columns=code,line,material,machine_id&raw=1',
    );
    expect(status).toBe(200);
    expect(
      file
        .replace(/^\uFEFF/, '')
        .trim()
        .split(/\r?\n/)
        .slice(1),
    ).toEqual([`N-100,,nylon,${world.north.machines[0]}`, `N-200,,steel,${world.north.machines[7]}`]);
  });

  test('is described in OpenAPI', async () => {
    const { body } = await app.call<{ paths: Record<string, object> }>(undefined, 'GET', 'openapi.json');
    const paths = Object.keys(body.paths).filter((path) => path.includes('brushes'));
    expect(paths).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/brushes$/),
        expect.stringMatching(/brushes\/\{id\}$/),
        expect.stringMatching(/brushes\/export$/),
      ]),
    );
    expect(JSON.stringify(body.paths)).toContain('brushes');
  });
});
