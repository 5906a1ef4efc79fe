/** Last resort for errors thrown where nobody awaits them, such as in a socket callback of the database driver. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/core/database';

export interface FaultGuardOptions {
  db: Pick<Database, 'reset'>;
  log: Pick<FastifyBaseLogger, 'error' | 'fatal'>;
  /** Ends the process, for a supervisor to restart it. */
  exit(): void;
}

/** Tolerated faults per `window` milliseconds; beyond that the process ends. */
const limit = 10;
const window = 60_000;

const isDriverFault = (error: unknown): boolean =>
  error instanceof Error && /node_modules\/(?:postgres|@electric-sql\/pglite)\//.test(error.stack ?? '');

/**
 * Handles an uncaught error. A fault of the database driver fails the statements in flight only: all connections are
 * replaced, because any of them may be corrupted. Every other error, and the eleventh such fault in a minute, is logged
 * and ends the process.
 */
export function faultHandler({ db, log, exit }: FaultGuardOptions): (error: unknown) => void {
  let recent: number[] = [];
  return (error) => {
    const now = Date.now();
    recent = [...recent.filter((at) => now - at < window), now];
    if (isDriverFault(error) && recent.length <= limit) {
      log.error({ err: error }, 'the database driver failed; its connections are replaced');
      db.reset(error);
      return;
    }
    log.fatal({ err: error }, 'uncaught error; the process ends');
    exit();
  };
}

/** Handles uncaught exceptions and unhandled rejections of this process. */
export function guardProcess(options: FaultGuardOptions): void {
  process.on('uncaughtException', faultHandler(options));
}
