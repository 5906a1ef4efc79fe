/**
 * Two processes that read from a streaming replica of PostgreSQL. Clients do not notice if it lags, is frozen or is
 * down.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endpoints } from '../../schema/endpoints';
import type { Endpoint } from '../../schema/endpoints/endpoint';
import { createSession } from '../../server/auth/sessions';
import { seedBase } from '../../server/db/base/seedBase';
import { applicationName } from '../../server/db/core/applicationName';
import type { Database } from '../../server/db/core/database';
import { openDatabase } from '../../server/db/open/openDatabase';
import { readEvents } from '../../src/providers/readEvents';
import { executeOnServer } from '../support/databases';
import { add } from '../support/rows';
import { type Cluster, startCluster, startReplica } from '../support/startCluster';
import { type Server, startServer } from '../support/startServer';
import { addWorld, type World } from '../support/world';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-replica-'));
const metricsToken = 'scrapes the processes of this test';
const machineCount = 20_000;
let primary: Cluster;
let replica: Cluster;
let db: Database;
let world: World;
let servers: [Server, Server];
let token: string;

const log = pino({ level: 'silent' });
const createToken = () => db.transaction((tx) => createSession(tx, world.admin));

beforeAll(async () => {
  primary = await startCluster({ isDurable: true });
  db = await openDatabase({ databaseUrl: primary.url, dataDir: folder, log });
  await seedBase(db);
  world = await addWorld(db);
  await db.rows(sql`
    insert into machines (serial_number, type_id, fleet_id, location_id, stock_state)
    select 'R-' || n, m.type_id, m.fleet_id, m.location_id, 'deployed'
    from machines m, generate_series(1, ${machineCount}::int) n where m.id = ${world.north.machines[0]}`);
  // A statement that conflicts with the replay is cancelled at once.
  replica = await startReplica(primary, { max_standby_streaming_delay: 0 });
  token = await createToken();
  const env = {
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: replica.url,
    METRICS_TOKEN: metricsToken,
    RATE_LIMIT: 'off',
    SWEEPLINE_SECRET: 'a secret that both processes share, long enough',
  };
  servers = (await Promise.all([1, 2].map(() => startServer({ fromSources: true, env })))) as [Server, Server];
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await db?.close();
  await replica?.stop();
  await primary?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Repeats, since the replay may cancel this statement, too. */
const pauseReplay = () =>
  expect.poll(() => executeOnServer(replica.url, 'select pg_wal_replay_pause()')).toBe(undefined);
const resumeReplay = () =>
  expect.poll(() => executeOnServer(replica.url, 'select pg_wal_replay_resume()')).toBe(undefined);

interface ApiResponse<T> {
  status: number;
  body: T;
  text: string;
}

async function call<T = unknown>(
  { url }: Server,
  method: string,
  path: string,
  { body, as = token }: { body?: unknown; as?: string } = {},
): Promise<ApiResponse<T>> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${as}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T, text };
}

