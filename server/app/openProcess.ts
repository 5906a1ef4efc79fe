/** First steps of a start, before the other modules are loaded: the logger, and the database, which takes longest. */
import pino, { type Logger } from 'pino';
import type { Env } from '../context/env';
import type { Database } from '../db/core/database';
import { type OpenOptions, openDatabase } from '../db/open/openDatabase';

export interface ProcessStart {
  log: Logger;
  opening: Promise<Database>;
}

/** Creates the logger and begins to open the database; the caller awaits `opening`. */
export function openProcess(
  env: Pick<Env, 'databaseUrl' | 'databaseReadUrl' | 'dataDir' | 'logLevel'>,
  options: Pick<OpenOptions, 'onRowMismatch'> = {},
): ProcessStart {
  const log = pino({ level: env.logLevel });
  const opening = openDatabase({
    databaseUrl: env.databaseUrl,
    readUrl: env.databaseReadUrl,
    dataDir: env.dataDir,
    log,
    ...options,
  });
  // Avoids an unhandled rejection until the promise is awaited.
  opening.catch(() => {});
  return { log, opening };
}
