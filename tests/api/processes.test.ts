/** Several processes on one PostgreSQL: shared work is done once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '../../demo/seed/demo';
import { createSession } from '../../server/auth/sessions';
import { seedBase } from '../../server/db/base/seedBase';
import { advisoryLocks } from '../../server/db/core/advisoryLocks';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { readEvents } from '../../src/providers/readEvents';
import { connectDevice, publish, vdaState } from '../support/mqttDevice';
import { add } from '../support/rows';
import { type ExternalBroker, startBroker } from '../support/startBroker';
import { type Cluster, startCluster } from '../support/startCluster';
import { type Server, startServer } from '../support/startServer';
import { readDeviceId } from '../support/trackedMachine';
import { addWorld, type World } from '../support/world';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-processes-'));
/** Key of the advisory lock by which a test blocks edits. */
const editLock = 4712;
const log = pino({ level: 'silent' });
let cluster: Cluster;
let broker: ExternalBroker;
let db: Database;
let world: World;
let servers: Server[];

beforeAll(async () => {
  cluster = await startCluster();
  db = await openDatabase({ databaseUrl: cluster.url, dataDir: folder, log });
  await seedBase(db);
  world = await addWorld(db);
  broker = await startBroker();
  const env = {
    DATABASE_URL: cluster.url,
    MQTT_URL: broker.url,
    SWEEPLINE_DEMO: '1',
    RATE_LIMIT: 'off',
    SWEEPLINE_SECRET: 'a secret that both processes share, long enough',
  };
  servers = await Promise.all([1, 2].map(() => startServer({ fromSources: true, env })));
});
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()));
  await broker?.close();
  await db?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const report = async ({ url }: Server, machine: number, fields: string) => {
  const device = await readDeviceId(db, machine);
  expect((await fetch(`${url}/ingest/osmand?id=${device}&${fields}`)).status).toBe(200);
};

interface ReceivedEvent {
  topic: string;
  payload?: { status?: string; battery?: number };
}

async function listen({ url }: Server): Promise<{ events: ReceivedEvent[]; stop(): void }> {
  const token = await db.transaction((tx) => createSession(tx, world.admin));
  const controller = new AbortController();
  const response = await fetch(`${url}/api/v1/events`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: controller.signal,
  });
  expect(response.status).toBe(200);
  const events: ReceivedEvent[] = [];
  void (async () => {
    for await (const { data } of readEvents(response.body)) if (data) events.push(JSON.parse(data) as ReceivedEvent);
  })().catch(() => undefined);
  return { events, stop: () => controller.abort() };
}

