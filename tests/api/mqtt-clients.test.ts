/** MQTT clients of real devices: what they expect of a broker besides accepting messages. */
import { connect } from 'node:net';
import { sql } from 'drizzle-orm';
import type { IPublishPacket, MqttClient } from 'mqtt';
import { generate, type Packet, parser } from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LiveEvent } from '../../server/context/eventBus';
import { pg } from '../../server/db/core/rowShape';
import { storeFactsheet } from '../../server/telemetry/ingest/storeFactsheet';
import { connectDevice, dropConnection, publish, vdaHeader, vdaState } from '../support/mqttDevice';
import { freePort } from '../support/startCluster';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import {
  countObservations,
  prepareTrackedMachine,
  replaceSecret,
  type TrackedMachine,
} from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let port: number;
let ownMachine: TrackedMachine;
let otherMachine: TrackedMachine;
const clients: MqttClient[] = [];

beforeAll(async () => {
  port = await freePort();
  ({ app, world } = await startTestWorld({ env: { MQTT_PORT: String(port) } }));
  ownMachine = await prepareTrackedMachine(app, world, 0);
  otherMachine = await prepareTrackedMachine(app, world, 8);
});
afterAll(() => app.close());
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true);
});

const versions = [4, 5] as const;
async function connectClient(
  protocolVersion: 4 | 5,
  options: Parameters<typeof connectDevice>[1] = {},
): Promise<MqttClient> {
  const client = await connectDevice(port, { username: ownMachine.secret, protocolVersion, ...options });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}
interface MachineValues {
  status: string;
  status_reason: string;
  battery: number | null;
}
const readMachine = async (id = ownMachine.machine) =>
  (await app.call<{ data: MachineValues }>(world.admin, 'GET', `machines/${id}`)).body.data;
/** The next message that a client receives. */
const receiveNext = (client: MqttClient) =>
  new Promise<{ topic: string; payload: unknown }>((resolve) =>
    client.once('message', (topic, payload) => resolve({ topic, payload: JSON.parse(payload.toString()) })),
  );

