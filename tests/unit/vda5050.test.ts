/** VDA 5050 2.0, 2.1 and 3.0 as observations. The samples contain every field that the published schemas require. */
import { describe, expect, test } from 'vitest';
import { createActionMatcher } from '../../server/telemetry/adapters/createActionMatcher';
import { readVda5050, type Vda5050Topic } from '../../server/telemetry/adapters/readVda5050';
import { InvalidMessage } from '../../server/telemetry/timeline/observation';

const isCleaning = createActionMatcher(['startCleaning', 'sweep']);
const read = (value: unknown, topic: Vda5050Topic = 'state') =>
  readVda5050(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), { topic, isCleaning });

const header = (version: string) => ({
  headerId: 7,
  timestamp: '2026-10-20T10:00:00.123Z',
  version,
  manufacturer: 'ACME',
  serialNumber: '0001',
});
const order = {
  orderId: '',
  orderUpdateId: 0,
  lastNodeId: 'node7',
  lastNodeSequenceId: 4,
  nodeStates: [],
  edgeStates: [],
  actionStates: [],
  errors: [],
};
const v2 = (fields: object = {}, version = '2.1.0') => ({
  ...header(version),
  ...order,
  driving: false,
  operatingMode: 'AUTOMATIC',
  batteryState: { batteryCharge: 80.4, charging: false },
  safetyState: { eStop: 'NONE', fieldViolation: false },
  agvPosition: { x: 12.5, y: -3, theta: 0.5, mapId: 'ground', positionInitialized: true },
  ...fields,
});
const v3 = (fields: object = {}) => ({
  ...header('3.0.0'),
  ...order,
  instantActionStates: [],
  driving: false,
  operatingMode: 'AUTOMATIC',
  powerSupply: { stateOfCharge: 80.4, charging: false },
  safetyState: { activeEmergencyStop: 'NONE', fieldViolation: false },
  mobileRobotPosition: { x: 12.5, y: -3, theta: 0.5, mapId: 'ground', localized: true },
  ...fields,
});
const runningAction = (actionType: string, actionStatus = 'RUNNING') => [{ actionId: 'a1', actionType, actionStatus }];
const drivingTo = (...nodes: string[]) => ({
  driving: true,
  orderId: 'o1',
  nodeStates: nodes.map((nodeId, index) => ({ nodeId, sequenceId: 2 * index + 6, released: true, actions: [] })),
});

describe.each([
  ['2.0', (fields?: object) => v2(fields, '2.0.0'), 'batteryState', 'batteryCharge', 'agvPosition'],
  ['2.1', v2, 'batteryState', 'batteryCharge', 'agvPosition'],
  ['3.0', v3, 'powerSupply', 'stateOfCharge', 'mobileRobotPosition'],
])('the state in version %s', (_version, state, supply, charge, place) => {
  test('has time, battery, speed and other plain values', () => {
    const message = read(state({ velocity: { vx: 0.6, vy: 0.8, omega: 1 } }));
    expect(message).toMatchObject({
      at: new Date('2026-10-20T10:00:00.123Z'),
      kind: 'state',
      battery: 80,
      speed: 1,
      error: null,
    });
    expect(message.attributes).toMatchObject({
      lastNodeId: 'node7',
      operatingMode: 'AUTOMATIC',
      [`${place}.x`]: 12.5,
      [`${place}.mapId`]: 'ground',
    });
    expect(Object.keys(message.attributes)).not.toContain('headerId');
  });

  test('separates the position on the vehicle’s map from degrees', () => {
    expect(read(state()).position).toBeNull();
    expect(
      read(state({ [place]: { x: 1, y: 2, theta: 0, mapId: 'm', latitude: 52.5, longitude: 13.4 } })).position,
    ).toEqual({
      latitude: 52.5,
      longitude: 13.4,
    });
  });

  test.each([
    ['stands', {}, 'Parked'],
    ['charges while driving', { ...drivingTo('n1'), [supply]: { [charge]: 20, charging: true } }, 'Charging'],
    ['drives with an order', drivingTo('n1'), 'Cleaning'],
    [
      'drives its last edge',
      { ...drivingTo(), edgeStates: [{ edgeId: 'e1', sequenceId: 7, released: true }] },
      'Cleaning',
    ],
    [
      'drives with an action of its order left',
      { ...drivingTo(), actionStates: runningAction('drop', 'WAITING') },
      'Cleaning',
    ],
    ['drives to the charger after its order, with the order ID still set', drivingTo(), 'Online'],
    [
      'drives after its last action',
      { ...drivingTo(), actionStates: runningAction('startCleaning', 'FINISHED') },
      'Online',
    ],
    [
      'drives after an action that failed',
      { ...drivingTo(), actionStates: runningAction('startCleaning', 'FAILED') },
      'Online',
    ],
    ['drives with an action of another kind', { ...drivingTo('n1'), actionStates: runningAction('drop') }, 'Online'],
    [
      'drives, cleans and runs another kind of action',
      { ...drivingTo('n1'), actionStates: [...runningAction('drop'), ...runningAction('startCleaning')] },
      'Cleaning',
    ],
    ['has a target but no order ID', { ...drivingTo('n1'), orderId: '' }, 'Online'],
    ['stands with nodes left', { ...drivingTo('n1'), driving: false }, 'Parked'],
    ['drives without an order', { driving: true }, 'Online'],
    ['drives in manual mode', { ...drivingTo('n1'), operatingMode: 'MANUAL' }, 'Online'],
    ['cleans on the spot', { actionStates: runningAction('startCleaning') }, 'Cleaning'],
    [
      'cleans, with another spelling of the action',
      { actionStates: runningAction('START_CLEANING'), operatingMode: 'SEMIAUTOMATIC' },
      'Cleaning',
    ],
    ['cleans in manual mode', { actionStates: runningAction('startCleaning'), operatingMode: 'MANUAL' }, 'Parked'],
    ['does something else', { actionStates: runningAction('beep') }, 'Parked'],
    ['has cleaned', { actionStates: runningAction('startCleaning', 'FINISHED') }, 'Parked'],
    ['is serviced', { operatingMode: 'SERVICE' }, 'Online'],
    ['starts up', { operatingMode: 'STARTUP' }, 'Online'],
  ])('of a machine that %s', (_what, fields, expected) => {
    expect(read(state(fields)).state).toBe(expected);
  });

  test.each([
    ['AUTOMATIC', 'robotic'],
    ['SEMIAUTOMATIC', 'robotic'],
    ['MANUAL', 'manual'],
    ['INTERVENED', 'manual'],
    ['TEACHIN', 'teaching'],
    ['TEACH_IN', 'teaching'],
    ['SERVICE', null],
    ['STARTUP', null],
    ['constructor', null],
  ])('in the operating mode %s is %s', (operatingMode, mode) => {
    expect(read(state({ operatingMode })).mode).toBe(mode);
  });

  test('lists its errors, the worst first, each once', () => {
    const message = read(
      state({
        errors: [
          { errorType: 'brushWorn', errorLevel: 'WARNING', errorDescription: 'Change the brush' },
          { errorType: 'noRoute', errorLevel: 'FATAL' },
          { errorType: 'brushWorn', errorLevel: 'WARNING' },
        ],
      }),
    );
    expect(message).toMatchObject({ error: 'noRoute', message: null, attributes: { errors: 'noRoute\nbrushWorn' } });
    expect(message.deviceErrors).toEqual([
      { code: 'noRoute', message: null, level: 'error' },
      { code: 'brushWorn', message: 'Change the brush', level: 'warning' },
    ]);
  });
});

