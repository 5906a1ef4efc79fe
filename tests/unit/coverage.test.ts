/** Coverage of a path, compared with brute force, and the transformation of a robot's map. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitTransformation } from '../../schema/dsl/fitTransformation';
import type { Point } from '../../schema/dsl/polygons';
import { applyTransformation } from '../../schema/dsl/transformation';
import {
  measureCoverage as coverageSteps,
  prepareZones as zoneSteps,
} from '../../server/features/floors/measureCoverage';
import { type FloorPosition, PathSweep } from '../../server/features/floors/pathSweep';
import { TooLarge } from '../../server/features/floors/sampleRows';
import type { SweptCells } from '../../server/features/floors/sweptCells';
import { ThinnedPath } from '../../server/features/floors/thinnedPath';
import { runAtOnce } from '../../server/shared/steps';
import { computeCoverageByBruteForce } from '../support/coverageOracle';

const prepareZones = (zones: Parameters<typeof zoneSteps>[0]) => runAtOnce(zoneSteps(zones));
const measureCoverage = (cells: SweptCells, zones: ReturnType<typeof prepareZones>) =>
  runAtOnce(coverageSteps(cells, zones));

const rectangle = (left: number, low: number, right: number, high: number): Point[] => [
  [left, low],
  [right, low],
  [right, high],
  [left, high],
];

/** One position per second along corners, at half a metre per second. */
function drive(corners: readonly Point[], start = 0): FloorPosition[] {
  const [first] = corners as [Point];
  const path: FloorPosition[] = [{ t: start, x: first[0], y: first[1] }];
  corners.slice(1).forEach((to, index) => {
    const from = corners[index] as Point;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const steps = Math.ceil(length / 0.5);
    const previous = path.at(-1) as FloorPosition;
    for (let step = 1; step <= steps; step += 1)
      path.push({
        t: previous.t + step,
        x: from[0] + ((to[0] - from[0]) * step) / steps,
        y: from[1] + ((to[1] - from[1]) * step) / steps,
      });
  });
  return path;
}

test('a turn on the spot sweeps, also at the start of a path and in steps of less than a degree', () => {
  const pathSweep = new PathSweep();
  pathSweep.startPath(1);
  for (let step = 0; step <= 200; step += 1) pathSweep.add({ t: step / 10, x: 5, y: 5, theta: (step * Math.PI) / 400 });
  const { covered_m2 } = measureCoverage(pathSweep.cells, prepareZones([]));
  // Two opposite quarters of a disc with a diameter of one metre.
  expect(covered_m2).toBeCloseTo(Math.PI / 8, 1);
});

/** Parallel lanes, back and forth between two ends, at these heights. */
const lanes = (left: number, right: number, heights: readonly number[]): Point[] =>
  heights.flatMap((y, index): Point[] =>
    index % 2 === 0
      ? [
          [left, y],
          [right, y],
        ]
      : [
          [right, y],
          [left, y],
        ],
  );
const heights = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index * step);

function sweep(path: readonly FloorPosition[], width: number) {
  const pathSweep = new PathSweep();
  pathSweep.startPath(width);
  for (const position of path) pathSweep.add(position);
  return pathSweep.cells;
}

const rotate = (points: readonly Point[]) =>
  points.map((point) => applyTransformation({ rotation: 27, x: 3, y: -40 }, point));

const hall = rectangle(0, 0, 14, 9);
const corridor: Point[] = [
  [0, 0],
  [12, 0],
  [12, 4],
  [5, 4],
  [5, 10],
  [0, 10],
];
const cases: { name: string; width: number; clean: Point[]; noGo?: Point[][]; corners: Point[] }[] = [
  { name: 'a hall, half of it', width: 0.62, clean: hall, corners: lanes(0.5, 13.5, heights(0.31, 0.55, 8)) },
  { name: 'narrow strips left over', width: 0.53, clean: hall, corners: lanes(0, 14, heights(0.3, 0.67, 13)) },
  { name: 'lanes on the lines of cells', width: 0.5, clean: hall, corners: lanes(0, 14, heights(0.25, 0.75, 12)) },
  {
    name: 'an L',
    width: 0.71,
    clean: corridor,
    corners: [...lanes(0.4, 11.6, heights(0.4, 0.65, 5)), ...lanes(0.4, 4.6, heights(4.5, 0.8, 7))],
  },
  {
    name: 'pillars',
    width: 0.6,
    clean: hall,
    noGo: [rectangle(3, 3, 4.03, 4.05), rectangle(8, 5, 8.8, 6.3)],
    corners: [...lanes(0.3, 13.7, heights(0.3, 0.7, 4)), ...lanes(4.5, 7.5, heights(3, 0.5, 6)), [13, 8]],
  },
  {
    name: 'a rotated floor',
    width: 0.66,
    clean: rotate(hall),
    corners: rotate(lanes(0.4, 13.6, heights(0.33, 0.75, 12))),
  },
  {
    name: 'curves',
    width: 0.8,
    clean: hall,
    corners: Array.from(
      { length: 200 },
      (_, index): Point => [
        7 + (0.3 + index / 50) * Math.cos(index / 4),
        4.5 + (0.3 + index / 50) * Math.sin(index / 4),
      ],
    ),
  },
];

