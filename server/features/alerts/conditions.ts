/** SQL of conditions that hold now, by rule and machine. `findPastAlerts.ts` covers the past. */
import { type SQL, sql } from 'drizzle-orm';
import type { AlertMetric } from '../../../schema/entities/alert_rules';
import type { EntityModel } from '../../context/services';
import { dayStartSql } from '../../db/core/dayStartSql';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { errorHoldSeconds } from './heldIntervals';
import { plannedDaysSql } from './plannedCleaning';
import {
  cleanedPercentageSql,
  incompleteRunWhere,
  knownResultWhere,
  lastRunSql,
  longestInterruptionSql,
} from './runConditions';

/** SQL condition: the rule covers the machine; `r`, `m` and `f` are rule, machine and its fleet. */
export const watchedMachineWhere = sql`f.client_id = r.client_id and (r.fleet_id is null or m.fleet_id = r.fleet_id)
  and (r.location_id is null or m.location_id = r.location_id)
  and m.deleted_at is null and f.deleted_at is null and not m.is_dummy and m.stock_state <> 'retired'`;

/** SQL: metres between two points on a sphere of radius 6,371 km. */
export const metresBetweenSql = (a: { lat: SQL; lng: SQL }, b: { lat: SQL; lng: SQL }): SQL =>
  sql`(2 * 6371000 * asin(sqrt(least(1, power(sin(radians(${b.lat} - ${a.lat}) / 2), 2) + cos(radians(${a.lat})) *
    cos(radians(${b.lat})) * power(sin(radians(${b.lng} - ${a.lng}) / 2), 2)))))`;

const sitePosition = { lat: sql`l.latitude`, lng: sql`l.longitude` };
/**
 * SQL condition: a position is outside of the working radius of fleet `f` around location `l`. Not true if any of them
 * is unknown.
 */
export const leftSiteWhere = (position: { lat: SQL; lng: SQL }): SQL =>
  sql`(${position.lat} is not null and l.latitude is not null and l.longitude is not null
    and ${metresBetweenSql(sitePosition, position)} > f.working_radius)`;

/**
 * SQL: start of the current held interval, which is the first observation after the last one for which the condition
 * did not hold. Only observations with `isKnown` count.
 */
const heldSinceSql = ({ isKnown, holds }: { isKnown: SQL; holds: SQL }): SQL => sql`(
  select min(o.at) from observations o where o.machine_id = m.id and ${isKnown} and o.at > coalesce(
    (select o.at from observations o where o.machine_id = m.id and ${isKnown} and not ${holds} order by o.at desc
    limit 1), '-infinity'))`;

interface ConditionSql {
  condition: SQL;
  since: SQL;
  value?: SQL;
  code?: SQL;
  /** Additional join that the expressions read. */
  from?: SQL;
}

/** Condition that a machine is in a state, held since the state began; a change of mode does not restart it. */
const stateCondition = (state: SQL): ConditionSql => ({
  condition: sql`s.status = ${state} and s.status_since is not null`,
  since: sql`coalesce((select p.to_at from segments p where p.machine_id = m.id and p.state <> ${state}
    and p.to_at is not null order by p.from_at desc limit 1),
    (select min(p.from_at) from segments p where p.machine_id = m.id), s.status_since)`,
});

/** SQL: clients with rules about planned days. */
const dayRuleClientsSql = sql`select pr.client_id from alert_rules pr where pr.metric = 'cleaned_less' and pr.is_active
  and pr.deleted_at is null`;

/** Metrics of machines. Zones are evaluated by `createZoneEvaluation.ts`. */
export type MachineMetric = Exclude<AlertMetric, 'zone_uncleaned'>;

