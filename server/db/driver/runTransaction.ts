/** Runs one attempt at a transaction on a leased connection. */

import { DatabaseAway } from '../core/database';
import type { ConnectionPool, Lease } from './connectionPool';

/**
 * Longest pause between statements of a transaction, in milliseconds: it holds a connection, of which the embedded
 * database has only one.
 */
const idleLimit = 20_000;

/**
 * Commits when `work` resolves and none of its statements failed; otherwise rolls back and throws the first failure.
 * Throws at once when the connection is lost or when `work` issues no statement for `maxIdle` milliseconds; later
 * statements of `work` are rejected, since they must not run outside of the transaction.
 */
export async function runTransaction<T>(
  pool: ConnectionPool,
  work: (lease: Pick<Lease, 'query'>) => Promise<T>,
  maxIdle = idleLimit,
): Promise<T> {
  const lease = await pool.lease();
  const watch = watchLease(lease, maxIdle);
  try {
    await lease.query('begin');
    const result = await Promise.race([work({ query: watch.query }), watch.abandoned]);
    watch.end();
    if (watch.failure) throw watch.failure.error;
    await lease.query('commit');
    return result;
  } catch (error) {
    watch.end();
    // A connection that failed to roll back must not be reused.
    await lease.query('rollback').catch(() => lease.discard());
    throw watch.failure?.error ?? error;
  } finally {
    lease.release();
  }
}

interface LeaseWatch {
  query: Lease['query'];
  /** Rejects when the transaction is abandoned. */
  abandoned: Promise<never>;
  /** Error of the first failed statement: later ones fail only as its consequence. */
  readonly failure: { error: unknown } | undefined;
  /** Rejects statements from now on. */
  end(): void;
}

function watchLease(lease: Lease, maxIdle: number): LeaseWatch {
  let failure: { error: unknown } | undefined;
  let pending = 0;
  let idleSince = performance.now();
  let isOpen = true;
  let giveUp: (error: unknown) => void = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  abandoned.catch(() => undefined);
  const timer = setInterval(
    () => {
      if (!lease.isOpen) giveUp(new DatabaseAway());
      else if (pending === 0 && performance.now() - idleSince > maxIdle)
        giveUp(new Error(`A transaction issued no statement for ${maxIdle} ms and was rolled back.`));
    },
    Math.min(1000, maxIdle),
  ).unref();
  return {
    abandoned,
    get failure() {
      return failure;
    },
    query: async (text, params, options) => {
      if (!isOpen) throw new DatabaseAway();
      pending += 1;
      try {
        const rows = await lease.query(text, params, options);
        // The savepoint undoes the failure, and the transaction continues.
        if (/^\s*rollback to /i.test(text)) failure = undefined;
        return rows as never;
      } catch (error) {
        failure ??= { error };
        if (error instanceof DatabaseAway) giveUp(error);
        throw error;
      } finally {
        pending -= 1;
        idleSince = performance.now();
      }
    },
    end: () => {
      isOpen = false;
      clearInterval(timer);
    },
  };
}
