/**
 * Commits an import: validates every row again unless the validation snapshot still holds, and writes all rows or none.
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
 * Returns the counts, or `undefined` if rows had problems. On a PostgreSQL server nothing is then written. On the
 * embedded database earlier pieces may be, and the caller must undo them (`endImport`).
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
  let storedRows: StoredRow[] = [];
  let counts = zeroCounts();
  await transaction(async (tx) => {
    // The tables grow during the transaction while their statistics stay the same: a generic plan made for an empty
    // table would scan it every time.
    await tx.rows(sql`set local plan_cache_mode = force_custom_plan`);
    storedRows = [];
    counts = zeroCounts();
    const context = new ImportContext(services, entity, caller, job.settings, job.columns ?? []);
    const isValidated = await isValidationFresh(tx, services.model, job);
    let rowsWritten = 0;
    for (let lastRow = 0; ; ) {
      const rows = isValidated
        ? await readValidatedRows(tx, job.id, lastRow)
        : await validateRows(context, tx, await readStagedRows(tx, job.id, lastRow), { lock: true });
      if (rows.length === 0) break;
      const { stored, otherRows } = await writeBatch(context, tx, { id: job.id, rows });
      context.claimStored(stored);
      for (const { before } of stored) counts[before ? 'update' : 'create'] += 1;
      for (const { action } of otherRows) counts[action] += 1;
      storedRows.push(...(storedRows.length < maxRowEvents || entity.hooks.afterCommit ? stored : []));
      lastRow = rows.at(-1)?.row ?? lastRow;
      rowsWritten += rows.length;
      reportProgress(rowsWritten / total);
    }
    await storeMapping(tx, job);
    await setImportState(tx, job.id, { state: 'done', counts });
  });
  await publishWritten(services, { entity, caller }, storedRows);
  return counts;
}
