/** Book value of machines: linear depreciation from the purchase date to zero, exact to the cent, for any day. */
import { type SQL, sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';

/**
 * SQL: book value at the start of a day in whole cents, as a float; `null` without a price. A year of depreciation is a
 * calendar year: whole years count first, then the fraction of the current one. Computes with floats, since decimals
 * take five times as long, and with decimals only if the result is close to half a cent. `offset '0'` makes PostgreSQL
 * compute each expression once, not once per use. Keep the quotes: `offset 0` would prevent a parallel plan.
 */
const bookCentsSql = (row: SQL, day: SQL): SQL => sql`(
  select case
    when ${row}.price is null then null
    when ${row}.depreciation_rate is null or ${row}.purchase_date is null or day <= ${row}.purchase_date then
    100 * ${row}.price::float8
    when cents - floor(cents) not between 0.49 and 0.51 then floor(cents + 0.5)
    else (100 * round(greatest(0, ${row}.price - ${row}.price * ${row}.depreciation_rate::numeric / 100
      * (years + (day - anniversary)::numeric / (next - anniversary))), 2))::float8 end
  from (
    select day, years, anniversary, next, greatest(0, 100 * ${row}.price::float8 * (1 - ${row}.depreciation_rate / 100
      * ${yearsOfUse})) as cents
    from ${ageSql(sql`select ${day} as day, ${row}.purchase_date as purchased`)} offset '0'
  ) estimate)`;

const yearsOfUse = sql`(years + (day - anniversary)::float8 / (next - anniversary))`;

/** SQL: rows of `input` with the whole years from `purchased` to `day`, and the anniversaries before and after. */
const ageSql = (input: SQL): SQL => sql`(
  select *, (purchased + years * interval '1 year')::date as anniversary,
  (purchased + (years + 1) * interval '1 year')::date as next
  from (
    select *, date_part('year', age(day::timestamp, purchased::timestamp))::int as years
    from (${input}) input offset '0'
  ) age offset '0'
) anniversaries`;

/**
 * SQL: like `bookCentsSql`, for many machines on one day, which must not depend on the row. For each purchase date of
 * the last ten years, PostgreSQL computes the years of use once per statement and looks them up by days since purchase.
 * All other machines (older, with a missing figure, or close to half a cent) are computed one by one.
 */
export const bookCentsOfManySql = (row: SQL, day: SQL): SQL => sql`(
  select ${centsSql(sql`cents`, row, day)}
  from (select ${estimateSql(row, sql`(${yearsByAgeSql(day)})`, sql`(select ${day})`)} as cents offset '0') estimate)`;

/** SQL: one array, the years of use on a day by days since purchase. */
const yearsByAgeSql = (day: SQL): SQL => sql`
  select array_agg(${yearsOfUse} order by days)
  from ${ageSql(sql`select days, ${day} as day, ${day} - days as purchased from generate_series(1, 3653) days`)}`;

const estimateSql = (row: SQL, yearsByAge: SQL, day: SQL): SQL =>
  sql`(100 * ${row}.price)::bigint
    * (1 - ${row}.depreciation_rate / 100 * ${yearsByAge}[${day} - ${row}.purchase_date])`;

const centsSql = (estimate: SQL, row: SQL, day: SQL): SQL => sql`case
    when ${estimate} <= 0 then 0
    when ${estimate} - floor(${estimate}) not between 0.499 and 0.501 then floor(${estimate} + 0.5)
    when ${row}.price is null then null
    when ${row}.depreciation_rate is null or ${row}.purchase_date is null or ${day} <= ${row}.purchase_date then
    (100 * ${row}.price)::float8
    else ${exactCentsSql(row, day)} end`;

/**
 * SQL: book value in whole cents with decimals, for the few rows whose estimate does not suffice. A single expression,
 * because a correlated subselect would prevent a parallel plan.
 */
const exactCentsSql = (row: SQL, day: SQL): SQL => {
  const purchase = sql`${row}.purchase_date`;
  const years = sql`date_part('year', age((${day})::timestamp, ${purchase}::timestamp))::int`;
  const anniversary = (count: SQL) => sql`(${purchase} + ${count} * interval '1 year')::date`;
  const [last, next] = [anniversary(years), anniversary(sql`(${years} + 1)`)];
  return sql`(100 * round(greatest(0, ${row}.price - ${row}.price * ${row}.depreciation_rate::numeric / 100
    * (${years} + (${day} - ${last})::numeric / (${next} - ${last}))), 2))::float8`;
};

/** A day on which machines are valued, with the years of use by days since purchase. */
export interface ValuationDay {
  day: SQL;
  yearsByAge: readonly number[];
}

/** Reads what `bookCentsTable` needs about each day. */
export async function readValuationDays(db: Queries, days: readonly SQL[]): Promise<ValuationDay[]> {
  const arrays = days.map((day) => sql`to_json((${yearsByAgeSql(day)}))`);
  const row = await db.selectOne(
    { years: pg.json<number[][]>() },
    sql`select json_build_array(${sql.join(arrays, sql`, `)}) as years`,
  );
  return days.map((day, index) => ({ day, yearsByAge: row?.years[index] ?? [] }));
}

/**
 * Like `bookCentsOfManySql`, for all machines `m` that match `where`, on several days at once: a subselect for each
 * value would take twice as long. `from` is the table `valuation` with the given columns; `cents` are expressions on
 * it. Contains no other subselect, because that would prevent a parallel plan.
 */
export function bookCentsTable(days: readonly ValuationDay[], { columns, where }: { columns: SQL; where: SQL }) {
  const centsName = (index: number) => sql.identifier(`cents${index}`);
  const estimates = days.map(({ day, yearsByAge }, index) => {
    const years = sql`(${sql.param([...yearsByAge])}::float8[])`;
    return sql`${estimateSql(sql.raw('m'), years, day)} as ${centsName(index)}`;
  });
  return {
    from: sql`(
      select m.price, m.depreciation_rate, m.purchase_date, ${columns}, ${sql.join(estimates, sql`, `)}
      from machines m where ${where} offset '0') valuation`,
    cents: days.map(({ day }, index) => centsSql(sql`${centsName(index)}`, sql.raw('valuation'), day)),
  };
}

/** SQL: book value at the start of a day, exact to the cent. */
export const bookValueSql = (row: SQL, day: SQL): SQL => centsToMoneySql(bookCentsSql(row, day));

/** SQL: like `bookValueSql`, for many machines on one day. */
export const bookValueOfManySql = (row: SQL, day: SQL): SQL => centsToMoneySql(bookCentsOfManySql(row, day));

const centsToMoneySql = (cents: SQL): SQL => sql`(${cents}::bigint * 0.01)`;

const bookValueShape = {
  on: pg.text,
  price: pg.numeric.nullable,
  depreciation_rate: pg.double.nullable,
  purchase_date: pg.date.nullable,
  book_value: pg.numeric.nullable,
};

/** `GET /machines/{id}/book_value?on=` */
export const bookValueRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  serve(app, 'GET /machines/{id}/book_value', async ({ params: { id }, query }) => {
    const day = query.on ?? services.now().toISOString().slice(0, 10);
    const data = await db.selectOne(
      bookValueShape,
      sql`
      select ${day}::text as on, price, depreciation_rate, purchase_date,
      ${bookValueSql(sql.raw('m'), sql`${day}::date`)} as book_value
      from machines m where m.id = ${id}`,
    );
    if (!data) throw ApiError.notFound();
    return { data };
  });
};
