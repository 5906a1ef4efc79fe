/** Tables that keep the server itself going. */
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, moment } from '../core/columns';

/**
 * Writes per table, one row per backend so that writers never wait for one another; the sum says whether a remembered
 * count still holds.
 */
export const writeCounts = pgTable(
  'write_counts',
  {
    relation: text('relation').notNull(),
    backend: integer('backend').notNull(),
    n: bigint('n', { mode: 'number' }).notNull(),
  },
  (at) => [primaryKey({ name: 'write_counts_pkey', columns: [at.relation, at.backend] })],
);

/** Uploaded images and documents; the name is made by the server and never reused. */
export const files = pgTable('files', {
  name: text('name').primaryKey(),
  media_type: text('media_type').notNull(),
  size: integer('size').notNull(),
  bytes: bytes('bytes').notNull(),
  created_at: moment('created_at').notNull().defaultNow(),
  /** When the sweep first found that no row names it. */
  unused_since: moment('unused_since'),
});

/** First answers to creations with an `Idempotency-Key`, per user, so that a repeat gets the same one. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Of a device: the negative of its tracker's id. */
    user_id: integer('user_id').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of method, path and body: the same key with another request is a conflict. */
    request: text('request').notNull(),
    /** Null while the first request still runs. */
    status: integer('status'),
    body: text('body'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (at) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [at.user_id, at.key] }),
    index('idempotency_keys_created_at_idx').on(at.created_at),
  ],
);

/**
 * What `GET /events` sends, kept for a quarter of an hour so that a page that was away catches up by `Last-Event-ID`.
 */
export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    entity: text('entity').notNull(),
    row_id: integer('row_id').notNull(),
    type: text('type').notNull(),
    payload: jsonb('payload'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (at) => [index('events_created_at_idx').on(at.created_at)],
);
