/** The ThingsBoard device API over HTTP, and trackers without a machine. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { countObservations, prepareTrackedMachine, replaceSecret } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let tracker: number;
let secret: string;
let nextIndex = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

beforeEach(async () => {
  ({ machine, tracker, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

const send = (body: unknown, { topic = 'telemetry', token = secret } = {}) =>
  app.call(
    undefined,
    'POST',
    `/ingest/tb/api/v1/${token}/${topic}`,
    typeof body === 'string' ? body : JSON.stringify(body),
    {
      'content-type': 'application/json',
    },
  );
const readMachine = async () =>
  (
    await app.call<{
      data: { status: string; status_reason: string; battery: number | null; latitude: number | null };
    }>(world.admin, 'GET', `machines/${machine}`)
  ).body.data;

describe('telemetry', () => {
  test('returns an empty 200 and updates its machine', async () => {
    const response = await send({ status: 'cleaning', mode: 'robotic', battery: 61, latitude: 52.5, longitude: 13.4 });
    expect([response.status, response.text]).toEqual([200, '']);
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', battery: 61, latitude: 52.5 });
  });

  test('is accepted with a time or as an array, and stored once, no matter how often it is sent', async () => {
    const ts = Date.now() - 60_000;
    const batch = [
      { ts, values: { status: 'cleaning' } },
      { ts: ts + 20_000, values: { status: 'parked', battery: 40 } },
    ];
    for (let round = 0; round < 2; round += 1) expect((await send(batch)).status).toBe(200);
    expect(await countObservations(app.db, machine)).toBe(2);
    expect(await readMachine()).toMatchObject({ status: 'Parked', battery: 40 });
  });

  test('without a time is stored each time it is sent, even concurrently', async () => {
    await Promise.all([1, 2, 3, 4, 5].map((battery) => send({ battery })));
    expect(await countObservations(app.db, machine)).toBe(5);
  });

  test.each([
    '{',
    '"x"',
    '[[]]',
    '{"a":"\\u0000"}',
    '',
  ])('that is unreadable is rejected, and nothing is stored: %s', async (body) => {
    expect((await send(body)).status).toBe(400);
    expect((await send(body, { topic: 'attributes' })).status).toBe(400);
    expect(await countObservations(app.db, machine)).toBe(0);
  });

  test('with an unknown token is rejected', async () => {
    for (const token of [
      'x',
      `swt_${'x'.repeat(43)}`,
      await app.createSessionToken(world.admin),
      '%00',
      'a'.repeat(200),
    ])
      expect((await send({ a: 1 }, { token })).status).toBe(401);
  });
});

test('attributes set position and battery, and leave the state unchanged', async () => {
  await send({ status: 'cleaning' });
  expect(
    (await send({ latitude: 7, longitude: 8, battery: 12, firmware: '2.0' }, { topic: 'attributes' })).status,
  ).toBe(200);
  expect(await readMachine()).toMatchObject({ status: 'Cleaning', latitude: 7, battery: 12 });
});

describe('a poll for calls or changed attributes', () => {
  const poll = (path: string, timeout: string, token = secret) =>
    app.call(undefined, 'GET', `/ingest/tb/api/v1/${token}/${path}?timeout=${timeout}`);

  test.each(['rpc', 'attributes/updates'])('is held until its timeout, then answered with 408: %s', async (path) => {
    const start = performance.now();
    const response = await poll(path, '40');
    expect([response.status, response.text]).toEqual([408, '']);
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
  });

  test('ends early if the device holds too many', async () => {
    const polls = Array.from({ length: 5 }, () => poll('rpc', '60000'));
    // The other four end when the server closes.
    expect((await Promise.race(polls)).status).toBe(408);
  });

  test('is rejected at once with an unknown token or an invalid timeout', async () => {
    expect((await poll('rpc', '60000', 'x')).status).toBe(401);
    for (const timeout of ['-1', '1.5', 'soon', '1&timeout=2'])
      expect((await poll('attributes/updates', timeout)).status).toBe(400);
  });
});

describe('a tracker without a machine', () => {
  interface UnassignedTrackers {
    data: {
      id: number;
      assigned: boolean;
      messages: number;
      last_payload: string;
      latitude: number;
      longitude: number;
    }[];
  }
  const findUnassigned = async (search: string) =>
    (await app.call<UnassignedTrackers>(world.admin, 'GET', `trackers?filter[search]=${search}`)).body.data[0];

  test('is rejected as unknown; its last message, count and position are stored for identification', async () => {
    await app.db.rows(sql`update machines set tracker_id = null where id = ${machine}`);
    expect((await send({ latitude: 3, longitude: 4, battery: 1 })).status).toBe(404);
    expect((await send({ battery: 2 })).status).toBe(404);
    const refno = (await app.db.selectOne({ refno: pg.text }, sql`select refno from trackers where id = ${tracker}`))
      ?.refno as string;
    expect(await findUnassigned(refno)).toMatchObject({
      assigned: false,
      messages: 2,
      last_payload: '{"battery":2}',
      latitude: 3,
      longitude: 4,
    });
    await app.db.rows(sql`update machines set tracker_id = ${tracker} where id = ${machine}`);
  });

  test('that is unknown appears with its first message, whatever the length of its name', async () => {
    const note = 'ä😀'.repeat(5000);
    expect(
      (
        await app.call(undefined, 'POST', '/ingest/osmand', `id=inbox-1&lat=1&lon=2&note=${note}`, {
          'content-type': 'text/plain',
        })
      ).status,
    ).toBe(400);
    const result = await findUnassigned('inbox-1');
    expect(result).toMatchObject({ assigned: false, messages: 1, latitude: 1, longitude: 2 });
    expect(result?.last_payload.length).toBeLessThanOrEqual(2000);
  });

  test('leaves the machine’s history in place when it is swapped', async () => {
    await send([{ ts: Date.now() - 120_000, values: { status: 'cleaning' } }]);
    const countBefore = await countObservations(app.db, machine);
    const otherTracker = (
      await app.call<{ data: { id: number } }>(world.admin, 'POST', 'trackers', {
        refno: 'SWAP-1',
        tracker_or_serial: 'swap-1',
        mode: 'http',
        status: 'active',
        color: '#0b7a75',
      })
    ).body.data.id;
    expect(
      (await app.call(world.admin, 'POST', `trackers/${otherTracker}/assign`, { machine_id: machine })).status,
    ).toBe(200);
    expect((await send({ status: 'parked' })).status).toBe(404);
    secret = await replaceSecret(app, world.admin, otherTracker);
    expect((await send({ status: 'parked' })).status).toBe(200);
    expect(await countObservations(app.db, machine)).toBe((countBefore ?? 0) + 1);
    await app.call(world.admin, 'POST', `trackers/${tracker}/assign`, { machine_id: machine });
  });
});
