/**
 * Evaluates alert rules: opens alerts for conditions that held longer than their hold time, and closes alerts whose
 * condition has ended. One process at a time evaluates; alerts and their messages are written in one transaction, so
 * none is lost or sent twice.
 */

import { type SQL, sql } from 'drizzle-orm';
import type { AlertMetric } from '../../../schema/entities/alert_rules';
import type { LiveEvent } from '../../context/eventBus';
import type { EntityModel, Services } from '../../context/services';
import { advisoryLocks } from '../../db/core/advisoryLocks';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { isoOfSeconds } from '../../telemetry/timeline/timeline';
import { allMetrics, currentConditionsSql, type MachineMetric } from './conditions';
import { findFirings, groupFirings, isInSameGroup } from './firings';
import { enqueueAlertMessages } from './messages';
import { currentViewWhere } from './viewWhere';

/** An error opens no alert if it becomes known more than this many seconds after its firing. */
const maxErrorAge = 600;

/**
 * Evaluates the rules with one of the metrics. Returns the number of alerts that it opened, extended, closed or
 * reminded of.
 */
export async function evaluateRules(
  { db, live, model, now }: Pick<Services, 'db' | 'live' | 'model' | 'now'>,
  metrics: readonly MachineMetric[] = allMetrics,
): Promise<number> {
  const events = await db.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLocks.alertEvaluation})`);
    const currentTime = now();
    const evaluation = { model, metrics, now: currentTime, viewWhere: await currentViewWhere(tx, model) };
    const { openedIds, joinedIds } = await openNewAlerts(tx, evaluation);
    const { closedIds, notifiedIds } = await closeEndedAlerts(tx, evaluation);
    const remindedIds = await scheduleReminders(tx, currentTime);
    await enqueueAlertMessages(tx, { fired: openedIds, closed: notifiedIds, reminder: remindedIds }, currentTime);
    return [
      ...openedIds.map((id): LiveEvent => ({ entity: 'alerts', id, type: 'created' })),
      ...[...joinedIds, ...closedIds, ...remindedIds].map(
        (id): LiveEvent => ({ entity: 'alerts', id, type: 'updated' }),
      ),
    ];
  });
  await live.publish(events);
  return events.length;
}

const heldConditionShape = {
  rule_id: pg.integer,
  machine_id: pg.integer,
  location_id: pg.integer.nullable,
  /** Seconds since 1970. */
  since: pg.double,
  value: pg.double.nullable,
  code: pg.text.nullable,
  metric: pg.text.as<AlertMetric>(),
  hold_time: pg.integer,
  /** Last change of the rule in seconds since 1970. An alert opens at that time at the earliest. */
  rule_changed: pg.double,
};
type HeldCondition = RowOf<typeof heldConditionShape>;

interface NewFiring extends HeldCondition {
  /** Seconds since 1970. */
  at: number;
}

interface Evaluation {
  model: EntityModel;
  metrics: readonly MachineMetric[];
  now: Date;
  /** SQL condition: the saved view of the rule includes the machine. */
  viewWhere: SQL;
}

async function openNewAlerts(
  tx: Queries,
  { model, metrics, now, viewWhere }: Evaluation,
): Promise<{ openedIds: number[]; joinedIds: number[] }> {
  const restriction = sql`not exists (${openAlertSql}) and ${viewWhere}`;
  const conditions = await tx.select(
    heldConditionShape,
    sql`
    select h.rule_id, h.machine_id, h.location_id, extract(epoch from h.since)::float8 as since, h.value, h.code,
    r.metric, r.hold_time,
      floor(extract(epoch from r.updated_at))::float8 as rule_changed
    from (${currentConditionsSql({ model, metrics, now, restriction })}) h
    join alert_rules r on r.id = h.rule_id
    where h.since + r.hold_time * interval '1 second' < ${now.toISOString()}::timestamptz and not exists (
      select from alerts a join alerts_machines k on k.alerts_id = a.id
      where a.rule_id = h.rule_id and k.machines_id = h.machine_id and a.closed_by is not null
      and a.closed_at >= h.since)
    order by h.rule_id, h.machine_id`,
  );
  const currentSecond = now.getTime() / 1000;
  const newFirings = conditions.flatMap((condition): NewFiring[] => {
    const [firing] = findFirings([{ from: condition.since, to: null }], {
      holdTime: condition.hold_time,
      now: currentSecond,
    });
    if (!firing || (condition.metric === 'error' && firing.at < currentSecond - maxErrorAge)) return [];
    return [{ ...condition, at: Math.min(currentSecond, Math.max(firing.at, condition.rule_changed)) }];
  });
  const openedIds: number[] = [];
  const joinedIds: number[] = [];
  for (const { at, firings } of groupFirings(newFirings, firingGroupKey)) {
    const [firstFiring] = firings as [NewFiring];
    const openAlertId = await findJoinableAlert(tx, firstFiring);
    const id = openAlertId ?? (await openAlert(tx, firstFiring, at));
    await tx.rows(
      sql`insert into alerts_machines (alerts_id, machines_id)
        select ${id}::int, unnest(${sql.param(firings.map(({ machine_id }) => machine_id))}::int[])
        on conflict do nothing`,
    );
    (openAlertId === undefined ? openedIds : joinedIds).push(id);
  }
  return { openedIds, joinedIds };
}

/** SQL subselect: the alert of rule `r` about machine `m` that is not closed. */
const openAlertSql = sql`select from alerts a join alerts_machines k on k.alerts_id = a.id
  where a.rule_id = r.id and k.machines_id = m.id and a.state <> 'closed' and a.deleted_at is null`;

/**
 * Returns the key of firings that may share an alert: of machines at one location that go silent or miss a planned day.
 * `undefined` if the firing gets an alert of its own.
 */
export const firingGroupKey = ({
  rule_id = 0,
  metric,
  location_id,
  code,
}: {
  rule_id?: number;
  metric: AlertMetric;
  location_id: number | null;
  code: string | null;
}) =>
  location_id !== null &&
  (metric === 'offline' || metric === 'cleaned_less' || (metric === 'state' && code === 'Offline'))
    ? `${rule_id} ${location_id}`
    : undefined;

/** Finds the open alert of other machines at the location to which a firing belongs. */
async function findJoinableAlert(tx: Queries, firing: NewFiring): Promise<number | undefined> {
  if (firingGroupKey(firing) === undefined) return undefined;
  const rows = await tx.select(
    { id: pg.integer, at: pg.double },
    sql`
    select id, extract(epoch from opened_at)::float8 as at from alerts
    where rule_id = ${firing.rule_id}::int and location_id = ${firing.location_id}::int and state <> 'closed'
    and deleted_at is null order by opened_at`,
  );
  return rows.find(({ at }) => isInSameGroup(at, firing.at))?.id;
}

async function openAlert(
  tx: Queries,
  { rule_id, location_id, value, code }: NewFiring,
  firedAt: number,
): Promise<number> {
  const alert = await tx.selectOne(
    { id: pg.integer },
    sql`
    insert into alerts (rule_id, client_id, location_id, metric, severity, value, code, opened_at, next_reminder)
    select r.id, r.client_id, ${location_id}::int, r.metric, r.severity, ${value}::float8, left(${code}::text, 120),
    ${isoOfSeconds(firedAt)}::timestamptz,
      ${isoOfSeconds(firedAt)}::timestamptz + r.repeat_time * interval '1 second'
    from alert_rules r where r.id = ${rule_id}::int returning id`,
  );
  return (alert as { id: number }).id;
}

/**
 * Closes alerts whose condition holds for none of their machines any more, and problem reports about deleted machines.
 * Recipients are notified only if the rule still exists and wants it.
 */
async function closeEndedAlerts(
  tx: Queries,
  { model, metrics, now, viewWhere }: Evaluation,
): Promise<{ closedIds: number[]; notifiedIds: number[] }> {
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  const rows = await tx.select(
    { id: pg.integer, notified: pg.boolean },
    sql`
    with current_condition as materialized (
      ${currentConditionsSql({ model, metrics, now, restriction: sql`exists (${openAlertSql}) and ${viewWhere}` })})
    update alerts a set state = 'closed', closed_at = ${nowSql}, next_reminder = null from alert_rules r
    where r.id = a.rule_id and a.state <> 'closed' and a.deleted_at is null
    and r.metric = any(${sql.param([...metrics])}::text[])
      and not exists (select from current_condition h join alerts_machines k on k.machines_id = h.machine_id
      and k.alerts_id = a.id where h.rule_id = a.rule_id)
    returning a.id, r.is_active and r.deleted_at is null and r.tell_closed as notified`,
  );
  const closedReports = await tx.select(
    { id: pg.integer },
    sql`
    update alerts a set state = 'closed', closed_at = ${nowSql}, next_reminder = null
    where a.rule_id is null and a.state <> 'closed' and a.deleted_at is null
      and not exists (select from alerts_machines k join machines m on m.id = k.machines_id and m.deleted_at is null
      where k.alerts_id = a.id) returning a.id`,
  );
  return {
    closedIds: [...rows, ...closedReports].map(({ id }) => id),
    notifiedIds: rows.filter(({ notified }) => notified).map(({ id }) => id),
  };
}

async function scheduleReminders(tx: Queries, now: Date): Promise<number[]> {
  const nowSql = sql`${now.toISOString()}::timestamptz`;
  const rows = await tx.select(
    { id: pg.integer },
    sql`
    update alerts a set next_reminder = ${nowSql} + r.repeat_time * interval '1 second' from alert_rules r
    where r.id = a.rule_id and a.state = 'open' and a.deleted_at is null and a.next_reminder <= ${nowSql}
    and r.is_active and r.deleted_at is null and r.repeat_time is not null
    returning a.id`,
  );
  return rows.map(({ id }) => id);
}
