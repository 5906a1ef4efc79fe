/** `GET /machines/{id}/floor`: the position of a machine on a floor of its location, updated by messages. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MachineOnFloor } from '../../schema/endpoints/floors';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let secret: string;
let nextIndex = 0;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ machine, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

const addFloor = (location: number | undefined, maps: object[]) =>
  add(app.db, 'floors', { location_id: location, maps: maps as never });
const readPlacement = async () =>
  (await app.call<{ data: MachineOnFloor | null }>(world.admin, 'GET', `machines/${machine}/floor`)).body.data;
async function send(items: readonly object[]): Promise<void> {
  expect((await sendBatch(app, secret, items)).status).toBe(200);
}
const readLocation = async () =>
  (await app.call<{ data: { location_id: number } }>(world.admin, 'GET', `machines/${machine}`)).body.data.location_id;

test('returns the latest position in metres of the floor, also after messages without one', async () => {
  const transformation = { x: 10, y: 5, rotation: 90, scale: 0.5 };
  const floor = await addFloor(await readLocation(), [{ map_id: `map-${nextIndex}`, transformation }]);
  expect(await readPlacement()).toBeNull();
  const start = Date.now() - 60_000;
  const timeAfter = (second: number) => new Date(start + second * 1000).toISOString();
  const positionOn = (x: number, y: number) => ({ map_id: `map-${nextIndex}`, x, y, theta: 0 });
  await send([
    { at: timeAfter(1), status: 'cleaning', floor: positionOn(2, 0) },
    { at: timeAfter(2), status: 'cleaning', battery: 55, speed: 0.5, floor: positionOn(4, 2) },
    { at: timeAfter(3), battery: 54 },
  ]);
  const placement = await readPlacement();
  expect(placement).toMatchObject({ floor_id: floor, at: timeAfter(2), state: 'Cleaning', battery: 55, speed: 0.5 });
  expect([placement?.x, placement?.y, placement?.theta].map((value) => Number(value?.toFixed(6)))).toEqual([
    9, 7, 1.570796,
  ]);
});

test('returns null if the map is not linked to a floor of the machine’s location', async () => {
  const location = await readLocation();
  const foreignLocation = world.south.locations[0];
  expect(foreignLocation).not.toBe(location);
  await addFloor(foreignLocation, [{ map_id: 'foreign' }]);
  await send([{ status: 'cleaning', floor: { map_id: 'foreign', x: 1, y: 1 } }]);
  expect(await readPlacement()).toBeNull();
});

test('returns 404 out of scope', async () => {
  const { status } = await app.call(world.south.users.customer_admin, 'GET', `machines/${machine}/floor`);
  expect(status).toBe(404);
});
