import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';

/**
 * Locks machines, ordered by id, until the transaction ends: against concurrent changes of their timelines and of their
 * runs, so that reports and derived runs see each other.
 */
export const lockMachines = (tx: Queries, machineIds: readonly number[]): Promise<unknown> =>
  tx.rows(sql`
    select id from machines_state where id = any(${sql.param([...machineIds])}::int[]) order by id for update`);
