/**
 * Runs work in short transactions on the embedded database, whose only session is blocked for everybody else during a
 * transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '../../db/core/database';
import type { ImportStepContext } from './dryRun';
import { importBatchSize } from './importRows';

/** Target duration of a transaction in milliseconds, to which the number of rows adapts. */
const targetDuration = 80;
const initialLimit = 20;
/**
 * Pause after a piece, as a share of the piece's duration. Otherwise each of a request's statements could have to wait
 * for another piece.
 */
const pauseShare = 0.4;
const minPause = 4;

/**
 * Runs `work` in one transaction after another until it returns `undefined`. `work` receives the state that it last
 * returned, and the number of rows to process. It must keep state in its return value only, because a transaction may
 * be retried.
 */
export async function inShortTransactions<S>(
  transaction: ImportStepContext['transaction'],
  start: S,
  work: (tx: Queries, state: S, limit: number) => Promise<S | undefined>,
): Promise<void> {
  let limit = initialLimit;
  for (let state: S | undefined = start; state !== undefined; ) {
    const currentState: S = state;
    let startedAt = 0;
    state = await transaction((tx) => {
      // The clock starts here, so that waiting for the session does not count.
      startedAt = performance.now();
      return work(tx, currentState, limit);
    });
    const duration = performance.now() - startedAt;
    limit = Math.round(
      Math.min(importBatchSize, limit * 2, Math.max(1, limit / 4, (limit * targetDuration) / duration)),
    );
    await sleep(Math.max(minPause, duration * pauseShare));
  }
}
