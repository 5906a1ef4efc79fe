/** Runs one attempt at a transaction on a leased connection. */

import { DatabaseAway } from '../core/database';
import type { ConnectionPool, Lease } from './connectionPool';

/**
 * Maximum milliseconds between two statements of a transaction, because it occupies a connection, and the embedded
 * database has only one.
 */
const idleLimit = 20_000;

/**
 * Milliseconds between heartbeats while `work` computes; the server soon ends the session of a silent process.
 */
const heartbeatInterval = 1000;

interface TransactionRun {
  /** Maximum milliseconds between two statements. */
  maxIdle?: number;
  /** Statements that begin it. */
  begin?: string;
}

/**
 * Commits when `work` resolves and none of its statements fails; otherwise rolls back and throws the first failure.
 * Throws at once when the connection is lost or when `work` issues no statement for `maxIdle` milliseconds; later
 * statements of `work` are rejected, since they must not run outside of the transaction.
 */
export async function runTransaction<T>(
  pool: ConnectionPool,
  work: (lease: Pick<Lease, 'query'>) => Promise<T>,
  { maxIdle = idleLimit, begin = 'begin' }: TransactionRun = {},
): Promise<T> {
  const lease = await pool.lease();
  const watch = watchLease(lease, maxIdle);
  try {
    // Shares the round trip of the first statement. It only fails with the connection, as do the statements after it.
    const beginResult = lease.query(begin);
    beginResult.catch(() => undefined);
    const result = await Promise.race([work({ query: watch.query }), watch.abandoned]);
    watch.end();
    if (watch.failure) throw watch.failure.error;
    await beginResult;
    await lease.query('commit');
    // `work` need not await its last statements: if one of them failed, the commit has rolled back.
    await watch.assertAllSucceeded();
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
  /** Waits until all statements have been answered. Throws the first failure. */
  assertAllSucceeded(): Promise<void>;
}

function watchLease(lease: Lease, maxIdle: number): LeaseWatch {
  let failure: { error: unknown } | undefined;
  const pendingStatements = new Set<Promise<unknown>>();
  let idleSince = performance.now();
  let isOpen = true;
  let giveUp: (error: unknown) => void = () => {};
  const abandonment = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  abandonment.catch(() => undefined);
  const timer = setInterval(
    () => {
      if (!lease.isOpen) giveUp(new DatabaseAway());
      else if (pendingStatements.size > 0) return;
      else if (performance.now() - idleSince > maxIdle)
        giveUp(new Error(`A transaction issued no statement for ${maxIdle} ms and was rolled back.`));
      else lease.query('select 1').catch(() => undefined);
    },
    Math.min(heartbeatInterval, maxIdle),
  ).unref();
  return {
    abandoned: abandonment,
    get failure() {
      return failure;
    },
    query: async (text, params, options) => {
      if (!isOpen) throw new DatabaseAway();
      const answer = lease.query(text, params, options);
      pendingStatements.add(answer);
      try {
        const rows = await answer;
        // The savepoint undoes the failure, and the transaction continues.
        if (/^\s*rollback to /i.test(text)) failure = undefined;
        return rows as never;
      } catch (error) {
        failure ??= { error };
        if (error instanceof DatabaseAway) giveUp(error);
        throw error;
      } finally {
        pendingStatements.delete(answer);
        idleSince = performance.now();
      }
    },
    assertAllSucceeded: async () => {
      await Promise.allSettled(pendingStatements);
      if (failure) throw failure.error;
    },
    end: () => {
      isOpen = false;
      clearInterval(timer);
    },
  };
}