/** Value of a metric of one process; `name` may include labels. */
async function readMetric({ url }: Server, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })).text();
  const line = text
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name} `) || candidate.startsWith(`${name}{`));
  if (!line) throw new Error(`No metric ${name}.`);
  return Number(line.split(' ').at(-1));
}
const readOutcomeCount = (server: Server, outcome: string) =>
  readMetric(server, `replica_reads_total{outcome="${outcome}"}`);

/** Waits until the replica serves a list in both processes. Calls of other users may be served at the same time. */
async function waitUntilServed(): Promise<void> {
  for (const server of servers)
    await expect
      .poll(
        async () => {
          const servedBefore = await readOutcomeCount(server, 'served');
          await call(server, 'GET', 'clients');
          return (await readOutcomeCount(server, 'served')) - servedBefore;
        },
        { interval: 50 },
      )
      .toBeGreaterThanOrEqual(1);
}
beforeEach(waitUntilServed);

interface Page {
  data: { id: number; name: string }[];
  total: number;
}

/** The start of an export's statement; PostgreSQL shows no more of it. */
const exportPattern = '%string\\_agg(% as piece%';

describe('a replica without lag', () => {
  test('serves lists and exports', async () => {
    const [firstServer] = servers;
    const name = `Seen ${Date.now()}`;
    expect((await call(firstServer, 'GET', `clients?filter[name]=${encodeURIComponent(name)}`)).status).toBe(200);
    expect((await call(firstServer, 'GET', 'machines/export?format=csv')).text.split('\n').length).toBeGreaterThan(
      machineCount,
    );
    expect(await countStatements(replica.url, '%from "clients" m%')).toBeGreaterThan(0);
    expect(await countStatements(replica.url, exportPattern)).toBe(1);
    expect(await countStatements(primary.url, exportPattern)).toBe(0);
  });

  test('serves every call that may be read from it', async () => {
    const [firstServer] = servers;
    const floor = await add(db, 'floors', { location_id: world.north.locations[0] as number });
    const ids: Record<string, number> = {
      machines: world.north.machines[0] as number,
      runs: world.north.runs[0] as number,
      floors: floor,
    };
    const declaredEndpoints = Object.entries(endpoints as Record<string, Endpoint>).filter(
      ([, { replica: mayUseReplica }]) => mayUseReplica,
    );
    const paths = declaredEndpoints.map(([key, { row = '' }]) =>
      key.replace('GET /', '').replace('{id}', String(ids[row])),
    );
    const entities = ['machines', 'clients', 'runs', 'alerts'];
    const lists = entities.flatMap((name) => [name, `${name}/export`, `${name}/groups?by=client_id`, `${name}/facets`]);
    expect(declaredEndpoints.length).toBeGreaterThan(20);
    for (const path of [...paths, ...lists]) {
      const query = { search: '?q=North', 'robot-maps/path': '?map_id=m' };
      const [, parameters = ''] = Object.entries(query).find(([end]) => path.endsWith(end)) ?? [];
      // Repeats, since a task in the background may just have written something that is not replayed yet.
      await expect
        .poll(async () => {
          const servedBefore = await readOutcomeCount(firstServer, 'served');
          const { status } = await call(firstServer, 'GET', `${path}${parameters}`);
          const served = (await readOutcomeCount(firstServer, 'served')) - servedBefore;
          // Groups and facets that an entity lacks are rejected without a statement.
          return { path, status, isCounted: served === (status === 200 ? 1 : 0) };
        })
        .toEqual({ path, status: expect.toBeOneOf([200, 400, 404]), isCounted: true });
    }
    expect(await readOutcomeCount(firstServer, 'failed')).toBe(0);
  });
});

describe('a replica that lags', () => {
  test('never hides a write that another process has acknowledged', async () => {
    const [firstServer, secondServer] = servers;
    await pauseReplay();
    try {
      const lateBefore = await readOutcomeCount(secondServer, 'late');
      for (let round = 0; round < 5; round += 1) {
        const name = `Country ${Date.now()} ${round}`;
        const createResponse = await call<{ data: { id: number } }>(firstServer, 'POST', 'countries', {
          body: { name },
        });
        expect(createResponse.status).toBe(201);
        const { id } = createResponse.body.data;
        const find = () => call<Page>(secondServer, 'GET', `countries?filter[name]=${encodeURIComponent(name)}`);
        expect((await find()).body).toMatchObject({ total: 1, data: [{ id }] });
        expect((await call(firstServer, 'DELETE', `countries/${id}`)).status).toBe(204);
        expect((await find()).body).toMatchObject({ total: 0, data: [] });
      }
      expect(await readOutcomeCount(secondServer, 'late')).toBe(lateBefore + 10);
    } finally {
      await resumeReplay();
    }
    await waitUntilServed();
  });

  test('delays a read only briefly', async () => {
    const [, secondServer] = servers;
    await pauseReplay();
    try {
      await add(db, 'countries');
      const times: number[] = [];
      for (let round = 0; round < 20; round += 1) {
        const start = performance.now();
        await call(secondServer, 'GET', 'clients');
        times.push(performance.now() - start);
      }
      times.sort((x, y) => x - y);
      // Only the first call waits for the replica; later calls use the primary.
      expect(times[10]).toBeLessThan(45);
    } finally {
      await resumeReplay();
    }
  });

  test('never lets a session outlive its logout', async () => {
    const [firstServer, secondServer] = servers;
    await pauseReplay();
    try {
      for (let round = 0; round < 3; round += 1) {
        const otherToken = await createToken();
        for (const server of servers)
          expect((await call(server, 'GET', 'clients', { as: otherToken })).status).toBe(200);
        expect((await call(firstServer, 'POST', 'users/logout', { as: otherToken })).status).toBe(204);
        for (const path of ['clients', 'dashboard', 'machines/export', 'reports/cleaning'])
          expect([path, (await call(secondServer, 'GET', path, { as: otherToken })).status]).toEqual([path, 401]);
      }
    } finally {
      await resumeReplay();
    }
    await waitUntilServed();
    const otherToken = await createToken();
    expect((await call(secondServer, 'GET', 'clients', { as: otherToken })).status).toBe(200);
    expect((await call(firstServer, 'POST', 'users/logout', { as: otherToken })).status).toBe(204);
    expect((await call(secondServer, 'GET', 'clients', { as: otherToken })).status).toBe(401);
  });

  test('never shows an older row than an event has published', async () => {
    const [firstServer, secondServer] = servers;
    const controller = new AbortController();
    const response = await fetch(`${firstServer.url}/api/v1/events`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    const id = await add(db, 'countries');
    await waitUntilServed();
    await pauseReplay();
    const events = readEvents(response.body)[Symbol.asyncIterator]();
    try {
      for (let round = 0; round < 5; round += 1) {
        const name = `Published ${Date.now()} ${round}`;
        expect((await call(secondServer, 'PATCH', `countries/${id}`, { body: { name } })).status).toBe(200);
        for (;;) {
          const { value } = await events.next();
          if (value?.data?.includes(`resource/countries/${id}"`)) break;
        }
        for (const server of servers)
          expect((await call<Page>(server, 'GET', `countries?filter[id]=${id}`)).body.data[0]?.name).toBe(name);
      }
    } finally {
      await resumeReplay();
      controller.abort();
    }
  });

  test('reports its lag in the metrics', async () => {
    const [firstServer] = servers;
    await expect.poll(() => readMetric(firstServer, 'replica_lag_bytes')).toBe(0);
    await pauseReplay();
    try {
      await add(db, 'countries');
      await expect.poll(() => readMetric(firstServer, 'replica_lag_seconds')).toBeGreaterThan(1);
      expect(await readMetric(firstServer, 'replica_lag_bytes')).toBeGreaterThan(0);
      expect(await readMetric(firstServer, 'replica_up')).toBe(1);
    } finally {
      await resumeReplay();
    }
    await expect.poll(() => readMetric(firstServer, 'replica_lag_seconds')).toBe(0);
  });
});

