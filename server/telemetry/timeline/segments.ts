/** Reads and writes stored segments. */

import { sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import type { StateName } from '../../../schema/entities/machines';
import type { Queries } from '../../db/core/database';
import { pipeline } from '../../db/core/pipeline';
import { pg } from '../../db/core/rowShape';
import type { Mode, Reason } from './observation';
import { queueRunChanges, type RunChange } from './queueRunChanges';
import type { Segment } from './timeline';
import { isoOfSeconds } from './timeline';

export interface SegmentRange {
  machineId: number;
  /** Seconds since 1970. */
  from: number;
  /** `null`: open end. */
  to: number | null;
}

/** Stored segments that overlap or touch one of the ranges, in order, by machine. */
export async function readSegmentsAround(
  tx: Queries,
  ranges: readonly SegmentRange[],
): Promise<Map<number, Segment[]>> {
  const rows = await tx.select(
    {
      machine_id: pg.integer,
      from: pg.double,
      to: pg.double.nullable,
      state: pg.text.as<StateName>(),
      mode: pg.text.as<Mode>().nullable,
      reason: pg.text.as<Reason>(),
      reason_at: pg.timestamptz,
    },
    sql`
    with range as (
      select * from unnest(${sql.param(ranges.map(({ machineId }) => machineId))}::int[],
      ${sql.param(ranges.map(({ from }) => isoOfSeconds(from)))}::timestamptz[],
        ${sql.param(ranges.map(({ to }) => (to === null ? null : isoOfSeconds(to))))}::timestamptz[]) as a(machine_id,
        from_at, to_at)
    )
    select distinct s.machine_id, extract(epoch from s.from_at)::float8 as from, extract(epoch
    from s.to_at)::float8 as to, s.state, s.mode, s.reason, s.reason_at
    from range a
    cross join lateral (select coalesce(max(b.from_at), a.from_at) as from_at from segments b
    where b.machine_id = a.machine_id and b.from_at < a.from_at) first
    join segments s on s.machine_id = a.machine_id and s.from_at >= first.from_at and s.from_at <= coalesce(a.to_at,
    'infinity')
    order by 1, 2`,
  );
  const result = new Map<number, Segment[]>();
  for (const { machine_id, from, to, state, mode, reason, reason_at } of rows) {
    const segment = { from, to, state, mode, reason, reasonAt: reason_at.getTime() };
    addToGroup(result, machine_id, segment);
  }
  return result;
}

export interface SegmentDiff {
  machineId: number;
  removed: readonly Segment[];
  added: readonly Segment[];
}

/** Stores the differences. Queues changed cleaning for `refreshDerivedRuns`, except cleaning in progress. */
export async function storeSegments(tx: Queries, changes: readonly SegmentDiff[]): Promise<void> {
  const removedSegments = changes.flatMap(({ machineId, removed }) => removed.map(({ from }) => ({ machineId, from })));
  const addedSegments = changes.flatMap(({ machineId, added }) => added.map((segment) => ({ machineId, ...segment })));
  const cleanedIntervals = changes.flatMap(({ machineId, removed, added }) =>
    [...removed, ...added].flatMap(({ from, to, state }): RunChange[] =>
      state === 'Cleaning' && to !== null ? [{ machineId, from, to }] : [],
    ),
  );
  await pipeline([
    ...(removedSegments.length > 0 ? [deleteSegments(tx, removedSegments)] : []),
    ...(addedSegments.length > 0 ? [insertSegments(tx, addedSegments)] : []),
    ...(cleanedIntervals.length > 0 ? [queueRunChanges(tx, cleanedIntervals)] : []),
  ]);
}

const deleteSegments = (tx: Queries, segments: readonly { machineId: number; from: number }[]) =>
  tx.rows(sql`
    delete from segments s using unnest(${sql.param(segments.map(({ machineId }) => machineId))}::int[],
    ${sql.param(segments.map(({ from }) => isoOfSeconds(from)))}::timestamptz[]) as g(machine_id, from_at)
    where s.machine_id = g.machine_id and s.from_at = g.from_at`);

const insertSegments = (tx: Queries, segments: readonly (Segment & { machineId: number })[]) =>
  tx.rows(sql`
    insert into segments (machine_id, from_at, to_at, state, mode, reason, reason_at)
    select * from unnest(${sql.param(segments.map(({ machineId }) => machineId))}::int[],
    ${sql.param(segments.map(({ from }) => isoOfSeconds(from)))}::timestamptz[],
      ${sql.param(segments.map(({ to }) => (to === null ? null : isoOfSeconds(to))))}::timestamptz[],
      ${sql.param(segments.map(({ state }) => state))}::text[],
      ${sql.param(segments.map(({ mode }) => mode))}::text[],
      ${sql.param(segments.map(({ reason }) => reason))}::text[],
      ${sql.param(segments.map(({ reasonAt }) => new Date(reasonAt).toISOString()))}::timestamptz[])`);
