/** Planned cleaning of sites: how much was done, by day. */
import { type SQL, sql } from 'drizzle-orm';
import { minCleaning } from '../../../schema/features/calendar';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import { dayStartSql } from '../../db/core/dayStartSql';
import { siteDaysSql } from '../locations/siteDays';

/** The system caller, which bypasses scope: a rule counts all machines at a site, whoever created it. */
export const systemCaller: Caller = {
  userId: 0,
  sessionId: 0,
  accessVersion: 0,
  language: 'en',
  permissions: new Set(),
  roles: [],
  scopes: new Set(['all']),
  links: { client: null, clients: [], countries: [], fleets: [], locations: [], machines: [] },
};

/**
 * SQL: rows `(location_id, day, ends_at, share)` of planned days that are over, with their end and the cleaned
 * percentage of the planned area. `clients` is a list or query of client ids.
 */
export const plannedDaysSql = ({
  model,
  from,
  to,
  now,
  clients,
}: {
  model: EntityModel;
  from: SQL;
  to: SQL;
  now: SQL;
  clients: SQL;
}): SQL => sql`
  select d.location_id, d.day, ${dayStartSql(sql`(d.day + 1)`, sql`p.time_zone`)} as ends_at,
    case when d.planned_area_m2 > 0 then round(d.area_m2 / d.planned_area_m2 * 100)
    when d.cleaning >= ${minCleaning}::int then 100 else 0 end as share
  from (${siteDaysSql({ model, caller: systemCaller, sites: plannedSitesSql(clients), from, to, present: now })}) d
  join locations p on p.id = d.location_id
  where d.planned and d.day < d.today`;

const plannedSitesSql = (clients: SQL): SQL => sql`select p.id from locations p join fleets pf on pf.id = p.fleet_id
  where p.cleaning_plan <> 'none' and p.deleted_at is null and pf.client_id in (${clients})`;
