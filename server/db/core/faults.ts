/** What a driver's error means: one vocabulary for both databases. */
import postgres from 'postgres';
import { DatabaseAway, DatabaseFull, ForeignKeyViolation, StatementCancelled, UniqueViolation } from './database';

/**
 * Codes of postgres.js and Node for a connection that failed; class 08 and the rest are SQLSTATEs of a server that is
 * stopping, starting, full or no longer writable.
 */
const away =
  /^(CONNECT\w+|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|UNREACHABLE|0800[0-7]|57P0[1-5]|53300|25006)$/;
/** SQLSTATEs of a database, and codes of Node for files of its own. */
const full = new Set(['53100', '53200', 'ENOSPC', 'EDQUOT']);
const again = new Set(['40001', '40P01']);

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** The error to throw in place of a driver's. Errors of other origin are given back as they are. */
export function faultOf(error: unknown): unknown {
  const code = codeOf(error);
  if (isFull(error) && !(error instanceof DatabaseFull)) return new DatabaseFull(error);
  if (error instanceof postgres.PostgresError) {
    if (code === '23505') return new UniqueViolation(error.constraint_name ?? '');
    if (code === '23503' || code === '23001') return new ForeignKeyViolation(error.constraint_name ?? '');
    if (code === '57014') return new StatementCancelled(error);
    // A server says so when it ends a session or lets nobody in: closed to connections, dropped, credentials changed.
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return new DatabaseAway(error);
  }
  return away.test(code) && !(error instanceof DatabaseAway) ? new DatabaseAway(error) : error;
}

/** Whether the server takes no writes (SQLSTATE 25006): a standby, or a primary that was demoted. */
export const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006';

/** Whether the same transaction may succeed when tried again: serialization failure or deadlock. */
export const mayTryAgain = (error: unknown): boolean => again.has(codeOf(error));

/** Whether there was no room to store something, in the database or beside it. */
export const isFull = (error: unknown): boolean => error instanceof DatabaseFull || full.has(codeOf(error));

/** Whether the server answered that a statement failed, as opposed to a connection that broke. */
export const isDatabaseAway = (error: unknown): boolean => error instanceof DatabaseAway || away.test(codeOf(error));
