/** The path of a run: position and state at a time, and gaps. */
import { expect, test } from 'vitest';
import { parseRunPath, pathLegs, runPositionAt, stateStretches } from '../../src/map/plan/runPath';

const start = Date.parse('2026-03-02T08:00:00Z');
const timeAfter = (second: number) => start + second * 1000;
const positionsOf = (places: readonly [second: number, x: number, state?: string][]) =>
  places.map(([second, x, state = 'Cleaning']) => ({
    at: new Date(timeAfter(second)).toISOString(),
    x,
    y: 2 * x,
    theta: null,
    speed: 1,
    state,
    battery: 80 - x,
  }));

/** One position every ten seconds, a gap from 20 to 100, then charging. */
const path = parseRunPath(
  positionsOf([
    [0, 0],
    [10, 4],
    [20, 6],
    [100, 8, 'Charging'],
    [110, 8, 'Charging'],
  ]),
);

test('the position is interpolated between two positions, and stands still before the first one and in a gap', () => {
  const placeAt = (second: number) => {
    const place = runPositionAt(path, timeAfter(second));
    return place && [place.x, place.y, place.battery];
  };
  expect([-5, 0, 5, 20, 60, 99, 100, 500].map(placeAt)).toEqual([
    [0, 0, 80],
    [0, 0, 80],
    [2, 4, 80],
    [6, 12, 74],
    [6, 12, 74],
    [6, 12, 74],
    [8, 16, 72],
    [8, 16, 72],
  ]);
  expect(runPositionAt(parseRunPath([]), timeAfter(0))).toBeUndefined();
});

test('a gap breaks the line and the strip of states', () => {
  expect(pathLegs(path).map((leg) => leg.map(({ x }) => x))).toEqual([
    [0, 4, 6],
    [8, 8],
  ]);
  expect(stateStretches(path)).toEqual([
    { state: 'Cleaning', from: timeAfter(0), to: timeAfter(20) },
    { state: 'Charging', from: timeAfter(100), to: timeAfter(110) },
  ]);
});

test('in a path with fewer positions, a gap is a multiple of the usual interval', () => {
  const sparsePath = parseRunPath(positionsOf(Array.from({ length: 20 }, (_, step) => [step * 60, step])));
  expect(pathLegs(sparsePath)).toHaveLength(1);
  expect(stateStretches(sparsePath)).toEqual([{ state: 'Cleaning', from: timeAfter(0), to: timeAfter(19 * 60) }]);
});
