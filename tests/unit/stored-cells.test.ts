/** Stored cells of runs: packed and summed, they equal the cells of all paths swept together. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addPackedCells, packCells } from '../../server/features/floors/packCells';
import { type FloorPosition, PathSweep } from '../../server/features/floors/pathSweep';
import { SweptCells } from '../../server/features/floors/sweptCells';

const cellsOf = (cells: SweptCells) =>
  [...cells.tiles]
    .filter(({ samples }) => samples.some((bits) => bits > 0))
    .map(({ column, row, samples, passes }) => ({
      column: column + 0,
      row: row + 0,
      samples: [...samples],
      passes: [...passes],
    }))
    .sort((a, b) => a.column - b.column || a.row - b.row);

interface Path {
  width: number;
  positions: FloorPosition[];
}

/** Steps of up to two metres per second, within some tiles of the origin. */
const paths = fc.array(
  fc
    .record({
      width: fc.double({ min: 0.3, max: 1.5, noNaN: true }),
      start: fc.tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.double({ min: -9, max: 9, noNaN: true })),
      steps: fc.array(
        fc.tuple(fc.double({ min: -1.4, max: 1.4, noNaN: true }), fc.double({ min: -1.4, max: 1.4, noNaN: true })),
        { maxLength: 40 },
      ),
    })
    .map(({ width, start: [x, y], steps }): Path => {
      const positions: FloorPosition[] = [{ t: 0, x, y }];
      for (const [dx, dy] of steps) {
        const last = positions.at(-1) as FloorPosition;
        positions.push({ t: last.t + 1, x: last.x + dx, y: last.y + dy });
      }
      return { width, positions };
    }),
  { minLength: 1, maxLength: 4 },
);

const sweep = (allPaths: readonly Path[]) => {
  const pathSweep = new PathSweep();
  for (const { width, positions } of allPaths) {
    pathSweep.startPath(width);
    for (const position of positions) pathSweep.add(position);
  }
  return pathSweep.cells;
};

describe('packed cells', () => {
  test('add up to those of all runs', async () => {
    await fc.assert(
      fc.asyncProperty(paths, async (allPaths) => {
        const sum = new SweptCells();
        for (const path of allPaths) addPackedCells(sum, await packCells(sweep([path])));
        expect(cellsOf(sum)).toEqual(cellsOf(sweep(allPaths)));
      }),
      { numRuns: 60 },
    );
  });

  test('count up to 255 passes', async () => {
    const packedCells = await packCells(
      sweep([
        {
          width: 0.6,
          positions: [
            { t: 0, x: 0, y: 0 },
            { t: 1, x: 2, y: 0 },
          ],
        },
      ]),
    );
    const sum = new SweptCells();
    for (let run = 0; run < 300; run += 1) addPackedCells(sum, packedCells);
    const [passes] = [...sum.tiles].map((tile) => Math.max(...tile.passes));
    expect(passes).toBe(255);
  });
});
