/** SQL of site days: what was cleaned, compared with what was planned (`schema/features/calendar.ts`). */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { cleanedShare, minCleaning, plannedDays } from '../../../schema/features/calendar';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import { dayStartSql } from '../../db/core/dayStartSql';
import { countedDaysSql } from '../../telemetry/timeline/days';
import { fleetDaysSql, fleetSumsWhere } from './fleetSums';

/** Sites and period, and the caller whose scope applies to machines. */
export interface SiteMachinesRequest {
  model: EntityModel;
  caller: Caller;
  /** SQL: query or list of location ids. */
  sites: SQL;
  /** Local days, inclusive. */
  from: SQL;
  to: SQL;
}

export interface SiteDaysRequest extends SiteMachinesRequest {
  /** The present instant. */
  present: SQL;
}

/**
 * SQL: rows `(location_id, day, state, area_m2, reported_area_m2, cleaning, planned_area_m2)` for every day of every
 * site. Counts machines within the caller's scope during their stay, without dummies.
 *
 * Adds up the stored sums of whole sites (`fleetSums.ts`). They count all days of a machine at its present location.
 * Therefore, stays that began or ended since `from` correct them: for a stay that still lasts, the work before it began
 * is subtracted; for one that has ended, its work is added. If the scope consists of single machines, every stay is
 * added up instead.
 */
export function siteDaysSql({ model, caller, sites, from, to, present }: SiteDaysRequest): SQL {
  const sumsWhere = fleetSumsWhere(model.require('machines'), caller);
  const whenSummed = (part: SQL) => (sumsWhere ? part : undefined);
  const isSummed = sumsWhere ? sql`m.to_at = 'infinity'` : sql`false`;
  return sql`
    with site as materialized (
      select *, ${sumsWhere ?? sql`false`} as is_summed from (
        select id, id as location_id, fleet_id, cleaning_plan, planned_area_m2, time_zone,
          (${present} at time zone time_zone)::date as today, ${periodStartSql(from)} as start
        from locations where id in (${sites})
      ) m
    ), zone_day as materialized (
      select time_zone, d.day::date as day, ${dayStartSql(sql`d.day`, sql`time_zone`)} as start,
      ${dayStartSql(sql`(d.day + interval '1 day')`, sql`time_zone`)} as until
      from (select distinct time_zone from site) zone
      cross join generate_series(${from}::date::timestamp, ${to}::date::timestamp, interval '1 day') as d(day)
    ), zone_limits as materialized (
      select time_zone, array_agg(start order by day) as starts, array_agg(until order by day) as ends
      from zone_day group by time_zone
    ), site_day as materialized (
      select s.id as location_id, d.day, d.start, d.until from site s join zone_day d on d.time_zone = s.time_zone
    ), stay as materialized (
      select m.*, m.working_radius_m2::numeric as radius_m2, ${isSummed} as is_summed,
        case when ${isSummed} then '-infinity' else ${localDaySql(sql`m.from_at`)} - 1 end as first_day,
        ${localDaySql(sql`case when ${isSummed} then m.from_at else m.to_at end`)} + 1 as last_day
      from (${staysSql(sql`site l`, sumsWhere ? changedStayWhere : undefined)}) m where ${countedWhere(model, caller)}
    )
    select *, case
      when day > today then case when planned then 'planned' end
      when cleaning >= ${minCleaning}::int and (not planned or planned_area_m2 = 0
      or area_m2 >= planned_area_m2 * ${cleanedShare}::float8) then 'cleaned'
      when cleaning > 0 and planned then 'partly'
      when not planned then null
      when day = today then 'planned'
      else 'missed' end as state
    from (
      select s.id as location_id, d.day, s.today, ${plannedSql(sql`s.cleaning_plan`, sql`d.day`)} as planned,
        coalesce(s.planned_area_m2, (coalesce(d.area, 0)${whenSummed(sql` + coalesce(own.area, 0)`)})::float8) as
        planned_area_m2, coalesce(c.area_m2, 0)::float8 as area_m2,
        coalesce(c.reported_area_m2, 0)::float8 as reported_area_m2, coalesce(c.cleaning, 0)::int as cleaning
      from site s join (${staysAreaSql(from)}) d on d.location_id = s.id ${whenSummed(sql`
      left join (
        select location_id, sum(machines * working_radius_m2::numeric) as area from (
          select m.location_id, m.working_radius_m2, count(*) as machines
          from machines m join site s on s.id = m.location_id
          where m.stock_state = 'deployed' and m.deleted_at is null and not m.is_dummy group by 1, 2
        ) radius group by 1
      ) own on own.location_id = s.id and s.is_summed`)}
      left join (
        select location_id, day, sum(area_m2) as area_m2, sum(reported_area_m2) as reported_area_m2,
          sum(cleaning) as cleaning from (
          ${whenSummed(sql`select d.location_id, d.day, d.area_m2, d.reported_area_m2, d.cleaning
          from (${fleetDaysSql(sql`${from}::date`, sql`${to}::date`)}) d
          join site s on s.id = d.location_id and s.is_summed
          union all `)}select m.location_id, d.day,
            (d.area_m2 * share.fraction)::numeric - case when m.is_summed then d.area_m2::numeric else 0 end,
            (d.reported_area_m2 * share.fraction)::numeric
              - case when m.is_summed then d.reported_area_m2::numeric else 0 end,
            round(d.cleaning * share.fraction)::numeric - case when m.is_summed then d.cleaning else 0 end
          from stay m cross join lateral (
            select * from ${countedDaysSql} d where d.machine_id = m.id and d.day between ${from}::date and ${to}::date
            and d.day between m.first_day and m.last_day offset 0
          ) d join site_day span on span.location_id = m.location_id and span.day = d.day ${shareJoinSql}
          where not (m.is_summed and m.from_at <= span.start)
        ) work(location_id, day, area_m2, reported_area_m2, cleaning) group by 1, 2
      ) c on c.location_id = s.id and c.day = d.day
    ) site_work`;
}

