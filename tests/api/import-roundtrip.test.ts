/** Importing an unchanged export changes nothing, for every entity and format. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isCreatable } from '../../schema/dsl/entity';
import { entities } from '../../schema/index';
import { pg } from '../../server/db/core/rowShape';
import { importFile } from '../support/importFile';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  // Texts that resemble formulas, lists with separators inside, line breaks, leading zeros.
  await app.db.rows(
    sql`update machines set note = E'=cmd|one\r\n"two", ''three'' ', reference_number = '-007', inventory_number = '''=1' where id = ${world.north.machines[0]}`,
  );
  for (const [index, note] of [' =1', '\n\n@x', '\u3000＝1', "' =1", '\u200b-1', "''\t+1", '\u00a0', "'"].entries())
    await app.db.rows(sql`update machines set note = ${note} where id = ${world.south.machines[index]}`);
  await app.db.rows(
    sql`update clients set tags = array['a, b', 'c'], contact_phone = '+49 40 1', sms_activation = true where id = ${world.north.client}`,
  );
  await app.db.rows(
    sql`update locations set latitude = 53.55108, planned_area_m2 = 1234.5 where id = ${world.north.locations[0]}`,
  );
  // A second entrance: it has the same name in the same fleet and differs only in other fields.
  await app.db.rows(sql`
    insert into locations (name, fleet_id, address, city, postal_code, latitude, longitude, time_zone)
    select name, fleet_id, 'At the back 2', city, postal_code, latitude, longitude, time_zone from locations where id = ${world.north.locations[0]}`);
});
afterAll(() => app.close());

const variants = [
  { format: 'csv', raw: '1' },
  { format: 'csv', raw: '0', delimiter: ';' },
  { format: 'xlsx', raw: '0' },
] as const;

describe.each(entities.filter(isCreatable).map(({ name, fields }) => ({ name, fields })))('an export of $name', ({
  name,
  fields,
}) => {
  test.each(variants)('as $format, raw $raw, changes nothing when imported', async ({ raw, ...kind }) => {
    const columns = Object.keys(fields).filter(
      (field) => !['many', 'password'].includes(fields[field]?.kind ?? '') && (raw === '1' || field !== 'id'),
    );
    const file = await app.call(
      world.admin,
      'GET',
      `${name}/export?${new URLSearchParams(kind)}&raw=${raw}&columns=${columns.join(',')}`,
    );
    expect(file.status).toBe(200);
    const { data } = await importFile(app, world.admin, name, file.bytes, { name: `${name}.${kind.format}` });
    const total = (
      await app.db.selectOne(
        { n: pg.integer },
        sql`select count(*)::int as n from ${sql.identifier(name)} where deleted_at is null`,
      )
    )?.n;
    // For entities without initial rows there is nothing to import.
    if (total === 0) return expect(data.problem).toBe('The file holds no rows.');
    return expect({ errors: data.errors.slice(0, 3), problem: data.problem, ...data.counts }).toEqual({
      errors: [],
      problem: null,
      create: 0,
      update: 0,
      unchanged: total,
      error: 0,
    });
  });
});

test('a German export can be imported by a user whose language is Polish', async () => {
  const setLanguage = async (code: string) =>
    app.db.rows(
      sql`update users set language_id = (select id from languages where two_letter_code = ${code}) where id = ${world.admin}`,
    );
  await setLanguage('de');
  const file = await app.call(
    world.admin,
    'GET',
    'machines/export?format=csv&columns=serial_number,stock_state,type_id,fleet_id,price,purchase_date,is_dummy',
  );
  await setLanguage('pl');
  const { data } = await importFile(app, world.admin, 'machines', file.bytes);
  await setLanguage('en');
  expect(data.columns.map(({ target }) => target)).toEqual([
    'serial_number',
    'stock_state',
    'type',
    'fleet',
    'price',
    'purchase_date',
    'is_dummy',
  ]);
  expect(data.counts).toEqual({ create: 0, update: 0, unchanged: 16, error: 0 });
});

test('a name that two locations share means the machine’s current one, and is ambiguous for a new machine', async () => {
  const file = await app.call(
    world.admin,
    'GET',
    `machines/export?columns=serial_number,type_id,fleet_id,location_id&filter[location_id]=${world.north.locations[0]}`,
  );
  const [headerLine, firstLine] = file.text.split('\r\n') as [string, string];
  const addedLine = firstLine.replace(/^[^,]*/, 'ONE-MORE');
  const { data } = await importFile(
    app,
    world.admin,
    'machines',
    Buffer.from([headerLine, firstLine, addedLine].join('\r\n')),
  );
  expect(data.counts).toEqual({ create: 0, update: 0, unchanged: 1, error: 1 });
  expect(data.errors.map(({ row, field }) => [row, field])).toEqual([[3, 'location_id']]);
});

test('an export for reimport identifies its rows by id', async () => {
  const { text } = await app.call(world.admin, 'GET', 'service_entries/export?raw=1');
  expect(text.replace('\uFEFF', '')).toMatch(/^id,/);
});
