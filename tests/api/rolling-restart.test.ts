/** Processes behind a proxy end one after the other and start again: nobody who calls them notices. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents } from '../../src/providers/readEvents';
import { type Cluster, freePort, startCluster } from '../support/cluster';
import { type Server, startServer } from '../support/server';
import { type ReverseProxy, startProxy } from '../support/startProxy';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-rolling-'));
const email = 'admin@rolling.example';
const password = 'Rolling!Pass1';
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let cluster: Cluster;
let proxy: ReverseProxy;
let ports: number[];
let servers: Server[];
let token: string;

const start = (nth: number) =>
  startServer({
    fromSources: true,
    port: ports[nth],
    dataDir: join(folder, String(nth)),
    env: {
      DATABASE_URL: cluster.url,
      RATE_LIMIT: 'off',
      SHUTDOWN_DELAY: '1',
      SWEEPLINE_SECRET: 'a secret that both processes share, long enough',
      SWEEPLINE_ADMIN_EMAIL: email,
      SWEEPLINE_ADMIN_PASSWORD: password,
    },
  });

beforeAll(async () => {
  cluster = await startCluster();
  ports = [await freePort(), await freePort()];
  // The first one creates the tables.
  servers = [await start(0)];
  servers.push(await start(1));
  proxy = await startProxy(servers.map(({ url }) => url));
  const response = await fetch(`${proxy.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  token = ((await response.json()) as { token: string }).token;
});
afterAll(async () => {
  await proxy?.close();
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const authorized = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });

/** Reads events through the proxy until aborted, as pages do: returns to where it was when a stream ends. */
async function follow(signal: AbortSignal, failures: string[]): Promise<Set<string>> {
  const topics = new Set<string>();
  let [lastId, retry] = ['', 1000];
  while (!signal.aborted) {
    try {
      const headers = { ...authorized(), ...(lastId && { 'Last-Event-ID': lastId }) };
      const response = await fetch(`${proxy.url}/api/v1/events`, { headers, signal });
      if (!response.ok) failures.push(`events: ${response.status}`);
      for await (const event of readEvents(response.body)) {
        if (event.id) lastId = event.id;
        retry = event.retry ?? retry;
        if (event.event === 'reset') failures.push('events: reset');
        if (event.data) topics.add((JSON.parse(event.data) as { topic: string }).topic);
      }
    } catch (error) {
      if (!signal.aborted) failures.push(`events: ${error}`);
    }
    await wait(retry);
  }
  return topics;
}

test('both are restarted under load: no call fails, no event is missed', { timeout: 120_000 }, async () => {
  const ending = new AbortController();
  const failures: string[] = [];
  const created = new Set<string>();
  let calls = 0;
  const followers = [1, 2, 3, 4, 5].map(() => follow(ending.signal, failures));
  await wait(500);
  let isDone = false;
  const work = async (worker: number) => {
    for (let nth = 0; !isDone; nth += 1) {
      const isWrite = nth % 5 === 0;
      const response = await fetch(`${proxy.url}/api/v1/countries${isWrite ? '' : '?per_page=5'}`, {
        method: isWrite ? 'POST' : 'GET',
        headers: authorized(),
        ...(isWrite && { body: JSON.stringify({ name: `Country ${worker} ${nth}` }) }),
      }).catch((error: unknown) => error as Error);
      calls += 1;
      if (response instanceof Error) failures.push(String(response));
      else if (response.status !== (isWrite ? 201 : 200)) failures.push(`${response.status} ${await response.text()}`);
      else if (isWrite)
        created.add(`resource/countries/${((await response.json()) as { data: { id: number } }).data.id}`);
      else await response.arrayBuffer();
      await wait(20);
    }
  };
  const workers = [1, 2, 3, 4].map(work);
  for (const nth of [0, 1]) {
    const began = performance.now();
    expect(await (servers[nth] as Server).stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(11_000);
    servers[nth] = await start(nth);
    await expect.poll(() => proxy.ready().length).toBe(2);
  }
  isDone = true;
  await Promise.all(workers);
  // Readers return within 1.5 s.
  await wait(3000);
  ending.abort();
  const seen = await Promise.all(followers);
  console.info(`${calls} calls, ${created.size} created, ${failures.length} failed`);
  expect(failures).toEqual([]);
  expect(created.size).toBeGreaterThan(10);
  for (const topics of seen) expect([...created].filter((topic) => !topics.has(topic))).toEqual([]);
});

test('after SIGTERM a process is not ready, answers for SHUTDOWN_DELAY and sends its listeners away', async () => {
  const { url } = servers[0] as Server;
  const stream = await fetch(`${url}/api/v1/events`, { headers: authorized() });
  const retries: number[] = [];
  const reading = (async () => {
    for await (const { retry } of readEvents(stream.body)) if (retry !== undefined) retries.push(retry);
  })();
  const stopping = (servers[0] as Server).stop();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { interval: 20 }).toBe(503);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ending' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const answer = await fetch(`${url}/api/v1/countries`, { headers: authorized() });
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(retries).toEqual([1000]);
  await reading;
  expect(retries).toHaveLength(2);
  expect(retries[1]).toBeGreaterThanOrEqual(100);
  expect(retries[1]).toBeLessThanOrEqual(1500);
  expect(await stopping).toBe(0);
  servers[0] = await start(0);
});
