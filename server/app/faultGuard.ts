/** Handles errors that nobody awaits, such as those thrown in a socket callback of the database driver. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/core/database';
import { isDatabaseAway } from '../db/core/faults';

export interface FaultGuardOptions {
  db: Pick<Database, 'reset'>;
  log: Pick<FastifyBaseLogger, 'warn' | 'error' | 'fatal'>;
  /** Ends the process; a supervisor restarts it. */
  exit(): void;
}

/** Faults tolerated per `faultWindow` milliseconds; one more ends the process. */
const maxFaults = 10;
const faultWindow = 60_000;

const isDriverFault = (error: unknown): boolean =>
  error instanceof Error && /node_modules\/(?:postgres|@electric-sql\/pglite)\//.test(error.stack ?? '');

/**
 * Handles an uncaught error. A connection that is lost while it opens affects no other, although the driver rejects a
 * promise of its own for it that nobody awaits. Any other fault of the driver fails only the statements in flight: all
 * connections are replaced, because any of them may be corrupted. Every other error, and the eleventh such fault within
 * a minute, is logged and ends the process.
 */
export function faultHandler({ db, log, exit }: FaultGuardOptions): (error: unknown) => void {
  let recentFaults: number[] = [];
  return (error) => {
    if (isDriverFault(error) && isDatabaseAway(error)) {
      log.warn({ err: error }, 'a database connection was lost while it opened');
      return;
    }
    const now = Date.now();
    recentFaults = [...recentFaults.filter((faultTime) => now - faultTime < faultWindow), now];
    if (isDriverFault(error) && recentFaults.length <= maxFaults) {
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
