/**
 * Reads results in batches. A cursor `with hold` is a snapshot kept by the database, on disk if large, and needs no
 * open transaction.
 */

import type { RowShape } from '../core/rowShape';
import type { Statement } from '../core/statement';
import type { ConnectionPool, Lease } from './connectionPool';
import type { ResultRows } from './rowChecks';

export interface StreamOptions {
  pool: ConnectionPool;
  /** Pool that sends the cancellation. */
  canceller: ConnectionPool;
  /** Whether the pool is a single connection for all callers, which must be free for others between batches. */
  isShared: boolean;
  statement: Statement;
  shape: RowShape;
  /** Compares a batch with the declared shape. */
  check(rows: ResultRows<unknown>): void;
  batch: number;
  signal?: AbortSignal;
  /** Runs on the connection before the statement; prevents it by throwing. */
  before?(connection: Pick<Lease, 'query'>): Promise<void>;
}

let cursorCount = 0;

export async function* streamRows<T>({
  pool,
  canceller,
  isShared,
  statement: { text, params },
  shape,
  check,
  batch,
  signal,
  before,
}: StreamOptions): AsyncGenerator<T[]> {
  cursorCount += 1;
  const cursor = `stream_${cursorCount}`;
  const lease = isShared ? undefined : await pool.lease();
  const connection: Pick<Lease, 'query'> = lease ?? pool;
  try {
    await before?.(connection);
    // Finding the rows may take long. The embedded database cannot cancel that, since its only connection is busy.
    const stop = () => {
      if (lease) canceller.query('select pg_cancel_backend($1)', [lease.pid]).catch(() => undefined);
    };
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await connection.query(`declare ${cursor} no scroll cursor with hold for ${text}`, params);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    const fetchBatch = () => {
      const rows = connection.query<T>(`fetch forward ${batch} from ${cursor}`, [], { shape });
      // Avoids an unhandled rejection: the error is thrown when somebody awaits the batch.
      rows.catch(() => undefined);
      return rows;
    };
    // The next batch is fetched while this one is consumed.
    let next = fetchBatch();
    try {
      for (;;) {
        const rows = await next;
        check(rows);
        const isLast = rows.length < batch;
        if (!isLast) next = fetchBatch();
        if (rows.length > 0) yield rows;
        if (isLast) return;
      }
    } finally {
      await next.catch(() => undefined);
      await connection.query(`close ${cursor}`).catch(() => lease?.discard());
    }
  } finally {
    lease?.release();
  }
}
