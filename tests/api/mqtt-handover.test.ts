/**
 * Devices on the embedded brokers of two processes: when either restarts, they change to the other one and lose
 * nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartResult, startServices } from '../../server/app/startServices';
import { readEnv } from '../../server/context/env';
import type { Database } from '../../server/db/core/database';
import { connectSender, expectStoredOnce, type MqttSender, startSending } from '../support/mqttSenders';
import { type Cluster, freePort, startCluster } from '../support/startCluster';
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
const startServer = async (index: number) => {
  servers[index] = await start(index, ports[index] as number);
};
const stopServer = async (index: number) => {
  await servers[index]?.stop();
  servers[index] = undefined;
};

beforeAll(async () => {
  cluster = await startCluster();
  ports = [await freePort(), await freePort()];
  standby = await start(2, 0);
  db = standby.services.db;
  world = await addWorld(db);
  await Promise.all([startServer(0), startServer(1)]);
});
afterAll(async () => {
  await Promise.all([stopServer(0), stopServer(1)]);
  await standby?.stop();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A device that knows the addresses of both brokers. */
async function connectDevice(index: number): Promise<MqttSender> {
  const brokerPorts = index % 2 ? [...ports].reverse() : ports;
  return connectSender(
    db,
    { machine: world.north.machines[index] as number, tracker: world.north.trackers[index] as number },
    {
      servers: brokerPorts.map((port) => ({ host: '127.0.0.1', port, protocol: 'mqtt' as const })),
      protocolVersion: index < 4 ? 4 : 5,
    },
  );
}

test('when both processes restart in turn, every acknowledged message counts once, and MQTT 5 devices get the reason of their disconnection', async () => {
  const devices = await Promise.all(Array.from({ length: 8 }, (_, index) => connectDevice(index)));
  const sending = startSending(devices);
  await sending.expectProgress();
  for (const index of [0, 1]) {
    await stopServer(index);
    await sending.expectProgress();
    await startServer(index);
    await sending.expectProgress();
  }
  await sending.stop();
  console.info(`${devices.reduce((sum, { acknowledged }) => sum + acknowledged, 0)} messages acknowledged`);
  await expectStoredOnce(db, devices);
  for (const { reasons } of devices.slice(0, 4)) expect(reasons).toEqual([]);
  for (const { reasons } of devices.slice(4)) {
    expect(reasons.length).toBeGreaterThanOrEqual(1);
    expect(reasons.filter((reason) => reason !== shuttingDown)).toEqual([]);
  }
});