describe('two processes on one PostgreSQL', () => {
  // The first three tests mostly wait, each with its own machine, so they run concurrently.
  test.concurrent('only one of them evaluates an alert rule: one alert and one mail', async () => {
    const [firstServer, secondServer] = servers as [Server, Server];
    const machine = world.north.machines[4] as number;
    const rule = await add(db, 'alert_rules', {
      client_id: world.north.client,
      metric: 'error',
      is_active: true,
      user_ids: [world.users.customer_admin],
    });
    const readOutcomes = () =>
      db.select(
        { outcome: pg.text.nullable },
        sql`
      select m.outcome from alerts x join jobs m on m.kind = 'alert_message' and (m.payload->>'alert_id')::int = x.id where x.rule_id = ${rule}`,
      );
    const start = performance.now();
    await Promise.all([
      report(firstServer, machine, 'status=online&error=E-1'),
      report(secondServer, machine, `status=online&error=E-2&timestamp=${Date.now() - 1000}`),
    ]);
    await expect.poll(async () => (await readOutcomes()).length, { interval: 20 }).toBe(1);
    const alertDelay = Math.round(performance.now() - start);
    await expect.poll(async () => (await readOutcomes())[0]?.outcome, { interval: 20 }).toBe('sent');
    console.info(`alert ${alertDelay} ms after the message, its mail ${Math.round(performance.now() - start)} ms`);
    // By now both processes have evaluated the rules.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await readOutcomes()).toEqual([{ outcome: 'sent' }]);
    await db.rows(sql`update alert_rules set is_active = false where id = ${rule}`);
  });

  test.concurrent('a message received by one reaches listeners of the other within a second', async () => {
    const [firstServer, secondServer] = servers as [Server, Server];
    const listeners = [await listen(firstServer), await listen(secondServer)];
    const delays: number[] = [];
    for (const [index, server] of [firstServer, secondServer].entries()) {
      const machine = world.north.machines[index] as number;
      for (const battery of [70, 69, 68]) {
        const start = performance.now();
        await report(server, machine, `status=cleaning&batt=${battery}`);
        for (const { events } of listeners)
          await expect
            .poll(
              () =>
                events.filter(
                  ({ topic, payload }) => topic === `resource/machines/${machine}` && payload?.battery === battery,
                ).length,
              { interval: 20 },
            )
            .toBe(1);
        delays.push(performance.now() - start);
      }
      for (const { events } of listeners)
        expect(
          events.filter(
            ({ topic, payload }) => topic === `resource/machines/${machine}` && payload?.status === 'Cleaning',
          ),
        ).toHaveLength(1);
    }
    // The test machine may be busy at times, but not during all attempts.
    expect(Math.min(...delays)).toBeLessThan(1000);
    for (const { stop } of listeners) stop();
  });

  test.concurrent('a silent machine goes Offline once, although both sweep', async () => {
    const machine = world.north.machines[2] as number;
    const { events, stop } = await listen(servers[0] as Server);
    // Silence counts from device time: with a last message 597 s ago, the machine goes Offline in three seconds.
    await report(servers[1] as Server, machine, `status=parked&timestamp=${Date.now() - 597_000}`);
    const countOffline = () =>
      events.filter(({ topic, payload }) => topic === `resource/machines/${machine}` && payload?.status === 'Offline')
        .length;
    await expect.poll(countOffline, { interval: 100 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(countOffline()).toBe(1);
    stop();
    const timelineRows = await db.rows(
      sql`select state, extract(epoch from to_at - from_at)::int as seconds from segments where machine_id = ${machine} order by from_at`,
    );
    expect(timelineRows).toEqual([
      { state: 'Parked', seconds: 600 },
      { state: 'Offline', seconds: null },
    ]);
    const days = await db.one(sql`select sum(parked)::int as parked from machine_days where machine_id = ${machine}`);
    expect(days).toEqual({ parked: 600 });
  });

  test('one of them simulates; when it loses its connection, either may take over', async () => {
    const readLockHolders = () =>
      db.select(
        { pid: pg.integer },
        sql`select pid from pg_locks where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = ${advisoryLocks.simulator}::bigint`,
      );
    await expect.poll(async () => (await readLockHolders()).length, { interval: 100 }).toBe(1);
    const [first] = await readLockHolders();
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(await readLockHolders()).toEqual([first]);
    await db.rows(sql`select pg_terminate_backend(${first?.pid}::int)`);
    // The former process may hold the lock until its connection has really closed.
    const countSuccessors = async () => (await readLockHolders()).filter(({ pid }) => pid !== first?.pid).length;
    await expect.poll(countSuccessors, { interval: 100 }).toBe(1);
  });

  test('one of them subscribes to the MQTT broker; when its database connection is lost, no QoS 1 message is missed or counted twice', async () => {
    const machine = world.north.machines[3] as number;
    const serial = await readDeviceId(db, machine);
    const start = Date.now() - 60_000;
    const readStored = () =>
      db.one(
        sql`select (select count(*)::int from observations where machine_id = ${machine} and at >= ${new Date(start).toISOString()}::timestamptz) as observations, (select count(*)::int - count(distinct body)::int from raw_messages where machine_id = ${machine}) as duplicates`,
      );
    const countListeners = () => broker.clients().filter((id) => id.startsWith('sweepline-')).length;
    await expect.poll(countListeners, { interval: 100 }).toBe(1);
    const vehicle = await connectDevice(broker.port);
    const publishNth = (index: number, device = serial) =>
      publish(vehicle, `uagv/v2/ACME/${device}/state`, vdaState({}, new Date(start + index * 100)));
    // The process subscribes only after it has connected. Messages of another machine show when it has, since each
    // attempt is stored.
    const otherMachine = world.north.machines[2] as number;
    const otherSerial = await readDeviceId(db, otherMachine);
    const isSubscribed = async () => {
      await publishNth(0, otherSerial);
      const row = await db.one(
        sql`select exists (select from observations where machine_id = ${otherMachine} and protocol = 'vda5050') as found`,
      );
      return row?.found;
    };
    await expect.poll(isSubscribed).toBe(true);
    for (let index = 0; index <= 20; index += 1) await publishNth(index);
    await expect.poll(readStored).toEqual({ observations: 21, duplicates: 0 });
    await db.rows(
      sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = ${advisoryLocks.mqttBridge}::bigint`,
    );
    for (let index = 21; index <= 220; index += 1) {
      await publishNth(index);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect.poll(readStored).toMatchObject({ observations: 221 });
    expect(countListeners()).toBe(1);
    await vehicle.endAsync();
  });

  const callBulk = async (method: 'PUT' | 'DELETE', machine: number) => {
    const token = await db.transaction((tx) => createSession(tx, world.admin));
    const { status } = await fetch(`${servers[0]?.url}/api/v1/machines`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ids: [machine],
        ...(method === 'PUT' && { data: { note: 'held', location_id: null } }),
      }),
    });
    expect(status).toBe(200);
  };
  const undoImport = async (machine: number) => {
    const token = await db.transaction((tx) => createSession(tx, world.admin));
    const request = async (method: string, path: string, body?: FormData) => {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${servers[0]?.url}/api/v1/${path}`, { method, headers, ...(body && { body }) });
      return ((await response.json()) as { data: { id: number; state: string } }).data;
    };
    const row = await db.selectOne(
      { id: pg.integer },
      sql`select max(import_id) as id from import_rows where row_id = ${machine}`,
    );
    await request('POST', `imports/${row?.id}/undo`);
    await expect.poll(async () => (await request('GET', `imports/${row?.id}`)).state).toBe('undone');
  };
  /** A machine with a tracker, as an import created it. */
  const importMachine = async (): Promise<number> => {
    const token = await db.transaction((tx) => createSession(tx, world.admin));
    const tracker = await add(db, 'trackers');
    const serial = `Imported-${tracker}`;
    const form = new FormData();
    const text = `serial_number,custom_type,fleet_id,tracker_id\n${serial},Scrubber,${world.north.fleets[0]},${tracker}\n`;
    form.append('file', new Blob([text]), 'machines.csv');
    const headers = { Authorization: `Bearer ${token}` };
    await fetch(`${servers[0]?.url}/api/v1/machines/import`, { method: 'POST', headers, body: form });
    const read = () => db.selectOne({ id: pg.integer }, sql`select id from machines where serial_number = ${serial}`);
    await expect.poll(read).toBeDefined();
    return (await read())?.id as number;
  };

  test.each([
    ['a bulk change edits or moves', 'update on machines', (machine: number) => callBulk('PUT', machine)],
    ['a bulk deletion records', 'insert on audit', (machine: number) => callBulk('DELETE', machine)],
    ['the undo of an import records', 'insert on audit', undoImport],
  ])('messages do not wait while %s their machine', async (_, heldWrite, change) => {
    const receivingServer = servers[1] as Server;
    const machine = change === undoImport ? await importMachine() : (world.north.machines[1] as number);
    // Several messages within one second, each of which updates the machine state row.
    const wholeSecond = Math.floor(Date.now() / 1000) * 1000;
    const send = (fraction: number) =>
      report(receivingServer, machine, `timestamp=${wholeSecond + fraction}&batt=${fraction}`);
    await send(10);
    await db.rows(
      sql.raw(`create or replace function hold_write() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(${editLock}); return new; end $$`),
    );
    await db.rows(
      sql.raw(`create or replace trigger hold_write before ${heldWrite} for each row execute function hold_write()`),
    );
    const { work } = await db.transaction(async (tx) => {
      await tx.rows(sql`select pg_advisory_xact_lock(${editLock}::bigint)`);
      const work = change(machine);
      const waitingLocks = sql`select from pg_locks where locktype = 'advisory' and objid = ${editLock}::int and not granted`;
      await expect.poll(() => tx.rows(waitingLocks), { interval: 20 }).toHaveLength(1);
      await send(20);
      await send(30);
      return { work };
    });
    await work;
    await db.rows(sql`drop function hold_write cascade`);
    const storedObservations = sql`select from observations where machine_id = ${machine} and at >= ${new Date(wholeSecond).toISOString()}`;
    expect(await db.rows(storedObservations)).toHaveLength(3);
  });
});

test('of processes that start concurrently on an empty database, one loads the demo', async () => {
  await db.rows(sql`create database demo`);
  const url = cluster.url.replace(/\/postgres$/, '/demo');
  const dataDirs = [1, 2].map((index) => join(folder, String(index)));
  const dbs = await Promise.all(dataDirs.map((dataDir) => openDatabase({ databaseUrl: url, dataDir, log })));
  await seedBase(dbs[0] as Database);
  await Promise.all(dbs.map((database) => seedDemo(database, { machines: 30 })));
  expect(
    await dbs[0]?.one(
      sql`select (select count(*)::int from machines) as machines, (select count(*)::int from clients) as clients`,
    ),
  ).toEqual({
    machines: 30,
    clients: 12,
  });
  await Promise.all(dbs.map((database) => database.close()));
});

test('start-up fails with a message, before it creates anything, if the Admin has an address of the demo', async () => {
  const env = {
    SWEEPLINE_DEMO: '1',
    SWEEPLINE_ADMIN_EMAIL: 'admin@demo.sweepline.example',
    SWEEPLINE_ADMIN_PASSWORD: 'Given!Pass1',
  };
  await expect(startServer({ fromSources: true, dataDir: join(folder, 'refused'), env })).rejects.toThrow(
    'The server ended with 1:\nSWEEPLINE_ADMIN_EMAIL: addresses at demo.sweepline.example belong to the people of the demo.',
  );
});
