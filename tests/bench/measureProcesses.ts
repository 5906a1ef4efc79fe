/**
 * Measures the CPU time per message with one, two and four processes on one database. Each process gets the same load
 * from its own devices, as behind a load balancer. The rate is not measured: a single process already uses two cores,
 * so further processes could not raise it on a small computer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Server, startServer } from '../support/startServer';
import { cpuTime } from './cpuTime';
import type { Figure } from './figures';
import type { LoadJob, LoadResult } from './loadGenerator';
import { startLoad } from './startLoad';

interface ProcessesContext {
  /** A process that is already running. Its CPU time counts, too. */
  runningServer: Server;
  databaseUrl: string;
  /** Process id of PostgreSQL. */
  postmaster: number;
  /** Seconds of measured load per number of processes. */
  seconds: number;
  requests: LoadJob['requests'];
  /** Returns the number of messages stored so far. */
  countStoredMessages(): Promise<number>;
}

/** Connections per process, each with one message at a time. */
const concurrency = 50;
/** Seconds of load per process before the measurement, until V8 has compiled the code of new processes. */
const warmUpSeconds = 8;

/**
 * CPU-seconds of all processes and PostgreSQL per 1,000 observations for each number of processes, and the largest
 * divided by the first one.
 */
export async function measureProcesses(
  counts: readonly number[],
  { runningServer, databaseUrl, postmaster, seconds, requests, countStoredMessages }: ProcessesContext,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-processes-'));
  const servers = [runningServer];
  const costs: number[] = [];
  const figures: Figure[] = [];
  try {
    for (const count of counts) {
      while (servers.length < count)
        servers.push(
          await startServer({
            dataDir: join(folder, String(servers.length)),
            env: { DATABASE_URL: databaseUrl, SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off' },
          }),
        );
      const runningServers = servers.slice(0, count);
      const shares = runningServers.map((_, serverIndex) =>
        requests.filter((_, index) => index % count === serverIndex),
      );
      await runLoads(runningServers, shares, warmUpSeconds * count);
      const readCpuTime = () =>
        [...runningServers.map(({ pid }) => pid), postmaster].reduce((sum, pid) => sum + cpuTime(pid), 0);
      const storedBefore = await countStoredMessages();
      const cpuBefore = readCpuTime();
      const results = await runLoads(runningServers, shares, seconds);
      const cpuPerMessage = (readCpuTime() - cpuBefore) / ((await countStoredMessages()) - storedBefore);
      costs.push(cpuPerMessage);
      const wrongCount = results.reduce((sum, result) => sum + result.wrongCount, 0);
      figures.push({
        title: `OsmAnd message with ${count} process${count === 1 ? '' : 'es'}: CPU of all and PostgreSQL`,
        unit: 'ms',
        value: cpuPerMessage,
        ...(wrongCount > 0 && { fault: `${wrongCount} answers had another status` }),
      });
    }
  } finally {
    await Promise.all(servers.filter((server) => server !== runningServer).map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
  const growth = Math.max(...costs) / (costs[0] as number);
  return [
    ...figures,
    {
      title: `CPU per message with up to ${counts.at(-1)} processes, beside one`,
      unit: 'times',
      value: growth,
      bar: 1.15,
    },
  ];
}

/** Loads each server with its own share of the requests, from a process of its own. */
async function runLoads(
  servers: readonly Server[],
  shares: readonly LoadJob['requests'][],
  seconds: number,
): Promise<LoadResult[]> {
  return Promise.all(
    servers.map(async ({ url }, index) => {
      const load = startLoad();
      try {
        const port = Number(new URL(url).port);
        return await load.run({ port, seconds, expectedStatus: 200, concurrency, requests: shares[index] ?? [] });
      } finally {
        load.end();
      }
    }),
  );
}