/**
 * SQL: rows `(location_id, day, area)` for every day of every site: the area of stays that last the whole day, minus
 * the area of summed stays (`is_summed`) that do not.
 *
 * A stay changes this area on at most two days: the first whole day of the stay, and the day after the last. A running
 * sum of the changes reads each stay once instead of once per day.
 */
const staysAreaSql = (from: SQL): SQL => sql`
  select d.location_id, d.day, sum(change.area) over (partition by d.location_id order by d.day) as area
  from site_day d left join (
    select m.location_id, ${from}::date + step.days as day, sum(step.area) as area
    from stay m join zone_limits z on z.time_zone = m.time_zone cross join lateral (
      select width_bucket(m.from_at - interval '1 microsecond', z.starts) as first,
        width_bucket(m.to_at, z.ends) as after
    ) lasting cross join lateral (values
      (case when m.is_summed then 0 else first end, case when m.is_summed then -m.radius_m2 else m.radius_m2 end),
      (case when m.is_summed then first else after end, case when m.is_summed then m.radius_m2 else -m.radius_m2 end)
    ) step(days, area)
    where m.stock_state = 'deployed' and (m.is_summed or first < after) group by 1, 2
  ) change on change.location_id = d.location_id and change.day = d.day`;

/**
 * SQL: rows `(location_id, serial_number)` of machines within the caller's scope that cleaned at a site for a second or
 * more on a day of the period. With `byDay`, rows `(location_id, serial_number, day)`.
 */
export function siteMachinesSql({ model, caller, sites, from, to }: SiteMachinesRequest, byDay = false): SQL {
  const days = sql`${countedDaysSql} d where d.machine_id = m.id and d.cleaning > 0
    and d.day between ${from}::date and ${to}::date`;
  const day = byDay ? sql`, d.day` : undefined;
  const staysTable = (stay: SQL) => sql`(${staysSql(sql`site l`, stay)}) m`;
  // The limit makes PostgreSQL look up the days of a machine only until one has cleaning. Without it, its generic plan,
  // which does not know the period, expects few days and reads all of them.
  const work = byDay ? sql`, ${days}` : sql`cross join lateral (select from ${days} limit 1) d where true`;
  return sql`
    with site as materialized (
      select id, fleet_id, time_zone, ${periodStartSql(from)} as start from locations where id in (${sites})
    )
    select m.location_id, m.serial_number${day} from ${staysTable(lastingStayWhere)}
    ${work} and ${countedWhere(model, caller)}
    union all select m.location_id, m.serial_number${day}
    from ${staysTable(changedStayWhere)} cross join lateral (select * from ${days} offset 0) d cross join lateral (
      select ${dayStartSql(sql`d.day`, sql`m.time_zone`)} as start,
      ${dayStartSql(sql`(d.day + 1)`, sql`m.time_zone`)} as until
    ) span ${shareJoinSql}
    where ${countedWhere(model, caller)} and d.cleaning * share.fraction >= 1`;
}

/**
 * SQL: ids of the sites whose state (`siteDaysSql`) is `missed` on one day: cleaning was planned, and no machine
 * cleaned for half a second. Stops reading a site at the first machine that did.
 */
