/**
 * Conditions about runs: ended incomplete, or interrupted for long. The last run of a machine decides, for a week; for
 * incomplete runs, the last one with a known result. Only runs of the rule's client count, even if another client has
 * the machine now.
 */
import { type SQL, sql } from 'drizzle-orm';

/** SQL condition: it is known whether run `x` was complete. */
export const knownResultWhere = sql`(x.outcome is not null or x.planned_area_m2 > 0)`;
/** SQL condition: run `x` was not completed, or cleaned less of the planned area than the threshold of rule `r`. */
export const incompleteRunWhere = sql`(x.outcome in ('partial', 'aborted', 'failed')
  or x.cleaned_area_m2 * 100 < r.threshold * x.planned_area_m2)`;
/** SQL: the cleaned percentage of the planned area of run `x`, truncated; null without a planned area. */
export const cleanedPercentageSql = sql`case when x.planned_area_m2 > 0
  then trunc(x.cleaned_area_m2 * 100 / x.planned_area_m2) end`;

/** SQL: from and where clause of the runs `x` of machine `m` that count for the client of rule `r`. */
export const countedRunsSql = sql`runs x join fleets xf on xf.id = x.fleet_id and xf.client_id = r.client_id
  where x.machine_id = m.id and x.superseded_by is null and x.deleted_at is null`;

/** SQL: one row, the last run of machine `m` that ended within the last week and fulfils a condition. */
export const lastRunSql = (now: SQL, where: SQL): SQL => sql`(select x.* from ${countedRunsSql}
  and x.ended_at > ${now} - interval '7 days' and x.started_at between ${now} - interval '38 days' and ${now}
  and ${where} order by x.started_at desc, x.id desc limit 1)`;

/**
 * SQL: row `(at, reason, minutes)` of the longest interruption of run `x`, or none if it is within the limit of rule
 * `r`. An interruption that was not resolved lasts until `now`.
 */
export const longestInterruptionSql = (now: SQL): SQL => sql`(
  select i.at, i.reason, extract(epoch from coalesce(i.resolved_at, ${now}) - i.at) / 60 as minutes
  from jsonb_to_recordset(x.interruptions) as i(at timestamptz, reason text, resolved_at timestamptz)
  where coalesce(i.resolved_at, ${now}) - i.at > r.threshold * interval '1 minute'
  order by minutes desc, i.at limit 1)`;
