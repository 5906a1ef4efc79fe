/**
 * Hostile input on routes and topics of devices: the sender gets an error, nothing is stored, the server keeps running,
 * and no device writes as another one or reads anything. Any bytes on a device's own topic are stored as raw messages,
 * for replays (docs/operations.md, "MQTT").
 */
import { connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import type { MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildPacket,
  connectDevice,
  connectPacket,
  dropConnection,
  publish,
  publishPacket,
  vdaHeader,
  vdaState,
} from '../support/mqttDevice';
import { freePort } from '../support/startCluster';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, type TrackedMachine } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let port: number;
let dataBefore: string;
let ownMachine: TrackedMachine;
let otherMachine: TrackedMachine;
const clients: MqttClient[] = [];
const sockets: Socket[] = [];

/** Everything that devices could change, as one text. */
async function readDeviceData(): Promise<string> {
  const checksums = await Promise.all(
    [
      'observations',
      'segments',
      'machine_days',
      'machine_watch',
      'machines_state',
      'trackers',
      'trackers_state',
      'discovered_trackers',
      'users',
      'machines',
    ].map((table) =>
      app.db.rows(
        sql`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum from ${sql.identifier(table)} t`,
      ),
    ),
  );
  return JSON.stringify(checksums);
}

beforeAll(async () => {
  port = await freePort();
  ({ app, world } = await startTestWorld({ env: { MQTT_PORT: String(port) } }));
  ownMachine = await prepareTrackedMachine(app, world, 0);
  otherMachine = await prepareTrackedMachine(app, world, 8);
});
afterAll(() => app.close());

beforeEach(async () => {
  dataBefore = await readDeviceData();
});
/** Asserts that nothing changed and that valid messages are still accepted. */
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true);
  for (const socket of sockets.splice(0)) socket.destroy();
  expect(await readDeviceData()).toBe(dataBefore);
  expect((await send.own(JSON.stringify([{ battery: 50 }]))).status).toBe(200);
  expect(await publish(await connectClient(), telemetryTopic, { battery: 51 })).toBe('acknowledged');
});

const connectClient = async (options: Parameters<typeof connectDevice>[1] = {}): Promise<MqttClient> => {
  const mqttClient = await connectDevice(port, { username: ownMachine.secret, ...options });
  mqttClient.on('error', () => undefined);
  clients.push(mqttClient);
  return mqttClient;
};
const telemetryTopic = 'v1/devices/me/telemetry';
const vehicleTopic = (id: string, name: string) => `uagv/v2/ACME/${id}/${name}`;

type Body = string | Buffer;
const post = (path: string, body: Body, headers: Record<string, string> = {}) =>
  app.call(undefined, 'POST', path, body, { 'content-type': 'application/json', ...headers });
const send = {
  'OsmAnd JSON': (body: Body) => post('/ingest/osmand', body),
  'OsmAnd form': (body: Body) => post('/ingest/osmand', body, { 'content-type': 'application/x-www-form-urlencoded' }),
  'OsmAnd of no type': (body: Body) => post('/ingest/osmand', body, { 'content-type': 'application/octet-stream' }),
  'ThingsBoard telemetry': (body: Body) => post(`/ingest/tb/api/v1/${ownMachine.secret}/telemetry`, body),
  'ThingsBoard attributes': (body: Body) => post(`/ingest/tb/api/v1/${ownMachine.secret}/attributes`, body),
  own: (body: Body) => post('ingest', body, { authorization: `Bearer ${ownMachine.secret}` }),
};
const routes = Object.entries(send);

/** A valid message of each form. */
const validMessages = () => ({
  'OsmAnd JSON': JSON.stringify({
    device_id: ownMachine.deviceId,
    location: {
      timestamp: '2026-10-20T10:00:00Z',
      coords: { latitude: 1, longitude: 2, speed: 0, heading: 0, accuracy: 1, altitude: 1 },
      extras: { note: 'ä' },
    },
  }),
  'ThingsBoard telemetry': JSON.stringify({ ts: 1_790_000_000_000, values: { battery: 5, note: 'ä' } }),
  own: JSON.stringify([{ at: '2026-10-20T10:00:00Z', battery: 5, note: 'ä' }]),
});

