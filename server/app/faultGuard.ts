/**
 * The last guard of the process: errors thrown where nobody awaits them, such as in a callback of the database driver's
 * socket.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/core/database';

export interface FaultGuardOptions {
  db: Pick<Database, 'reset'>;
  log: Pick<FastifyBaseLogger, 'error' | 'fatal'>;
  /** Ends the process for a supervisor to start it again. */
  exit(): void;
}

/** More of them within `window` milliseconds mean that going on is no use. */
const limit = 10;
const window = 60_000;

const isDriverFault = (error: unknown): boolean =>
  error instanceof Error && /node_modules\/(?:postgres|@electric-sql\/pglite)\//.test(error.stack ?? '');

/**
 * Handles an uncaught error. A fault of the database driver costs the statements under way and nothing else: all
 * connections are replaced, for any of them may be in a wrong state. Every other error, and the eleventh such fault in
 * a minute, ends the process after it was logged.
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
    log.fatal({ err: error }, 'an error that nothing handles; the process ends');
    exit();
  };
}

/** Installs the handler for this process, for uncaught exceptions and unhandled rejections. */
export function guardProcess(options: FaultGuardOptions): void {
  process.on('uncaughtException', faultHandler(options));
}
