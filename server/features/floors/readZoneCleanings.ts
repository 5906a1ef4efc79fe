/** Finds the last cleaning of each zone from the paths of runs. */
import { sql } from 'drizzle-orm';
import { addToGroup } from '../../../schema/dsl/addToGroup';
import { localDay } from '../../../schema/shared/openSpans';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import type { ComputeCoverage } from './computeCoverage';
import { type FloorRow, type RunPeriod, readRunPeriods } from './floorRows';
import { TooLarge } from './sampleRows';
import { findStoredCoverage, storeEmptyCoverage } from './storedCoverage';

/** Minimum share of a zone that the runs of one local day must cover together. */
export const minCleanedShare = 0.5;

export interface ZoneCleaningsRequest {
  caller: Caller;
  floor: FloorRow;
  timeZone: string;
  /** Runs that ended before this time are ignored. */
  since: Date;
}

type CoverageServices = Pick<Services, 'db' | 'model'>;

/**
 * For each zone to be cleaned, returns the end of the last run on the latest local day on which the zone was cleaned,
 * or null. Ignores runs without positions on the floor. Stops as soon as every zone has been found.
 */
export async function readZoneCleanings(
  services: CoverageServices,
  computeCoverage: ComputeCoverage,
  request: ZoneCleaningsRequest,
): Promise<Map<number, Date | null>> {
  const zones = request.floor.zones.filter(({ kind }) => kind === 'clean');
  const cleanings = new Map<number, Date | null>(zones.map(({ id }) => [id, null]));
  if (zones.length === 0) return cleanings;
  for await (const { end, zoneIds } of readCleaningDays(services, computeCoverage, request)) {
    for (const id of zoneIds) cleanings.set(id, cleanings.get(id) ?? end);
    if (![...cleanings.values()].includes(null)) break;
  }
  return cleanings;
}

export interface CleaningDay {
  /** End of the last run of the day. */
  end: Date;
  /** Zones that the runs of the day cleaned. */
  zoneIds: number[];
}

/** Yields the local days on which runs with positions on the floor ended, latest first. */
export async function* readCleaningDays(
  { db, model }: CoverageServices,
  computeCoverage: ComputeCoverage,
  { caller, floor, timeZone, since }: ZoneCleaningsRequest,
): AsyncGenerator<CleaningDay> {
  const runs = await readRunPeriods(
    db,
    sql`r.floor_id = ${floor.id} and r.deleted_at is null and r.superseded_by is null
      and r.ended_at >= ${since.toISOString()}::timestamptz
      and ${scopeWhere(model.require('runs'), caller, sql`r`)}`,
  );
  // On a full disk, storing fails but reading must still work.
  await storeEmptyCoverage(db, floor, runs).catch(() => undefined);
  const storedCoverage = await findStoredCoverage(db, floor, runs);
  const runsWithPath = runs.filter(({ id }) => storedCoverage.get(id)?.positions !== 0);
  for (const [, dayRuns] of [...groupByDay(runsWithPath, timeZone)].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const end = new Date(Math.max(...dayRuns.map(({ to }) => to.getTime())));
    const shares = await computeShares(computeCoverage, floor, dayRuns);
    yield { end, zoneIds: shares.filter(({ covered }) => covered >= minCleanedShare).map(({ id }) => id) };
  }
}

function groupByDay(runs: readonly RunPeriod[], timeZone: string): Map<string, RunPeriod[]> {
  const days = new Map<string, RunPeriod[]>();
  for (const run of runs) addToGroup(days, localDay(run.to.getTime(), timeZone), run);
  return days;
}

/** Shares of zones covered by the runs; empty if they are too large to compute. */
async function computeShares(computeCoverage: ComputeCoverage, floor: FloorRow, runs: readonly RunPeriod[]) {
  try {
    return (await computeCoverage(floor, runs, { isDrawn: false })).figures.zones;
  } catch (error) {
    if (error instanceof TooLarge) return [];
    throw error;
  }
}
