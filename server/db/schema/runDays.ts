/**
 * Sums of runs per day of their start (UTC), fleet and location, for figures of whole fleets. Maintained by triggers in
 * the transaction of every write (runDayTriggers.ts), which append its changes, so that writers never wait for each
 * other. Readers add the changes to the sums; the task that folds the sums of fleets folds these too. `location_id` is
 * 0 without a location.
 */
import { bigserial, date, index, integer, numeric, pgTable, primaryKey } from 'drizzle-orm/pg-core';

const placeColumns = () => ({
  day: date('day').notNull(),
  fleet_id: integer('fleet_id').notNull(),
  location_id: integer('location_id').notNull(),
});
/** `unknown`: runs without an outcome. Areas: of runs that have both. `help_s`: seconds until somebody helped. */
const amounts = () => ({
  completed: integer('completed').notNull(),
  partial: integer('partial').notNull(),
  aborted: integer('aborted').notNull(),
  failed: integer('failed').notNull(),
  unknown: integer('unknown').notNull(),
  planned_m2: numeric('planned_m2').notNull(),
  cleaned_m2: numeric('cleaned_m2').notNull(),
  interruptions: integer('interruptions').notNull(),
  helped: integer('helped').notNull(),
  help_s: numeric('help_s').notNull(),
});

/** Sums of runs that count: neither deleted nor superseded. */
export const runDays = pgTable('run_days', { ...placeColumns(), ...amounts() }, (table) => [
  primaryKey({ name: 'run_days_pkey', columns: [table.day, table.fleet_id, table.location_id] }),
]);

/** Changes of `run_days` that are not folded yet. */
export const runDayChanges = pgTable(
  'run_day_changes',
  { id: bigserial('id', { mode: 'number' }).primaryKey(), ...placeColumns(), ...amounts() },
  (table) => [index('run_day_changes_day_idx').on(table.day)],
);
