/**
 * Work in short transactions, for the embedded database: it has one session, and a transaction keeps everybody else
 * from it until its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queries } from '../../db/core/database';
import { batch } from './importRows';

/** Milliseconds that one transaction may hold the session: pieces grow and shrink towards it. */
const wanted = 80;
const firstRows = 20;
/**
 * Share of the time of a piece that others then have for themselves: a request is several statements and must not wait
 * for a piece with each.
 */
const breath = 0.4;
const shortestBreath = 4;

/**
 * Runs `work` in one transaction after the other until it returns `undefined`. It gets the state that it returned last,
 * and how many rows it may work on. State belongs into the return value: a transaction may be tried again.
 */
export async function inShortTransactions<S>(
  db: Database,
  start: S,
  work: (tx: Queries, state: S, most: number) => Promise<S | undefined>,
): Promise<void> {
  let most = firstRows;
  for (let state: S | undefined = start; state !== undefined; ) {
    const before: S = state;
    let began = 0;
    state = await db.transaction((tx) => {
      // Time in the queue for the session is nobody's fault.
      began = performance.now();
      return work(tx, before, most);
    });
    const took = performance.now() - began;
    most = Math.round(Math.min(batch, most * 2, Math.max(1, most / 4, (most * wanted) / took)));
    await sleep(Math.max(shortestBreath, took * breath));
  }
}
