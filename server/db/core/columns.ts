/** Column type of each kind of field. The table is exhaustive: a new kind does not compile without a column. */
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

/** `bytea`, as Uint8Array both ways. */
export const bytesColumn = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
/** Timestamp with milliseconds, the precision of JavaScript and JSON. */
export const instantColumn = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

const textColumn = (name: string) => text(name);
const builders = {
  text: textColumn,
  longtext: textColumn,
  email: textColumn,
  phone: textColumn,
  color: textColumn,
  choice: textColumn,
  image: textColumn,
  integer: (name: string) => integer(name),
  number: (name: string) => doublePrecision(name),
  money: (name: string) => numeric(name, { precision: 12, scale: 2 }),
  boolean: (name: string) => boolean(name),
  date: (name: string) => date(name),
  instant: instantColumn,
  hours: (name: string) => jsonb(name),
  json: (name: string) => jsonb(name),
  tags: (name: string) => text(name).array().notNull().default(sql`'{}'::text[]`),
  ref: (name: string) => integer(name),
  // No column: links are in link tables; the feature that owns the entity stores the others.
  password: undefined,
  refs: undefined,
  many: undefined,
  records: undefined,
} satisfies Record<Kind, ((name: string) => PgColumnBuilderBase) | undefined>;

/** Whether the kind holds free text, which people sort by language and search inside. */
export const isProse = ({ kind }: Field): boolean => ['text', 'longtext', 'email', 'phone'].includes(kind);

/**
 * SQL: text in Unicode's root order (https://www.unicode.org/reports/tr10/), which compares letters, then accents, then
 * case, and does not depend on the locale of the database. Equality and uniqueness remain bytewise.
 */
export const collatedSql = (value: SQLWrapper): SQL => sql`${value} collate "und-x-icu"`;

/** PostgreSQL type of a field's column. */
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
  hours: 'jsonb',
  json: 'jsonb',
};

/** Column of a stored field; not null if required or with a default. */
export function columnOf(name: string, field: Field): PgColumnBuilderBase {
  const builder = builders[field.kind]?.(name);
  if (!builder) throw new Error(`A field of kind ${field.kind} has no column: ${name}`);
  const column = field.default === undefined ? builder : builder.default(sql.raw(sqlLiteral(field.default)));
  return field.required === true || field.default !== undefined ? column.notNull() : column;
}

/** Prints a default value as an SQL literal. */
export function sqlLiteral(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** Columns in addition to the declared fields, by entity. */
export const extraColumns: Readonly<Record<string, () => Record<string, PgColumnBuilderBase>>> = {
  /** Changed fields with their values before and after. */
  audit: () => ({ detail: jsonb('detail').notNull() }),
};
