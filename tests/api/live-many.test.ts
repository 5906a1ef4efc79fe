/**
 * `GET /events` with many listeners: each receives exactly its own events, in order and across interruptions. The cost
 * does not grow with the number of listeners.
 */
import { get, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { registry } from '../../schema/index';
import { loadCaller } from '../../server/auth/loadCaller';
import { sha256, tokenKey } from '../../server/auth/secrets';
import type { Caller } from '../../server/context/caller';
import type { LiveEvent } from '../../server/context/eventBus';
import { pg } from '../../server/db/core/rowShape';
import { openHub } from '../../server/realtime/eventHub';
import { EventStream } from '../../server/realtime/eventStream';
import { readEvents } from '../../src/providers/readEvents';
import { hasPermission } from '../support/rolePermissions';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { idsInScope, type ScopedEntity, type World } from '../support/world';

const metricsToken = 'the token that a scraper of these tests sends';
let app: TestApp;
let world: World;
let url: string;
const streamControllers: AbortController[] = [];

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { METRICS_TOKEN: metricsToken } }));
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const controller of streamControllers.splice(0)) controller.abort();
  await expect.poll(countOpenStreams).toBe(0);
});
afterAll(() => app.close());

/** Open streams of the server, from its metrics. */
async function countOpenStreams(): Promise<number> {
  return Number(
    /^event_streams (\d+)$/m.exec(
      await (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })).text(),
    )?.[1],
  );
}

interface ReceivedEvent {
  id: number;
  event: string;
  data: string;
}

/** Starts to listen and collects events, without those that only report a position. */
async function listen(user: number | string, lastEventId?: number) {
  const token = typeof user === 'string' ? user : await app.createSessionToken(user);
  const controller = new AbortController();
  streamControllers.push(controller);
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(lastEventId !== undefined && { 'Last-Event-ID': String(lastEventId) }),
  };
  const response = await fetch(`${url}/api/v1/events`, { headers, signal: controller.signal });
  expect(response.status).toBe(200);
  const events: ReceivedEvent[] = [];
  const streamEnd = (async () => {
    for await (const { id, event, data } of readEvents(response.body))
      if (data) events.push({ id: Number(id), event, data });
  })().catch(() => undefined);
  return { events, ended: streamEnd, stop: () => controller.abort() };
}

const topicsOf = (events: readonly ReceivedEvent[]) =>
  events.map(({ data }) => (JSON.parse(data) as { topic: string }).topic);
const publish = (events: readonly LiveEvent[]) => app.services.live.publish(events);
/** An event of a new row. Such events are never merged, so each is received individually. */
const createdEvent = (id: number, payload?: Record<string, unknown>): LiveEvent => ({
  entity: 'types',
  id,
  type: 'created',
  ...(payload && { payload }),
});
const readLastId = async () =>
  (await app.db.selectOne({ id: pg.integer }, sql`select coalesce(max(id), 0) as id from events`))?.id ?? 0;

test('listeners with thirteen scopes receive events of exactly their own rows, in order', async () => {
  const mirroredWorld: World = {
    ...world,
    north: world.south,
    south: world.north,
    users: { ...world.users, ...world.south.users },
  };
  const listenersOf = (tenantWorld: World) =>
    roleNames
      .filter((role): role is Exclude<RoleName, 'admin'> => role !== 'admin')
      .map((role) => ({ role, tenantWorld }));
  // A further listener with two roles, whose scopes are combined.
  const twoRoleUser = await add(app.db, 'users', {
    language_id: world.language,
    client_id: world.north.client,
    role_ids: [world.roles.operator, world.roles.country_manager],
    country_ids: [world.south.country],
    machine_ids: [world.north.machines[7] as number],
  });
  const entityNames: readonly ScopedEntity[] = [
    'clients',
    'fleets',
    'locations',
    'machines',
    'trackers',
    'documents',
    'service_entries',
    'alerts',
    'users',
  ];
  const rows = entityNames.flatMap((name) => {
    const ids = [world, mirroredWorld].flatMap((tenantWorld) => [
      ...idsInScope('country_manager', tenantWorld)[name],
      ...idsInScope('partner', tenantWorld)[name],
    ]);
    return [...new Set(ids)].map((id) => ({ entity: name, id }));
  });
  const listeners = await Promise.all(
    [...listenersOf(world), ...listenersOf(mirroredWorld)].map(async ({ role, tenantWorld }) => {
      const reachedIds = idsInScope(role, tenantWorld);
      const expected = rows.filter(
        ({ entity, id }) => hasPermission(role, registry[entity], 'list') && reachedIds[entity].includes(id),
      );
      return { role, expected, ...(await listen(tenantWorld.users[role])) };
    }),
  );
  const admin = await listen(world.admin);
  const twoRoleListener = await listen(twoRoleUser);
  await publish(rows.map((row): LiveEvent => ({ ...row, type: 'updated', payload: {} })));
  const topicsFor = (events: readonly { entity: string; id: number }[]) =>
    events.map(({ entity, id }) => `resource/${entity}/${id}`);
  await expect.poll(() => admin.events.length).toBe(rows.length);
  for (const { role, expected, events } of listeners) {
    await expect.poll(() => events.length, { message: role }).toBe(expected.length);
    expect(topicsOf(events), role).toEqual(topicsFor(expected));
    expect(events.map(({ id }) => id)).toEqual([...events.map(({ id }) => id)].sort((a, b) => a - b));
  }
  const machines = [...world.south.machines, world.north.machines[7] as number];
  expect(topicsOf(twoRoleListener.events).filter((topic) => topic.startsWith('resource/machines/'))).toEqual(
    topicsFor(rows.filter(({ entity, id }) => entity === 'machines' && machines.includes(id))),
  );
});