/** Reads concurrently until stopped. Returns the failures and the longest response time. */
function startReadLoad(paths: readonly string[], clients = 4) {
  let isStopped = false;
  let calls = 0;
  let longestCall = 0;
  const failures: string[] = [];
  const work = Array.from({ length: clients }, async (_, client) => {
    for (let round = client; !isStopped; round += 1) {
      const path = paths[round % paths.length] as string;
      const start = performance.now();
      try {
        const { status, text } = await call(servers[round % 2] as Server, 'GET', path);
        if (status !== 200) failures.push(`${path}: ${status} ${text.slice(0, 200)}`);
        if (path.includes('export') && text.split('\n').length < machineCount) failures.push(`${path} is incomplete`);
      } catch (error) {
        failures.push(`${path}: ${String(error)}`);
      }
      longestCall = Math.max(longestCall, performance.now() - start);
      calls += 1;
      await sleep(10);
    }
  });
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(work);
      return { failures, calls, longest: longestCall };
    },
  };
}

const readPaths = [
  'machines?sort=-serial_number',
  'clients',
  'dashboard',
  'machines/map',
  'machines/facets',
  'search?q=R-1',
];
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a replica that fails', () => {
  test('while it is killed and started again under load, no call fails', async () => {
    const load = startReadLoad(readPaths);
    for (let round = 0; round < 2; round += 1) {
      await sleep(500);
      await replica.kill();
      await sleep(500);
      await replica.restart();
      await waitUntilServed();
    }
    const { failures, calls, longest } = await load.stop();
    console.info(`${calls} calls while the replica was killed twice, the longest ${Math.round(longest)} ms`);
    expect(failures.join('\n')).toBe('');
  });

  test('while it is frozen, calls go to the primary: none fails or takes four seconds', async () => {
    const load = startReadLoad(readPaths);
    await sleep(300);
    replica.freeze();
    await sleep(2500);
    replica.thaw();
    await waitUntilServed();
    const { failures, longest } = await load.stop();
    console.info(`The longest call while the replica was frozen: ${Math.round(longest)} ms`);
    expect(failures.join('\n')).toBe('');
    expect(longest).toBeLessThan(4000);
  });

  test('exports and lists that the replay cancels are read from the primary instead', async () => {
    const failedBefore = await readFailedCount();
    const load = startReadLoad([
      'machines/export?format=csv',
      'machines?sort=-serial_number',
      'machines/groups?by=type_id',
    ]);
    const deadline = Date.now() + 20_000;
    // Replaying a table lock cancels the statements that read the table.
    while (Date.now() < deadline && (await readFailedCount()) - failedBefore < 5) {
      await executeOnServer(primary.url, 'begin; lock table machines in access exclusive mode; commit');
      await sleep(30);
    }
    const { failures, calls } = await load.stop();
    expect(failures.join('\n')).toBe('');
    expect(calls).toBeGreaterThan(5);
    await expect.poll(readConflicts).toBeGreaterThan(0);
    expect((await readFailedCount()) - failedBefore).toBeGreaterThanOrEqual(5);
  });

  test('once promoted, it serves no more reads', async () => {
    const [firstServer, secondServer] = servers;
    await executeOnServer(replica.url, 'select pg_promote()');
    const servedReads = await readOutcomeCount(secondServer, 'served');
    for (let round = 0; round < 5; round += 1) {
      const name = `After ${round}`;
      expect((await call(firstServer, 'POST', 'countries', { body: { name } })).status).toBe(201);
      const page = await call<Page>(secondServer, 'GET', `countries?filter[name]=${encodeURIComponent(name)}`);
      expect(page.body.total).toBe(1);
    }
    expect(await readOutcomeCount(secondServer, 'served')).toBe(servedReads);
    await expect.poll(() => readMetric(secondServer, 'replica_up')).toBe(0);
  });
});

const readFailedCount = async () =>
  (await Promise.all(servers.map((server) => readOutcomeCount(server, 'failed')))).reduce(
    (sum, count) => sum + count,
    0,
  );

const readConflicts = () =>
  readNumber(replica.url, 'select sum(confl_lock + confl_snapshot)::int as n from pg_stat_database_conflicts');

/** Number of the product's connections to a server whose last statement matches `pattern`. */
const countStatements = (url: string, pattern: string) =>
  readNumber(
    url,
    `select count(*)::int as n from pg_stat_activity
      where application_name = '${applicationName}' and query like '${pattern}'`,
  );

async function readNumber(url: string, statement: string): Promise<number> {
  const reader = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await reader.unsafe<{ n: number }[]>(statement);
    return row?.n ?? 0;
  } finally {
    await reader.end();
  }
}
