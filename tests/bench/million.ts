/**
 * `npm run bench:million`: response times with 1,000,000 machines and 100,000 users on one PostgreSQL server, for every
 * role of the demo. Requests run one at a time; the 95th percentile of each may be at most one second. The same
 * requests at a tenth of the size give the growth. BENCH_DATABASE_URL keeps the loaded databases, as in `npm run
 * bench`.
 *
 * For a quick look, which only prints: `--sizes 1000,10000 --users 1000 --only map`.
 */
import { parseArgs } from 'node:util';
import { demoLogins } from '../../demo/seed/people';
import { startServer } from '../support/startServer';
import { benchSettings, openServerDatabases } from './benchDatabases';
import { type Figure, failures, printSizesTable } from './figures';
import { type MillionRequest, millionRequests, type RequestContext } from './millionRequests';
import type { BenchRole } from './scenario';
import { storeResults } from './storeResults';

const wholeRun = { sizes: '100000,1000000', users: '100000', only: '' };
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: wholeRun.sizes },
    users: { type: 'string', default: wholeRun.users },
    only: { type: 'string', default: wholeRun.only },
  },
});
/** Responses per request and role. */
const rounds = 20;
/** Maximum milliseconds that a user should wait, and maximum megabytes of the server. */
const maxMilliseconds = 1000;
const maxMegabytes = 300;
const figures: Figure[] = [];

interface ApiClient {
  url: string;
  token: string;
}

const databases = await openServerDatabases();
try {
  for (const machines of values.sizes.split(',').map(Number)) {
    await databases.load(machines);
    await measureSize(machines);
  }
} finally {
  await databases.close();
}
const table = printSizesTable(figures);
console.log(`\n${table}`);
if (Object.entries(wholeRun).every(([name, value]) => values[name as keyof typeof wholeRun] === value))
  storeResults('million', figures, table);
for (const failure of failures(figures)) console.error(failure);
process.exitCode = failures(figures).length > 0 ? 1 : 0;

async function measureSize(machines: number): Promise<void> {
  const copy = await databases.copy(machines, Number(values.users));
  const server = await startServer({ dataDir: copy.dataDir, env: { ...benchSettings, ...copy.env } });
  let memory = server.memory();
  try {
    for (const { role, email, password } of demoLogins) {
      const client = await signIn(server.url, { email, password });
      const context = await readContext(client);
      const requestsOfRole = millionRequests.filter((request) => request.roles.includes(role as BenchRole));
      for (const request of requestsOfRole.filter(({ title }) => title.includes(values.only))) {
        report(await measureRequest(client, request, { role, size: machines, context }));
        memory = Math.max(memory, server.memory());
      }
    }
  } finally {
    await server.stop();
    await copy.drop();
  }
  report({ title: 'memory of the server, highest', size: machines, unit: 'MB', value: memory, bar: maxMegabytes });
}

function report(figure: Figure): void {
  figures.push(figure);
  const { title, role = '', value, unit, fault = '' } = figure;
  console.log(
    `${String(figure.size).padStart(8)} ${title.padEnd(40)} ${role.padEnd(16)} ${value.toFixed(0)} ${unit} ${fault}`,
  );
}

/** The 95th percentile, including the first response after the start. */
async function measureRequest(
  client: ApiClient,
  { title, paths, isFile = false }: MillionRequest,
  { role, size, context }: { role: string; size: number; context: RequestContext },
): Promise<Figure> {
  const figure = { title, role, size, unit: 'ms', bar: maxMilliseconds } as const;
  const requests = paths(context);
  const times: number[] = [];
  try {
    for (let round = 0; round < (isFile ? 5 : rounds) && requests.length > 0; round += 1)
      times.push(await measureResponse(client, requests[round % requests.length] as string, isFile));
  } catch (error) {
    return { ...figure, value: Number.NaN, fault: (error as Error).message };
  }
  const sortedTimes = times.toSorted((a, b) => a - b);
  const value = sortedTimes[Math.ceil(sortedTimes.length * 0.95) - 1] ?? Number.NaN;
  return { ...figure, value, milliseconds: value };
}

/** Milliseconds until the last byte, or until the first byte of a file. */
async function measureResponse(client: ApiClient, path: string, isFile: boolean): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${client.url}/api/v1/${path}`, {
    headers: { Authorization: `Bearer ${client.token}` },
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  if (!isFile) {
    await response.arrayBuffer();
    return performance.now() - start;
  }
  const reader = response.body?.getReader();
  await reader?.read();
  const milliseconds = performance.now() - start;
  await reader?.cancel();
  return milliseconds;
}

async function signIn(url: string, login: { email: string; password: string }): Promise<ApiClient> {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(login),
  });
  if (!response.ok) throw new Error(`Signing in failed with ${response.status}: ${await response.text()}`);
  return { url, token: ((await response.json()) as { token: string }).token };
}

/** Reads machines of the role from the first and a later page. */
async function readContext({ url, token }: ApiClient): Promise<RequestContext> {
  const readPage = async (pageNumber: number) => {
    const response = await fetch(`${url}/api/v1/machines?per_page=20&sort=id&fields[machines]=id&page=${pageNumber}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return (await response.json()) as { data: { id: number }[]; total: number };
  };
  const { data, total } = await readPage(1);
  const laterPage = await readPage(Math.max(1, Math.floor(total / 30)));
  return {
    month: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 7),
    machineIds: [...laterPage.data, ...data].map(({ id }) => id),
    machines: total,
  };
}
