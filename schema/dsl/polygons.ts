/** Polygons on a floor: corners in metres, in order. Pure functions. */

export type Point = readonly [x: number, y: number];

/** Returns the area in square metres (shoelace formula), for either orientation. */
export const polygonArea = (corners: readonly Point[]): number =>
  Math.abs(sides(corners).reduce((sum, [[x, y], [toX, toY]]) => sum + x * toY - toX * y, 0)) / 2;

/** Metres beyond the plan that are accepted: corners are rounded, and drawn up to the wall. */
const planTolerance = 0.1;

/** Whether all corners lie on the plan. A side of unknown length (null) has no limit. */
export const isWithinPlan = (
  corners: readonly Point[],
  { width_m: width, height_m: height }: { width_m: number | null; height_m: number | null },
): boolean => corners.every(([x, y]) => isWithinSide(x, width) && isWithinSide(y, height));

/** Whether sides touch or cross each other anywhere but in the corners that they share. */
export function isSelfCrossing(corners: readonly Point[]): boolean {
  // Sorted by their left ends: only sides that overlap in x can meet, so most pairs need no test.
  const byLeft = sides(corners)
    .map(([from, to], index) => ({ from, to, index, left: Math.min(from[0], to[0]), right: Math.max(from[0], to[0]) }))
    .sort((a, b) => a.left - b.left);
  return byLeft.some((side, position) => {
    for (const other of byLeft.slice(position + 1)) {
      if (other.left > side.right) return false;
      const gap = Math.abs(side.index - other.index);
      if (gap === 1 || gap === corners.length - 1 ? isFolded(side, other) : intersects(side, other)) return true;
    }
    return false;
  });
}

const isWithinSide = (position: number, length: number | null): boolean =>
  length === null || (position >= -planTolerance && position <= length + planTolerance);

interface Side {
  from: Point;
  to: Point;
}

const sides = (corners: readonly Point[]): [Point, Point][] =>
  corners.map((corner, index) => [corner, corners[(index + 1) % corners.length] as Point]);

/** Twice the area of the triangle: positive if `c` lies to the left of the line from `a` to `b`. */
const turn = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

const isWithin = (a: Point, b: Point, point: Point): boolean =>
  Math.min(a[0], b[0]) <= point[0] &&
  point[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= point[1] &&
  point[1] <= Math.max(a[1], b[1]);

function intersects(side: Side, other: Side): boolean {
  const [a, b] = [turn(side.from, side.to, other.from), turn(side.from, side.to, other.to)];
  const [c, d] = [turn(other.from, other.to, side.from), turn(other.from, other.to, side.to)];
  if (a * b < 0 && c * d < 0) return true;
  return (
    (a === 0 && isWithin(side.from, side.to, other.from)) ||
    (b === 0 && isWithin(side.from, side.to, other.to)) ||
    (c === 0 && isWithin(other.from, other.to, side.from)) ||
    (d === 0 && isWithin(other.from, other.to, side.to))
  );
}

/** Whether adjacent sides fold back onto each other beyond their shared corner. */
function isFolded(side: Side, other: Side): boolean {
  const [first, shared, last] =
    side.to === other.from ? [side.from, side.to, other.to] : [other.from, other.to, side.to];
  const isStraight = turn(first, shared, last) === 0;
  const onward = (shared[0] - first[0]) * (last[0] - shared[0]) + (shared[1] - first[1]) * (last[1] - shared[1]);
  return isStraight && onward <= 0;
}
