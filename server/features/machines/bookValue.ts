/** Book value of machines: linear from the purchase date to zero, exact to the cent, for any day. */
import { type SQL, sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';

/**
 * SQL: book value at the start of a day, `null` without a price. The only computation of it. A year of depreciation is
 * a calendar year: whole years, then the fraction of the current one.
 */
export const bookValueSql = (row: SQL, on: SQL): SQL => sql`(
  select case
    when ${row}.price is null then null
    when ${row}.depreciation_rate is null or ${row}.purchase_date is null or asked.day <= ${row}.purchase_date then
    ${row}.price
    else round(greatest(0, ${row}.price - ${row}.price * ${row}.depreciation_rate::numeric / 100
      * (years + (asked.day - anniversary)::numeric / ((${row}.purchase_date + (years + 1) * interval '1 year')::date -
      anniversary))), 2) end
  from (select ${on} as day) asked
  cross join lateral (select extract(year from age(asked.day, ${row}.purchase_date))::int as years) past
  cross join lateral (select (${row}.purchase_date + years * interval '1 year')::date as anniversary) reached)`;

const valued = {
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
    const on = query.on ?? services.now().toISOString().slice(0, 10);
    const data = await db.selectOne(
      valued,
      sql`
      select ${on}::text as on, price, depreciation_rate, purchase_date,
      ${bookValueSql(sql.raw('m'), sql`${on}::date`)} as book_value
      from machines m where m.id = ${id}`,
    );
    if (!data) throw ApiError.notFound();
    return { data };
  });
};
