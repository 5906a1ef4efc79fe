/** Completes the demo while the server runs: first its floors with their runs, then its older history. */
import type { Database } from '../../server/db/core/database';
import { seedOlderHistoryBatch } from './olderHistory';
import { seedFloorPiece } from './seedFloors';

/** Milliseconds between batches and before the first one, so that requests take precedence. */
const batchPause = 400;
const startDelay = 3000;

/**
 * Runs until no history is missing, seeding has failed, or another process is found to seed. Returns `stop()`, which
 * awaits the batch in progress.
 */
export function startSeedingOlderHistory({
  db,
  log,
  onFailure,
}: {
  db: Database;
  log: { warn(details: object, message: string): void };
  /** Called when seeding has failed: the history stays incomplete. */
  onFailure(): void;
}): () => Promise<void> {
  let batch: Promise<void> = Promise.resolve();
  let timer = setTimeout(runBatch, startDelay);
  timer.unref();
  let isEnding = false;
  let lastId: number | undefined;
  let hasFloors = false;

  function runBatch(): void {
    batch = seedNextBatch().then(
      (hasMore) => {
        if (hasMore && !isEnding) timer = setTimeout(runBatch, batchPause).unref();
      },
      (err: unknown) => {
        onFailure();
        log.warn({ err }, 'could not seed more history of the demo');
      },
    );
  }

  /** Seeds floors first, because users look at them first. */
  async function seedNextBatch(): Promise<boolean> {
    if (!hasFloors) {
      hasFloors = !(await seedFloorPiece(db));
      return true;
    }
    lastId = (await seedOlderHistoryBatch(db, { after: lastId })).at(-1);
    return lastId !== undefined;
  }

  return async () => {
    isEnding = true;
    clearTimeout(timer);
    await batch;
  };
}
