/**
 * Processes behind a proxy stop one after the other and start again, without any client noticing: neither users nor
 * devices. `SWEEPLINE_TEST_WHOLE=yes` does so under 500 messages per second and 50 users, and behind HAProxy, too.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { readEvents } from '../../src/providers/readEvents';
import { connectSender, expectStoredOnce, startSending } from '../support/mqttSenders';
import { runDeviceLoad } from '../support/runDeviceLoad';
import { type Cluster, freePort, startCluster } from '../support/startCluster';
import { type Haproxy, startHaproxy } from '../support/startHaproxy';
import { type ReverseProxy, startProxy } from '../support/startProxy';
import { startProxyLoad } from '../support/startProxyLoad';
import { type Server, startServer } from '../support/startServer';
import { addFleet, addTrackedMachine, readDeviceId } from '../support/trackedMachine';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-rolling-'));
const email = 'admin@rolling.example';
const password = 'Rolling!Pass1';
let cluster: Cluster;
let proxy: ReverseProxy;
let haproxy: Haproxy;
let ports: number[];
let mqttPorts: number[];
let servers: Server[];
let token: string;
let db: Database;
let fleet: number;
let devices: string[];

const isExhaustive = process.env.SWEEPLINE_TEST_WHOLE === 'yes';
/** Messages per second, and users; each calls `1000 / callInterval` times a second at most. */
const { rate, ...users } = isExhaustive
  ? { rate: 500, callers: 50, followers: 50, callInterval: 1000 }
  : { rate: 50, callers: 4, followers: 5, callInterval: 50 };

const startProcess = (index: number, delay = 1) =>
  startServer({
    fromSources: true,
    port: ports[index],
    dataDir: join(folder, String(index)),
    env: {
      DATABASE_URL: cluster.url,
      RATE_LIMIT: 'off',
      SHUTDOWN_DELAY: String(delay),
      MQTT_PORT: String(mqttPorts[index]),
      SWEEPLINE_SECRET: 'a secret that both processes share, long enough',
      SWEEPLINE_ADMIN_EMAIL: email,
      SWEEPLINE_ADMIN_PASSWORD: password,
    },
  });

beforeAll(async () => {
  cluster = await startCluster();
  ports = [await freePort(), await freePort()];
  mqttPorts = [await freePort(), await freePort()];
  // The first process creates the tables.
  servers = [await startProcess(0)];
  servers.push(await startProcess(1));
  const urls = servers.map(({ url }) => url);
  proxy = await startProxy(urls);
  haproxy = await startHaproxy(urls, mqttPorts);
  const response = await fetch(`${proxy.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  token = ((await response.json()) as { token: string }).token;
  db = await openDatabase({ databaseUrl: cluster.url, dataDir: folder, log: pino({ level: 'warn' }) });
  fleet = await addFleet(db);
  devices = [];
  for (let index = 0; index < 50; index += 1) {
    const { machineId } = await addTrackedMachine(db, fleet);
    devices.push(await readDeviceId(db, machineId));
  }
});
afterAll(async () => {
  await db?.close();
  await proxy?.close();
  await haproxy?.close();
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Number of raw messages in the database. */
const countStoredMessages = async () =>
  (await db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from raw_messages`))?.n ?? 0;

const createHeaders = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });

/** The simple proxy is the stricter one, because it never repeats a call. */
const simpleProxy = { name: 'a simple proxy', delay: 1, getProxy: () => proxy };
// HAProxy checks its servers once per second.
const withHaproxy = { name: 'HAProxy with our configuration', delay: 3, getProxy: () => haproxy };

test.each(
  isExhaustive ? [simpleProxy, withHaproxy] : [simpleProxy],
)('behind $name both processes restart under load: no call fails and no event is missed', async ({
  name,
  delay,
  getProxy,
}) => {
  // The processes of the set-up wait for one second.
  if (delay !== 1)
    for (const index of [0, 1]) {
      await (servers[index] as Server).stop();
      servers[index] = await startProcess(index, delay);
    }
  await expect.poll(() => getProxy().readyServers().length).toBe(2);
  const countBefore = await countStoredMessages();
  const controller = new AbortController();
  const messages = runDeviceLoad({ url: getProxy().url, devices, rate, signal: controller.signal });
  const load = startProxyLoad(getProxy().url, token, users);
  for (const index of [0, 1]) {
    const startTime = performance.now();
    expect(await (servers[index] as Server).stop()).toBe(0);
    expect(performance.now() - startTime).toBeLessThan(10_000 + delay * 1000);
    servers[index] = await startProcess(index, delay);
    await expect.poll(() => getProxy().readyServers().length).toBe(2);
  }
  const { calls, created, failures, seen } = await load.stop();
  controller.abort();
  const messageResult = await messages;
  console.info(`${name}: ${calls} calls, ${created.size} created, ${failures.length} failed; messages:`, messageResult);
  expect(failures).toEqual([]);
  expect(messageResult).toMatchObject({ acknowledged: messageResult.offered, failures: {} });
  expect((await countStoredMessages()) - countBefore).toBe(messageResult.offered);
  expect(created.size).toBeGreaterThan(10);
  expect(seen).toHaveLength(users.followers);
  for (const topics of seen) expect([...created].filter((topic) => !topics.has(topic))).toEqual([]);
});

/** Statuses of 100 consecutive calls. */
async function callRepeatedly(): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < 100; index += 1)
    statuses.push((await fetch(`${haproxy.url}/api/v1/countries`, { headers: createHeaders() })).status);
  return statuses;
}

test('behind HAProxy, devices change brokers when theirs restarts or is killed, every message counts once, and no call fails after the kill', async () => {
  const senders = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const { machineId: machine, trackerId: tracker } = await addTrackedMachine(db, fleet);
      const { mqttPort: port } = haproxy;
      return connectSender(db, { machine, tracker }, { host: '127.0.0.1', port, protocolVersion: index < 4 ? 4 : 5 });
    }),
  );
  const sending = startSending(senders);
  await sending.expectProgress();
  for (const index of [0, 1]) {
    const server = servers[index] as Server;
    if (index === 0) await server.stop();
    else {
      await server.kill();
      expect(new Set(await callRepeatedly())).toEqual(new Set([200]));
      await expect.poll(() => haproxy.readyServers()).toEqual([servers[0]?.url]);
    }
    await sending.expectProgress();
    servers[index] = await startProcess(index);
    await expect.poll(() => haproxy.readyServers().length).toBe(2);
    await sending.expectProgress();
  }
  await sending.stop();
  await expectStoredOnce(db, senders);
});

test('after SIGTERM a process is not ready, responds for SHUTDOWN_DELAY and disconnects its listeners', async () => {
  const { url } = servers[0] as Server;
  const stream = await fetch(`${url}/api/v1/events`, { headers: createHeaders() });
  const retries: number[] = [];
  const pendingReads = (async () => {
    for await (const { retry } of readEvents(stream.body)) if (retry !== undefined) retries.push(retry);
  })();
  const pendingStop = (servers[0] as Server).stop();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 20 }).toBe(503);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ending' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const response = await fetch(`${url}/api/v1/countries`, { headers: createHeaders() });
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  expect(retries).toEqual([1000]);
  await pendingReads;
  expect(retries).toHaveLength(2);
  expect(retries[1]).toBeGreaterThanOrEqual(100);
  expect(retries[1]).toBeLessThanOrEqual(1500);
  expect(await pendingStop).toBe(0);
});
