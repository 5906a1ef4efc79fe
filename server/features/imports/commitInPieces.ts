/**
 * Commits on the embedded database in short transactions. Each records enough to continue after the process was killed,
 * and to undo after a failure.
 */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { ImportStepContext } from './dryRun';
import { ImportContext, type ValidatedRow } from './importContext';
import { loadImporter } from './importer';
import { importBatchSize, type RowActionCounts, readActionCounts, readStagedRows, zeroCounts } from './importRows';
import { inShortTransactions } from './inShortTransactions';
import { entityOf, type ImportJob, setImportState, type ValidationSnapshot } from './job';
import { validateRows } from './validateRows';
import { isValidationFresh, readValidatedRows, readValidationSnapshot } from './validationSnapshot';
import { maxRowEvents, publishWritten, storeMapping, writeBatch } from './writeBatch';

interface Progress {
  /** Last processed row of the file. */
  lastRow: number;
  rowsDone: number;
  /** Validation snapshot after the last piece, as long as no other write affects it; then `null`. */
  snapshot: ValidationSnapshot | null;
}

/**
 * Commits the rows after the last written one.
 * @throws InvalidRows; earlier pieces remain until they are undone
 */
export async function commitInPieces({
  services,
  job,
  caller,
  reportProgress,
  transaction,
  recordProgress,
}: ImportStepContext): Promise<RowActionCounts> {
  const { db } = services;
  const entity = entityOf(services, job);
  const { total, lastRow, rowsDone } = await readProgress(db, job);
  let context = new ImportContext(services, entity, caller, job.settings, job.columns ?? []);
  context.claimStoredRows(await readSettledRows(db, job.id, lastRow));
  let counts = zeroCounts();
  await inShortTransactions<Progress>(
    transaction,
    { lastRow, rowsDone, snapshot: lastRow === 0 ? job.validation_snapshot : null },
    async (tx, state, limit) => {
      await tx.rows(sql`set local plan_cache_mode = force_custom_plan`);
      const isValidated = await isValidationFresh(tx, services.model, { ...job, validation_snapshot: state.snapshot });
      if (!isValidated && state.rowsDone > 0) context = context.forCaller(await requireImporter(tx, job));
      const rows = await readNextRows(context, tx, { job, lastRow: state.lastRow, limit, isValidated });
      if (rows.length === 0) {
        await storeMapping(tx, job);
        counts = await readActionCounts(tx, job.id);
        await setImportState(tx, job.id, { state: 'done', counts });
        return undefined;
      }
      const { storedRows } = await writeBatch(context, tx, { id: job.id, rows });
      context.claimStoredRows(storedRows);
      await recordProgress(tx);
      await tx.rows(
        sql`update import_jobs
          set created_rows = created_rows || ${JSON.stringify(context.createdRows.splice(0))}::text::jsonb
          where import_id = ${job.id}::int`,
      );
      const next = {
        lastRow: rows.at(-1)?.row ?? state.lastRow,
        rowsDone: state.rowsDone + rows.length,
        snapshot: isValidated ? await readValidationSnapshot(tx, services.model, job) : null,
      };
      reportProgress(next.rowsDone / total);
      return next;
    },
  );
  await publishWritten(
    services,
    { entity, caller },
    await readWrittenRows(db, job.id, entity.hooks.afterCommit ? total : maxRowEvents),
  );
  return counts;
}

async function readNextRows(
  context: ImportContext,
  tx: Queries,
  { job, lastRow, limit, isValidated }: { job: ImportJob; lastRow: number; limit: number; isValidated: boolean },
): Promise<ValidatedRow[]> {
  if (isValidated) return readValidatedRows(tx, job.id, lastRow, limit);
  // The importer may have lost access to rows that were visible in an earlier transaction.
  context.visibility.clear();
  return validateRows(context, tx, await readStagedRows(tx, job.id, lastRow, limit), { isCommit: true });
}

/**
 * Loads the importer with current access.
 * @throws ApiError if they may no longer import
 */
async function requireImporter(tx: Queries, job: ImportJob) {
  const importer = await loadImporter(tx, job);
  if (!importer?.permissions.has(`${job.resource}.import`)) throw ApiError.forbidden();
  return importer;
}

async function readProgress(
  db: Queries,
  { id }: ImportJob,
): Promise<{ total: number; lastRow: number; rowsDone: number }> {
  const counts = await db.selectOne(
    { total: pg.integer, lastRow: pg.integer, rowsDone: pg.integer },
    sql`
    with progress as (
      select coalesce(max(row), 0) as last from import_rows where import_id = ${id}::int and fingerprint is not null)
    select count(*)::int as total, (select last from progress) as "lastRow",
      (count(*) filter (where row <= (select last from progress)))::int as "rowsDone"
    from import_rows where import_id = ${id}::int`,
  );
  return counts ?? { total: 0, lastRow: 0, rowsDone: 0 };
}

/** Reads rows of the file up to `lastRow`, with the ids of the entity's rows that they match. */
const readSettledRows = (db: Queries, id: number, lastRow: number) =>
  db.select(
    { row: pg.integer, id: pg.integer },
    sql`select row, row_id as id from import_rows where import_id = ${id}::int and row <= ${lastRow}::int
      and row_id is not null and action <> 'error'`,
  );

type WrittenRow = Parameters<typeof publishWritten>[2][number];

/** Reads the written rows in batches, because there are many. */
async function readWrittenRows(db: Queries, id: number, limit: number): Promise<WrittenRow[]> {
  const writtenRows: WrittenRow[] = [];
  for (let lastRow = 0; writtenRows.length < limit; ) {
    const rows = await db.select(
      {
        id: pg.integer,
        values: pg.json<Record<string, unknown>>(),
        before: pg.json<Record<string, unknown>>().nullable,
        row: pg.integer,
      },
      sql`
      select row, row_id as id, changes as values, before from import_rows
      where import_id = ${id}::int and fingerprint is not null and row > ${lastRow}::int order by row
      limit ${importBatchSize}::int`,
    );
    if (rows.length === 0) break;
    writtenRows.push(...rows);
    lastRow = rows.at(-1)?.row ?? lastRow;
  }
  return writtenRows;
}
