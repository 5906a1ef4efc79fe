/** Functions of the floor page: splitting zones, scale of a plan, unsaved drafts. */
import { describe, expect, test } from 'vitest';
import { isSelfCrossing, type Point, polygonArea } from '../../schema/dsl/polygons';
import { splitPolygon } from '../../src/map/plan/splitPolygon';
import {
  addZone,
  changeZone,
  draftsOf,
  insertCorner,
  moveOutline,
  outlineProblem,
  splitZone,
  zoneChanges,
} from '../../src/map/plan/zoneDrafts';
import { fitScale, fitToMap } from '../../src/resources/floors/planScale';

const square: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];
/** Two legs upwards, joined at the bottom. */
const horseshoe: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [7, 10],
  [7, 3],
  [3, 3],
  [3, 10],
  [0, 10],
];
const areas = (parts: Point[][] | undefined) => parts?.map(polygonArea);

describe('a line splits a polygon', () => {
  test('into the pieces on either side, the largest first', () => {
    expect(areas(splitPolygon(square, [3, -5], [3, 5]))).toEqual([70, 30]);
    expect(areas(splitPolygon(square, [0, 0], [10, 10]))).toEqual([50, 50]);
  });

  test('into all resulting pieces', () => {
    expect(areas(splitPolygon(horseshoe, [-1, 5], [11, 5]))).toEqual([42, 15, 15]);
    expect(areas(splitPolygon(horseshoe, [5, -1], [5, 11]))).toEqual([36, 36]);
  });

  test('but not if it passes beside it or along a side, or has no direction', () => {
    expect(splitPolygon(square, [11, 0], [11, 10])).toBeUndefined();
    expect(splitPolygon(square, [0, 0], [0, 10])).toBeUndefined();
    expect(splitPolygon(square, [10, 0], [10, 10])).toBeUndefined();
    expect(splitPolygon(square, [5, 5], [5, 5])).toBeUndefined();
  });

  test('without lost area or crossing outlines, at any angle', () => {
    for (let degree = 0; degree < 180; degree += 7) {
      const [sin, cos] = [Math.sin((degree * Math.PI) / 180), Math.cos((degree * Math.PI) / 180)];
      const parts = splitPolygon(horseshoe, [5, 4], [5 + cos, 4 + sin]) ?? [];
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.some((part) => isSelfCrossing(part))).toBe(false);
      expect(parts.reduce((sum, part) => sum + polygonArea(part), 0)).toBeCloseTo(polygonArea(horseshoe), 1);
    }
  });
});

describe('the scale of a plan', () => {
  test('is computed from one distance, or from three by least squares', () => {
    const [a, b, c]: Point[] = [
      [0, 0],
      [300, 0],
      [300, 400],
    ];
    expect(fitScale([{ from: a as Point, to: b as Point, metres: 30 }])).toEqual({
      scale: 0.1,
      error: { mean: 0, largest: 0 },
    });
    const fit = fitScale([
      { from: a as Point, to: b as Point, metres: 30.5 },
      { from: b as Point, to: c as Point, metres: 40 },
      { from: a as Point, to: c as Point, metres: 49.5 },
    ]);
    expect(fit?.scale).toBeCloseTo(0.0998, 4);
    expect(fit?.error.largest).toBeCloseTo(0.56, 2);
    expect(fitScale([{ from: a as Point, to: a as Point, metres: 30 }])).toBeUndefined();
    expect(fitScale([])).toBeUndefined();
  });

  test('and its rotation are computed from positions on the street map', () => {
    // The top of the plan points east, so its x axis runs south. One pixel is 10 cm.
    const degree = 1 / 111_320;
    const place = (east: number, north: number) => ({
      latitude: 50 + north * degree,
      longitude: 8 + (east * degree) / Math.cos((50 * Math.PI) / 180),
    });
    const fit = fitToMap([
      { plan: [0, 0], position: place(0, 0) },
      { plan: [200, 0], position: place(0, -20) },
      { plan: [0, 100], position: place(10, 0) },
    ]);
    expect(fit).toMatchObject({ scale: expect.closeTo(0.1, 6), rotation: expect.closeTo(90, 3), mirrored: false });
    expect(fit?.error.largest).toBeLessThan(0.001);
  });
});

describe('drafts of zones', () => {
  const storedZones = draftsOf([
    { id: 7, version: 3, name: 'Hall', kind: 'clean', every_days: 2, polygon: square },
    { id: 8, version: 4, name: 'Dock', kind: 'dock', every_days: null, polygon: horseshoe },
  ]);

  test('give the changes to store', () => {
    expect(zoneChanges(storedZones, storedZones)).toEqual({ deleted: [], changed: [], created: [] });
    const renamedZones = changeZone(storedZones.slice(0, 1), 'zone-7', { name: 'Great hall' });
    const drafts = addZone(renamedZones, { name: 'Shop', kind: 'clean', every_days: null, polygon: square });
    expect(zoneChanges(storedZones, drafts)).toEqual({
      deleted: [{ id: 8, version: 4, name: 'Dock' }],
      changed: [{ id: 7, version: 3, name: 'Hall', body: { name: 'Great hall' } }],
      created: [expect.objectContaining({ name: 'Shop', key: 'new-1' })],
    });
  });

  test('are split under unique names', () => {
    const splitZones = splitZone(storedZones, 'zone-7', [3, -1], [3, 11]) ?? [];
    expect(
      splitZones.map(({ name, id, kind, every_days, polygon }) => [name, id, kind, every_days, polygonArea(polygon)]),
    ).toEqual([
      ['Hall', 7, 'clean', 2, 70],
      ['Dock', 8, 'dock', null, 72],
      ['Hall 2', undefined, 'clean', 2, 30],
    ]);
    expect(splitZone(storedZones, 'zone-7', [11, 0], [11, 1])).toBeUndefined();
  });

  test('report an invalid outline', () => {
    expect(outlineProblem(square.slice(0, 2))).toBe('few_corners');
    expect(outlineProblem([square[0], square[2], square[1], square[3]] as Point[])).toBe('crosses');
    expect(outlineProblem(insertCorner(square, 3))).toBeUndefined();
    expect(moveOutline(square, [6, 5])[0]).toEqual([1, 0]);
  });
});
