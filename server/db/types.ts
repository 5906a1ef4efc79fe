/** How values travel: what `Queries` promises, for postgres.js. */
import type { PostgresType } from 'postgres';

/** OIDs of PostgreSQL's own types (catalog pg_type). */
const oid = { int8: 20, json: 114, date: 1082, timestamp: 1114, timestamptz: 1184, jsonb: 3802 } as const;

export const valueTypes = {
  bigint: { to: oid.int8, from: [oid.int8], serialize: String, parse: Number },
  day: {
    to: oid.date,
    from: [oid.date],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value)),
    parse: (text: string) => text,
  },
  date: {
    to: oid.timestamptz,
    from: [oid.timestamp, oid.timestamptz],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
    parse: (text: string) => new Date(text),
  },
  json: {
    to: oid.jsonb,
    from: [oid.json, oid.jsonb],
    // A string is JSON text already: what PostgreSQL built is passed through, never parsed and printed again.
    serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
    parse: (text: string) => JSON.parse(text) as unknown,
  },
} satisfies Record<string, PostgresType>;
