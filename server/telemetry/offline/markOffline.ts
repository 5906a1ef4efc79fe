/**
 * Offline sweep: marks machines Offline that were silent for too long. Safe in any number of processes; each machine is
 * marked once.
 */
import { sql } from 'drizzle-orm';
import type { LiveEvent } from '../../context/eventBus';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { tryAdvisoryLock } from '../../db/core/tryAdvisoryLock';
import { addToDays, type SignedInterval } from '../timeline/days';
import type { Mode } from '../timeline/observation';
import { queueRunChanges } from '../timeline/queueRunChanges';
import { diffSnapshots, readSnapshots } from '../timeline/snapshots';
import { applyOfflinePolicyChanges } from './applyOfflinePolicyChanges';

/** Machines per transaction. */
const batchSize = 200;
/** Machines found by one read of the whole table, which has no index by time. */
const maxOverdue = 20_000;

/** Marks overdue machines Offline under their current policy, publishes the changes, returns their number. */
export async function markOffline({ db, live, now }: Pick<Services, 'db' | 'live' | 'now'>): Promise<number> {
  for (;;) {
    const { machines, events } = await db.transaction((tx) => applyOfflinePolicyChanges(tx, now()));
    if (events.length > 0) await live.publish(events);
    if (machines === 0) break;
  }
  let markedCount = 0;
  for (;;) {
    const machineIds = await findOverdue(db, now());
    const markedBefore = markedCount;
    for (let start = 0; start < machineIds.length; start += batchSize) {
      const batch = machineIds.slice(start, start + batchSize);
      const events = await db.transaction((tx) => sweepBatch(tx, batch, now()));
      if (events.length > 0) await live.publish(events);
      markedCount += events.length;
    }
    if (machineIds.length < maxOverdue || markedCount === markedBefore) return markedCount;
  }
}

/** Ids of machines that are silent for too long, the longest first. */
async function findOverdue(db: Queries, now: Date): Promise<number[]> {
  const rows = await db.select(
    { machine_id: pg.integer },
    sql`
    select machine_id from machine_watch where silent_at <= ${now.toISOString()}::timestamptz
    order by silent_at limit ${maxOverdue}::int`,
  );
  return rows.map(({ machine_id }) => machine_id);
}

const overdueShape = {
  machine_id: pg.integer,
  state: pg.text.as<SignedInterval['state']>(),
  mode: pg.text.as<Mode>().nullable,
  /** Seconds since 1970: `observed` is the end of the time in the daily sums, `silent` the start of Offline. */
  observed: pg.double,
  silent: pg.double,
};

/** Marks those of the machines Offline that are still silent. */
async function sweepBatch(tx: Queries, overdueIds: readonly number[], now: Date): Promise<LiveEvent[]> {
  if (!(await tryAdvisoryLock(tx, 'offlineSweep'))) return [];
  // `skip locked`: a machine that is being rebuilt has new messages, so it is not silent.
  const lockedRows = await tx.select(
    { id: pg.integer },
    sql`
    select id from machines_state where id = any(${sql.param([...overdueIds])}::int[]) order by id
    for update skip locked`,
  );
  // Only a statement after the lock sees the messages that were stored just before it.
  const silentMachines = await tx.select(
    overdueShape,
    sql`
    select w.machine_id, open.state, open.mode, floor(extract(epoch from w.observed_at))::float8 as observed,
    extract(epoch from w.silent_at)::float8 as silent
    from machine_watch w
    join segments open on open.machine_id = w.machine_id and open.to_at is null
    where w.machine_id = any(${sql.param(lockedRows.map(({ id }) => id))}::int[])
      and w.silent_at <= ${now.toISOString()}::timestamptz`,
  );
  if (silentMachines.length === 0) return [];
  const machineIds = silentMachines.map(({ machine_id }) => machine_id);
  const ids = sql`${sql.param(machineIds)}::int[]`;
  const snapshotsBefore = await readSnapshots(tx, machineIds);
  await tx.rows(sql`
    update segments s set to_at = w.silent_at from machine_watch w where w.machine_id = s.machine_id and s.to_at is null
    and s.machine_id = any(${ids})`);
  await tx.rows(sql`
    insert into segments (machine_id, from_at, to_at, state, mode, reason, reason_at)
    select machine_id, silent_at, null, 'Offline', null, 'silent', observed_at from machine_watch
    where machine_id = any(${ids})`);
  await queueRunChanges(
    tx,
    silentMachines.flatMap(({ machine_id: machineId, state, observed: from, silent: to }) =>
      state === 'Cleaning' ? [{ machineId, from, to }] : [],
    ),
  );
  await addToDays(
    tx,
    silentMachines.map(({ machine_id, state, mode, observed, silent: to }) => ({
      machineId: machine_id,
      from: observed,
      to,
      state,
      mode,
      sign: 1,
    })),
    [],
  );
  await tx.rows(sql`
    update machines_state s set status = 'Offline', status_since = w.silent_at, mode = null from machine_watch w
    where w.machine_id = s.id and s.id = any(${ids})`);
  await tx.rows(sql`update machine_watch set silent_at = null where machine_id = any(${ids})`);
  return diffSnapshots(snapshotsBefore, await readSnapshots(tx, machineIds));
}

/** Sweeps now, without waiting. If it fails, the periodic sweep follows. */
export function sweepSoon(services: Pick<Services, 'db' | 'live' | 'now' | 'log'>): void {
  void markOffline(services).catch((error: unknown) =>
    services.log.warn({ err: error }, 'offline sweep failed; the periodic one follows'),
  );
}
