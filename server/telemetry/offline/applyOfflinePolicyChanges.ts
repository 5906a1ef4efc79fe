/**
 * Applies changed offline policies to timelines: an ongoing silence follows the new policy, earlier ones keep theirs.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { rebuildTimelines } from '../ingest/insertMessages';
import { lockWatches } from '../ingest/machineState';
import { materializeLastObservation } from '../ingest/materializeObservations';
import { addToDays } from '../timeline/days';
import { intervalDelta } from '../timeline/intervalDelta';
import { affectsTimelineWhere, type StoredObservation } from '../timeline/neighbours';
import { offlinePolicyAfter, type Protocol, type Reason } from '../timeline/observation';
import { diffSnapshots, readSnapshots } from '../timeline/snapshots';
import { offlineAt } from '../timeline/timeline';

/** Machines per transaction. */
const batchSize = 200;

/**
 * Applies the pending policy changes of one batch of machines. Returns the number of machines, and the events to
 * publish after the commit.
 */
export async function applyOfflinePolicyChanges(
  tx: Queries,
  now: Date,
): Promise<{ machines: number; events: LiveEvent[] }> {
  const pendingMachines = await tx.select(
    { machine_id: pg.integer },
    sql`select distinct machine_id from silence_limits where not is_applied order by machine_id
      limit ${batchSize}::int`,
  );
  if (pendingMachines.length === 0) return { machines: 0, events: [] };
  const ids = pendingMachines.map(({ machine_id }) => machine_id);
  await lockWatches(tx, ids);
  const policyChanges = await tx.select(
    { machine_id: pg.integer, from_at: pg.timestamptz },
    sql`update silence_limits set is_applied = true where machine_id = any(${sql.param(ids)}::int[]) and not is_applied
      returning machine_id, from_at`,
  );
  // Read again after the update: the policies must include every change marked as applied.
  const watches = await lockWatches(tx, ids);
  const snapshotsBefore = await readSnapshots(tx, ids);
  await materializeLastObservation(tx, ids);
  const observations = await readObservationsSince(tx, policyChanges);
  const changes = await rebuildTimelines(tx, { observations, watches, now });
  await addToDays(tx, changes.flatMap(intervalDelta), []);
  const lastObservations = observations.filter(({ isLast }) => isLast);
  await copyOpenSegments(
    tx,
    lastObservations.map((observation) => ({
      id: observation.machineId,
      silentAt: offlineAt(
        { at: observation.at, ...offlinePolicyAfter(observation) },
        undefined,
        watches.get(observation.machineId)?.policies ?? [],
      ),
    })),
  );
  return { machines: ids.length, events: diffSnapshots(snapshotsBefore, await readSnapshots(tx, ids)) };
}

interface PolicyObservation extends StoredObservation {
  protocol: Protocol;
  reason: Reason;
  isLast: boolean;
}

/**
 * The last observation of each machine, and all since its policy changed, because each of these may have ended a
 * silence. Their times may be ahead of our clock.
 */
async function readObservationsSince(
  tx: Queries,
  policyChanges: readonly { machine_id: number; from_at: Date }[],
): Promise<PolicyObservation[]> {
  const fromSql = (condition: SQL) =>
    sql`from observations o where o.machine_id = c.machine_id and ${affectsTimelineWhere} and ${condition}`;
  const rows = await tx.select(
    {
      machine_id: pg.integer,
      at: pg.timestamptz,
      kind: pg.text,
      protocol: pg.text.as<Protocol>(),
      reason: pg.text.as<Reason>(),
      is_last: pg.boolean,
    },
    sql`
    with changed as (
      select machine_id, min(from_at) as from_at
      from unnest(${sql.param(policyChanges.map(({ machine_id }) => machine_id))}::int[],
        ${sql.param(policyChanges.map(({ from_at }) => from_at.toISOString()))}::timestamptz[])
        as input(machine_id, from_at)
        group by 1
    )
    select c.machine_id, o.at, o.kind, o.protocol, o.reason, false as is_last from changed c
    cross join lateral (select o.* ${fromSql(sql`o.at >= c.from_at`)}) o
    union all
    select c.machine_id, o.at, o.kind, o.protocol, o.reason, true from changed c cross join lateral (
      select o.* ${fromSql(sql`true`)} order by date_trunc('second', o.at) desc, o.at desc, o.kind desc limit 1) o`,
  );
  return rows.map(({ machine_id, is_last, ...row }) => ({ machineId: machine_id, isLast: is_last, ...row }));
}

/** Copies the open segments to the state rows, and stores when each silence will exceed the policy. */
async function copyOpenSegments(tx: Queries, machines: readonly { id: number; silentAt: number }[]): Promise<void> {
  const openSegments = sql`unnest(${sql.param(machines.map(({ id }) => id))}::int[],
    ${sql.param(machines.map(({ silentAt }) => silentAt))}::float8[]) as g(id, silent)
    join segments open on open.machine_id = g.id and open.to_at is null`;
  await tx.rows(sql`
    update machine_watch w set silent_at = case when open.state <> 'Offline' then to_timestamp(g.silent) end
    from ${openSegments} where w.machine_id = g.id`);
  await tx.rows(sql`
    update machines_state s set status = open.state, status_since = open.from_at, mode = open.mode from ${openSegments}
    where s.id = g.id`);
}
