/** Prints rows of files in PostgreSQL, many rows per text: as lines of CSV, or as JSON for a workbook. */
import { type SQL, sql } from 'drizzle-orm';
import { type FileDelimiter, fileDelimiters } from '../../schema/shared/files';
import { csvLine } from './csv';
import { formulaPattern } from './formula';
import type { FileKind } from './sendSheet';

/**
 * Type of a column. `json`: the entity's `exportFormats` hook formats it later. `float`: a double. `digits`: digits and
 * plain words, which never need quotes or an apostrophe.
 */
export interface SheetCell {
  value: SQL;
  type: 'number' | 'float' | 'digits' | 'text' | 'json';
  /** Whether computing the value again costs next to nothing, as for a column. */
  isCheap?: boolean;
}

interface Rows extends FileKind {
  cells: readonly SheetCell[];
  from: SQL;
  /** Sort order of the rows within the piece. */
  by: readonly { value: SQL; descending?: boolean }[];
}

/** Rows per piece. With so many rows per text, the driver's cost per row is negligible. */
export const pieceRows = 1000;

/** Pieces fetched per batch. Smaller batches cost more round trips. */
export const piecesAtOnce = 8;

/** Query of a single row: `piece`, the text of all rows of `from`, and `rows`, their number. */
export function pieceSql({ format, delimiter, cells, from, by }: Rows): SQL {
  const keys = by.map(({ value }, index) => sql`${value} as ${key(index)}`);
  const order = by.map((_, index) => sql`${key(index)}${sql.raw(by[index]?.descending ? ' desc' : '')}`);
  // Sorted in a subselect before aggregation, so that PostgreSQL does not sort rows that arrive in order. `offset 0`
  // keeps PostgreSQL from computing a value again at each of its uses.
  return sql`select coalesce(string_agg(${printedRow(cells, { format, delimiter })}, ${separatorSql(format)}), '')
    as piece, count(*)::int as rows
    from (select ${sql.join([...valuesOf(cells), ...keys], sql`, `)} from ${from} order by ${sql.join(order, sql`, `)}
    offset 0) cell`;
}

interface AllRows extends Omit<Rows, 'by'> {
  where: SQL;
  order: SQL;
}

/**
 * Query of all pieces of `from` in one pass, which lets PostgreSQL join whole tables. Prints nothing until every row is
 * read and sorted by `order`, which must be unique. The subselect sorts by piece, so that the rows of a piece need no
 * sort of their own.
 */
export const piecesSql = (rows: AllRows): SQL => sql`
  select string_agg(line, ${separatorSql(rows.format)}) as piece, count(*)::int as rows
  from (select line, (position - 1) / ${sql.raw(String(pieceRows))} as page
    from (${linesSql(rows)}) numbered order by page, position) lines
  group by page order by page`;

/** Subselect of the printed rows `line` with their `position`. */
function linesSql({ from, where, order, cells, ...kind }: AllRows): SQL {
  const values = sql.join(valuesOf(cells), sql`, `);
  const isRepeated = ({ type, isCheap }: SheetCell) => kind.format === 'csv' && !isCheap && repeatedTypes.has(type);
  if (cells.some(isRepeated))
    return sql`select ${printedRow(cells, kind)} as line, position
      from (select ${values}, row_number() over (order by ${order}) as position from ${from} where ${where}
        offset 0) cell`;
  // As a sort key, the line is printed before the sort, by parallel workers.
  return sql`select printed.line, row_number() over (order by ${order}, printed.line) as position
    from ${from} cross join lateral (select ${values}) cell
    cross join lateral (select ${printedRow(cells, kind)} as line) printed where ${where}`;
}

/** Types whose values a line of CSV mentions several times. */
const repeatedTypes: ReadonlySet<SheetCell['type']> = new Set(['float', 'text', 'json']);

const valuesOf = (cells: readonly SheetCell[]): SQL[] =>
  cells.map(({ value, type }, index) => sql`${type === 'text' ? sql`(${value})::text` : value} as ${cellName(index)}`);

const printedRow = (cells: readonly SheetCell[], { format, delimiter }: FileKind): SQL =>
  format === 'csv'
    ? line(cells, delimiter)
    : sql`json_build_array(${sql.join(
        cells.map((_, index) => cellSql(index)),
        sql`, `,
      )})::text`;

