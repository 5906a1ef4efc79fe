/** Claims on work that only one process does: each is an advisory lock, held until the session of the process ends. */

import type { Claim, Database } from '../core/database';
import type { ConnectionPool } from './connectionPool';

/** SQL: the key of a row of `pg_locks`. */
const keySql = '((classid::bigint << 32) + objid::bigint)';
const claimWhere = `locktype = 'advisory' and granted and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())`;

/**
 * Claims of `Database` over a pool of one connection. Statements contain their keys: one with parameters takes two
 * messages, and PostgreSQL ends no session that waits for the second one (`idle_session_timeout`), so a process cut off
 * between them would keep its claims for hours.
 */
export const createClaims = (pool: ConnectionPool): Pick<Database, 'claim' | 'unclaim' | 'claims'> => ({
  /** Idempotent: does not lock a second time. */
  claim: async (key) => {
    const isHeldSql = `exists (select from pg_locks where ${claimWhere} and pid = pg_backend_pid()
      and ${keySql} = ${literalOf(key)})`;
    const [row] = await pool.query<{ acquired: boolean }>(
      `select case when ${isHeldSql} then true else pg_try_advisory_lock(${literalOf(key)}) end as acquired`,
    );
    return row?.acquired === true;
  },
  unclaim: async (key) => {
    await pool.query(`select pg_advisory_unlock(${literalOf(key)})`);
  },
  claims: (first, last) =>
    pool.query<Claim>(
      `select ${keySql} as key, pid, pid = pg_backend_pid() as "isOurs" from pg_locks
      where ${claimWhere} and ${keySql} between ${literalOf(first)} and ${literalOf(last)} order by 1`,
    ),
});

function literalOf(key: number): string {
  if (!Number.isSafeInteger(key)) throw new RangeError(`${key} is not the key of a claim.`);
  return `${key}::bigint`;
}
