/**
 * `npm run bench:runs`: measures runs and floors on a PostgreSQL server with fsync. Covers a report that is posted
 * three times, the coverage of an eight-hour run on the server and in Chromium, a thousand runs of a floor, and batches
 * with positions compared with batches without. Writes its section of docs/performance.md; fails if a bar is missed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import type { FloorCoverage, RunCoverage } from '../../schema/endpoints/floors';
import { seedBase } from '../../server/db/base/seedBase';
import type { Database } from '../../server/db/core/database';
import { openDatabase } from '../../server/db/open/openDatabase';
import { type FloorRow, readFloor, readRunPeriods } from '../../server/features/floors/floorRows';
import { sweepRun } from '../../server/features/floors/sweepRun';
import { launchBrowser } from '../support/browser';
import { root } from '../support/sources';
import { startCluster } from '../support/startCluster';
import { startServer } from '../support/startServer';
import { type Figure, failures, printTable } from './figures';
import { type BenchFloor, fillFloor, fillRuns } from './fillRuns';
import { measureRunPage, type RunPageTimes } from './measureRunPage';
import { startLoad } from './startLoad';
import { storeResults } from './storeResults';

const admin = { email: 'bench@example.com', password: 'Sweep!Line7' };
const rounds = 5;
const eightHoursInSeconds = 28_800;
const dayMilliseconds = 86_400_000;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const cluster = await startCluster({ isDurable: true });
const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-runs-'));
const db = await openDatabase({ databaseUrl: cluster.url, dataDir, log: pino({ level: 'warn' }) });
await seedBase(db);
const benchFloor = await fillFloor(db, 100);
const [robot] = benchFloor.robots as [BenchFloor['robots'][number], ...BenchFloor['robots']];
const longRuns = await fillRuns(db, {
  machine: robot.machine,
  floor: benchFloor.floor,
  runs: 2 * rounds,
  positions: eightHoursInSeconds,
  intervalSeconds: 1,
  stepMetres: 0.5,
  from: new Date(Date.now() - 60 * dayMilliseconds),
});
const thousandRuns = { runs: 1000, from: new Date(Date.now() - 3500 * dayMilliseconds) };
const server = await startServer({
  dataDir,
  env: {
    DATABASE_URL: cluster.url,
    SWEEPLINE_DEMO: '0',
    RATE_LIMIT: 'off',
    SWEEPLINE_ADMIN_EMAIL: admin.email,
    SWEEPLINE_ADMIN_PASSWORD: admin.password,
  },
});
let token: string | undefined;
const session = await call<{ token: string; user_token: string }>('POST', 'login', admin);
({ token } = session);
try {
  const figures = [
    await measureReport(),
    ...(await measureLongRuns(db)),
    ...(await measurePage()),
    await measureThousandRuns(db),
    ...(await measureIngest()),
  ];
  console.log(printTable(figures));
  storeResults('runs', figures, printTable(figures));
  for (const failure of failures(figures)) console.error(failure);
  process.exitCode = failures(figures).length > 0 ? 1 : 0;
} finally {
  await server.stop();
  await db.close();
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function call<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}

/** Posts Gausium's sample report three times. The figure is the number of resulting runs. */
async function measureReport(): Promise<Figure> {
  const { report } = JSON.parse(readFileSync(`${root}tests/samples/gausium.json`, 'utf8')) as { report: object };
  const values = { name: 'Gausium', preset: 'gausium', client_id: benchFloor.client };
  const { data: integration } = await call<{ data: { id: number } }>('POST', 'integrations', values);
  const { data } = await call<{ data: { secret: string } }>('POST', `integrations/${integration.id}/secret`, {});
  const headers = { Authorization: `Bearer ${data.secret}` };
  const { machine } = benchFloor.robots[1] as BenchFloor['robots'][number];
  const body = { ...report, robotSerialNumber: 'BENCH-1' };
  for (let round = 0; round < 3; round += 1) await call('POST', `ingest/hooks/${integration.id}`, body, headers);
  const runs = await call<{ data: Record<string, number>[] }>('GET', `runs?filter[machine_id]=${machine}`);
  const [run = {}] = runs.data;
  const expectedValues = { cleaned_area_m2: 659.965, planned_area_m2: 2196.568, water_l: 14.611, duration_s: 2904 };
  const difference = Object.entries(expectedValues).find(([field, value]) => run[field] !== value);
  const coveragePercent = Math.round((run.coverage ?? 0) * 10_000) / 100;
  const fault = difference
    ? `${difference[0]} is ${run[difference[0]]}`
    : coveragePercent === 30.05
      ? undefined
      : `coverage is ${coveragePercent} %`;
  return { title: "Gausium's report, posted three times", unit: 'runs', value: runs.data.length, bar: 1, fault };
}

