/** Decides which runs count, and which are superseded by reported or entered ones. */

import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { lockMachines } from '../timeline/lockMachines';
import { type ComparableRun, findSupersededRuns } from './findSupersededRuns';
import { mergeRunSpans, type RunSpan } from './mergeRunSpans';

/**
 * Milliseconds of silence after which the database rolls back a task that derives runs. Short: a process that hangs may
 * hold machines of a task and then those of messages that wait for it, and devices should wait under five seconds.
 */
export const maxSilenceOfTask = 1500;

/** Prefix of the external id of order runs, which distinguishes them from reports. */
export const orderPrefix = 'vda5050 ';

/**
 * Sets `superseded_by` of runs after others were written: for reported and entered runs by `findSupersededRuns`, for
 * derived ones to the reported or entered run that counts and overlaps longest. `changedSpans` must contain the times
 * of each inserted, changed or removed run, before and after. Reads only runs that these can affect. Returns the ids of
 * the runs whose `superseded_by` changed.
 */
export async function supersedeRuns(tx: Queries, changedSpans: readonly RunSpan[]): Promise<number[]> {
  if (changedSpans.length === 0) return [];
  await lockMachines(tx, [...new Set(changedSpans.map(({ machineId }) => machineId))]);
  const reportedChanges = await supersedeReportedRuns(tx, mergeRunSpans(changedSpans));
  const spans = mergeRunSpans([...changedSpans, ...reportedChanges]);
  const derivedChanges = await tx.select(
    changeShape,
    sql`
    select distinct d.id, r.id as by, d.machine_id as "machineId", d.started_at as "from", d.ended_at as "to"
    from ${spansSql(spans)} join runs d on ${touchesSpanWhere(sql`d`)}
    left join lateral (select r.id from runs r where r.machine_id = d.machine_id and r.source <> 'derived'
      and r.deleted_at is null and r.superseded_by is null
      and r.started_at < d.ended_at and r.ended_at > d.started_at
      and r.started_at >= d.started_at - interval '31 days'
      order by least(r.ended_at, d.ended_at) - greatest(r.started_at, d.started_at) desc, r.id limit 1) r on true
    where d.source = 'derived' and d.deleted_at is null and d.superseded_by is distinct from r.id`,
  );
  await storeReplacements(tx, derivedChanges);
  return [...reportedChanges, ...derivedChanges].map(({ id }) => id);
}

interface SupersededChange extends RunSpan {
  id: number;
  /** The run that counts in its place, if any. */
  by: number | null;
}
const changeShape = {
  id: pg.integer,
  by: pg.integer.nullable,
  machineId: pg.integer,
  from: pg.timestamptz,
  to: pg.timestamptz,
};

async function storeReplacements(tx: Queries, changes: readonly SupersededChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.rows(sql`
    update runs r set superseded_by = x.by
    from unnest(${sql.param(changes.map(({ id }) => id))}::int[],
      ${sql.param(changes.map(({ by }) => by))}::int[]) as x(id, by)
    where r.id = x.id`);
}

/** SQL: spans as `w`. */
const spansSql = (spans: readonly RunSpan[]): SQL => sql`unnest(
  ${sql.param(spans.map(({ machineId }) => machineId))}::int[],
  ${sql.param(spans.map(({ from }) => from.toISOString()))}::timestamptz[],
  ${sql.param(spans.map(({ to }) => to.toISOString()))}::timestamptz[]) as w(machine_id, from_at, to_at)`;

/** SQL condition: a run touches the span `w`. Uses an index, since no run is longer than 31 days. */
const touchesSpanWhere = (run: SQL): SQL => sql`${run}.machine_id = w.machine_id
  and ${run}.started_at >= w.from_at - interval '31 days' and ${run}.started_at <= w.to_at
  and ${run}.ended_at >= w.from_at`;

const comparableShape = {
  ...changeShape,
  source: pg.text,
  externalId: pg.text.nullable,
  hasArea: pg.boolean,
};

/**
 * Applies `findSupersededRuns` to the reported and entered runs that touch the spans, and to those connected with them
 * through a chain of overlaps: a run that no longer counts may let one beyond the span count. Returns the changed runs.
 */
async function supersedeReportedRuns(tx: Queries, spans: readonly RunSpan[]): Promise<SupersededChange[]> {
  // Runs that overlap a run within its span touch the span, too; only runs that extend beyond it need another step. The
  // overlap may be 1 ms shorter than `isSameCleaning` requires, because of rounding. `offset 0` makes the planner look
  // up the overlapping runs of each run, rather than join all runs of the machine.
  const rows = await tx.select(
    comparableShape,
    sql`
    with recursive member as (
      select r.id, r.machine_id, r.started_at, r.ended_at,
        r.started_at < w.from_at or r.ended_at > w.to_at as extends_beyond
      from ${spansSql(spans)} join runs r on ${touchesSpanWhere(sql`r`)}
      where r.source <> 'derived' and r.deleted_at is null
      union
      select overlapping.*, true from member m cross join lateral (
        select r.id, r.machine_id, r.started_at, r.ended_at from runs r where r.machine_id = m.machine_id
        and r.started_at >= m.started_at - interval '31 days'
        and r.started_at < m.ended_at and r.ended_at > m.started_at
        and r.source <> 'derived' and r.deleted_at is null
        and 2 * (least(r.ended_at, m.ended_at) - greatest(r.started_at, m.started_at)) + interval '1 ms'
          >= least(r.ended_at - r.started_at, m.ended_at - m.started_at) offset 0
      ) overlapping where m.extends_beyond
    )
    select r.id, r.superseded_by as by, r.machine_id as "machineId", r.started_at as "from", r.ended_at as "to",
      r.source, r.external_id as "externalId", r.cleaned_area_m2 is not null as "hasArea"
    from (select distinct id from member) m cross join lateral (select * from runs r where r.id = m.id offset 0) r`,
  );
  const replacementIds = findSupersededRuns(rows.map(comparableRunOf));
  const changes = rows.flatMap(({ id, by: formerId, machineId, from, to }): SupersededChange[] => {
    const replacement = replacementIds.get(id) ?? null;
    return replacement === formerId ? [] : [{ id, by: replacement, machineId, from, to }];
  });
  await storeReplacements(tx, changes);
  return changes;
}

const comparableRunOf = ({
  id,
  machineId,
  source,
  from,
  to,
  externalId,
  hasArea,
}: RowOf<typeof comparableShape>): ComparableRun => ({
  ...{ id, machine: machineId, source, from: from.getTime() / 1000, to: to.getTime() / 1000, externalId, hasArea },
  isOrder: source === 'reported' && (externalId?.startsWith(orderPrefix) ?? false),
});
