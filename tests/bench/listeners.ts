/**
 * OsmAnd messages at a fixed rate while pages listen: acknowledged messages, latency, memory of the listeners and its
 * release. The limit is the same run with nobody listening. By itself:
 * `tsx tests/bench/listeners.ts --streams 200 --rate 100 --seconds 20`; on the embedded database with
 * `--database pglite`, where the streams belong to the six demo logins.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { demoLogins } from '../../demo/seed/people';
import { createSession } from '../../server/auth/sessions';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { startCluster } from '../support/cluster';
import { type Server, startServer } from '../support/server';

const connections = 50;

interface OfferedLoad {
  port: number;
  /** Ids of trackers, which send in turns. */
  devices: readonly string[];
  /** Messages per second. */
  rate: number;
  seconds: number;
}

interface OfferedResult {
  /** Acknowledged per second while messages were offered. */
  rate: number;
  /** Milliseconds from the moment a message was due to its response. */
  p50: number;
  p95: number;
  wrong: number;
}

/** Sends at a fixed rate independent of responses: time spent waiting for a free connection counts as latency. */
async function sendAtRate({ port, devices, rate, seconds }: OfferedLoad): Promise<OfferedResult> {
  const began = performance.now();
  const total = rate * seconds;
  const times: number[] = [];
  let [next, onTime, wrongCount] = [0, 0, 0];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      while (next < total) {
        const nth = next++;
        const due = began + (nth * 1000) / rate;
        const remainingMs = due - performance.now();
        if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
        // Gives up on messages left after twice the time.
        if (performance.now() - began > seconds * 2000) break;
        const status = await sendRequest(socket, messageOf(devices, nth));
        const now = performance.now();
        if (status !== 200) wrongCount += 1;
        else {
          times.push(now - due);
          if (now - began <= seconds * 1000 + 500) onTime += 1;
        }
      }
      socket.destroy();
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { rate: onTime / seconds, p50: at(0.5), p95: at(0.95), wrong: wrongCount };
}

const messageOf = (devices: readonly string[], nth: number) =>
  `GET /ingest/osmand?id=${encodeURIComponent(devices[nth % devices.length] as string)}&lat=${(52 + (nth % 1000) / 1000).toFixed(4)}&lon=13.4&batt=${20 + (nth % 70)}&status=${nth % 3 === 0 ? 'parked' : 'cleaning'} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

const sendRequest = (socket: Socket, request: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const settle = (status: number) => {
      socket.off('data', receive).off('close', onClose).off('error', onClose);
      if (status > 0) resolve(status);
      else reject(new Error('The server closed the connection.'));
    };
    const receive = (bytes: Buffer) => settle(Number(bytes.toString('latin1', 9, 12)));
    const onClose = () => settle(0);
    socket.on('data', receive).on('close', onClose).on('error', onClose);
    socket.write(request);
  });

/** Opens streams that read and discard everything; returns the number of bytes received and a way to close them. */
async function openStreams(
  port: number,
  tokens: readonly string[],
): Promise<{ bytes(): number; isOpen(): number; close(): void }> {
  let bytes = 0;
  const sockets = await Promise.all(
    tokens.map(async (token) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      const request = `GET /api/v1/events?count=alerts HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      if ((await sendRequest(socket, request)) !== 200) throw new Error('A stream was refused.');
      return socket.on('data', (piece: Buffer) => (bytes += piece.length)).on('error', () => undefined);
    }),
  );
  return {
    bytes: () => bytes,
    isOpen: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** CPU seconds of a process; 0 where /proc does not exist. */
function cpuSeconds(pid: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
    return (Number(user) + Number(system)) / 100;
  } catch {
    return 0;
  }
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sessions of the first `people` users in turn, among whose roles and scopes are all of the demo. */
async function openSessions(db: Database, count: number, people: number): Promise<string[]> {
  const users = await db.select(
    { id: pg.integer },
    sql`select id from users where deleted_at is null order by id limit ${people}::int`,
  );
  return Promise.all(
    Array.from({ length: count }, (_, nth) =>
      db.transaction((tx) => createSession(tx, users[nth % users.length]?.id as number)),
    ),
  );
}

async function logIn(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function devicesOf(url: string, token: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/machines?include=tracker&per_page=1000`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as { data: { tracker?: { tracker_or_serial: string } | null }[] };
  return data.flatMap(({ tracker }) => tracker?.tracker_or_serial ?? []);
}

interface ListenersOptions {
  streams: number;
  people: number;
  rate: number;
  seconds: number;
}

async function measure(
  server: Server,
  db: Database | undefined,
  { streams, people, rate, seconds }: ListenersOptions,
): Promise<void> {
  const port = Number(new URL(server.url).port);
  const logins = await Promise.all(demoLogins.map((login) => logIn(server.url, login)));
  const devices = await devicesOf(server.url, logins[0] as string);
  const tokens = db
    ? await openSessions(db, streams, people)
    : Array.from({ length: streams }, (_, nth) => logins[nth % logins.length] as string);
  const run = async (name: string) => {
    const secondsBefore = cpuSeconds(server.pid);
    const { rate: acknowledged, p50, p95, wrong } = await sendAtRate({ port, devices, rate, seconds });
    const busy = ((cpuSeconds(server.pid) - secondsBefore) / seconds) * 100;
    console.log(
      `${name.padEnd(24)} ${acknowledged.toFixed(1).padStart(6)} of ${rate} messages/s   p50 ${p50.toFixed(0)} ms   p95 ${p95.toFixed(0)} ms   wrong ${wrong}   ${busy.toFixed(0)} % of a core   ${server.memory().toFixed(0)} MB`,
    );
  };
  await run('warm-up');
  await run('nobody listens (limit)');
  const listening = await openStreams(port, tokens);
  await pause(2);
  console.log(`${streams} streams open: ${server.memory().toFixed(0)} MB`);
  await run(`${streams} streams`);
  console.log(`${listening.isOpen()} still open, ${(listening.bytes() / 1e6).toFixed(1)} MB received`);
  listening.close();
  for (const seconds of [5, 15, 30]) {
    await pause(seconds);
    console.log(`closed: ${server.memory().toFixed(0)} MB`);
  }
  await run('closed');
}

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '200' },
    people: { type: 'string', default: '200' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    database: { type: 'string', default: 'postgres' },
  },
});

const cluster = values.database === 'pglite' ? undefined : await startCluster();
const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
const server = await startServer({
  dataDir,
  fromSources: true,
  env: { ...(cluster && { DATABASE_URL: cluster.url }), SWEEPLINE_DEMO: '1', RATE_LIMIT: 'off' },
});
const db = cluster && (await openDatabase({ databaseUrl: cluster.url, dataDir, log: pino({ level: 'warn' }) }));
try {
  await measure(server, db, {
    streams: Number(values.streams),
    people: Number(values.people),
    rate: Number(values.rate),
    seconds: Number(values.seconds),
  });
} finally {
  await server.stop();
  await db?.close();
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
