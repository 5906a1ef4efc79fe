/** Distances of VDA 5050 vehicles, from positions on the vehicle's map and from the distance since the last node. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { createAdapterSettings, mediaTypeOf, readMessage } from '../../server/telemetry/adapters/readMessage';
import { ingest } from '../../server/telemetry/ingest/ingest';
import { vdaState } from '../support/mqttDevice';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';

let app: TestApp;
let fleet: number;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await addFleet(app.db);
});
afterAll(() => app.close());

const start = Date.UTC(2026, 9, 20, 8);
const now = new Date(start + 3600_000);
const settings = createAdapterSettings({ env: { cleaningActions: ['clean'] } })({
  cleaningActions: null,
  keyRules: null,
});

/** Distance in metres from a vehicle's states, ten seconds apart, sent in the given order. */
async function measureDistance(
  states: readonly object[],
  { order = states.map((_, index) => index), kind = 'state' as 'state' | 'visualization' } = {},
): Promise<number> {
  const { machineId, trackerId } = await addTrackedMachine(app.db, fleet);
  for (const index of order) {
    const body = Buffer.from(JSON.stringify(vdaState(states[index], new Date(start + index * 10_000))));
    const raw = { device: 'd', mediaType: mediaTypeOf(kind), body };
    await ingest(
      { ...app.services, now: () => now },
      readMessage('vda5050', raw, settings).map(({ message }) => ({
        machineId,
        trackerId,
        protocol: 'vda5050' as const,
        message,
        receivedAt: now,
        raw,
      })),
    );
  }
  const row = await app.db.selectOne(
    { metres: pg.double },
    sql`select coalesce(sum(distance_m), 0)::float8 as metres from machine_days where machine_id = ${machineId}`,
  );
  return row?.metres as number;
}

const positionAt = (x: number, y: number, extraFields: object = {}) => ({
  driving: true,
  agvPosition: { x, y, theta: 0, mapId: 'ground', positionInitialized: true },
  ...extraFields,
});
const mapStates = [
  positionAt(0, 0),
  positionAt(3, 4),
  positionAt(3, 14),
  positionAt(3, 15, { driving: false }),
  positionAt(3.01, 15, { driving: false }),
];

test('is measured on the map while the vehicle moves, for any order of messages', async () => {
  expect(await measureDistance(mapStates)).toBeCloseTo(16, 6);
  expect(await measureDistance(mapStates, { order: [3, 0, 4, 2, 1] })).toBeCloseTo(16, 6);
  expect(
    await measureDistance(
      mapStates.map(({ agvPosition, ...otherFields }) => ({ ...otherFields, mobileRobotPosition: agvPosition })),
    ),
  ).toBeCloseTo(16, 6);
});

test('ignores changes of map, jumps and visualization messages', async () => {
  const stateInLift = {
    ...positionAt(90, 90),
    agvPosition: { ...positionAt(90, 90).agvPosition, mapId: 'first floor' },
  };
  expect(await measureDistance([positionAt(0, 0), positionAt(0, 5), stateInLift])).toBeCloseTo(5, 6);
  expect(await measureDistance([positionAt(0, 0), positionAt(0, 5), positionAt(0, 5000)])).toBeCloseTo(5, 6);
  expect(await measureDistance(mapStates, { kind: 'visualization' })).toBe(0);
});

test('equals the distance since the last node if that is greater', async () => {
  const drivenState = (lastNodeId: string, metres: number, positionFields: object = {}) => ({
    driving: true,
    lastNodeId,
    lastNodeSequenceId: 2,
    distanceDrivenSinceLastNode: metres,
    ...positionFields,
  });
  expect(
    await measureDistance([drivenState('a', 2), drivenState('a', 9), drivenState('b', 4), drivenState('b', 5)]),
  ).toBeCloseTo(12, 6);
  expect(
    await measureDistance([
      drivenState('a', 0, positionAt(0, 0)),
      drivenState('a', 20, positionAt(0, 1)),
      drivenState('b', 1, positionAt(0, 9)),
    ]),
  ).toBeCloseTo(28, 6);
});