/**
 * Computes the coverage of half of the runs by calling the function, and of the other half through the API. Polls
 * `/healthz` during the API calls.
 */
async function measureLongRuns(database: Database): Promise<Figure[]> {
  const floor = (await readFloor(database, benchFloor.floor)) as FloorRow;
  const sweepTimes: number[] = [];
  for (const id of longRuns.slice(0, rounds)) {
    const [period] = await readRunPeriods(database, sql`r.id = ${id}::int`);
    if (!period) throw new Error(`Run ${id} has no period.`);
    const start = performance.now();
    await sweepRun(database, { floor, period, limit: eightHoursInSeconds });
    sweepTimes.push(performance.now() - start);
  }
  const [firstTimes, repeatTimes, longestWaits]: [number[], number[], number[]] = [[], [], []];
  let fault: string | undefined;
  for (const id of longRuns.slice(rounds)) {
    const healthPolling = startHealthPolling();
    const start = performance.now();
    const { data } = await call<{ data: RunCoverage }>('GET', `runs/${id}/coverage`);
    firstTimes.push(performance.now() - start);
    longestWaits.push(await healthPolling.end());
    if (data.positions !== eightHoursInSeconds || (data.covered_m2 ?? 0) < 7000)
      fault = `${data.covered_m2} m² are covered`;
    const repeatStart = performance.now();
    await call('GET', `runs/${id}/coverage`);
    repeatTimes.push(performance.now() - repeatStart);
  }
  const title = 'a run of 8 hours, 28,800 positions';
  return [
    { title: `${title}: swept and stored on the server`, unit: 'ms', value: median(sweepTimes), bar: 300 },
    {
      title: `${title}: coverage with figures and picture, first answer`,
      unit: 'ms',
      value: median(firstTimes),
      fault,
    },
    { title: `${title}: the same, later answers`, unit: 'ms', value: median(repeatTimes), bar: 50 },
    { title: 'longest wait of another request meanwhile', unit: 'ms', value: median(longestWaits), bar: 250 },
  ];
}

/** Polls `/healthz` continuously. `end` resolves to the longest response time in milliseconds. */
function startHealthPolling(): { end(): Promise<number> } {
  let isEnding = false;
  let longestWait = 0;
  const requests = (async () => {
    while (!isEnding) {
      const start = performance.now();
      await (await fetch(`${server.url}/healthz`)).arrayBuffer();
      longestWait = Math.max(longestWait, performance.now() - start);
    }
  })();
  return {
    end: async () => {
      isEnding = true;
      await requests;
      return longestWait;
    },
  };
}

