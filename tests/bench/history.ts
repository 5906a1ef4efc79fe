/**
 * `npm run bench:history`: measures all API calls on the pages of one machine with three years of history and a million
 * log entries. Compares the download of its log with PostgreSQL's COPY of the same rows. Prints figures and stores them
 * in tests/bench/results/. Options: `--logs 1000000 --database postgres|pglite|both --rounds 5`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import postgres from 'postgres';
import { seedBase } from '../../server/db/base/seedBase';
import { openDatabase } from '../../server/db/open/openDatabase';
import { root } from '../support/sources';
import { startCluster } from '../support/startCluster';
import { type Server, startServer } from '../support/startServer';
import { fillHistory, type History, historyYears } from './fillHistory';
import { machineLogQuery } from './historyCopy';

const { values } = parseArgs({
  options: {
    logs: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'both' },
    rounds: { type: 'string', default: '5' },
  },
});
const rounds = Number(values.rounds);
const admin = { SWEEPLINE_ADMIN_EMAIL: 'bench@example.com', SWEEPLINE_ADMIN_PASSWORD: 'Sweep!Line7' };
/** Maximum milliseconds per request. */
const maxMilliseconds = 1000;

interface RequestTime {
  request: string;
  /** Milliseconds: median and maximum. */
  median: number;
  slowest: number;
  bytes: number;
}

interface DownloadResult {
  format: string;
  seconds: number;
  firstByte: number;
  megabytes: number;
  /** Maximum resident memory of the server, in MB. */
  memory: number;
  /** Time relative to COPY. */
  ratio?: number;
}

interface Report {
  database: string;
  history: History;
  copySeconds?: number;
  requests: RequestTime[];
  downloads: DownloadResult[];
}

