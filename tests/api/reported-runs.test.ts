/** `POST /ingest`: runs and positions on floors among a device's observations. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { replaceSecret, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let secret: string;
let machine: number;

interface ResponseBody {
  data: { received: number; stored: number };
  errors: Record<string, string[]>;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

beforeEach(async () => {
  const placement = { fleet_id: world.north.fleets[0], location_id: world.north.locations[0] };
  const tracker = await add(app.db, 'trackers');
  machine = await add(app.db, 'machines', { ...placement, tracker_id: tracker });
  secret = await replaceSecret(app, world.admin, tracker);
});

const send = (items: readonly object[]) => sendBatch<ResponseBody>(app, secret, items);
const readRuns = async () =>
  (
    await app.call<{ data: Record<string, unknown>[] }>(
      world.admin,
      'GET',
      `runs?filter[machine_id]=${machine}&filter[source]=reported&sort=started_at`,
    )
  ).body.data;

const reportTime = '2026-03-01T09:00:00Z';
const buildReport = (values: object = {}) => ({
  at: reportTime,
  run: {
    external_id: 'task-1',
    started_at: '2026-03-01T08:00:00Z',
    ended_at: '2026-03-01T08:48:24Z',
    planned_area_m2: 2196.568,
    cleaned_area_m2: 659.965,
    water_l: 14.611,
    outcome: 'partial',
    interruptions: [{ at: '2026-03-01T08:10:00Z', reason: 'Bumper', resolved_at: null }],
    ...values,
  },
});

describe('run in a batch', () => {
  test('is stored once as reported, at the location of its start, no matter how often it is sent', async () => {
    expect((await send([buildReport()])).body).toEqual({ data: { received: 1, stored: 1 } });
    expect((await send([buildReport(), buildReport()])).body).toEqual({ data: { received: 2, stored: 0 } });
    expect(await readRuns()).toEqual([
      expect.objectContaining({
        machine_id: machine,
        source: 'reported',
        external_id: 'task-1',
        location_id: expect.any(Number),
        duration_s: 2904,
        water_l: 14.611,
        interruptions_count: 1,
        superseded_by: null,
      }),
    ]);
  });

  test('is stored once within one batch, identified by its start if it has no external id', async () => {
    const withoutId = buildReport({ external_id: undefined });
    const { body } = await send([buildReport(), buildReport(), withoutId, withoutId]);
    expect(body).toEqual({ data: { received: 4, stored: 2 } });
    expect((await send([withoutId])).body.data.stored).toBe(0);
  });

  test('gets interruptions that a wrong clock puts outside its times moved to its start or end', async () => {
    const interruptions = [
      { at: '2026-03-01T07:59:58Z', reason: 'Bumper', resolved_at: '2106-02-07T06:28:15Z' },
      { at: '2026-03-01T08:48:30Z', resolved_at: '2026-03-01T09:30:00Z' },
    ];
    const report = buildReport({ interruptions });
    expect((await send([report])).body).toEqual({ data: { received: 1, stored: 1 } });
    expect(await readRuns()).toMatchObject([
      {
        interruptions: [
          { at: '2026-03-01T08:00:00.000Z', reason: 'Bumper', resolved_at: '2026-03-01T08:48:24.000Z' },
          { at: '2026-03-01T08:48:24.000Z', reason: null, resolved_at: '2026-03-01T09:30:00.000Z' },
        ],
      },
    ]);
    expect((await send([report])).body.data.stored).toBe(0);
  });

  test('ends when its report is received if the clock of the report is ahead', async () => {
    const startedAt = new Date(Date.now() - 3_600_000).toISOString();
    const run = { external_id: 'ahead', started_at: startedAt };
    const { body } = await send([{ at: '2106-02-07T06:28:15Z', run }]);
    expect(body).toEqual({ data: { received: 1, stored: 1 } });
    const [stored] = await readRuns();
    expect(Math.abs(Date.parse(String(stored?.ended_at)) - Date.now())).toBeLessThan(60_000);
  });

  test('stays deleted if it is reported again', async () => {
    await send([buildReport()]);
    const [run] = await readRuns();
    expect((await app.call(world.admin, 'DELETE', `runs/${run?.id}`)).status).toBe(204);
    expect((await send([buildReport()])).body.data.stored).toBe(0);
    expect(await readRuns()).toEqual([]);
  });

  test('keeps corrections by users', async () => {
    await send([buildReport()]);
    const [run] = await readRuns();
    await app.call(world.admin, 'PATCH', `runs/${run?.id}`, { cleaned_area_m2: 600 });
    await send([buildReport()]);
    expect(await readRuns()).toEqual([
      expect.objectContaining({ cleaned_area_m2: 600, original: { cleaned_area_m2: 659.965 } }),
    ]);
  });

  test('is found again by its reported start after a user corrected that', async () => {
    const report = buildReport({ external_id: undefined });
    await send([report]);
    const [run] = await readRuns();
    const { status } = await app.call(world.admin, 'PATCH', `runs/${run?.id}`, { started_at: '2026-03-01T08:10:00Z' });
    expect(status).toBe(200);
    expect((await send([report])).body.data.stored).toBe(0);
    expect(await readRuns()).toEqual([expect.objectContaining({ started_at: '2026-03-01T08:10:00.000Z' })]);
  });

  test('ends at the time of its report if it has no end of its own, even with an observation in the same item', async () => {
    const { body } = await send([{ ...buildReport({ ended_at: undefined }), battery: 40 }]);
    expect(body).toEqual({ data: { received: 1, stored: 2 } });
    expect((await readRuns())[0]?.ended_at).toBe('2026-03-01T09:00:00.000Z');
  });

  test('ignores read-only fields and the id of another machine', async () => {
    await send([
      buildReport({ source: 'entered', coverage: 1, superseded_by: 7, machine_id: world.north.machines[0] }),
    ]);
    expect(await readRuns()).toEqual([expect.objectContaining({ machine_id: machine, source: 'reported' })]);
  });

  test.each([
    ['ends before it begins', { ended_at: '2026-03-01T07:00:00Z' }, 'ended_at'],
    ['begins in the future', { started_at: '2106-02-07T06:00:00Z', ended_at: '2106-02-07T06:28:15Z' }, 'started_at'],
    ['ends in the future', { started_at: '2026-10-31T08:00:00Z', ended_at: '2106-02-07T06:28:15Z' }, 'ended_at'],
    ['cleans a negative area', { cleaned_area_m2: -1 }, 'cleaned_area_m2'],
    ['has an unknown outcome', { outcome: 'fine' }, 'outcome'],
    ['has an unknown field', { colour: 'red' }, 'colour'],
    ['has no start', { started_at: undefined }, 'started_at'],
  ])('that %s rejects the batch at its field', async (_, values, field) => {
    const { status, body } = await send([{ at: reportTime, battery: 50 }, buildReport(values)]);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([`1.run.${field}`]);
    expect(await readRuns()).toEqual([]);
  });

  test('is on the floor of its map, and rejected if larger than that floor', async () => {
    await send([buildReport()]);
    const location = (await readRuns())[0]?.location_id as number;
    const floor = await add(app.db, 'floors', { location_id: location, width_m: 20, height_m: 20 });
    await app.db.rows(sql`update floors set maps = '[{"map_id": "hall"}]' where id = ${floor}::int`);
    await send([buildReport({ external_id: 'small', map_id: 'hall', planned_area_m2: 400, cleaned_area_m2: 399 })]);
    await send([buildReport({ external_id: 'unknown', map_id: 'unlinked' })]);
    const floors = (await readRuns()).map((run) => [run.external_id, run.floor_id]);
    expect(new Map(floors as [string, unknown][])).toEqual(
      new Map([
        ['task-1', null],
        ['small', floor],
        ['unknown', null],
      ]),
    );
    const largeResponse = await send([buildReport({ external_id: 'large', map_id: 'hall' })]);
    expect(Object.keys(largeResponse.body.errors)).toEqual(['0.run.planned_area_m2', '0.run.cleaned_area_m2']);
  });

  test('is stored with all others of the largest possible batch, each in the sums of its days', async () => {
    const hour = 3_600_000;
    const from = Date.parse('2025-07-01T00:00:00Z');
    const batch = Array.from({ length: 10_000 }, (_, index) => {
      const startedAt = from + index * hour;
      const [started_at, ended_at] = [startedAt, startedAt + 600_000].map(
        (time) => `${new Date(time).toISOString().slice(0, 19)}Z`,
      );
      return { run: { external_id: String(index), started_at, ended_at } };
    });
    expect((await send(batch)).body).toEqual({ data: { received: 10_000, stored: 10_000 } });
    expect((await send(batch)).body).toEqual({ data: { received: 10_000, stored: 0 } });
    expect(
      await app.db.one(sql`select count(*)::int as days, sum(run_cleaning)::int as cleaning, min(run_cleaning) as least
        from machine_days where machine_id = ${machine} and run_cleaning is not null and day > '2025-07-01'
        and day < '2026-08-01'`),
    ).toEqual({ days: 395, cleaning: 395 * 24 * 600, least: 23 * 600 });
  });

  test('is also stored as a raw message', async () => {
    await send([buildReport()]);
    const storedMessage = await app.db.selectOne(
      { body: pg.text },
      sql`select convert_from(body, 'utf8') as body from raw_messages where machine_id = ${machine}::int`,
    );
    expect(JSON.parse(storedMessage?.body ?? 'null')).toEqual(JSON.parse(JSON.stringify(buildReport())));
  });
});

test('a run with a map id that cannot be stored is rejected', async () => {
  for (const map_id of ['a\u0000', 'a\ud800']) {
    const { status, body } = await send([buildReport({ map_id })]);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['0.run.map_id']]);
  }
});

describe('position on a floor', () => {
  test('is stored with the id of its map, linked or not', async () => {
    const floor = { map_id: 'unlinked', x: 12.5, y: -3, theta: 1.57 };
    expect((await send([{ at: reportTime, floor }])).body.data.stored).toBe(1);
    const row = await app.db.selectOne(
      { attributes: pg.json<object>() },
      sql`select attributes from observations where machine_id = ${machine}::int`,
    );
    expect(row?.attributes).toMatchObject({ 'floor.map_id': floor.map_id, 'floor.x': 12.5, 'floor.y': -3 });
  });

  test.each([
    [{ x: 1, y: 2 }, 'map_id'],
    [{ map_id: 'a', x: 'left', y: 2 }, 'x'],
    [{ map_id: 'a', x: 1 }, 'y'],
    [{ map_id: 'a\u0000', x: 1, y: 2 }, 'map_id'],
  ])('is rejected as %j', async (floor, field) => {
    const { status, body } = await send([{ at: reportTime, floor }]);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([`0.floor.${field}`]);
  });
});
