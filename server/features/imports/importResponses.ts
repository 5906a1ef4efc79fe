/** Details of an import in API responses: counts, problems, and how the file was interpreted. */
import { sql } from 'drizzle-orm';
import type { ImportRowResult } from '../../../schema/endpoints/imports';
import type { ImportColumn, ImportSettings, RowAction } from '../../../schema/shared/imports';
import type { Language } from '../../../schema/shared/languages';
import type { Caller } from '../../context/caller';
import type { FieldProblem } from '../../context/errors';
import type { ModelEntity, Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { apiErrorText, choiceOf, labelOf, problemText } from '../../i18n/messages';
import { type ReadCell, textOfCell } from './importCell';
import type { CellProblem } from './importContext';
import { zeroCounts } from './importRows';
import { entityOf, type ImportJob, readImportJob } from './job';
import { isCreatableByName } from './references';
import { listTargets } from './target';

/** Maximum errors in the response of an import; `/imports/{id}/rows` returns all of them. */
const maxErrors = 100;

export interface RowError {
  row: number;
  column: string | null;
  field: string | null;
  message: string;
}

const importRowShape = {
  row: pg.integer,
  cells: pg.json<ReadCell[]>(),
  edited: pg.json<Record<string, string>>().nullable,
  action: pg.text.as<RowAction>(),
  row_id: pg.integer.nullable,
  problems: pg.json<CellProblem[]>().nullable,
};
type ImportRow = RowOf<typeof importRowShape>;

/** Extra properties of the response for one import. */
export async function readImportDetails(
  services: Services,
  caller: Caller,
  id: number,
): Promise<Record<string, unknown>> {
  const { db } = services;
  const job = await readImportJob(db, id);
  if (!job) return {};
  const counts = await db.selectOne(
    { error: pg.integer, create: pg.integer, update: pg.integer, unchanged: pg.integer },
    sql`select create_count as create, update_count as update, unchanged_count as unchanged, error_count as error
      from imports where id = ${id}::int`,
  );
  const entity = entityOf(services, job);
  const errorRows = await db.select(
    { row: pg.integer, problems: pg.json<CellProblem[]>().nullable },
    sql`select row, problems from import_rows where import_id = ${id}::int and action = 'error' order by row
      limit ${maxErrors}::int`,
  );
  const problem =
    job.problem &&
    [job.problem, ...(job.problem.also ? [job.problem.also] : [])]
      .map((reason) => apiErrorText(caller.language, reason))
      .join(' ');
  const errors = errorRows.flatMap(({ row, problems }) =>
    (problems ?? []).map((cellProblem): RowError => ({ row, ...describeProblem(caller, job, cellProblem, entity) })),
  );
  return {
    counts: counts ?? zeroCounts(),
    errors: [...(problem ? [{ row: 0, column: null, field: null, message: problem }] : []), ...errors].slice(
      0,
      maxErrors,
    ),
    problem,
    settings: withoutMapping(job.settings),
    facts: job.facts,
    columns:
      job.columns?.map(({ index, head, key, target, left_out, samples }: ImportColumn) => ({
        index,
        head,
        key,
        target,
        ...(left_out && { left_out }),
        samples,
      })) ?? [],
    targets: listTargets(entity, caller).map(({ name, field, isByName }) => ({
      name,
      field,
      by_name: isByName,
      label: labelOf(caller.language, entity, field),
    })),
    missing: job.missing ?? {},
    creatable: Object.keys(job.missing ?? {}).filter((field) => isCreatableByName(entity, field, caller)),
  };
}

const withoutMapping = ({ mapping: _, ...settings }: ImportSettings) => settings;

/** Describes a problem in the reader's language, with the heading of its column. */
export function describeProblem(
  { language }: Caller,
  { columns }: Pick<ImportJob, 'columns'>,
  { column, field, problem }: CellProblem,
  entity: ModelEntity,
): Omit<RowError, 'row'> {
  const importColumn = column === null ? undefined : columns?.find(({ index }) => index === column);
  return {
    column: importColumn ? importColumn.head || importColumn.key : null,
    field: field ?? null,
    message: problemText(language, {
      entity,
      field: field ?? '',
      problem: withChoiceLabels(language, { entity, field: field ?? '', problem }),
    }),
  };
}

/** Replaces choices by their labels, which a file may also contain. */
function withChoiceLabels(
  language: Language,
  { entity, field, problem }: { entity: ModelEntity; field: string; problem: FieldProblem },
): FieldProblem {
  const choices = entity.fields[field]?.choices;
  if (!choices || !('key' in problem) || problem.key !== 'one_of') return problem;
  return {
    ...problem,
    values: { values: choices.map((value) => choiceOf(language, entity, { field, value })).join(', ') },
  };
}

/** Reads a page of import rows, with cells as text; without `actions`, rows of any action. */
export async function readRowsPage(
  db: Queries,
  { caller, job, entity }: { caller: Caller; job: ImportJob; entity: ModelEntity },
  { actions, page, perPage }: { actions: readonly RowAction[]; page: number; perPage: number },
): Promise<{ rows: ImportRowResult[]; total: number }> {
  const actionWhere = actions.length > 0 ? sql`action = any(${sql.param([...actions])}::text[])` : sql`true`;
  const rowsWhere = sql`import_id = ${job.id}::int and ${actionWhere}`;
  const rows = await db.select(
    importRowShape,
    sql`select row, cells, edited, action, row_id, problems from import_rows where ${rowsWhere} order by row
      limit ${perPage}::int offset ${(page - 1) * perPage}::bigint`,
  );
  const total =
    (await db.selectOne({ total: pg.integer }, sql`select count(*)::int as total from import_rows where ${rowsWhere}`))
      ?.total ?? 0;
  return { rows: rows.map((row) => rowResponse(caller, job, row, entity)), total };
}

/** Returns an import row in the form of the API. */
export function rowResponse(
  caller: Caller,
  job: ImportJob,
  { row, cells, edited, action, row_id, problems }: ImportRow,
  entity: ModelEntity,
): ImportRowResult {
  return {
    row,
    action,
    id: row_id,
    cells: Object.fromEntries(
      (job.columns ?? []).map(({ key, index }) => [key, edited?.[index] ?? textOfCell(cells[index])]),
    ),
    edited: Object.keys(edited ?? {}).map(Number),
    errors: (problems ?? []).map((problem) => describeProblem(caller, job, problem, entity)),
  };
}
