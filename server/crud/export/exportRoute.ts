/** `GET /{r}/export`: the complete filtered and sorted list as a file, with the user's columns in their order. */
import { type SQL, sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Field, Kind } from '../../../schema/dsl/field';
import { hoursText } from '../../../schema/dsl/hours';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import { parseWidths, type Widths } from '../../../schema/shared/widths';
import { linkTableOf, notDeleted, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import { titleSql } from '../../access/titleSql';
import { readOnReplica } from '../../auth/auth';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { fixedTextCell, piecesAtOnce, type SheetCell } from '../../files/cells';
import type { Cell } from '../../files/csv';
import { abortOnDisconnect, type FileKind, fileKindOf, pieceShape, type Sheet, sendSheet } from '../../files/sendSheet';
import { queryStringOf } from '../../http/http';
import { listParameters, sheetParameters } from '../../http/queryParameters';
import { choiceOf, formatMessage, labelOf, nameOf } from '../../i18n/messages';
import { hoursTextSql, isColumn, jsonSql, type RowAliases, readableFields, valueSql } from '../query/fields';
import { mayFollowRelation } from '../query/filterNames';
import { relatedCountSql } from '../query/related';
import { exportPiecesSql, type SelectRequest } from '../query/selectStatements';

/** Parameters of the list, and of the file. */
export const exportParameters = [...listParameters, ...sheetParameters, 'columns', 'widths', 'raw'] as const;

/** Handler of the export of an entity. Throws 403 without permission, 400 for unknown columns. */
export const exportRoute =
  (entity: ModelEntity) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller } = request;
    requirePermission(caller, `${entity.name}.export`);
    const search = queryStringOf(request);
    const parameters = new URLSearchParams(search);
    const kind = fileKindOf(request, 'csv');
    const raw = parameters.get('raw') === '1';
    const columns = requestedColumns(entity, caller, { columnList: parameters.get('columns'), raw });
    const widths = parseWidths(parameters.get('widths')?.split(',') ?? []);
    return readOnReplica(request, async ({ db }) => {
      const { statement, ...sheet } = exportFile(
        { entity, caller, query: parseListQuery(search) },
        { ...kind, columns, raw, widths, isOnePass: db.kind === 'postgres' },
      );
      return sendSheet(reply, {
        ...sheet,
        ...kind,
        name: raw ? entity.name : nameOf(caller.language, entity, 2),
        pieces: db.stream(pieceShape, statement, piecesAtOnce, abortOnDisconnect(reply)),
      });
    });
  };

interface ExportOptions extends FileKind {
  columns: readonly string[];
  raw?: boolean;
  widths?: Widths;
  /** See `exportPiecesSql`. */
  isOnePass?: boolean;
}

/** The statement that yields a list in pieces, with headings and column widths. */
export function exportFile(
  request: SelectRequest,
  { format, delimiter, columns, raw = false, widths = {}, isOnePass = false }: ExportOptions,
): Pick<Sheet, 'head' | 'widths' | 'printRow'> & { statement: SQL } {
  const { entity, caller } = request;
  const cellsOf = (aliases: RowAliases, joins?: SQL[]) =>
    columns.map((name) => (raw ? plainCell(aliases, name) : readableCell(aliases, name, joins)));
  // Rows that the server formats itself leave PostgreSQL as JSON arrays, as those of workbooks do.
  const printRow = raw ? undefined : rowFormatter(entity, caller, columns);
  return {
    statement: exportPiecesSql(request, { format: printRow ? 'xlsx' : format, delimiter, cellsOf, isOnePass }),
    head: columns.map((name) => (raw ? name : labelOf(caller.language, entity, name))),
    widths: columns.map((name) => widths[name]),
    printRow,
  };
}

/** Columns that the caller may export; with `hasCounts` also the numbers of related rows. */
export const exportableColumns = (entity: ModelEntity, caller: Caller, hasCounts: boolean): string[] => [
  ...readableFields(entity, caller),
  ...(hasCounts
    ? [...entity.relations.values()]
        .filter(
          ({ isToOne, field, ...relation }) =>
            !isToOne && field.kind === 'many' && mayFollowRelation({ field, ...relation }, caller),
        )
        .map(({ name }) => name)
    : []),
];

/**
 * Returns the columns of a comma-separated list. Without a list, returns the default columns of the list page, preceded
 * by the id with `raw`, for re-import. Throws 400 for unknown and hidden columns.
 */
