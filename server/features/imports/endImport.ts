/**
 * Ends imports that failed or were cancelled. On the embedded database, a job first undoes the rows written so far, so
 * that imports are all or nothing there, too.
 */
import { sql } from 'drizzle-orm';
import type { MessageRef } from '../../context/errors';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { ImportStepContext } from './dryRun';
import { enqueueStep, workingStates } from './enqueueStep';
import { createRestorer } from './importer';
import { readActionCounts } from './importRows';
import { type ImportProblem, isAbandoned, readImportJob, setImportState } from './job';
import { removeCreatedRows, undoInPieces } from './undoInPieces';
import { invalidateValidation } from './validationSnapshot';

/** Final state of a failed or cancelled import. */
interface ImportEnd {
  state: 'failed' | 'cancelled';
  problem?: ImportProblem | null;
}

/** Ends an import in progress. If it has been partly written, a job first undoes its rows. */
export async function endImport(
  { db, now }: Pick<Services, 'db' | 'now'>,
  tx: Queries,
  id: number,
  { state, problem = null }: ImportEnd,
): Promise<void> {
  const job = await readImportJob(tx, id);
  if (!job || !workingStates.includes(job.state)) return;
  if (job.state === 'undoing') {
    // Rows that could not be undone are still imported.
    const message: MessageRef = { text: db.kind === 'pglite' ? 'import_half_undone' : 'import_not_undone' };
    if (isAbandoned(job)) return setImportState(tx, id, { state: 'failed', problem: message });
    return setImportState(tx, id, { state: 'done', ...(state === 'failed' && { problem: message }) });
  }
  if (!(await isPartlyWritten(tx, id)))
    return setImportState(tx, id, {
      state,
      problem,
      ...(state === 'failed' && { counts: await readActionCounts(tx, id) }),
    });
  await tx.rows(
    sql`update import_jobs set commits = false, cancelled = ${state === 'cancelled'}::boolean
      where import_id = ${id}::int`,
  );
  await setImportState(tx, id, { state: 'undoing', problem });
  await enqueueStep(tx, id, now());
}

/** Runs the job that `endImport` enqueues for partly written imports. */
export async function finishAbandoning(step: Omit<ImportStepContext, 'caller'>): Promise<void> {
  const { services, job, transaction } = step;
  const { id } = job;
  const restoreStep = { ...step, caller: createRestorer(services, job) };
  const retainedCount = (await undoInPieces(restoreStep)) + (await removeCreatedRows(restoreStep));
  const problem = retainedCount === 0 ? job.problem : withRemainder(job.problem, retainedCount);
  await transaction(async (tx) => {
    await invalidateValidation(tx, id);
    const endedImport = await tx.selectOne(
      { cancelled: pg.boolean },
      sql`select cancelled from import_jobs where import_id = ${id}::int`,
    );
    const state = endedImport?.cancelled ? 'cancelled' : 'failed';
    await setImportState(tx, id, { state, counts: await readActionCounts(tx, id), problem });
  });
}

/** Adds to the reason that rows remain; replaces a reason that claims that nothing was written. */
function withRemainder(reason: ImportProblem | null, count: number): ImportProblem {
  const note: MessageRef = { text: 'import_partly_undone', values: { smart_count: count } };
  return reason && reason.text !== 'import_failed' ? { ...reason, also: note } : note;
}

const isPartlyWritten = async (db: Queries, id: number): Promise<boolean> =>
  (await db.one(sql`
    select 1 from imports where id = ${id}::int and state = 'committing'
      and (exists (select from import_rows where import_id = ${id}::int and fingerprint is not null)
        or exists (select from import_jobs where import_id = ${id}::int and created_rows <> '[]'))`)) !== undefined;
