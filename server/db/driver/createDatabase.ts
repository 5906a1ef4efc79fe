/**
 * Implements `Database` over connection pools. Speaks PostgreSQL's protocol to a server by TCP and to the embedded
 * database through its worker (openPglite.ts), so both take the same statements, types and errors.
 */
import type { SQL } from 'drizzle-orm';
import { type Database, DatabaseAway, type Queries } from '../core/database';
import { faultOf, mayTryAgain } from '../core/faults';
import type { RowOf, RowShape } from '../core/rowShape';
import { type Statement, statementOf } from '../core/statement';
import type { StatementOptions } from './connection';
import type { ConnectionPool } from './connectionPool';
import { PreparedStatements } from './preparedStatements';
import { type ResultRows, type RowCheckOptions, RowChecks } from './rowChecks';
import { runTransaction } from './runTransaction';
import { streamRows } from './streamRows';
import { createTransactionGuard, noTransactionGuard } from './transactionGuard';

export interface DriverOptions extends RowCheckOptions {
  kind: Database['kind'];
  pool: ConnectionPool;
  /** Pool for streams, so that a slow reader of an export blocks nobody else. */
  streams: ConnectionPool;
  listen: Database['listen'];
  claim: Database['claim'];
  close(): Promise<void>;
}

/** Executes a statement: the pool, or one of its connections. */
interface Runner {
  query<T>(text: string, params?: readonly unknown[], options?: StatementOptions): Promise<ResultRows<T>>;
}

const maxAttempts = 5;
const readyTimeout = 2000;

export function createDatabase({ kind, pool, streams, listen, claim, close, ...checking }: DriverOptions): Database {
  const prepared = new PreparedStatements();
  const checks = new RowChecks(checking);
  // Misuse is a programming error, which tests detect.
  const transactionGuard = checking.onRowMismatch ? createTransactionGuard() : noTransactionGuard;

  const queriesOf = (runner: Runner, guard: () => void): Queries => {
    const run = async <T>(query: SQL | Statement, shape?: RowShape): Promise<T[]> => {
      const { text, params } = 'text' in query ? query : statementOf(query);
      guard();
      const rows = await runner.query<T>(text, params, { prepare: prepared.shouldPrepare(text), shape });
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

  const attempt = <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
    runTransaction(pool, (lease) => transactionGuard.run(() => work(queriesOf(lease, () => {}))));

  return {
    kind,
    ...queriesOf(pool, transactionGuard.requireOutside),
    async transaction(work) {
      transactionGuard.requireOutside();
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (!mayTryAgain(error) || attempts === maxAttempts) throw faultOf(error);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempts));
        }
      }
    },
    async inOrder(work) {
      transactionGuard.requireOutside();
      const lease = await pool.lease();
      try {
        return await transactionGuard.run(() => work(queriesOf(lease, () => {})));
      } finally {
        lease.release();
      }
    },
    stream<Shape extends RowShape>(shape: Shape, query: SQL, batch = 500, signal?: AbortSignal) {
      transactionGuard.requireOutside();
      const statement = statementOf(query);
      return streamRows<RowOf<Shape>>({
        pool: streams,
        canceller: pool,
        isShared: kind === 'pglite',
        statement,
        shape,
        check: (rows) => checks.check(shape, statement.text, rows),
        batch,
        signal,
      });
    },
    rowMismatches: () => checks.mismatches,
    listen,
    claim,
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
}
