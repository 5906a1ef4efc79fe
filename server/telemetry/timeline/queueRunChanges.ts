import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { isoOfSeconds } from './timeline';

/** A stretch of a machine's timeline whose cleaning changed, in seconds since 1970. */
export interface RunChange {
  machineId: number;
  from: number;
  to: number;
}

/** Queues changes, one row per machine; `refreshDerivedRuns` derives the runs after the commit. */
export async function queueRunChanges(tx: Queries, changes: readonly RunChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.rows(sql`
    insert into run_changes (machine_id, from_at, to_at) select machine_id, min(from_at), max(to_at)
    from unnest(${sql.param(changes.map(({ machineId }) => machineId))}::int[],
      ${sql.param(changes.map(({ from }) => isoOfSeconds(from)))}::timestamptz[],
      ${sql.param(changes.map(({ to }) => isoOfSeconds(to)))}::timestamptz[]) as c(machine_id, from_at, to_at)
    group by 1 order by 1`);
}
