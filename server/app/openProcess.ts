/**
 * What a start begins with, before the rest of the server is even loaded: somewhere to log to, and the database, which
 * takes longest to come up.
 */
import pino, { type Logger } from 'pino';
import type { Env } from '../context/env';
import type { Database } from '../db/core/database';
import { type OpenOptions, openDatabase } from '../db/open/open';

export interface ProcessStart {
  log: Logger;
  opening: Promise<Database>;
}

export function openProcess(
  env: Pick<Env, 'databaseUrl' | 'dataDir' | 'logLevel'>,
  options: Pick<OpenOptions, 'onRowMismatch'> = {},
): ProcessStart {
  const log = pino({ level: env.logLevel });
  const opening = openDatabase({ databaseUrl: env.databaseUrl, dataDir: env.dataDir, log, ...options });
  // Whoever awaits it hears of a failure; nobody may be there yet.
  opening.catch(() => {});
  return { log, opening };
}
