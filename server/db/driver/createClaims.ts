/** Claims on work that only one process does: each is an advisory lock, held until the session of the process ends. */

import type { Claim, Database } from '../core/database';
import type { ConnectionPool } from './connectionPool';

/** SQL: the key of a row of `pg_locks`. */
const keySql = '((classid::bigint << 32) + objid::bigint)';
const isClaimSql = `locktype = 'advisory' and granted and objsubid = 1
  and database = (select oid from pg_database where datname = current_database())`;

/** Claims of `Database` over a pool of one connection. */
export const createClaims = (pool: ConnectionPool): Pick<Database, 'claim' | 'unclaim' | 'claims'> => ({
  /** Idempotent: does not lock a second time. */
  claim: async (key) => {
    const isHeldSql = `exists (select from pg_locks where ${isClaimSql} and pid = pg_backend_pid()
      and ${keySql} = $1::bigint)`;
    const [row] = await pool.query<{ acquired: boolean }>(
      `select case when ${isHeldSql} then true else pg_try_advisory_lock($1::bigint) end as acquired`,
      [key],
    );
    return row?.acquired === true;
  },
  unclaim: async (key) => {
    await pool.query('select pg_advisory_unlock($1::bigint)', [key]);
  },
  claims: (first, last) =>
    pool.query<Claim>(
      `select ${keySql} as key, pid, pid = pg_backend_pid() as "isOurs" from pg_locks
      where ${isClaimSql} and ${keySql} between $1::bigint and $2::bigint order by 1`,
      [first, last],
    ),
});
