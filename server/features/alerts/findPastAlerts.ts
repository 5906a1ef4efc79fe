/** Finds the alerts that a rule would have opened, from timeline, observations, logs and daily data. */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { AlertMetric } from '../../../schema/entities/alert_rules';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { EntityModel } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { dayStartSql } from '../../db/core/dayStartSql';
import { pg, type RowOf } from '../../db/core/rowShape';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { leftSiteWhere, type MachineMetric, watchedMachineWhere } from './conditions';
import { firingGroupKey } from './evaluateRules';
import { type Firing, type FiringGroup, findFirings, groupFirings } from './firings';
import { type HeldInterval, intervalsFromEvents, intervalsFromSamples, mergeIntervals } from './heldIntervals';
import { plannedDaysSql } from './plannedCleaning';
import { countedRunsSql, incompleteRunWhere, knownResultWhere, longestInterruptionSql } from './runConditions';
import { viewWhere } from './viewWhere';

/** Condition of a rule, saved or not. */
export interface ConditionSpec {
  client_id: number;
  fleet_id: number | null;
  location_id: number | null;
  view_id: number | null;
  metric: AlertMetric;
  state: string | null;
  threshold: number | null;
  error_code: string | null;
  hold_time: number;
}

/** A firing about a machine, by id. */
export interface PastFiring extends Firing {
  id: number;
  serial_number: string;
  location_id: number | null;
  place: string | null;
}

const watchedMachineShape = {
  id: pg.integer,
  serial_number: pg.text,
  location_id: pg.integer.nullable,
  place: pg.text.nullable,
};

/** Source row of a condition: an interval, a sample, or an event. */
const historyRowShape = {
  machine_id: pg.integer,
  from: pg.double,
  to: pg.double.nullable,
  holds: pg.boolean.nullable,
};
type HistoryRow = RowOf<typeof historyRowShape>;

/**
 * Returns the alerts that a rule would have opened since `from`, oldest first, and the number of machines that it
 * watches, both within the caller's scope.
 */
export async function findPastAlerts(
  { db, model }: { db: Queries; model: EntityModel },
  spec: ConditionSpec & { metric: MachineMetric },
  { caller, from, now }: { caller: Caller; from: Date; now: Date },
): Promise<{ machines: number; alerts: FiringGroup<PastFiring>[] }> {
  const rule = sql`(select ${spec.client_id}::int as client_id, ${spec.fleet_id}::int as fleet_id,
    ${spec.location_id}::int as location_id,
    ${spec.state}::text as state, ${spec.threshold}::int as threshold, ${spec.error_code}::text as error_code)`;
  const machines = sql`${rule} r join fleets f on f.client_id = r.client_id join machines m on m.fleet_id = f.id
    left join locations l on l.id = m.location_id`;
  const machineWhere = sql`${watchedMachineWhere} and ${scopeWhere(model.require('machines'), caller, sql.raw('m'))}
    and ${await viewWhere(db, model, spec)}`;
  const watchedMachines = await db.select(
    watchedMachineShape,
    sql`select m.id, m.serial_number, m.location_id, l.name as place from ${machines}
      where ${machineWhere} order by m.id`,
  );
  const history = await db.select(
    historyRowShape,
    historySqlByMetric[spec.metric]({
      model,
      machines,
      machineWhere,
      from: sql`${from.toISOString()}::timestamptz`,
      now: sql`${now.toISOString()}::timestamptz`,
      client: sql`${spec.client_id}::int`,
    }),
  );
  const historyByMachine = new Map<number, HistoryRow[]>();
  for (const row of history) addToGroup(historyByMachine, row.machine_id, row);
  const currentSecond = now.getTime() / 1000;
  const firings = watchedMachines.flatMap((machine) =>
    findFirings(buildHeldIntervals(spec.metric, historyByMachine.get(machine.id) ?? [], currentSecond), {
      holdTime: spec.hold_time,
      now: currentSecond,
    })
      .filter(({ at }) => at >= from.getTime() / 1000)
      .map((firing): PastFiring => ({ ...machine, ...firing })),
  );
  return {
    machines: watchedMachines.length,
    alerts: groupFirings(firings, ({ location_id }) =>
      firingGroupKey({ metric: spec.metric, location_id, code: spec.state }),
    ),
  };
}

function buildHeldIntervals(metric: AlertMetric, history: readonly HistoryRow[], now: number): HeldInterval[] {
  if (metric === 'error')
    return intervalsFromEvents(
      history.map(({ from }) => from),
      { now },
    );
  if (history.some(({ holds }) => holds !== null))
    return intervalsFromSamples(history.map(({ from, holds }) => ({ at: from, holds: holds === true })));
  return mergeIntervals(history);
}

