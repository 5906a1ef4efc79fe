/** Tables of service other than entries and plans. */
import { date, integer, numeric, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';
import { rowId } from './entities';

/** Values that were entered by hand, as they were before the machine's first service entry replaced them. */
export const serviceByHand = pgTable('service_by_hand', {
  machine_id: integer('machine_id')
    .primaryKey()
    .references(() => rowId('machines'), { onDelete: 'cascade' }),
  last_service: date('last_service'),
  total_maintenance_cost: numeric('total_maintenance_cost', { precision: 12, scale: 2 }),
});

/** Secret address of a user's calendar feed, as SHA-256. One per user; a new one replaces it. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    user_id: integer('user_id')
      .primaryKey()
      .references(() => rowId('users'), { onDelete: 'cascade' }),
    token_hash: bytesColumn('token_hash').notNull(),
    created_at: instantColumn('created_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('calendar_feeds_token_hash_key').on(table.token_hash)],
);
