/** Position of a floor on its plan, in metres. */
import { expect, test } from 'vitest';
import type { Point } from '../../schema/dsl/polygons';
import { areaOf, toBounds } from '../../src/map/plan/planPlaces';

const square: Point[] = [
  [2, 3],
  [12, 3],
  [12, 8],
  [2, 8],
];

test('a plan covers its floor, even if points lie outside', () => {
  expect(areaOf({ width_m: 60, height_m: 40 }, [{ polygon: square }], [[-5, 90]])).toEqual({
    x: 0,
    y: 0,
    width: 60,
    height: 40,
  });
});

test('without a size, the area encloses zones and points, and is never empty', () => {
  const floorWithoutSize = { width_m: 60, height_m: null };
  expect(areaOf(floorWithoutSize, [{ polygon: square }], [[-1, 4]])).toEqual({ x: -1, y: 3, width: 13, height: 5 });
  expect(areaOf(floorWithoutSize, [], [[4, 4]])).toEqual({ x: 4, y: 4, width: 1, height: 1 });
  expect(areaOf(undefined)).toEqual({ x: 0, y: 0, width: 20, height: 20 });
});

test('corners are latitude and longitude, that is, y before x', () => {
  expect(toBounds({ x: 1, y: 2, width: 10, height: 5 })).toEqual([
    [2, 1],
    [7, 11],
  ]);
});