function requestedColumns(
  entity: ModelEntity,
  caller: Caller,
  { columnList, raw }: { columnList: string | null; raw: boolean },
): string[] {
  const availableNames = exportableColumns(entity, caller, !raw);
  const defaultNames = [...new Set([...(raw ? ['id'] : []), ...entity.list.columns])].filter((name) =>
    availableNames.includes(name),
  );
  const names = columnList ? [...new Set(columnList.split(',').filter((name) => name !== ''))] : defaultNames;
  const unknownNames = names.filter((name) => !availableNames.includes(name));
  if (unknownNames.length > 0) throw ApiError.notAllowed('field', unknownNames, availableNames);
  return [...names];
}

/** Cell in JSON form, which the import can read back. */
function plainCell(aliases: RowAliases, name: string): SheetCell {
  const field = aliases.entity.fields[name] as Field;
  const { kind } = field;
  const value = jsonSql(aliases, name);
  if (kind === 'hours') return { value: hoursTextSql(value), type: 'text' };
  if (kind === 'json') return { value: sql`(${value})::text`, type: 'text' };
  if (kind === 'tags') return { value: sql`array_to_json(${value})`, type: 'text' };
  // Without spaces, like a list of numbers joined by JavaScript.
  if (kind === 'refs') return { value: sql`replace(${value}::text, ' ', '')`, type: 'text' };
  return { value, type: plainTypes[kind] ?? 'text', isCheap: isColumn(field) };
}

/** Formatter of rows for entities with hook `exportFormats`; `undefined` if PostgreSQL formats everything. */
function rowFormatter(
  entity: ModelEntity,
  caller: Caller,
  columns: readonly string[],
): ((row: readonly unknown[]) => Cell[]) | undefined {
  const formats = columns.map((name) => entity.hooks.exportFormats?.[name]);
  if (!formats.some(Boolean)) return undefined;
  return (row) =>
    row.map((value, index) =>
      value === null ? null : (formats[index]?.format(value, { entity, caller }) ?? (value as Cell)),
    );
}

const plainTypes: Partial<Record<Kind, SheetCell['type']>> = {
  integer: 'number',
  ref: 'number',
  number: 'float',
  date: 'digits',
  instant: 'digits',
};

/**
 * Cell as the list shows it, in the reader's language. References by title, or by id without permission to read the
 * referenced entity.
 */
function readableCell(aliases: RowAliases, name: string, joins: SQL[] | undefined): SheetCell {
  const { entity, caller } = aliases;
  const exportFormat = entity.hooks.exportFormats?.[name];
  if (exportFormat) return { value: exportFormat.sql(aliases), type: 'json' };
  const relation = entity.fields[name]?.kind === 'many' ? entity.relations.get(name) : undefined;
  if (relation) return { value: relatedCountSql(aliases, relation), type: 'number' };
  const field = entity.fields[name] as Field;
  const [yes, no] = [formatMessage(caller.language, 'api.yes'), formatMessage(caller.language, 'api.no')];
  const cells: Partial<Record<Kind, () => SheetCell>> = {
    boolean: () =>
      fixedTextCell(
        sql`case when ${valueSql(aliases, name)} then ${yes} when not ${valueSql(aliases, name)} then ${no} end`,
        [yes, no],
      ),
    choice: () => choiceCell(aliases, name, field),
    date: () => ({ value: sql`to_char(${valueSql(aliases, name)}, 'DD.MM.YYYY')`, type: 'digits' }),
    // In the reader's time zone; UTC if the request names none.
    instant: () => ({
      value: sql`to_char(${valueSql(aliases, name)} at time zone ${caller.timeZone ?? 'UTC'}::text,
        'DD.MM.YYYY HH24:MI:SS')`,
      type: 'digits',
    }),
    tags: () => ({ value: sql`array_to_string(${valueSql(aliases, name)}, ', ')`, type: 'text' }),
    hours: () => ({ value: hoursTextSql(valueSql(aliases, name)), type: 'text' }),
    json: () => ({ value: sql`(${valueSql(aliases, name)})::text`, type: 'text' }),
    records: () => ({
      value: sql`(select string_agg((select value from json_each_text(record) limit 1), ', ' order by position)
        from json_array_elements(${valueSql(aliases, name)}::json) with ordinality as r(record, position))`,
      type: 'text',
    }),
    money: () => ({ value: sql`trim_scale((${valueSql(aliases, name)})::numeric)`, type: 'number' }),
    integer: () => ({ value: valueSql(aliases, name), type: 'number' }),
    number: () => ({ value: valueSql(aliases, name), type: 'float', isCheap: isColumn(field) }),
    refs: () => (mayNameReference(entity, field, caller) ? linkedTitlesCell(aliases, field) : plainCell(aliases, name)),
    ref: () => titleCell(aliases, name, joins),
  };
  return cells[field.kind]?.() ?? { value: jsonSql(aliases, name), type: 'text', isCheap: isColumn(field) };
}

