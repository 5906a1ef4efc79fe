/**
 * Dry run of an import: reads the file, validates every row, and stores the results, but writes no row of the entity.
 */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ImportFacts, ImportSettings } from '../../../schema/shared/imports';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import { truncateText } from './importCell';
import { ImportContext } from './importContext';
import { type RowActionCounts, stageRows, zeroCounts } from './importRows';
import { entityOf, type ImportJob, importFileName, type ValidationSnapshot } from './job';
import type { ColumnFormat } from './parseCell';
import { readTable } from './readTable';
import { rowLimitOf } from './rowLimit';
import type { FormatHints, TableSurvey } from './surveyTable';
import { mapColumns } from './target';
import { UnreadableFile } from './unreadableFile';
import { validateRows } from './validateRows';
import { readValidationSnapshot } from './validationSnapshot';

export interface ImportStepContext {
  services: Services;
  job: ImportJob;
  /** The importer, with current access. */
  caller: Caller;
  /** Reports progress from 0 to 1. Throws if the import was cancelled or the process is ending. */
  reportProgress(share: number): void;
  /**
   * Runs `work` in a transaction that commits only while this process holds the lease, hence not after a cancellation.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  /**
   * Must be called in a transaction whose work is never repeated. It proves that the file does not crash the process
   * every time, and so resets the number of attempts.
   */
  recordProgress(tx: Queries): Promise<void>;
}

/**
 * Returns the number of rows per action.
 * @throws UnreadableFile
 */
export async function dryRun({
  services,
  job,
  caller,
  reportProgress,
  transaction,
}: ImportStepContext): Promise<RowActionCounts> {
  const { db } = services;
  const entity = entityOf(services, job);
  const file = await db.selectOne(
    { bytes: pg.bytea },
    sql`select bytes from files where name = ${importFileName(job.id)}`,
  );
  if (!file) throw new UnreadableFile('import_damaged');
  const validationSnapshot = await readValidationSnapshot(db, services.model, job);
  const edits = await readEdits(db, job);
  await transaction((tx) => tx.rows(sql`delete from import_rows where import_id = ${job.id}::int`));
  const counts = zeroCounts();
  let context: ImportContext | undefined;
  let rowsChecked = 0;
  let total = 1;
  const { sheet, encoding, delimiter, header_row } = job.settings;
  await readTable({
    bytes: new Uint8Array(file.bytes),
    choices: { sheet, encoding, delimiter },
    headerRow: header_row,
    limit: rowLimitOf(db.kind),
    async onSurvey(facts, survey) {
      total = facts.rows;
      const savedMapping = await readSavedMapping(db, job, survey.headings);
      const settings = { ...savedMapping?.settings, ...job.settings };
      const mapping = job.settings.mapping ?? savedMapping?.mapping;
      const columns = mapColumns({ entity, caller }, survey.headings, {
        mapping,
        samples: survey.hints.map(({ samples }) => samples),
      }).map((column) => ({
        ...column,
        format: chooseColumnFormat(job, facts, survey.hints[column.index]),
      }));
      await transaction((tx) => storeSurvey(tx, job.id, { facts, columns, settings }));
      const isSameTable = JSON.stringify(tableKeyOf(job.facts)) === JSON.stringify(tableKeyOf(facts));
      if (!isSameTable) edits.clear();
      context = new ImportContext(services, entity, caller, settings, columns);
    },
    async onRows(rows) {
      const inputs = rows.map(({ row, cells }) => ({ row, cells, edited: edits.get(row) ?? null }));
      const validatedRows = await validateRows(context as ImportContext, db, inputs);
      await transaction((tx) => stageRows(tx, job.id, validatedRows));
      for (const { action } of validatedRows) counts[action] += 1;
      rowsChecked += rows.length;
      reportProgress(rowsChecked / total);
    },
  });
  const { missing } = context as unknown as ImportContext;
  await transaction((tx) => storeValidation(tx, job.id, { validationSnapshot, missing }));
  return counts;
}

const tableKeyOf = (facts: ImportFacts | null) =>
  facts && [facts.sheet, facts.header_row, facts.encoding, facts.delimiter];

/** Reads the corrections of cells by row; they still apply when the same table is read again. */
async function readEdits(db: Queries, { id }: ImportJob): Promise<Map<number, Record<string, string>>> {
  const rows = await db.select(
    { row: pg.integer, edited: pg.json<Record<string, string>>() },
    sql`select row, edited from import_rows where import_id = ${id}::int and edited is not null`,
  );
  return new Map(rows.map(({ row, edited }) => [row, edited]));
}

/**
 * Format of dates and numbers in a column: as set by the user, else as the column proves, else as usual in such files.
 */
function chooseColumnFormat({ settings }: ImportJob, { delimiter }: ImportFacts, hints?: FormatHints): ColumnFormat {
  const order = hints && hints.day_first !== hints.month_first ? (hints.day_first ? 'dmy' : 'mdy') : undefined;
  const decimal = hints && hints.comma !== hints.point ? (hints.comma ? ',' : '.') : delimiter === ';' ? ',' : '.';
  return { date_order: settings.date_order ?? order, decimal: settings.decimal ?? decimal };
}

async function storeSurvey(
  db: Queries,
  id: number,
  survey: { facts: ImportFacts; columns: readonly object[]; settings: ImportSettings },
): Promise<void> {
  const [facts, columns, settings] = [survey.facts, survey.columns, survey.settings].map(
    (value) => sql`${JSON.stringify(value)}::text::jsonb`,
  );
  await db.rows(
    sql`update import_jobs set facts = ${facts}, columns = ${columns}, settings = ${settings}
      where import_id = ${id}::int`,
  );
}

/** Stores the names and words that match nothing, and the validation snapshot. */
async function storeValidation(
  db: Queries,
  id: number,
  { validationSnapshot, missing }: { validationSnapshot: ValidationSnapshot; missing: ImportContext['missing'] },
): Promise<void> {
  const missingNames = Object.fromEntries(
    [...missing].map(([field, names]) => [field, [...names].map((name) => truncateText(name, 200))]),
  );
  await db.rows(
    sql`update import_jobs set missing = ${JSON.stringify(missingNames)}::text::jsonb,
      validation_snapshot = ${JSON.stringify(validationSnapshot)}::text::jsonb where import_id = ${id}::int`,
  );
}

export const headingsHash = (headings: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(headings)).digest('hex');

const savedMappingShape = {
  mapping: pg.json<Record<string, string | null>>(),
  settings: pg.json<Pick<ImportSettings, 'fixed' | 'words'>>().nullable,
};
type SavedMapping = RowOf<typeof savedMappingShape>;

/** Reads the mapping that the importer last used for a file with these headings. */
const readSavedMapping = (
  db: Queries,
  { user_id, resource }: ImportJob,
  headings: TableSurvey['headings'],
): Promise<SavedMapping | undefined> =>
  db.selectOne(
    savedMappingShape,
    sql`select mapping, settings from import_mappings where user_id = ${user_id}::int and resource = ${resource}
      and headings_hash = ${headingsHash(headings)}`,
  );