export function missedSitesSql({
  model,
  caller,
  sites,
  day,
  present,
}: Pick<SiteDaysRequest, 'model' | 'caller' | 'sites' | 'present'> & { day: SQL }): SQL {
  return sql`
    with site as materialized (
      select id, fleet_id, time_zone, ${day}::date as day, ${periodStartSql(day)} as start,
      ${dayStartSql(sql`(${day}::date + interval '1 day')`, sql`time_zone`)} as until
      from locations where id in (${sites}) and ${plannedSql(sql`cleaning_plan`, sql`${day}::date`)}
      and ${day}::date < (${present} at time zone time_zone)::date
    )
    select span.id from site span where not exists (
      select from (${staysSql(sql`(select span.id, span.fleet_id, span.time_zone, span.start) l`)}) m
      join ${countedDaysSql} d on d.machine_id = m.id and d.day = span.day and d.cleaning > 0 ${shareJoinSql}
      where round(d.cleaning * share.fraction) >= 1 and ${countedWhere(model, caller)}
    )`;
}

/** SQL: whether a cleaning plan includes a day. */
export function plannedSql(plan: SQL, day: SQL): SQL {
  const plans = Object.entries(plannedDays).map(
    ([name, days]) => sql`when ${name} then extract(isodow from ${day}) = any(${sql.param([...days])}::int[])`,
  );
  return sql`case ${plan} ${sql.join(plans, sql` `)} end`;
}

/** SQL condition on a stay `m`: its machine is within the caller's scope there, and no dummy. */
const countedWhere = (model: EntityModel, caller: Caller): SQL =>
  matchWhere({ entity: model.require('machines'), caller, query: countedQuery }, new QueryContext('w'));

const countedQuery = { ...parseListQuery(''), filter: [{ path: 'is_dummy', values: ['false'] }] };

/** SQL: local day of an instant at the site of a stay `m`; may be a day off if the clocks change at midnight. */
const localDaySql = (instant: SQL): SQL => sql`((${instant}) at time zone m.time_zone)::date`;

/** SQL: first instant of the period that begins on the day `from`, in the zone of the column `time_zone`. */
const periodStartSql = (from: SQL): SQL => dayStartSql(sql`${from}::date`, sql`time_zone`);

/** SQL conditions on a stay `st` at a site `l`: it began by `l.start` and still lasts; it began or ended after that. */
const lastingStayWhere = sql`st.to_at is null and st.from_at <= l.start`;
const changedStayWhere = sql`coalesce(st.to_at, st.from_at) > l.start`;

/** SQL: stays of machines at the sites `l` that fulfil a condition; by default, stays that did not end by `l.start`. */
const staysSql = (sites: SQL, stay = sql`(st.to_at is null or st.to_at > l.start)`) => sql`
  select x.id, x.serial_number, x.is_dummy, x.deleted_at, x.stock_state, x.working_radius_m2, l.fleet_id,
  st.location_id, st.from_at, coalesce(st.to_at, 'infinity') as to_at, l.time_zone
  from ${sites} join machine_stays st on st.location_id = l.id
  cross join lateral (select * from machines where id = st.machine_id offset 0) x where ${stay}`;

/**
 * SQL: join that adds the share of a machine's day that belongs to the stay, as `share.fraction`: all of it, except on
 * the day of a move, which is divided in proportion to the cleaning at each location. Cleaning is that of the runs on a
 * day with a reported run, otherwise that of the timeline. `offset '0'` makes PostgreSQL compute the share once per
 * day, not once for each column that uses it.
 */
const shareJoinSql = sql`cross join lateral (select case
    when m.from_at >= span.until or m.to_at <= span.start then 0
    when m.from_at <= span.start and m.to_at >= span.until then 1
    when d.cleaning = 0 then case when m.to_at >= span.until then 1 else 0 end
    when d.is_reported then least(1, coalesce((
      select sum(r.duration_s * extract(epoch from least(r.ended_at, m.to_at, span.until)
        - greatest(r.started_at, m.from_at, span.start)) / extract(epoch from r.ended_at - r.started_at))
      from runs r where r.machine_id = m.id and r.superseded_by is null and r.deleted_at is null
      and r.started_at between span.start - interval '31 days' and least(m.to_at, span.until)
      and r.ended_at > greatest(r.started_at, m.from_at, span.start)
    ), 0)::float8 / d.cleaning)
    else least(1, coalesce((
      select sum(extract(epoch from least(coalesce(g.to_at, watch.observed_at), m.to_at, span.until) -
      greatest(g.from_at, m.from_at, span.start)))
      from segments g left join machine_watch watch on watch.machine_id = g.machine_id
      where g.machine_id = m.id and g.state = 'Cleaning' and g.from_at < least(m.to_at, span.until)
      and coalesce(g.to_at, watch.observed_at) > greatest(m.from_at, span.start)
    ), 0)::float8 / d.cleaning) end as fraction offset '0') share`;
