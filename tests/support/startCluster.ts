/** A PostgreSQL server for a test run: a new cluster in a temporary directory, deleted afterwards. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';

export interface Cluster {
  /** URL of the database `postgres`, with its owner as user. */
  url: string;
  port: number;
  folder: string;
  /** Stops the server within a second and deletes its files. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the whole server, like a power failure. The files stay. */
  kill(): Promise<void>;
  /** Starts the server again on its files. */
  restart(): Promise<void>;
  /** Suspends the whole server without closing a connection, like a network that is cut off. */
  freeze(): void;
  thaw(): void;
}

type Settings = Record<string, string | number>;

export interface ClusterOptions {
  /** Enables fsync, for tests that kill the server; all others are faster without it. */
  isDurable?: boolean;
  /** Settings for `postgresql.conf`. */
  settings?: Settings;
  /** Creates the data directory, owned by the user of `commandAsOwner`; by default that of an empty cluster. */
  createData?(data: string): void;
}

/**
 * Starts a new cluster on a free port of 127.0.0.1. If the tests run as root, the server runs as `postgres` or
 * `nobody`, since PostgreSQL refuses to run as root.
 */
export const startCluster = ({ isDurable = false, settings = {}, createData = initialize }: ClusterOptions = {}) =>
  runCluster({ isDurable, settings, createData });

/** Starts a streaming replica of a cluster. */
export const startReplica = ({ port }: Cluster, settings: Settings = {}): Promise<Cluster> =>
  runCluster({
    isDurable: false,
    settings,
    createData: (data) =>
      runAsOwner('pg_basebackup', [
        ...['-D', data, '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-R', '-c', 'fast', '--no-sync'],
      ]),
  });

/** Creates an empty data directory. */
const initialize = (data: string): void =>
  runAsOwner('initdb', [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'],
    ...['--locale=C.UTF-8', '--no-sync', '--no-instructions'],
  ]);

function runAsOwner(name: string, args: readonly string[]): void {
  const [program, allArgs] = commandAsOwner(name, args);
  execFileSync(program, allArgs, { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' });
}

/** Command line that runs a program of PostgreSQL, or one on the PATH, as the user that owns clusters. */
export function commandAsOwner(name: string, args: readonly string[]): [program: string, args: string[]] {
  const owner = unprivilegedUser();
  const ownBinary = join(findBinaries(), name);
  const program = existsSync(ownBinary) ? ownBinary : name;
  return owner
    ? ['setpriv', ['--reuid', owner, '--regid', readGroupId(owner), '--clear-groups', program, ...args]]
    : [program, [...args]];
}

/** Creates the files of a cluster and starts it. */
async function runCluster({
  isDurable,
  settings: extraSettings,
  createData,
}: Required<ClusterOptions>): Promise<Cluster> {
  const owner = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-postgres-'));
  if (owner) execFileSync('chown', [owner, folder]);
  const data = join(folder, 'data');
  createData(data);

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    ...(isDurable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...extraSettings,
  };
  const launch = async () => {
    const [program, args] = commandAsOwner('postgres', [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    const server = spawn(program, args, { stdio: 'ignore', cwd: '/', detached: true });
    await waitUntilReady(url);
    return server;
  };
  let server = await launch();
  // Kills the server if this process ends unexpectedly.
  const atExit = () => killGroup(server);
  process.once('exit', atExit);
  const hasExited = () =>
    new Promise<void>((resolve) =>
      server.exitCode !== null || server.signalCode ? resolve() : server.once('exit', () => resolve()),
    );

  // Each server process leads its own process group.
  const signalAll = (signal: NodeJS.Signals) => {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
    for (const pid of [server.pid as number, ...(children.match(/\d+/g) ?? []).map(Number)]) signalProcess(pid, signal);
  };

  return {
    url,
    port,
    folder,
    stop: async () => {
      process.off('exit', atExit);
      server.kill('SIGQUIT');
      await hasExited();
      rmSync(folder, { recursive: true, force: true });
    },
    kill: async () => {
      killGroup(server);
      await hasExited();
    },
    restart: async () => {
      server = await launch();
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  };
}

/** Sends a signal, unless the process has just ended, as a backend whose client disconnects does. */
function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills the server with its children: it is detached, so the postmaster leads a process group. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

/** Folder of `initdb` and `postgres`: on the PATH, or the newest one where Debian and Homebrew install them. */
function findBinaries(): string {
  const debian = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...debian.map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env.PATH ?? '').split(':'),
    '/opt/homebrew/bin',
    '/usr/local/bin',
  ];
  const match = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (!match)
    throw new Error(
      'PostgreSQL 15 or newer is needed for these tests: neither the PATH nor /usr/lib/postgresql holds initdb and postgres.',
    );
  return match;
}

/** User that runs PostgreSQL if the tests run as root; `undefined` if they do not. */
export function unprivilegedUser(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const exists = (user: string) => {
    try {
      return execFileSync('id', ['-u', user], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
    } catch {
      return false;
    }
  };
  return ['postgres', 'nobody'].find(exists);
}

const readGroupId = (user: string) => execFileSync('id', ['-g', user], { encoding: 'utf8' }).trim();

/** Finds a free port of 127.0.0.1 below the ephemeral range, from which a connection could take it before its use. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
    try {
      await sql`select 1`;
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
}
