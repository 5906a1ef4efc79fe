/**
 * Devices on the embedded brokers of two processes: when either restarts, they change to the other one and lose
 * nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { connect, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartResult, startServices } from '../../server/app/startServices';
import { randomToken, sha256 } from '../../server/auth/secrets';
import { readEnv } from '../../server/context/env';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { type Cluster, freePort, startCluster } from '../support/cluster';
import { addWorld, type World } from '../support/world';

/** MQTT 5, table 2-6: Server shutting down. */
const shuttingDown = 0x8b;
const folder = mkdtempSync(join(tmpdir(), 'sweepline-handover-'));
let cluster: Cluster;
let db: Database;
let world: World;
let ports: number[];
/** Runs no broker and outlives the other processes. */
let standby: StartResult<undefined>;
const servers: (StartResult<undefined> | undefined)[] = [];

const start = (index: number, mqttPort: number) =>
  startServices(
    readEnv({
      DATA_DIR: join(folder, String(index)),
      DATABASE_URL: cluster.url,
      MQTT_PORT: String(mqttPort),
      SWEEPLINE_SECRET: 'a secret that all servers share, long enough',
      LOG_LEVEL: 'silent',
    }),
    { isIdle: true },
  );
const startNth = async (index: number) => {
  servers[index] = await start(index, ports[index] as number);
};
const stopNth = async (index: number) => {
  await servers[index]?.stop();
  servers[index] = undefined;
};

beforeAll(async () => {
  cluster = await startCluster();
  ports = [await freePort(), await freePort()];
  standby = await start(2, 0);
  db = standby.services.db;
  world = await addWorld(db);
  await Promise.all([startNth(0), startNth(1)]);
});
afterAll(async () => {
  await Promise.all([stopNth(0), stopNth(1)]);
  await standby?.stop();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Device {
  machine: number;
  client: MqttClient;
  sent: number;
  acknowledged: number;
  /** Reason codes of the DISCONNECT packets that it received. */
  reasons: (number | undefined)[];
}

/** A device that connects to the next broker when it loses one, and sends again what was not acknowledged. */
async function connectDevice(index: number): Promise<Device> {
  const [machine, tracker] = [world.north.machines[index] as number, world.north.trackers[index] as number];
  const secret = `swt_${randomToken()}`;
  await db.rows(
    sql`insert into tracker_secrets (tracker_id, hash, created_at) values (${tracker}, ${sha256(secret)}, now())`,
  );
  const order = index % 2 ? [...ports].reverse() : ports;
  const client = connect({
    servers: order.map((port) => ({ host: '127.0.0.1', port, protocol: 'mqtt' as const })),
    username: secret,
    protocolVersion: index < 4 ? 4 : 5,
    reconnectPeriod: 50,
  });
  const device: Device = { machine, client, sent: 0, acknowledged: 0, reasons: [] };
  client.on('error', () => undefined).on('disconnect', ({ reasonCode }) => device.reasons.push(reasonCode));
  return device;
}

test('when both processes restart in turn, every acknowledged message counts once, and devices are told to disconnect', async () => {
  const devices = await Promise.all(Array.from({ length: 8 }, (_, index) => connectDevice(index)));
  const startTime = Date.now() - 3_600_000;
  let isDone = false;
  const sendLoops = devices.map(async (device) => {
    while (!isDone) {
      const message = { ts: startTime + device.sent * 1000, values: { status: 'cleaning', area: 3 } };
      device.sent += 1;
      await device.client.publishAsync('v1/devices/me/telemetry', JSON.stringify(message), { qos: 1 });
      device.acknowledged += 1;
      await sleep(10);
    }
  });
  const expectAllAcknowledged = async () => {
    const countsBefore = devices.map(({ acknowledged }) => acknowledged);
    const waitingDevices = () =>
      devices.filter(({ acknowledged }, index) => acknowledged < (countsBefore[index] as number) + 5).length;
    await expect.poll(waitingDevices, { interval: 20 }).toBe(0);
  };
  await expectAllAcknowledged();
  for (const index of [0, 1]) {
    await stopNth(index);
    await expectAllAcknowledged();
    await startNth(index);
    await expectAllAcknowledged();
  }
  isDone = true;
  await Promise.all(sendLoops);
  await Promise.all(devices.map(({ client }) => client.endAsync()));
  const storedRows = await db.select(
    { machine: pg.integer, observations: pg.integer, messages: pg.integer, area: pg.double },
    sql`
    select machine_id as machine, count(*)::int as observations,
      (select sum(messages)::int from machine_days d where d.machine_id = o.machine_id) as messages,
      (select sum(area_m2)::float8 from machine_days d where d.machine_id = o.machine_id) as area
    from observations o group by machine_id order by machine_id`,
  );
  console.info(`${devices.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} messages acknowledged`);
  expect(storedRows).toEqual(
    devices.map(({ machine, acknowledged: count }) => ({
      machine,
      observations: count,
      messages: count,
      area: 3 * count,
    })),
  );
  for (const { reasons } of devices.slice(0, 4)) expect(reasons).toEqual([]);
  for (const { reasons } of devices.slice(4)) {
    expect(reasons.length).toBeGreaterThanOrEqual(1);
    expect(reasons.filter((reason) => reason !== shuttingDown)).toEqual([]);
  }
});
