/** Validates import rows with the rules of forms, using queries for many rows at a time. */
import type { Field } from '../../../schema/dsl/field';
import { hasPermission } from '../../context/caller';
import { ApiError, type FieldProblem } from '../../context/errors';
import { writableFields } from '../../crud/query/fields';
import { type RuleResult, validateRules } from '../../crud/write/validateDraft';
import type { Queries } from '../../db/core/database';
import { findDuplicateValues } from './findDuplicateValues';
import { textOfCell } from './importCell';
import type { CellProblem, FileRow, ImportContext, ImportDraft, RuleCheckedRow, ValidatedRow } from './importContext';
import { isBlank, matchCurrent, rowKeyOf } from './matchCurrent';
import { memoizeQueries } from './memoizeQueries';
import { parseCell } from './parseCell';
import { resolveAmbiguous, resolveIds, resolveNames } from './resolveNames';

/**
 * Validates rows. For a commit, also creates rows for missing names, and locks the matched rows until the transaction
 * of `db` ends.
 */
export async function validateRows(
  context: ImportContext,
  db: Queries,
  rows: readonly FileRow[],
  { isCommit = false } = {},
): Promise<ValidatedRow[]> {
  const drafts = rows.map((row) => parseRow(context, row));
  await resolveNames(context, db, drafts, isCommit);
  await resolveIds(context, db, drafts, isCommit);
  await matchCurrent(context, db, drafts, isCommit);
  for (const draft of drafts) {
    resolveAmbiguous(context, draft);
    claimKey(context, draft);
  }
  const memoizedDb = memoizeQueries(db);
  const checkedRows = await Promise.all(drafts.map((draft) => checkRules(context, memoizedDb, draft)));
  await findDuplicateValues(context, db, checkedRows);
  return Promise.all(checkedRows.map((row) => completeRow(context, row)));
}

/** Parses the cells of a row to values. */
function parseRow(context: ImportContext, row: FileRow): ImportDraft {
  const draft: ImportDraft = {
    ...row,
    values: {},
    names: new Map(),
    ambiguous: [],
    pendingReferences: new Set(),
    problems: [],
    current: undefined,
    key: null,
  };
  for (const mapping of context.mappings) {
    const { index, field, isByName, format } = mapping;
    const cell = context.cellOf(mapping, row);
    if (isBlank(cell)) continue;
    const meaning = context.meaningOf(field, cell);
    if (isByName && meaning === undefined) {
      draft.names.set(field, namesOfCell(cell));
      continue;
    }
    const parseResult = parseCell(meaning ?? cell, { entity: context.entity, name: field, format });
    if ('problem' in parseResult) draft.problems.push({ column: index, field, problem: parseResult.problem });
    else draft.values[field] = parseResult.value;
    if (isUnknownWord(context.entity.fields[field], draft.values[field]))
      context.recordMissing(field, textOfCell(cell).trim());
  }
  return draft;
}

/** Whether the value of a choice or a boolean is a word that could not be parsed. */
const isUnknownWord = (field: Field | undefined, value: unknown): boolean =>
  (field?.kind === 'choice' && !field.normalize && typeof value === 'string' && !field.choices?.includes(value)) ||
  (field?.kind === 'boolean' && typeof value === 'string');

const namesOfCell = (cell: unknown): string =>
  typeof cell === 'object' && cell !== null && 'shown' in cell ? String(cell.shown) : String(cell);

/**
 * Claims the key of a row: the id of the matched row, or without one its natural key. Reports a problem if an earlier
 * row of the file has claimed it.
 */
function claimKey(context: ImportContext, draft: ImportDraft): void {
  draft.key = draft.current ? `id ${draft.current.id}` : rowKeyOf(context, draft);
  if (draft.key === null) return;
  const firstRow = context.claimedKeys.get(draft.key) ?? draft.row;
  context.claimedKeys.set(draft.key, firstRow);
  if (firstRow !== draft.row)
    draft.problems.push({ column: null, problem: { text: 'import_twice', values: { row: firstRow } } });
}

