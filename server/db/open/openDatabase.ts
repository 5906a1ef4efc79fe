/** Opens the database of either kind, locked and migrated. */
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { type Database, DatabaseAway } from '../core/database';
import { isDatabaseAway } from '../core/faults';
import { foldCounts } from '../core/writeCounts';
import type { ConnectionPool } from '../driver/connectionPool';
import { maintainCollation } from '../driver/maintainCollation';
import { openPostgres } from '../driver/openPostgres';
import type { RowCheckOptions } from '../driver/rowChecks';
import { unpackImage } from '../embedded/image';
import { embeddedDirectory, isInitialised, openPglite } from '../embedded/openPglite';
import { takeLock } from '../embedded/takeLock';
import { type MigrateResult, migrate } from '../migrations/migrate';
import { convertTextHours } from './convertTextHours';

export interface OpenOptions extends RowCheckOptions {
  /**
   * URL of a PostgreSQL server; the embedded database in `dataDir` without it. Several hosts:
   * `postgres://user@a:5432,b:5432/name`.
   */
  databaseUrl?: string;
  /** Replicas of that server to read from, in the same form. */
  readUrl?: string;
  dataDir: string;
  log: FastifyBaseLogger;
  /** Milliseconds to keep trying while the server does not answer. */
  timeout?: number;
  /** Milliseconds for an answer to a statement; loading a large demo takes more than the default. */
  answerTimeout?: number;
}

/**
 * Opens the database and applies pending migrations.
 * @throws when another process uses the embedded directory; `DatabaseAway` when no server answers in time
 */
export async function openDatabase({
  databaseUrl,
  readUrl,
  dataDir,
  log,
  timeout = 30_000,
  answerTimeout,
  onRowMismatch,
}: OpenOptions): Promise<Database> {
  const { database, pool } = databaseUrl
    ? openPostgres({ databaseUrl, readUrl, log, onRowMismatch, answerTimeout })
    : await openEmbedded({ dataDir, log, onRowMismatch, answerTimeout });
  try {
    const { applied, unknown } = await migrateWithRetry(pool, log, Date.now() + timeout);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
    if (unknown.length > 0)
      log.warn({ unknown }, 'a newer version has migrated the database: run this one no longer than the upgrade takes');
    await maintainCollation(pool, database.kind, log);
    await convertTextHours(database);
    await foldCounts(database);
    return withCountFolding(database, log);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Folds write counts every ten minutes, because each closed connection leaves its own row. */
function withCountFolding(database: Database, log: FastifyBaseLogger): Database {
  const timer = setInterval(
    () => foldCounts(database).catch((error: unknown) => log.warn({ err: error }, 'folding write counts failed')),
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

async function openEmbedded({ dataDir, log, onRowMismatch, answerTimeout }: OpenOptions) {
  const release = takeLock(join(dataDir, 'pglite.lock'));
  try {
    const directory = embeddedDirectory(dataDir);
    if (!isInitialised(directory)) await unpackImage(directory);
    return openPglite({ directory, release, log, onRowMismatch, answerTimeout });
  } catch (error) {
    release();
    throw error;
  }
}

async function migrateWithRetry(pool: ConnectionPool, log: FastifyBaseLogger, until: number): Promise<MigrateResult> {
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
