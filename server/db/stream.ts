/** Results in batches. A cursor `with hold` is one snapshot kept by the database, on disk when it is large, and needs no open transaction. */

import { faultOf } from './faults';
import type { Pool } from './pool';
import type { Statement } from './statement';

interface StreamOptions {
  pool: Pool;
  /** The pool is a single connection that serves everybody: others may use it between two batches. */
  isShared: boolean;
  statement: Statement;
  batch: number;
  ended?: AbortSignal;
}

let opened = 0;

export async function* streamer<T>({ pool, isShared, statement, batch, ended }: StreamOptions): AsyncGenerator<T[]> {
  opened += 1;
  const cursor = `stream_${opened}`;
  const connection = isShared ? pool : await reserved(pool);
  try {
    const params = statement.params.map((value) => (Array.isArray(value) ? pool.typed(value as never, 0) : value)) as never[];
    const declared = connection.unsafe(`declare ${cursor} no scroll cursor with hold for ${statement.text}`, params, {
      prepare: false,
      simple: false,
    } as never);
    // Finding the rows is what takes long; the embedded database serves one connection and cannot be told to stop.
    const stop = () => declared.cancel();
    if (!isShared) ended?.addEventListener('abort', stop, { once: true });
    await declared;
    ended?.removeEventListener('abort', stop);
    const fetched = () => {
      const rows = connection.unsafe(`fetch forward ${batch} from ${cursor}`).execute() as unknown as Promise<T[]>;
      // What fails while nobody waits for it is thrown when somebody does.
      rows.catch(() => undefined);
      return rows;
    };
    // The next batch is on its way while this one is printed.
    let next = fetched();
    try {
      for (;;) {
        const rows = await next;
        const isLast = rows.length < batch;
        if (!isLast) next = fetched();
        if (rows.length > 0) yield rows;
        if (isLast) return;
      }
    } finally {
      await next.catch(() => undefined);
      await connection.unsafe(`close ${cursor}`);
    }
  } catch (error) {
    throw faultOf(error);
  } finally {
    if ('release' in connection && typeof connection.release === 'function') connection.release();
  }
}

async function reserved(pool: Pool) {
  try {
    return await pool.reserve();
  } catch (error) {
    throw faultOf(error);
  }
}
