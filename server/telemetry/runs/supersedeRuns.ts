/** Marks derived runs as superseded by the reported or entered run of the same time. */
import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Locks the machines for work on their runs, so that reports and derived runs see each other. */
export const lockRunsOf = (tx: Queries, machineIds: readonly number[]): Promise<unknown> =>
  tx.rows(
    sql`select id from machines_state where id = any(${sql.param([...machineIds])}::int[]) order by id for update`,
  );

/**
 * Sets `superseded_by` of the machines' derived runs: the run that shares the most time with it, of those that were
 * reported or entered. Returns the ids of changed runs.
 */
export async function supersedeRuns(tx: Queries, machineIds: readonly number[]): Promise<number[]> {
  await lockRunsOf(tx, machineIds);
  const changed = await tx.select(
    { id: pg.integer },
    sql`
    update runs d set superseded_by = x.by from (
      select d.id, (select r.id from runs r where r.machine_id = d.machine_id and r.source <> 'derived'
        and r.deleted_at is null and r.started_at < d.ended_at and r.ended_at > d.started_at
        and r.started_at >= d.started_at - interval '31 days'
        order by least(r.ended_at, d.ended_at) - greatest(r.started_at, d.started_at) desc, r.id limit 1) as by
      from runs d where d.machine_id = any(${sql.param([...machineIds])}::int[]) and d.source = 'derived'
      and d.deleted_at is null
    ) x where d.id = x.id and d.superseded_by is distinct from x.by returning d.id`,
  );
  return changed.map(({ id }) => id);
}
