/**
 * Computes coverage by brute force: tests the centres of 2 cm cells against rectangles of moves and sectors of turns.
 */
import type { Point } from '../../schema/dsl/polygons';
import type { FloorPosition } from '../../server/features/floors/pathSweep';

const cell = 0.02;

interface OracleOptions {
  path: readonly FloorPosition[];
  width: number;
  clean: readonly Point[];
  noGo?: readonly (readonly Point[])[];
  /** Whether nothing is swept between a position and the previous one. */
  isGap?(index: number): boolean;
}

/** Covered and missed square metres of the polygon without the holes. */
export function computeCoverageByBruteForce({ path, width, clean, noGo = [], isGap = () => false }: OracleOptions) {
  const [left, low] = [0, 1].map((axis) => Math.min(...clean.map((corner) => corner[axis] as number))) as [
    number,
    number,
  ];
  const [right, high] = [0, 1].map((axis) => Math.max(...clean.map((corner) => corner[axis] as number))) as [
    number,
    number,
  ];
  const columns = Math.ceil((right - left) / cell);
  const rows = Math.ceil((high - low) / cell);
  const passedCells = new Uint8Array(columns * rows);
  const markCells = ({ x, y }: FloorPosition, radius: number, isPassed: (dx: number, dy: number) => boolean) => {
    const cellIndex = (metres: number, count: number) => Math.max(0, Math.min(count, Math.floor(metres / cell)));
    for (let row = cellIndex(y - radius - low, rows); row < cellIndex(y + radius + cell - low, rows); row += 1)
      for (
        let column = cellIndex(x - radius - left, columns);
        column < cellIndex(x + radius + cell - left, columns);
        column += 1
      )
        if (isPassed(left + (column + 0.5) * cell - x, low + (row + 0.5) * cell - y))
          passedCells[row * columns + column] = 1;
  };
  let heading: number | undefined;
  path.forEach((to, index) => {
    const from = path[index - 1];
    if (!from || isGap(index)) {
      heading = undefined;
      return;
    }
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy);
    const direction = Math.atan2(dy, dx);
    markCells(from, length + width, (x, y) => {
      const distanceAlong = (x * dx + y * dy) / length;
      return distanceAlong >= 0 && distanceAlong <= length && Math.abs(y * dx - x * dy) / length <= width / 2;
    });
    const headingBefore = heading;
    if (headingBefore !== undefined) {
      // The tool turns by the smaller angle; it sweeps the points between its two directions.
      const turn = direction - headingBefore - Math.PI * Math.round((direction - headingBefore) / Math.PI);
      markCells(from, width, (x, y) => {
        if (Math.hypot(x, y) > width / 2) return false;
        const angle = Math.atan2(y, x) - Math.PI / 2 - headingBefore;
        const remainder = angle - Math.PI * Math.floor(angle / Math.PI);
        return turn >= 0 ? remainder <= turn : Math.PI - remainder <= -turn;
      });
    }
    heading = direction;
  });
  let [coveredCells, missedCells] = [0, 0];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const centre: Point = [left + (column + 0.5) * cell, low + (row + 0.5) * cell];
      if (!isInside(clean, centre) || noGo.some((hole) => isInside(hole, centre))) continue;
      if (passedCells[row * columns + column]) coveredCells += 1;
      else missedCells += 1;
    }
  return { covered: coveredCells * cell * cell, missed: missedCells * cell * cell };
}

function isInside(corners: readonly Point[], [x, y]: Point): boolean {
  return (
    corners.filter((start, index) => {
      const end = corners[(index + 1) % corners.length] as Point;
      return start[1] > y !== end[1] > y && x < start[0] + ((end[0] - start[0]) * (y - start[1])) / (end[1] - start[1]);
    }).length %
      2 ===
    1
  );
}