test('actions on zones and instant actions also count as cleaning', () => {
  for (const list of ['instantActionStates', 'zoneActionStates'])
    expect(read(v3({ [list]: runningAction('sweep') })).state).toBe('Cleaning');
});

test.each([
  ['ONLINE', 'Online', 'connected'],
  ['OFFLINE', 'Offline', 'signed_off'],
  ['CONNECTIONBROKEN', 'Offline', 'connection_lost'],
  ['CONNECTION_BROKEN', 'Offline', 'connection_lost'],
  ['HIBERNATING', 'Parked', 'hibernating'],
])('the connection %s is %s at the time of the broker', (connectionState, state, reason) => {
  expect(read({ ...header('2.1.0'), connectionState }, 'connection')).toMatchObject({
    at: undefined,
    kind: 'connection',
    state,
    reason,
    mode: null,
  });
});

test('objects in the place of words count as unknown words, even if they hide `toString`', () => {
  const word = { toString: 1 };
  const fields = {
    operatingMode: word,
    errors: [{ errorType: 'E1', errorLevel: word }],
    orderId: 'o1',
    actionStates: [{ actionId: 'a', actionType: word, actionStatus: 'RUNNING' }],
    velocity: { vx: 1, vy: word },
  };
  expect(read(v2(fields))).toMatchObject({ state: 'Parked', mode: null, speed: null, error: 'E1' });
});

test('visualization has position and speed', () => {
  expect(
    read(
      { ...header('2.0.0'), agvPosition: { x: 1, y: 2, theta: 0, mapId: 'm' }, velocity: { vx: 0.5 } },
      'visualization',
    ),
  ).toMatchObject({
    kind: 'visualization',
    speed: 0.5,
    position: null,
    attributes: { 'agvPosition.x': 1 },
  });
});

test('a time without an offset is UTC; a missing or malformed one is the time of receipt', () => {
  expect(read(v2({ timestamp: '2026-10-20T10:00:00.5' })).at).toEqual(new Date('2026-10-20T10:00:00.500Z'));
  expect(read(v2({ timestamp: undefined })).at).toBeUndefined();
  for (const timestamp of ['yesterday', '', {}, null, '2026-13-01T00:00:00Z'])
    expect(read(v2({ timestamp })).at).toBeUndefined();
});

test.each([
  ['state', '{'],
  ['state', '[]'],
  ['state', 'null'],
  ['connection', '{}'],
  ['connection', '{"connectionState":"toString"}'],
  ['visualization', '7'],
] as const)('an invalid %s is rejected: %s', (topic, body) => {
  expect(() => read(body, topic)).toThrow(InvalidMessage);
});
