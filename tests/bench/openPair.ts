/** Starts the product and the limit on the same rows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { demoLogins } from '../../demo/seed/people';
import { root } from '../support/sources';
import { freePort } from '../support/startCluster';
import { startServer } from '../support/startServer';
import { type BenchCopy, benchSettings } from './benchDatabases';
import { type Links, linksSql, scopeWhere } from './limits';
import type { BenchContext, BenchRole, BenchSample, LimitEntityName, LimitStatement } from './scenario';

export interface Pair {
  product: { port: number; memory(): number };
  limit: { port: number };
  context: BenchContext;
  setLimit(statement: LimitStatement): Promise<void>;
  /** Token of the demo login of a role, and its scope as an SQL condition on `m`. */
  signIn(role: BenchRole, entity: LimitEntityName): Promise<{ token: string; scope: string }>;
  /** Stops both servers and drops the copy. */
  close(): Promise<void>;
}

export async function openPair(
  { env, dataDir, limit, drop }: BenchCopy,
  { machines, entities }: { machines: number; entities: readonly LimitEntityName[] },
): Promise<Pair> {
  const server = await startServer({ dataDir, env: { ...benchSettings, ...env } });
  const port = await freePort();
  const bareServer = spawn(process.execPath, ['--import', 'tsx', 'tests/bench/bareServer.ts', String(port), limit], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  await once(bareServer, 'message');
  const setLimit = async (statement: LimitStatement) => {
    await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', body: JSON.stringify(statement) });
  };
  const tokens = new Map<BenchRole, string>();
  const signIn = async (role: BenchRole, entity: LimitEntityName) => {
    const login = demoLogins.find((candidate) => candidate.role === role);
    if (!login) throw new Error(`The demo has no login for ${role}.`);
    const token = tokens.get(role) ?? (await fetchToken(server.url, login));
    tokens.set(role, token);
    await setLimit({ text: linksSql });
    const response = await fetch(`http://127.0.0.1:${port}/${encodeURIComponent(login.email)}`);
    const { data } = (await response.json()) as { data: [Links] };
    return { token, scope: scopeWhere(entity, role, data[0]) };
  };
  const { token } = await signIn('Admin', 'machines');
  const samples = await Promise.all(
    entities.map(async (entity) => [entity, await readSamples(server.url, token, entity)] as const),
  );
  return {
    product: { port: Number(new URL(server.url).port), memory: server.memory },
    limit: { port },
    context: { machines, month: historyMonth(), samples: Object.fromEntries(samples) },
    setLimit,
    signIn,
    close: async () => {
      bareServer.kill('SIGTERM');
      await server.stop();
      await drop();
    },
  };
}

/** The month that has the demo's history, as `2026-11`. */
const historyMonth = () => new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 7);

async function fetchToken(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Signing in failed with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

/** Up to 1,000 rows, from four pages spread over the list. */
async function readSamples(url: string, token: string, entity: LimitEntityName): Promise<BenchSample[]> {
  const readPage = async (page: number, per_page: number) => {
    const query = new URLSearchParams({ per_page: String(per_page), sort: 'id', page: String(page) });
    const response = await fetch(`${url}/api/v1/${entity}?${query}`, { headers: { Authorization: `Bearer ${token}` } });
    return (await response.json()) as { data: BenchSample[]; total: number };
  };
  const { total } = await readPage(1, 1);
  const pages = Math.max(1, Math.floor(total / 250));
  const pageNumbers = [...new Set([0.01, 0.13, 0.37, 0.71].map((share) => Math.ceil(share * pages)))];
  return (await Promise.all(pageNumbers.map(async (page) => (await readPage(page, 250)).data))).flat();
}
