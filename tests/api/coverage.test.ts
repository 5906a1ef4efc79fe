/** Coverage of runs on floors, from a device's messages to figures, picture and path. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FloorCoverage, RunCoverage } from '../../schema/endpoints/floors';
import { pg } from '../../server/db/core/rowShape';
import { createCoverageComputation } from '../../server/features/floors/computeCoverage';
import { type FloorRow, readFloor, readRunPeriods } from '../../server/features/floors/floorRows';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let secret: string;
interface ResponseBody<T> {
  data: T;
  errors?: Record<string, string[]>;
}
interface FloorPosition {
  at: string;
  x: number;
  y: number;
  theta: number | null;
  battery: number | null;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => new Date(instantAt(7 * 86_400));
  ({ secret } = await prepareTrackedMachine(app, world, 0));
});
afterAll(() => app.close());

const start = Date.parse('2026-03-02T08:00:00Z');
const instantAt = (second: number) => new Date(start + second * 1000).toISOString();
const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];

/** Four lanes of 10 m, one metre apart, on a map in decimetres that is rotated by 90°. */
const lanes = [0.5, 1.5, 2.5, 3.5].flatMap((y, lane) =>
  Array.from({ length: 21 }, (_, step) => ({ x: lane % 2 === 0 ? step / 2 : 10 - step / 2, y })),
);
const transformation = { x: 1, y: -2, rotation: 90, scale: 0.1, mirrored: false };
const toRobotMap = ({ x, y }: { x: number; y: number }) => ({ x: (y + 2) * 10, y: -(x - 1) * 10 });

/** A floor of 20 by 10 m with a zone of 100 m², of which 20 m² are no-go. */
async function addFloor(maps: object[]) {
  const location = world.north.locations[0];
  const floor = await add(app.db, 'floors', { location_id: location, width_m: 20, height_m: 10, maps: maps as never });
  const zone = await add(app.db, 'zones', { floor_id: floor, kind: 'clean', polygon: square as never });
  await add(app.db, 'zones', {
    floor_id: floor,
    kind: 'no_go',
    polygon: [
      [0, 8],
      [10, 8],
      [10, 10],
      [0, 10],
    ] as never,
  });
  return { floor, zone };
}

const addRun = (values: object) =>
  add(app.db, 'runs', {
    machine_id: world.north.machines[0] as number,
    location_id: world.north.locations[0],
    source: 'reported',
    started_at: instantAt(0),
    ended_at: instantAt(3600),
    ...values,
  });