const conditionsByMetric: Record<MachineMetric, (now: SQL, model: EntityModel) => ConditionSql> = {
  offline: () => stateCondition(sql`'Offline'`),
  state: () => ({ ...stateCondition(sql`r.state`), code: sql`r.state` }),
  battery: () => ({
    condition: sql`s.battery < r.threshold`,
    since: sql`coalesce(${heldSinceSql({ isKnown: sql`o.battery is not null`, holds: sql`o.battery < r.threshold` })},
      s.last_seen)`,
    value: sql`s.battery`,
  }),
  left_site: () => ({
    condition: leftSiteWhere({ lat: sql`s.latitude`, lng: sql`s.longitude` }),
    since: sql`coalesce(${heldSinceSql({
      isKnown: sql`o.latitude is not null`,
      holds: leftSiteWhere({ lat: sql`o.latitude`, lng: sql`o.longitude` }),
    })}, s.last_seen)`,
  }),
  service_due: (now) => ({
    condition: sql`m.next_service_due is not null and m.next_service_due - r.threshold <= (${now} at time zone
      z.zone)::date`,
    since: dayStartSql(sql`(m.next_service_due - r.threshold)`, sql`z.zone`),
    code: sql`m.next_service_due::text`,
  }),
  error: (now) => ({
    from: sql`cross join lateral (
      select max(e.at) as at, (array_agg(e.code order by e.at desc))[1] as code from machine_logs e
      where e.machine_id = m.id and e.kind = 'error' and e.at > ${now} - ${errorHoldSeconds}::int * interval '1 second'
      and e.at <= ${now} + interval '5 minutes'
        and (r.error_code is null or e.code = r.error_code)) x`,
    condition: sql`x.at is not null and m.id in (select e.machine_id from machine_logs e where e.kind = 'error'
      and e.at > ${now} - ${errorHoldSeconds}::int * interval '1 second')`,
    since: sql`x.at`,
    code: sql`x.code`,
  }),
  // Of each location, only the last planned day that is over counts.
  cleaned_less: (now, model) => ({
    from: sql`join (select distinct on (d.location_id) *
      from (${plannedDaysSql({
        model,
        from: sql`((${now})::date - 14)`,
        to: sql`(${now})::date`,
        now,
        clients: dayRuleClientsSql,
      })}) d
      order by d.location_id, d.day desc) d on d.location_id = m.location_id`,
    condition: sql`d.share < r.threshold`,
    since: sql`d.ends_at`,
    value: sql`d.share`,
    code: sql`d.day::text`,
  }),
  run_incomplete: (now) => ({
    from: sql`cross join lateral ${lastRunSql(now, knownResultWhere)} x`,
    condition: incompleteRunWhere,
    since: sql`x.ended_at`,
    value: cleanedPercentageSql,
    code: sql`x.outcome`,
  }),
  run_interrupted: (now) => ({
    from: sql`cross join lateral ${lastRunSql(now, sql`true`)} x cross join lateral ${longestInterruptionSql(now)} i`,
    condition: sql`true`,
    since: sql`i.at + r.threshold * interval '1 minute'`,
    value: sql`i.minutes`,
    code: sql`i.reason`,
  }),
};

/** Metrics that every evaluation includes. The others, about days and runs, are evaluated once a minute. */
export const quickMetrics: readonly MachineMetric[] = ['offline', 'state', 'battery', 'left_site', 'error'];
export const allMetrics: readonly MachineMetric[] = [
  ...quickMetrics,
  'service_due',
  'cleaned_less',
  'run_incomplete',
  'run_interrupted',
];

interface ConditionsRequest {
  model: EntityModel;
  metrics: readonly MachineMetric[];
  now: Date;
  restriction: SQL;
}

/**
 * SQL: rows `(rule_id, machine_id, location_id, zone, since, value, code)` of conditions that hold now, for active
 * rules with one of the metrics. `restriction`: further condition on rule `r` and machine `m`.
 */
export function currentConditionsSql({ model, metrics, now, restriction }: ConditionsRequest): SQL {
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  const metricSql = (metric: MachineMetric) => {
    const { condition, since, value, code, from } = conditionsByMetric[metric](nowSql, model);
    return sql`select r.id as rule_id, m.id as machine_id, m.location_id, z.zone, ${since} as since,
      (${value ?? sql`null`})::float8 as value, (${code ?? sql`null`})::text as code
      from alert_rules r join clients c on c.id = r.client_id and c.deleted_at is null
      join fleets f on f.client_id = r.client_id join machines m on m.fleet_id = f.id
      join machines_state s on s.id = m.id
      left join locations l on l.id = m.location_id
      cross join lateral (select ${timeZoneSql(sql`l`)} as zone) z ${from ?? sql``}
      where r.metric = ${metric} and r.is_active and r.deleted_at is null and ${watchedMachineWhere}
        and ${restriction} and ${condition}`;
  };
  return sql.join(metrics.map(metricSql), sql` union all `);
}
