/**
 * Runs work in short transactions, for the embedded database: it has one session, which a transaction blocks for
 * everybody else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '../../db/core/database';
import type { ImportStepContext } from './dryRun';
import { importBatchSize } from './importRows';

/** Target length of a transaction in milliseconds: the number of rows adapts to it. */
const targetLength = 80;
const firstRows = 20;
/**
 * Pause after a piece, as a share of its duration, so that the several statements of a request need not each wait for a
 * piece.
 */
const pauseShare = 0.4;
const minPause = 4;

/**
 * Runs `work` in one transaction after another until it returns `undefined`. It receives its last returned state and
 * the number of rows to process. State must be in the return value only: a transaction may be retried.
 */
export async function inShortTransactions<S>(
  transaction: ImportStepContext['transaction'],
  start: S,
  work: (tx: Queries, state: S, limit: number) => Promise<S | undefined>,
): Promise<void> {
  let limit = firstRows;
  for (let state: S | undefined = start; state !== undefined; ) {
    const before: S = state;
    let startedAt = 0;
    state = await transaction((tx) => {
      // Starts here: waiting for the session does not count.
      startedAt = performance.now();
      return work(tx, before, limit);
    });
    const took = performance.now() - startedAt;
    limit = Math.round(Math.min(importBatchSize, limit * 2, Math.max(1, limit / 4, (limit * targetLength) / took)));
    await sleep(Math.max(minPause, took * pauseShare));
  }
}