describe.each(versions)('with protocol version %i', (version) => {
  test('acknowledges and ignores unsupported topics below the client’s own prefix', async () => {
    const client = await connectClient(version);
    const countBefore = await countObservations(app.db, ownMachine.machine);
    for (const topic of [
      `uagv/v2/ACME/${ownMachine.deviceId}/order`,
      `uagv/v2/ACME/${ownMachine.deviceId}/extension/of/a/maker`,
      `vda5050/v3/ACME/${ownMachine.deviceId}/responses`,
      'v1/devices/me/claim',
      'v1/devices/me/rpc/response/7',
      'v1/devices/me/rpc/request/x',
      'v1/gateway/rpc',
      'v1/gateway/claim',
      'v2/fw/request/1/chunk/0',
    ])
      expect(await publish(client, topic, { secretKey: 'x', durationMs: 1 }), topic).toBe('acknowledged');
    expect(client.connected).toBe(true);
    expect(await countObservations(app.db, ownMachine.machine)).toBe(countBefore);
  });

  test('accepts any interface name and major version of VDA 5050', async () => {
    const client = await connectClient(version);
    const start = Date.now();
    const prefixes = ['uagv/v1', 'uagv/v3', 'vda5050/v2', 'warehouse 4/v3', 'cleaning-fleet/v10'];
    for (const [index, prefix] of prefixes.entries()) {
      const state = vdaState(
        { batteryState: { batteryCharge: index + version, charging: false } },
        new Date(start + index),
      );
      expect(await publish(client, `${prefix}/ACME/${ownMachine.deviceId}/state`, state), prefix).toBe('acknowledged');
      expect((await readMachine()).battery).toBe(index + version);
    }
  });

  test('responds to the requests of ThingsBoard libraries', async () => {
    const client = await connectClient(version);
    // Subscriptions and first request of the Python SDK.
    for (const filter of [
      'v1/devices/me/attributes',
      'v1/devices/me/attributes/response/+',
      'v1/devices/me/rpc/request/+',
      'v1/devices/me/rpc/response/+',
    ])
      await client.subscribeAsync(filter, { qos: 1 });
    const responseTo = async (topic: string, body: object) => {
      const response = receiveNext(client);
      await publish(client, topic, body);
      return response;
    };
    const start = Date.now();
    expect(await responseTo('v1/devices/me/rpc/request/1', { method: 'getCurrentTime', params: {} })).toEqual({
      topic: 'v1/devices/me/rpc/response/1',
      payload: expect.closeTo(start, -5),
    });
    expect(
      await responseTo('v1/devices/me/rpc/request/2', { method: 'getSessionLimits', params: { timeout: 5000 } }),
    ).toEqual({
      topic: 'v1/devices/me/rpc/response/2',
      payload: { maxPayloadSize: 262_144, maxInflightMessages: 1000, rateLimits: {} },
    });
    expect(await responseTo('v1/devices/me/rpc/request/3', { method: 'constructor', params: {} })).toEqual({
      topic: 'v1/devices/me/rpc/response/3',
      payload: { error: 'Unknown method.' },
    });
    const firmware = { sharedKeys: 'fw_checksum,fw_checksum_algorithm,fw_size,fw_title,fw_version' };
    expect(await responseTo('v1/devices/me/attributes/request/1', firmware)).toEqual({
      topic: 'v1/devices/me/attributes/response/1',
      payload: {},
    });
    expect(await responseTo('v2/a/req/4', firmware)).toEqual({ topic: 'v2/a/res/4', payload: {} });
    expect(await responseTo('v1/gateway/attributes/request', { id: 5, device: 'Device A', client: ['x'] })).toEqual({
      topic: 'v1/gateway/attributes/response',
      payload: { id: 5, device: 'Device A' },
    });
  });

  test('sends responses only to the requester, and ignores device messages on response topics', async () => {
    const [client, spy] = [
      await connectClient(version),
      await connectClient(version, { username: otherMachine.secret }),
    ];
    const receivedTopics: string[] = [];
    spy.on('message', (topic) => receivedTopics.push(topic));
    await spy.subscribeAsync('v1/devices/me/rpc/response/+', { qos: 1 });
    const response = receiveNext(client);
    await publish(client, 'v1/devices/me/rpc/response/9', { from: 'a device' });
    await publish(client, 'v1/devices/me/rpc/request/9', { method: 'getTime' });
    expect(await response).toMatchObject({ topic: 'v1/devices/me/rpc/response/9' });
    await publish(spy, 'v1/devices/me/attributes', {});
    expect(receivedTopics).toEqual([]);
  });
});