describe.each(routes)('%s', (_name, send) => {
  const expectRejected = async (body: Body) => {
    const { status, text } = await send(body);
    expect([400, 413, 422], `${String(body).slice(0, 40)} gave ${status}`).toContain(status);
    expect(text).not.toMatch(/select |insert |at .*\.ts:/);
  };

  test('rejects bytes that are not UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom([0xff], [0xc3], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88]),
        (bytes, mutation) =>
          expectRejected(
            Buffer.concat([
              Buffer.from(`id=${ownMachine.deviceId}&x=`),
              Buffer.from(bytes),
              Buffer.from(mutation),
              Buffer.from('&lat=1'),
            ]),
          ),
      ),
      { numRuns: 25 },
    );
  });

  test.each([
    ['NUL', `\u0000`],
    ['NUL in a name and a value', `id=${'x'}%00y&%00=1`],
    ['lone surrogates', '{"device_id":"\\ud800","ts":"\\udfff","values":1,"at":"\\ud800"}'],
    ['unterminated arrays', '['.repeat(20_000)],
    ['unterminated objects', '{"values":'.repeat(5000)],
    [
      'closed arrays, nested too deeply',
      `{"ts":1,"values":{"a":${'['.repeat(100)}${']'.repeat(100)}},"location":${'['.repeat(100)}${']'.repeat(100)},"at":${'['.repeat(100)}${']'.repeat(100)}}`,
    ],
    ['a bare number', '9'.repeat(400)],
    ['prototype keys', '{"__proto__":{"ts":1,"values":{}},"ts":1,"values":1,"at":"x","constructor":1}'],
    ['a body that is too large', `[${'1,'.repeat(700_000)}1]`],
  ])('rejects %s', async (_what, body) => expectRejected(body));
});

test('rejects an invalid time, except over ThingsBoard, which then uses the time of receipt', async () => {
  for (const [name, send] of routes) {
    const { status } = await send('{"ts":{},"values":{},"at":{},"device_id":1}');
    expect(name.startsWith('ThingsBoard') ? [200] : [400, 422], name).toContain(status);
  }
  const isRecentSql = sql`select (max(at) > now() - interval '1 minute') as now
    from observations where machine_id = ${ownMachine.machine}`;
  expect(await app.db.one(isRecentSql)).toEqual({ now: true });
  dataBefore = await readDeviceData();
});

test.each([
  'OsmAnd JSON',
  'ThingsBoard telemetry',
  'own',
] as const)('%s is rejected wherever it is truncated', async (format) => {
  const validBody = Buffer.from(validMessages()[format]);
  for (let length = 1; length < validBody.length; length += 3)
    expect((await send[format](validBody.subarray(0, length))).status, String(length)).toBe(400);
});

test('rejects or ignores numbers out of range', async () => {
  for (const number of [
    '1e400',
    '-1e400',
    '9'.repeat(400),
    '1e308',
    '-0',
    '1e-400',
    '123456789012345678901234567890',
  ]) {
    const fields = `"latitude":${number},"longitude":${number},"battery":${number},"speed":${number}`;
    const responses = [
      await app.call(undefined, 'GET', `/ingest/osmand?id=unknown&lat=${number}&lon=${number}&timestamp=${number}`),
      await send['OsmAnd JSON'](`{"device_id":"unknown","location":{"timestamp":${number},"coords":{${fields}}}}`),
      await send['ThingsBoard telemetry'](`{"ts":${number},"values":{"a":"\\u0000",${fields}}}`),
      await send.own(`[{"at":${number},"altitude":"high",${fields}}]`),
    ];
    for (const { status } of responses) expect([400, 404, 422], number).toContain(status);
  }
  await app.db.rows(sql`delete from discovered_trackers`);
  await app.db.rows(sql`delete from trackers where tracker_or_serial = 'unknown'`);
  dataBefore = await readDeviceData();
});

test('rejects device ids that are too long or empty, and stores nothing of them', async () => {
  for (const id of ['x'.repeat(121), 'x'.repeat(10_000), ' ', '%20%09', '%00', '%ff', '%c3%28', '%ed%a0%80'])
    for (const { status } of [
      await app.call(undefined, 'GET', `/ingest/osmand?id=${id.slice(0, 7000)}&lat=1&lon=2`),
      await send['OsmAnd form'](`id=${id}&lat=1&lon=2`),
      await send['OsmAnd JSON'](JSON.stringify({ device_id: id, location: { timestamp: '2026-10-20T10:00:00Z' } })),
    ])
      expect([400, 404], id.slice(0, 20)).toContain(status);
  await app.db.rows(sql`delete from discovered_trackers`);
  await app.db.rows(sql`delete from trackers where tracker_or_serial like '\\%%'`);
  dataBefore = await readDeviceData();
});

