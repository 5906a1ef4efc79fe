/** Puts the steps of imports on the job queue: each upload, repeated check, commit or undo is one job. */
import { sql } from 'drizzle-orm';
import type { ImportState } from '../../../schema/shared/imports';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { cancelJob, enqueue } from '../../jobs/jobQueue';

export const importKind = 'import';

/** Payload of a step. The state of the import decides what the step does. */
export interface ImportPayload {
  import_id: number;
  /** The importer; imports of different users take turns. */
  user_id: number;
}

/** States in which an import has a waiting or running job. */
export const workingStates: readonly ImportState[] = ['waiting', 'checking', 'committing', 'undoing'];

const stepShape = { step: pg.integer, user_id: pg.integer };
const keyOf = (id: number, step: number): string => `${id}/${step}`;

/** Enqueues the next step of an import, in the transaction that requests it. */
export async function enqueueStep(tx: Queries, id: number, runAt: Date): Promise<void> {
  const next = await tx.selectOne(
    stepShape,
    sql`update import_jobs j set step = j.step + 1 from imports i where j.import_id = ${id}::int and i.id = j.import_id
      returning j.step, i.user_id`,
  );
  if (!next) return;
  const { step, user_id } = next;
  await enqueue(tx, importKind, { dedupeKey: keyOf(id, step), payload: { import_id: id, user_id }, runAt });
}

/**
 * Cancels the current step; a worker that runs it then stores nothing more. Locks in the same order as a worker: the
 * row of `imports` (by the caller), the row of `import_jobs`, the job.
 */
export async function cancelStep(tx: Queries, id: number): Promise<void> {
  const current = await tx.selectOne(
    { step: pg.integer },
    sql`select step from import_jobs where import_id = ${id}::int for no key update`,
  );
  if (current) await cancelJob(tx, importKind, keyOf(id, current.step));
}
