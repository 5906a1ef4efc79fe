/**
 * Does what background processes do on a PostgreSQL server: checkpoints, so that the write-ahead log stays short and
 * reopening fast; vacuum; fresh statistics for the planner.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { ConnectionPool } from '../driver/connectionPool';

const interval = 20_000;
/** Bytes of write-ahead log at which a checkpoint is due; they take some 0.1 s to replay. */
const longLog = 32 * 1024 * 1024;

/** Starts the periodic maintenance; returns `stop()`, which awaits the run in progress. */
export function startMaintenance(pool: ConnectionPool, log: FastifyBaseLogger): () => Promise<void> {
  let currentRun: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    currentRun = maintain(pool).catch((error: unknown) =>
      log.warn({ err: error }, 'maintenance of the embedded database failed'),
    );
  }, interval);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await currentRun;
  };
}

async function maintain(pool: ConnectionPool): Promise<void> {
  // Set while the disk is full (storage.ts): a checkpoint or vacuum would then crash the database.
  const [session] = await pool.query<{ default_transaction_read_only: string }>('show default_transaction_read_only');
  if (session?.default_transaction_read_only === 'on') return;
  const [log] = await pool.query<{ is_long: boolean }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1::numeric as is_long from ' +
      'pg_control_checkpoint()',
    [longLog],
  );
  if (log?.is_long) await pool.query('checkpoint', [], { isUnlimited: true });
  // Thresholds of autovacuum; one table per run, so that nobody waits long.
  const [due] = await pool.query<{ name: string }>(`
    select format('%I', s.relname) as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.n_mod_since_analyze > 50 + 0.1 * c.reltuples or s.n_dead_tup > 50 + 0.2 * c.reltuples
    order by s.n_mod_since_analyze + s.n_dead_tup desc limit 1`);
  if (due) await pool.query(`vacuum (analyze) ${due.name}`, [], { isUnlimited: true });
}
