/** Vehicles on an external Mosquitto, distributed over the slots of several servers by shared subscriptions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartResult, startServices } from '../../server/app/startServices';
import { readEnv } from '../../server/context/env';
import { advisoryLocks } from '../../server/db/core/advisoryLocks';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { connectDevice, publish, vdaHeader, vdaState } from '../support/mqttDevice';
import { type Cluster, startCluster } from '../support/startCluster';
import { type Mosquitto, startMosquitto } from '../support/startMosquitto';
import { readDeviceId } from '../support/trackedMachine';
import { addWorld, type World } from '../support/world';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-slots-'));
let cluster: Cluster;
let broker: Mosquitto;
let vehicle: MqttClient;
let world: World;
/** Outlives the servers. */
let db: Database;
const servers: StartResult<undefined>[] = [];
let startCount = 0;

async function start(env: Record<string, string> = {}): Promise<StartResult<undefined>> {
  startCount += 1;
  const settings = readEnv({
    DATA_DIR: join(folder, String(startCount)),
    DATABASE_URL: cluster.url,
    MQTT_URL: broker.url,
    SWEEPLINE_SECRET: 'a secret that all servers share, long enough',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const server = await startServices(settings, { isIdle: true });
  servers.push(server);
  return server;
}

const stop = async (server: StartResult<undefined>) => {
  servers.splice(servers.indexOf(server), 1);
  await server.stop();
};

beforeAll(async () => {
  [cluster, broker] = await Promise.all([startCluster(), startMosquitto()]);
  const first = await start({ MQTT_URL: '', MQTT_PORT: '0' });
  db = first.services.db;
  world = await addWorld(db);
  vehicle = await connectDevice(broker.port);
});
afterAll(async () => {
  await vehicle?.endAsync(true);
  for (const server of servers.reverse()) await server.stop();
  await broker?.stop();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Number of slots that each process holds, fewest first. */
async function readHeldSlots(): Promise<number[]> {
  const claims = await db.claims(advisoryLocks.mqttSlots, advisoryLocks.mqttProcesses - 1);
  const counts = new Map<number, number>();
  for (const { pid } of claims) counts.set(pid, (counts.get(pid) ?? 0) + 1);
  return [...counts.values()].sort();
}
const readSlots = () =>
  db.rows(sql`select slot, is_wanted, subscribed_at is not null as subscribed from mqtt_slots order by 1`);
const expectedSlots = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ slot: index + 1, is_wanted: true, subscribed: true }));

/** Client ids of the persistent sessions of the broker, according to its log. */
function findPersistentSessions(): string[] {
  const openClients = new Set<string>();
  for (const [, id = '', version, clean] of broker.output().matchAll(/ as (sweepline-\w+(?:-\d+)?) \(p(\d), c(\d)/g))
    if (version && clean === '0') openClients.add(id);
  return [...openClients].sort();
}

const countStored = async (machine: number) =>
  (await db.selectOne(
    { observations: pg.integer, duplicates: pg.integer },
    sql`select (select count(*)::int from observations where machine_id = ${machine}) as observations,
        (select count(*)::int - count(distinct body)::int from raw_messages where machine_id = ${machine}) as duplicates`,
  )) as { observations: number; duplicates: number };

/** Publishes states of a machine, each at a different second. */
async function send(
  machine: number,
  { from, count, every: pause = 0 }: { from: number; count: number; every?: number },
) {
  const serial = await readDeviceId(db, machine);
  const startTime = Date.now() - 3_600_000;
  for (let index = from; index < from + count; index += 1) {
    const acknowledgement = publish(
      vehicle,
      `uagv/v2/ACME/${serial}/state`,
      vdaState({}, new Date(startTime + index * 1000)),
    );
    if (pause > 0) await Promise.all([acknowledgement, new Promise((resolve) => setTimeout(resolve, pause))]);
    else if (index % 50 === 49) await acknowledgement;
  }
}

test('one process holds all slots, two hold half each, and the remaining one all again; no message is lost or counted twice', async () => {
  const machine = world.north.machines[0] as number;
  const first = await start({ MQTT_SLOTS: '4' });
  await expect.poll(readSlots).toEqual(expectedSlots(4));
  expect(await readHeldSlots()).toEqual([4]);
  const pendingSend = send(machine, { from: 0, count: 300, every: 20 });
  const second = await start();
  await expect.poll(readHeldSlots).toEqual([2, 2]);
  const third = await start();
  await expect.poll(readHeldSlots).toEqual([1, 1, 2]);
  await stop(second);
  await stop(first);
  await expect.poll(readHeldSlots).toEqual([4]);
  await pendingSend;
  await expect.poll(() => countStored(machine)).toEqual({ observations: 300, duplicates: 0 });
  await stop(third);
});

test('without a process messages wait at the broker; fewer or more slots lose none', async () => {
  const machine = world.north.machines[1] as number;
  await send(machine, { from: 0, count: 200 });
  const pendingSend = send(machine, { from: 200, count: 300, every: 20 });
  const serverWithTwo = await start({ MQTT_SLOTS: '2' });
  await expect.poll(readSlots, { timeout: 40_000 }).toEqual(expectedSlots(2));
  const serverWithFive = await start({ MQTT_SLOTS: '5' });
  await expect.poll(readSlots, { timeout: 40_000 }).toEqual(expectedSlots(5));
  await expect.poll(readHeldSlots).toEqual([2, 3]);
  await pendingSend;
  await expect.poll(() => countStored(machine)).toMatchObject({ observations: 500, duplicates: 0 });
  await stop(serverWithTwo);
  await stop(serverWithFive);
});

test('the single subscription of the previous version is drained and ended', async () => {
  const machine = world.north.machines[2] as number;
  const clientId = findPersistentSessions()
    .find((id) => id.endsWith('-1'))
    ?.slice(0, -2) as string;
  const previousClient = await connectDevice(broker.port, { clientId, clean: false });
  await previousClient.subscribeAsync('+/+/+/+/state', { qos: 1 });
  await previousClient.endAsync();
  await send(machine, { from: 0, count: 10 });
  const server = await start();
  const countAcknowledged = () => broker.output().split(`Received PUBACK from ${clientId} `).length - 1;
  await expect.poll(countAcknowledged).toBe(10);
  // Both its copies and those of the slots are stored as raw messages, but count once.
  await expect.poll(() => countStored(machine)).toMatchObject({ observations: 10 });
  await expect.poll(readSlots, { timeout: 40_000 }).toEqual(expectedSlots(5));
  await stop(server);
  const laterDevice = await connectDevice(broker.port, { clientId, clean: false });
  const firstMessage = new Promise((resolve) => laterDevice.once('message', resolve));
  await send(machine, { from: 10, count: 1 });
  const silence = new Promise((resolve) => setTimeout(resolve, 500, 'nothing'));
  await expect(Promise.race([firstMessage, silence])).resolves.toBe('nothing');
  await laterDevice.endAsync(true);
});

test('messages that slots receive out of order give the same history as one subscription in order', async () => {
  const [sharedMachine, singleMachine] = world.south.machines.slice(0, 2) as [number, number];
  const serials = await Promise.all([sharedMachine, singleMachine].map((machine) => readDeviceId(db, machine)));
  const startTime = Date.now() - 7_200_000;
  const states = Array.from({ length: 120 }, (_, index) => {
    const isDriving = index % 40 < 25;
    const order = { orderId: 'o1', nodeStates: [{ nodeId: 'n1', sequenceId: 2, released: true }] };
    const battery = { batteryState: { batteryCharge: 90 - Math.floor(index / 3), charging: index % 40 > 30 } };
    return vdaState({ ...battery, driving: isDriving, ...(isDriving && order) }, new Date(startTime + index * 20_000));
  });
  const servers = await Promise.all([start(), start()]);
  await expect.poll(readHeldSlots).toEqual([2, 3]);
  const topicOf = (serial: string | undefined) => `uagv/v2/ACME/${serial}/state`;
  await Promise.all(states.map((state) => publish(vehicle, topicOf(serials[0]), state)));
  await expect.poll(async () => (await countStored(sharedMachine)).observations).toBe(states.length);
  for (const server of servers) await stop(server);
  const controlServer = await start({ MQTT_SLOTS: '1' });
  await expect.poll(readSlots, { timeout: 40_000 }).toEqual(expectedSlots(1));
  for (const state of states) await publish(vehicle, topicOf(serials[1]), state);
  await expect.poll(async () => (await countStored(singleMachine)).observations).toBe(states.length);
  const readHistory = (machine: number) =>
    Promise.all([
      db.rows(sql`select state, mode, from_at, to_at from segments where machine_id = ${machine} order by from_at`),
      db.rows(sql`select status, battery, last_seen from machines_state where id = ${machine}`),
    ]);
  const [timeline] = await readHistory(sharedMachine);
  expect(timeline?.length).toBeGreaterThan(5);
  expect(await readHistory(sharedMachine)).toEqual(await readHistory(singleMachine));
  await stop(controlServer);
});

test('a late factsheet does not replace a newer one, and a retained one is read', async () => {
  const tracker = world.north.trackers[4] as number;
  const serial = await readDeviceId(db, world.north.machines[4] as number);
  const buildFactsheet = (version: string) => ({
    ...vdaHeader(),
    version,
    typeSpecification: {},
    physicalParameters: {},
  });
  const topic = `uagv/v2/ACME/${serial}/factsheet`;
  await publish(vehicle, topic, buildFactsheet('1.0.0'), { retain: true });
  await start({ MQTT_SLOTS: '4' });
  const readVersion = async () =>
    (
      await db.selectOne(
        { version: pg.text.nullable },
        sql`select factsheet_version as version from tracker_factsheets where tracker_id = ${tracker}`,
      )
    )?.version;
  await expect.poll(readVersion).toBe('1.0.0');
  for (let index = 1; index <= 40; index += 1)
    void publish(vehicle, topic, buildFactsheet(`2.0.${index}`), { retain: true });
  await expect.poll(readVersion).toBe('2.0.40');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await readVersion()).toBe('2.0.40');
});
