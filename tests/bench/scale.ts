/**
 * `npm run bench:scale`: measures what messages of devices cost on a PostgreSQL server with fsync, and how many are
 * acknowledged per second compared with the same writes as bare SQL. Then measures the cost with one to four processes,
 * and messages while pages listen to events. Writes its sections of docs/performance.md; fails if a bar is missed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { randomToken, sha256 } from '../../server/auth/secrets';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { add } from '../support/rows';
import { freePort, startCluster } from '../support/startCluster';
import { startServer } from '../support/startServer';
import { cpuTime } from './cpuTime';
import { type Figure, failures, printTable } from './figures';
import { measureListeners } from './listeners';
import { type BareSender, measureBareWrites } from './measureBareWrites';
import { measureProcesses } from './measureProcesses';
import {
  type BenchDevice,
  listenersScenarios,
  osmAndRequest,
  type ScaleScenario,
  scaleScenarios,
} from './scaleScenarios';
import { startLoad } from './startLoad';
import { storeResults } from './storeResults';

/** Large enough that no device sends twice within a second: such messages are merged, and real devices send none. */
const machineCount = 10_000;
const seconds = Number(process.argv[2] ?? 8);
/** Seconds of load before the measurement starts: until then, V8 compiles what a protocol uses. */
const warmUpSeconds = 10;

const cluster = await startCluster({ isDurable: true });
const postmaster = Number(readFileSync(join(cluster.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-scale-'));
const db = await openDatabase({ databaseUrl: cluster.url, dataDir, log: pino({ level: 'warn' }) });
const devices = { reporting: await addDevices('reporting'), returning: await addDevices('returning') };
const mqttPort = await freePort();
const server = await startServer({
  dataDir,
  env: { DATABASE_URL: cluster.url, SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off', MQTT_PORT: String(mqttPort) },
});
const load = startLoad();
try {
  const bareRate = await measureBareWrites(cluster.url, await addBareSenders(), seconds / 2);
  const figures: Figure[] = [];
  for (const scenario of scaleScenarios) {
    await runLoad(scenario, warmUpSeconds);
    figures.push(...(await measure(scenario, bareRate)));
  }
  figures.push(
    ...(await measureProcesses([1, 2, 4], {
      runningServer: server,
      databaseUrl: cluster.url,
      postmaster,
      seconds,
      countStoredMessages,
      requests: devices.reporting.map(osmAndRequest),
    })),
  );
  console.log(printTable(figures));
  storeResults('scale', figures, printTable(figures));
  const listenerFigures = await measureListeners(listenersScenarios, { seconds });
  console.log(printTable(listenerFigures));
  storeResults('listeners', listenerFigures, printTable(listenerFigures));
  figures.push(...listenerFigures);
  for (const failure of failures(figures)) console.error(failure);
  process.exitCode = failures(figures).length > 0 ? 1 : 0;
} finally {
  load.end();
  await server.stop();
  await db.close();
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Creates machines with trackers. Returns their device ids and secrets. */
async function addDevices(kind: string): Promise<BenchDevice[]> {
  const fleet = await addFleet();
  const addedDevices = Array.from({ length: machineCount }, (_, index): BenchDevice => {
    return { device: `${kind}-${index}`, secret: `swt_${randomToken()}` };
  });
  await Promise.all(
    addedDevices.map(async ({ device, secret }) => {
      const tracker = await add(db, 'trackers', { tracker_or_serial: device });
      await add(db, 'machines', { fleet_id: fleet, custom_type: 'Scrubber', tracker_id: tracker });
      await db.rows(
        sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
      );
    }),
  );
  return addedDevices;
}

/** Creates machines for the bare writes; the server has not loaded them. */
async function addBareSenders(): Promise<BareSender[]> {
  const fleet = await addFleet();
  return Promise.all(
    Array.from({ length: machineCount }, async () => {
      const tracker = await add(db, 'trackers');
      const machine = await add(db, 'machines', { fleet_id: fleet, custom_type: 'Scrubber', tracker_id: tracker });
      return { machine, tracker };
    }),
  );
}

async function addFleet(): Promise<number> {
  return add(db, 'fleets', { client_id: await add(db, 'clients', { country_id: await add(db, 'countries') }) });
}

interface LoadMeasurement {
  /** Acknowledged requests per second. */
  rate: number;
  p50: number;
  wrongCount: number;
}

async function runLoad(
  { load: scenarioLoad, devices: kind, senders: senderCount }: ScaleScenario,
  duration: number,
): Promise<LoadMeasurement> {
  const senders = devices[kind].slice(0, senderCount);
  if (scenarioLoad.protocol === 'mqtt') {
    const { topic, payload, concurrency } = scenarioLoad;
    const secrets = senders.map(({ secret }) => secret);
    return {
      ...(await load.runMqtt({ port: mqttPort, seconds: duration, secrets, topic, payload, concurrency })),
      wrongCount: 0,
    };
  }
  const port = Number(new URL(server.url).port);
  const { concurrency, requestOf } = scenarioLoad;
  return load.run({ port, seconds: duration, expectedStatus: 200, concurrency, requests: senders.map(requestOf) });
}

async function measure(scenario: ScaleScenario, bareRate: number): Promise<Figure[]> {
  const { title, observations, bars } = scenario;
  const [storedBefore, nodeBefore, databaseBefore] = [
    await countStoredMessages(),
    cpuTime(server.pid),
    cpuTime(postmaster),
  ];
  const { rate, p50, wrongCount } = await runLoad(scenario, seconds);
  const [nodeTime, databaseTime] = [cpuTime(server.pid) - nodeBefore, cpuTime(postmaster) - databaseBefore];
  const storedCount = (await countStoredMessages()) - storedBefore;
  const fault = wrongCount > 0 ? { fault: `${wrongCount} answers had another status` } : {};
  const observationRate = rate * observations;
  return [
    { title: `${title}: CPU of the server`, unit: 'ms', value: nodeTime / storedCount },
    { title: `${title}: CPU of PostgreSQL`, unit: 'ms', value: databaseTime / storedCount },
    {
      title: `${title}: CPU of both`,
      unit: 'ms',
      value: (nodeTime + databaseTime) / storedCount,
      bar: bars.cpu,
      ...fault,
    },
    {
      title: `${title}: acknowledged`,
      unit: 'per second',
      value: observationRate,
      milliseconds: p50,
      bar: bars.rate,
      ...fault,
    },
    ...(bars.bareRatio === undefined
      ? []
      : [
          { title: 'the same writes as bare SQL in groups of 200', unit: 'per second', value: bareRate } as const,
          {
            title: `${title}: beside the bare writes`,
            unit: 'ratio',
            value: observationRate / bareRate,
            bar: bars.bareRatio,
          } as const,
        ]),
  ];
}

/** Number of raw messages in the database. */
async function countStoredMessages(): Promise<number> {
  return (await db.selectOne({ n: pg.integer }, sql`select count(*) as n from raw_messages`))?.n ?? 0;
}
