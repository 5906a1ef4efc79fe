/** OwnTracks over HTTP with the requests of its apps, and the remaining calls of ThingsBoard's HTTP API. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let tracker: number;
let deviceId: string;
let secret: string;
let nextIndex = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ machine, tracker, deviceId, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

/** A message as the Android app sends it, with all of its fields. */
const locationMessage = (fields: object = {}) => ({
  _type: 'location',
  BSSID: '4c:60:de:aa:bb:cc',
  SSID: 'depot',
  _id: '1a2b3c4d',
  acc: 12,
  alt: 51,
  batt: 83,
  bs: 1,
  conn: 'w',
  created_at: 1_795_400_000,
  lat: 52.52,
  lon: 13.405,
  m: 1,
  tid: 'sc',
  tst: Math.floor(Date.now() / 1000),
  vac: 2,
  vel: 18,
  ...fields,
});
const post = (body: unknown, { query = '', ...headers }: Record<string, string> = {}) =>
  app.call<unknown>(
    undefined,
    'POST',
    `/ingest/owntracks${query}`,
    typeof body === 'string' ? body : JSON.stringify(body),
    { 'content-type': 'application/json', ...headers },
  );
const readMachine = async () =>
  (await app.call<{ data: Record<string, unknown> }>(world.admin, 'GET', `machines/${machine}`)).body.data;
const readObservations = async () =>
  app.db.select(
    { speed: pg.double.nullable, accuracy: pg.double.nullable, attributes: pg.json<Record<string, unknown>>() },
    sql`select speed, accuracy, attributes from observations where machine_id = ${machine} order by at`,
  );
const basicAuth = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe('OwnTracks', () => {
  test('stores a location and responds with an empty list', async () => {
    const { status, body } = await post(locationMessage(), { 'x-limit-u': 'depot', 'x-limit-d': deviceId });
    expect([status, body]).toEqual([200, []]);
    expect(await readMachine()).toMatchObject({ status: 'Online', battery: 83, latitude: 52.52, longitude: 13.405 });
    expect(await readObservations()).toMatchObject([
      { speed: 5, accuracy: 12, attributes: { conn: 'w', tid: 'sc', m: 1 } },
    ]);
  });

  test('accepts the device id in a header, the query or the HTTP Basic user name, or the secret of its tracker', async () => {
    await app.db.rows(sql`update trackers set tracker_or_serial = 'depot/phone' where id = ${tracker}`);
    const tst = Math.floor(Date.now() / 1000) - 100;
    const credentials: Record<string, string>[] = [
      { 'x-limit-u': 'depot', 'x-limit-d': 'phone' },
      { query: '?u=depot&d=phone' },
      { ...basicAuth('depot', 'any'), 'x-limit-d': 'phone' },
      basicAuth('whoever', secret),
    ];
    for (const [index, headers] of credentials.entries())
      expect((await post(locationMessage({ tst: tst + index, bs: 2 }), headers)).status, JSON.stringify(headers)).toBe(
        200,
      );
    expect(await readObservations()).toHaveLength(credentials.length);
    expect(await readMachine()).toMatchObject({ status: 'Charging' });
    expect((await post(locationMessage(), basicAuth('depot', `swt_${'x'.repeat(43)}`))).status).toBe(401);
    expect((await post(locationMessage())).status).toBe(400);
  });

  test('acknowledges and ignores messages without a location, and rejects malformed ones', async () => {
    const sender = { 'x-limit-d': deviceId };
    for (const body of [
      '',
      { _type: 'lwt', tst: 1_795_400_000 },
      { _type: 'transition', event: 'enter', desc: 'depot', tst: 1 },
      { _type: 'waypoints', waypoints: [] },
      { _type: 'encrypted', data: 'AAAA' },
    ])
      expect((await post(body, sender)).body, JSON.stringify(body)).toEqual([]);
    for (const body of ['{', '[]', { _type: 'location', tst: 1 }, locationMessage({ lat: 91 })])
      expect((await post(body, sender)).status, JSON.stringify(body)).toBe(400);
    expect(await readObservations()).toEqual([]);
  });

  test('rejects a sender whose name cannot be stored', async () => {
    for (const query of ['?u=anna%00&d=phone', '?d=phone%00'])
      expect((await app.call(undefined, 'POST', `/ingest/owntracks${query}`, locationMessage())).status).toBe(400);
    const authorization = `Basic ${Buffer.from('anna\0:').toString('base64')}`;
    const { status } = await app.call(undefined, 'POST', '/ingest/owntracks', locationMessage(), { authorization });
    expect(status).toBe(400);
  });

  test('an unknown phone appears as an unassigned tracker, and is accepted once it is on a machine', async () => {
    const sender = { query: '?u=depot&d=new-phone' };
    expect((await post(locationMessage(), sender)).status).toBe(404);
    const { body } = await app.call<{ data: { id: number; latitude: number }[] }>(
      world.admin,
      'GET',
      'trackers?filter[tracker_or_serial]=depot/new-phone',
    );
    expect(body.data).toMatchObject([{ assigned: false, messages: 1, latitude: 52.52 }]);
    await app.db.rows(sql`update machines set tracker_id = ${body.data[0]?.id as number} where id = ${machine}`);
    expect((await post(locationMessage(), sender)).body).toEqual([]);
  });
});

describe('ThingsBoard over HTTP', () => {
  const callThingsBoard = (method: 'GET' | 'POST', path: string, body?: object) =>
    app.call<unknown>(undefined, method, `/ingest/tb/api/v1/${path}`, body);

  test('responds to device requests', async () => {
    const start = Date.now();
    const { body } = await callThingsBoard('POST', `${secret}/rpc`, { method: 'getCurrentTime', params: {} });
    expect(body).toBeGreaterThanOrEqual(start - 60_000);
    expect((await callThingsBoard('GET', `${secret}/attributes?clientKeys=a&sharedKeys=b`)).body).toEqual({});
  });

  test('accepts and ignores unsupported message types, from known devices only', async () => {
    for (const path of ['claim', 'rpc/7', 'extension/of/a/maker'])
      expect((await callThingsBoard('POST', `${secret}/${path}`, { a: 1 })).status, path).toBe(200);
    for (const path of ['claim', 'rpc', 'attributes'])
      expect((await callThingsBoard('POST', `swt_${'x'.repeat(43)}/${path}`, {})).status, path).toBe(401);
    expect(await readObservations()).toEqual([]);
  });
});
