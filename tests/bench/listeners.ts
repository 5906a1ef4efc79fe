/**
 * OsmAnd messages at a fixed rate while pages of 13 scopes listen to events. Measures acknowledged messages, latency,
 * delay of the pages, and memory of the streams and its release, compared with the same run without streams. Part of
 * `npm run bench:scale`; separately: `tsx tests/bench/listeners.ts`. Runs a single scenario with `--streams 200 --rate
 * 100 --seconds 20`. With `--database pglite` on the embedded database, where the streams belong to the six demo
 * logins.
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
import { startCluster } from '../support/startCluster';
import { type Server, startServer } from '../support/startServer';
import { cpuTime } from './cpuTime';
import { type Figure, printTable } from './figures';
import { type ListeningPages, openPages, percentile, sendAtRate } from './offeredLoad';
import { type ListenersScenario, listenersScenarios } from './scaleScenarios';
import { storeResults } from './storeResults';

const sleepSeconds = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Opens `count` sessions, in turn for each of the first users, who have all roles and scopes of the demo. */
async function openSessions(db: Database, count: number, userCount: number): Promise<string[]> {
  const users = await db.select(
    { id: pg.integer },
    sql`select id from users where deleted_at is null order by id limit ${userCount}::int`,
  );
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      db.transaction((tx) => createSession(tx, users[index % users.length]?.id as number)),
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

/** Machine ids by device id. */
async function readMachinesByDevice(url: string, token: string): Promise<Map<string, number>> {
  const response = await fetch(`${url}/api/v1/machines?include=tracker&per_page=1000`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { data } = (await response.json()) as {
    data: { id: number; tracker?: { tracker_or_serial: string } | null }[];
  };
  return new Map(data.flatMap(({ id, tracker }) => (tracker ? [[tracker.tracker_or_serial, id] as const] : [])));
}

/** Number of users to whom the streams belong in turn, each with their own scope. */
const scopeCount = 13;
/** Seconds after closing all streams until the memory is measured again. */
const releaseSeconds = 15;

interface ListenersContext {
  server: Server;
  db: Database | undefined;
  seconds: number;
}

async function measure(
  { streams, rate, bars }: ListenersScenario,
  { server, db, seconds }: ListenersContext,
): Promise<Figure[]> {
  const port = Number(new URL(server.url).port);
  const logins = await Promise.all(demoLogins.map((login) => logIn(server.url, login)));
  const machineByDevice = await readMachinesByDevice(server.url, logins[0] as string);
  const devices = [...machineByDevice.keys()];
  const tokens = db
    ? await openSessions(db, streams, scopeCount)
    : Array.from({ length: streams }, (_, index) => logins[index % logins.length] as string);
  let from = 0;
  const run = async (pages?: ListeningPages) => {
    const cpuBefore = cpuTime(server.pid);
    const result = await sendAtRate({ port, devices, rate, seconds, from, onAcknowledged: pages?.acknowledge });
    from += rate * seconds;
    return { ...result, cpuPercent: (cpuTime(server.pid) - cpuBefore) / (seconds * 10) };
  };
  // The first run is a warm-up.
  await run();
  const withoutPages = await run();
  const memoryBefore = server.memory();
  const pages = await openPages(port, tokens, machineByDevice);
  await sleepSeconds(2);
  const withPages = await run(pages);
  await sleepSeconds(1);
  const memoryUnderLoad = server.memory();
  const missingPages = streams - pages.openCount() + pages.unseenCount();
  pages.close();
  await sleepSeconds(releaseSeconds);
  const kilobytesPerStream = (megabytes: number) => (Math.max(0, megabytes) * 1024) / streams;
  const title = `${rate} messages/s with ${streams} pages`;
  const fault = [
    ...(withPages.wrongCount > 0 ? [`${withPages.wrongCount} responses had another status`] : []),
    ...(missingPages > 0 ? [`${missingPages} streams were cut or messages not seen`] : []),
    ...server.errors(),
  ].join('; ');
  return [
    {
      title: `${title}: acknowledged`,
      unit: 'per second',
      value: withPages.acknowledgedShare * rate,
      bar: rate,
      ...(fault && { fault }),
    },
    { title: `${title}: acknowledgement, p95`, unit: 'ms', value: withPages.p95, bar: bars.acknowledgement },
    { title: `${title}: acknowledgement with no page, p95`, unit: 'ms', value: withoutPages.p95 },
    { title: `${title}: page changed, p95`, unit: 'ms', value: percentile(pages.delays, 0.95), bar: bars.page },
    { title: `${title}: CPU of the server`, unit: '%', value: withPages.cpuPercent },
    { title: `${title}: CPU of the server with no page`, unit: '%', value: withoutPages.cpuPercent },
    { title: `${title}: memory of the server`, unit: 'MB', value: memoryUnderLoad, bar: bars.memory },
    {
      title: `${title}: memory per stream`,
      unit: 'kB',
      value: kilobytesPerStream(memoryUnderLoad - memoryBefore),
      bar: bars.stream,
    },
    {
      title: `${title}: memory per closed stream`,
      unit: 'kB',
      value: kilobytesPerStream(server.memory() - memoryBefore),
    },
  ];
}

/** Measures each scenario with its own server process on one database with the demo. */
export async function measureListeners(
  scenarios: readonly ListenersScenario[],
  { seconds, isEmbedded = false }: { seconds: number; isEmbedded?: boolean },
): Promise<Figure[]> {
  const cluster = isEmbedded ? undefined : await startCluster({ isDurable: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  const env = { ...(cluster && { DATABASE_URL: cluster.url }), RATE_LIMIT: 'off' };
  // Loads the demo in another process, so that the memory of loading does not count.
  if (cluster) await (await startServer({ dataDir, env: { ...env, SWEEPLINE_DEMO: '1' } })).stop();
  const db = cluster && (await openDatabase({ databaseUrl: cluster.url, dataDir, log: pino({ level: 'warn' }) }));
  const figures: Figure[] = [];
  try {
    for (const scenario of scenarios) {
      const server = await startServer({ dataDir, env: { ...env, SWEEPLINE_DEMO: cluster ? '0' : '1' } });
      try {
        figures.push(...(await measure(scenario, { server, db, seconds })));
      } finally {
        await server.stop();
      }
    }
    return figures;
  } finally {
    await db?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('listeners.ts')) {
  const { values } = parseArgs({
    options: {
      streams: { type: 'string' },
      rate: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '10' },
      database: { type: 'string', default: 'postgres' },
    },
  });
  const scenarios = values.streams
    ? [{ streams: Number(values.streams), rate: Number(values.rate), bars: {} }]
    : listenersScenarios;
  const options = { seconds: Number(values.seconds), isEmbedded: values.database === 'pglite' };
  const figures = await measureListeners(scenarios, options);
  console.log(printTable(figures));
  if (scenarios === listenersScenarios) storeResults('listeners', figures, printTable(figures));
}
