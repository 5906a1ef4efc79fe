/** What was cleaned at sites, day by day, against what was planned (schema/calendar.ts). */
import { type SQL, sql } from 'drizzle-orm';
import { cleanedShare, leastCleaning, plannedDays } from '../../../schema/calendar';
import { readListQuery } from '../../../schema/dsl/query';
import { registry } from '../../../schema/index';
import type { Caller } from '../../api/caller';
import { matching } from '../../api/entity/select';
import { Sketch } from '../../api/model';

export interface SiteDays {
  caller: Caller;
  /** Ids of locations. */
  sites: SQL;
  /** Local days, both included. */
  from: SQL;
  to: SQL;
  /** The present moment. */
  present: SQL;
}

/** Rows `(location_id, day, state, area_m2, cleaning, planned_area_m2)`: every day of every site. Only machines that the caller reaches count, and no dummies. */
export function siteDays({ caller, sites, from, to, present }: SiteDays): SQL {
  const query = { ...readListQuery(''), filter: [{ path: 'is_dummy', values: ['false'] }] };
  const plans = Object.entries(plannedDays).map(([plan, days]) => sql`when ${plan} then extract(isodow from d.day) = any(${sql.param([...days])}::int[])`);
  return sql`
    select *, case
      when day > today then case when planned then 'planned' end
      when cleaning >= ${leastCleaning}::int and (not planned or planned_area_m2 = 0 or area_m2 >= planned_area_m2 * ${cleanedShare}::float8) then 'cleaned'
      when cleaning > 0 and planned then 'partly'
      when not planned then null
      when day = today then 'planned'
      else 'missed' end as state
    from (
      select s.id as location_id, d.day::date as day, s.today, case s.cleaning_plan ${sql.join(plans, sql` `)} end as planned,
        coalesce(s.planned_area_m2, w.area, 0) as planned_area_m2, coalesce(c.area_m2, 0) as area_m2, coalesce(c.cleaning, 0) as cleaning
      from (select id, cleaning_plan, planned_area_m2, (${present} at time zone time_zone)::date as today from locations where id in (${sites})) s
      cross join lateral generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as d(day)
      left join (
        select m.location_id, sum(m.working_radius_m2) as area from machines m
        where m.location_id in (${sites}) and m.stock_state = 'deployed' and ${matching({ entity: registry.machines, caller, query }, new Sketch('w'))} group by 1
      ) w on w.location_id = s.id
      left join (
        select m.location_id, d.day, sum(d.area_m2) as area_m2, sum(d.cleaning)::int as cleaning from machines m
        join machine_days d on d.machine_id = m.id and d.day between ${from}::date and ${to}::date
        where m.location_id in (${sites}) and ${matching({ entity: registry.machines, caller, query }, new Sketch('d'))} group by 1, 2
      ) c on c.location_id = s.id and c.day = d.day::date
    ) of_site`;
}
