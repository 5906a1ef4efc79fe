/** `GET /events`: live events within scope, resumable after an interruption. */
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { readEvents } from '../../src/providers/readEvents';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { readDeviceId } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let url: string;
const streamControllers: AbortController[] = [];

interface ReceivedEvent {
  id: number;
  topic: string;
  type: string;
  payload?: Record<string, unknown>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const controller of streamControllers.splice(0)) controller.abort();
});
afterAll(() => app.close());

/** Starts to listen and collects events. */
async function listen(headers: Record<string, string>, search = '') {
  const controller = new AbortController();
  streamControllers.push(controller);
  const response = await fetch(`${url}/api/v1/events${search}`, { headers, signal: controller.signal });
  const events: ReceivedEvent[] = [];
  let hasEnded = false;
  if (response.ok) {
    void (async () => {
      for await (const { id, data } of readEvents(response.body))
        if (data) events.push({ id: Number(id), ...JSON.parse(data) });
    })()
      .catch(() => undefined)
      .finally(() => {
        hasEnded = true;
      });
  }
  return { status: response.status, headers: response.headers, events, isEnded: () => hasEnded };
}

const createHeaders = async (user: number, extraHeaders: Record<string, string> = {}) => ({
  Authorization: `Bearer ${await app.createSessionToken(user)}`,
  ...extraHeaders,
});

