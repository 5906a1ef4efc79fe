/** Devices over MQTT: each has its own secret and topics, and messages are acknowledged after the commit. */
import { connect } from 'node:net';
import { sql } from 'drizzle-orm';
import type { MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { connectDevice, dropConnection, publish, vdaHeader, vdaState } from '../support/mqttDevice';
import { freePort } from '../support/startCluster';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { countObservations, prepareTrackedMachine, readDeviceId, replaceSecret } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let port: number;
let machine: number;
let tracker: number;
let deviceId: string;
let secret: string;
let nextIndex = 0;
const clients: MqttClient[] = [];

beforeAll(async () => {
  port = await freePort();
  ({ app, world } = await startTestWorld({ env: { MQTT_PORT: String(port) } }));
});
afterAll(() => app.close());

beforeEach(async () => {
  ({ machine, tracker, deviceId, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true);
});

async function connectClient(options: Parameters<typeof connectDevice>[1] = {}): Promise<MqttClient> {
  const client = await connectDevice(port, { username: secret, ...options });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}
interface MachineValues {
  status: string;
  status_reason: string;
  mode: string | null;
  battery: number | null;
}
const readMachine = async (id = machine) =>
  (await app.call<{ data: MachineValues }>(world.admin, 'GET', `machines/${id}`)).body.data;
const readLog = async () =>
  (
    await app.call<{ data: { level: string; text: string }[] }>(
      world.admin,
      'GET',
      `machines/${machine}/logs?filter[level]=error,warning`,
    )
  ).body.data;
const telemetryTopic = 'v1/devices/me/telemetry';
const vehicleTopic = (name: string, prefix = 'uagv/v2') => `${prefix}/ACME/${deviceId}/${name}`;

describe('ThingsBoard', () => {
  test('acknowledges telemetry once it is stored', async () => {
    const client = await connectClient();
    for (let battery = 1; battery <= 20; battery += 1) {
      expect(await publish(client, telemetryTopic, { battery, status: 'cleaning' })).toBe('acknowledged');
      expect(await countObservations(app.db, machine)).toBe(battery);
    }
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', battery: 20 });
  });

  test('stores all concurrent messages, in order', async () => {
    const client = await connectClient();
    await Promise.all(Array.from({ length: 100 }, (_, battery) => publish(client, telemetryTopic, { battery })));
    expect(await countObservations(app.db, machine)).toBe(100);
    expect(await readMachine()).toMatchObject({ battery: 99 });
  });

  test('attributes leave the state unchanged; QoS 0 and 2 are also accepted', async () => {
    const client = await connectClient({ username: 'any', password: secret });
    await publish(client, telemetryTopic, { status: 'cleaning' });
    await client.publishAsync('v1/devices/me/attributes', '{"battery":7}', { qos: 2 });
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', battery: 7 });
    await client.publishAsync(telemetryTopic, '{"status":"parked"}', { qos: 0 });
    await expect.poll(async () => (await readMachine()).status).toBe('Parked');
  });

  test('a last will sets Offline at once, a regular disconnect does not', async () => {
    const will = {
      topic: telemetryTopic,
      payload: Buffer.from('{"status":"cleaning"}'),
      qos: 1 as const,
      retain: false,
    };
    const regularClient = await connectClient({ will });
    await publish(regularClient, telemetryTopic, { status: 'parked' });
    await regularClient.endAsync();
    const client = await connectClient({ will });
    await publish(client, telemetryTopic, { status: 'cleaning' });
    expect(await readMachine()).toMatchObject({ status: 'Cleaning' });
    dropConnection(client);
    await expect.poll(async () => (await readMachine()).status).toBe('Offline');
    expect((await readMachine()).status_reason).toMatch(/^connection lost at /);
  });

  test('the last will of a replaced connection has no effect', async () => {
    const will = { topic: telemetryTopic, payload: Buffer.from('{}'), qos: 1 as const, retain: false };
    const client = await connectClient({ clientId: 'the-same', will });
    await publish(client, telemetryTopic, { status: 'cleaning' });
    const successor = await connectClient({ clientId: 'the-same', will });
    await expect.poll(() => client.connected).toBe(false);
    await publish(successor, 'v1/devices/me/attributes', { battery: 3 });
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', battery: 3 });
  });
});

describe.each(['uagv/v2', 'vda5050/v3'])('VDA 5050 under %s', (prefix) => {
  test('reports state, errors and connection', async () => {
    const client = await connectClient({
      will: {
        topic: vehicleTopic('connection', prefix),
        payload: Buffer.from(JSON.stringify({ ...vdaHeader(new Date(0)), connectionState: 'CONNECTION_BROKEN' })),
        qos: 1,
        retain: true,
      },
    });
    expect(
      await publish(
        client,
        vehicleTopic('connection', prefix),
        { ...vdaHeader(new Date(0)), connectionState: 'ONLINE' },
        { retain: true },
      ),
    ).toBe('acknowledged');
    expect(await readMachine()).toMatchObject({
      status: 'Online',
      status_reason: expect.stringMatching(/^connected at /),
    });
    const drivingState = {
      driving: true,
      orderId: 'o1',
      nodeStates: [{ nodeId: 'n1', sequenceId: 2, released: true }],
    };
    const errors = [{ errorType: 'brushWorn', errorLevel: 'WARNING', errorDescription: 'Change the brush' }];
    for (const state of [
      vdaState({ ...drivingState, errors }),
      vdaState({ ...drivingState, errors }, new Date(Date.now() + 1000)),
    ])
      expect(await publish(client, vehicleTopic('state', prefix), state)).toBe('acknowledged');
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', mode: 'robotic', battery: 80 });
    expect(await readLog()).toMatchObject([{ level: 'warning', text: 'brushWorn: Change the brush' }]);
    expect(
      await publish(client, vehicleTopic('visualization', prefix), {
        ...vdaHeader(new Date(Date.now() + 2000)),
        velocity: { vx: 1 },
      }),
    ).toBe('acknowledged');
    expect(await readMachine()).toMatchObject({ status: 'Cleaning' });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    dropConnection(client);
    await expect.poll(async () => (await readMachine()).status).toBe('Offline');
    expect((await readMachine()).status_reason).toMatch(/^connection lost at /);
  });
});

describe('a client cannot', () => {
  test.each([
    ['without a secret', {}],
    ['with a wrong secret', { username: `swt_${'x'.repeat(43)}`, password: 'x' }],
    ['with the token of a user', { username: 'admin' }],
  ])('connect %s', async (_how, options) => {
    await expect(connectDevice(port, options)).rejects.toMatchObject({ code: 4 });
  });

  test('continue with a replaced secret', async () => {
    const client = await connectClient();
    expect(await publish(client, telemetryTopic, {})).toBe('acknowledged');
    await replaceSecret(app, world.admin, tracker);
    expect(await publish(client, telemetryTopic, {})).toBe('closed');
    expect(await countObservations(app.db, machine)).toBe(1);
  });

  test('write as another device or to unknown topics', async () => {
    const otherMachine = world.south.machines.find((id) => id !== machine) as number;
    const otherDevice = await readDeviceId(app.db, otherMachine);
    const countBefore = await countObservations(app.db, otherMachine);
    for (const topic of [
      `uagv/v2/ACME/${otherDevice}/state`,
      `uagv/v2/ACME/${otherDevice}/order`,
      'v1/devices/other/telemetry',
      '$SYS/x',
      `${deviceId}/state`,
    ]) {
      const client = await connectClient();
      expect(await publish(client, topic, vdaState())).toBe('closed');
    }
    expect([await countObservations(app.db, machine), await countObservations(app.db, otherMachine)]).toEqual([
      0,
      countBefore,
    ]);
  });

  test('read messages of others', async () => {
    const spy = await connectClient();
    const receivedTopics: string[] = [];
    spy.on('message', (topic) => receivedTopics.push(topic));
    for (const filter of [
      '#',
      '+/#',
      'uagv/#',
      'uagv/v2/+/+/state',
      'uagv/v2/ACME/other/state',
      '$SYS/#',
      telemetryTopic,
      'v1/#',
    ])
      await expect(spy.subscribeAsync(filter), filter).rejects.toThrow();
    for (const filter of [
      vehicleTopic('#'),
      vehicleTopic('order'),
      'v1/devices/me/rpc/request/+',
      'v1/devices/me/attributes',
    ])
      await spy.subscribeAsync(filter);
    const { secret: username } = await prepareTrackedMachine(app, world, 15);
    const otherClient = await connectClient({ username });
    await publish(otherClient, 'v1/devices/me/attributes', { key: 'of the other' }, { retain: true });
    await publish(spy, vehicleTopic('state'), vdaState(), { retain: true });
    await publish(spy, telemetryTopic, { status: 'parked' });
    expect(receivedTopics).toEqual([]);
  });

  test('take over the connection of another device by its client id', async () => {
    const client = await connectClient({ clientId: 'scrubber' });
    const { secret: username } = await prepareTrackedMachine(app, world, 15);
    await connectClient({ clientId: 'scrubber', username });
    expect(await publish(client, telemetryTopic, {})).toBe('acknowledged');
  });
});

describe('unreadable messages', () => {
  test('on the device’s own topic are acknowledged, stored as raw messages and logged, without closing the connection', async () => {
    const client = await connectClient();
    const bodies = ['{', '', '[[]]', '"x"', '{"a":"\\u0000"}'];
    for (const body of bodies) {
      expect(await publish(client, telemetryTopic, body), body).toBe('acknowledged');
      expect(await publish(client, vehicleTopic('state'), body), body).toBe('acknowledged');
    }
    expect(await countObservations(app.db, machine)).toBe(0);
    const rawMessages = await app.db.select(
      { body: pg.bytea },
      sql`select body from raw_messages where machine_id = ${machine} order by id`,
    );
    expect(rawMessages.map(({ body }) => Buffer.from(body).toString())).toEqual(bodies.flatMap((body) => [body, body]));
    expect(await readLog()).toMatchObject(
      bodies.flatMap(() =>
        Array.from({ length: 2 }, () => ({ level: 'warning', text: 'a message of the device could not be read' })),
      ),
    );
    expect(await publish(client, telemetryTopic, { status: 'parked' })).toBe('acknowledged');
    expect(await readMachine()).toMatchObject({ status: 'Parked' });
  });

  test('fill neither the disk nor the log, however many arrive', async () => {
    const client = await connectClient();
    await Promise.all(Array.from({ length: 60 }, () => publish(client, telemetryTopic, '{')));
    const rawMessages = await app.db.rows(sql`select 1 from raw_messages where machine_id = ${machine}`);
    for (const { length } of [await readLog(), rawMessages]) {
      expect(length).toBeGreaterThan(0);
      expect(length).toBeLessThan(25);
    }
    expect(client.connected).toBe(true);
  });

  test('that are too large close the connection only', async () => {
    expect(await publish(await connectClient(), telemetryTopic, { note: 'x'.repeat(300_000) })).toBe('closed');
    const connection = connect(port, '127.0.0.1');
    const closeEvent = new Promise((resolve) => connection.once('close', resolve));
    connection.on('error', () => undefined);
    connection.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0x00]));
    await closeEvent;
    expect(await publish(await connectClient(), telemetryTopic, {})).toBe('acknowledged');
  });
});

