/** Runs derived from VDA 5050 orders: deterministic, and never overlapping. */
import { describe, expect, test } from 'vitest';
import { createActionMatcher } from '../../server/telemetry/adapters/createActionMatcher';
import { readVda5050 } from '../../server/telemetry/adapters/readVda5050';
import { deriveOrderRuns, type OrderState } from '../../server/telemetry/runs/deriveOrderRuns';
import { vdaState } from '../support/mqttDevice';
import { seededRandom, shuffle } from '../support/seededRandom';

const start = Date.UTC(2026, 9, 20, 8);
const isCleaning = createActionMatcher(['clean']);

/** A state this many seconds after the start, as the adapter returns it. */
function state(seconds: number, fields: object = {}): OrderState {
  const body = Buffer.from(JSON.stringify(vdaState(fields, new Date(start + seconds * 1000))));
  const message = readVda5050(body, { topic: 'state', isCleaning });
  return {
    ...message,
    at: message.at as Date,
    latitude: null,
    longitude: null,
  };
}
const iso = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const seconds = (offset: number) => start / 1000 + offset;

const action = (actionStatus: string, actionType = 'floorCleaning') => ({
  actionId: actionType,
  actionType,
  actionStatus,
});
const node = { nodeId: 'n2', sequenceId: 4, released: true };
const cleaning = (orderId = 'o1', extraFields: object = {}) => ({
  orderId,
  driving: true,
  nodeStates: [node],
  actionStates: [action('RUNNING')],
  ...extraFields,
});
const finishedState = (orderId = 'o1', ...actions: object[]) => ({
  orderId,
  actionStates: actions.length > 0 ? actions : [action('FINISHED')],
});
const waitingState = (orderId = 'o1') => ({ orderId, nodeStates: [node], actionStates: [action('WAITING')] });

describe('a run', () => {
  test('lasts from the first cleaning of an order to the state in which nothing of it is left', () => {
    const positionState = (x: number) => ({
      agvPosition: { x, y: 0, theta: 0, mapId: 'hall', positionInitialized: true },
    });
    const battery = (batteryCharge: number) => ({ batteryState: { batteryCharge, charging: false } });
    const runs = deriveOrderRuns([
      state(0, waitingState()),
      state(10, cleaning('o1', { ...positionState(0), ...battery(80) })),
      state(20, cleaning('o1', { ...positionState(5), ...battery(79) })),
      state(30, { ...finishedState('o1'), ...positionState(9), ...battery(78) }),
      state(40, { ...finishedState('o1'), ...positionState(9) }),
    ]);
    expect(runs).toEqual([
      {
        orderId: 'o1',
        from: seconds(10),
        to: seconds(30),
        outcome: 'completed',
        outcomeRaw: 'FINISHED',
        action: 'floorCleaning',
        distance: 9,
        batteryStart: 80,
        batteryEnd: 78,
        mapId: 'hall',
        interruptions: [],
      },
    ]);
  });

  test.each<[string, object, string, string | null]>([
    ['is done', finishedState(), 'completed', 'FINISHED'],
    ['has no cleaning action left', { orderId: 'o1' }, 'completed', null],
    ['failed', finishedState('o1', action('FAILED')), 'failed', 'FAILED'],
    ['failed partly', finishedState('o1', action('FINISHED'), action('FAILED', 'clean_2')), 'partial', 'FAILED'],
    [
      'was cancelled',
      finishedState('o1', action('FAILED'), action('FINISHED', 'cancelOrder')),
      'aborted',
      'cancelOrder',
    ],
    [
      'was cancelled in version 3',
      { ...finishedState('o1', action('FAILED')), instantActionStates: [action('FINISHED', 'cancelOrder')] },
      'aborted',
      'cancelOrder',
    ],
    [
      'ended with an error',
      { orderId: 'o1', errors: [{ errorType: 'motor', errorLevel: 'FATAL' }] },
      'failed',
      'motor',
    ],
    [
      'ended with a warning',
      { ...finishedState(), errors: [{ errorType: 'brush', errorLevel: 'WARNING' }] },
      'completed',
      'FINISHED',
    ],
    ['was replaced by another order', cleaning('o2'), 'aborted', 'replaced'],
    ['was replaced by no order', { orderId: '' }, 'aborted', 'replaced'],
  ])('has the outcome of its end: it %s', (_, last, outcome, outcomeRaw) => {
    const [run] = deriveOrderRuns([state(0, cleaning()), state(60, last)]);
    expect(run).toMatchObject({ orderId: 'o1', from: seconds(0), to: seconds(60), outcome, outcomeRaw });
  });

  test.each<[string, object, string]>([
    [
      'an error',
      { errors: [{ errorType: 'stuck', errorLevel: 'FATAL', errorDescription: 'At the door' }] },
      'stuck: At the door',
    ],
    ['an urgent error', { errors: [{ errorType: 'stuck', errorLevel: 'URGENT' }] }, 'stuck'],
    [
      'a warning at which it stops',
      { actionStates: [action('PAUSED')], driving: false, errors: [{ errorType: 'path', errorLevel: 'WARNING' }] },
      'path',
    ],
    ['the emergency stop', { safetyState: { eStop: 'MANUAL', fieldViolation: false } }, 'eStop MANUAL'],
    ['the emergency stop of version 3', { safetyState: { activeEmergencyStop: 'REMOTE' } }, 'eStop REMOTE'],
    ['an obstacle', { safetyState: { eStop: 'NONE', fieldViolation: true } }, 'fieldViolation'],
    ['a pause', { paused: true }, 'paused'],
    ['manual driving', { operatingMode: 'MANUAL' }, 'MANUAL'],
  ])('is interrupted by %s until it continues', (_, fields, reason) => {
    const [run] = deriveOrderRuns([
      state(0, cleaning()),
      state(10, cleaning('o1', fields)),
      state(20, cleaning('o1', fields)),
      state(50, cleaning()),
      state(60, finishedState()),
    ]);
    expect(run?.interruptions).toEqual([{ at: iso(10), reason, resolved_at: iso(50) }]);
  });

  test('is not interrupted by a warning while cleaning, nor by a speed that a user has set', () => {
    const errors = [{ errorType: 'brush', errorLevel: 'WARNING' }];
    const [run] = deriveOrderRuns([
      state(0, cleaning('o1', { errors })),
      state(10, cleaning('o1', { operatingMode: 'SEMIAUTOMATIC' })),
      state(20, finishedState()),
    ]);
    expect(run?.interruptions).toEqual([]);
  });

  test('can end while it is interrupted', () => {
    const [run] = deriveOrderRuns([
      state(0, cleaning()),
      state(10, cleaning('o1', { paused: true })),
      state(20, { ...finishedState(), paused: true }),
    ]);
    expect(run?.interruptions).toEqual([{ at: iso(10), reason: 'paused', resolved_at: null }]);
  });
});

