/** Secrets of integrations, and the messages that their mapping could not read. */
import { index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';
import { rowId } from './entities';

const integrationReference = () =>
  integer('integration_id')
    .notNull()
    .references(() => rowId('integrations'), { onDelete: 'cascade' });

/** Sealed, not hashed, because a signature can be checked only with the secret itself. */
export const integrationSecrets = pgTable('integration_secrets', {
  integration_id: integrationReference().primaryKey(),
  secret: bytesColumn('secret').notNull(),
  created_at: instantColumn('created_at').notNull(),
});

/** Messages that the mapping could not read completely; equal ones are stored once. */
export const integrationMessages = pgTable(
  'integration_messages',
  {
    id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
    integration_id: integrationReference(),
    received_at: instantColumn('received_at').notNull(),
    /** SHA-256 of the body. */
    hash: text('hash').notNull(),
    times: integer('times').notNull().default(1),
    body: bytesColumn('body').notNull(),
    /** Length of the body. */
    size: integer('size').notNull(),
    /** `MessageReason[]` */
    reasons: jsonb('reasons').notNull(),
    /** When the reasons were found. */
    read_at: instantColumn('read_at').notNull(),
  },
  (table) => [
    unique('integration_messages_hash_key').on(table.integration_id, table.hash),
    index('integration_messages_received_at').on(table.received_at),
  ],
);
