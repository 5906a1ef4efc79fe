/** The embedded database: PGlite in a thread, in a directory of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { claimOn } from './claim';
import type { Database } from './database';
import { databaseOver } from './driver';
import { Embedded } from './embedded';
import { Ears } from './listen';
import { type Pool, poolOf, sessionSettings } from './pool';
import { keepTidy } from './tidy';

/** A pool of the one session that an embedded database has. */
export function poolOver(embedded: Embedded, onnotify?: (channel: string, payload: string) => void): Pool {
  return poolOf({ socket: embedded.connect, max: 1, max_lifetime: null, user: 'postgres', database: 'postgres', onnotify, connection: sessionSettings });
}

interface PgliteOptions {
  directory: string;
  /** Releases what guards the directory. */
  release(): void;
  log: FastifyBaseLogger;
}

/** Opens the database in a directory that holds one already. */
export function openPglite({ directory, release, log }: PgliteOptions): { database: Database; pool: Pool } {
  const { pool, database } = databaseIn(new Embedded(directory, (error) => log.error({ err: error }, 'the thread of the embedded database failed')));
  const stopTidying = keepTidy(pool, log);
  const close = async () => {
    await stopTidying();
    await database.close();
    release();
  };
  return { pool, database: { ...database, close } };
}

/** An embedded database as the server uses it; closing it ends its thread. */
export function databaseIn(embedded: Embedded): { database: Database; pool: Pool } {
  const ears = new Ears();
  const pool = poolOver(embedded, ears.hear);
  const close = async () => {
    await pool.end({ timeout: 5 });
    await embedded.close();
  };
  return { pool, database: databaseOver({ kind: 'pglite', pool, streams: pool, listen: ears.listenOn(pool), claim: claimOn(pool), close }) };
}

/** Where the embedded database of a data directory lives. */
export const directoryIn = (dataDir: string): string => join(dataDir, 'pglite');

export const isInitialised = (directory: string): boolean => existsSync(join(directory, 'PG_VERSION'));
