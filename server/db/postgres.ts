/** PostgreSQL by `DATABASE_URL`. */
import type { FastifyBaseLogger } from 'fastify';
import { claimOn } from './claim';
import type { Database } from './database';
import { databaseOver } from './driver';
import { Ears } from './listen';
import { type Pool, type PoolOptions, poolOf, sessionSettings } from './pool';

interface PostgresOptions {
  databaseUrl: string;
  log: FastifyBaseLogger;
  /** Connections for queries; streams and notifications have their own. */
  connections?: number;
}

/** Opens pools on a server; nothing is connected before the first query. */
export function openPostgres({ databaseUrl, log, connections = 20 }: PostgresOptions): { database: Database; pool: Pool } {
  let isClosing = false;
  const ears = new Ears();
  const make = (max: number, more: Partial<PoolOptions> = {}) => poolOf({ ...shared(databaseUrl), max, ...more });
  const pool = make(connections);
  const streams = make(4, { idle_timeout: 30 });
  const listening: Pool = make(1, { onnotify: ears.hear, onclose: () => void ears.again(listening, log, () => isClosing) });
  const close = async () => {
    isClosing = true;
    await Promise.all([pool, streams, listening].map((each) => each.end({ timeout: 5 })));
  };
  return { pool, database: databaseOver({ kind: 'postgres', pool, streams, listen: ears.listenOn(listening), claim: claimOn(listening), close }) };
}

function shared(url: string): Omit<PoolOptions, 'max'> {
  return {
    url,
    connect_timeout: 5,
    // Seconds until the next try. A server that came back must be noticed within five.
    backoff: (retries: number) => Math.min(0.1 * 2 ** retries, 1) * (0.5 + Math.random() / 2),
    // With several hosts, the one that takes writes.
    ...(hasSeveralHosts(url) ? { target_session_attrs: 'read-write' } : {}),
    connection: { ...sessionSettings, application_name: 'sweepline', statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 },
  };
}

const hasSeveralHosts = (url: string) => /^\w+:\/\/(?:[^@/]*@)?[^/]*,/.test(url);