test('wrong paths, secrets and methods neither write nor read anything', async () => {
  const body = JSON.stringify([{ battery: 1 }]);
  for (const authorization of [
    '',
    'Bearer',
    'Bearer x',
    `Bearer swt_${'x'.repeat(43)}`,
    `Basic ${ownMachine.secret}`,
    `Bearer ${await app.createSessionToken(world.admin)}`,
    `Bearer ${ownMachine.secret}x`,
  ])
    expect((await post('ingest', body, { authorization })).status, authorization).toBe(401);
  for (const token of [
    '..',
    '%2e%2e',
    'swt_',
    '%00',
    'x'.repeat(5000),
    `${ownMachine.secret}%20`,
    `${ownMachine.secret}/..`,
  ])
    expect([400, 401, 404, 414], token.slice(0, 20)).toContain(
      (await post(`/ingest/tb/api/v1/${token}/telemetry`, '{}')).status,
    );
  // Devices read attributes and poll for commands by GET.
  for (const path of [
    `/ingest/tb/api/v1/${ownMachine.secret}/telemetry`,
    `/ingest/tb/api/v1/${ownMachine.secret}/attributes`,
    `/ingest/tb/api/v1/${ownMachine.secret}/rpc`,
    '/api/v1/ingest',
  ])
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const)
      if (method !== 'GET' || !/\/(attributes|rpc)$/.test(path))
        expect([401, 404, 405], `${method} ${path}`).toContain((await app.call(undefined, method, path)).status);
  // A device's secret grants no access to calls of users.
  for (const path of ['machines', 'trackers', `machines/${ownMachine.machine}`, 'events', 'ingest'])
    expect([401, 404]).toContain((await app.call(ownMachine.secret, 'GET', path)).status);
});

test('a batch that names another machine is stored for the sender’s own machine', async () => {
  const foreignIds = {
    machine_id: otherMachine.machine,
    device: otherMachine.deviceId,
    device_id: otherMachine.deviceId,
    tracker_id: 1,
    serial_number: 'South-111',
  };
  const otherObservations = await app.db.rows(
    sql`select * from observations where machine_id = ${otherMachine.machine}`,
  );
  expect((await send.own(JSON.stringify([{ battery: 7, ...foreignIds }]))).status).toBe(200);
  expect((await send['ThingsBoard telemetry'](JSON.stringify({ battery: 8, ...foreignIds }))).status).toBe(200);
  expect(await app.db.rows(sql`select * from observations where machine_id = ${otherMachine.machine}`)).toEqual(
    otherObservations,
  );
  dataBefore = await readDeviceData();
});

