import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../db/core/database';
import type { FloorRow, RunPeriod } from './floorRows';
import { packCells } from './packCells';
import { PathSweep } from './pathSweep';
import { buildTransformations, countPositions, placeOnFloor, readMapPositions } from './readFloorPath';
import { TooLarge } from './sampleRows';
import { coverageKeyOf, storeCoverage } from './storedCoverage';

/** Positions processed before other work gets a turn, in some 5 ms. */
const positionsPerTurn = 500;

export interface SweptRun {
  /** Cells, packed by `packCells`. */
  packedCells: Buffer;
  /** Number of positions on the floor. */
  positions: number;
  /** Number of positions on maps that are not linked to the floor. */
  elsewhere: number;
  /** Version of the stored cells; `undefined` if they could not be stored, or if positions changed in the meantime. */
  version: string | undefined;
}

/**
 * Sweeps one run and stores its cells.
 * @throws TooLarge if the run has more positions than `limit`
 */
export async function sweepRun(
  db: Database,
  { floor, period, limit }: { floor: FloorRow; period: RunPeriod; limit: number },
): Promise<SweptRun> {
  const positionCount = await countPositions(db, period, limit);
  if (positionCount.count > limit) throw new TooLarge();
  const transformations = buildTransformations(floor.maps);
  const sweep = new PathSweep();
  sweep.startPath(period.width);
  let [positions, elsewhere] = [0, 0];
  for await (const page of readMapPositions(db, period))
    for (const position of page) {
      const floorPosition = placeOnFloor(position, transformations);
      if (floorPosition) {
        positions += 1;
        sweep.add({
          t: position.at.getTime() / 1000,
          x: floorPosition.x,
          y: floorPosition.y,
          theta: floorPosition.theta,
        });
      } else elsewhere += 1;
      if ((positions + elsewhere) % positionsPerTurn === 0) await nextTurn();
    }
  const packedCells = await packCells(sweep.cells);
  const key = coverageKeyOf(floor, period);
  // On a full disk, storing fails but reading must still work.
  const version = await storeCoverage(db, {
    key,
    period,
    positionCount,
    positions,
    elsewhere,
    cells: packedCells,
  }).catch(() => undefined);
  return { packedCells, positions, elsewhere, version };
}
