/** Computes the coverage of runs on a floor in short steps, so that other requests are not delayed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../db/core/database';
import { runInTurns } from '../../shared/steps';
import { type DrawnArea, drawCoverage, drawnAreaOf } from './drawCoverage';
import type { FloorRow, RunPeriod } from './floorRows';
import { type CleanZones, type CoverageFigures, measureCoverage, prepareZones } from './measureCoverage';
import { addPackedCells } from './packCells';
import { findStoredCoverage, readPackedCells, type StoredCoverage } from './storedCoverage';
import { sweepRun } from './sweepRun';
import { SweptCells } from './sweptCells';

/** Maximum positions per request, which take a few seconds: ten runs of eight hours with one position per second. */
const maxPositions = 300_000;
/** Maximum cached results, each with an image of up to some 100 kB. */
const maxCachedResults = 100;
/** Maximum floors whose zones are cached, some MB each. */
const maxCachedFloors = 8;

export interface CoverageResult {
  figures: CoverageFigures;
  /** PNG as data URL; null unless it was drawn. */
  image: string | null;
  bounds: DrawnArea | null;
  /** Number of positions on the floor. */
  positions: number;
  /** Number of positions on maps that are not linked to the floor. */
  elsewhere: number;
}

export interface CoverageOptions {
  /** Whether to draw an image. Without an image, there are no bounds either. */
  isDrawn?: boolean;
}

/** Computes the coverage of a floor by the runs `periods`. */
export type ComputeCoverage = (
  floor: FloorRow,
  periods: readonly RunPeriod[],
  options?: CoverageOptions,
) => Promise<CoverageResult>;

/**
 * Creates the computation. It handles one request at a time, which limits its memory. The database stores the cells of
 * each run. Results are cached under a key of everything they depend on; the least recently used one is evicted first.
 * The computation throws `TooLarge` beyond its limits. Runs completed until then are stored, so the next request
 * continues from there.
 */
export function createCoverageComputation(db: Database): ComputeCoverage {
  const results = new Map<string, CoverageResult>();
  const prepareCachedZones = createZoneCache();
  let latestRun: Promise<unknown> = Promise.resolve();

  return async (floor, periods, { isDrawn = true } = {}) => {
    const cachedResult = findCachedResult(
      resultKey(floor, periods, await findStoredCoverage(db, floor, periods), isDrawn),
    );
    if (cachedResult) return cachedResult;
    const result = latestRun.then(() => compute(floor, periods, isDrawn));
    latestRun = result.catch(() => undefined);
    return result;
  };

  function findCachedResult(key: string | undefined): CoverageResult | undefined {
    const cachedResult = key === undefined ? undefined : results.get(key);
    if (key !== undefined && cachedResult) cacheResult(key, cachedResult);
    return cachedResult;
  }

  function cacheResult(key: string, result: CoverageResult): void {
    results.delete(key);
    results.set(key, result);
    if (results.size > maxCachedResults) results.delete(results.keys().next().value as string);
  }

  async function compute(floor: FloorRow, periods: readonly RunPeriod[], isDrawn: boolean): Promise<CoverageResult> {
    const stored = await findStoredCoverage(db, floor, periods);
    const cachedResult = findCachedResult(resultKey(floor, periods, stored, isDrawn));
    if (cachedResult) return cachedResult;
    const zones = await prepareCachedZones(floor);
    const sum = await sumRuns(floor, periods, stored);
    // Positions that arrived in the meantime have deleted stored cells.
    if (!sum) return compute(floor, periods, isDrawn);
    const { cells, positions, elsewhere } = sum;
    const result = { ...(await measureAndDraw(floor, cells, zones, isDrawn)), positions, elsewhere };
    const key = resultKey(floor, periods, stored, isDrawn);
    if (key !== undefined) cacheResult(key, result);
    return result;
  }

  /**
   * Sums the cells of all runs, and adds newly computed ones to `stored`. `undefined` if stored cells have been
   * deleted.
   */
  async function sumRuns(floor: FloorRow, periods: readonly RunPeriod[], stored: Map<number, StoredCoverage>) {
    const storedIds = new Set(stored.keys());
    const sum = { cells: new SweptCells(), positions: 0, elsewhere: 0 };
    let remainingPositions = maxPositions;
    for (const period of periods.filter(({ id }) => !storedIds.has(id))) {
      const run = await sweepRun(db, { floor, period, limit: remainingPositions });
      // Positions may arrive between counting and reading those of a run.
      remainingPositions = Math.max(0, remainingPositions - run.positions - run.elsewhere);
      if (run.version !== undefined) stored.set(period.id, { ...run, version: run.version });
      addPackedCells(sum.cells, run.packedCells);
      sum.positions += run.positions;
      sum.elsewhere += run.elsewhere;
    }
    let readCount = 0;
    for await (const page of readPackedCells(db, [...storedIds]))
      for (const packedCells of page) {
        addPackedCells(sum.cells, packedCells);
        readCount += 1;
        await nextTurn();
      }
    if (readCount < storedIds.size) return undefined;
    for (const id of storedIds) {
      sum.positions += stored.get(id)?.positions ?? 0;
      sum.elsewhere += stored.get(id)?.elsewhere ?? 0;
    }
    return sum;
  }
}

/** Caches the zones of the most recently requested floors. */
function createZoneCache(): (floor: FloorRow) => Promise<CleanZones> {
  const zonesByVersion = new Map<string, CleanZones>();
  return async ({ id, version, zones }) => {
    const key = `${id} ${version}`;
    const preparedZones = zonesByVersion.get(key) ?? (await runInTurns(prepareZones(zones)));
    zonesByVersion.delete(key);
    zonesByVersion.set(key, preparedZones);
    if (zonesByVersion.size > maxCachedFloors) zonesByVersion.delete(zonesByVersion.keys().next().value as string);
    return preparedZones;
  };
}

async function measureAndDraw({ width, height }: FloorRow, cells: SweptCells, zones: CleanZones, isDrawn: boolean) {
  const figures = await runInTurns(measureCoverage(cells, zones));
  if (!isDrawn) return { figures, bounds: null, image: null };
  const bounds = drawnAreaOf(cells, zones, { width, height }) ?? null;
  await nextTurn();
  const png = bounds && (await drawCoverage(cells, zones, bounds));
  return { figures, bounds, image: png && `data:image/png;base64,${png.toString('base64')}` };
}

/** Cache key of a result; `undefined` unless the cells of all runs are stored. */
function resultKey(
  { id, version }: FloorRow,
  periods: readonly RunPeriod[],
  stored: ReadonlyMap<number, StoredCoverage>,
  isDrawn: boolean,
): string | undefined {
  const versions = periods.flatMap((period) => stored.get(period.id)?.version ?? []);
  return versions.length === periods.length ? [id, version, isDrawn, ...versions].join(' ') : undefined;
}
