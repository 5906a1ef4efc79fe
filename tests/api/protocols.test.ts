/**
 * Sends messages as specified by the documents of each protocol, and checks the resulting machine state. Sources: the
 * JSON schemas of VDA 5050, traccar.org/osmand, thingsboard.io ("HTTP" and "MQTT Device API Reference").
 */
import { sql } from 'drizzle-orm';
import type { MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { observationColumns, observationShape } from '../../server/telemetry/ingest/storeMessages';
import * as mqtt from '../support/mqttDevice';
import { freePort } from '../support/startCluster';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import { type VdaTopic, type VdaVersion, validateVda, vdaVersions } from '../support/vdaSchemas';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let port: number;
let machine: number;
let device: string;
let secret: string;
let nextIndex = 0;
const clients: MqttClient[] = [];
const noon = new Date('2026-10-20T10:00:00Z');
let currentTime = noon;

beforeAll(async () => {
  port = await freePort();
  ({ app, world } = await startTestWorld({ env: { MQTT_PORT: String(port) } }));
  app.services.now = () => currentTime;
});
afterAll(() => app.close());

/** Each test has a machine without a history. */
beforeEach(async () => {
  currentTime = noon;
  ({ machine, deviceId: device, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
  for (const table of ['observations', 'segments', 'machine_days', 'machine_logs', 'machine_watch', 'raw_messages'])
    await app.db.rows(sql`delete from ${sql.identifier(table)} where machine_id = ${machine}`);
  await app.db.rows(
    sql`update machines_state set latitude = null, longitude = null, battery = null, mode = null, last_seen = null where id = ${machine}`,
  );
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true);
});

const readObservations = () =>
  app.db.select(
    observationShape,
    sql`select ${observationColumns} from observations where machine_id = ${machine} order by at, kind`,
  );
const readMachine = async () =>
  (await app.call<{ data: Record<string, unknown> }>(world.admin, 'GET', `machines/${machine}`)).body.data;

const sendQuery = (search: string) => app.call(undefined, 'GET', `/ingest/osmand?${search}`);
const sendForm = (body: string) =>
  app.call(undefined, 'POST', '/ingest/osmand', body, { 'content-type': 'application/x-www-form-urlencoded' });
const sendJson = (body: object) =>
  app.call(undefined, 'POST', '/ingest/osmand', JSON.stringify(body), { 'content-type': 'application/json' });
const sendThingsBoard = (body: unknown) =>
  app.call(undefined, 'POST', `/ingest/tb/api/v1/${secret}/telemetry`, JSON.stringify(body), {
    'content-type': 'application/json',
  });
const sendNative = (items: readonly object[]) => sendBatch(app, secret, items);
async function connectDevice(): Promise<MqttClient> {
  const client = await mqtt.connectDevice(port, { username: secret });
  clients.push(client);
  return client;
}

describe('OsmAnd', () => {
  const allParameters = `lat=48.8566&lon=2.3522&timestamp=${noon.getTime()}&hdop=0.8&altitude=35&speed=15&bearing=270&accuracy=10&batt=75.4&charge=false&valid=true`;
  const expected = {
    at: noon,
    latitude: 48.8566,
    longitude: 2.3522,
    altitude: 35,
    heading: 270,
    accuracy: 10,
    battery: 75,
    // 15 knots.
    speed: 15 * (1852 / 3600),
    attributes: { hdop: 0.8 },
  };

  test.each([
    ['a query with id', (id: string) => sendQuery(`id=${id}&${allParameters}`)],
    ['a query with deviceid', (id: string) => sendQuery(`deviceid=${id}&${allParameters}`)],
    [
      'a query with location',
      (id: string) => sendQuery(`id=${id}&${allParameters.replace(/lat=.*?&lon=.*?&/, 'location=48.8566,2.3522&')}`),
    ],
    ['a form', (id: string) => sendForm(`id=${id}&${allParameters}`)],
  ])('reads %s completely', async (_name, send) => {
    const response = await send(device);
    expect([response.status, response.text]).toEqual([200, '']);
    expect(await readObservations()).toMatchObject([expected]);
  });

  test('stores nearby cells and networks unchanged', async () => {
    await sendQuery(
      `id=${device}&lat=1&lon=2&timestamp=1609459200000&cell=208,10,12345,67890,50&wifi=00:11:22:33:44:55,-70`,
    );
    expect((await readObservations())[0]?.attributes).toEqual({
      cell: '208,10,12345,67890,50',
      wifi: '00:11:22:33:44:55,-70',
    });
  });

  test('reads the JSON of the Traccar Client app in m/s, with the battery from 0 to 1 and -1 for unknown values', async () => {
    const location = {
      timestamp: noon.toISOString(),
      coords: { latitude: 52.5, longitude: 13.4, accuracy: 4.5, speed: 1.25, heading: -1, altitude: 30 },
      is_moving: true,
      odometer: 1234.5,
      event: 'motionchange',
      activity: { type: 'walking' },
      extras: {},
      battery: { level: 0.57, is_charging: false },
    };
    expect((await sendJson({ location, device_id: device })).status).toBe(200);
    expect(await readObservations()).toMatchObject([
      {
        at: noon,
        state: 'Online',
        battery: 57,
        speed: 1.25,
        heading: null,
        accuracy: 4.5,
        altitude: 30,
        odometer: 1234,
        attributes: { activity: 'walking' },
      },
    ]);
    const parkedMessage = {
      ...location,
      timestamp: '2026-10-20T12:00:05+02:00',
      is_moving: false,
      battery: { level: -1, is_charging: true },
    };
    expect((await sendJson({ location: parkedMessage, device_id: device })).status).toBe(200);
    expect(await readMachine()).toMatchObject({
      status: 'Charging',
      battery: 57,
      last_seen: '2026-10-20T10:00:05.000Z',
    });
  });

  test('keeps the last position if a message has none or an invalid one', async () => {
    await sendQuery(`id=${device}&timestamp=${noon.getTime()}&lat=52.5&lon=13.4`);
    await sendQuery(`id=${device}&timestamp=${noon.getTime() + 1000}&batt=40`);
    await sendQuery(`id=${device}&timestamp=${noon.getTime() + 2000}&lat=0&lon=0&valid=false`);
    expect(await readMachine()).toMatchObject({ latitude: 52.5, longitude: 13.4, battery: 40 });
    const [, second, third] = await readObservations();
    expect([second?.latitude, third?.latitude]).toEqual([null, null]);
  });
});

describe('ThingsBoard', () => {
  const ts = noon.getTime();
  test.each([
    ['a plain object, at the time of receipt', { temperature: 42, status: 'cleaning' }, [noon]],
    ['a time and values', { ts, values: { temperature: 42, status: 'cleaning' } }, [noon]],
    [
      'an array of times and values',
      [
        { ts: ts - 1000, values: { temperature: 41, status: 'parked' } },
        { ts, values: { temperature: 42, status: 'cleaning' } },
      ],
      [new Date(ts - 1000), noon],
    ],
    ['an array of plain objects', [{ temperature: 42 }, { status: 'cleaning' }], [noon]],
    [
      'values of every type',
      { ts, values: { temperature: 42, status: 'cleaning', on: true, text: 'a', nested: { a: 1 }, list: [1, 2] } },
      [noon],
    ],
  ])('accepts %s, over HTTP and over MQTT', async (_name, body, times) => {
    expect((await sendThingsBoard(body)).status).toBe(200);
    const observationsByHttp = await readObservations();
    expect(observationsByHttp.map(({ at }) => at)).toEqual(times);
    expect(observationsByHttp.at(-1)).toMatchObject({ state: 'Cleaning', attributes: { temperature: 42 } });
    await app.db.rows(sql`delete from observations where machine_id = ${machine}`);
    for (const topic of ['v1/devices/me/telemetry', 'v2/t'])
      expect(await mqtt.publish(await connectDevice(), topic, body)).toBe('acknowledged');
    expect((await readObservations()).at(-1)).toMatchObject({ state: 'Cleaning', attributes: { temperature: 42 } });
  });
});

/** Messages of a vehicle in the format of each version. */
function vehicleMessages(version: VdaVersion) {
  const isThird = version === '3.0.0';
  const header = (time = noon) => ({
    headerId: 1,
    timestamp: time.toISOString(),
    version,
    manufacturer: 'ACME',
    serialNumber: device,
  });
  const positionFields = {
    x: 12.5,
    y: -3.25,
    theta: 1.5,
    mapId: 'ground',
    ...(isThird ? { localized: true } : { positionInitialized: true }),
  };
  const position = isThird ? { mobileRobotPosition: positionFields } : { agvPosition: positionFields };
  const powerSupply = (charge: number, charging: boolean) =>
    isThird
      ? { powerSupply: { stateOfCharge: charge, charging } }
      : { batteryState: { batteryCharge: charge, charging } };
  const state = (fields: object, time = noon) => ({
    ...header(time),
    orderId: 'o-7',
    orderUpdateId: 2,
    lastNodeId: 'n3',
    lastNodeSequenceId: 6,
    errors: [],
    actionStates: [],
    nodeStates: [{ nodeId: 'n4', sequenceId: 8, released: true }],
    edgeStates: [{ edgeId: 'e3', sequenceId: 7, released: true }],
    ...(isThird ? { instantActionStates: [] } : {}),
    driving: false,
    paused: false,
    operatingMode: 'AUTOMATIC',
    velocity: { vx: 0.6, vy: 0.8, omega: 0 },
    ...position,
    ...powerSupply(64.4, false),
    safetyState: { ...(isThird ? { activeEmergencyStop: 'NONE' } : { eStop: 'NONE' }), fieldViolation: false },
    ...fields,
  });
  return {
    state,
    supply: powerSupply,
    topic: (name: VdaTopic) => `${isThird ? 'vda5050/v3' : 'uagv/v2'}/ACME/${device}/${name}`,
    connection: (connectionState: string) => ({ ...header(), connectionState }),
    visualization: () => ({
      ...header(new Date(noon.getTime() + 500)),
      ...(isThird ? { referenceStateHeaderId: 1 } : {}),
      ...position,
      velocity: { vx: 1.2, vy: 0 },
    }),
    teaching: isThird ? 'TEACH_IN' : 'TEACHIN',
    broken: isThird ? 'CONNECTION_BROKEN' : 'CONNECTIONBROKEN',
  };
}

describe.each(vdaVersions)('VDA 5050 %s', (version) => {
  /** Publishes a message after validating it against its JSON schema. */
  async function publishValid(client: MqttClient, name: VdaTopic, message: object): Promise<void> {
    expect(await validateVda(version, name, message)).toBe('valid');
    expect(await mqtt.publish(client, vehicleMessages(version).topic(name), message)).toBe('acknowledged');
  }

  test('reads the states of a shift from its messages', async () => {
    const { state, supply, connection, visualization, teaching, broken } = vehicleMessages(version);
    const client = await connectDevice();
    await publishValid(client, 'connection', connection('ONLINE'));
    expect(await readMachine()).toMatchObject({ status: 'Online' });
    const secondsLater = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
    const runningAction = { actionId: 'a1', actionType: 'startCleaning', actionStatus: 'RUNNING' };
    const steps: [object, object][] = [
      [
        state({ driving: true, actionStates: [runningAction] }, secondsLater(1)),
        { status: 'Cleaning', mode: 'robotic', battery: 64 },
      ],
      [state({ operatingMode: 'MANUAL', driving: true }, secondsLater(2)), { status: 'Online', mode: 'manual' }],
      [state({ operatingMode: teaching }, secondsLater(3)), { status: 'Parked', mode: 'teaching' }],
      [state({ operatingMode: 'SERVICE' }, secondsLater(4)), { status: 'Online', mode: null }],
      [state({ ...supply(20, true) }, secondsLater(5)), { status: 'Charging', mode: 'robotic', battery: 20 }],
    ];
    for (const [message, expected] of steps) {
      await publishValid(client, 'state', message);
      expect(await readMachine()).toMatchObject(expected);
    }
    await publishValid(client, 'visualization', visualization());
    expect(await readMachine()).toMatchObject({ status: 'Charging', latitude: null });
    const [first] = (await readObservations()).filter((observation) => observation.state === 'Cleaning');
    expect(first).toMatchObject({ speed: 1, latitude: null, attributes: { lastNodeId: 'n3' } });
    currentTime = secondsLater(6);
    await publishValid(client, 'connection', connection(broken));
    expect(await readMachine()).toMatchObject({ status: 'Offline' });
  });

  test('logs errors of every level once', async () => {
    const { state } = vehicleMessages(version);
    const levels = version === '3.0.0' ? ['WARNING', 'URGENT', 'CRITICAL', 'FATAL'] : ['WARNING', 'FATAL'];
    const errors = levels.map((errorLevel) => ({
      errorType: `e-${errorLevel}`,
      errorLevel,
      errorDescription: 'Look',
      errorReferences: [],
    }));
    const client = await connectDevice();
    for (const seconds of [0, 1])
      await publishValid(client, 'state', state({ errors }, new Date(noon.getTime() + seconds * 1000)));
    const logRows = await app.db.select(
      { code: pg.text, level: pg.text },
      sql`select code, level from machine_logs where machine_id = ${machine} and kind = 'error' order by code`,
    );
    expect(logRows).toEqual(
      levels
        .map((level) => ({ code: `e-${level}`, level: level === 'WARNING' ? 'warning' : 'error' }))
        .sort((a, b) => (a.code < b.code ? -1 : 1)),
    );
  });
});

describe('device clocks', () => {
  const instant = new Date(noon.getTime() - 60_000);
  const [seconds, milliseconds, iso] = [instant.getTime() / 1000, instant.getTime(), instant.toISOString()];
  test.each([
    ['seconds', seconds, String(seconds)],
    ['milliseconds', milliseconds, String(milliseconds)],
    ['ISO 8601', iso, iso],
    ['ISO 8601 with an offset', '2026-10-20T11:59:00+02:00', encodeURIComponent('2026-10-20T11:59:00+02:00')],
    ['a date and a time, which are UTC', '2026-10-20 09:59:00', '2026-10-20+09:59:00'],
  ])('in %s give the same time in every protocol', async (_name, value, inQuery) => {
    expect((await sendQuery(`id=${device}&timestamp=${inQuery}&batt=20`)).status).toBe(200);
    expect((await sendThingsBoard({ ts: value, values: { battery: 10 } })).status).toBe(200);
    expect((await sendNative([{ at: value, battery: 30 }])).status).toBe(200);
    // Equal times of one machine are one observation; of several battery values the lowest counts.
    expect(await readObservations()).toMatchObject([{ at: instant, battery: 10 }]);
  });

  test.each([
    ['a day ahead', 86_400_000],
    ['six minutes ahead', 360_000],
    ['never set', -noon.getTime()],
    ['before 1970', -noon.getTime() - 1e10],
  ])('that are %s are rejected: the time of receipt is used and logged', async (_name, offset) => {
    const sentAt = new Date(noon.getTime() + offset);
    expect((await sendQuery(`id=${device}&timestamp=${sentAt.getTime()}&batt=10`)).status).toBe(200);
    currentTime = new Date(noon.getTime() + 1000);
    expect((await sendThingsBoard({ ts: sentAt.getTime(), values: { battery: 20 } })).status).toBe(200);
    currentTime = new Date(noon.getTime() + 2000);
    expect((await sendNative([{ at: sentAt.toISOString(), battery: 30 }])).status).toBe(200);
    expect((await readObservations()).map(({ at, battery }) => [at.getTime() - noon.getTime(), battery])).toEqual([
      [0, 10],
      [1000, 20],
      [2000, 30],
    ]);
    const logRow = await app.db.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from machine_logs where machine_id = ${machine} and kind = 'clock'`,
    );
    expect(logRow).toEqual({ n: 3 });
  });

  test('that are four minutes ahead are accepted', async () => {
    await sendQuery(`id=${device}&timestamp=${noon.getTime() + 240_000}&batt=10`);
    expect(await readObservations()).toMatchObject([{ at: new Date(noon.getTime() + 240_000) }]);
  });
});

describe('unknown values', () => {
  test('are -1 in every protocol, and change nothing', async () => {
    await sendNative([{ at: noon.toISOString(), battery: 55, latitude: 52.5, longitude: 13.4 }]);
    const timeAfter = (seconds: number) => noon.getTime() + seconds * 1000;
    await sendQuery(`id=${device}&timestamp=${timeAfter(1)}&batt=-1&speed=-1&bearing=-1&accuracy=-1`);
    await sendThingsBoard({ ts: timeAfter(2), values: { battery: -1, speed: -1, heading: -1 } });
    await sendNative([{ at: timeAfter(3), battery: -1, speed: -1, heading: -1, accuracy: -1 }]);
    expect((await readObservations()).slice(1)).toMatchObject(
      Array.from({ length: 3 }, () => ({ battery: null, speed: null, heading: null, accuracy: null })),
    );
    expect(await readMachine()).toMatchObject({ battery: 55, latitude: 52.5 });
  });
});