describe('the cost of listeners', () => {
  /** Number of statements that one round of events takes for all listeners. */
  async function countStatementsOfRound(
    ids: readonly number[],
    streams: { events: ReceivedEvent[] }[],
  ): Promise<number> {
    const countsBefore = streams.map(({ events }) => events.length);
    const selects = vi.spyOn(app.db, 'select');
    await publish(ids.map((id): LiveEvent => ({ entity: 'machines', id, type: 'updated', payload: { battery: 50 } })));
    for (const [index, { events }] of streams.entries())
      await expect.poll(() => events.length).toBeGreaterThan(countsBefore[index] as number);
    const count = selects.mock.calls.length;
    selects.mockRestore();
    return count;
  }

  test('in statements per round depends neither on the number of streams nor on that of scopes', async () => {
    const { north } = world;
    const machine = north.machines[0] as number;
    const listeners = [await listen(north.users.operator)];
    // The first round loads callers that are not yet cached.
    await countStatementsOfRound([machine], listeners);
    const countAlone = await countStatementsOfRound([machine], listeners);
    for (let count = 0; count < 19; count += 1) listeners.push(await listen(north.users.operator));
    await countStatementsOfRound([machine], listeners);
    expect(await countStatementsOfRound([machine], listeners)).toBe(countAlone);
    for (const user of [
      north.users.country_manager,
      north.users.partner,
      north.users.customer_admin,
      north.users.site_manager,
      world.admin,
    ])
      listeners.push(await listen(user));
    await countStatementsOfRound([machine], listeners);
    expect(await countStatementsOfRound([machine], listeners)).toBe(countAlone);
  });

  test('ends when they disconnect: of a hundred closed streams none remains', async () => {
    const listeners = await Promise.all(
      Array.from({ length: 100 }, (_, index) => listen(Object.values(world.users)[index % 6] as number)),
    );
    expect(await countOpenStreams()).toBe(100);
    await publish([
      { entity: 'machines', id: world.north.machines[0] as number, type: 'updated', payload: { battery: 40 } },
    ]);
    for (const { events } of listeners) await expect.poll(() => events.length).toBe(1);
    for (const { stop } of listeners) stop();
    await expect.poll(countOpenStreams).toBe(0);
    const countConnections = () =>
      new Promise<number>((resolve) => app.app.server.getConnections((_error, count) => resolve(count)));
    // The connection that reads the count may stay open.
    await expect.poll(countConnections).toBeLessThanOrEqual(2);
  });

  test('leaves no garbage: once a stream has left, the hub references neither it nor its scope', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const hub = openHub(app.services);
    const listenAs = async (user: number) => {
      const token = await app.createSessionToken(user);
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      const caller = (await loadCaller(app.db, sha256(token))) as Caller;
      const stream = new EventStream({
        response,
        caller,
        token: tokenKey(sha256(token)),
        timeZone: undefined,
        countsAlerts: true,
      });
      await hub.join(stream);
      return stream;
    };
    const endedStreams: WeakRef<EventStream>[] = [];
    const openAndLeave = async () => {
      const streams = await Promise.all(Object.values(world.users).map(listenAs));
      await publish([
        { entity: 'machines', id: world.north.machines[0] as number, type: 'updated', payload: { battery: 41 } },
      ]);
      const lastEventId = await readLastId();
      // Does not use `expect.poll`, which would reference the streams until the end of the test.
      while (!streams.every(({ position }) => position >= lastEventId))
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const stream of streams) {
        hub.leave(stream);
        endedStreams.push(new WeakRef(stream));
      }
    };
    await openAndLeave();
    expect(hub.size).toBe(0);
    await expect
      .poll(() => {
        collectGarbage();
        return endedStreams.filter((stream) => stream.deref() !== undefined).length;
      })
      .toBe(0);
    hub.close();
  });
});

