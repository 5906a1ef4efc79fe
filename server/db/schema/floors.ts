/** Stored results of computations about floors. */
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';
import { rowId } from './entities';

/**
 * Cells that a run passed. The row is deleted when further positions of the run arrive; `key` names everything else
 * that the cells depend on.
 */
export const runCoverage = pgTable(
  'run_coverage',
  {
    run_id: integer('run_id')
      .primaryKey()
      .references(() => rowId('runs'), { onDelete: 'cascade' }),
    machine_id: integer('machine_id').notNull(),
    from_at: instantColumn('from_at').notNull(),
    to_at: instantColumn('to_at').notNull(),
    key: text('key').notNull(),
    /** Number of positions on the floor. */
    positions: integer('positions').notNull(),
    /** Number of positions on maps that are not linked to the floor. */
    elsewhere: integer('elsewhere').notNull(),
    /** In the format of `packCells`. */
    cells: bytesColumn('cells').notNull(),
    computed_at: instantColumn('computed_at').notNull().defaultNow(),
  },
  (table) => [index('run_coverage_machine').on(table.machine_id, table.to_at)],
);
