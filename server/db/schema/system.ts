/** Tables of the server's own machinery. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytesColumn, instantColumn } from '../core/columns';

/**
 * Write counts per table, one row per backend so that writers never wait for each other; their sum validates cached
 * counts.
 */
export const writeCounts = pgTable(
  'write_counts',
  {
    relation: text('relation').notNull(),
    backend: integer('backend').notNull(),
    n: bigint('n', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ name: 'write_counts_pkey', columns: [table.relation, table.backend] })],
);

/** Uploaded images and documents. The server generates names and never reuses them. */
export const files = pgTable(
  'files',
  {
    name: text('name').primaryKey(),
    media_type: text('media_type').notNull(),
    size: integer('size').notNull(),
    /** Null once the file is in the object storage. */
    bytes: bytesColumn('bytes'),
    /** Object that holds the bytes; without effect while `bytes` is set. */
    object_key: text('object_key'),
    /** SHA-256 of the bytes in the object storage. */
    digest: bytesColumn('digest'),
    created_at: instantColumn('created_at').notNull().defaultNow(),
    /** When the sweep first found no row that references the file. */
    unused_since: instantColumn('unused_since'),
  },
  (table) => [index('files_in_database').on(table.created_at).where(sql`bytes is not null`)],
);

/** First responses to creations with an `Idempotency-Key`, per user, returned to repeated requests. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** For a device: the negative id of its tracker. */
    user_id: integer('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of method, URL and content without passwords: the same key with another request is a conflict. */
    request: text('request').notNull(),
    /** Null while the first request runs. */
    status: integer('status'),
    body: text('body'),
    created_at: instantColumn('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [table.user_id, table.key] }),
    index('idempotency_keys_created_at_idx').on(table.created_at),
  ],
);

/** Events of `GET /events`, kept for 15 minutes so that a page catches up by `Last-Event-ID`. */
export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    entity: text('entity').notNull(),
    row_id: integer('row_id').notNull(),
    type: text('type').notNull(),
    payload: jsonb('payload'),
    created_at: instantColumn('created_at').notNull().defaultNow(),
  },
  (table) => [index('events_created_at_idx').on(table.created_at)],
);

/** Persistent sessions at the MQTT broker of `MQTT_URL`, by number; 0 is the one subscription that is not shared. */
export const mqttSlots = pgTable('mqtt_slots', {
  slot: integer('slot').primaryKey(),
  /** False: the session is to be unsubscribed, drained and ended; then the row is deleted. */
  is_wanted: boolean('is_wanted').notNull(),
  /** When the broker first confirmed its subscriptions. */
  subscribed_at: instantColumn('subscribed_at'),
});
