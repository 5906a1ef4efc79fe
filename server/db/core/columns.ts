/** Which column a field becomes. One table over the kinds: a new kind does not compile until it has its column. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  type PgColumnBuilderBase,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { Field, Kind } from '../../../schema/dsl/field';

/** Bytes, as Uint8Array both ways. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
/** A moment, exact to the millisecond: what JavaScript and JSON can hold. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

const words = (name: string) => text(name);
const builders = {
  text: words,
  longtext: words,
  email: words,
  phone: words,
  color: words,
  choice: words,
  image: words,
  integer: (name: string) => integer(name),
  number: (name: string) => doublePrecision(name),
  money: (name: string) => numeric(name, { precision: 12, scale: 2 }),
  boolean: (name: string) => boolean(name),
  date: (name: string) => date(name),
  instant: moment,
  tags: (name: string) => text(name).array().notNull().default(sql`'{}'::text[]`),
  ref: (name: string) => integer(name),
  // Kept elsewhere: links in their own table, the rest by server/entities/<entity>.ts.
  password: undefined,
  refs: undefined,
  many: undefined,
  records: undefined,
} satisfies Record<Kind, ((name: string) => PgColumnBuilderBase) | undefined>;

/** Kinds that hold what people write and read as words, names and numbers with letters. */
export const isWords = ({ kind }: Field): boolean => ['text', 'longtext', 'email', 'phone'].includes(kind);

/**
 * Puts words in an order that people expect, the same on every database whatever its own language: letters first, then
 * accents, then capitals (Unicode's root order, https://www.unicode.org/reports/tr10/). Equality and uniqueness stay a
 * matter of bytes.
 */
export const asWords = (value: SQLWrapper): SQL => sql`${value} collate "und-x-icu"`;

/** PostgreSQL's name of the type of a field's column. */
export const sqlTypeOf = ({ kind }: Field): string => sqlTypes[kind] ?? 'text';

const sqlTypes: Partial<Record<Kind, string>> = {
  integer: 'int',
  ref: 'int',
  number: 'float8',
  money: 'numeric(12,2)',
  boolean: 'boolean',
  date: 'date',
  instant: 'timestamptz(3)',
  tags: 'text[]',
};

/** The column of a stored field: required and defaulted fields are never null. */
export function columnOf(name: string, field: Field): PgColumnBuilderBase {
  const builder = builders[field.kind]?.(name);
  if (!builder) throw new Error(`A field of kind ${field.kind} has no column: ${name}`);
  const column = field.default === undefined ? builder : builder.default(sql.raw(literal(field.default)));
  return field.required === true || field.default !== undefined ? column.notNull() : column;
}

/** A declared value as SQL. */
export function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** Columns beside the declared fields, by entity: what `server/entities/<entity>.ts` reads derived ones from. */
export const further: Readonly<Record<string, () => Record<string, PgColumnBuilderBase>>> = {
  /** By field: what it held before and what after. */
  audit: () => ({ detail: jsonb('detail').notNull() }),
};
