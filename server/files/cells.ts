/**
 * Rows of a file as text that PostgreSQL prints, many in one piece: lines of csv, or JSON from which a workbook is
 * written.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type FileDelimiter, fileDelimiters } from '../../schema/shared/files';
import { csvLine } from './csv';
import { formulaPattern } from './formula';
import type { FileKind } from './stream';

/**
 * `json`: a value that is put into words afterwards. `float`: a double. `digits`: text of figures and plain words,
 * which needs no quotes and is no formula.
 */
export interface SheetCell {
  value: SQL;
  is: 'number' | 'float' | 'digits' | 'text' | 'json';
}

interface Rows extends FileKind {
  cells: readonly SheetCell[];
  from: SQL;
  /** What the rows of one piece are sorted by. */
  by: readonly { value: SQL; descending?: boolean }[];
}

/** Rows of one piece, so that a row costs the driver next to nothing. */
export const pieceRows = 1000;

/** Pieces that are fetched at once: fewer cost more in going to and fro. */
export const piecesAtOnce = 8;

/** A query of one row: all rows of `from` as the text `piece`, and how many they are: `rows`. */
export function pieceSql({ format, delimiter, cells, from, by }: Rows): SQL {
  const values = cells.map(
    ({ value, is }, index) => sql`${is === 'text' ? sql`(${value})::text` : value} as ${cell(index)}`,
  );
  const keys = by.map(({ value }, index) => sql`${value} as ${key(index)}`);
  const order = by.map((_, index) => sql`${key(index)}${sql.raw(by[index]?.descending ? ' desc' : '')}`);
  const row =
    format === 'csv'
      ? line(cells, delimiter)
      : sql`json_build_array(${sql.join(
          cells.map((_, index) => cell(index)),
          sql`, `,
        )})::text`;
  // Sorted before they are joined, so that rows which come in order need not be sorted; the offset keeps values from
  // being computed once per place where they are looked at.
  return sql`select string_agg(${row}, ${sql.raw(format === 'csv' ? "''" : "','")}) as piece, count(*)::int as rows
    from (select ${sql.join([...values, ...keys], sql`, `)} from ${from} order by ${sql.join(order, sql`, `)} offset 0)
    printed`;
}

/** A cell of few words that are known beforehand. */
export const wordsCell = (value: SQL, words: readonly string[]): SheetCell => ({
  value,
  is: words.every((word) => fileDelimiters.every((delimiter) => csvLine([word], delimiter) === `${word}\r\n`))
    ? 'digits'
    : 'text',
});

const cell = (index: number): SQL => sql`${sql.identifier(`c${index}`)}`;
const key = (index: number): SQL => sql`${sql.identifier(`k${index}`)}`;

const line = (cells: readonly SheetCell[], delimiter: FileDelimiter): SQL =>
  sql`concat(${sql.join(
    cells.flatMap(({ is }, index) => [
      ...(index > 0 ? [sql.raw(`'${delimiter}'`)] : []),
      printers[is](cell(index), delimiter),
    ]),
    sql`, `,
  )}, ${sql.raw("E'\\r\\n'")})`;

const same = (value: SQL): SQL => value;
/** Without an exponent, as people write numbers. */
const plain = (value: SQL): SQL =>
  sql`case when abs(${value}) >= 1e15 or (${value} <> 0 and abs(${value}) < 1e-4) then
    trim_scale(${value}::numeric)::text else ${value}::text end`;
const decimal = (value: SQL, delimiter: FileDelimiter): SQL =>
  delimiter === ';' ? sql`replace((${value})::text, '.', ',')` : value;
const printers: Record<SheetCell['is'], (value: SQL, delimiter: FileDelimiter) => SQL> = {
  number: decimal,
  digits: same,
  float: (value, delimiter) => decimal(plain(value), delimiter),
  text: safe,
  json: safe,
};

const space = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/**
 * As `csvLine` prints it. What begins with a letter or figure, ends with a visible sign and holds no separator is seen
 * to be harmless without looking closer.
 */
function safe(value: SQL, delimiter: FileDelimiter): SQL {
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
