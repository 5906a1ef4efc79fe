/**
 * Outlines cells of a grid as polygons with exactly the area of the cells. Pure functions.
 *
 * A polygon must have neither holes nor separate parts, and its sides must not touch. Therefore, slits of the width
 * `slit` connect holes and parts to the polygon, and corners at which cells meet diagonally are moved apart by the same
 * distance.
 */
import type { Point } from '../../../schema/dsl/polygons';

/** Cells of a grid, `y` downwards. */
export interface CellGrid {
  width: number;
  height: number;
  /** Row by row; 1 for a cell inside. */
  cells: Uint8Array;
}

/** Width of a slit in cells; far below a millimetre, and far above the rounding of coordinates. */
const slit = 1e-6;

/** Directions right, down, left, up: clockwise around the cells, which are to the right of their outline. */
const steps: readonly Point[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const [down, up] = [1, 3];

/** Side of a cell: starts at the corner x, y and runs in the direction. */
interface Side {
  x: number;
  y: number;
  direction: number;
  loop: number;
  /** Whether two cells meet diagonally at the end of this side. */
  isPinched: boolean;
  slits: Slit[];
}

/** A connection from a side to a side of another loop, further right at the same height. */
interface Slit {
  y: number;
  to: Side;
}

/**
 * Returns polygons with corners in units of cells. Parts without common rows become separate polygons, ordered by their
 * leftmost cells.
 */
export function outlineCells({ width, height, cells }: CellGrid): Point[][] {
  const isIn = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && cells[y * width + x] === 1;
  const loops = traceLoops({ width, height, isIn });
  const vertical = new Map<string, Side>();
  for (const side of loops.flat()) if (side.direction % 2 === 1) vertical.set(keyOf(side), side);
  const roots = loops.flatMap((loop) => {
    const start = loop.reduce((leftmost, side) => (isFurtherLeft(side, leftmost) ? side : leftmost));
    const row = start.direction === down ? start.y : start.y - 1;
    // The slit to a hole runs through cells; the slit to a part through the gap to its left, at another height.
    const isHole = start.direction === down;
    let x = start.x - 1;
    while (x >= 0 && isIn(x, row) === isHole) x -= 1;
    const sideToLeft = vertical.get(
      isHole ? keyOf({ x: x + 1, y: row + 1, direction: up }) : keyOf({ x: x + 1, y: row, direction: down }),
    );
    if (x < 0 && !isHole) return [{ start, loop }];
    sideToLeft?.slits.push({ y: row + (isHole ? 0.5 : 0.25), to: start });
    return [];
  });
  return roots
    .sort((a, b) => a.start.x - b.start.x || a.start.y - b.start.y)
    .map(({ loop }) => straighten(traceCorners(loops, loop[0] as Side)));
}

const keyOf = ({ x, y, direction }: Pick<Side, 'x' | 'y' | 'direction'>) => `${x} ${y} ${direction}`;

/**
 * Whether a side is further left than the best one so far. Only vertical sides count; of those equally far left, the
 * topmost.
 */
const isFurtherLeft = (side: Side, best: Side): boolean =>
  side.direction % 2 === 1 &&
  (best.direction % 2 === 0 ||
    side.x < best.x ||
    (side.x === best.x && Math.min(side.y, endOf(side)[1]) < Math.min(best.y, endOf(best)[1])));

const endOf = ({ x, y, direction }: Side): Point => {
  const [dx, dy] = steps[direction] as Point;
  return [x + dx, y + dy];
};

interface GridCells {
  width: number;
  height: number;
  isIn: (x: number, y: number) => boolean;
}

/** Closed outlines of parts and holes. Cells that touch diagonally belong to different loops. */
function traceLoops({ width, height, isIn }: GridCells): Side[][] {
  const sidesByKey = new Map<string, Side>();
  const add = (x: number, y: number, direction: number) =>
    sidesByKey.set(keyOf({ x, y, direction }), { x, y, direction, loop: -1, isPinched: false, slits: [] });
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (!isIn(x, y)) continue;
      if (!isIn(x, y - 1)) add(x, y, 0);
      if (!isIn(x + 1, y)) add(x + 1, y, 1);
      if (!isIn(x, y + 1)) add(x + 1, y + 1, 2);
      if (!isIn(x - 1, y)) add(x, y + 1, 3);
    }
  const loops: Side[][] = [];
  for (const first of sidesByKey.values()) {
    if (first.loop !== -1) continue;
    const loop: Side[] = [];
    for (let side: Side | undefined = first; side && side.loop === -1; ) {
      side.loop = loops.length;
      loop.push(side);
      const [x, y] = endOf(side);
      const turns: number[] = [1, 0, 3].map((turn) => ((side as Side).direction + turn) % 4);
      const next: Side[] = turns.flatMap((direction) => sidesByKey.get(keyOf({ x, y, direction })) ?? []);
      side.isPinched = next.length > 1;
      // A right turn keeps to the same cell.
      side = next[0];
    }
    loops.push(loop);
  }
  return loops;
}

/** Returns the corners from a side once around its loop, including the loops that slits lead to. */
function traceCorners(loops: readonly Side[][], first: Side, from?: number): Point[] {
  const loop = loops[first.loop] as Side[];
  const start = loop.indexOf(first);
  const sign = (side: Side) => (side.direction === down ? 1 : -1);
  const points: Point[] = [];
  const followUntil = (side: Side, isWithin: (y: number) => boolean) => {
    const slitsAhead = side.slits.filter(({ y }) => isWithin(y)).sort((a, b) => (a.y - b.y) * sign(side));
    for (const { y, to } of slitsAhead) {
      points.push([side.x, y - slit * sign(side)]);
      points.push(...traceCorners(loops, to, y));
      points.push([side.x, y + slit * sign(side)]);
    }
  };
  if (from !== undefined) points.push([first.x, from + slit * sign(first)]);
  followUntil(first, (y) => from === undefined || (y - from) * sign(first) > 0);
  for (let index = 0; index < loop.length; index += 1) {
    const side = loop[(start + index) % loop.length] as Side;
    const next = loop[(start + index + 1) % loop.length] as Side;
    if (index > 0) followUntil(side, () => true);
    points.push(cornerAfter(side, next));
  }
  if (from !== undefined) {
    followUntil(first, (y) => (y - from) * sign(first) < 0);
    points.push([first.x, from - slit * sign(first)]);
  }
  return points;
}

function cornerAfter(side: Side, next: Side): Point {
  const [x, y] = endOf(side);
  if (!side.isPinched) return [x, y];
  const [[fromX, fromY], [toX, toY]] = [steps[side.direction] as Point, steps[next.direction] as Point];
  return [x + slit * (toX - fromX), y + slit * (toY - fromY)];
}

/** Removes corners in the middle of a straight line. */
const straighten = (points: readonly Point[]): Point[] =>
  points.filter(([x, y], index) => {
    const [beforeX, beforeY] = points.at(index - 1) as Point;
    const [afterX, afterY] = points[(index + 1) % points.length] as Point;
    return !((beforeX === x && x === afterX) || (beforeY === y && y === afterY));
  });