describe('MQTT 5', () => {
  test('stores messages of each QoS before it acknowledges them', async () => {
    const client = await connectClient(5, {
      clientId: 'kept',
      properties: { sessionExpiryInterval: 3600 },
      clean: false,
    });
    const countBefore = (await countObservations(app.db, ownMachine.machine)) as number;
    for (const qos of [1, 2] as const)
      await client.publishAsync('v1/devices/me/telemetry', JSON.stringify({ battery: 40 + qos, status: 'cleaning' }), {
        qos,
        properties: { contentType: 'application/json', userProperties: { from: 'x' }, messageExpiryInterval: 60 },
      });
    expect(await countObservations(app.db, ownMachine.machine)).toBe(countBefore + 2);
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', battery: 42 });
    await client.unsubscribeAsync(['v1/devices/me/attributes', 'v1/devices/me/rpc/request/+']);
    await client.publishAsync('v1/devices/me/telemetry', '{"battery":50}', { qos: 0 });
    await expect.poll(async () => (await readMachine()).battery).toBe(50);
  });

  test('a last will sets Offline at once, even on a DISCONNECT that requests it; any other DISCONNECT has no effect', async () => {
    const will = {
      topic: `uagv/v2/ACME/${ownMachine.deviceId}/connection`,
      payload: Buffer.from(JSON.stringify({ ...vdaHeader(), connectionState: 'CONNECTIONBROKEN' })),
      qos: 1 as const,
      retain: true,
    };
    const connectVehicle = async () => {
      const client = await connectClient(5, { will });
      await publish(client, `uagv/v2/ACME/${ownMachine.deviceId}/state`, vdaState({}, new Date()));
      await expect.poll(async () => (await readMachine()).status).toBe('Parked');
      return client;
    };
    await (await connectVehicle()).endAsync();
    expect(await readMachine()).toMatchObject({ status: 'Parked' });
    for (const disconnect of [dropConnection, (client: MqttClient) => client.end(false, { reasonCode: 4 })]) {
      disconnect(await connectVehicle());
      await expect.poll(async () => (await readMachine()).status).toBe('Offline');
      expect((await readMachine()).status_reason).toMatch(/^connection lost at /);
      await new Promise((resolve) => setTimeout(resolve, 1100));
    }
  });

  test('rejections have a reason code', async () => {
    await expect(connectClient(5, { username: `swt_${'x'.repeat(43)}` })).rejects.toMatchObject({ code: 0x86 });
    const client = await connectClient(5);
    const reason = new Promise((resolve) =>
      client.once('disconnect', ({ reasonCode }: { reasonCode?: number }) => resolve(reasonCode)),
    );
    expect(await publish(client, `uagv/v2/ACME/${otherMachine.deviceId}/state`, vdaState())).toBe('closed');
    expect(await reason).toBe(0x87);
    await expect((await connectClient(5)).subscribeAsync('#')).rejects.toThrow();
  });

  /**
   * Sends version 5 packets to the broker, each after the response to the previous one, until it closes the connection.
   * Returns the broker's packets.
   */
  async function exchangePackets(...packets: Packet[]): Promise<Packet[]> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const receivedPackets: Packet[] = [];
    const packetBytes = packets.map((packet) => generate(packet, { protocolVersion: 5 }));
    // In fragments, as slow networks deliver packets.
    const writeNext = () => {
      for (const byte of packetBytes.shift() ?? []) socket.write(Buffer.from([byte]));
    };
    const reader = parser({ protocolVersion: 5 }).on('packet', (packet) => {
      receivedPackets.push(packet);
      writeNext();
    });
    socket.on('data', (bytes) => reader.parse(bytes));
    writeNext();
    await new Promise((resolve) => socket.once('close', resolve));
    return receivedPackets;
  }
  const connectPacket = (properties = {}): Packet => ({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 5,
    clientId: '',
    clean: true,
    keepalive: 60,
    username: ownMachine.secret,
    properties,
  });
  const publishPacket = (properties: IPublishPacket['properties'] = {}): Packet => ({
    cmd: 'publish',
    qos: 1,
    messageId: 1,
    dup: false,
    retain: false,
    topic: 'v1/devices/me/telemetry',
    payload: '{}',
    properties,
  });

  test('unsupported features are announced, and rejected with the reason code of the standard', async () => {
    const [connack, ...rejection] = await exchangePackets(connectPacket(), publishPacket({ topicAlias: 1 }));
    expect(connack).toMatchObject({
      cmd: 'connack',
      reasonCode: 0,
      properties: {
        sessionExpiryInterval: 0,
        maximumPacketSize: 262_144,
        subscriptionIdentifiersAvailable: false,
        sharedSubscriptionAvailable: false,
        assignedClientIdentifier: expect.any(String),
      },
    });
    expect(rejection).toMatchObject([{ cmd: 'disconnect', reasonCode: 0x94 }]);
    const subscription = [{ topic: 'v1/devices/me/attributes', qos: 1 as const }];
    expect(
      await exchangePackets(connectPacket(), {
        cmd: 'subscribe',
        messageId: 2,
        subscriptions: subscription,
        properties: { subscriptionIdentifier: 3 },
      }),
    ).toMatchObject([{ cmd: 'connack' }, { cmd: 'disconnect', reasonCode: 0xa1 }]);
    expect(await exchangePackets(connectPacket({ authenticationMethod: 'SCRAM-SHA-1' }))).toMatchObject([
      { cmd: 'connack', reasonCode: 0x8c },
    ]);
    expect(await exchangePackets(connectPacket(), { cmd: 'auth', reasonCode: 0x18 })).toMatchObject([
      { cmd: 'connack' },
      { cmd: 'disconnect', reasonCode: 0x82 },
    ]);
  });
});

