/** `GET /machines/{id}/battery`: lowest, average and highest battery in percent per day, week or month. */
import { sql } from 'drizzle-orm';
import type { Routes } from '../../context/services';
import { dayStartSql } from '../../db/core/dayStartSql';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { readPeriodDays } from './period';
import { readLocalTime } from './readLocalTime';

const batteryShape = { from: pg.text, to: pg.text, lowest: pg.integer, average: pg.integer, highest: pg.integer };

export const batteryRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/{id}/battery', async ({ params: { id }, query, services }) => {
    const { db } = services;
    const { group } = query;
    const { zone, today } = await readLocalTime(db, id, services.now());
    const { from, to } = readPeriodDays(query, today);
    const [start, end] = [sql`${from}::date`, sql`${to}::date`];
    const data = await db.select(
      batteryShape,
      sql`
      select greatest(date_trunc(${group}, day::timestamp)::date, ${start})::text as from,
        least((date_trunc(${group}, day::timestamp) + ('1 ' || ${group})::interval - interval '1 day')::date,
        ${end})::text as to,
        min(battery)::int as lowest, round(avg(battery))::int as average, max(battery)::int as highest
      from (
        select battery, (at at time zone ${zone})::date as day from observations
        where machine_id = ${id} and battery is not null and at >= ${dayStartSql(start, sql`${zone}`)}
        and at < ${dayStartSql(sql`(${end} + 1)`, sql`${zone}`)}
      ) readings group by 1, 2 order by 1`,
    );
    return { data };
  });
};