describe('covered and missed area', () => {
  test.each(cases)('agree with brute force: $name', ({ width, clean, noGo = [], corners }) => {
    const path = drive(corners);
    const expected = computeCoverageByBruteForce({ path, width, clean, noGo });
    const zones = [
      { id: 7, kind: 'clean', polygon: clean },
      ...noGo.map((polygon, index) => ({ id: 8 + index, kind: 'no_go', polygon })),
    ];
    const coverage = measureCoverage(sweep(path, width), prepareZones(zones));
    expect(expected.missed).toBeGreaterThan(3);
    expect(Math.abs(coverage.covered_m2 / expected.covered - 1)).toBeLessThan(0.02);
    expect(Math.abs((coverage.missed_m2 as number) / expected.missed - 1)).toBeLessThan(0.05);
    expect(coverage.zones.map(({ id }) => id)).toEqual([7]);
    expect(coverage.zones[0]?.covered).toBeCloseTo(
      coverage.covered_m2 / (coverage.covered_m2 + (coverage.missed_m2 ?? 0)),
      3,
    );
  });

  test('exclude gaps in time and jumps', () => {
    const first = drive(lanes(0.5, 13.5, heights(0.4, 0.6, 5)));
    const end = (first.at(-1) as FloorPosition).t;
    const second = drive(lanes(0.5, 13.5, heights(5, 0.6, 3)), end + 31);
    const third = drive(lanes(0.5, 6, heights(8, 0.6, 2)), (second.at(-1) as FloorPosition).t + 1);
    const path = [...first, ...second, ...third];
    const gaps = [first.length, first.length + second.length];
    const expected = computeCoverageByBruteForce({
      path,
      width: 0.6,
      clean: hall,
      isGap: (index) => gaps.includes(index),
    });
    const coverage = measureCoverage(sweep(path, 0.6), prepareZones([{ id: 1, kind: 'clean', polygon: hall }]));
    expect(Math.abs(coverage.covered_m2 / expected.covered - 1)).toBeLessThan(0.02);
    expect(Math.abs((coverage.missed_m2 as number) / expected.missed - 1)).toBeLessThan(0.05);
  });

  test('of a lane are its length times the width; a second pass counts when the tool comes back', () => {
    const backAndForth: Point[] = [
      [0, 1],
      [10, 1],
      [0, 1],
      [10, 1],
    ];
    const zones = prepareZones([]);
    const singlePass = measureCoverage(sweep(drive(backAndForth.slice(0, 2)), 0.6), zones);
    expect(singlePass).toEqual({ covered_m2: 6, twice_m2: 0, missed_m2: null, zones: [] });
    expect(measureCoverage(sweep(drive(backAndForth.slice(0, 3)), 0.6), zones).twice_m2).toBe(0);
    const threePasses = measureCoverage(sweep(drive(backAndForth), 0.6), zones);
    expect(threePasses.covered_m2).toBe(6);
    // Near its ends the tool turns before it has left a cell.
    expect(threePasses.twice_m2).toBeGreaterThan(5);
    expect(threePasses.twice_m2).toBeLessThanOrEqual(6);
  });

  test('use known headings, unless the machine would drive sideways', () => {
    const turningPath: FloorPosition[] = Array.from({ length: 13 }, (_, index) => ({
      t: index,
      x: 2,
      y: 2,
      theta: (index * Math.PI) / 12,
    }));
    const start: FloorPosition = { t: -1, x: 1.9, y: 2, theta: 0 };
    const disc = measureCoverage(sweep([start, ...turningPath], 1), prepareZones([]));
    expect(disc.covered_m2).toBeGreaterThan(Math.PI / 4 - 0.01);
    expect(disc.covered_m2).toBeLessThan(Math.PI / 4 + 0.06);
    const sideways = drive([
      [0, 0],
      [10, 0],
    ]).map((position) => ({ ...position, theta: Math.PI / 2 }));
    expect(measureCoverage(sweep(sideways, 0.6), prepareZones([])).covered_m2).toBe(6);
  });

  test('count overlapping zones once, and exclude no-go zones', () => {
    const zones = [
      { id: 1, kind: 'clean', polygon: rectangle(0, 0, 10, 10) },
      { id: 2, kind: 'clean', polygon: rectangle(5, 0, 15, 10) },
      { id: 3, kind: 'no_go', polygon: rectangle(0, 0, 15, 2) },
      { id: 4, kind: 'dock', polygon: rectangle(0, 8, 1, 9) },
    ];
    const coverage = measureCoverage(sweep([], 0.6), prepareZones(zones));
    expect(coverage).toEqual({
      covered_m2: 0,
      twice_m2: 0,
      missed_m2: 120,
      zones: [
        { id: 1, covered: 0 },
        { id: 2, covered: 0 },
      ],
    });
  });

  test('of a stationary robot with position noise are negligible', () => {
    const path = Array.from({ length: 5000 }, (_, index) => ({
      t: index,
      x: 3 + 0.03 * Math.sin(index * 7.1),
      y: 3 + 0.03 * Math.cos(index * 3.7),
    }));
    expect(measureCoverage(sweep(path, 0.6), prepareZones([])).covered_m2).toBe(0);
  });

  test('of eight hours equal those of their lanes', () => {
    const path = drive(lanes(0.3, 59.7, heights(0.3, 0.55, 240))).slice(0, 28_800);
    expect(path).toHaveLength(28_800);
    const zones = prepareZones([{ id: 1, kind: 'clean', polygon: rectangle(0, 0, 60, 140) }]);
    const { covered_m2 } = measureCoverage(sweep(path, 0.6), zones);
    // 238 lanes of 59.4 m, 0.55 m apart. While changing lanes, the tool reaches up to 0.3 m beyond their ends.
    const height = 237 * 0.55 + 0.6;
    expect(covered_m2).toBeGreaterThan(59.4 * height);
    expect(covered_m2).toBeLessThan(60 * height);
  });

  test('are rejected beyond the size of a floor', () => {
    const zones = [{ id: 1, kind: 'clean', polygon: rectangle(-90_000, -90_000, 90_000, 90_000) }];
    expect(() => prepareZones(zones)).toThrow(TooLarge);
    const farPath = Array.from({ length: 1000 }, (_, index) => ({ t: index * 30, x: index * 149, y: 0 }));
    expect(() => sweep(farPath, 10)).toThrow(TooLarge);
  });
});

