/** Process-wide work that one process of all does: it holds an advisory lock as long as its session lasts. */

import type { Database } from '../core/database';
import type { ConnectionPool } from './connectionPool';

/** `Database.claim` over a pool of one connection. Idempotent: does not lock a second time. */
export const createClaim =
  (pool: ConnectionPool): Database['claim'] =>
  async (key) => {
    const isHeldSql = `exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
      and (classid::bigint << 32) + objid::bigint = $1::bigint and granted)`;
    const [row] = await pool.query<{ acquired: boolean }>(
      `select case when ${isHeldSql} then true else pg_try_advisory_lock($1::bigint) end as acquired`,
      [key],
    );
    return row?.acquired === true;
  };
