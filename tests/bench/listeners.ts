/**
 * OsmAnd messages at a fixed rate while pages of 13 scopes listen: acknowledged messages, latency, delay of the pages,
 * memory of the listeners and its release. The limit is the same run with nobody listening. By itself, on the built
 * server: `tsx tests/bench/listeners.ts --streams 200 --rate 100 --seconds 20`; on the embedded database with
 * `--database pglite`, where the streams belong to the six demo logins.
 */
import { mkdtempSync, rmSync } from 'node:fs';
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
import { cpuTime } from './cpuTime';
import { type ListeningPages, openPages, percentile, sendAtRate } from './offeredLoad';

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
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { token: string }).token;
}

/** Machines by the id of their tracker. */
async function machinesByDevice(url: string, token: string): Promise<Map<string, number>> {
  const answer = await fetch(`${url}/api/v1/machines?include=tracker&per_page=1000`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: { id: number; tracker?: { tracker_or_serial: string } | null }[] };
  return new Map(data.flatMap(({ id, tracker }) => (tracker ? [[tracker.tracker_or_serial, id] as const] : [])));
}

interface ListenersOptions {
  streams: number;
  /** Users to whom the streams belong in turn, each with its own scope. */
  people: number;
  rate: number;
  seconds: number;
  /** Seconds to watch the memory after the streams were closed. */
  release: number;
}

async function measure(
  server: Server,
  db: Database | undefined,
  { streams, people, rate, seconds, release }: ListenersOptions,
): Promise<void> {
  const port = Number(new URL(server.url).port);
  const logins = await Promise.all(demoLogins.map((login) => logIn(server.url, login)));
  const machineOf = await machinesByDevice(server.url, logins[0] as string);
  const devices = [...machineOf.keys()];
  const tokens = db
    ? await openSessions(db, streams, people)
    : Array.from({ length: streams }, (_, nth) => logins[nth % logins.length] as string);
  let from = 0;
  const run = async (name: string, pages?: ListeningPages) => {
    const cpuBefore = cpuTime(server.pid);
    const { share, p50, p95, wrong } = await sendAtRate({
      ...{ port, devices, rate, seconds, from },
      onAcknowledged: pages?.acknowledge,
    });
    from += rate * seconds;
    const busy = (cpuTime(server.pid) - cpuBefore) / (seconds * 10);
    console.log(
      `${name.padEnd(24)} ${(share * 100).toFixed(1).padStart(5)} % of ${rate} messages/s   p50 ${p50.toFixed(0)} ms   p95 ${p95.toFixed(0)} ms   wrong ${wrong}   ${busy.toFixed(0)} % of a core   ${server.memory().toFixed(0)} MB`,
    );
  };
  await run('warm-up');
  await run('nobody listens (limit)');
  const before = server.memory();
  const pages = await openPages(port, tokens, machineOf);
  await pause(2);
  const opened = server.memory();
  console.log(
    `${streams} streams open: ${opened.toFixed(0)} MB, ${(((opened - before) * 1024) / streams).toFixed(0)} kB per stream`,
  );
  await run(`${streams} streams`, pages);
  await pause(1);
  const loaded = server.memory();
  console.log(
    `page changed ${percentile(pages.delays, 0.5).toFixed(0)} ms after the acknowledgement, p95 ${percentile(pages.delays, 0.95).toFixed(0)} ms, ${pages.unseen()} messages unseen of ${rate * seconds}`,
  );
  console.log(
    `${pages.isOpen()} still open, ${(pages.bytes() / 1e6).toFixed(1)} MB received, ${(((loaded - before) * 1024) / streams).toFixed(0)} kB per stream after the load`,
  );
  pages.close();
  for (let waited = 0; waited < release; waited += 15) {
    await pause(15);
    console.log(`closed for ${waited + 15} s: ${server.memory().toFixed(0)} MB`);
  }
}

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '200' },
    people: { type: 'string', default: '13' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    release: { type: 'string', default: '45' },
    database: { type: 'string', default: 'postgres' },
  },
});

const cluster = values.database === 'pglite' ? undefined : await startCluster({ durable: true });
const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
const env = { ...(cluster && { DATABASE_URL: cluster.url }), RATE_LIMIT: 'off' };
// Its memory would be measured, too: the demo is loaded by another process.
if (cluster) await (await startServer({ dataDir, env: { ...env, SWEEPLINE_DEMO: '1' } })).stop();
const server = await startServer({ dataDir, env: { ...env, SWEEPLINE_DEMO: cluster ? '0' : '1' } });
const db = cluster && (await openDatabase({ databaseUrl: cluster.url, dataDir, log: pino({ level: 'warn' }) }));
try {
  await measure(server, db, {
    streams: Number(values.streams),
    people: Number(values.people),
    rate: Number(values.rate),
    seconds: Number(values.seconds),
    release: Number(values.release),
  });
  for (const line of server.errors()) console.log(line);
} finally {
  await server.stop();
  await db?.close();
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
