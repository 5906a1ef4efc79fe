/** Outbox of scheduled reports. */
import { index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instantColumn } from '../core/columns';
import { rowId } from './entities';

/** Retired: scheduled reports are jobs now. Migration 0016 moved the open ones; the next release drops it. */
export const reportMessages = pgTable(
  'report_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    schedule_id: integer('schedule_id')
      .notNull()
      .references(() => rowId('report_schedules'), { onDelete: 'cascade' }),
    /** Exactly one of user and address. */
    user_id: integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' }),
    email: text('email'),
    /** The turn of the schedule; the period of the report ends before it. */
    turn_at: instantColumn('turn_at').notNull(),
    /** When to send or retry; a worker leases the message by moving it. Null: done. */
    due_at: instantColumn('due_at'),
    tries: smallint('tries').notNull().default(0),
    /** `sent`, `not_wanted`, `no_rights` or `failed`. */
    outcome: text('outcome'),
    done_at: instantColumn('done_at'),
    /** Error of the last attempt. */
    error: text('error'),
  },
  (table) => [
    index('report_messages_due_at_idx').on(table.due_at),
    index('report_messages_schedule_id_idx').on(table.schedule_id),
    index('report_messages_user_id_idx').on(table.user_id),
  ],
);
