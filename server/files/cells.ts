/** Formats rows of files in PostgreSQL, many rows per text: lines of CSV, or JSON for a workbook. */
import { type SQL, sql } from 'drizzle-orm';
import { type FileDelimiter, fileDelimiters } from '../../schema/shared/files';
import { csvLine } from './csv';
import { formulaPattern } from './formula';
import type { FileKind } from './sendSheet';

/**
 * Type of a column. `json`: formatted later by `say`. `float`: a double. `digits`: digits and plain words, which need
 * neither quoting nor defusing.
 */
export interface SheetCell {
  value: SQL;
  type: 'number' | 'float' | 'digits' | 'text' | 'json';
}

interface Rows extends FileKind {
  cells: readonly SheetCell[];
  from: SQL;
  /** Sort order of the rows in one piece. */
  by: readonly { value: SQL; descending?: boolean }[];
}

/** Rows per piece; with many rows per text the driver's cost per row is negligible. */
export const pieceRows = 1000;

/** Pieces fetched per batch: smaller batches cost more round trips. */
export const piecesAtOnce = 8;

/** Query of a single row: `piece`, the text of all rows of `from`, and `rows`, their number. */
export function pieceSql({ format, delimiter, cells, from, by }: Rows): SQL {
  const keys = by.map(({ value }, index) => sql`${value} as ${key(index)}`);
  const order = by.map((_, index) => sql`${key(index)}${sql.raw(by[index]?.descending ? ' desc' : '')}`);
  // Sorted in a subselect before aggregation, so that rows already in order are not sorted again; `offset 0` keeps each
  // value from being computed once per use.
  return sql`select string_agg(${printedRow(cells, { format, delimiter })}) as piece, count(*)::int as rows
    from (select ${sql.join([...valuesOf(cells), ...keys], sql`, `)} from ${from} order by ${sql.join(order, sql`, `)}
    offset 0) printed`;
}

/**
 * Query of all pieces of `from` in one pass, which lets PostgreSQL join tables as a whole. Nothing is printed until
 * every row is read and sorted by `order`.
 */
export const piecesSql = ({ order, from, cells, ...kind }: Omit<Rows, 'by'> & { order: SQL }): SQL => sql`
  select string_agg(${printedRow(cells, kind)} order by nth) as piece, count(*)::int as rows
  from (select ${sql.join(valuesOf(cells), sql`, `)}, row_number() over (order by ${order}) as nth from ${from}
    offset 0) printed
  group by (nth - 1) / ${sql.raw(String(pieceRows))} order by (nth - 1) / ${sql.raw(String(pieceRows))}`;

const valuesOf = (cells: readonly SheetCell[]): SQL[] =>
  cells.map(({ value, type }, index) => sql`${type === 'text' ? sql`(${value})::text` : value} as ${cellSql(index)}`);

/** Arguments of `string_agg`: the text of a row and the separator. */
const printedRow = (cells: readonly SheetCell[], { format, delimiter }: FileKind): SQL =>
  format === 'csv'
    ? sql`${line(cells, delimiter)}, ''`
    : sql`json_build_array(${sql.join(
        cells.map((_, index) => cellSql(index)),
        sql`, `,
      )})::text, ','`;

/** Cell with one of a few fixed words. */
export const wordsCell = (value: SQL, words: readonly string[]): SheetCell => ({
  value,
  type: words.every((word) => fileDelimiters.every((delimiter) => csvLine([word], delimiter) === `${word}\r\n`))
    ? 'digits'
    : 'text',
});

const cellSql = (index: number): SQL => sql`${sql.identifier(`c${index}`)}`;
const key = (index: number): SQL => sql`${sql.identifier(`k${index}`)}`;

const line = (cells: readonly SheetCell[], delimiter: FileDelimiter): SQL =>
  sql`concat(${sql.join(
    cells.flatMap(({ type }, index) => [
      ...(index > 0 ? [sql.raw(`'${delimiter}'`)] : []),
      printers[type](cellSql(index), delimiter),
    ]),
    sql`, `,
  )}, ${sql.raw("E'\\r\\n'")})`;

const identity = (value: SQL): SQL => value;
/** Notation without exponent. */
const withoutExponent = (value: SQL): SQL =>
  sql`case when abs(${value}) >= 1e15 or (${value} <> 0 and abs(${value}) < 1e-4) then
    trim_scale(${value}::numeric)::text else ${value}::text end`;
const decimal = (value: SQL, delimiter: FileDelimiter): SQL =>
  delimiter === ';' ? sql`replace((${value})::text, '.', ',')` : value;
const printers: Record<SheetCell['type'], (value: SQL, delimiter: FileDelimiter) => SQL> = {
  number: decimal,
  digits: identity,
  float: (value, delimiter) => decimal(withoutExponent(value), delimiter),
  text: quotedText,
  json: quotedText,
};

const space = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/**
 * Prints like `csvLine`. The first condition is a fast path: text that starts with a letter or digit, ends with a
 * visible character and contains no separator needs no further check.
 */
function quotedText(value: SQL, delimiter: FileDelimiter): SQL {
  const defused = sql.raw(`'${formulaPattern}'`);
  const quoted = sql.raw(`'["${delimiter}\\r\\n]|^[${space}]|[${space}]$'`);
  const text = sql`(case when ${value} ~ ${defused} then '''' else '' end || ${value})`;
  return sql`case when ascii(${value}) not between 65 and 122 and ascii(${value}) not between 48 and 57
    or ascii(right(${value}, 1)) not between 33 and 126
    or strpos(${value}, ${sql.raw(`'${delimiter}'`)}) > 0 or strpos(${value}, '"') > 0
    or strpos(${value}, ${sql.raw("E'\\n'")}) > 0 or strpos(${value}, ${sql.raw("E'\\r'")}) > 0
    then case when ${text} ~ ${quoted} then '"' || replace(${text}, '"', '""') || '"' else ${text} end else ${value}
    end`;
}
