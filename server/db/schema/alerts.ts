/** Tables behind alerts: what people did with them, reports from public pages, and signing keys of webhooks. */
import { index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';
import { rowId } from './entities';

const alertReference = () =>
  integer('alert_id')
    .notNull()
    .references(() => rowId('alerts'), { onDelete: 'cascade' });

/** Actions and comments of people on an alert. `name` keeps the person readable after deletion. */
export const alertNotes = pgTable(
  'alert_notes',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    alert_id: alertReference(),
    user_id: integer('user_id').references(() => rowId('users'), { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** `reported`, `acknowledged`, `closed` or `comment`. */
    kind: text('kind').notNull(),
    text: text('text'),
    at: instantColumn('at').notNull().defaultNow(),
  },
  (table) => [
    index('alert_notes_alert_id_idx').on(table.alert_id, table.id),
    index('alert_notes_user_id_idx').on(table.user_id),
  ],
);

/** Values that only reports from the public page of a machine have. */
export const publicReports = pgTable(
  'public_reports',
  {
    alert_id: integer('alert_id')
      .primaryKey()
      .references(() => rowId('alerts'), { onDelete: 'cascade' }),
    /** Hash of the token by which the reporter adds photos, for an hour. */
    token_hash: bytesColumn('token_hash').notNull(),
    /** Address for one mail when the problem is closed; deleted then. */
    email: text('email'),
    /** Language in which the page was read. */
    language: text('language').notNull(),
    created_at: instantColumn('created_at').notNull(),
  },
  (table) => [uniqueIndex('public_reports_token_hash_key').on(table.token_hash)],
);

/** Retired: messages about alerts are jobs now. Migration 0016 moved the open ones; the next release drops it. */
export const alertMessages = pgTable(
  'alert_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    alert_id: alertReference(),
    /** `fired`, `reminder` or `closed`. */
    event: text('event').notNull(),
    /** `email`, `sms` or `webhook`. */
    channel: text('channel').notNull(),
    /** Null for a webhook. */
    user_id: integer('user_id').references(() => rowId('users'), { onDelete: 'cascade' }),
    /** Payload of a webhook: the alert at the time of the event. */
    payload: jsonb('payload'),
    created_at: instantColumn('created_at').notNull(),
    /** When to send or retry; a worker leases the message by moving it. Null: done. */
    due_at: instantColumn('due_at'),
    tries: smallint('tries').notNull().default(0),
    /** `sent`, `not_wanted`, `over`, `failed` or `moved`. */
    outcome: text('outcome'),
    done_at: instantColumn('done_at'),
    /** Error of the last attempt. */
    error: text('error'),
  },
  (table) => [
    index('alert_messages_due_at_idx').on(table.due_at),
    index('alert_messages_alert_id_idx').on(table.alert_id),
    index('alert_messages_user_id_idx').on(table.user_id),
  ],
);

/** Signing keys of webhooks, by which receivers verify them; shown once. */
export const alertRuleSecrets = pgTable('alert_rule_secrets', {
  rule_id: integer('rule_id')
    .primaryKey()
    .references(() => rowId('alert_rules'), { onDelete: 'cascade' }),
  secret: bytesColumn('secret').notNull(),
  created_at: instantColumn('created_at').notNull().defaultNow(),
});
