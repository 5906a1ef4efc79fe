/** The area that a tool sweeps on a path with bends, compared with the geometry of its moves and turns. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Point } from '../../schema/dsl/polygons';
import { type FloorPosition, maxBendError, PathSweep } from '../../server/features/floors/pathSweep';
import { cellSize, centreSample, samplesPerCell } from '../../server/features/floors/sampleRows';
import { type SweptCells, tileSide } from '../../server/features/floors/sweptCells';

function sweep(path: readonly FloorPosition[], width: number): SweptCells {
  const pathSweep = new PathSweep();
  pathSweep.startPath(width);
  for (const position of path) pathSweep.add(position);
  return pathSweep.cells;
}

/** Moves that bend slightly or strongly, one per second. */
function bendingPath(moves: readonly { length: number; bend: number }[]): FloorPosition[] {
  let [position, direction] = [{ t: 0, x: 5, y: 5 }, 0];
  const path = [position];
  for (const { length, bend } of moves) {
    direction += bend;
    position = {
      t: position.t + 1,
      x: position.x + length * Math.cos(direction),
      y: position.y + length * Math.sin(direction),
    };
    path.push(position);
  }
  return path;
}

/** The sample by which passes are counted, for all cells around the swept area. */
const centresOf = (cells: SweptCells) =>
  [...cells.tiles].flatMap(({ column, row, passes }) =>
    Array.from(passes, (count, index) => {
      const shift = (centreSample + 0.5) / samplesPerCell;
      const x = (column * tileSide + (index % tileSide) + shift) * cellSize;
      const y = (row * tileSide + Math.floor(index / tileSide) + shift) * cellSize;
      return { at: [x, y] as Point, isPassed: count > 0 };
    }),
  );

/** Whether a point lies beside a move, within reach of the tool, or in the sector of a turn. */
const isSwept = (path: readonly FloorPosition[], [x, y]: Point, reach: number): boolean =>
  path.slice(1).some((to, index) => {
    const from = path[index] as FloorPosition;
    const [alongOf, lateralOf] = frameOf(from, to);
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const distanceAlong = alongOf(x - from.x, y - from.y);
    if (distanceAlong >= 0 && distanceAlong <= length && Math.abs(lateralOf(x - from.x, y - from.y)) <= reach)
      return true;
    const previous = path[index - 1];
    if (!previous || Math.hypot(x - from.x, y - from.y) > reach) return false;
    // Between two positions of the tool: ahead of one, behind the other.
    return frameOf(previous, from)[0](x - from.x, y - from.y) >= 0 !== distanceAlong >= 0;
  });

const frameOf = (from: FloorPosition, to: FloorPosition) => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  return [(x: number, y: number) => x * dx + y * dy, (x: number, y: number) => y * dx - x * dy] as const;
};

describe('cells that a path with bends passes', () => {
  test('differ from single moves and turns by at most the error of a bend', () => {
    const move = fc.record({
      length: fc.double({ min: 0.2, max: 0.9, noNaN: true }),
      bend: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(move, { minLength: 2, maxLength: 25 }), fc.integer({ min: 4, max: 12 }), (moves, tenths) => {
        const path = bendingPath(moves);
        const reach = { surely: tenths / 20 - 2 * maxBendError, atMost: tenths / 20 + 1e-6 };
        let differingCells = 0;
        const centres = centresOf(sweep(path, tenths / 10));
        expect(centres.some(({ isPassed }) => isPassed)).toBe(true);
        for (const { at, isPassed } of centres)
          if (isPassed ? !isSwept(path, at, reach.atMost) : isSwept(path, at, reach.surely)) differingCells += 1;
        expect(differingCells).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
