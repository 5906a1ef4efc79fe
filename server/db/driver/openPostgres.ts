/** Opens a PostgreSQL server by `DATABASE_URL`. */
import { connect, type Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { applicationName } from '../core/applicationName';
import { type Database, DatabaseAway } from '../core/database';
import { Connection, type ConnectionOptions } from './connection';
import { ConnectionPool, connectionAge } from './connectionPool';
import { createClaims } from './createClaims';
import { createDatabase } from './createDatabase';
import { NotificationListener } from './notificationListener';
import { type Host, parseHosts } from './parseHosts';
import { ReplicaSet } from './replicaSet';
import type { RowCheckOptions } from './rowChecks';
import { sessionSettings } from './sessionSettings';

interface PostgresOptions extends RowCheckOptions {
  databaseUrl: string;
  /** Replicas to read from: `DATABASE_READ_URL`. */
  readUrl?: string;
  log: FastifyBaseLogger;
  /** Connections for queries; streams and notifications have their own. */
  connections?: number;
  /** Milliseconds without an answer after which a connection counts as lost. */
  answerTimeout?: number;
}

/** Milliseconds within which any host must answer, so that callers get an error within three seconds. */
const connectTimeout = 2500;
/** The same for a replica; shorter, because a read may wait for the connection. */
const replicaTimeout = 1000;
/** Milliseconds after which the server cancels a statement. A server that does not even do that counts as gone. */
const statementTimeout = 30_000;
const defaultAnswerTimeout = statementTimeout + 5000;

/**
 * Milliseconds of silence after which the server rolls a transaction back, so that a process that hangs or is cut off
 * does not keep rows locked. `runTransaction` sends heartbeats more often than that; `TransactionOptions` may differ.
 */
const maxSilence = 5000;

const settings = {
  ...sessionSettings,
  application_name: applicationName,
  statement_timeout: statementTimeout,
  idle_in_transaction_session_timeout: maxSilence,
};

/**
 * Milliseconds after which a session of claims counts as cut off, on either side. A host that lost its power or network
 * closes no connection: without this its claims would stay with it for hours, and their work undone.
 */
const controlTimeout = 3000;
/** Milliseconds between heartbeats of that session. */
const heartbeatInterval = 500;

/** Creates the pools; connects at the first query. */
export function openPostgres({
  databaseUrl,
  readUrl,
  log,
  onRowMismatch,
  connections = 20,
  answerTimeout = defaultAnswerTimeout,
}: PostgresOptions): { database: Database; pool: ConnectionPool } {
  const listener = new NotificationListener(log);
  const connectTo = createConnector(databaseUrl, { timeout: connectTimeout, answerTimeout });
  const pool = new ConnectionPool({
    name: 'queries',
    open: () => connectTo(),
    max: connections,
    maxAge: connectionAge,
  });
  const streams = new ConnectionPool({
    name: 'streams',
    open: () => connectTo(),
    max: 4,
    idleTimeout: 30_000,
    maxAge: connectionAge,
  });
  // A separate connection that is never replaced for its age: advisory locks (`claim`) end with it.
  const control = new ConnectionPool({
    name: 'control',
    open: async () => {
      const connection = await connectTo({
        settings: { ...settings, idle_session_timeout: controlTimeout },
        answerTimeout: controlTimeout,
        onNotify: listener.notify,
        onLost: () => void listener.reconnect(control),
      });
      startHeartbeat(connection);
      return listener.attach(connection);
    },
    max: 1,
    depth: Number.POSITIVE_INFINITY,
  });
  const replicas =
    readUrl === undefined
      ? undefined
      : new ReplicaSet({
          hosts: parseHosts(readUrl),
          createConnector: (host) =>
            createConnector(readUrl, { timeout: replicaTimeout, answerTimeout, hosts: [host] }),
          pool,
          connections,
          log,
        });
  const close = async () => {
    listener.close();
    await replicas?.close();
    await Promise.all([pool, streams, control].map((openPool) => openPool.close()));
  };
  return {
    pool,
    database: createDatabase({
      log,
      onRowMismatch,
      kind: 'postgres',
      pool,
      streams,
      replicas,
      connectionAge,
      listen: listener.listenOn(control),
      claims: createClaims(control),
      close,
    }),
  };
}

/** Sends a statement at intervals while the connection is open, so that `idle_session_timeout` does not end it. */
function startHeartbeat(connection: Connection): void {
  const timer = setInterval(() => {
    if (connection.isOpen) connection.query('select 1').catch(() => undefined);
    else clearInterval(timer);
  }, heartbeatInterval).unref();
}

/**
 * Returns a function that opens connections. With several hosts it tries each, starting with the last one that accepted
 * writes; together they have `timeout` milliseconds. It throws DatabaseAway if none accepts writes.
 */
function createConnector(
  url: string,
  {
    timeout,
    answerTimeout,
    hosts = parseHosts(url),
  }: { timeout: number; answerTimeout: number; hosts?: readonly Host[] },
): (overrides?: Partial<ConnectionOptions>) => Promise<Connection> {
  let preferredIndex = 0;
  const openOn = async (host: Host, overrides: Partial<ConnectionOptions>) => {
    const share = timeout / hosts.length;
    const connection = await Connection.open({
      url,
      settings,
      connectTimeout: share,
      answerTimeout,
      mustWrite: true,
      ...overrides,
      openSocket: () => openSocket(host, share),
    });
    if (hosts.length === 1 || (await acceptsWrites(connection))) return connection;
    await connection.close();
    throw new DatabaseAway(new Error(`${host.host ?? host.path} takes no writes`));
  };
  return async (overrides = {}) => {
    let failure: unknown;
    for (let attempts = 0; attempts < hosts.length; attempts += 1) {
      const index = (preferredIndex + attempts) % hosts.length;
      try {
        const connection = await openOn(hosts[index] as Host, overrides);
        preferredIndex = index;
        return connection;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
}

async function acceptsWrites(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ is_reader: boolean }>(
    `select current_setting('transaction_read_only')::boolean as is_reader`,
  );
  return row?.is_reader === false;
}

function openSocket(host: Host, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(host);
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error(`No answer from ${host.host ?? host.path}`), { code: 'ETIMEDOUT' })),
      timeout,
    );
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      socket.setNoDelay(true).setKeepAlive(true, 60_000);
      // Certificates are checked against this name.
      resolve(Object.assign(socket, { host: host.host }));
    });
  });
}
