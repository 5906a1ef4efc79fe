/** Opens the embedded database: PGlite in a thread, in its own directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../core/database';
import { Connection, type ConnectionOptions } from '../driver/connection';
import { ConnectionPool } from '../driver/connectionPool';
import { createClaims } from '../driver/createClaims';
import { createDatabase } from '../driver/createDatabase';
import { NotificationListener } from '../driver/notificationListener';
import type { RowCheckOptions } from '../driver/rowChecks';
import { Embedded } from './embedded';
import { startMaintenance } from './startMaintenance';

/** Milliseconds after which the thread is terminated and restarted: a statement cannot be cancelled from outside. */
const answerTimeout = 30_000;
/** Milliseconds for the start of the thread and, after a kill, the recovery of the database. */
const connectTimeout = 120_000;

/** A pool of the one session of an embedded database. */
export function createEmbeddedPool(
  embedded: Embedded,
  options: Partial<ConnectionOptions> = {},
  listener?: NotificationListener,
): ConnectionPool {
  const open = async () => {
    const connection = await Connection.open({
      user: 'postgres',
      database: 'postgres',
      settings: {},
      connectTimeout,
      answerTimeout,
      ...options,
      openSocket: embedded.connect,
    });
    return listener ? listener.attach(connection) : connection;
  };
  return new ConnectionPool({ name: 'queries', open, max: 1, depth: Number.POSITIVE_INFINITY });
}

interface PgliteOptions extends RowCheckOptions {
  directory: string;
  /** Releases the lock of the directory. */
  release(): void;
  log: FastifyBaseLogger;
  /** Milliseconds for an answer, after which the thread is restarted. */
  answerTimeout?: number;
}

/** Opens an initialised directory. */
export function openPglite({ directory, release, log, onRowMismatch, answerTimeout }: PgliteOptions): {
  database: Database;
  pool: ConnectionPool;
} {
  const { pool, database } = createEmbeddedDatabase(
    new Embedded(directory, (error) => log.error({ err: error }, 'the thread of the embedded database failed')),
    { log, onRowMismatch },
    answerTimeout === undefined ? {} : { answerTimeout },
  );
  const stopMaintenance = startMaintenance(pool, log);
  const close = async () => {
    await stopMaintenance();
    await database.close();
    release();
  };
  return { pool, database: { ...database, close } };
}

/** `Database` over an embedded database; closing it ends the thread. */
export function createEmbeddedDatabase(
  embedded: Embedded,
  { log, onRowMismatch }: RowCheckOptions & { log: Pick<FastifyBaseLogger, 'warn'> },
  options: Partial<ConnectionOptions> = {},
): { database: Database; pool: ConnectionPool } {
  const listener = new NotificationListener(log);
  const onLost = (error: unknown) => {
    log.warn({ err: error }, 'the session of the embedded database was lost; opening another');
    void listener.reconnect(pool);
  };
  const pool = createEmbeddedPool(embedded, { onNotify: listener.notify, onLost, ...options }, listener);
  const close = async () => {
    listener.close();
    await pool.close();
    await embedded.close();
  };
  return {
    pool,
    database: createDatabase({
      log,
      onRowMismatch,
      kind: 'pglite',
      pool,
      streams: pool,
      listen: listener.listenOn(pool),
      claims: createClaims(pool),
      close,
    }),
  };
}

/** Directory of the embedded database within the data directory. */
export const embeddedDirectory = (dataDir: string): string => join(dataDir, 'pglite');

export const isInitialised = (directory: string): boolean => existsSync(join(directory, 'PG_VERSION'));
