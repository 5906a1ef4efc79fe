/**
 * `POST /ingest` of the contract: batches of a device, authenticated by its secret. A batch is stored completely or not
 * at all, and each observation once.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { countObservations, prepareTrackedMachine, replaceSecret, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let secret: string;
let machine: number;
let tracker: number;
let nextIndex = 0;

interface ResponseBody {
  data: { received: number; stored: number };
  message: string;
  errors: Record<string, string[]>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

beforeEach(async () => {
  ({ machine, tracker, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

const send = (body: string | object, headers: Record<string, string> = {}, bearer = secret) =>
  sendBatch<ResponseBody>(app, bearer, body, headers);
const readMachine = async () =>
  (
    await app.call<{ data: { status: string; battery: number | null; latitude: number | null } }>(
      world.admin,
      'GET',
      `machines/${machine}`,
    )
  ).body.data;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('batch', () => {
  test('stores past and present states of a machine, as an array and as lines', async () => {
    const array = await send([
      { at: minutesAgo(9), status: 'cleaning', battery: 80 },
      { at: minutesAgo(7), status: 'charging', battery: 55 },
    ]);
    expect([array.status, array.body]).toEqual([200, { data: { received: 2, stored: 2 } }]);
    expect(await readMachine()).toMatchObject({ status: 'Charging', battery: 55 });
    const lines = `${JSON.stringify({ at: minutesAgo(5), status: 'parked' })}\n${JSON.stringify({ at: minutesAgo(2), status: 'cleaning', latitude: 52.5, longitude: 13.4 })}\n`;
    expect((await send(lines, { 'content-type': 'application/x-ndjson' })).body).toEqual({
      data: { received: 2, stored: 2 },
    });
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', latitude: 52.5 });
    const segments = await app.db.select(
      { state: pg.text },
      sql`select state from segments where machine_id = ${machine} order by from_at`,
    );
    expect(segments.map(({ state }) => state).slice(-4)).toEqual(['Cleaning', 'Charging', 'Parked', 'Cleaning']);
  });

  test('stores each observation once, no matter how often it is sent', async () => {
    const batch = [
      { at: minutesAgo(9), status: 'cleaning' },
      { at: minutesAgo(8), status: 'cleaning' },
    ];
    expect((await send(batch)).body.data).toEqual({ received: 2, stored: 2 });
    expect((await send(batch)).body.data).toEqual({ received: 2, stored: 0 });
    expect((await send([...batch, { at: minutesAgo(7) }])).body.data).toEqual({ received: 3, stored: 1 });
    expect(await countObservations(app.db, machine)).toBe(3);
  });

  test('without times is deduplicated by its Idempotency-Key; another body with the same key is a conflict', async () => {
    const key = { 'idempotency-key': 'a batch' };
    expect((await send([{ status: 'parked' }], key)).body).toEqual({ data: { received: 1, stored: 1 } });
    expect((await send([{ status: 'parked' }], key)).body).toEqual({ data: { received: 1, stored: 1 } });
    expect(await countObservations(app.db, machine)).toBe(1);
    expect((await send([{ status: 'cleaning' }], key)).status).toBe(409);
    expect(await countObservations(app.db, machine)).toBe(1);
  });

  test('is stored entirely or not at all', async () => {
    const { status, body } = await send([
      { at: minutesAgo(9), status: 'cleaning' },
      { at: minutesAgo(8), battery: 'full' },
      7,
    ]);
    expect([status, body.errors]).toEqual([
      422,
      { '1.battery': ['Battery must be a number.'], '2': [expect.any(String)] },
    ]);
    expect(await countObservations(app.db, machine)).toBe(0);
  });

  test('of thousands of observations is stored, even if its clock is wrong or all of them have the same time', async () => {
    const tomorrow = Date.now() + 86_400_000;
    const items = Array.from({ length: 10_000 }, (_, index) => index);
    const itemsWithWrongClock = items
      .slice(0, 2500)
      .map((index) => ({ at: new Date(tomorrow + index * 1000).toISOString(), battery: 50 }));
    expect((await send(itemsWithWrongClock)).body).toEqual({ data: { received: 2500, stored: 2500 } });
    expect((await send(itemsWithWrongClock.reverse())).body).toEqual({ data: { received: 2500, stored: 0 } });
    const at = minutesAgo(5);
    expect((await send(items.map((index) => ({ at, [`k${index}`]: 1 })))).body.data).toMatchObject({ stored: 1 });
    const keys = sql`select count(*)::int as n from observations, jsonb_object_keys(attributes) where machine_id = ${machine}`;
    expect(await app.db.one(keys)).toEqual({ n: 10_000 });
  });

  test('is rejected if it is malformed or too large', async () => {
    expect((await send('[{"at":')).status).toBe(400);
    expect((await send(`[${'{},'.repeat(10_000)}{}]`)).status).toBe(422);
    expect((await send(`[{"note":"${'x'.repeat(1024 * 1024)}"}]`)).status).toBe(413);
    expect((await send(`[{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`)).status).toBe(400);
    expect((await send('[]')).body).toEqual({ data: { received: 0, stored: 0 } });
    expect(await countObservations(app.db, machine)).toBe(0);
  });

  test('of the maximum size takes less time when it is repeated than a late batch of a quarter of that size', async () => {
    const batchOf = (length: number, offset = 0) =>
      Array.from({ length }, (_, index) => ({
        at: new Date(Date.now() - index * 5000 - offset).toISOString(),
        status: index % 100 < 50 ? 'cleaning' : 'parked',
      }));
    const measure = async (items: object[], stored: number) => {
      await app.db.rows(sql`analyze observations, segments`);
      const start = performance.now();
      expect((await send(items)).body.data).toEqual({ received: items.length, stored });
      return performance.now() - start;
    };
    const batch = batchOf(10_000);
    await measure(batch, 10_000);
    const lateDuration = await measure(batchOf(2500, 2500), 2500);
    expect(await measure(batch, 0)).toBeLessThan(lateDuration);
  });
});

describe('device secret', () => {
  test('is required, must be the newest one, and gives access to nothing else', async () => {
    const body = [{ at: minutesAgo(1) }];
    for (const bearer of ['', 'swt_', `swt_${'x'.repeat(43)}`, await app.createSessionToken(world.admin)])
      expect((await send(body, {}, bearer)).status).toBe(401);
    expect((await app.call(secret, 'GET', 'machines')).status).toBe(401);
    const oldSecret = secret;
    secret = await replaceSecret(app, world.admin, tracker);
    expect((await send(body, {}, oldSecret)).status).toBe(401);
    expect((await send(body)).status).toBe(200);
  });

  test('writes to the machine of its own tracker only', async () => {
    const otherMachine = world.north.machines.find((id) => id !== machine) as number;
    const countBefore = await countObservations(app.db, otherMachine);
    await send([
      { at: minutesAgo(1), id: otherMachine, machine_id: otherMachine, device_id: otherMachine, status: 'cleaning' },
    ]);
    expect(await countObservations(app.db, otherMachine)).toBe(countBefore);
    expect(await countObservations(app.db, machine)).toBe(1);
  });

  test('of a tracker without a machine gets a 404, and the tracker is recorded as seen', async () => {
    await app.db.rows(sql`update machines set tracker_id = null where id = ${machine}`);
    expect((await send([{ at: minutesAgo(1) }])).status).toBe(404);
    const state = await app.db.selectOne(
      { last_seen: pg.timestamptz.nullable },
      sql`select last_seen from trackers_state where id = ${tracker}`,
    );
    expect(Date.now() - (state?.last_seen?.getTime() ?? 0)).toBeLessThan(60_000);
    await app.db.rows(sql`update machines set tracker_id = ${tracker} where id = ${machine}`);
  });
});