describe('an interrupted listener', () => {
  test('misses no event and receives none twice, however often it reconnects', async () => {
    const idBefore = await readLastId();
    const token = await app.createSessionToken(world.admin);
    const ids: number[] = [];
    let hasEnded = false;
    const pendingWrites = (async () => {
      for (let count = 1; count <= 80; count += 1) {
        await publish([createdEvent(count)]);
        await publish([createdEvent(count), createdEvent(count + 1000)]);
      }
    })().finally(() => {
      hasEnded = true;
    });
    const countMissing = async () => {
      const rows = await app.db.select(
        { id: pg.integer },
        sql`select id from events where id > ${idBefore} order by id`,
      );
      return rows.length - ids.length;
    };
    while (!hasEnded || (await countMissing()) > 0) {
      const { events, ended, stop } = await listen(token, ids.at(-1) ?? idBefore);
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 400));
      stop();
      await ended;
      ids.push(...events.map(({ id }) => id));
    }
    await pendingWrites;
    const rows = await app.db.select({ id: pg.integer }, sql`select id from events where id > ${idBefore} order by id`);
    expect(rows).toHaveLength(240);
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  test('that reads too slowly is disconnected, and receives the rest when it reconnects', async () => {
    const token = await app.createSessionToken(world.admin);
    const idBefore = await readLastId();
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${url}/api/v1/events`, { headers: { Authorization: `Bearer ${token}` } }, resolve),
    );
    expect(response.statusCode).toBe(200);
    await expect.poll(countOpenStreams).toBe(1);
    // More than operating systems buffer for a connection.
    const name = 'x'.repeat(40_000);
    let count = 0;
    while ((await countOpenStreams()) > 0) {
      expect(count).toBeLessThan(1000);
      await publish(Array.from({ length: 20 }, (_, index) => createdEvent(count + index + 1, { name })));
      count += 20;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const chunks: Buffer[] = [];
    await new Promise<void>((resolve) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('close', () => resolve());
      response.on('error', () => undefined);
    });
    const stream = new Response(Buffer.concat(chunks)).body;
    const ids: number[] = [];
    for await (const { id, data } of readEvents(stream)) if (data) ids.push(Number(id));
    expect(ids.length).toBeLessThan(count);
    const resumedStream = await listen(token, ids.at(-1) ?? idBefore);
    await expect.poll(() => ids.length + resumedStream.events.length).toBe(count);
    const rows = await app.db.select({ id: pg.integer }, sql`select id from events where id > ${idBefore} order by id`);
    expect([...ids, ...resumedStream.events.map(({ id }) => id)]).toEqual(rows.map(({ id }) => id));
  });

  test('that reconnects too late, or with an id of another database, must reload everything and then continues', async () => {
    const token = await app.createSessionToken(world.admin);
    const lastEventId = await readLastId();
    await publish([createdEvent(1), createdEvent(2), createdEvent(3)]);
    await expect.poll(() => app.services.live.position).toBe(await readLastId());
    await app.db.rows(sql`delete from events where id <= ${lastEventId + 1}`);
    for (const outdatedId of [lastEventId, lastEventId + 1_000_000]) {
      const { events } = await listen(token, outdatedId);
      await expect.poll(() => events.map(({ event }) => event)).toContain('reset');
      const resetId = events.find(({ event }) => event === 'reset')?.id as number;
      await publish([createdEvent(4)]);
      await expect.poll(() => events.at(-1)?.id).toBeGreaterThan(resetId);
      expect(topicsOf(events.filter(({ event }) => event === 'message')).at(-1)).toBe('resource/types/4');
    }
  });
});