async function measureDatabase(database: string, databaseUrl?: string): Promise<Report> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-history-'));
  try {
    const db = await openDatabase({ databaseUrl, dataDir, log: pino({ level: 'error' }) });
    await seedBase(db);
    const history = await fillHistory(db, { now: new Date(), logs: Number(values.logs) });
    await db.close();
    if (databaseUrl) await vacuumAndCheckpoint(databaseUrl);
    console.log(
      `\n${database}: ${history.logs.toLocaleString('en')} lines of log, ${history.segments.toLocaleString('en')} segments, ${history.observations.toLocaleString('en')} observations`,
    );
    const server = await startServer({
      dataDir,
      env: { ...admin, SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off', ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) },
    });
    try {
      const get = await signIn(server);
      const requests: RequestTime[] = [];
      for (const [request, path] of requestsOf(history.machine))
        requests.push(await measureRequest(get, request, path));
      const copySeconds = databaseUrl ? await measureCopy(databaseUrl, history.machine) : undefined;
      const downloads: DownloadResult[] = [];
      for (const format of ['csv', 'xlsx'])
        downloads.push(await measureDownload(get, { server, machine: history.machine, format, copySeconds }));
      return { database, history, copySeconds, requests, downloads };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function requestsOf(machine: number): [string, string][] {
  const isoDay = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const wholePeriod = `from=${isoDay(historyYears * 365 - 1)}&to=${isoDay(0)}`;
  const machinePath = (path: string) => `machines/${machine}/${path}`;
  return [
    ['statistics, a month by day', machinePath(`statistics?group=day&from=${isoDay(30)}&to=${isoDay(0)}`)],
    ['statistics, three years by day', machinePath(`statistics?group=day&${wholePeriod}`)],
    ['statistics, three years by week', machinePath(`statistics?group=week&${wholePeriod}`)],
    ['statistics, three years by month', machinePath(`statistics?group=month&${wholePeriod}`)],
    ['battery, three months by day', machinePath(`battery?group=day&from=${isoDay(90)}&to=${isoDay(0)}`)],
    ['timeline of a day two years ago', machinePath(`timeline?from=${isoDay(730)}&to=${isoDay(730)}`)],
    ['track of a day a year ago', machinePath(`track?from=${isoDay(365)}&to=${isoDay(365)}`)],
    ['log, first page', machinePath('logs?per_page=50')],
    ['log, page 1,000', machinePath('logs?per_page=50&page=1000')],
    ['log, errors', machinePath('logs?per_page=50&filter[level]=error')],
    ['log, warnings', machinePath('logs?per_page=50&filter[level]=warning')],
    [
      'log, a week two years ago',
      machinePath(`logs?per_page=50&filter[from]=${isoDay(730)}&filter[to]=${isoDay(723)}`),
    ],
    ['log, text of errors', machinePath('logs?per_page=50&filter[text]=squeegee')],
    ['log, text of states', machinePath('logs?per_page=50&filter[text]=charging')],
    ['log, by level', machinePath('logs?per_page=50&sort=level')],
  ];
}

type FetchPath = (path: string) => Promise<Response>;

async function signIn({ url }: Server): Promise<FetchPath> {
  const body = JSON.stringify({ email: admin.SWEEPLINE_ADMIN_EMAIL, password: admin.SWEEPLINE_ADMIN_PASSWORD });
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const { token } = (await response.json()) as { token: string };
  return async (path) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      headers: { Authorization: `Bearer ${token}`, 'Time-Zone': 'Europe/Berlin' },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
}

async function measureRequest(get: FetchPath, request: string, path: string): Promise<RequestTime> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    bytes = (await (await get(path)).arrayBuffer()).byteLength;
    if (round > 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const result = {
    request,
    median: times[Math.floor(times.length / 2)] ?? Number.NaN,
    slowest: times.at(-1) ?? Number.NaN,
    bytes,
  };
  console.log(
    `${request.padEnd(36)} ${result.median.toFixed(0).padStart(6)} ms  slowest ${result.slowest.toFixed(0).padStart(6)} ms  ${result.slowest <= maxMilliseconds ? 'holds' : 'MISSED'} ${maxMilliseconds}`,
  );
  return result;
}

async function measureDownload(
  get: FetchPath,
  { server, machine, format, copySeconds }: { server: Server; machine: number; format: string; copySeconds?: number },
): Promise<DownloadResult> {
  let memory = server.memory();
  const memoryTimer = setInterval(() => {
    memory = Math.max(memory, server.memory());
  }, 50);
  const start = performance.now();
  let firstByte = 0;
  let bytes = 0;
  for await (const chunk of (await get(`machines/${machine}/logs/export?format=${format}`))
    .body as unknown as AsyncIterable<Uint8Array>) {
    // The first bytes are the heading of the file, sent before any row is read, so they do not count.
    if (bytes > 1000 && firstByte === 0) firstByte = (performance.now() - start) / 1000;
    bytes += chunk.length;
  }
  clearInterval(memoryTimer);
  const seconds = (performance.now() - start) / 1000;
  const result = {
    format,
    seconds,
    firstByte,
    megabytes: bytes / 1e6,
    memory,
    ratio: copySeconds && seconds / copySeconds,
  };
  const comparison = result.ratio ? `, ${result.ratio.toFixed(2)} times COPY (bar: ${format === 'csv' ? 2 : 6})` : '';
  console.log(
    `${`log as ${format}`.padEnd(36)} ${seconds.toFixed(1)} s, first rows after ${firstByte.toFixed(1)} s, ${result.megabytes.toFixed(1)} MB, server at most ${memory.toFixed(0)} MB${comparison}`,
  );
  return result;
}

/** Vacuums, analyzes and writes a checkpoint, so that no maintenance runs during a measurement. */
async function vacuumAndCheckpoint(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
  await sql.end();
}

/** Seconds that PostgreSQL's COPY takes to write the log's rows as CSV to /dev/null. */
async function measureCopy(url: string, machine: number): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, connection: { TimeZone: 'UTC' } });
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const start = performance.now();
    await sql.unsafe(`copy (${machineLogQuery(machine)}) to '/dev/null' csv`);
    times.push((performance.now() - start) / 1000);
  }
  await sql.end();
  const seconds = times.sort((a, b) => a - b)[1] as number;
  console.log(`${"PostgreSQL's own COPY".padEnd(36)} ${seconds.toFixed(1)} s`);
  return seconds;
}

const reports: Report[] = [];
if (values.database !== 'pglite') {
  const cluster = await startCluster({ isDurable: true });
  try {
    reports.push(await measureDatabase('PostgreSQL', cluster.url));
  } finally {
    await cluster.stop();
  }
}
if (values.database !== 'postgres') reports.push(await measureDatabase('PGlite'));

const folder = `${root}tests/bench/results`;
mkdirSync(folder, { recursive: true });
const load = Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
const result = {
  at: new Date().toISOString(),
  node: process.version,
  cpus: cpus().length,
  model: cpus()[0]?.model,
  load,
  rounds,
  reports,
};
writeFileSync(`${folder}/history.json`, `${JSON.stringify(result, null, 2)}\n`);
