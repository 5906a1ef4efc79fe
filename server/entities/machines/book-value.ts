/** `GET /machines/{id}/book_value?on=`: linear from the purchase date down to zero, exact to the cent, for any day past or future. */
import { sql } from 'drizzle-orm';
import { isDay } from '../../../schema/dsl/checks';
import { may } from '../../api/caller';
import { Refusal } from '../../api/errors';
import type { Routes } from '../../services';
import { path, queryOf, seenMachine } from './one';

export const bookValueRoutes: Routes = async (app) => {
  const { db, now } = app.services;

  app.get(`${path}/book_value`, async (request) => {
    may(request.caller, 'machines.finance');
    const id = await seenMachine(request);
    const on = queryOf(request).get('on') || now().toISOString().slice(0, 10);
    if (!isDay(on)) throw Refusal.invalidAt('on', { key: 'date' });
    // A year of the rate is a calendar year: whole years first, then the share of the one that runs.
    const data = await db.one(sql`
      select ${on} as on, price, depreciation_rate, purchase_date, case
        when price is null then null
        when depreciation_rate is null or purchase_date is null or ${on}::date <= purchase_date then price
        else round(greatest(0, price - price * depreciation_rate::numeric / 100 * (years + (${on}::date - anniversary)::numeric / (following - anniversary))), 2) end as book_value
      from machines m
      left join lateral (select extract(year from age(${on}::date, m.purchase_date))::int as years) y on true
      left join lateral (select (m.purchase_date + y.years * interval '1 year')::date as anniversary, (m.purchase_date + (y.years + 1) * interval '1 year')::date as following) a on true
      where m.id = ${id}`);
    return { data };
  });
};