/** The factsheet of VDA 5050 2.1 from the example of the standard, shortened. */
const factsheet = (fields: object = {}) => ({
  ...vdaHeader(),
  typeSpecification: {
    seriesName: 'Scrubber 75',
    agvKinematic: 'DIFF',
    agvClass: 'CARRIER',
    maxLoadMass: 0.5,
    localizationTypes: ['NATURAL'],
    navigationTypes: ['AUTONOMOUS'],
  },
  physicalParameters: {
    speedMin: 0,
    speedMax: 1.2,
    accelerationMax: 1,
    heightMin: 1.1,
    heightMax: 1.4,
    width: 0.78,
    length: 1.25,
  },
  protocolLimits: {},
  protocolFeatures: { optionalParameters: [], agvActions: [] },
  agvGeometry: {},
  loadSpecification: {},
  ...fields,
});

describe('factsheet', () => {
  const readFactsheet = async () => {
    const { body } = await app.call<{ data: Record<string, unknown>[] }>(
      world.admin,
      'GET',
      `trackers?filter[tracker_or_serial]=${ownMachine.deviceId}`,
    );
    const { factsheet_version, vehicle_type, vehicle_length, vehicle_width, vehicle_height } = body.data[0] ?? {};
    return [factsheet_version, vehicle_type, vehicle_length, vehicle_width, vehicle_height];
  };

  test('is stored with the tracker, and the vehicle stays connected', async () => {
    expect(await readFactsheet()).toEqual([null, null, null, null, null]);
    const client = await connectClient(4);
    expect(await publish(client, `uagv/v2/ACME/${ownMachine.deviceId}/factsheet`, factsheet(), { retain: true })).toBe(
      'acknowledged',
    );
    expect(await readFactsheet()).toEqual(['2.1.0', 'Scrubber 75 (CARRIER)', 1.25, 0.78, 1.4]);
    for (const body of ['{', '[]', '{"version":"\\u0000"}'])
      expect(await publish(client, `uagv/v2/ACME/${ownMachine.deviceId}/factsheet`, body), body).toBe('acknowledged');
    const factsheetOfVersion3 = {
      typeSpecification: { seriesName: 'Scrubber 90', mobileRobotClass: 'FLOOR_CLEANER' },
      physicalParameters: { minimumHeight: 1, maximumHeight: 1.5, width: 0.9, length: 'long' },
      version: '3.0.0',
    };
    expect(
      await publish(client, `vda5050/v3/ACME/${ownMachine.deviceId}/factsheet`, factsheet(factsheetOfVersion3)),
    ).toBe('acknowledged');
    expect(await readFactsheet()).toEqual(['3.0.0', 'Scrubber 90 (FLOOR_CLEANER)', null, 0.9, 1.5]);
    expect(await publish(client, `uagv/v2/ACME/${otherMachine.deviceId}/factsheet`, factsheet())).toBe('closed');
  });

  test('that was received before the stored one is neither stored nor published', async () => {
    const publishEvents = vi.fn(async (_events: readonly LiveEvent[]) => undefined);
    const services = { db: app.db, live: { ...app.services.live, publish: publishEvents } };
    const store = (version: string, receivedAt: Date) =>
      storeFactsheet(services, {
        trackerId: ownMachine.tracker,
        body: Buffer.from(JSON.stringify(factsheet({ version }))),
        receivedAt,
      });
    const now = Date.now();
    await store('2.1.0', new Date(now));
    await store('2.0.0', new Date(now - 1000));
    expect((await readFactsheet())[0]).toBe('2.1.0');
    expect(publishEvents.mock.calls.flat(2)).toMatchObject([{ payload: { factsheet_version: '2.1.0' } }]);
  });
});

