/** Stored results of computations about floors. */
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';
import { rowId } from './entities';

/** Cells that a run passed. Later positions delete the row; `key` contains everything else on which it depends. */
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
    /** Number of positions on the floor, and of those on maps that are not linked to it. */
    positions: integer('positions').notNull(),
    elsewhere: integer('elsewhere').notNull(),
    /** In the format of `packCells`. */
    cells: bytesColumn('cells').notNull(),
    computed_at: instantColumn('computed_at').notNull().defaultNow(),
  },
  (table) => [index('run_coverage_machine').on(table.machine_id, table.to_at)],
);
