/** Runs, floors and zones: computed fields, rejected values, corrections. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
interface ResponseBody {
  data: Record<string, unknown> & { id: number };
  errors: Record<string, string[]>;
}
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  app.call<ResponseBody>(world.admin, method, path, body);

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const runTimes = { started_at: '2026-03-01T08:00:00.000Z', ended_at: '2026-03-01T08:48:24.000Z' };
/** Times of a run that began an hour ago and ends in this many minutes. */
const timesUntil = (minutes: number) => ({
  started_at: new Date(Date.now() - 3_600_000).toISOString(),
  ended_at: new Date(Date.now() + minutes * 60_000).toISOString(),
});
const buildRun = (values: object = {}) => ({ machine_id: world.north.machines[0], ...runTimes, ...values });

describe('an entered run', () => {
  test('gets source, location, duration, coverage and efficiency', async () => {
    const { status, body } = await call(
      'POST',
      'runs',
      buildRun({
        floor_id: world.north.floors[0],
        planned_area_m2: 2196.568,
        cleaned_area_m2: 659.965,
        outcome: 'partial',
        interruptions: [
          { at: '2026-03-01T08:30:00Z', reason: 'Bumper', resolved_at: '2026-03-01T08:35:00Z' },
          { at: '2026-03-01T08:10:00Z', reason: 'Wet floor' },
        ],
        consumables: { squeegee: 0.4, brush: 0.75 },
      }),
    );
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      source: 'entered',
      location_id: world.north.locations[0],
      duration_s: 2904,
      interruptions_count: 2,
      interruptions: [
        { at: '2026-03-01T08:10:00.000Z', reason: 'Wet floor', resolved_at: null },
        { at: '2026-03-01T08:30:00.000Z', reason: 'Bumper', resolved_at: '2026-03-01T08:35:00.000Z' },
      ],
      consumables: { brush: 0.75, squeegee: 0.4 },
      superseded_by: null,
      original: null,
    });
    expect(body.data.coverage).toBeCloseTo(0.30045, 5);
    expect(body.data.efficiency_m2_h).toBeCloseTo(818.138, 3);
    const response = await call('GET', `runs/${body.data.id}?include=machine,floor`);
    expect(response.body.data).toMatchObject({ machine: { serial_number: 'North-111' }, floor: { name: 'North 11' } });
  });

  test('has a coverage of at most 1, and none without a planned area', async () => {
    const cleanedTwice = await call('POST', 'runs', buildRun({ planned_area_m2: 100, cleaned_area_m2: 180 }));
    expect(cleanedTwice.body.data.coverage).toBe(1);
    const withoutPlan = await call('POST', 'runs', buildRun({ cleaned_area_m2: 180 }));
    expect(withoutPlan.body.data.coverage).toBeNull();
  });

  test.each([
    ['ends before it begins', { ended_at: '2026-03-01T07:59:59Z' }, 'ended_at'],
    ['lasts longer than a month', { ended_at: '2026-05-01T08:00:00Z' }, 'ended_at'],
    ['begins in the future', { started_at: '2106-02-07T06:00:00Z', ended_at: '2106-02-07T06:28:15Z' }, 'started_at'],
    ['ends in the future', timesUntil(6), 'ended_at'],
    ['cleans a negative area', { cleaned_area_m2: -1 }, 'cleaned_area_m2'],
    ['has a battery of 101 %', { battery_end: 101 }, 'battery_end'],
    ['has a share above 1', { consumables: { brush: 1.1 } }, 'consumables'],
    ['is interrupted without a time', { interruptions: [{ reason: 'Bumper' }] }, 'interruptions'],
    [
      'has an interruption that ends before it begins',
      { interruptions: [{ at: '2026-03-01T08:30:00Z', resolved_at: '2026-03-01T08:29:00Z' }] },
      'interruptions',
    ],
    ['has interruptions that are not a list', { interruptions: 'Bumper' }, 'interruptions'],
    ['is interrupted before it begins', { interruptions: [{ at: '2026-03-01T07:30:00Z' }] }, 'interruptions'],
    ['is interrupted after it ends', { interruptions: [{ at: '2026-03-01T08:50:00Z' }] }, 'interruptions'],
    [
      'has an interruption resolved in the future',
      { interruptions: [{ at: '2026-03-01T08:30:00Z', resolved_at: '2106-02-07T06:28:15Z' }] },
      'interruptions',
    ],
  ])('is rejected if it %s', async (_, values, field) => {
    const { status, body } = await call('POST', 'runs', buildRun(values));
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  test('may end a few minutes ahead of the server, and be interrupted up to a minute beside its times', async () => {
    expect((await call('POST', 'runs', buildRun(timesUntil(4)))).status).toBe(201);
    const interruptions = [
      { at: '2026-03-01T07:59:01Z', resolved_at: '2026-03-01T08:10:00Z' },
      { at: '2026-03-01T08:49:00Z', resolved_at: '2026-03-01T11:00:00Z' },
    ];
    expect((await call('POST', 'runs', buildRun({ interruptions }))).status).toBe(201);
  });

  test('cannot be shortened past an interruption', async () => {
    const { body } = await call('POST', 'runs', buildRun({ interruptions: [{ at: '2026-03-01T08:30:00Z' }] }));
    const path = `runs/${body.data.id}`;
    const { status, body: rejection } = await call('PATCH', path, { ended_at: '2026-03-01T08:20:00Z' });
    expect([status, rejection.errors]).toEqual([
      422,
      { interruptions: ['Interruptions: each must begin during the run, and none can be resolved in the future.'] },
    ]);
    expect((await call('PATCH', path, { ended_at: '2026-03-01T08:40:00Z' })).status).toBe(200);
  });

  test('cannot exceed the area of its floor or be on a floor of another location', async () => {
    const floor = await add(app.db, 'floors', { location_id: world.north.locations[0], width_m: 10, height_m: 20 });
    const largeResponse = await call(
      'POST',
      'runs',
      buildRun({ floor_id: floor, planned_area_m2: 201, cleaned_area_m2: 200.5 }),
    );
    expect(largeResponse.body.errors).toEqual({
      planned_area_m2: ['Planned area must not be larger than the floor.'],
      cleaned_area_m2: ['Cleaned area must not be larger than the floor.'],
    });
    expect((await call('POST', 'runs', buildRun({ floor_id: floor, cleaned_area_m2: 200 }))).status).toBe(201);
    const otherFloorResponse = await call('POST', 'runs', buildRun({ floor_id: world.north.floors[1] }));
    expect(Object.keys(otherFloorResponse.body.errors)).toEqual(['floor_id']);
  });

  test('updates its duration with its times until a user sets the duration', async () => {
    const { body } = await call('POST', 'runs', buildRun());
    const longerResponse = await call('PATCH', `runs/${body.data.id}`, { ended_at: '2026-03-01T09:00:00Z' });
    expect(longerResponse.body.data.duration_s).toBe(3600);
    await call('PATCH', `runs/${body.data.id}`, { duration_s: 3000 });
    const response = await call('PATCH', `runs/${body.data.id}`, { ended_at: '2026-03-01T09:10:00Z' });
    expect(response.body.data.duration_s).toBe(3000);
  });

  test('has times in UTC if they are sent without an offset, whatever the zone of the process', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Kolkata';
    try {
      const { body } = await call(
        'POST',
        'runs',
        buildRun({ started_at: '2026-03-03T08:00', ended_at: '2026-03-03T10:00:00Z' }),
      );
      expect(body.data).toMatchObject({ started_at: '2026-03-03T08:00:00.000Z', duration_s: 7200 });
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('is at the location where the machine was at its start', async () => {
    const machine = await add(app.db, 'machines', {
      fleet_id: world.north.fleets[0],
      location_id: world.north.locations[0],
    });
    await app.db.rows(
      sql`update machines set location_id = ${world.north.locations[1]}::int where id = ${machine}::int`,
    );
    const response = await call('POST', 'runs', buildRun({ machine_id: machine }));
    expect(response.body.data.location_id).toBe(world.north.locations[0]);
  });
});

describe('a reported run', () => {
  test('keeps its reported values when a user corrects it', async () => {
    const id = await add(app.db, 'runs', {
      machine_id: world.north.machines[0] as number,
      source: 'reported',
      cleaned_area_m2: 500,
      task_name: 'Hall',
      ...runTimes,
    });
    await call('PATCH', `runs/${id}`, { cleaned_area_m2: 480 });
    const { body } = await call('PATCH', `runs/${id}`, { cleaned_area_m2: 470, task_name: 'Hall A' });
    expect(body.data).toMatchObject({
      source: 'reported',
      cleaned_area_m2: 470,
      original: { cleaned_area_m2: 500, task_name: 'Hall' },
    });
  });
});

describe('a reported run with an interruption beside its times', () => {
  test('can be corrected, but not get another one', async () => {
    const id = await add(app.db, 'runs', {
      machine_id: world.north.machines[0] as number,
      source: 'reported',
      ...runTimes,
      interruptions: [{ at: '2026-03-01T10:00:00.000Z', reason: null, resolved_at: null }] as never,
    });
    expect((await call('PATCH', `runs/${id}`, { ended_at: '2026-03-01T08:40:00Z' })).status).toBe(200);
    const interruptions = [{ at: '2026-03-01T10:00:00Z' }, { at: '2026-03-01T10:01:00Z' }];
    expect((await call('PATCH', `runs/${id}`, { interruptions })).status).toBe(422);
    expect((await call('PATCH', `runs/${id}`, { interruptions: interruptions.slice(0, 1) })).status).toBe(200);
  });
});

describe('a derived run', () => {
  test('cannot be changed or deleted', async () => {
    const id = await add(app.db, 'runs', {
      machine_id: world.north.machines[0] as number,
      source: 'derived',
      ...runTimes,
    });
    expect((await call('PATCH', `runs/${id}`, { task_name: 'Hall' })).status).toBe(422);
    expect((await call('DELETE', `runs/${id}`)).status).toBe(409);
  });
});

describe('a zone', () => {
  const buildZone = (polygon: unknown) => ({ name: 'Hall', floor_id: world.north.floors[0], polygon });

  test.each<[string, number[][], number]>([
    ['a rectangle', [[0, 0], [10, 0], [10, 5], [0, 5]], 50], // biome-ignore format: corners
    ['an L, closed', [[0, 0], [0, 4], [2, 4], [2, 2], [4, 2], [4, 0], [0, 0]], 12], // biome-ignore format: corners
  ])('has the area of %s', async (_, polygon, area) => {
    const { status, body } = await call('POST', 'zones', buildZone(polygon));
    expect(status).toBe(201);
    expect(body.data.area_m2).toBeCloseTo(area, 9);
  });

  test.each<[string, unknown]>([
    ['crosses itself', [[0, 0], [10, 10], [10, 0], [0, 10]]], // biome-ignore format: corners
    ['folds back', [[0, 0], [10, 0], [5, 0], [5, 5]]], // biome-ignore format: corners
    ['encloses nothing', [[0, 0], [5, 0], [10, 0]]], // biome-ignore format: corners
    ['has two corners', [[0, 0], [5, 0]]], // biome-ignore format: corners
    ['contains text', [[0, 0], ['a', 0], [5, 5]]], // biome-ignore format: corners
    ['has 5,000 corners', Array.from({ length: 5000 }, (_, index) => [index, index * index])],
  ])('is rejected if it %s', async (_, polygon) => {
    const { status, body } = await call('POST', 'zones', buildZone(polygon));
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['polygon']);
  });

  test.each<[string, number[][], number]>([
    ['lies beside the plan', [[30, 0], [35, 0], [35, 5]], 422], // biome-ignore format: corners
    ['extends beyond the plan', [[0, 0], [25, 0], [25, 5]], 422], // biome-ignore format: corners
    ['lies below the origin of the plan', [[0, -3], [5, 0], [5, 5]], 422], // biome-ignore format: corners
    ['touches the edges of the plan, rounded', [[0, 0], [20.04, 0], [20, 10.004]], 201], // biome-ignore format: corners
  ])('that %s is accepted only if it lies on the plan of its floor', async (_, polygon, expectedStatus) => {
    const floor = await add(app.db, 'floors', { location_id: world.north.locations[0], width_m: 20, height_m: 10 });
    const { status, body } = await call('POST', 'zones', { ...buildZone(polygon), floor_id: floor });
    expect(status).toBe(expectedStatus);
    if (status === 422) expect(body.errors).toEqual({ polygon: ['Outline must lie on the plan of the floor.'] });
  });

  test('beside the plan can be renamed, but neither moved nor put on a smaller floor', async () => {
    const size = { location_id: world.north.locations[0], width_m: 20, height_m: 10 };
    const floor = await add(app.db, 'floors', size);
    const corners = [30, 35, 40].map((x) => [x, x % 10]);
    const zone = await add(app.db, 'zones', { floor_id: floor, polygon: corners as never });
    expect((await call('PATCH', `zones/${zone}`, { name: 'Old' })).status).toBe(200);
    expect((await call('PATCH', `zones/${zone}`, { polygon: corners.slice().reverse() })).status).toBe(422);
    const other = await add(app.db, 'zones', { floor_id: await add(app.db, 'floors', { ...size, width_m: 50 }) });
    expect((await call('PATCH', `zones/${other}`, { polygon: corners })).status).toBe(200);
    expect(Object.keys((await call('PATCH', `zones/${other}`, { floor_id: floor })).body.errors)).toEqual(['floor_id']);
  });

  test('that another user has changed is neither replaced nor deleted; the response contains it with its version', async () => {
    const triangle = [0, 10, 20].map((x) => [x, x % 20]);
    const { id, version } = (await call('POST', 'zones', buildZone(triangle))).body.data;
    await call('PATCH', `zones/${id}`, { name: 'Theirs' });
    for (const method of ['PATCH', 'DELETE'] as const) {
      const { status, body } = await app.call<{ current: object }>(
        world.admin,
        method,
        `zones/${id}`,
        method === 'PATCH' ? { name: 'Mine' } : undefined,
        { 'if-match': `"${version}"` },
      );
      expect([method, status]).toEqual([method, 412]);
      expect(body.current).toMatchObject({ id, version: 2, name: 'Theirs' });
    }
  });

  test('with 100,000 corners is rejected with 400', async () => {
    const { status } = await call(
      'POST',
      'zones',
      buildZone(Array.from({ length: 100_000 }, (_, index) => [index, 1])),
    );
    expect(status).toBe(400);
  });
});

describe('a floor', () => {
  const buildFloor = (maps: unknown) => ({ name: 'Ground floor', location_id: world.north.locations[0], maps });

  test('links robot maps, and returns them as sent', async () => {
    const maps = [
      { map_id: 'map-1', transformation: { scale: 0.05, x: 1.5, y: -2, rotation: 90, mirrored: true } },
      { map_id: 'map-2' },
    ];
    const { status, body } = await call('POST', 'floors', buildFloor(maps));
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ level: 0, maps });
  });

  test.each<[string, unknown]>([
    ['a scale of zero', [{ map_id: 'a', transformation: { scale: 0 } }]],
    ['the same map twice', [{ map_id: 'a' }, { map_id: 'a' }]],
    ['a map without a name', [{ transformation: { scale: 1 } }]],
    ['text instead of a number', [{ map_id: 'a', transformation: { x: 'left' } }]],
  ])('is rejected with %s', async (_, maps) => {
    const { status, body } = await call('POST', 'floors', buildFloor(maps));
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['maps']);
  });
});