async function measurePage(): Promise<Figure[]> {
  const browser = await launchBrowser();
  const times: RunPageTimes[] = [];
  try {
    for (let round = 0; round < 3; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      // tsx wraps functions in a helper that the page lacks.
      await context.addInitScript('globalThis.__name = (named) => named');
      await context.addInitScript(
        (value) => localStorage.setItem('sweepline', value),
        JSON.stringify({ sb: true, lang: 'en', t: session.token, ut: session.user_token }),
      );
      times.push(await measureRunPage(context, `${server.url}/runs/${longRuns.at(-1)}`));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return [
    {
      title: 'its page after the answer: plan, path and coverage painted',
      unit: 'ms',
      value: median(times.map(({ paintTime }) => paintTime)),
      bar: 500,
    },
    {
      // A 60 Hz display shows at most 60 frames per second.
      title: 'frames while its plan is moved and zoomed',
      unit: 'per second',
      value: median(times.map(({ framesPerSecond }) => framesPerSecond)),
      bar: 59,
    },
  ];
}

/** Measures the sum of stored coverage. Each round first changes a zone, so that no cached response is measured. */
async function measureThousandRuns(database: Database): Promise<Figure> {
  const { machine } = benchFloor.robots[2] as BenchFloor['robots'][number];
  const options = {
    machine,
    floor: benchFloor.floor,
    runs: thousandRuns.runs,
    positions: 600,
    intervalSeconds: 3,
    stepMetres: 1.5,
  };
  await fillRuns(database, { ...options, from: thousandRuns.from });
  const [from, to] = [0, thousandRuns.runs].map((days) =>
    new Date(thousandRuns.from.getTime() + days * dayMilliseconds).toISOString().slice(0, 10),
  );
  const readCoverage = async () =>
    (await call<{ data: FloorCoverage }>('GET', `floors/${benchFloor.floor}/coverage?from=${from}&to=${to}`)).data;
  let coverage = await readCoverage();
  // One request computes a limited number of runs. `reason` is set while some are missing.
  for (let round = 0; round < 10 && coverage.reason !== null; round += 1) coverage = await readCoverage();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await call('PATCH', `zones/${benchFloor.zone}`, { name: `Round ${round}` });
    const start = performance.now();
    coverage = await readCoverage();
    times.push(performance.now() - start);
  }
  const isRight = coverage.runs === thousandRuns.runs && coverage.positions === thousandRuns.runs * 600;
  return {
    title: '1,000 runs of a floor summed',
    unit: 'ms',
    value: median(times),
    bar: 1000,
    ...(!isRight && { fault: `${coverage.runs} runs with ${coverage.positions} positions: ${coverage.reason}` }),
  };
}

/** Measures batches with positions on floors and batches without, in turn. */
async function measureIngest(): Promise<Figure[]> {
  const load = startLoad();
  const batchSize = 500;
  const printBatch = (valuesOf: (index: number) => string) =>
    `[${Array.from(
      { length: batchSize },
      (_, index) => `{"at":%t,"status":"cleaning","mode":"robotic","battery":80${valuesOf(index)}}`,
    ).join(',')}]`;
  const bodies = {
    with: printBatch((index) => `,"floor":{"map_id":"bench-hall","x":${index / 10},"y":${index / 20},"theta":0.5}`),
    without: printBatch((index) => `,"fleet_word":"bench-hall","east":${index / 10},"north":${index / 20},"turn":0.5`),
  };
  const rates = { with: [] as number[], without: [] as number[] };
  let wrongCount = 0;
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const side of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const measurement = await load.run({
          port: Number(new URL(server.url).port),
          concurrency: 4,
          seconds: 3,
          expectedStatus: 200,
          requests: benchFloor.robots.slice(3).map(({ secret }) => ({
            method: 'POST',
            path: '/api/v1/ingest',
            body: bodies[side],
            token: secret,
          })),
        });
        wrongCount += measurement.wrongCount;
        rates[side].push(measurement.rate * batchSize);
      }
  } finally {
    load.end();
  }
  const ratios = rates.with.map((rate, round) => rate / (rates.without[round] ?? rate));
  const fault = wrongCount > 0 ? { fault: `${wrongCount} answers had another status` } : {};
  return [
    {
      title: 'observations with positions on floors, in batches of 500',
      unit: 'per second',
      value: median(rates.with),
      bar: 5000,
      ...fault,
    },
    { title: 'the same beside as many other values', unit: 'ratio', value: median(ratios), bar: 0.9 },
  ];
}
