/** One try at a transaction, on a leased connection. */

import { DatabaseAway } from '../core/database';
import type { ConnectionPool, Lease } from './connectionPool';

/**
 * Milliseconds for which a transaction may ask nothing: it holds a connection, of which the embedded database has one.
 */
const idleLimit = 20_000;

/**
 * Commits when `work` resolves and none of its statements failed, else rolls back and throws the first failure. A
 * transaction whose connection is lost, or that asks nothing for `maxIdle` milliseconds, throws at once, and statements
 * that its work still asks are refused: they must not run outside of it.
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
    const result = await Promise.race([work({ query: watch.query }), watch.given]);
    watch.end();
    if (watch.failure) throw watch.failure.error;
    await lease.query('commit');
    return result;
  } catch (error) {
    watch.end();
    // A transaction that cannot be rolled back must not be handed to the next.
    await lease.query('rollback').catch(() => lease.discard());
    throw watch.failure?.error ?? error;
  } finally {
    lease.release();
  }
}

interface LeaseWatch {
  query: Lease['query'];
  /** Rejects when the transaction is given up. */
  given: Promise<never>;
  /** Of the first statement that failed: those after it fail only because of it. */
  readonly failure: { error: unknown } | undefined;
  /** From here on statements are refused. */
  end(): void;
}

function watchLease(lease: Lease, maxIdle: number): LeaseWatch {
  let failure: { error: unknown } | undefined;
  let pending = 0;
  let idleSince = performance.now();
  let isOpen = true;
  let giveUp: (error: unknown) => void = () => {};
  const given = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  given.catch(() => undefined);
  const timer = setInterval(
    () => {
      if (!lease.isOpen) giveUp(new DatabaseAway());
      else if (pending === 0 && performance.now() - idleSince > maxIdle)
        giveUp(new Error(`A transaction asked nothing for ${maxIdle} ms and was rolled back.`));
    },
    Math.min(1000, maxIdle),
  ).unref();
  return {
    given,
    get failure() {
      return failure;
    },
    query: async (text, params, options) => {
      if (!isOpen) throw new DatabaseAway();
      pending += 1;
      try {
        const rows = await lease.query(text, params, options);
        // What failed behind the savepoint is undone, and the transaction goes on.
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
