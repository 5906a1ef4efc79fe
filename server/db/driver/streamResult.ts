/**
 * Streams the result of one statement from a server. The whole result is read before its first rows are yielded: a
 * failure never cuts it short, and the connection is free for others however slow the reader is. Unlike with a cursor,
 * PostgreSQL may use parallel workers.
 */
import type { ConnectionPool, Lease } from './connectionPool';
import type { ResultRows } from './rowChecks';
import { RowSpool } from './rowSpool';
import type { CursorOptions } from './streamCursor';

export interface StreamOptions extends CursorOptions {
  /** Pool that sends the cancellation. */
  canceller: ConnectionPool;
  signal?: AbortSignal | undefined;
  /** Runs on the connection before the statement; prevents it by throwing. */
  before?(connection: Pick<Lease, 'query'>): Promise<void>;
}

export async function* streamResult<T>(options: StreamOptions): AsyncGenerator<T[]> {
  const spool = new RowSpool<T>();
  try {
    await fillSpool(spool, options);
    yield* spool.take();
  } finally {
    spool.close();
  }
}

async function fillSpool<T>(
  spool: RowSpool<T>,
  { pool, canceller, statement: { text, params }, shape, check, batch, signal, before }: StreamOptions,
): Promise<void> {
  const lease = await pool.lease();
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    canceller.query('select pg_cancel_backend($1)', [lease.pid]).catch(() => undefined);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  let rows: ResultRows<T> = [];
  const addBatch = (columns: ResultRows<T>['columns']) => {
    check(Object.assign(rows, { columns }));
    if (rows.length > 0) spool.add([...rows]);
    rows = [];
  };
  let failure: { error: unknown } | undefined;
  try {
    signal?.throwIfAborted();
    await before?.(lease);
    const result: ResultRows<unknown> = await lease.query(text, params, {
      shape,
      onRow: (row, columns) => {
        if (failure) return;
        rows.push(row as T);
        try {
          if (rows.length === batch) addBatch(columns);
        } catch (error) {
          failure = { error };
          cancel();
        }
      },
    });
    addBatch(result.columns);
  } catch (error) {
    throw failure ? failure.error : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    // A cancellation on its way would hit the next statement on this connection.
    if (isCancelled) lease.discard();
    else lease.release();
  }
  if (failure) throw failure.error;
}
