import { sql } from 'drizzle-orm';
import { advisoryLocks } from './advisoryLocks';
import type { Queries } from './database';
import { pg } from './rowShape';

/** Takes a lock until the transaction ends. Returns false, without waiting, while another transaction holds it. */
export async function tryAdvisoryLock(tx: Queries, lock: keyof typeof advisoryLocks): Promise<boolean> {
  const row = await tx.selectOne(
    { acquired: pg.boolean },
    sql`select pg_try_advisory_xact_lock(${advisoryLocks[lock]}) as acquired`,
  );
  return row?.acquired === true;
}
