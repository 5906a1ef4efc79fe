/**
 * Watches free space and stops writes while there is too little.
 *
 * A full disk kills the embedded database: it cannot recover what it could not log. So the database turns read-only
 * while some space is left, and writable again by itself. A PostgreSQL server refuses writes by itself; `/readyz`
 * detects that by making it spill to disk.
 */
import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, DatabaseFull } from '../db/core/database';

/**
 * Minimum of free bytes at DATA_DIR. Embedded: room for writes in flight when the shortage is noticed. PostgreSQL: room
 * for the mail queue.
 */
const minFreeBytes = { pglite: 64 * 1024 * 1024, postgres: 8 * 1024 * 1024 };
/** Interval between checks of the embedded database's disk, in milliseconds. */
const checkInterval = 1000;
/** How long the result of a spill test on a PostgreSQL server is reused, in milliseconds. */
const spillCacheTimes = { room: 10_000, full: 1000 };

export interface Storage {
  /** Whether the last check found too little space. */
  isShort(): boolean;
  /**
   * Checks now.
   * @throws DatabaseFull
   */
  check(): Promise<void>;
  stop(): void;
}

/** Returns the free bytes of the file system that holds a directory. */
export type FreeBytes = (directory: string) => Promise<number>;

export const freeBytesAt: FreeBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

interface StorageOptions {
  db: Database;
  dataDir: string;
  log: FastifyBaseLogger;
  freeBytes?: FreeBytes;
  /** Checks only on `check()`, without a timer. */
  isIdle?: boolean;
}

/** Starts watching the disk of the embedded database. A PostgreSQL server is examined by `check()` only. */
export function watchStorage({ db, dataDir, log, freeBytes = freeBytesAt, isIdle = false }: StorageOptions): Storage {
  let isShort = false;
  let measuring: Promise<void> | undefined;

  const measure = async () => {
    // Writing resumes only with a quarter more space, so that the state does not flap.
    const minimum = minFreeBytes[db.kind] * (isShort ? 1.25 : 1);
    const wasShort = isShort;
    isShort = (await freeBytes(dataDir)) < minimum;
    if (isShort !== wasShort)
      log[isShort ? 'error' : 'info'](
        { dataDir },
        isShort ? 'disk space is too low: writes are refused' : 'disk space is sufficient again',
      );
    // Repeated at every check while short: the embedded database's one session may have been replaced since the last
    // check.
    if (db.kind === 'pglite' && (isShort || wasShort))
      await db.rows(sql.raw(`set default_transaction_read_only = ${isShort ? 'on' : 'off'}`));
  };
  const measureOnce = () => {
    measuring ??= measure().finally(() => {
      measuring = undefined;
    });
    return measuring;
  };
  const spill = cachedFor(() => spillOnServer(db));

  const timer =
    isIdle || db.kind !== 'pglite'
      ? undefined
      : setInterval(
          () => measureOnce().catch((err: unknown) => log.warn({ err }, 'checking free disk space failed')),
          checkInterval,
        );
  timer?.unref();
  return {
    isShort: () => isShort,
    async check() {
      await measureOnce();
      if (isShort) throw new DatabaseFull();
      if (db.kind === 'postgres') await spill();
    },
    stop: () => clearInterval(timer),
  };
}

/** Makes the server spill a 2 MB sort to a temporary file, which is not logged and is deleted at once. */
async function spillOnServer(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.rows(sql`set local work_mem = '64kB'`);
    await tx.rows(
      sql`select count(*) from (select repeat('x', 1000) || n as text from generate_series(1, 2000) n
        order by 1) sorted`,
    );
  });
}

/** Reuses an outcome for a while, so that frequent checks do not wear out the disk. */
function cachedFor(work: () => Promise<void>): () => Promise<void> {
  let last: { outcome: Promise<void>; until: number } | undefined;
  return () => {
    if (last && last.until > Date.now()) return last.outcome;
    const current = { outcome: work(), until: Date.now() + spillCacheTimes.room };
    last = current;
    current.outcome.catch(() => {
      current.until = Date.now() + spillCacheTimes.full;
    });
    return current.outcome;
  };
}
