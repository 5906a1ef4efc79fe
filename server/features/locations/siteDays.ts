/** Site days: what was cleaned, against what was planned (schema/features/calendar.ts). */
import { type SQL, sql } from 'drizzle-orm';
import { readListQuery } from '../../../schema/dsl/listQuery';
import { cleanedShare, leastCleaning, plannedDays } from '../../../schema/features/calendar';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { dayStartSql } from '../../db/core/dayStartSql';

export interface SiteDays {
  model: EntityModel;
  caller: Caller;
  /** Query of location ids. */
  sites: SQL;
  /** Local days, inclusive. */
  from: SQL;
  to: SQL;
  /** The present moment. */
  present: SQL;
  /**
   * Adds a column `machines`: serial numbers of the machines that cleaned, repeated for a machine that came back the
   * same day.
   */
  named?: boolean;
}

/**
 * SQL: rows `(location_id, day, state, area_m2, cleaning, planned_area_m2)` for every day of every site. Counts
 * machines within the caller's scope during their stay, without dummies.
 */
export function siteDays({ model, caller, sites, from, to, present, named = false }: SiteDays): SQL {
  return sql`
    with site as materialized (
      select id, fleet_id, cleaning_plan, planned_area_m2, time_zone, (${present} at time zone time_zone)::date as today
      from locations where id in (${sites})
    ), site_day as materialized (
      select s.id as location_id, d.day::date as day, ${dayStartSql(sql`d.day`, sql`s.time_zone`)} as start,
      ${dayStartSql(sql`(d.day + interval '1 day')`, sql`s.time_zone`)} as over
      from site s cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as
      d(day)
    ), standing as materialized (select * from (${stays(sql`site l`)}) m
    where ${matchWhere({ entity: model.require('machines'), caller, query: counting }, new QueryContext('w'))})
    select *, case
      when day > today then case when planned then 'planned' end
      when cleaning >= ${leastCleaning}::int and (not planned or planned_area_m2 = 0
      or area_m2 >= planned_area_m2 * ${cleanedShare}::float8) then 'cleaned'
      when cleaning > 0 and planned then 'partly'
      when not planned then null
      when day = today then 'planned'
      else 'missed' end as state
    from (
      select s.id as location_id, d.day, s.today, ${plannedSql(sql`s.cleaning_plan`, sql`d.day`)} as planned,
        coalesce(s.planned_area_m2, w.area, 0) as planned_area_m2, coalesce(c.area_m2, 0) as area_m2,
        coalesce(c.cleaning, 0) as cleaning${named ? sql`, c.machines` : undefined}
      from site s join site_day d on d.location_id = s.id
      left join (
        select m.location_id, span.day, sum(m.working_radius_m2) as area
        from standing m join site own on own.id = m.location_id and own.planned_area_m2 is null
        join site_day span on span.location_id = m.location_id
        where m.stock_state = 'deployed' and m.from_at <= span.start and m.to_at >= span.over group by 1, 2
      ) w on w.location_id = s.id and w.day = d.day
      left join (
        select m.location_id, d.day, sum(d.area_m2 * share.part) as area_m2, sum(round(d.cleaning * share.part))::int as
        cleaning${
          named ? sql`, array_agg(m.serial_number) filter (where d.cleaning * share.part >= 1) as machines` : undefined
        }
        from standing m join machine_days d on d.machine_id = m.id and d.day between ${from}::date and ${to}::date
        join site_day span on span.location_id = m.location_id and span.day = d.day ${share}
        where m.from_at < span.over and m.to_at > span.start group by 1, 2
      ) c on c.location_id = s.id and c.day = d.day
    ) of_site`;
}

/**
 * SQL: ids of the sites whose state in `siteDays` is `missed` on one day: cleaning was planned and no machine cleaned
 * for half a second. Looks no further at a site where one did.
 */
export function missedSitesSql({
  model,
  caller,
  sites,
  day,
  present,
}: Pick<SiteDays, 'model' | 'caller' | 'sites' | 'present'> & { day: SQL }): SQL {
  return sql`
    with site as materialized (
      select id, fleet_id, ${day}::date as day, ${dayStartSql(sql`${day}::date::timestamp`, sql`time_zone`)} as start,
      ${dayStartSql(sql`(${day}::date + interval '1 day')`, sql`time_zone`)} as over
      from locations where id in (${sites}) and ${plannedSql(sql`cleaning_plan`, sql`${day}::date`)}
      and ${day}::date < (${present} at time zone time_zone)::date
    )
    select span.id from site span where not exists (
      select from (${stays(sql`(select span.id, span.fleet_id) l`)}) m
      join machine_days d on d.machine_id = m.id and d.day = span.day and d.cleaning > 0 ${share}
      where m.from_at < span.over and m.to_at > span.start and round(d.cleaning * share.part) >= 1
      and ${matchWhere({ entity: model.require('machines'), caller, query: counting }, new QueryContext('w'))}
    )`;
}

/** SQL: whether a plan includes a day. */
export function plannedSql(plan: SQL, day: SQL): SQL {
  const plans = Object.entries(plannedDays).map(
    ([name, days]) => sql`when ${name} then extract(isodow from ${day}) = any(${sql.param([...days])}::int[])`,
  );
  return sql`case ${plan} ${sql.join(plans, sql` `)} end`;
}

const counting = { ...readListQuery(''), filter: [{ path: 'is_dummy', values: ['false'] }] };

/** Stays of machines at the sites `l`. */
const stays = (sites: SQL) => sql`
  select x.id, x.serial_number, x.is_dummy, x.deleted_at, x.stock_state, x.working_radius_m2, l.fleet_id,
  st.location_id, st.from_at, coalesce(st.to_at, 'infinity') as to_at
  from ${sites} join machine_stays st on st.location_id = l.id join machines x on x.id = st.machine_id`;

/**
 * Share of a machine's day that belongs to the stay: all of it, except on the day of a move, which is divided by what
 * was cleaned at either location.
 */
const share = sql`cross join lateral (select case
    when m.from_at <= span.start and m.to_at >= span.over then 1
    when d.cleaning = 0 then case when m.to_at >= span.over then 1 else 0 end
    else least(1, coalesce((
      select sum(extract(epoch from least(coalesce(g.to_at, heard.observed_at), m.to_at, span.over) -
      greatest(g.from_at, m.from_at, span.start)))
      from segments g left join machine_watch heard on heard.machine_id = g.machine_id
      where g.machine_id = m.id and g.state = 'Cleaning' and g.from_at < least(m.to_at, span.over)
      and coalesce(g.to_at, heard.observed_at) > greatest(m.from_at, span.start)
    ), 0)::float8 / d.cleaning) end as part) share`;
