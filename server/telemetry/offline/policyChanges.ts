/**
 * Lets timelines follow limits of silence that have changed: what lasts is told by the new limit, what was over before
 * stays as it was.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Queries } from '../../db/core/database';
import { rebuildTimelines } from '../ingest/ingest';
import { lockWatches } from '../ingest/machineState';
import { materializeLastObservation } from '../ingest/materializeObservations';
import { addToDays } from '../timeline/days';
import { intervalDelta } from '../timeline/intervalDelta';
import { affectsTimeline, type Stored } from '../timeline/neighbours';
import { offlinePolicyAfter, type Protocol, type Reason } from '../timeline/observation';
import { diffSnapshots, readSnapshots } from '../timeline/snapshot';
import { offlineAt } from '../timeline/timeline';

/** Machines told in one transaction. */
const batch = 200;

/** Tells some machines whose limits have changed; gives how many, and what open pages are to hear after the commit. */
export async function applyOfflinePolicyChanges(
  tx: Queries,
  now: Date,
): Promise<{ machines: number; events: LiveEvent[] }> {
  const waiting = await tx.rows<{ machine_id: number }>(
    sql`select distinct machine_id from silence_limits where not told order by machine_id limit ${batch}::int`,
  );
  if (waiting.length === 0) return { machines: 0, events: [] };
  const ids = waiting.map(({ machine_id }) => machine_id);
  await lockWatches(tx, ids);
  const changed = await tx.rows<{ machine_id: number; from_at: Date }>(
    sql`update silence_limits set told = true where machine_id = any(${sql.param(ids)}::int[]) and not told
      returning machine_id, from_at`,
  );
  // Only now: every change that counts as told must be among them.
  const before = await lockWatches(tx, ids);
  const looked = await readSnapshots(tx, ids);
  await materializeLastObservation(tx, ids);
  const seen = await seenSince(tx, changed);
  const told = await rebuildTimelines(tx, { news: seen, before, now });
  await addToDays(tx, told.flatMap(intervalDelta), []);
  const last = seen.filter(({ isLast }) => isLast);
  await show(
    tx,
    last.map((one) => ({
      id: one.machineId,
      silent: offlineAt({ at: one.at, ...offlinePolicyAfter(one) }, undefined, before.get(one.machineId)?.limits ?? []),
    })),
  );
  return { machines: ids.length, events: diffSnapshots(looked, await readSnapshots(tx, ids)) };
}

interface Last extends Stored {
  protocol: Protocol;
  reason: Reason;
  isLast: boolean;
}

/**
 * The last observation of each machine, and those that ended a silence since a limit changed: devices may be ahead of
 * us.
 */
async function seenSince(tx: Queries, changed: readonly { machine_id: number; from_at: Date }[]): Promise<Last[]> {
  const found = (condition: SQL) =>
    sql`from observations o where o.machine_id = c.machine_id and ${affectsTimeline} and ${condition}`;
  const rows = await tx.rows<{
    machine_id: number;
    at: Date;
    kind: string;
    protocol: Protocol;
    reason: Reason;
    is_last: boolean;
  }>(sql`
    with changed as (
      select machine_id, min(from_at) as from_at
      from unnest(${sql.param(changed.map(({ machine_id }) => machine_id))}::int[],
        ${sql.param(changed.map(({ from_at }) => from_at.toISOString()))}::timestamptz[]) as given(machine_id, from_at)
        group by 1
    )
    select c.machine_id, o.at, o.kind, o.protocol, o.reason, false as is_last from changed c
    cross join lateral (select o.* ${found(sql`o.at >= c.from_at`)}) o
    union all
    select c.machine_id, o.at, o.kind, o.protocol, o.reason, true from changed c cross join lateral (
      select o.* ${found(sql`true`)} order by date_trunc('second', o.at) desc, o.at desc, o.kind desc limit 1) o`);
  return rows.map(({ machine_id, is_last, ...seen }) => ({ machineId: machine_id, isLast: is_last, ...seen }));
}

/** Writes the open segments to where lists read them, and when the next silence will be too long. */
async function show(tx: Queries, machines: readonly { id: number; silent: number }[]): Promise<void> {
  const given = sql`unnest(${sql.param(machines.map(({ id }) => id))}::int[],
    ${sql.param(machines.map(({ silent }) => silent))}::float8[]) as g(id, silent)
    join segments open on open.machine_id = g.id and open.to_at is null`;
  await tx.rows(sql`
    update machine_watch w set silent_at = case when open.state <> 'Offline' then to_timestamp(g.silent) end
    from ${given} where w.machine_id = g.id`);
  await tx.rows(sql`
    update machines_state s set status = open.state, status_since = open.from_at, mode = open.mode from ${given}
    where s.id = g.id`);
}
