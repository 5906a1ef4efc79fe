/**
 * Acknowledged observations per second on a PostgreSQL server with fsync: in batches of 500, and as single OsmAnd
 * messages. Separately: `tsx tests/bench/measureIngest.ts 3`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { randomToken, sha256 } from '../../server/auth/secrets';
import { openDatabase } from '../../server/db/open/openDatabase';
import { add } from '../support/rows';
import { startCluster } from '../support/startCluster';
import { startServer } from '../support/startServer';
import { type Figure, printBar, printFigure, verdictOf } from './figures';
import type { LoadJob } from './loadGenerator';
import { startLoad } from './startLoad';

const machines = 100;
const batchSize = 500;

export async function measureIngest(seconds: number): Promise<Figure[]> {
  const cluster = await startCluster({ isDurable: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-bench-'));
  const db = await openDatabase({ databaseUrl: cluster.url, dataDir, log: pino({ level: 'warn' }) });
  const fleet = await add(db, 'fleets', {
    client_id: await add(db, 'clients', { country_id: await add(db, 'countries') }),
  });
  const devices: { device: string; secret: string }[] = [];
  for (let count = 0; count < machines; count += 1) {
    const [device, secret] = [`bench-${count}`, `swt_${randomToken()}`];
    const tracker = await add(db, 'trackers', { tracker_or_serial: device });
    await add(db, 'machines', { fleet_id: fleet, custom_type: 'Scrubber', tracker_id: tracker });
    await db.rows(
      sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
    );
    devices.push({ device, secret });
  }
  const server = await startServer({
    dataDir,
    env: { DATABASE_URL: cluster.url, SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off' },
  });
  const port = Number(new URL(server.url).port);
  const load = startLoad();
  const observation = (_: unknown, index: number) =>
    `{"at":%t,"status":"${index % 100 < 60 ? 'cleaning' : 'parked'}","mode":"robotic","battery":${50 + (index % 40)},"latitude":${52.5 + index / 1e5},"longitude":13.4}`;
  const body = `[${Array.from({ length: batchSize }, observation).join(',')}]`;
  const run = async (
    title: string,
    bar: number,
    observationsPerRequest: number,
    job: Pick<LoadJob, 'concurrency' | 'requests'>,
  ) => {
    const { rate, p50, wrongCount } = await load.run({ port, seconds, expectedStatus: 200, ...job });
    return {
      title,
      unit: 'per second' as const,
      bar,
      value: rate * observationsPerRequest,
      milliseconds: p50,
      ...(wrongCount > 0 && { fault: `${wrongCount} answers had another status` }),
    };
  };
  try {
    return [
      await run('telemetry, observations in batches of 500', 5000, batchSize, {
        concurrency: 4,
        requests: devices.map(({ secret }) => ({ method: 'POST', path: '/api/v1/ingest', body, token: secret })),
      }),
      await run('telemetry, single messages', 2000, 1, {
        concurrency: 200,
        requests: devices.map(({ device }) => ({
          method: 'GET',
          path: `/ingest/osmand?id=${device}&timestamp=%t&lat=52.5&lon=13.4&speed=1.2&batt=80&status=cleaning`,
        })),
      }),
    ];
  } finally {
    load.end();
    await server.stop();
    await db.close();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith('measureIngest.ts'))
  for (const figure of await measureIngest(Number(process.argv[2] ?? 4)))
    console.log(`${figure.title.padEnd(44)} ${printFigure(figure)}, ${printBar(figure)}: ${verdictOf(figure)}`);
