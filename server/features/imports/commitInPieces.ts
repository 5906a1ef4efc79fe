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
import { importerOf } from './importer';
import { countsOf, importBatchSize, type RowActionCounts, stagedRowsAfter, zeroCounts } from './importRows';
import { inShortTransactions } from './inShortTransactions';
import { entityOf, type Job, setState, type ValidationSnapshot } from './job';
import { validateRows } from './validateRows';
import { isValidationFresh, readValidatedRows, readValidationSnapshot } from './validationSnapshot';
import { maxRowEvents, publishWritten, rememberMapping, writeBatch } from './writeBatch';

interface Progress {
  /** Last processed row of the file. */
  last: number;
  done: number;
  /** Validation snapshot after the last piece, as long as no other write affects it; then `null`. */
  snapshot: ValidationSnapshot | null;
}

/**
 * Continues after the last written row.
 * @throws InvalidRows; earlier pieces remain until they are undone
 */
export async function commitInPieces({
  services,
  job,
  caller,
  progress,
  transaction,
  recordProgress,
}: ImportStepContext): Promise<RowActionCounts> {
  const { db } = services;
  const entity = entityOf(services, job);
  const { total, last, done } = await progressOf(db, job);
  let context = new ImportContext(services, entity, caller, job.settings, job.columns ?? []);
  context.claimStored(await settledRows(db, job.id, last));
  let counts = zeroCounts();
  await inShortTransactions<Progress>(
    transaction,
    { last, done, snapshot: last === 0 ? job.validation_snapshot : null },
    async (tx, state, limit) => {
      await tx.rows(sql`set local plan_cache_mode = force_custom_plan`);
      const isValidated = await isValidationFresh(tx, services.model, { ...job, validation_snapshot: state.snapshot });
      if (!isValidated && state.done > 0) context = context.forCaller(await requireImporter(tx, job));
      const rows = await nextRows(context, tx, { job, last: state.last, limit, isValidated });
      if (rows.length === 0) {
        await rememberMapping(tx, job);
        counts = await countsOf(tx, job.id);
        await setState(tx, job.id, { state: 'done', counts });
        return undefined;
      }
      const { stored } = await writeBatch(context, tx, { id: job.id, rows });
      context.claimStored(stored);
      await recordProgress(tx);
      await tx.rows(
        sql`update import_jobs
          set created_rows = created_rows || ${JSON.stringify(context.createdRows.splice(0))}::text::jsonb
          where import_id = ${job.id}::int`,
      );
      const next = {
        last: rows.at(-1)?.row ?? state.last,
        done: state.done + rows.length,
        snapshot: isValidated ? await readValidationSnapshot(tx, services.model, job) : null,
      };
      progress(next.done / total);
      return next;
    },
  );
  await publishWritten(
    services,
    { entity, caller },
    await writtenRows(db, job.id, entity.hooks.afterCommit ? total : maxRowEvents),
  );
  return counts;
}

async function nextRows(
  context: ImportContext,
  tx: Queries,
  { job, last, limit, isValidated }: { job: Job; last: number; limit: number; isValidated: boolean },
): Promise<ValidatedRow[]> {
  if (isValidated) return readValidatedRows(tx, job.id, last, limit);
  // The importer may have lost access to rows that were visible in an earlier transaction.
  context.visibility.clear();
  return validateRows(context, tx, await stagedRowsAfter(tx, job.id, last, limit), { lock: true });
}

/**
 * Loads the importer with current access.
 * @throws ApiError if they may no longer import
 */
async function requireImporter(tx: Queries, job: Job) {
  const importer = await importerOf(tx, job);
  if (!importer?.permissions.has(`${job.resource}.import`)) throw ApiError.unauthorized();
  return importer;
}

async function progressOf(db: Queries, { id }: Job): Promise<{ total: number; last: number; done: number }> {
  const counts = await db.selectOne(
    { total: pg.integer, last: pg.integer, done: pg.integer },
    sql`
    with progress as (
      select coalesce(max(row), 0) as last from import_rows where import_id = ${id}::int and fingerprint is not null)
    select count(*)::int as total, (select last from progress) as last,
      (count(*) filter (where row <= (select last from progress)))::int as done
    from import_rows where import_id = ${id}::int`,
  );
  return counts ?? { total: 0, last: 0, done: 0 };
}

/** Rows of the file up to `last`, with the ids of the entity's rows that they match. */
const settledRows = (db: Queries, id: number, last: number) =>
  db.select(
    { row: pg.integer, id: pg.integer },
    sql`select row, row_id as id from import_rows where import_id = ${id}::int and row <= ${last}::int
      and row_id is not null and action <> 'error'`,
  );

type WrittenRow = Parameters<typeof publishWritten>[2][number];

/** Reads the written rows in batches, because there are many. */
async function writtenRows(db: Queries, id: number, limit: number): Promise<WrittenRow[]> {
  const batch: WrittenRow[] = [];
  for (let last = 0; batch.length < limit; ) {
    const rows = await db.select(
      {
        id: pg.integer,
        values: pg.json<Record<string, unknown>>(),
        before: pg.json<Record<string, unknown>>().nullable,
        row: pg.integer,
      },
      sql`
      select row, row_id as id, changes as values, before from import_rows
      where import_id = ${id}::int and fingerprint is not null and row > ${last}::int order by row
      limit ${importBatchSize}::int`,
    );
    if (rows.length === 0) break;
    batch.push(...rows);
    last = rows.at(-1)?.row ?? last;
  }
  return batch;
}
