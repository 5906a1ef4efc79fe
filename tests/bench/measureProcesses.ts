/**
 * What a message costs with one, two and four processes on one database. Each process gets the same load from its own
 * devices, as behind a load balancer. One process keeps two cores busy already, so more of them do not raise the rate
 * here; the CPU per message shows their overhead, whatever the number of cores.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Server, startServer } from '../support/startServer';
import { cpuTime } from './cpuTime';
import type { Figure } from './figures';
import type { Job, LoadResult } from './loadGenerator';
import { startLoad } from './startLoad';

interface ProcessesContext {
  /** The process that runs already; its CPU counts like that of the others. */
  first: Server;
  databaseUrl: string;
  /** Process id of PostgreSQL. */
  postmaster: number;
  /** Seconds of measured load per number of processes. */
  seconds: number;
  requests: Job['requests'];
  /** Returns the number of messages stored so far. */
  storedMessages(): Promise<number>;
}

/** Connections per process, each with one message at a time. */
const concurrency = 50;
/** Seconds of load per running process before the measurement: new ones share the cores, and start with cold code. */
const warmUp = 3;

/**
 * CPU-seconds of all processes and PostgreSQL per 1,000 observations for each number of processes, and the largest
 * divided by the first.
 */
export async function measureProcesses(
  counts: readonly number[],
  { first, databaseUrl, postmaster, seconds, requests, storedMessages }: ProcessesContext,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sweepline-processes-'));
  const servers = [first];
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
      await runLoads(runningServers, shares, warmUp * count);
      const usedCpu = () =>
        [...runningServers.map(({ pid }) => pid), postmaster].reduce((sum, pid) => sum + cpuTime(pid), 0);
      const [cpuBefore, storedBefore] = [usedCpu(), await storedMessages()];
      const results = await runLoads(runningServers, shares, seconds);
      const cost = (usedCpu() - cpuBefore) / ((await storedMessages()) - storedBefore);
      costs.push(cost);
      const wrong = results.reduce((sum, result) => sum + result.wrong, 0);
      figures.push({
        work: `OsmAnd message with ${count} process${count === 1 ? '' : 'es'}: CPU of all and PostgreSQL`,
        ...{ unit: 'ms', value: cost },
        ...(wrong > 0 && { wrong: `${wrong} answers had another status` }),
      });
    }
  } finally {
    await Promise.all(servers.filter((server) => server !== first).map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
  const growth = Math.max(...costs) / (costs[0] as number);
  return [
    ...figures,
    {
      work: `CPU per message with up to ${counts.at(-1)} processes, beside one`,
      unit: 'times',
      value: growth,
      bar: 1.15,
    },
  ];
}

/** Loads each server with its own share of the requests, from a process of its own. */
async function runLoads(
  servers: readonly Server[],
  shares: readonly Job['requests'][],
  seconds: number,
): Promise<LoadResult[]> {
  return Promise.all(
    servers.map(async ({ url }, index) => {
      const load = startLoad();
      try {
        const port = Number(new URL(url).port);
        return await load.run({ port, seconds, expect: 200, concurrency, requests: shares[index] ?? [] });
      } finally {
        load.end();
      }
    }),
  );
}
