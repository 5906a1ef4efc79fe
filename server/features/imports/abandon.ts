/**
 * Ends an import that is not written after all. What the embedded database has written of it already is taken back
 * first, so that it is all or nothing there, too.
 */
import { sql } from 'drizzle-orm';
import type { MessageRef } from '../../context/errors';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { restorerOf } from './importer';
import { countsOf } from './importRows';
import { type ImportProblem, jobOf, setState } from './job';
import { removeAdded, undoInPieces } from './undoInPieces';
import { invalidateValidation } from './validationSnapshot';

interface Abandoning {
  services: Services;
  id: number;
  /** Says how far it is; throws only when the process is to end, and the next one goes on. */
  progress(share: number): void;
}

/** How an import ends that was not written. */
interface Ending {
  state: 'failed' | 'cancelled';
  problem?: ImportProblem | null;
}

/** Takes back what is written, if anything is, and ends the import. */
export async function abandon(
  { services, id, progress }: Abandoning,
  { state, problem = null }: Ending,
): Promise<void> {
  const { db } = services;
  if (!(await isPartlyWritten(db, id)))
    return setState(db, id, { state, problem, ...(state === 'failed' && { counts: await countsOf(db, id) }) });
  // Together: whoever goes on after a kill finds that the import is not to be committed, and how it ends.
  await db.transaction(async (tx) => {
    await tx.rows(
      sql`update import_jobs set commits = false, attempts = 0, cancelled = ${state === 'cancelled'}::boolean
        where import_id = ${id}::int`,
    );
    await setState(tx, id, { state: 'undoing', problem });
  });
  await finishAbandoning({ services, id, progress });
}

/** Goes on with the second half of `abandon`. */
export async function finishAbandoning({ services, id, progress }: Abandoning): Promise<void> {
  const { db } = services;
  const job = await jobOf(db, id);
  if (!job) return;
  const step = { services, job, caller: restorerOf(services, job), progress };
  const kept = (await undoInPieces(step)) + (await removeAdded(step));
  await invalidateValidation(db, id);
  const ended = await db.one<{ cancelled: boolean }>(
    sql`select cancelled from import_jobs where import_id = ${id}::int`,
  );
  const problem = kept === 0 ? job.problem : withKept(job.problem, kept);
  await setState(db, id, { state: ended?.cancelled ? 'cancelled' : 'failed', counts: await countsOf(db, id), problem });
}

/** The reason, and that rows stay; one that says that nothing was written gives way. */
function withKept(reason: ImportProblem | null, kept: number): ImportProblem {
  const also: MessageRef = { text: 'import_partly_undone', values: { smart_count: kept } };
  return reason && reason.text !== 'import_failed' ? { ...reason, also } : also;
}

const isPartlyWritten = async (db: Queries, id: number): Promise<boolean> =>
  (await db.one(sql`
    select 1 from imports where id = ${id}::int and state = 'committing'
      and (exists (select from import_rows where import_id = ${id}::int and print is not null)
        or exists (select from import_jobs where import_id = ${id}::int and added <> '[]'))`)) !== undefined;