async function waitUntil(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('The condition was never met.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function report(machine: number, fields: string): Promise<void> {
  const device = await readDeviceId(app.db, machine);
  const response = await app.call(undefined, 'GET', `/ingest/osmand?id=${device}&${fields}`);
  expect(response.status).toBe(200);
}

test('a page that subscribes to the number of open alerts receives it within scope, initially and on every change', async () => {
  const { north, south } = world;
  const events: { event: string; data: string }[] = [];
  const controller = new AbortController();
  streamControllers.push(controller);
  const response = await fetch(`${url}/api/v1/events?count=alerts`, {
    headers: await createHeaders(north.users.customer_admin),
    signal: controller.signal,
  });
  void (async () => {
    for await (const event of readEvents(response.body)) events.push({ event: event.event ?? '', data: event.data });
  })().catch(() => undefined);
  const counts = () => events.filter(({ event }) => event === 'alerts').map(({ data }) => JSON.parse(data).open);
  await waitUntil(() => counts().length === 1);
  const [initialCount] = counts();
  const openAlert = async (tenant: typeof north) => {
    const id = tenant.alerts[0] as number;
    await app.db.rows(sql`update alerts set state = 'open' where id = ${id}`);
    await app.services.live.publish([{ entity: 'alerts', id, type: 'updated', payload: { state: 'open' } }]);
  };
  await openAlert(south);
  await openAlert(north);
  await waitUntil(() => counts().length === 2);
  expect(counts()).toEqual([initialCount, initialCount + 1]);
});

describe('a listener', () => {
  test('gets 404 at once for a HEAD request', async () => {
    const { status } = await fetch(`${url}/api/v1/events`, {
      method: 'HEAD',
      headers: await createHeaders(world.admin),
      signal: AbortSignal.timeout(5000),
    });
    expect(status).toBe(404);
  });

  test('receives changes by users, in the shape of the contract and with one caching header', async () => {
    const admin = await listen(await createHeaders(world.admin));
    expect((await app.call(world.admin, 'PUT', `types/${world.type}`, { tracking: false })).status).toBe(200);
    const topic = `resource/types/${world.type}`;
    await waitUntil(() => admin.events.some((event) => event.topic === topic));
    expect(admin.events.find((event) => event.topic === topic)).toEqual({
      id: expect.any(Number),
      topic,
      type: 'updated',
      payload: {},
    });
    expect(admin.headers.get('cache-control')).toBe('no-store, no-transform');
  });

  test('receives messages of trackers within a second, and only for machines within scope', async () => {
    const operator = await listen(await createHeaders(world.north.users.operator));
    const admin = await listen(await createHeaders(world.admin));
    const [ownMachine, foreignMachine] = [world.north.machines[0] as number, world.south.machines[0] as number];
    await report(foreignMachine, 'status=cleaning&lat=1&lon=2');
    await report(ownMachine, 'status=cleaning&lat=3&lon=4&batt=70');
    await waitUntil(() => operator.events.length > 0 && admin.events.length > 1);
    expect(admin.events.map(({ topic }) => topic)).toEqual([
      `resource/machines/${foreignMachine}`,
      `resource/machines/${ownMachine}`,
    ]);
    expect(operator.events).toHaveLength(1);
    expect(operator.events[0]).toMatchObject({
      topic: `resource/machines/${ownMachine}`,
      type: 'updated',
      payload: { status: 'Cleaning', battery: 70, latitude: 3, longitude: 4 },
    });
    expect(operator.events[0]?.payload?.status_reason).toMatch(/^reported cleaning at \d\d:\d\d$/);
    // The test machine may be busy at times, but not during all attempts.
    const delays: number[] = [];
    for (const battery of [69, 68, 67]) {
      const start = performance.now();
      await report(ownMachine, `status=cleaning&lat=3&lon=4&batt=${battery}`);
      await waitUntil(() => operator.events.some(({ payload }) => payload?.battery === battery));
      delays.push(performance.now() - start);
    }
    expect(Math.min(...delays)).toBeLessThan(1000);
  });

  test('receives only changed fields, and none that the user may not read', async () => {
    const machine = world.north.machines[1] as number;
    const operator = await listen(await createHeaders(world.north.users.operator));
    await report(machine, `status=parked&batt=50&timestamp=${Date.now() - 5000}`);
    await waitUntil(() => operator.events.length > 0);
    await report(machine, 'status=parked&batt=49');
    await waitUntil(() => operator.events.length > 1);
    await app.services.live.publish([
      { entity: 'machines', id: machine, type: 'updated', payload: { price: '5.00', note: 'x' } },
    ]);
    await waitUntil(() => operator.events.length > 2);
    expect(Object.keys(operator.events[1]?.payload ?? {}).sort()).toEqual(['battery', 'last_seen']);
    expect(operator.events[2]?.payload).toEqual({ note: 'x' });
  });

  test('continues after the last received event', async () => {
    const headers = await createHeaders(world.admin);
    const firstStream = await listen(headers);
    const machine = world.north.machines[2] as number;
    await report(machine, 'status=parked');
    await waitUntil(() => firstStream.events.length > 0);
    for (const controller of streamControllers.splice(0)) controller.abort();
    await report(machine, 'status=charging');
    const secondStream = await listen({ ...headers, 'Last-Event-ID': String(firstStream.events.at(-1)?.id) });
    await waitUntil(() => secondStream.events.length > 0);
    expect(secondStream.events[0]?.payload).toMatchObject({ status: 'Charging' });
  });

  test('may authenticate with a ticket, once', async () => {
    const { body } = await app.call<{ data: { ticket: string } }>(world.admin, 'POST', 'events/ticket');
    expect((await listen({}, `?ticket=${body.data.ticket}`)).status).toBe(200);
    expect((await listen({}, `?ticket=${body.data.ticket}`)).status).toBe(401);
    expect((await listen({})).status).toBe(401);
  });

  test('is disconnected when the session ends', async () => {
    const token = await app.createSessionToken(world.admin);
    const listener = await listen({ Authorization: `Bearer ${token}` });
    await app.call(token, 'POST', 'users/logout');
    await report(world.north.machines[3] as number, 'status=parked');
    await waitUntil(listener.isEnded);
    expect(listener.events).toEqual([]);
  });
});

test('a change of permissions is published at once, and only to open pages of the affected users', async () => {
  const role = await add(app.db, 'roles', { scope: 'client' });
  const member = await add(app.db, 'users', {
    language_id: world.language,
    client_id: world.north.client,
    role_ids: [role],
  });
  const notifiedUsers: number[] = [];
  const listenAs = async (user: number) => {
    const controller = new AbortController();
    streamControllers.push(controller);
    const response = await fetch(`${url}/api/v1/events`, {
      headers: await createHeaders(user),
      signal: controller.signal,
    });
    void (async () => {
      for await (const { event } of readEvents(response.body)) if (event === 'rights') notifiedUsers.push(user);
    })().catch(() => undefined);
  };
  await listenAs(member);
  await listenAs(world.users.operator);
  const permission = await app.db.selectOne(
    { id: pg.integer },
    sql`select id from permissions where code_name = 'machines.list'`,
  );
  expect((await app.call(world.admin, 'PATCH', `roles/${role}`, { permission_ids: [permission?.id] })).status).toBe(
    200,
  );
  await waitUntil(() => notifiedUsers.length > 0);
  expect(notifiedUsers).toEqual([member]);
});
