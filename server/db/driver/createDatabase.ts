/**
 * Implements `Database` over connection pools. Speaks PostgreSQL's protocol to a server by TCP and to the embedded
 * database through its worker (openPglite.ts), so both take the same statements, types and errors.
 */
import type { SQL } from 'drizzle-orm';
import {
  type Database,
  DatabaseAway,
  type Queries,
  StatementCancelled,
  type TransactionOptions,
} from '../core/database';
import { isRetryable, mapDriverError } from '../core/faults';
import type { LogPosition } from '../core/logPosition';
import type { RowOf, RowShape } from '../core/rowShape';
import { printStatement, type Statement } from '../core/statement';
import type { StatementOptions } from './connection';
import type { ConnectionPool } from './connectionPool';
import { PreparedStatements } from './preparedStatements';
import type { Replica } from './replica';
import type { ReplicaSet, ReplicaView } from './replicaSet';
import { type ResultRows, type RowCheckOptions, RowChecks } from './rowChecks';
import { runTransaction } from './runTransaction';
import { streamCursor } from './streamCursor';
import { type StreamOptions, streamResult } from './streamResult';
import { createTransactionGuard, noTransactionGuard } from './transactionGuard';

export interface DriverOptions extends RowCheckOptions {
  kind: Database['kind'];
  pool: ConnectionPool;
  /** Pool for streams, so that a slow reader of an export blocks nobody else. */
  streams: ConnectionPool;
  replicas?: ReplicaSet | undefined;
  /** Milliseconds after which connections of the pools are replaced; absent: never. */
  connectionAge?: number;
  listen: Database['listen'];
  claims: Pick<Database, 'claim' | 'unclaim' | 'claims'>;
  close(): Promise<void>;
}

/** Executes statements: a pool, or one of its connections. */
interface Runner {
  query<T>(text: string, params?: readonly unknown[], options?: StatementOptions): Promise<ResultRows<T>>;
}

/** Maximum attempts at a transaction that fails by serialization or deadlock. */
const maxAttempts = 5;
/** Milliseconds within which `ready()` expects an answer. */
const readyTimeout = 2000;

/** Creates the database; it connects at the first statement. */
export function createDatabase({
  kind,
  pool,
  streams,
  replicas,
  connectionAge,
  listen,
  claims,
  close,
  ...rowCheckOptions
}: DriverOptions): Database {
  const preparedStatements = new PreparedStatements({ connectionAge });
  const checks = new RowChecks(rowCheckOptions);
  // Use of the pool inside a transaction is a programming error, which tests detect.
  const transactionGuard = rowCheckOptions.onRowMismatch ? createTransactionGuard() : noTransactionGuard;

  const createQueries = (runner: Runner, guard: () => void): Queries => {
    const run = async <T>(query: SQL | Statement, shape?: RowShape): Promise<T[]> => {
      const { text, params } = 'text' in query ? query : printStatement(query);
      guard();
      const rows = await runner.query<T>(text, params, { prepare: preparedStatements.shouldPrepare(text), shape });
      if (shape) checks.check(shape, text, rows);
      return rows;
    };
    const select = <Shape extends RowShape>(shape: Shape, query: SQL | Statement) => run<RowOf<Shape>>(query, shape);
    const rows = (query: SQL | Statement) => run<Record<string, unknown>>(query);
    return {
      select,
      selectOne: async (shape, query) => (await select(shape, query))[0],
      rows,
      one: async (query) => (await rows(query))[0],
    };
  };

  const attemptTransaction = <T>(work: (tx: Queries) => Promise<T>, { maxSilence }: TransactionOptions): Promise<T> =>
    runTransaction(pool, (lease) => transactionGuard.run(() => work(createQueries(lease, () => {}))), {
      begin:
        maxSilence && kind === 'postgres'
          ? `begin; set local idle_in_transaction_session_timeout = ${maxSilence}`
          : 'begin',
    });

  /** Creates `Database.stream` over a pool: the primary's, or that of a replica. */
  const streamFrom =
    (from: Pick<StreamOptions, 'pool' | 'canceller' | 'before'>): Database['stream'] =>
    <Shape extends RowShape>(shape: Shape, query: SQL, batch = 500, signal?: AbortSignal) => {
      transactionGuard.requireOutside();
      const statement = printStatement(query);
      const check = (rows: ResultRows<unknown>) => checks.check(shape, statement.text, rows);
      const options = { ...from, statement, shape, check, batch, signal };
      return kind === 'pglite' ? streamCursor<RowOf<Shape>>(options) : streamResult<RowOf<Shape>>(options);
    };

  const primary: Database = {
    kind,
    source: {},
    ...createQueries(pool, transactionGuard.requireOutside),
    async transaction(work, options = {}) {
      transactionGuard.requireOutside();
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attemptTransaction(work, options);
        } catch (error) {
          if (!isRetryable(error) || attempts === maxAttempts) throw mapDriverError(error);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempts));
        }
      }
    },
    async inOrder(work) {
      transactionGuard.requireOutside();
      const lease = await pool.lease();
      try {
        return await transactionGuard.run(() => work(createQueries(lease, () => {})));
      } finally {
        lease.release();
      }
    },
    stream: streamFrom({ pool: streams, canceller: pool }),
    rowMismatches: () => checks.mismatches,
    listen,
    ...claims,
    reset: (error) => {
      pool.reset(error);
      streams.reset(error);
    },
    async ready() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DatabaseAway()), readyTimeout);
      });
      try {
        await Promise.race([pool.query('select 1'), timeout]);
      } finally {
        clearTimeout(timer);
      }
    },
    close,
  };

  /** A database that runs statements and streams on the replica until `end()`, everything else on the primary. */
  const createView = (replica: Replica, position: LogPosition): ReplicaView => {
    let failure: { error: unknown } | undefined;
    let hasEnded = false;
    const runner: Runner = {
      query: async (text, params, options) => {
        if (hasEnded) return pool.query(text, params, options);
        return replica.query<never>(position, text, params, options).catch((error: unknown) => {
          failure ??= { error };
          throw error;
        });
      },
    };
    const stream = streamFrom({
      pool: replica.streams,
      canceller: replica.pool,
      before: (connection) => replica.check(connection, position),
    });
    const db: Database = {
      ...primary,
      source: replica.source,
      ...createQueries(runner, transactionGuard.requireOutside),
      stream: (shape, query, batch, signal) =>
        hasEnded
          ? primary.stream(shape, query, batch, signal)
          : streamWithFallback(
              stream(shape, query, batch, signal),
              () => {
                replicas?.countFailure();
                return primary.stream(shape, query, batch, signal);
              },
              signal,
            ),
    };
    return {
      db,
      end: () => {
        hasEnded = true;
        return failure;
      },
    };
  };
  return replicas ? { ...primary, replicas: replicas.serve(createView) } : primary;
}

/** Reads `second` if `first` fails before its first rows; later failures cannot continue from another snapshot. */
async function* streamWithFallback<T>(
  first: AsyncIterable<T>,
  second: () => AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  let hasBegun = false;
  try {
    for await (const rows of first) {
      hasBegun = true;
      yield rows;
    }
    return;
  } catch (error) {
    if (hasBegun || signal?.aborted || error instanceof StatementCancelled) throw error;
  }
  yield* second();
}
