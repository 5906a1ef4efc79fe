/** Reports on their way by mail. */
import { index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../core/columns';
import { rowId } from './entities';

/**
 * One mail to one recipient, written in the transaction that puts its schedule on to the next turn. The id is that of
 * the mail, the same in every try.
 */
export const reportMessages = pgTable(
  'report_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    schedule_id: integer('schedule_id')
      .notNull()
      .references(() => rowId('report_schedules'), { onDelete: 'cascade' }),
    /** Either a user or an address. */
    user_id: integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' }),
    email: text('email'),
    /** The turn that it is of; its period ends before it. */
    turn_at: moment('turn_at').notNull(),
    /** When it is to be sent, or tried again; whoever sends it puts this off first. Null: it is done. */
    due_at: moment('due_at'),
    tries: smallint('tries').notNull().default(0),
    /** `sent`, `not_wanted`, `no_rights` or `failed`. */
    outcome: text('outcome'),
    done_at: moment('done_at'),
    /** Why the last try failed. */
    error: text('error'),
  },
  (at) => [
    index('report_messages_due_at_idx').on(at.due_at),
    index('report_messages_schedule_id_idx').on(at.schedule_id),
  ],
);
