/** Unlinked robot maps named in messages from a location, which users link to its floors. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RobotMap } from '../../schema/endpoints/floors';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let floor: number;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  floor = world.north.floors[0] as number;
  const [first, second, , , machineElsewhere] = world.north.machines as [number, number, number, number, number];
  await addObservations(first, [
    { 'floor.map_id': 'hall', 'floor.x': 1, 'floor.y': 2 },
    { 'floor.map_id': 'hall', 'floor.x': 3, 'floor.y': 4 },
    { 'floor.map_id': 'hall', 'floor.x': 3, 'floor.y': 4 },
    { 'floor.map_id': 'linked', 'floor.x': 1, 'floor.y': 1 },
  ]);
  await addObservations(second, [
    { 'agvPosition.mapId': 'hall', 'agvPosition.x': 5, 'agvPosition.y': 6 },
    { 'agvPosition.mapId': 'hall', 'agvPosition.x': 'far', 'agvPosition.y': 6 },
    { 'agvPosition.mapId': '', 'agvPosition.x': 5, 'agvPosition.y': 6 },
    { speed: 1 },
  ]);
  await addObservations(machineElsewhere, [{ 'floor.map_id': 'other site', 'floor.x': 1, 'floor.y': 2 }]);
  await add(app.db, 'floors', {
    location_id: world.north.locations[0],
    maps: [{ map_id: 'linked' }] as never,
  });
});
afterAll(() => app.close());

/** One observation per second, the first an hour ago. */
const addObservations = (machine: number, attributes: readonly object[]) => {
  const rows = JSON.stringify(
    attributes.map((fields, second) => ({ at: new Date(Date.now() - 3_600_000 + second * 1000), attributes: fields })),
  );
  return app.db.rows(sql`
    insert into observations (machine_id, at, kind, received_at, protocol, state, reason, attributes)
    select ${machine}::int, p.at, 'report', p.at, 'own', 'Cleaning', 'cleaning', p.attributes
    from jsonb_to_recordset(${rows}::text::jsonb) as p(at timestamptz, attributes jsonb)`);
};

const readRobotMaps = <T>(caller: number, path: string) =>
  app.call<{ data: T }>(caller, 'GET', `floors/${floor}/robot-maps${path}`);

describe('unlinked robot maps of a location', () => {
  test('are listed with the machines that name them', async () => {
    const { status, body } = await readRobotMaps<RobotMap[]>(world.users.customer_admin, '');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        map_id: 'hall',
        positions: 5,
        last_seen_at: expect.stringMatching(/^\d{4}-.*Z$/),
        machines: [
          { id: world.north.machines[0], serial_number: 'North-111' },
          { id: world.north.machines[1], serial_number: 'North-112' },
        ],
      },
    ]);
  });

  test('include the path as distinct positions', async () => {
    const { body } = await readRobotMaps(world.users.site_manager, '/path?map_id=hall');
    expect(body.data).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
      { x: 5, y: 6 },
    ]);
    expect((await readRobotMaps(world.users.site_manager, '/path?map_id=nowhere')).body.data).toEqual([]);
    expect((await readRobotMaps(world.users.site_manager, '/path')).status).toBe(422);
  });

  test('are limited to the caller’s scope', async () => {
    for (const path of ['', '/path?map_id=hall']) {
      expect((await readRobotMaps(world.south.users.customer_admin, path)).status).toBe(404);
      expect((await app.call(undefined, 'GET', `floors/${floor}/robot-maps${path}`)).status).toBe(401);
    }
    // An operator sees the floor through one machine at the location, and of its robots only that machine.
    const [, , ownMachine, otherMachine] = world.north.machines as [number, number, number, number];
    for (const machine of [ownMachine, otherMachine])
      await addObservations(machine, [{ 'floor.map_id': 'both', 'floor.x': machine, 'floor.y': 0 }]);
    const path = `floors/${world.north.floors[1]}/robot-maps`;
    const { body } = await app.call<{ data: RobotMap[] }>(world.users.operator, 'GET', path);
    expect(body.data).toMatchObject([{ map_id: 'both', positions: 1, machines: [{ id: ownMachine }] }]);
    const positions = await app.call<{ data: object }>(world.users.operator, 'GET', `${path}/path?map_id=both`);
    expect(positions.body.data).toEqual([{ x: ownMachine, y: 0 }]);
  });

  test('are searched in a limited number of messages', async () => {
    const machine = world.south.machines[0] as number;
    await addObservations(machine, [{ 'floor.map_id': 'old', 'floor.x': 1, 'floor.y': 2 }]);
    const path = `floors/${world.south.floors[0]}/robot-maps`;
    const readMaps = () => app.call<{ data: RobotMap[] }>(world.admin, 'GET', path);
    expect((await readMaps()).body.data).toMatchObject([{ map_id: 'old' }]);
    await app.db.rows(sql`
      insert into observations (machine_id, at, kind, received_at, protocol, state, reason, attributes)
      select ${machine}::int, now() - n * interval '0.1 s', 'report', now(), 'own', 'Cleaning', 'cleaning', '{}'
      from generate_series(1, 5000) n`);
    expect((await readMaps()).body.data).toEqual([]);
  });
});
