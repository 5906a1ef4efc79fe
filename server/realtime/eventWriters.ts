/**
 * Finds the transactions that are writing events. Ids are assigned without a lock, so a lower id may become visible
 * after a higher one. Each writer holds a shared advisory lock from before its first id until its commit: once the
 * present holders have released it, every id assigned so far is visible or never will be.
 *
 * Only holders are awaited, so transactions that write no events delay none, however long they last.
 */
import { type SQL, sql } from 'drizzle-orm';
import { advisoryLocks } from '../db/core/advisoryLocks';
import { olderApplicationName } from '../db/core/applicationName';
import type { Database, Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';

/** Milliseconds between two checks whether writers have ended. */
const pollEvery = 5;
/** Milliseconds for which the result of `hasOlderProcess` is cached. */
const recheckEvery = 5000;

/**
 * Returns a function that returns the SQL by which a writer takes the lock before ids are assigned. While a process of
 * an older version runs, the lock is exclusive, as in that version: its reader skips events that become visible late.
 */
export function createWriterLock(db: Database): () => Promise<SQL> {
  const lock = sql`${advisoryLocks.events}::bigint`;
  let isShared: Promise<boolean> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - checkedAt > recheckEvery) {
      checkedAt = performance.now();
      isShared = hasOlderProcess(db).then(
        (hasOlder) => !hasOlder,
        // Publishing will fail as well; the next attempt checks again.
        () => {
          checkedAt = Number.NEGATIVE_INFINITY;
          return false;
        },
      );
    }
    return (await isShared) ? sql`pg_advisory_xact_lock_shared(${lock})` : sql`pg_advisory_xact_lock(${lock})`;
  };
}

async function hasOlderProcess(db: Database): Promise<boolean> {
  // Only one process opens an embedded database.
  if (db.kind === 'pglite') return false;
  const row = await db.selectOne(
    { exists: pg.boolean },
    sql`select exists (select from pg_stat_activity where datname = current_database() and application_name =
      ${olderApplicationName}) as exists`,
  );
  return row?.exists === true;
}

/** Resolves when every transaction that writes events now has ended, or when `isCancelled` returns true. */
export async function awaitEventWriters(db: Queries, isCancelled: () => boolean = () => false): Promise<void> {
  let writers = await eventWriters(db);
  while (writers.size > 0 && !isCancelled()) {
    await new Promise((resolve) => setTimeout(resolve, pollEvery));
    const current = await eventWriters(db);
    writers = new Set([...writers].filter((writer) => current.has(writer)));
  }
}

/** Transactions that hold the lock, by virtual transaction id; these are never reused. */
async function eventWriters(db: Queries): Promise<Set<string>> {
  const rows = await db.select(
    { writer: pg.text },
    sql`select virtualtransaction as writer from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) + objid::bigint = ${advisoryLocks.events}::bigint`,
  );
  return new Set(rows.map(({ writer }) => writer));
}
