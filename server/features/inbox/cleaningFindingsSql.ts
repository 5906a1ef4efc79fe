/** Findings about locations that were cleaned less than planned on the last complete day. */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { cleanedShare, minCleaning } from '../../../schema/features/calendar';
import { missedDay } from '../../../schema/features/dashboard';
import { QueryContext } from '../../access/entityModel';
import { hasPermission } from '../../context/caller';
import { matchWhere } from '../../crud/query/selectStatements';
import { fleetDaysSql, fleetSumsWhere } from '../locations/fleetSums';
import { missedSitesSql, plannedSql, siteDaysSql } from '../locations/siteDays';
import type { FindingsRequest } from './findingsRequest';

/**
 * SQL: findings with the cause `missed` or `partly`. Callers with whole fleets or locations get them from the sums of
 * fleets, which count a machine that moved on that day at its current location. Callers linked to single machines get
 * the states of the calendar.
 */
export function cleaningFindingsSql({ model, caller, now }: FindingsRequest): SQL {
  const machines = model.require('machines');
  const sites = sql`select m.id from locations m
    where ${matchWhere({ entity: model.require('locations'), caller, query: parseListQuery('') }, new QueryContext())}`;
  const day = sql`${missedDay(now)}`;
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  const scope = fleetSumsWhere(machines, caller);
  const siteStatesSql = scope
    ? sql`select id, 'missed' as state from (${missedSitesSql({ model, caller, sites, day, present: nowSql })}) missed
        union all (${partlyCleanedSql({ sites, day, present: nowSql, fleetScope: scope })})`
    : sql`select location_id, state
      from (${siteDaysSql({ model, caller, sites, from: day, to: day, present: nowSql })}) d
        where state in ('missed', 'partly')`;
  // An open alert already reports the location.
  const hasAlertSql = hasPermission(caller, 'alerts.list')
    ? sql`exists (select from alerts a where a.location_id = l.id and a.metric = 'cleaned_less' and a.state <> 'closed'
        and a.deleted_at is null)`
    : sql`false`;
  return sql`
    select l.id::text as subject, ${day}::text as occurrence, site.state as cause,
      case site.state when 'missed' then 1 else 0 end as severity, l.id as location_id, f.client_id,
      null::timestamptz as since, ${day}::date as day, l.name, null::float8 as value, null::text as detail
    from (${siteStatesSql}) site(id, state) join locations l on l.id = site.id join fleets f on f.id = l.fleet_id
    where not ${hasAlertSql}`;
}

/** SQL: `(id, 'partly')` of locations with some cleaning on a planned day, but less than planned. */
const partlyCleanedSql = ({
  sites,
  day,
  present,
  fleetScope,
}: {
  sites: SQL;
  day: SQL;
  present: SQL;
  fleetScope: SQL;
}): SQL => sql`
  select l.id, 'partly' from locations l join (
    select m.location_id, sum(m.cleaning) as cleaning, sum(m.area_m2) as area
    from (${fleetDaysSql(sql`${day}::date`, sql`${day}::date`)}) m where ${fleetScope} group by 1
  ) done on done.location_id = l.id left join (
    select m.location_id, sum(m.working_radius_m2) as area from machines m
    where m.stock_state = 'deployed' and not m.is_dummy and m.deleted_at is null and ${fleetScope} group by 1
  ) deployed on deployed.location_id = l.id
  where l.id in (${sites}) and ${plannedSql(sql`l.cleaning_plan`, sql`${day}::date`)}
    and ${day}::date < (${present} at time zone l.time_zone)::date and done.cleaning >= 1
    and (done.cleaning < ${minCleaning}::int
      or done.area < coalesce(l.planned_area_m2, deployed.area, 0) * ${cleanedShare}::float8)`;