interface HistorySqlInput {
  model: EntityModel;
  machines: SQL;
  machineWhere: SQL;
  from: SQL;
  now: SQL;
  client: SQL;
}

const epochSql = (instant: SQL) => sql`extract(epoch from ${instant})::float8`;

const statesSql =
  (state: SQL) =>
  ({ machines, machineWhere, from, now }: HistorySqlInput): SQL =>
    sql`
    select m.id as machine_id, ${epochSql(sql`s.from_at`)} as from, ${epochSql(sql`s.to_at`)} as to,
    null::boolean as holds from ${machines} join segments s on s.machine_id = m.id and s.state = ${state}
    and s.from_at <= ${now}
    and coalesce(s.to_at, 'infinity') >= ${from} - interval '8 days'
    where ${machineWhere} order by 1, 2`;

/** SQL: samples at which the condition began or ceased to hold, and the first one of each machine. */
const changeSamplesSql =
  ({ isReported, holds }: { isReported: SQL; holds: SQL }) =>
  ({ machines, machineWhere, from, now }: HistorySqlInput): SQL =>
    sql`
    select machine_id, ${epochSql(sql`at`)} as from, null::float8 as to, holds from (
      select m.id as machine_id, o.at, coalesce(${holds}, false) as holds, lag(coalesce(${holds}, false))
      over (partition by m.id order by o.at, o.kind) as before
      from ${machines} join observations o on o.machine_id = m.id and ${isReported}
      and o.at between ${from} - interval '8 days' and ${now}
      where ${machineWhere}) o where holds is distinct from before order by 1, 2`;

/** SQL: intervals in which the last run fulfils a condition: until the end of the next run, for at most a week. */
const runIntervalsSql =
  ({ holds, since, isEvaluated }: { holds: (now: SQL) => SQL; since: SQL; isEvaluated: SQL }) =>
  ({ machines, machineWhere, from, now }: HistorySqlInput): SQL =>
    sql`
    select m.id as machine_id, ${epochSql(since)} as from, ${epochSql(sql`x.until`)} as to, null::boolean as holds
    from ${machines} cross join lateral (
      select x.*, least(x.ended_at + interval '7 days', lead(x.ended_at) over (order by x.started_at, x.id)) as until
      from ${countedRunsSql} and ${isEvaluated} and x.started_at between ${from} - interval '38 days' and ${now}
    ) x ${holds(now)} where ${machineWhere} and x.until > ${from} - interval '8 days' order by 1, 2`;

const historySqlByMetric: Record<MachineMetric, (input: HistorySqlInput) => SQL> = {
  offline: statesSql(sql`'Offline'`),
  state: statesSql(sql`r.state`),
  battery: changeSamplesSql({ isReported: sql`o.battery is not null`, holds: sql`o.battery < r.threshold` }),
  left_site: changeSamplesSql({
    isReported: sql`o.latitude is not null`,
    holds: leftSiteWhere({ lat: sql`o.latitude`, lng: sql`o.longitude` }),
  }),
  error: ({ machines, machineWhere, from, now }) => sql`
    select m.id as machine_id, ${epochSql(sql`e.at`)} as from, null::float8 as to, null::boolean as holds
    from ${machines} join machine_logs e on e.machine_id = m.id and e.kind = 'error'
    and e.at between ${from} - interval '1 hour' and ${now}
      and (r.error_code is null or e.code = r.error_code) where ${machineWhere} order by 1, 2`,
  // Past due dates are not stored, so only the current one counts.
  service_due: ({ machines, machineWhere }) => sql`
    select m.id as machine_id,
    ${epochSql(dayStartSql(sql`(m.next_service_due - r.threshold)`, timeZoneSql(sql`l`)))} as
    from, null::float8 as to, null::boolean as holds
    from ${machines} where ${machineWhere} and m.next_service_due is not null`,
  run_incomplete: runIntervalsSql({
    isEvaluated: knownResultWhere,
    holds: () => sql`join (select) single_row on ${incompleteRunWhere}`,
    since: sql`x.ended_at`,
  }),
  run_interrupted: runIntervalsSql({
    isEvaluated: sql`true`,
    holds: (now) => sql`cross join lateral ${longestInterruptionSql(now)} i`,
    since: sql`i.at + r.threshold * interval '1 minute'`,
  }),
  cleaned_less: ({ model, machines, machineWhere, from, now, client }) => sql`
    select m.id as machine_id, ${epochSql(sql`d.ends_at`)} as from, null::float8 as to, d.share < r.threshold as holds
    from ${machines} join (${plannedDaysSql({
      model,
      from: sql`((${from})::date - 8)`,
      to: sql`(${now})::date`,
      now,
      clients: client,
    })}) d on d.location_id = m.location_id where ${machineWhere} order by 1, 2`,
};
