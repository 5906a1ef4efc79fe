/**
 * Sums per fleet and location over machines that are not deleted, for figures of whole fleets. Maintained by triggers
 * in the transaction of every write (fleetSumTriggers.ts). A write appends its changes instead of updating a sum, so
 * that writers never wait for each other; readers add the changes to the sums, and a periodic task folds them.
 * `location_id` is 0 without a location.
 */
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';

const placeColumns = () => ({
  fleet_id: integer('fleet_id').notNull(),
  location_id: integer('location_id').notNull(),
});
const day = () => date('day').notNull();
/** Areas are decimal, because sums of floats depend on their order and would drift. */
const workColumns = () => ({
  cleaning: numeric('cleaning').notNull(),
  robotic: numeric('robotic').notNull(),
  manual: numeric('manual').notNull(),
  area_m2: numeric('area_m2').notNull(),
  reported_area_m2: numeric('reported_area_m2').notNull().default('0'),
});

/**
 * Sums of what counts of `machine_days` (`countedDaysSql`), without dummies and without the changes that are not folded
 * yet.
 */
export const fleetDays = pgTable('fleet_days', { ...placeColumns(), day: day(), ...workColumns() }, (table) => [
  primaryKey({ name: 'fleet_days_pkey', columns: [table.day, table.fleet_id, table.location_id] }),
]);

/**
 * The same sums per fleet and machine type, so that figures per type need not read rows per location. `type_id` is 0
 * for custom types.
 */
export const typeDays = pgTable(
  'type_days',
  {
    fleet_id: integer('fleet_id').notNull(),
    type_id: integer('type_id').notNull(),
    day: day(),
    cleaning: numeric('cleaning').notNull(),
  },
  (table) => [primaryKey({ name: 'type_days_pkey', columns: [table.day, table.fleet_id, table.type_id] })],
);

/** Changes of `fleet_days` and `type_days` that are not folded yet. */
export const fleetDayChanges = pgTable(
  'fleet_day_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    ...placeColumns(),
    type_id: integer('type_id').notNull().default(0),
    day: day(),
    ...workColumns(),
  },
  (table) => [index('fleet_day_changes_day_idx').on(table.day)],
);

/**
 * Number of machines by place, state and cell of the map: the sum of `machines` over equal rows. Dummies have rows of
 * their own. `cell`: `map_cell` of the position, null without one.
 */
export const fleetStates = pgTable('fleet_states', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  ...placeColumns(),
  is_dummy: boolean('is_dummy').notNull(),
  status: text('status').notNull(),
  cell: bigint('cell', { mode: 'number' }),
  machines: integer('machines').notNull(),
});
