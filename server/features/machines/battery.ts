/** `GET /machines/{id}/battery`: minimum and maximum battery in percent per day, week or month. */
import { sql } from 'drizzle-orm';
import type { Routes } from '../../context/services';
import { periodParameters } from '../../http/queryParameters';
import { groupOf, localTimeOf } from './localTime';
import { readPeriodDays } from './period';
import { machinePath, queryParamsOf, requireMachine } from './requireMachine';

export const batteryRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  app.get(`${machinePath}/battery`, { config: { parameters: [...periodParameters, 'group'] } }, async (request) => {
    const id = await requireMachine(request);
    const search = queryParamsOf(request);
    const group = groupOf(search);
    const { zone, today } = await localTimeOf(db, id, services.now());
    const { from, to } = readPeriodDays(search, today);
    const [start, end] = [sql`${from}::date`, sql`${to}::date`];
    const data = await db.rows(sql`
      select greatest(date_trunc(${group}, day::timestamp)::date, ${start})::text as from,
        least((date_trunc(${group}, day::timestamp) + ('1 ' || ${group})::interval - interval '1 day')::date,
        ${end})::text as to,
        min(battery)::int as lowest, round(avg(battery))::int as average, max(battery)::int as highest
      from (
        select battery, (at at time zone ${zone})::date as day from observations
        where machine_id = ${id} and battery is not null and at >= ${start}::timestamp at time zone ${zone}
        and at < (${end} + 1)::timestamp at time zone ${zone}
      ) told group by 1, 2 order by 1`);
    return { data };
  });
};
