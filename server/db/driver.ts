/**
 * `Database` over postgres.js. It speaks PostgreSQL's own protocol to a server by TCP and to the embedded database through its worker (pglite.ts),
 * so that both take the same statements, types and errors.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SQL } from 'drizzle-orm';
import type postgres from 'postgres';
import { type Database, DatabaseAway, type Queries } from './database';
import { faultOf, mayTryAgain } from './faults';
import type { Pool } from './pool';
import { Prepared } from './prepared';
import { statementOf } from './statement';
import { streamer } from './stream';

type Connection = Pool | postgres.TransactionSql<Record<string, unknown>> | postgres.ReservedSql<Record<string, unknown>>;

export interface DriverOptions {
  kind: Database['kind'];
  pool: Pool;
  /** Where results are streamed from, so that a slow reader of an export holds up nobody else. */
  streams: Pool;
  listen: Database['listen'];
  claim: Database['claim'];
  close(): Promise<void>;
}

const attempts = 5;
const patience = 2000;

export function databaseOver({ kind, pool, streams, listen, claim, close }: DriverOptions): Database {
  const prepared = new Prepared();
  const inTransaction = new AsyncLocalStorage<{ open: boolean }>();

  /** Outside the transaction around it a statement would wait for it forever on one connection, and escape it on several. */
  const outside = () => {
    if (inTransaction.getStore()?.open) throw new Error('Inside a transaction only its own queries may be used.');
  };

  const run = async <T>(connection: Connection, text: string, params: readonly unknown[]): Promise<T[]> => {
    try {
      const given = params.map((value) => (Array.isArray(value) ? pool.typed(value as never, 0) : value)) as never[];
      return (await connection.unsafe(text, given, { prepare: prepared.isWorth(text) })) as unknown as T[];
    } catch (error) {
      throw faultOf(error);
    }
  };

  const queriesOf = (connection: Connection, guard: () => void): Queries => ({
    rows: async (query) => {
      guard();
      const { text, params } = statementOf(query);
      return run(connection, text, params);
    },
    one: async <T>(query: SQL) => {
      guard();
      const { text, params } = statementOf(query);
      return (await run<T>(connection, text, params))[0];
    },
    text: async (text, params) => {
      guard();
      return run(connection, text, params);
    },
  });

  const attempt = async <T>(work: (tx: Queries) => Promise<T>): Promise<T> => {
    const state = { open: true };
    // The driver gives a transaction up when its connection is cut, but what runs inside goes on. Whatever it wrote then, its end included, would go to a
    // socket that is no more and take the process with it (porsager/postgres#1208): its statements are refused, and its end is never told.
    const cut = () => {
      if (!state.open) throw new DatabaseAway();
    };
    const unlessCut = <R>(ended: Promise<R>): Promise<R> =>
      new Promise((resolve, reject) =>
        ended.then(
          (value) => state.open && resolve(value),
          (error) => state.open && reject(error),
        ),
      );
    try {
      return (await pool.begin((connection) => unlessCut(inTransaction.run(state, () => work(queriesOf(connection, cut)))))) as T;
    } finally {
      state.open = false;
    }
  };

  return {
    kind,
    ...queriesOf(pool, outside),
    async transaction(work) {
      outside();
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (!mayTryAgain(error) || tried === attempts) throw faultOf(error);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tried));
        }
      }
    },
    async inOrder(work) {
      outside();
      const connection = await pool.reserve();
      const state = { open: true };
      try {
        return await inTransaction.run(state, () => work(queriesOf(connection, () => {})));
      } finally {
        state.open = false;
        connection.release();
      }
    },
    stream<T>(query: SQL, batch = 500, ended?: AbortSignal) {
      outside();
      return streamer<T>({ pool: streams, isShared: kind === 'pglite', statement: statementOf(query), batch, ended });
    },
    listen,
    claim,
    async ready() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DatabaseAway()), patience);
      });
      try {
        await Promise.race([run(pool, 'select 1', []), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    close,
  };
}