/** SQL of the separator between the rows of a piece. */
const separatorSql = (format: FileKind['format']): SQL => sql.raw(format === 'csv' ? "''" : "','");

/** Cell with one of a few fixed words. */
export const fixedTextCell = (value: SQL, words: readonly string[]): SheetCell => ({
  value,
  type: words.every((word) => fileDelimiters.every((delimiter) => csvLine([word], delimiter) === `${word}\r\n`))
    ? 'digits'
    : 'text',
});

const cellName = (index: number): SQL => sql`${sql.identifier(`c${index}`)}`;
/** A column of the subselect `cell`. Qualified, since an entity may have a field of the same name. */
const cellSql = (index: number): SQL => sql`cell.${cellName(index)}`;
const key = (index: number): SQL => sql`${sql.identifier(`k${index}`)}`;

function line(cells: readonly SheetCell[], delimiter: FileDelimiter): SQL {
  const print = (textPrinter: Printer) => {
    const printedCells = cells.map(({ type }, index) => {
      const printer = isText(type) ? textPrinter : printers[type];
      return printer(cellSql(index), delimiter);
    });
    return sql`concat(${sql.join(printedCells, sql.raw(`, '${delimiter}', `))}, ${sql.raw("E'\\r\\n'")})`;
  };
  const texts = cells.flatMap(({ type }, index) => (isText(type) ? [cellSql(index)] : []));
  if (texts.length === 0) return print(identity);
  // Few rows contain text that must be checked cell by cell; one match against all texts together finds those rows.
  return sql`case when concat(${sql.join(texts, sql.raw(`, E'${unitSeparator}', `))}) ~ ${unsafePattern(delimiter)}
    then ${print(quotedText)} else ${print(identity)} end`;
}

const isText = (type: SheetCell['type']): boolean => type === 'text' || type === 'json';

const unitSeparator = '\\u001f';
/** Latin letters beyond ASCII, as in `Öresund` or `Poznań`: no spreadsheet reads them as a formula or a blank. */
const accents = '\\u00c0-\\u024f';
/**
 * Pattern for texts joined by unit separators. Matches if one of them may need an apostrophe or quotes: it does not
 * begin with a Latin letter or digit, does not end with a visible character, or contains a quote, a line end or the
 * delimiter.
 */
const unsafePattern = (delimiter: FileDelimiter): SQL => {
  const [begins, ends] = [`(?:^|${unitSeparator})`, `(?:${unitSeparator}|$)`];
  return sql.raw(
    `'["${delimiter}\\r\\n]|${begins}[^A-Za-z0-9${accents}${unitSeparator}]|[^!-~${accents}${unitSeparator}]${ends}'`,
  );
};

type Printer = (value: SQL, delimiter: FileDelimiter) => SQL;

const identity: Printer = (value) => value;
/** Prints a double without an exponent. */
const withoutExponent = (value: SQL): SQL =>
  sql`case when abs(${value}) >= 1e15 or (${value} <> 0 and abs(${value}) < 1e-4) then
    trim_scale(${value}::numeric)::text else ${value}::text end`;
const decimal: Printer = (value, delimiter) => (delimiter === ';' ? sql`replace((${value})::text, '.', ',')` : value);
const printers: Record<SheetCell['type'], Printer> = {
  number: decimal,
  digits: identity,
  float: (value, delimiter) => decimal(withoutExponent(value), delimiter),
  text: quotedText,
  json: quotedText,
};

const space = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/** SQL that prints a text as `csvLine` does. */
function quotedText(value: SQL, delimiter: FileDelimiter): SQL {
  const defused = sql.raw(`'${formulaPattern}'`);
  const quoted = sql.raw(`'["${delimiter}\\r\\n]|^[${space}]|[${space}]$'`);
  const text = sql`(case when ${value} ~ ${defused} then '''' else '' end || ${value})`;
  return sql`case when ${value} ~ ${unsafePattern(delimiter)}
    then case when ${text} ~ ${quoted} then '"' || replace(${text}, '"', '""') || '"' else ${text} end else ${value}
    end`;
}
