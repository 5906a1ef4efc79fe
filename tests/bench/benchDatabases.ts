/**
 * The databases of the benchmark: one per size, loaded with the demo, and copies of it to measure on. On the server of
 * BENCH_DATABASE_URL the loaded ones are reused by later runs; without it, a temporary server is started.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { executeOnServer, urlOf } from '../support/databases';
import { root } from '../support/sources';
import { startCluster } from '../support/startCluster';

export interface BenchCopy {
  /** Environment variables of the product. */
  env: Record<string, string>;
  dataDir: string;
  /** Database of the limit: a URL, or the folder of an embedded one. */
  limit: string;
  drop(): Promise<void>;
}

export interface BenchDatabases {
  name: string;
  /** Loads the demo of a size. Resolves to the seconds that it took, `undefined` if the database existed. */
  load(machines: number): Promise<number | undefined>;
  /** Copies the database of a size, and adds clients and users up to `crowd` of each. */
  copy(machines: number, crowd?: number): Promise<BenchCopy>;
  close(): Promise<void>;
}

/** Environment of the measured server. The limit on arenas is that of the Dockerfile and the systemd unit. */
export const benchSettings = { SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off', MALLOC_ARENA_MAX: '2' };

function runScript(env: Record<string, string>, ...args: string[]): void {
  execFileSync(process.execPath, ['--import', 'tsx', ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'warn', ...benchSettings, ...env },
  });
}

function loadDemo(machines: number, env: Record<string, string>): number {
  const start = performance.now();
  runScript(env, 'demo/seed/cli.ts', '--machines', String(machines));
  const seconds = (performance.now() - start) / 1000;
  runScript(env, 'tests/support/postponeOffline.ts');
  return seconds;
}

/** Opens databases on a PostgreSQL server with fsync, as in production. */
export async function openServerDatabases(): Promise<BenchDatabases> {
  const { BENCH_DATABASE_URL } = process.env;
  const cluster = BENCH_DATABASE_URL ? undefined : await startCluster({ isDurable: true });
  const server = BENCH_DATABASE_URL ?? (cluster?.url as string);
  const databaseOf = (machines: number) => `sweepline_bench_${machines}`;
  const [loadingName, copyName] = ['sweepline_bench_loading', `sweepline_bench_copy_${process.pid}`];
  return {
    name: 'PostgreSQL',
    load: async (machines) => {
      if (await databaseExists(server, databaseOf(machines))) return undefined;
      await executeOnServer(server, `drop database if exists ${loadingName}`);
      await executeOnServer(server, `create database ${loadingName}`);
      const seconds = withTemporaryFolder((DATA_DIR) =>
        loadDemo(machines, { DATABASE_URL: urlOf(server, loadingName), DATA_DIR }),
      );
      await vacuumAndCheckpoint(urlOf(server, loadingName));
      await executeOnServer(server, `alter database ${loadingName} rename to ${databaseOf(machines)}`);
      return seconds;
    },
    copy: async (machines, crowd) => {
      await executeOnServer(server, `create database ${copyName} template ${databaseOf(machines)} strategy file_copy`);
      const env = { DATABASE_URL: urlOf(server, copyName) };
      if (crowd) {
        withTemporaryFolder((DATA_DIR) => runScript({ ...env, DATA_DIR }, 'tests/bench/fillCrowd.ts', String(crowd)));
        await vacuumAndCheckpoint(env.DATABASE_URL);
      }
      const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
      const drop = async () => {
        rmSync(dataDir, { recursive: true, force: true });
        await executeOnServer(server, `drop database ${copyName} with (force)`);
      };
      return { env, dataDir, limit: env.DATABASE_URL, drop };
    },
    close: async () => cluster?.stop(),
  };
}

function withTemporaryFolder<T>(run: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function databaseExists(server: string, name: string): Promise<boolean> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  try {
    return (await sql`select 1 from pg_database where datname = ${name}`).length > 0;
  } finally {
    await sql.end();
  }
}

/** Vacuums, analyzes and writes a checkpoint, so that no maintenance runs during a measurement. */
async function vacuumAndCheckpoint(url: string): Promise<void> {
  await executeOnServer(url, 'vacuum analyze');
  await executeOnServer(url, 'checkpoint');
}

/** Opens embedded databases. Each serves a single process, so the product and the limit get a copy each. */
export async function openEmbeddedDatabases(): Promise<BenchDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  const folderOf = (machines: number) => join(folder, String(machines));
  return {
    name: 'PGlite',
    load: async (machines) => loadDemo(machines, { DATA_DIR: folderOf(machines) }),
    copy: async (machines, crowd) => {
      const copies = mkdtempSync(join(folder, 'copy-'));
      const [dataDir, limit] = [join(copies, 'product'), join(copies, 'limit')];
      cpSync(folderOf(machines), dataDir, { recursive: true });
      if (crowd) runScript({ DATA_DIR: dataDir }, 'tests/bench/fillCrowd.ts', String(crowd));
      cpSync(dataDir, limit, { recursive: true });
      return { env: {}, dataDir, limit: join(limit, 'pglite'), drop: async () => rmSync(copies, { recursive: true }) };
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
