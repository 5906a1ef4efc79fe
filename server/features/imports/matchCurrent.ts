/** Matches import rows to rows of the entity: by `id`, otherwise by natural key. */
import { type SQL, sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { problemOf } from '../../../schema/dsl/checks';
import type { Field } from '../../../schema/dsl/field';
import { column, notDeleted } from '../../access/entityModel';
import { type CurrentRow, isSameValue, readStoredRows } from '../../crud/write/lockRows';
import { sqlTypeOf } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import type { ImportContext, ImportDraft } from './importContext';

export const isBlank = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

const m = sql.raw('m');

/** Whether the value is in the range of PostgreSQL ids. */
export const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= 2_147_483_647;

/** Sets `current` of each draft that matches a row. An ambiguous match is a problem. */
export async function matchCurrent(
  context: ImportContext,
  db: Queries,
  drafts: readonly ImportDraft[],
  lock: boolean,
): Promise<void> {
  const ids = drafts.flatMap(({ values }) => (isId(values.id) ? [values.id] : []));
  const keyedDrafts = drafts
    .filter(({ values }) => values.id === undefined)
    .flatMap((draft) => listInterpretations(context, draft))
    .filter((draft) => rowKeyOf(context, draft) !== null);
  const conditions = [
    ...(ids.length > 0 ? [sql`m.id = any(${sql.param(ids)}::int[])`] : []),
    ...(keyedDrafts.length > 0 ? [keysSql(context, keyedDrafts)] : []),
  ];
  if (conditions.length === 0) return;
  const rows = await readStoredRows(db, context.entity, context.caller, {
    names: storedFieldNames(context),
    where: sql`(${sql.join(conditions, sql` or `)}) and ${notDeleted(m)}`,
    ...(lock && { lock: 'edit' as const }),
  });
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const rowsByKey = new Map<string, CurrentRow[]>();
  for (const row of rows) addToGroup(rowsByKey, naturalKeyOf(context, row), row);
  for (const draft of drafts) {
    if (draft.values.id !== undefined) {
      draft.current = rowsById.get(draft.values.id as number);
      if (!draft.current)
        draft.problems.push({ column: indexOf(context, 'id'), field: 'id', problem: { key: 'exists' } });
      continue;
    }
    const keys = listInterpretations(context, draft).flatMap(
      (interpretation) => rowKeyOf(context, interpretation) ?? [],
    );
    const matches = narrowMatches(
      context,
      draft,
      keys.flatMap((key) => rowsByKey.get(key) ?? []),
    );
    if (matches.length > 1)
      draft.problems.push({
        column: null,
        problem: { text: 'import_ambiguous_row', values: { count: matches.length } },
      });
    draft.current = matches.length === 1 ? matches[0] : undefined;
  }
}

/** Returns a copy of the draft for each row that an ambiguous name in its natural key may stand for. */
function listInterpretations(context: ImportContext, draft: ImportDraft): ImportDraft[] {
  const names = listKeyFields(context).filter((name) => context.entity.fields[name]?.kind === 'ref');
  const ambiguousName = draft.ambiguous.find(({ field }) => names.includes(field));
  if (!ambiguousName) return [draft];
  const ambiguous = draft.ambiguous.filter((other) => other !== ambiguousName);
  return ambiguousName.ids.map((id) => ({
    ...draft,
    ambiguous,
    values: { ...draft.values, [ambiguousName.field]: id },
  }));
}

/**
 * If several rows have the draft's key, narrows them to the one that already equals the draft, if there is exactly one.
 */
function narrowMatches(
  { entity }: ImportContext,
  { values, ambiguous }: ImportDraft,
  rows: readonly CurrentRow[],
): readonly CurrentRow[] {
  if (rows.length < 2) return rows;
  const resolvedValues = Object.entries(values).filter(([name]) => !ambiguous.some(({ field }) => field === name));
  const matchingRows = rows.filter((row) =>
    resolvedValues.every(([name, value]) => isSameValue(entity.fields[name] as Field, value, row[name])),
  );
  return matchingRows.length === 1 ? matchingRows : rows;
}

const indexOf = ({ mappings }: ImportContext, field: string) =>
  mappings.find((mapping) => mapping.field === field)?.index ?? null;

/** Fields of the natural key that the import fills. */
const listKeyFields = ({ entity, mappings }: ImportContext): string[] =>
  entity.imports.match.filter((name) => mappings.some(({ field }) => field === name));

/** Returns the natural key of a row; `null` if it is incomplete, invalid, or refers to a row not created yet. */
export function rowKeyOf(
  context: ImportContext,
  { values, problems, pendingReferences, ambiguous }: ImportDraft,
): string | null {
  const fields = listKeyFields(context);
  if (
    fields.length === 0 ||
    fields.some(
      (name) =>
        pendingReferences.has(name) ||
        ambiguous.some(({ field }) => field === name) ||
        problems.some(({ field }) => field === name),
    )
  )
    return null;
  const isInvalid = (name: string) =>
    !isBlank(values[name]) && problemOf(context.entity.fields[name] as Field, values[name]) !== undefined;
  return fields.every((name) => isBlank(values[name])) || fields.some(isInvalid) ? null : naturalKeyOf(context, values);
}

const naturalKeyOf = (context: ImportContext, row: Record<string, unknown>): string =>
  JSON.stringify(
    listKeyFields(context).map((name) => {
      const value = row[name] ?? null;
      const kind = context.entity.fields[name]?.kind;
      if (kind === 'instant' && value !== null) return new Date(value as string | Date).toISOString();
      return kind === 'email' && typeof value === 'string' ? value.toLowerCase() : value;
    }),
  );

/**
 * SQL condition: each key field equals one of its values in the drafts. Combinations are compared afterwards.
 */
function keysSql(context: ImportContext, drafts: readonly ImportDraft[]): SQL {
  const conditions = listKeyFields(context).map((name) => {
    const field = context.entity.fields[name] as Field;
    const values = [...new Set(drafts.map(({ values }) => values[name]).filter((value) => !isBlank(value)))];
    const isEmail = field.kind === 'email';
    const storedValue = isEmail ? sql`lower(${column(m, name)})` : column(m, name);
    const comparableValues = isEmail ? values.map((value) => String(value).toLowerCase()) : values;
    const isEqualSql = sql`${storedValue} = any(
      ${sql.param(comparableValues.map(String))}::text[]::${sql.raw(sqlTypeOf(field))}[])`;
    return drafts.some(({ values: row }) => isBlank(row[name]))
      ? sql`(${isEqualSql} or ${storedValue} is null)`
      : isEqualSql;
  });
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Names of the stored (not derived) fields, which validation needs from existing rows. */
function storedFieldNames({ entity }: ImportContext): string[] {
  const storedFields = Object.entries(entity.fields).filter(
    ([, { kind, store }]) =>
      kind === 'records' || (kind !== 'many' && kind !== 'password' && (store ?? 'row') === 'row'),
  );
  return storedFields.map(([name]) => name);
}
