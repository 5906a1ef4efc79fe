/** The product and the limit, started on the same rows. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { demoLogins } from '../../server/db/seed/people';
import { freePort, startCluster } from '../support/cluster';
import { startServer } from '../support/server';
import { root } from '../support/sources';

export interface Pair {
  product: { port: number; token: string; memory(): number };
  limit: { port: number };
  /** Rows to ask for. */
  sample(): Promise<Sample>;
  close(): Promise<void>;
}

interface Sample {
  ids: number[];
  /** Parts of serial numbers that few machines have. */
  words: string[];
  fleetId: number;
  typeId: number;
}

const settings = { SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off' };

/** Both on one database of a PostgreSQL server that is started for the bench, with fsync as in production. */
export async function openPostgresPair(machines: number): Promise<Pair> {
  const cluster = await startCluster({ durable: true });
  const url = cluster.url.replace(/\/postgres$/, '/bench');
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  await sql`create database bench`;
  await sql.end();
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  seed(machines, { DATABASE_URL: url, DATA_DIR: dataDir });
  const own = postgres(url, { max: 1, onnotice: () => {} });
  await own.unsafe('vacuum analyze');
  await own.unsafe('checkpoint');
  await own.end();
  return pairOf({
    env: { DATABASE_URL: url },
    dataDir,
    bare: url,
    done: async () => {
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  });
}

/** Each on a copy of its own: an embedded database serves one process. */
export async function openPglitePair(machines: number): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  const [dataDir, copy] = [join(folder, 'product'), join(folder, 'limit')];
  seed(machines, { DATA_DIR: dataDir });
  cpSync(dataDir, copy, { recursive: true });
  return pairOf({ env: {}, dataDir, bare: join(copy, 'pglite'), done: async () => rmSync(folder, { recursive: true, force: true }) });
}

const seed = (machines: number, env: Record<string, string>) =>
  execFileSync(process.execPath, ['--import', 'tsx', 'server/db/seed/cli.ts', '--machines', String(machines)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...settings, ...env },
  });

async function pairOf({ env, dataDir, bare, done }: { env: Record<string, string>; dataDir: string; bare: string; done: () => Promise<void> }): Promise<Pair> {
  const server = await startServer({ dataDir, env: { ...settings, ...env } });
  const port = await freePort();
  const limit = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/bare.ts', String(port), bare], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await once(limit, 'message');
  const token = await signIn(server.url);
  return {
    product: { port: Number(new URL(server.url).port), token, memory: server.memory },
    limit: { port },
    sample: () => sampleOf(server.url, token),
    close: async () => {
      limit.kill('SIGTERM');
      await server.stop();
      await done();
    },
  };
}

async function signIn(url: string): Promise<string> {
  const [{ email, password } = { email: '', password: '' }] = demoLogins;
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in failed with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

interface Machine {
  id: number;
  serial_number: string;
  fleet_id: number;
  type_id: number | null;
}

async function sampleOf(url: string, token: string): Promise<Sample> {
  const found: Machine[] = [];
  for (const page of [1, 13, 37, 71]) {
    const query = new URLSearchParams({ per_page: '250', sort: 'id', page: String(page), 'fields[machines]': 'id,serial_number,fleet_id,type_id' });
    const answer = await fetch(`${url}/api/v1/machines?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    found.push(...((await answer.json()) as { data: Machine[] }).data);
  }
  const [first] = found;
  const type = found.find(({ type_id }) => type_id !== null);
  if (!first || !type?.type_id) throw new Error('The seed made no machines.');
  return {
    ids: found.map(({ id }) => id),
    words: found.map(({ serial_number }) => encodeURIComponent(serial_number.slice(-5))),
    fleetId: first.fleet_id,
    typeId: type.type_id,
  };
}