describe('gateway', () => {
  const findTrackers = async (name: string) =>
    (
      await app.call<{ data: { id: number; gateway_id: number | null; messages: number }[] }>(
        world.admin,
        'GET',
        `trackers?filter[tracker_or_serial]=${encodeURIComponent(name)}`,
      )
    ).body.data;

  test('sends only for its own devices, each identified by its name', async () => {
    const { body } = await app.call<{ data: { id: number } }>(world.admin, 'POST', 'trackers', {
      refno: 'gateway',
      tracker_or_serial: 'gateway',
      mode: 'mqtt',
    });
    const id = body.data.id;
    const secret = await replaceSecret(app, world.admin, id);
    const [ownTracker, secondTracker, foreignTracker] = [
      world.north.trackers[1],
      world.north.trackers[2],
      world.south.trackers[1],
    ] as number[];
    const names = await app.db.select(
      { id: pg.integer, name: pg.text, machine: pg.integer },
      sql`select t.id, t.tracker_or_serial as name, m.id as machine from trackers t join machines m on m.tracker_id = t.id`,
    );
    const entryOf = (tracker: number | undefined) =>
      names.find((entry) => entry.id === tracker) as (typeof names)[number];
    for (const tracker of [ownTracker, secondTracker])
      expect((await app.call(world.admin, 'PUT', `trackers/${tracker}`, { gateway_id: id })).status).toBe(200);

    const client = await connectClient(4, { username: secret });
    const publishAsGateway = (topic: string, message: unknown) => publish(client, `v1/gateway/${topic}`, message);
    const start = Date.now();
    expect(await publishAsGateway('connect', { device: entryOf(ownTracker).name, type: 'default' })).toBe(
      'acknowledged',
    );
    expect(
      await publishAsGateway('telemetry', {
        [entryOf(ownTracker).name]: [
          { ts: start - 2000, values: { status: 'cleaning', battery: 61 } },
          { ts: start - 1000, values: { battery: 60 } },
        ],
        [entryOf(secondTracker).name]: [{ ts: start, values: { '\u0000': 1 } }],
        [entryOf(foreignTracker).name]: [{ ts: start, values: { status: 'cleaning', battery: 1 } }],
        'Device A': [{ ts: start, values: { battery: 7 } }],
        'Device \u0000': [{ ts: start, values: { battery: 7 } }],
      }),
    ).toBe('acknowledged');
    expect(await readMachine(entryOf(ownTracker).machine)).toMatchObject({ status: 'Cleaning', battery: 60 });
    expect(await publishAsGateway('attributes', { [entryOf(ownTracker).name]: { battery: 55 } })).toBe('acknowledged');
    expect(await readMachine(entryOf(ownTracker).machine)).toMatchObject({ status: 'Cleaning', battery: 55 });
    expect(await countObservations(app.db, entryOf(secondTracker).machine)).toBe(0);
    expect(await countObservations(app.db, entryOf(foreignTracker).machine)).toBe(0);
    expect(await findTrackers('Device A')).toMatchObject([{ gateway_id: id, messages: 1 }]);
    for (const message of ['{', [], { device: 1 }, { device: '\u0000' }])
      expect(await publishAsGateway('connect', message), JSON.stringify(message)).toBe('acknowledged');
    expect(await publishAsGateway('disconnect', { device: entryOf(ownTracker).name })).toBe('acknowledged');
    expect(await readMachine(entryOf(ownTracker).machine)).toMatchObject({ status: 'Cleaning' });

    // A gateway that belongs to one client sends only for that client's machines.
    await app.db.rows(sql`update machines set tracker_id = ${id} where id = ${entryOf(foreignTracker).machine}`);
    await publishAsGateway('telemetry', { [entryOf(ownTracker).name]: [{ ts: start + 1000, values: { battery: 1 } }] });
    expect(await readMachine(entryOf(ownTracker).machine)).toMatchObject({ battery: 55 });
    expect(client.connected).toBe(true);
  });

  test('without devices gets its messages acknowledged, but not stored', async () => {
    const client = await connectClient(4);
    const countBefore = await countObservations(app.db, otherMachine.machine);
    const message = { [otherMachine.deviceId]: [{ ts: Date.now(), values: { battery: 1 } }] };
    expect(await publish(client, 'v1/gateway/telemetry', message)).toBe('acknowledged');
    expect(await countObservations(app.db, otherMachine.machine)).toBe(countBefore);
  });
});
