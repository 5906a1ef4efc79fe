/** Starts the product as users do: as a separate process on its own port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './sources';
import { freePort } from './startCluster';

export interface Server {
  url: string;
  /** Milliseconds from the start of the process to the first success of `/readyz`. */
  startMilliseconds: number;
  dataDir: string;
  pid: number;
  /** Log output so far. */
  output(): string;
  /** Log lines of level error and fatal so far. */
  errors(): string[];
  /** Resident memory in MB, including worker threads. */
  memory(): number;
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. The data directory stays. */
  kill(): Promise<void>;
}

interface StartOptions {
  env?: Record<string, string>;
  dataDir?: string;
  port?: number;
  /**
   * Runs without a build. Uses the one of `npm test` if it exists, which starts in half the time, and does not check
   * again whether it is up to date.
   */
  fromSources?: boolean;
}

/** Arguments that `npm start` passes to node. */
const startArguments = (
  JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1);
const builtArguments = startArguments.map((argument) =>
  argument === 'scripts/start.mjs' ? 'dist/process/main.js' : argument,
);
const sourceArguments = ['--import', 'tsx', 'server/app/main.ts'];

/**
 * Starts the built server. `dataDir`: files of an earlier server to continue with; by default a new directory, which
 * `stop` deletes.
 */
export async function startServer({
  env = {},
  dataDir,
  port,
  fromSources = false,
}: StartOptions = {}): Promise<Server> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'sweepline-server-'));
  const listenPort = port ?? (await freePort());
  const url = `http://127.0.0.1:${listenPort}`;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    !fromSources ? startArguments : process.env.SWEEPLINE_TEST_BUILT ? builtArguments : sourceArguments,
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...withoutTestSettings(process.env),
        NODE_ENV: 'production',
        MQTT_PORT: '0',
        LOG_LEVEL: 'warn',
        ...env,
        PORT: String(listenPort),
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        PUBLIC_URL: url,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  // Kills the server if this process ends unexpectedly.
  const atExit = () => child.kill('SIGKILL');
  process.once('exit', atExit);
  child.once('exit', () => process.off('exit', atExit));
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await waitUntilServing({ url, child, output: () => output });
  return {
    url,
    startMilliseconds: performance.now() - startedAt,
    dataDir: folder,
    pid: child.pid as number,
    output: () => output,
    errors: () => output.split('\n').filter(isErrorLine),
    memory: () => residentMegabytes(child.pid as number),
    stop: async () => {
      child.kill('SIGTERM');
      const code = await exit;
      if (!dataDir) rmSync(folder, { recursive: true, force: true });
      return code;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** In pino's levels 50 is `error` and 60 is `fatal`. */
const isErrorLine = (line: string) => /^\{"level":[56]0\b/.test(line);

/** Environment without settings meant for the tests themselves. */
const withoutTestSettings = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VITEST|SWEEPLINE_|DATABASE_URL|NODE_OPTIONS)/.test(name)),
  );

async function waitUntilServing({
  url,
  child,
  output,
}: {
  url: string;
  child: ChildProcess;
  output: () => string;
}): Promise<void> {
  const deadline = Date.now() + 10 * 60_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`);
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`The server is not ready after ten minutes:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resident memory of a process in MB (`VmRSS`); 0 on systems without /proc. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