test('closes the connection of an unassigned tracker and lists its messages', async () => {
  await app.db.rows(sql`update machines set tracker_id = null where id = ${machine}`);
  expect(await publish(await connectClient(), telemetryTopic, { battery: 5, latitude: 1, longitude: 2 })).toBe(
    'closed',
  );
  const { body } = await app.call<{ data: { last_payload: string; latitude: number } }>(
    world.admin,
    'GET',
    `trackers/${tracker}`,
  );
  expect(body.data).toMatchObject({ last_payload: '{"battery":5,"latitude":1,"longitude":2}', latitude: 1 });
  await app.db.rows(sql`update machines set tracker_id = ${tracker} where id = ${machine}`);
});

test('a vehicle is Cleaning during the cleaning actions of its machine type, but not on its way to the charger', async () => {
  const client = await connectClient();
  await app.db.rows(sql`update machines set type_id = ${world.type}, custom_type = null where id = ${machine}`);
  const runningAction = (actionType: string) => ({
    orderId: 'o1',
    actionStates: [{ actionId: 'a', actionType, actionStatus: 'RUNNING' }],
  });
  let time = Date.now() + 60_000;
  const readStatusAfter = async (fields: object) => {
    time += 1000;
    await publish(client, vehicleTopic('state'), vdaState(fields, new Date(time)));
    return (await readMachine()).status;
  };
  expect([
    await readStatusAfter(runningAction('clean_floor')),
    await readStatusAfter(runningAction('floorCare')),
  ]).toEqual(['Cleaning', 'Parked']);
  const values = { cleaning_actions: ['floor care'] };
  expect((await app.call(world.admin, 'PATCH', `types/${world.type}`, values)).status).toBe(200);
  expect([
    await readStatusAfter(runningAction('clean_floor')),
    await readStatusAfter(runningAction('floorCare')),
  ]).toEqual(['Parked', 'Cleaning']);
  expect(await readStatusAfter({ orderId: 'o1', driving: true })).toBe('Online');
  expect((await app.call(world.admin, 'PATCH', `types/${world.type}`, { cleaning_actions: [] })).status).toBe(200);
});
