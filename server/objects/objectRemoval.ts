/**
 * Removes objects that no row names. The removal of an object is announced before its upload, and cancelled by the
 * transaction whose row names it: whenever a process dies, nothing is lost, and an object that no row names is removed
 * within hours. Triggers announce the removal again when the last such row is deleted
 * (`server/db/schema/objectTriggers.ts`).
 */
import { sql } from 'drizzle-orm';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';
import { objectRemovalKind } from '../db/schema/objectTriggers';
import { enqueue } from '../jobs/jobQueue';
import type { JobKind } from '../jobs/jobWorker';

/** Maximum milliseconds for an upload and the transaction that keeps the object. */
const maxUploadTime = 3_600_000;

/** Announces the removal of an object that is about to be uploaded. */
export const announceRemoval = (db: Queries, key: string, now: Date): Promise<void> =>
  enqueue(db, objectRemovalKind, {
    dedupeKey: key,
    payload: { key },
    runAt: new Date(now.getTime() + maxUploadTime),
  });

/**
 * Cancels the announced removal of an object, in the transaction that names it.
 * @throws if its removal has begun
 */
export async function keepObject(tx: Queries, key: string): Promise<void> {
  const cancelledJob = await tx.one(
    sql`delete from jobs where kind = ${objectRemovalKind} and dedupe_key = ${key} and state = 'queued' returning 1`,
  );
  if (!cancelledJob) throw new Error(`The object ${key} was uploaded too late to be kept.`);
}

export const objectRemovalJobs = ({ objects }: Pick<Services, 'objects'>): JobKind<{ key: string }> => ({
  kind: objectRemovalKind,
  concurrency: 2,
  backOff: (attempts) => Math.min(60 * 2 ** (attempts - 1), 3600),
  // Only the storage can fail: all removals wait until it is back, however long that takes.
  isServerDown: () => true,
  async run({ payload: { key } }) {
    await objects?.remove(key);
    return { outcome: 'removed' };
  },
});
