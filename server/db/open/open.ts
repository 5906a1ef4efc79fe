/** The one way to the database, whichever it is: opened, migrated, ready. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, DatabaseAway } from '../core/database';
import { isDatabaseAway } from '../core/faults';
import { foldCounts } from '../core/writeCounts';
import { keepOrder } from '../driver/collation';
import type { ConnectionPool } from '../driver/connectionPool';
import { openPostgres } from '../driver/postgres';
import { unpackImage } from '../embedded/image';
import { takeLock } from '../embedded/lock';
import { directoryIn, isInitialised, openPglite } from '../embedded/pglite';
import { migrate } from '../migrations/migrate';

export interface OpenOptions {
  /**
   * A PostgreSQL server; without it the embedded database in `dataDir`. Several hosts:
   * `postgres://user@a:5432,b:5432/name`.
   */
  databaseUrl?: string;
  dataDir: string;
  log: FastifyBaseLogger;
  /** Milliseconds to wait for a server that does not answer yet. */
  patience?: number;
}

/**
 * Opens the database and brings it to the tables of this version.
 * @throws when another process holds the embedded directory, or `DatabaseAway` when no server answers in time
 */
export async function openDatabase({ databaseUrl, dataDir, log, patience = 30_000 }: OpenOptions): Promise<Database> {
  const { database, pool } = databaseUrl ? openPostgres({ databaseUrl, log }) : await openEmbedded(dataDir, log);
  try {
    const applied = await migrated(pool, log, Date.now() + patience);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
    await keepOrder(pool, database.kind, log);
    await foldCounts(database);
    return withRounds(database, log);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Connections come and go while the process runs, and each leaves its counters behind. */
function withRounds(database: Database, log: FastifyBaseLogger): Database {
  const timer = setInterval(
    () => foldCounts(database).catch((error: unknown) => log.warn({ err: error }, 'gathering counters failed')),
    600_000,
  );
  timer.unref();
  return {
    ...database,
    close: () => {
      clearInterval(timer);
      return database.close();
    },
  };
}

async function openEmbedded(dataDir: string, log: FastifyBaseLogger) {
  const release = takeLock(join(dataDir, 'pglite.lock'));
  try {
    const directory = directoryIn(dataDir);
    if (!isInitialised(directory)) await unpackImage(directory);
    return openPglite({ directory, release, log });
  } catch (error) {
    release();
    throw error;
  }
}

async function migrated(pool: ConnectionPool, log: FastifyBaseLogger, until: number): Promise<string[]> {
  for (;;) {
    try {
      return await migrate(pool);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (Date.now() > until) throw new DatabaseAway(error);
      log.warn({ err: error }, 'the database does not answer yet');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