/** Observations as the adapters create them; the position is in the attributes. */
const addObservations = (
  positions: readonly { at: number; attributes: object }[],
  machine = world.north.machines[0],
) => {
  const rows = JSON.stringify(positions.map(({ at, attributes }) => ({ at: instantAt(at), attributes })));
  return app.db.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, battery, attributes)
    select ${machine}::int, p.at, 'report', p.at, 'own', 'Cleaning', 'cleaning', 80, p.attributes
    from jsonb_to_recordset(${rows}::text::jsonb) as p(at timestamptz, attributes jsonb)`);
};

/** Sends messages of the first machine as a device does. */
const send = async (items: readonly object[]) => {
  expect((await sendBatch(app, secret, items)).status).toBe(200);
};

const readCoverage = async (run: number, caller = world.admin) =>
  (await app.call<ResponseBody<RunCoverage>>(caller, 'GET', `runs/${run}/coverage`)).body.data;

describe('coverage of a run', () => {
  test('is computed from positions on the floor’s maps, and again after a change', async () => {
    const { floor, zone } = await addFloor([{ map_id: 'hall', transformation }]);
    const run = await addRun({ floor_id: null });
    await addObservations(
      lanes.map((position, index) => {
        const { x, y } = toRobotMap(position);
        return { at: index, attributes: { 'floor.map_id': 'hall', 'floor.x': x, 'floor.y': y, 'floor.theta': null } };
      }),
    );
    const coverage = await readCoverage(run);
    // Lanes of 10 by 0.6 m, and the turns between them along the edges.
    expect(coverage.covered_m2).toBeGreaterThan(24);
    expect(coverage.covered_m2).toBeLessThan(27);
    expect((coverage.covered_m2 ?? 0) + (coverage.missed_m2 ?? 0)).toBeCloseTo(80, 1);
    expect(coverage).toMatchObject({
      floor_id: floor,
      twice_m2: 0,
      zones: [{ id: zone, covered: expect.closeTo((coverage.covered_m2 ?? 0) / 80, 3) }],
      bounds: { x: 0, y: 0, width: 20, height: 10 },
      positions: lanes.length,
      width_m: 0.6,
      reason: null,
    });
    const png = Buffer.from((coverage.image ?? '').replace('data:image/png;base64,', ''), 'base64');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([200, 100]);

    const path = await app.call<ResponseBody<FloorPosition[]>>(world.admin, 'GET', `runs/${run}/path`);
    expect(path.body.data).toHaveLength(lanes.length);
    expect(path.body.data[0]).toMatchObject({ at: instantAt(0), state: 'Cleaning', battery: 80, theta: null });
    path.body.data.forEach(({ x, y }, index) => {
      expect(x).toBeCloseTo(lanes[index]?.x ?? -1, 9);
      expect(y).toBeCloseTo(lanes[index]?.y ?? -1, 9);
    });

    await app.call(world.admin, 'PATCH', `types/${world.type}`, { working_width_m: 0.9 });
    const widerCoverage = await readCoverage(run);
    expect(widerCoverage.width_m).toBe(0.9);
    expect((widerCoverage.covered_m2 ?? 0) / (coverage.covered_m2 ?? 1)).toBeCloseTo(1.45, 1);
    await send([
      { at: instantAt(84), status: 'cleaning', floor: { map_id: 'hall', x: 80, y: 10 } },
      { at: instantAt(100), status: 'cleaning', floor: { map_id: 'hall', x: 80, y: -90 } },
    ]);
    expect((await readCoverage(run)).covered_m2).toBeGreaterThan((widerCoverage.covered_m2 ?? 0) + 2);
    const laterCoverage = await readCoverage(run);
    const { body } = await app.call<ResponseBody<object>>(world.admin, 'GET', `floors/${floor}`);
    const { maps } = body.data as { maps: object[] };
    expect(maps).toHaveLength(1);
    const movedMaps = [{ map_id: 'hall', transformation: { ...transformation, x: 3 } }];
    expect((await app.call(world.admin, 'PATCH', `floors/${floor}`, { maps: movedMaps })).status).toBe(200);
    expect((await readCoverage(run)).covered_m2).not.toBe(laterCoverage.covered_m2);
    await app.call(world.admin, 'PATCH', `floors/${floor}`, { maps });
    expect(await readCoverage(run)).toEqual(laterCoverage);
    const halfZone = square.map(([x = 0, y = 0]) => [x / 2, y]);
    await app.call(world.admin, 'PATCH', `zones/${zone}`, { polygon: halfZone });
    expect((await readCoverage(run)).missed_m2).toBeLessThan(laterCoverage.missed_m2 ?? 0);
  });

  test('uses the positions of VDA 5050 with their heading', async () => {
    const machine = world.north.machines[1] as number;
    const { floor } = await addFloor([{ map_id: 'vda' }]);
    const run = await addRun({ machine_id: machine, floor_id: floor });
    await addObservations(
      Array.from({ length: 21 }, (_, index) => ({
        at: index,
        attributes: {
          [`${index < 10 ? 'agvPosition' : 'mobileRobotPosition'}.mapId`]: 'vda',
          [`${index < 10 ? 'agvPosition' : 'mobileRobotPosition'}.x`]: index / 2,
          [`${index < 10 ? 'agvPosition' : 'mobileRobotPosition'}.y`]: 5,
          [`${index < 10 ? 'agvPosition' : 'mobileRobotPosition'}.theta`]: 0,
        },
      })),
      machine,
    );
    const { covered_m2, width_m } = await readCoverage(run);
    expect(covered_m2).toBeCloseTo(10 * width_m, 1);
    const path = await app.call<ResponseBody<FloorPosition[]>>(world.admin, 'GET', `runs/${run}/path`);
    expect(path.body.data.map(({ theta }) => theta)).toEqual(Array(21).fill(0));
  });

  test.each([
    ['the run is on no floor', { floor_id: null, machine: 4 }, /^The run is on no floor/],
    ['there are no positions', { machine: 5 }, /^The messages of this time hold no positions/],
    ['the map is not linked to a floor', { machine: 3 }, /^No map of these positions is linked/],
  ])('that cannot be computed returns the reason: %s', async (_, { machine: index, ...values }, reason) => {
    const machine = world.north.machines[index] as number;
    const { floor } = await addFloor([{ map_id: 'hall' }]);
    const run = await addRun({ floor_id: floor, ...values, machine_id: machine });
    if (index === 3)
      await addObservations(
        [{ at: 5, attributes: { 'floor.map_id': 'unknown', 'floor.x': 1, 'floor.y': 1 } }],
        machine,
      );
    const coverage = await readCoverage(run);
    expect(coverage).toMatchObject({ covered_m2: null, missed_m2: null, zones: [], image: null });
    expect(coverage.reason).toMatch(reason);
    const path = await app.call<ResponseBody<FloorPosition[]>>(world.admin, 'GET', `runs/${run}/path`);
    expect(path.body.data).toEqual([]);
  });

  test('is empty for positions outside the plan; they are stored but not drawn', async () => {
    const machine = await add(app.db, 'machines', { fleet_id: world.north.fleets[0], type_id: world.type });
    const { floor } = await addFloor([{ map_id: 'astray' }]);
    const run = await addRun({ machine_id: machine, floor_id: floor });
    await addObservations(
      Array.from({ length: 20 }, (_, index) => ({
        at: index,
        attributes: {
          'floor.map_id': 'astray',
          'floor.x': index < 10 ? 500 + index / 2 : 1e9 + index,
          'floor.y': -300,
        },
      })),
      machine,
    );
    expect(await readCoverage(run)).toMatchObject({
      covered_m2: 0,
      missed_m2: expect.closeTo(80, 1),
      bounds: { x: 0, y: 0, width: 20, height: 10 },
      positions: 10,
      reason: null,
    });
    const path = await app.call<ResponseBody<FloorPosition[]>>(world.admin, 'GET', `runs/${run}/path`);
    expect(path.body.data[0]).toMatchObject({ x: 500, y: -300 });
  });

  test('skips coordinates that are not numbers, since any device may send them', async () => {
    const machine = world.north.machines[5] as number;
    const { floor } = await addFloor([{ map_id: 'odd' }]);
    const run = await addRun({ machine_id: machine, floor_id: floor });
    const values = ['far', '', 'NaN', '1e999', true, '2.5', 3];
    await addObservations(
      values.map((x, index) => ({
        at: index,
        attributes: { 'floor.map_id': 'odd', 'floor.x': x, 'floor.y': '1', 'floor.theta': x },
      })),
      machine,
    );
    expect(await readCoverage(run)).toMatchObject({ floor_id: floor, positions: 2, reason: null });
    const { status, body } = await app.call<ResponseBody<FloorPosition[]>>(world.admin, 'GET', `runs/${run}/path`);
    expect([status, body.data.map(({ x }) => x)]).toEqual([200, [2.5, 3]]);
  });

  test('is computed once and stored, until positions of its time arrive', async () => {
    const { floor } = await addFloor([{ map_id: 'kept' }]);
    const [startTime, endTime] = [50_000, 50_600];
    const run = await addRun({ floor_id: floor, started_at: instantAt(startTime), ended_at: instantAt(endTime) });
    const lane = (y: number) =>
      Array.from({ length: 11 }, (_, step) => ({
        at: instantAt(startTime + 20 * y + step),
        status: 'cleaning',
        floor: { map_id: 'kept', x: step / 2, y },
      }));
    const readStored = () =>
      app.db.selectOne(
        { positions: pg.integer, at: pg.timestamptz },
        sql`select positions, computed_at as at from run_coverage where run_id = ${run}`,
      );
    await send(lane(1));
    const first = await readCoverage(run);
    const storedRow = await readStored();
    expect(storedRow?.positions).toBe(11);
    // Reads as another process would, with empty caches.
    const row = await readFloor(app.db, floor);
    const recomputed = await createCoverageComputation(app.db)(
      row as FloorRow,
      await readRunPeriods(app.db, sql`r.id = ${run}::int`),
    );
    expect(recomputed).toMatchObject({ figures: { covered_m2: first.covered_m2 }, image: first.image, positions: 11 });
    expect(await readStored()).toEqual(storedRow);
    await send([{ at: instantAt(startTime - 60), status: 'cleaning', floor: { map_id: 'kept', x: 0, y: 9 } }]);
    expect(await readStored()).toEqual(storedRow);
    await send(lane(2));
    expect(await readStored()).toBeUndefined();
    expect((await readCoverage(run)).covered_m2).toBeCloseTo(2 * (first.covered_m2 ?? 0), 0);
    await send(lane(2));
    expect((await readStored())?.positions).toBe(22);
  });

  test('is returned for runs in scope only', async () => {
    const run = world.north.runs[0] as number;
    const otherUsers = [world.south.users.customer_admin, world.south.users.operator];
    for (const path of [`runs/${run}/coverage`, `runs/${run}/path`, `floors/${world.north.floors[0]}/coverage`])
      for (const user of otherUsers) expect((await app.call(user, 'GET', path)).status).toBe(404);
    expect((await app.call(world.north.users.operator, 'GET', `runs/${run}/coverage`)).status).toBe(200);
  });
});

describe('coverage of a floor', () => {
  test('sums the runs of a period that are not superseded', async () => {
    const machine = world.north.machines[6] as number;
    const { floor, zone } = await addFloor([{ map_id: 'day' }]);
    const lane = (from: number, y: number) =>
      addObservations(
        Array.from({ length: 21 }, (_, step) => ({
          at: from + step,
          attributes: { 'floor.map_id': 'day', 'floor.x': step / 2, 'floor.y': y },
        })),
        machine,
      );
    const day = 86_400;
    const startTimes = [0, 1, 2].map((index) => index * day);
    const otherLocation = { machine_id: machine, location_id: world.north.locations[1] };
    for (const [index, from] of startTimes.entries()) {
      await addRun({ ...otherLocation, floor_id: floor, started_at: instantAt(from), ended_at: instantAt(from + 600) });
      await lane(from, index === 1 ? 5 : 2);
      await lane(from + 100, 2);
    }
    // An operator sees the floor of their machine, but no runs of other machines.
    const { body } = await app.call<ResponseBody<FloorCoverage>>(
      world.north.users.operator,
      'GET',
      `floors/${floor}/coverage?from=2026-03-02&to=2026-03-04`,
    );
    expect(body.data).toMatchObject({ runs: 0, covered_m2: null });
    await addRun({
      machine_id: machine,
      floor_id: floor,
      started_at: instantAt(0),
      ended_at: instantAt(600),
      source: 'derived',
      superseded_by: world.north.runs[0] as number,
    });
    const readPeriod = async (period: string) =>
      (await app.call<ResponseBody<FloorCoverage>>(world.admin, 'GET', `floors/${floor}/coverage?${period}`)).body.data;
    const firstDay = await readPeriod('from=2026-03-02&to=2026-03-02');
    expect(firstDay).toMatchObject({ runs: 1, twice_m2: 0, floor_id: floor });
    const wholeCoverage = await readPeriod('from=2026-03-02&to=2026-03-04');
    expect(wholeCoverage.runs).toBe(3);
    expect(wholeCoverage.covered_m2).toBeCloseTo(2 * (firstDay.covered_m2 ?? 0), 0);
    // Passes are counted in cells of 10 cm.
    expect(Math.abs((wholeCoverage.twice_m2 ?? 0) / (firstDay.covered_m2 ?? 1) - 1)).toBeLessThan(0.15);
    expect(wholeCoverage.zones).toEqual([
      { id: zone, covered: expect.closeTo((wholeCoverage.covered_m2 ?? 0) / 80, 3) },
    ]);
    expect(await readPeriod('from=2026-03-10&to=2026-03-11')).toMatchObject({ runs: 0, covered_m2: null });
  });

  test('rejects a period that ends before it begins', async () => {
    const { status, body } = await app.call<ResponseBody<unknown>>(
      world.admin,
      'GET',
      `floors/${world.north.floors[0]}/coverage?from=2026-03-03&to=2026-03-01`,
    );
    expect(status).toBe(422);
    expect(Object.keys(body.errors ?? {})).toEqual(['to']);
  });
});
