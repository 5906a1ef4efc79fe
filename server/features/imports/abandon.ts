/**
 * Abandons an import. On the embedded database it first undoes the rows written so far, so that imports are all or
 * nothing there too.
 */
import { sql } from 'drizzle-orm';
import type { MessageRef } from '../../context/errors';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { restorerOf } from './importer';
import { countsOf } from './importRows';
import { type ImportProblem, jobOf, setState } from './job';
import { removeAdded, undoInPieces } from './undoInPieces';
import { invalidateValidation } from './validationSnapshot';

interface Abandoning {
  services: Services;
  id: number;
  /** Reports progress from 0 to 1. Throws only when the process ends; the next process then continues. */
  progress(share: number): void;
}

/** How an abandoned import ends. */
interface Ending {
  state: 'failed' | 'cancelled';
  problem?: ImportProblem | null;
}

/** Undoes what is written, if anything, and ends the import. */
export async function abandon(
  { services, id, progress }: Abandoning,
  { state, problem = null }: Ending,
): Promise<void> {
  const { db } = services;
  if (!(await isPartlyWritten(db, id)))
    return setState(db, id, { state, problem, ...(state === 'failed' && { counts: await countsOf(db, id) }) });
  // One transaction: a process that continues after a kill must find both that the import is not to be committed and
  // how it ends.
  await db.transaction(async (tx) => {
    await tx.rows(
      sql`update import_jobs set commits = false, attempts = 0, cancelled = ${state === 'cancelled'}::boolean
        where import_id = ${id}::int`,
    );
    await setState(tx, id, { state: 'undoing', problem });
  });
  await finishAbandoning({ services, id, progress });
}

/** Second half of `abandon`, also run after a restart. */
export async function finishAbandoning({ services, id, progress }: Abandoning): Promise<void> {
  const { db } = services;
  const job = await jobOf(db, id);
  if (!job) return;
  const step = { services, job, caller: restorerOf(services, job), progress };
  const kept = (await undoInPieces(step)) + (await removeAdded(step));
  await invalidateValidation(db, id);
  const ended = await db.selectOne(
    { cancelled: pg.boolean },
    sql`select cancelled from import_jobs where import_id = ${id}::int`,
  );
  const problem = kept === 0 ? job.problem : withKept(job.problem, kept);
  await setState(db, id, { state: ended?.cancelled ? 'cancelled' : 'failed', counts: await countsOf(db, id), problem });
}

/** Adds to the reason that rows remain; replaces a reason that says nothing was written. */
function withKept(reason: ImportProblem | null, kept: number): ImportProblem {
  const also: MessageRef = { text: 'import_partly_undone', values: { smart_count: kept } };
  return reason && reason.text !== 'import_failed' ? { ...reason, also } : also;
}

const isPartlyWritten = async (db: Queries, id: number): Promise<boolean> =>
  (await db.one(sql`
    select 1 from imports where id = ${id}::int and state = 'committing'
      and (exists (select from import_rows where import_id = ${id}::int and print is not null)
        or exists (select from import_jobs where import_id = ${id}::int and added <> '[]'))`)) !== undefined;
