/** Maps driver errors to the errors of `database.ts`, for both databases. */
import postgres from 'postgres';
import { DatabaseAway, DatabaseFull, ForeignKeyViolation, StatementCancelled, UniqueViolation } from './database';

/**
 * Codes of postgres.js and Node for a failed connection, and SQLSTATEs: a failed connection (class 08), or a server
 * that is stopping or starting (57P0x), out of connections (53300) or read-only (25006).
 */
const unreachableCode = new RegExp(
  '^(CONNECT\\w+|ECONN\\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|UNREACHABLE|' +
    '0800[0-7]|57P0[1-5]|53300|25006)$',
);
/** SQLSTATEs, and codes of Node for file operations. */
const diskFullCodes = new Set(['53100', '53200', 'ENOSPC', 'EDQUOT']);
const retryableCodes = new Set(['40001', '40P01']);

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Returns the error to throw in place of a driver's; other errors unchanged. */
export function mapDriverError(error: unknown): unknown {
  const code = codeOf(error);
  if (isFull(error) && !(error instanceof DatabaseFull)) return new DatabaseFull(error);
  if (error instanceof postgres.PostgresError) {
    if (code === '23505') return new UniqueViolation(error.constraint_name ?? '');
    if (code === '23503' || code === '23001') return new ForeignKeyViolation(error.constraint_name ?? '');
    if (code === '57014') return new StatementCancelled(error);
    // FATAL: the server ends the session or admits none (closed to connections, database dropped, credentials changed).
    if (error.severity === 'FATAL' || error.severity === 'PANIC') return new DatabaseAway(error);
  }
  return unreachableCode.test(code) && !(error instanceof DatabaseAway) ? new DatabaseAway(error) : error;
}

/** SQLSTATE 25006: a standby, or a primary that was demoted. */
export const isReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006';

/** Whether the same transaction may succeed on retry: after a serialization failure or a deadlock. */
export const isRetryable = (error: unknown): boolean => retryableCodes.has(codeOf(error));

/** Whether PostgreSQL rejects a value (SQLSTATE class 22, data exceptions), and would do so with every attempt. */
export const isDataException = (error: unknown): boolean => /^22\w{3}$/.test(codeOf(error));

/** Whether space has run out, in the database or for a file of this process. */
export const isFull = (error: unknown): boolean => error instanceof DatabaseFull || diskFullCodes.has(codeOf(error));

/** Whether the connection failed, as opposed to a statement. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseAway || unreachableCode.test(codeOf(error));
