/**
 * Does what background processes do on a PostgreSQL server: checkpoints, so that the write-ahead log stays short and
 * reopening fast; vacuum; fresh statistics for the planner. Pauses while the disk is full (storage.ts makes the session
 * read-only then), because a checkpoint or vacuum would crash the database.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { ConnectionPool } from '../driver/connectionPool';

/** Milliseconds between checks whether a checkpoint is due. */
const checkpointInterval = 20_000;
/** Bytes of write-ahead log at which a checkpoint is due; they take some 0.1 s to replay. */
const longLog = 32 * 1024 * 1024;
/** Milliseconds until tables are examined again if none was due. */
const tableInterval = 5000;
/** Seconds for which a table is not due again. */
const tableRest = 20;
/** Pause after a table, as a multiple of the time it took: maintenance occupies the connection for a tenth at most. */
const pauseFactor = 9;

/** Starts the periodic maintenance; returns `stop()`, which awaits the work in progress. */
export function startMaintenance(pool: ConnectionPool, log: FastifyBaseLogger): () => Promise<void> {
  const stops = [
    repeat(() => writeCheckpoint(pool), checkpointInterval, log),
    repeat(() => maintainTable(pool), tableInterval, log),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Repeats `work` after `interval` milliseconds, or after as many as it resolves to. */
function repeat(
  work: () => Promise<number | undefined>,
  interval: number,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let currentRun: Promise<void> = Promise.resolve();
  let isStopped = false;
  let timer = setTimeout(start, interval).unref();
  function start(): void {
    currentRun = run();
  }
  async function run(): Promise<void> {
    const pause = await work().catch((error: unknown) => {
      log.warn({ err: error }, 'maintenance of the embedded database failed');
      return undefined;
    });
    if (!isStopped) timer = setTimeout(start, pause ?? interval).unref();
  }
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await currentRun;
  };
}

/** SQL condition: the disk has room. */
const isWritableSql = `current_setting('default_transaction_read_only') = 'off'`;

async function writeCheckpoint(pool: ConnectionPool): Promise<undefined> {
  const [checkpoint] = await pool.query<{ is_due: boolean }>(
    `select ${isWritableSql} and pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1::numeric as is_due
    from pg_control_checkpoint()`,
    [longLog],
  );
  if (checkpoint?.is_due) await pool.query('checkpoint', [], { isUnlimited: true });
}

/**
 * Vacuums or analyzes the table that has changed most in proportion to its size, if any is due by the thresholds of
 * autovacuum. Returns milliseconds until the next table; undefined if none was due.
 */
async function maintainTable(pool: ConnectionPool): Promise<number | undefined> {
  const [due] = await pool.query<{ command: string }>(`
    select format(case when dead > 1 then 'vacuum (analyze) %I' else 'analyze %I' end, name) as command
    from (
      select s.relname as name, s.n_mod_since_analyze / (50 + 0.1 * greatest(c.reltuples, 0)) as changed,
      s.n_dead_tup / (50 + 0.2 * greatest(c.reltuples, 0)) as dead
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where coalesce(greatest(s.last_vacuum, s.last_analyze) < now() - interval '${tableRest} seconds', true)
    ) change
    where ${isWritableSql} and greatest(changed, dead) > 1 order by greatest(changed, dead) desc limit 1`);
  if (!due) return undefined;
  const start = performance.now();
  await pool.query(due.command, [], { isUnlimited: true });
  return (performance.now() - start) * pauseFactor;
}