describe('no run', () => {
  test.each<[string, OrderState[]]>([
    ['while the order continues', [state(0, cleaning()), state(10, cleaning())]],
    [
      'of an order that only charges',
      [state(0, { orderId: 'o1', actionStates: [action('RUNNING', 'startCharging')] }), state(9, { orderId: 'o1' })],
    ],
    ['without an order', [state(0, { actionStates: [action('RUNNING')] }), state(9)]],
    ['without duration', [state(0.2, cleaning()), state(0.8, finishedState())]],
  ])('%s', (_, states) => {
    expect(deriveOrderRuns(states)).toEqual([]);
  });
});

test('an order that continues after its end becomes another run; a cancelled order does not cancel the next one', () => {
  const cancel = action('FINISHED', 'cancelOrder');
  const runs = deriveOrderRuns([
    state(0, cleaning('a')),
    state(10, finishedState('a')),
    state(600, cleaning('a')),
    state(700, finishedState('a', action('FAILED'), cancel)),
    state(800, cleaning('b', { actionStates: [action('RUNNING'), cancel] })),
    state(900, finishedState('b', action('FINISHED'), cancel)),
  ]);
  expect(runs.map(({ orderId, from, to, outcome }) => [orderId, from - seconds(0), to - seconds(0), outcome])).toEqual([
    ['a', 0, 10, 'completed'],
    ['a', 600, 700, 'aborted'],
    ['b', 800, 900, 'completed'],
  ]);
});

test('texts are cut between characters, because half of one cannot be stored', () => {
  const errors = [{ errorType: 'E1', errorDescription: `${'x'.repeat(195)}🧹`, errorLevel: 'FATAL' }];
  const [run] = deriveOrderRuns([
    state(10, cleaning()),
    state(20, cleaning('o1', { errors })),
    state(30, finishedState()),
  ]);
  const reason = run?.interruptions[0]?.reason;
  expect([reason?.length, reason?.isWellFormed()]).toEqual([199, true]);
});

describe('random states', () => {
  const kinds = [cleaning, cleaning, cleaning, finishedState, waitingState, () => ({ orderId: '' })];
  const cases = Array.from({ length: 200 }, (_, seed) => {
    const random = seededRandom(seed);
    let second = 0;
    const states = Array.from({ length: 2 + Math.floor(random() * 40) }, () => {
      second += 0.3 + random() ** 3 * 900;
      const kind = kinds[Math.floor(random() * kinds.length)] as (orderId: string) => object;
      return state(second, { ...kind(['a', 'b', 'c'][Math.floor(random() * 3)] as string), paused: random() < 0.2 });
    });
    return { random, states };
  });

  test('give the same runs in any order and with any repetition', () => {
    expect(cases.flatMap(({ states }) => deriveOrderRuns(states)).length).toBeGreaterThan(200);
    for (const { random, states } of cases) {
      const runs = deriveOrderRuns(states);
      expect(deriveOrderRuns(shuffle([...states, ...states], random))).toEqual(runs);
    }
  });

  test('give runs that never overlap and contain their interruptions', () => {
    for (const { states } of cases) {
      const runs = deriveOrderRuns(states);
      for (const [index, run] of runs.entries()) {
        expect(run.to).toBeGreaterThan(run.from);
        expect(run.from).toBeGreaterThanOrEqual(runs[index - 1]?.to ?? 0);
        for (const { at, resolved_at } of run.interruptions) {
          expect(Date.parse(at) / 1000).toBeGreaterThanOrEqual(run.from);
          expect(Date.parse(resolved_at ?? at) / 1000).toBeLessThan(run.to + 1);
        }
      }
    }
  });
});
