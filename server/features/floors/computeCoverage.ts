/** Computes the coverage of paths on a floor in short slices, so that nobody waits for it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transformation } from '../../../schema/dsl/transformation';
import type { Queries } from '../../db/core/database';
import { type DrawnArea, drawCoverage, drawnAreaOf } from './drawCoverage';
import { type CoverageFigures, type FloorZone, measureCoverage, prepareZones } from './measureCoverage';
import { PathSweep } from './pathSweep';
import { type MachinePeriod, placeOnFloor, readMapPositions } from './readFloorPath';

/** Positions between two turns of others: some 10 ms. */
const slice = 500;

export interface FloorPath extends MachinePeriod {
  /** Working width in metres. */
  width: number;
}

export interface CoverageRequest {
  paths: readonly FloorPath[];
  zones: readonly FloorZone[];
  transformations: ReadonlyMap<string, Transformation>;
  size: { width: number | null; height: number | null };
}

export interface CoverageResult {
  figures: CoverageFigures;
  image: string | null;
  bounds: DrawnArea | null;
  /** Positions on the floor, and those on maps that are not tied to it. */
  positions: number;
  elsewhere: number;
}

let latest: Promise<unknown> = Promise.resolve();

/**
 * One at a time, which bounds the memory.
 * @throws TooLarge
 */
export function computeCoverage(db: Queries, request: CoverageRequest): Promise<CoverageResult> {
  const result = latest.then(() => compute(db, request));
  latest = result.catch(() => undefined);
  return result;
}

async function compute(db: Queries, { paths, zones, transformations, size }: CoverageRequest): Promise<CoverageResult> {
  const clean = prepareZones(zones);
  await nextTurn();
  const sweep = new PathSweep();
  let [positions, elsewhere] = [0, 0];
  for (const path of paths) {
    sweep.startPath(path.width);
    for await (const page of readMapPositions(db, path))
      for (const position of page) {
        const place = placeOnFloor(position, transformations);
        if (place) {
          positions += 1;
          sweep.add({ t: position.at.getTime() / 1000, ...place });
        } else elsewhere += 1;
        if ((positions + elsewhere) % slice === 0) await nextTurn();
      }
  }
  await nextTurn();
  const figures = measureCoverage(sweep.cells, clean);
  await nextTurn();
  const bounds = drawnAreaOf(sweep.cells, clean, size) ?? null;
  const png = bounds && (await drawCoverage(sweep.cells, clean, bounds));
  return {
    figures,
    image: png && `data:image/png;base64,${png.toString('base64')}`,
    bounds,
    positions,
    elsewhere,
  };
}