describe('the transformation of a map', () => {
  const corners: Point[] = [
    [0, 0],
    [100, 0],
    [100, 60],
    [20, 45],
  ];
  test.each([
    { x: 3, y: -7, rotation: 30, scale: 0.05, mirrored: false },
    { x: -12.5, y: 4, rotation: -120, scale: 1, mirrored: true },
    { x: 0, y: 0, rotation: 0, scale: 20, mirrored: true },
  ])('is computed from points: %o', (transformation) => {
    const pairs = corners.map((map) => ({ map, floor: applyTransformation(transformation, map) }));
    const fit = fitTransformation(pairs);
    expect(fit?.error.largest).toBeLessThan(1e-6);
    for (const point of corners)
      applyTransformation(fit?.transformation ?? {}, point).forEach((value, axis) => {
        expect(value).toBeCloseTo(applyTransformation(transformation, point)[axis] as number, 6);
      });
    expect(fit?.transformation.mirrored).toBe(transformation.mirrored);
  });

  test('includes the remaining error', () => {
    const pairs = corners.map((map, index) => ({ map, floor: [map[0] + (index === 0 ? 0.4 : 0), map[1]] as Point }));
    const fit = fitTransformation(pairs);
    expect(fit?.error.mean).toBeGreaterThan(0.05);
    expect(fit?.error.largest).toBeLessThan(0.4);
    expect(fit?.error.largest).toBeGreaterThanOrEqual(fit?.error.mean ?? 1);
  });

  test.each<[string, [Point, Point][]]>([
    ['no points', []],
    [
      'one point',
      [
        [
          [1, 1],
          [2, 2],
        ],
      ],
    ],
    [
      'the same point twice',
      [
        [
          [1, 1],
          [2, 2],
        ],
        [
          [1, 1],
          [5, 5],
        ],
      ],
    ],
    [
      'two points at the same place',
      [
        [
          [1, 1],
          [2, 2],
        ],
        [
          [4, 1],
          [2, 2],
        ],
      ],
    ],
  ])('cannot be computed from %s', (_, pairs) => {
    expect(fitTransformation(pairs.map(([map, floor]) => ({ map, floor })))).toBeUndefined();
  });
});

describe('a path that is too long to draw', () => {
  test('is thinned evenly, in order, with both ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (count) => {
        const path = new ThinnedPath<number>();
        for (let point = 0; point < count; point++) path.add(point);
        const points = path.points();
        expect(points.length).toBeLessThanOrEqual(10_000);
        if (count < 10_000) expect(points).toHaveLength(count);
        expect([points[0], points.at(-1)]).toEqual(count === 0 ? [undefined, undefined] : [0, count - 1]);
        const steps = new Set(points.slice(1, -1).map((point, index) => point - (points[index] as number)));
        expect(steps.size).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });
});
