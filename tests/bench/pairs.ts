/** The product and the limit, started on the same rows. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { demoLogins } from '../../demo/seed/people';
import { freePort, startCluster } from '../support/cluster';
import { startServer } from '../support/server';
import { root } from '../support/sources';

export interface Pair {
  product: { port: number; token: string; memory(): number };
  limit: { port: number };
  /** Rows to request, from all over the list. */
  samples(entity: string): Promise<Sample[]>;
  /** A Country Manager, and the country. */
  manager(): Promise<{ token: string; country: number }>;
  close(): Promise<void>;
}

export type Sample = { id: number } & Record<string, unknown>;

export interface Size {
  machines: number;
  /** So many clients and users; without it those of the demo. */
  crowd?: number;
}

const settings = { SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off' };

/** Both on one database of a PostgreSQL server that is started for the bench, with fsync as in production. */
export async function openPostgresPair(size: Size): Promise<Pair> {
  const cluster = await startCluster({ durable: true });
  const url = cluster.url.replace(/\/postgres$/, '/bench');
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  await sql`create database bench`;
  await sql.end();
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  seed(size, { DATABASE_URL: url, DATA_DIR: dataDir });
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
export async function openPglitePair(size: Size): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  const [dataDir, copy] = [join(folder, 'product'), join(folder, 'limit')];
  seed(size, { DATA_DIR: dataDir });
  cpSync(dataDir, copy, { recursive: true });
  return pairOf({
    env: {},
    dataDir,
    bare: join(copy, 'pglite'),
    done: async () => rmSync(folder, { recursive: true, force: true }),
  });
}

function seed({ machines, crowd }: Size, env: Record<string, string>): void {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['--import', 'tsx', ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...settings, ...env },
    });
  run('demo/seed/cli.ts', '--machines', String(machines));
  if (crowd) run('tests/bench/crowd.ts', String(crowd));
}

async function pairOf({
  env,
  dataDir,
  bare,
  done,
}: {
  env: Record<string, string>;
  dataDir: string;
  bare: string;
  done: () => Promise<void>;
}): Promise<Pair> {
  const server = await startServer({ dataDir, env: { ...settings, ...env } });
  const port = await freePort();
  const limit = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/bare.ts', String(port), bare], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await once(limit, 'message');
  const { token } = await signIn(server.url, 'Admin');
  return {
    product: { port: Number(new URL(server.url).port), token, memory: server.memory },
    limit: { port },
    samples: (entity) => samplesOf(server.url, token, entity),
    manager: async () => {
      const signedIn = await signIn(server.url, 'Country Manager');
      const { countries } = JSON.parse(
        Buffer.from(signedIn.user_token.split('.')[1] ?? '', 'base64url').toString(),
      ) as { countries: { id: number }[] };
      return { token: signedIn.token, country: countries[0]?.id ?? 0 };
    },
    close: async () => {
      limit.kill('SIGTERM');
      await server.stop();
      await done();
    },
  };
}

async function signIn(url: string, role: string): Promise<{ token: string; user_token: string }> {
  const { email, password } = demoLogins.find((login) => login.role === role) ?? {};
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`Signing in failed with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { token: string; user_token: string };
}

async function samplesOf(url: string, token: string, entity: string): Promise<Sample[]> {
  const found: Sample[] = [];
  for (const page of [1, 13, 37, 71]) {
    const query = new URLSearchParams({ per_page: '250', sort: 'id', page: String(page) });
    const answer = await fetch(`${url}/api/v1/${entity}?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    found.push(...((await answer.json()) as { data: Sample[] }).data);
  }
  return found;
}
