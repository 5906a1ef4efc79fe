import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { hasMapPlace } from './mapPlaces';

/** An observation that was added, changed or removed. */
export interface ObservationChange {
  machineId: number;
  at: Date;
  attributes: object | null;
}

/**
 * Forgets what was computed of runs during which positions on maps changed. The caller holds the locks of the machines,
 * under which coverage is stored (`storedCoverage.ts`).
 */
export async function forgetCoverage(tx: Queries, changes: readonly ObservationChange[]): Promise<void> {
  const changesOnMaps = changes.filter(({ attributes }) => hasMapPlace(attributes));
  if (changesOnMaps.length === 0) return;
  await tx.rows(sql`
    delete from run_coverage c using (
      select machine_id, min(at) as first, max(at) as last
      from unnest(${sql.param(changesOnMaps.map(({ machineId }) => machineId))}::int[],
        ${sql.param(changesOnMaps.map(({ at }) => at.toISOString()))}::timestamptz[]) as g(machine_id, at) group by 1
    ) g where c.machine_id = g.machine_id and c.to_at >= g.first and c.from_at <= g.last`);
}
