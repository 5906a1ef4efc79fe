/**
 * Streams the result of one statement through a single connection, which all callers share and which must be free for
 * them between batches. A cursor `with hold` is a snapshot kept by the database, on disk if large, and needs no open
 * transaction.
 */
import type { RowShape } from '../core/rowShape';
import type { Statement } from '../core/statement';
import type { ConnectionPool } from './connectionPool';
import type { ResultRows } from './rowChecks';

export interface CursorOptions {
  pool: ConnectionPool;
  statement: Statement;
  shape: RowShape;
  /** Compares a batch with the declared shape. */
  check(rows: ResultRows<unknown>): void;
  batch: number;
}

let cursorCount = 0;

export async function* streamCursor<T>({
  pool,
  statement: { text, params },
  shape,
  check,
  batch,
}: CursorOptions): AsyncGenerator<T[]> {
  cursorCount += 1;
  const cursor = `stream_${cursorCount}`;
  // Finding the rows cannot be cancelled, since the only connection is busy.
  await pool.query(`declare ${cursor} no scroll cursor with hold for ${text}`, params);
  const fetchBatch = () => {
    const rows = pool.query<T>(`fetch forward ${batch} from ${cursor}`, [], { shape });
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
    await pool.query(`close ${cursor}`).catch(() => undefined);
  }
}