function choiceCell(aliases: RowAliases, name: string, { choices = [] }: Field): SheetCell {
  const labels = choices.map((value) => choiceOf(aliases.caller.language, aliases.entity, { field: name, value }));
  const cases = choices.map((value, index) => sql`when ${value} then ${labels[index]}`);
  return fixedTextCell(
    sql`case ${valueSql(aliases, name)} ${sql.join(cases, sql` `)} else ${valueSql(aliases, name)} end`,
    labels,
  );
}

/** Title of a reference. With `joins`, it comes from a join, which takes half the time of a subselect per row. */
function titleCell(aliases: RowAliases, name: string, joins: SQL[] | undefined): SheetCell {
  const relation = aliases.entity.relations.get(name.replace(/_id$/, ''));
  if (!relation || !mayNameReference(aliases.entity, relation.field, aliases.caller))
    return { value: valueSql(aliases, name), type: 'number' };
  const to = aliases.context.alias();
  const title = titleSql(relation.target, { row: to, language: aliases.caller.language });
  const [targetTable, where] = [
    sql`${table(relation.target)} ${to}`,
    sql`${to}.id = ${valueSql(aliases, name)} and ${scopeWhere(relation.target, aliases.caller, to, aliases.context)}`,
  ];
  joins?.push(sql` left join ${targetTable} on ${where}`);
  const value = joins
    ? sql`case when ${to}.id is not null then ${title} end`
    : sql`(select ${title} from ${targetTable} where ${where})`;
  return { value, type: 'text', isCheap: joins !== undefined };
}

/** Whether the caller may read the entity that a reference names. */
const mayNameReference = ({ model }: ModelEntity, field: Field, caller: Caller): boolean =>
  mayFollowRelation({ field, target: model.require(field.to as string) }, caller);

function linkedTitlesCell({ entity, row, caller, context }: RowAliases, field: Field): SheetCell {
  const link = linkTableOf(entity, field);
  const target = entity.model.require(field.to as string);
  const [linkAlias, targetAlias] = [context.alias(), context.alias()];
  const title = titleSql(target, { row: targetAlias, language: caller.language });
  const value = sql`(select string_agg(${title}, ', ' order by ${targetAlias}.id) from ${link.table} ${linkAlias}
    join ${table(target)} ${targetAlias} on ${targetAlias}.id = ${linkAlias}.${link.otherColumn}
    where ${linkAlias}.${link.ownColumn} = ${row}.id and ${notDeleted(targetAlias)}
    and ${scopeWhere(target, caller, targetAlias, context)})`;
  return { value, type: 'text' };
}

/** Formats a value of a row in the reader's language. A reference must already be its title. */
export function formatValue(
  value: unknown,
  name: string,
  { entity, caller: { language, timeZone } }: { entity: ModelEntity; caller: Caller },
): string | number {
  const formats: Partial<Record<Kind, () => string | number>> = {
    boolean: () => formatMessage(language, value ? 'api.yes' : 'api.no'),
    choice: () => choiceOf(language, entity, { field: name, value: String(value) }),
    date: () => String(value).split('-').reverse().join('.'),
    instant: () => formatInstant(String(value), timeZone),
    tags: () => (value as string[]).join(', '),
    hours: () => hoursText(value),
    json: () => JSON.stringify(value),
    records: () => (value as Record<string, unknown>[]).map((record) => Object.values(record)[0]).join(', '),
    money: () => Number(value),
  };
  const kind = entity.fields[name]?.kind;
  return (kind && formats[kind]?.()) ?? (typeof value === 'number' ? value : String(value));
}

/** dd.mm.yyyy HH:MM:SS in the reader's time zone, as in lists; UTC if the request names none. */
function formatInstant(iso: string, timeZone = 'UTC'): string {
  const instantFormat =
    instantFormats.get(timeZone) ??
    new Intl.DateTimeFormat('de-DE', { timeZone, dateStyle: 'medium', timeStyle: 'medium' });
  instantFormats.set(timeZone, instantFormat);
  return instantFormat.format(new Date(iso)).replace(', ', ' ');
}

/** Formatters by time zone; constructing one takes longer than using it a thousand times. */
const instantFormats = new Map<string, Intl.DateTimeFormat>();