/** Validates a row with the rules of the declaration and the importer's permissions. */
async function checkRules(context: ImportContext, db: Queries, draft: ImportDraft): Promise<RuleCheckedRow> {
  const { entity, caller, settings, services } = context;
  const { current, problems, values } = draft;
  // Without the matched row, nothing else can be checked.
  if (problems.some(({ field }) => field === 'id')) return { draft };
  const addProblem = (text: 'import_no_such_row' | 'import_may_not_create' | 'import_may_not_edit'): RuleCheckedRow => {
    problems.push({ column: null, problem: { text } });
    return { draft };
  };
  if (current && settings.mode === 'create') {
    draft.pendingReferences.clear();
    return { draft };
  }
  if (!current && problems.length === 0 && settings.mode === 'update') return addProblem('import_no_such_row');
  if (!current && !hasPermission(caller, `${entity.name}.create`)) return addProblem('import_may_not_create');
  if (current && writableFields(entity, caller, 'edit', current.id).length === 0)
    return addProblem('import_may_not_edit');
  if (current && settings.empty === 'clear') clearEmpty(context, draft);
  if (current) dropUnchanged(context, draft);
  const { id: _, ...fieldValues } = values;
  // A field that could not be parsed must not also be reported as missing.
  for (const { field } of problems) if (field !== undefined) delete fieldValues[field];
  for (const field of draft.pendingReferences) delete fieldValues[field];
  const rules = await validateRules({
    services,
    tx: db,
    entity,
    caller,
    body: { values: fieldValues, images: new Map() },
    current,
  });
  return { draft, rules };
}

/** Clears fields whose cell is empty. */
function clearEmpty(context: ImportContext, { cells, edited, values }: ImportDraft): void {
  for (const mapping of context.mappings) {
    const { field } = mapping;
    if (field === 'id' || Object.hasOwn(values, field) || !isBlank(context.cellOf(mapping, { cells, edited })))
      continue;
    values[field] = ['tags', 'refs', 'records'].includes((context.entity.fields[field] as Field).kind) ? [] : null;
  }
}

/**
 * Drops values that only the export has altered, so that the import of an unedited export changes nothing: an item with
 * a comma looks like two, a workbook has only one kind of line end, and a record shows only its first value.
 */
function dropUnchanged(context: ImportContext, { values, current, cells, edited }: ImportDraft): void {
  for (const mapping of context.mappings) {
    const { field } = mapping;
    const storedValue = current?.[field];
    const kind = context.entity.fields[field]?.kind;
    if (typeof storedValue === 'string' && storedValue.replace(/\r\n?/g, '\n') === values[field]) delete values[field];
    if (!Array.isArray(storedValue) || (kind !== 'tags' && kind !== 'records')) continue;
    const firstValue = (item: unknown) => (kind === 'records' ? Object.values(item as object)[0] : item);
    const value = values[field];
    const isExported =
      storedValue.map(firstValue).join(', ') === textOfCell(context.cellOf(mapping, { cells, edited }));
    const isEqual =
      Array.isArray(value) && JSON.stringify(value.map(firstValue)) === JSON.stringify(storedValue.map(firstValue));
    if (isExported || isEqual) delete values[field];
  }
}

/** Runs the hook `before` and collects all problems of the row. */
async function completeRow(context: ImportContext, { draft, rules }: RuleCheckedRow): Promise<ValidatedRow> {
  const { row, cells, edited, problems, current, key, pendingReferences } = draft;
  if (rules) {
    await runBeforeHook({ draft, rules });
    for (const [path, fieldProblems] of rules.problems()) {
      const [field = path] = path.split('.');
      // Not reported as missing: a field that could not be parsed, and one whose alternative could not be parsed.
      const alternative = context.entity.fields[field]?.requiredWithout;
      if (
        problems.some(
          (problem) => problem.field === field || (problem.field === alternative && alternative !== undefined),
        )
      )
        continue;
      if (pendingReferences.has(field) || (alternative !== undefined && pendingReferences.has(alternative))) continue;
      const column = context.mappings.find((mapping) => mapping.field === field)?.index ?? null;
      for (const problem of fieldProblems) problems.push({ column, field: path, problem });
    }
  }
  const changes = rules?.values ?? {};
  const action =
    problems.length > 0
      ? 'error'
      : !current
        ? 'create'
        : Object.keys(changes).length > 0 || pendingReferences.size > 0
          ? 'update'
          : 'unchanged';
  return { row, cells, edited, key, problems, current, action, changes };
}

/**
 * Runs the hook `before`, which may reject the row as a whole, such as a user with more permissions than the importer.
 */
async function runBeforeHook({ draft, rules }: RuleCheckedRow & { rules: RuleResult }): Promise<void> {
  if (draft.current && Object.keys(rules.values).length === 0) return;
  try {
    await rules.runBefore();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    draft.problems.push(...rowProblemsOf(error));
  }
}

/** Converts an `ApiError` to problems of a row. */
export function rowProblemsOf({ reason, status, details }: ApiError): CellProblem[] {
  if (details.errors)
    return [...details.errors].flatMap(([field, fieldProblems]) =>
      fieldProblems.map((problem): CellProblem => ({ column: null, field, problem })),
    );
  const problem: FieldProblem =
    typeof reason === 'string' ? { text: status === 404 ? 'import_no_such_row' : 'import_may_not_edit' } : reason;
  return [{ column: null, problem }];
}