describe('over MQTT', () => {
  /** Sends bytes to the broker and waits until it closes the connection. Returns its response. */
  async function sendBytes(...parts: Uint8Array[]): Promise<Buffer> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => chunks.push(bytes));
    const closeEvent = new Promise((resolve) => socket.once('close', resolve));
    for (const part of parts) socket.write(part);
    await closeEvent;
    return Buffer.concat(chunks);
  }
  /** Publishes on a separate connection and returns the outcome. */
  const publishAlone = async (topic: string, body: string | Buffer) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    return new Promise<'acknowledged' | 'closed'>((resolve) => {
      socket
        .once('close', () => resolve('closed'))
        .on('data', (bytes: Buffer) => bytes.includes(Buffer.from([0x40, 2, 0, 1])) && resolve('acknowledged'));
      socket.write(Buffer.concat([connectPacket(ownMachine.secret), publishPacket(topic, body)]));
    });
  };

  test('closes the connection on bytes that are not packets', async () => {
    const malformedPackets = [
      Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      Buffer.from([0x00, 0x00]),
      Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]),
      publishPacket(telemetryTopic, '{}'),
      connectPacket(ownMachine.secret, { level: 6 }),
      buildPacket(0x10, Buffer.from([0, 4]), Buffer.from('HTTP'), Buffer.from([4, 2, 0, 60, 0, 0])),
      buildPacket(0x36, Buffer.from([0, 1, 97, 0, 1])),
    ];
    for (const bytes of malformedPackets) expect(await sendBytes(bytes)).toEqual(Buffer.alloc(0));
    // These packets are valid but incomplete, so the connection is closed after a timeout or by the sender.
    for (const bytes of fc.sample(fc.uint8Array({ maxLength: 300 }), 40)) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(Buffer.from(bytes));
    }
  });

  test('closes the connection on packets out of order and on topics that are malformed or contain wildcards', async () => {
    const connectBytes = connectPacket(ownMachine.secret);
    const topics = [
      Buffer.from([0xff, 0xfe]),
      'v1/devices/+/telemetry',
      '#',
      '',
      'v1/devices/me/telemetry\u0000',
      '$SYS/broker/clients',
      'x'.repeat(60_000),
    ];
    for (const topic of topics) expect((await sendBytes(connectBytes, publishPacket(topic, '{}'))).length).toBe(4);
    expect((await sendBytes(connectBytes, connectBytes)).subarray(0, 4)).toEqual(Buffer.from([0x20, 2, 0, 0]));
  });

  test('rejects a malformed secret like an incorrect one', async () => {
    const wrongSecret = `swt_${'x'.repeat(43)}`;
    const expected = Buffer.from([0x20, 2, 0, 4]);
    expect(await sendBytes(connectPacket(wrongSecret))).toEqual(expected);
    for (const username of [
      '',
      'x',
      'x'.repeat(60_000),
      "' or 1=1 --",
      `${ownMachine.secret}\u0000`,
      ownMachine.deviceId,
    ]) {
      const response = await sendBytes(connectPacket(username));
      if (response.length > 0) expect(response).toEqual(expected);
    }
  });

  test('stores nothing of malformed payloads on a device’s own topics, and keeps the connection', async () => {
    const bodies = [
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('{"a":"'.concat('\u0000"}')),
      Buffer.from('['.repeat(100_000)),
      Buffer.from(`{"a":${'{"a":'.repeat(500)}1${'}'.repeat(501)}`),
    ];
    for (const body of bodies) expect(await publishAlone(telemetryTopic, body)).toBe('acknowledged');
    for (const body of bodies)
      expect(await publishAlone(vehicleTopic(ownMachine.deviceId, 'connection'), body)).toBe('acknowledged');
  });

  test('last wills and retained messages cannot publish on topics of other devices', async () => {
    for (const topic of [
      vehicleTopic(otherMachine.deviceId, 'state'),
      vehicleTopic(otherMachine.deviceId, 'connection'),
      vehicleTopic(otherMachine.deviceId, 'factsheet'),
      vehicleTopic(otherMachine.deviceId, 'order'),
      `uagv/v2/${ownMachine.deviceId}/${otherMachine.deviceId}/state`,
      'v1/devices/other/telemetry',
    ])
      expect(await publishAlone(topic, JSON.stringify(vdaState())), topic).toBe('closed');
    const brokenMessage = Buffer.from(JSON.stringify({ ...vdaHeader(), connectionState: 'CONNECTIONBROKEN' }));
    for (const topic of [vehicleTopic(otherMachine.deviceId, 'connection'), '$SYS/x', '#']) {
      const willClient = await connectClient({ will: { topic, payload: brokenMessage, qos: 1, retain: true } }).catch(
        () => undefined,
      );
      if (willClient) dropConnection(willClient);
    }
    const receivedTopics: string[] = [];
    const lateClient = await connectClient({ username: otherMachine.secret, clean: false, clientId: 'late' });
    lateClient.on('message', (topic) => receivedTopics.push(topic));
    for (const filter of [vehicleTopic(otherMachine.deviceId, '#'), 'v1/devices/me/attributes'])
      await lateClient.subscribeAsync(filter, { qos: 1 });
    for (const filter of ['$SYS/#', '#', vehicleTopic(ownMachine.deviceId, '#'), '$share/g/#'])
      await expect(lateClient.subscribeAsync(filter), filter).rejects.toThrow();
    expect(await publish(await connectClient(), 'v1/devices/me/attributes', '{', { retain: true })).toBe(
      'acknowledged',
    );
    expect(receivedTopics).toEqual([]);
  });

  test('a client id in use does not take over the connection, and an oversized packet closes only its own connection', async () => {
    const otherClient = await connectClient({ username: otherMachine.secret, clientId: 'scrubber' });
    const ownClient = await connectClient({ clientId: 'scrubber' });
    expect(await publish(ownClient, telemetryTopic, 'x'.repeat(300_000))).toBe('closed');
    expect(otherClient.connected).toBe(true);
    expect(await publish(otherClient, telemetryTopic, '{')).toBe('acknowledged');
  });
});
