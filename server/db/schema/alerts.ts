/** What keeps alerts going beside their rows: what people did with them, and the messages that are on their way. */
import { index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from '../core/columns';
import { rowId } from './entities';

const ofAlert = () =>
  integer('alert_id')
    .notNull()
    .references(() => rowId('alerts'), { onDelete: 'cascade' });

/** What people did with an alert and wrote about it. Who it was stays readable when they are gone. */
export const alertNotes = pgTable(
  'alert_notes',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    alert_id: ofAlert(),
    user_id: integer('user_id').references(() => rowId('users'), { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** `reported`, `acknowledged`, `closed` or `comment`. */
    kind: text('kind').notNull(),
    text: text('text'),
    at: moment('at').notNull().defaultNow(),
  },
  (at) => [index('alert_notes_alert_id_idx').on(at.alert_id, at.id)],
);

/**
 * Messages about alerts, written in the transaction of what they tell. The id is that of the delivery, the same in
 * every try.
 */
export const alertMessages = pgTable(
  'alert_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    alert_id: ofAlert(),
    /** `fired`, `reminder` or `closed`. */
    event: text('event').notNull(),
    /** `email`, `sms` or `webhook`. */
    channel: text('channel').notNull(),
    /** Null for a webhook. */
    user_id: integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' }),
    /** What a webhook is told: the alert as it was then. */
    payload: jsonb('payload'),
    created_at: moment('created_at').notNull(),
    /** When it is to be sent, or tried again; whoever sends it puts this off first. Null: it is done. */
    due_at: moment('due_at'),
    tries: smallint('tries').notNull().default(0),
    /** `sent`, `not_wanted`, `over` or `failed`. */
    outcome: text('outcome'),
    done_at: moment('done_at'),
    /** Why the last try failed. */
    error: text('error'),
  },
  (at) => [index('alert_messages_due_at_idx').on(at.due_at), index('alert_messages_alert_id_idx').on(at.alert_id)],
);

/** The keys by which receivers of webhooks know that a message is ours; shown once. */
export const alertRuleSecrets = pgTable('alert_rule_secrets', {
  rule_id: integer('rule_id')
    .primaryKey()
    .references(() => rowId('alert_rules'), { onDelete: 'cascade' }),
  secret: bytes('secret').notNull(),
  created_at: moment('created_at').notNull().defaultNow(),
});
