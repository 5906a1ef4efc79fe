/**
 * Commits an import: validates every row again unless the validation is still fresh, and writes all rows or none.
 */
import { sql } from 'drizzle-orm';
import { commitInPieces } from './commitInPieces';
import type { ImportStepContext } from './dryRun';
import { ImportContext } from './importContext';
import { countImportRows, type RowActionCounts, readStagedRows, recordAction, zeroCounts } from './importRows';
import { entityOf, setImportState } from './job';
import { validateRows } from './validateRows';
import { invalidateValidation, isValidationFresh, readValidatedRows } from './validationSnapshot';
import { InvalidRows, maxRowEvents, publishWritten, storeMapping, writeBatch } from './writeBatch';
import type { StoredRow } from './writeRows';

/**
 * Returns the counts, or `undefined` if rows had problems. Nothing is then written on a PostgreSQL server; on the
 * embedded database, earlier pieces may have been, which the caller must undo (`endImport`).
 */
export async function commit(step: ImportStepContext): Promise<RowActionCounts | undefined> {
  const { services, job, transaction } = step;
  try {
    return await (services.db.kind === 'pglite' ? commitInPieces(step) : commitAtOnce(step));
  } catch (error) {
    if (!(error instanceof InvalidRows)) throw error;
    await transaction(async (tx) => {
      await invalidateValidation(tx, job.id);
      await recordAction(tx, job.id, error.rows);
    });
    return undefined;
  }
}

/** Commits in one transaction. */
async function commitAtOnce({
  services,
  job,
  caller,
  reportProgress,
  transaction,
}: ImportStepContext): Promise<RowActionCounts> {
  const { db } = services;
  const entity = entityOf(services, job);
  const total = await countImportRows(db, job.id);
  let publishedRows: StoredRow[] = [];
  let counts = zeroCounts();
  await transaction(async (tx) => {
    // The tables grow during the transaction, but their statistics do not change: a generic plan made for an empty
    // table would scan the whole table every time.
    await tx.rows(sql`set local plan_cache_mode = force_custom_plan`);
    publishedRows = [];
    counts = zeroCounts();
    const context = new ImportContext(services, entity, caller, job.settings, job.columns ?? []);
    const isValidated = await isValidationFresh(tx, services.model, job);
    let rowsWritten = 0;
    for (let lastRow = 0; ; ) {
      const rows = isValidated
        ? await readValidatedRows(tx, job.id, lastRow)
        : await validateRows(context, tx, await readStagedRows(tx, job.id, lastRow), { isCommit: true });
      if (rows.length === 0) break;
      const { storedRows, otherRows } = await writeBatch(context, tx, { id: job.id, rows });
      context.claimStoredRows(storedRows);
      for (const { before } of storedRows) counts[before ? 'update' : 'create'] += 1;
      for (const { action } of otherRows) counts[action] += 1;
      publishedRows.push(...(publishedRows.length < maxRowEvents || entity.hooks.afterCommit ? storedRows : []));
      lastRow = rows.at(-1)?.row ?? lastRow;
      rowsWritten += rows.length;
      reportProgress(rowsWritten / total);
    }
    await storeMapping(tx, job);
    await setImportState(tx, job.id, { state: 'done', counts });
  });
  await publishWritten(services, { entity, caller }, publishedRows);
  return counts;
}
