/**
 * Book values are computed in floating point where that is exact. Results and order equal those of decimal arithmetic.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseListQuery } from '../../schema/dsl/listQuery';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { pageOfIdsSql } from '../../server/crud/query/selectStatements';
import { pg } from '../../server/db/core/rowShape';
import { printStatement } from '../../server/db/core/statement';
import {
  bookCentsTable,
  bookValueOfManySql,
  bookValueSql,
  readValuationDays,
} from '../../server/features/machines/bookValue';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app?.close());

/** Reference: decimal arithmetic throughout. */
const exactValueSql = sql`case when m.price is null then null
  when m.depreciation_rate is null or m.purchase_date is null or on_day <= m.purchase_date then m.price
  else (select round(greatest(0, m.price - m.price * m.depreciation_rate::numeric / 100 * (years
    + (on_day - (m.purchase_date + years * interval '1 year')::date)::numeric
    / ((m.purchase_date + (years + 1) * interval '1 year')::date - (m.purchase_date + years * interval '1 year')::date))), 2)
    from (select extract(year from age(on_day, m.purchase_date))::int as years) past) end`;

test('book values equal decimal arithmetic to the cent, for any price, rate and day', async () => {
  const mismatches = await app.db.select(
    { price: pg.numeric.nullable, rate: pg.double.nullable, bought: pg.date.nullable, day: pg.date },
    sql`with m as materialized (
        select (case n % 11 when 0 then null when 1 then 0 when 2 then 0.01 when 3 then 9999999 else round((random() * 90000)::numeric, 2) end)::numeric(12, 2) as price,
          case n % 13 when 0 then null when 1 then 100 when 2 then 0 when 3 then 33.333333 when 4 then 10 else round(random() * 50) / 2 end::float8 as depreciation_rate,
          case when n % 17 > 0 then '2016-02-29'::date + floor(random() * 4000)::int * (n % 5 + 1) / 5 end as purchase_date,
          '2019-02-28'::date + floor(random() * 3000)::int as on_day
        from generate_series(1, 20000) n
        union all select 100.01 * n, 50, '2020-01-01', '2021-01-01' from generate_series(1, 500) n)
      select price, depreciation_rate as rate, purchase_date as bought, on_day as day from m
      where ${bookValueSql(sql.raw('m'), sql`m.on_day`)} is distinct from ${exactValueSql}`,
  );
  expect(mismatches).toEqual([]);
});

test.each([
  '2026-11-23',
  '2024-02-29',
  '2025-02-28',
])('book values of many machines equal decimal arithmetic on %s', async (day) => {
  const daySql = sql`${day}::date`;
  const mismatches = await app.db.select(
    { price: pg.numeric.nullable, rate: pg.double.nullable, bought: pg.date.nullable },
    sql`with m as materialized (
        select (case n % 11 when 0 then null when 1 then 0 when 2 then 9999999999.99 else round((random() * 90000)::numeric, 2) end)::numeric(12, 2) as price,
          case n % 13 when 0 then null when 1 then 100 when 2 then 0 when 3 then 33.333333 else round(random() * 50) / 2 end::float8 as depreciation_rate,
          case when n % 17 > 0 then ${daySql} + 20 - n % 4500 end as purchase_date
        from generate_series(1, 9000) n
        union all select 100.01 * n, 50, (${daySql} - interval '1 year')::date from generate_series(1, 500) n)
      select price, depreciation_rate as rate, purchase_date as bought from m
      where ${bookValueOfManySql(sql.raw('m'), daySql)} is distinct from ${bookValueSql(sql.raw('m'), daySql)}`,
  );
  expect(mismatches).toEqual([]);
});

test('sums over all machines use the value of each, on several days', async () => {
  await app.db.rows(sql`update machines set price = case id % 7 when 0 then null else round((random() * 90000)::numeric, 2) end,
    depreciation_rate = case id % 5 when 0 then null when 1 then 50 else round(random() * 50) / 2 end,
    purchase_date = case id % 11 when 0 then null else '2026-11-03'::date - (id * 397 % 5000)::int end`);
  const days = ['2026-11-30', '2026-11-01', '2026-12-01'].map((day) => sql`${day}::date`);
  const { from, cents } = bookCentsTable(await readValuationDays(app.db, days), {
    columns: sql`m.id`,
    where: sql`m.id > 0`,
  });
  const isDifferent = days.map(
    (day, index) => sql`${cents[index]}::bigint * 0.01 is distinct from ${bookValueSql(sql.raw('m'), day)}`,
  );
  const row = await app.db.selectOne(
    { machines: pg.integer, different: pg.integer },
    sql`select count(*)::int as machines, (count(*) filter (where ${sql.join(isDifferent, sql` or `)}))::int as different
      from ${from} join machines m on m.id = valuation.id`,
  );
  expect(row?.machines).toBeGreaterThan(10);
  expect(row?.different).toBe(0);
});

test('lists sort by book value numerically', async () => {
  await app.db.rows(
    sql`update machines set price = 500 + id, purchase_date = '2020-02-29'::date + id * 40, depreciation_rate = 5 + id % 3`,
  );
  await app.db.rows(sql`update machines set price = null where id = ${world.north.machines[0]}`);
  for (const sort of ['book_value', '-book_value']) {
    const { body } = await app.call<{ data: { id: number; book_value: string | null }[] }>(
      world.admin,
      'GET',
      `machines?per_page=100&sort=${sort}`,
    );
    const values = body.data.flatMap(({ book_value }) => (book_value === null ? [] : [Number(book_value)]));
    expect(values.length).toBe(body.data.length - 1);
    expect(body.data.at(-1)?.book_value).toBeNull();
    expect(values).toEqual([...values].sort((a, b) => (sort === 'book_value' ? a - b : b - a)));
  }
});

test('a page sorted by book value does not read the states of machines', async () => {
  const caller = (await loadCallerOfUser(app.db, world.admin)) as Caller;
  const request = { entity: app.services.model.require('machines'), caller, query: parseListQuery('sort=-book_value') };
  expect(printStatement(pageOfIdsSql(request)).text).not.toContain('machines_state');
});
