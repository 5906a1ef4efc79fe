import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { hasMapPosition } from './mapPositions';

/** An observation that was added, changed or removed. */
export interface ObservationChange {
  machineId: number;
  at: Date;
  attributes: object | null;
}

/**
 * Deletes the stored coverage of runs during which positions on maps changed. The caller must hold the locks of the
 * machines, under which `storedCoverage.ts` writes.
 */
export async function forgetCoverage(tx: Queries, changes: readonly ObservationChange[]): Promise<void> {
  const changesOnMaps = changes.filter(({ attributes }) => hasMapPosition(attributes));
  if (changesOnMaps.length === 0) return;
  await tx.rows(sql`
    delete from run_coverage c using (
      select machine_id, min(at) as first, max(at) as last
      from unnest(${sql.param(changesOnMaps.map(({ machineId }) => machineId))}::int[],
        ${sql.param(changesOnMaps.map(({ at }) => at.toISOString()))}::timestamptz[]) as changed(machine_id, at)
      group by 1
    ) period where c.machine_id = period.machine_id and c.to_at >= period.first and c.from_at <= period.last`);
}
