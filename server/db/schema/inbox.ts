/** Marks that people set on findings of the inbox, which have no row of their own. */
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { instantColumn } from '../core/columns';
import { rowId } from './entities';

const userReference = (name: string) => integer(name).references(() => rowId('users'), { onDelete: 'cascade' });

/**
 * Marks on findings. A mark applies to one occurrence: a machine that falls silent again is a new finding. A mark with
 * `snoozed_for` hides the finding from that user until `until`; others hide it from everybody but the assignee.
 */
export const inboxMarks = pgTable(
  'inbox_marks',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    /** Kind of the finding (`inboxKinds`). */
    kind: text('kind').notNull(),
    /** Id of the row found. */
    subject: text('subject').notNull(),
    /** Distinguishes occurrences of one subject, such as the moment of the silence. */
    occurrence: text('occurrence').notNull(),
    snoozed_for: userReference('snoozed_for'),
    until: instantColumn('until'),
    /** The user who takes care of the finding; null if the mark names nobody. */
    assignee_id: userReference('assignee_id'),
    /** Author of the mark; the name remains after deletion. */
    by_id: integer('by_id').references(() => rowId('users'), { onDelete: 'set null' }),
    by_name: text('by_name').notNull(),
    at: instantColumn('at').notNull(),
  },
  (table) => [
    unique('inbox_marks_subject_key').on(table.kind, table.subject, table.snoozed_for).nullsNotDistinct(),
    index('inbox_marks_snoozed_for_idx').on(table.snoozed_for),
    index('inbox_marks_assignee_id_idx').on(table.assignee_id),
    index('inbox_marks_by_id_idx').on(table.by_id),
    index('inbox_marks_until_idx').on(table.until).where(sql`until is not null`),
  ],
);
