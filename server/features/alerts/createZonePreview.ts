/** Finds the alerts about zones that a rule would have opened. */
import { sql } from 'drizzle-orm';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { type ComputeCoverage, createCoverageComputation } from '../floors/computeCoverage';
import { readFloor } from '../floors/floorRows';
import type { ConditionSpec } from './findPastAlerts';
import { type Firing, type FiringGroup, groupFirings } from './firings';
import {
  findUncleanedSpans,
  readZoneHistory,
  selectCleanZones,
  type WatchedFloor,
  watchedFloorColumns,
  watchedFloorShape,
  watchedFloorWhere,
  zoneLimit,
} from './zoneHistory';

/** A firing about a zone, by id. */
export interface PastZoneFiring extends Firing {
  id: number;
  name: string;
  floor_id: number;
  floor: string;
  place: string;
  /** Local day of the last cleaning. */
  day: string;
}

type PreviewServices = Pick<Services, 'db' | 'model'>;

const dayLength = 86_400_000;

/**
 * Creates the function that previews a rule about zones. Concurrent calls compute coverage one after the other. After
 * `timeLimit` milliseconds, a call begins no further floor. Computed coverage is stored, so the next call gets further.
 */
export function createZonePreview(services: PreviewServices, { timeLimit = 8000 } = {}) {
  const computeCoverage = createCoverageComputation(services.db);
  return (spec: ConditionSpec, period: Omit<PreviewPeriod, 'timeLimit'>) =>
    findPastZoneAlerts(services, computeCoverage, spec, { ...period, timeLimit });
}

interface PreviewPeriod {
  caller: Caller;
  from: Date;
  now: Date;
  timeLimit: number;
}

/**
 * Returns the alerts that began within the period or still last, oldest first, on floors within the caller's scope; and
 * the numbers of zones evaluated, watched, and watched but not read in time.
 */
async function findPastZoneAlerts(
  { db, model }: PreviewServices,
  computeCoverage: ComputeCoverage,
  spec: ConditionSpec,
  { caller, from, now, timeLimit }: PreviewPeriod,
): Promise<{ zones: number; watchedZones: number; unreadZones: number; alerts: FiringGroup<PastZoneFiring>[] }> {
  const floors = await db.select(
    { ...watchedFloorShape, zones: pg.integer },
    sql`
    select ${watchedFloorColumns}, (select count(*)::int from zones z
      where z.floor_id = f.id and z.kind = 'clean' and z.deleted_at is null) as zones
    from (select ${spec.client_id}::int as client_id, ${spec.fleet_id}::int as fleet_id,
      ${spec.location_id}::int as location_id) r
    join fleets fl on fl.client_id = r.client_id join locations l on l.fleet_id = fl.id
    join floors f on f.location_id = l.id
    where ${watchedFloorWhere} and ${scopeWhere(model.require('floors'), caller, sql.raw('f'))} order by f.id`,
  );
  const startedAt = performance.now();
  const firings: PastZoneFiring[] = [];
  let [zones, unreadZones] = [0, 0];
  for (const floor of floors) {
    if (performance.now() - startedAt > timeLimit) {
      unreadZones += floor.zones;
      continue;
    }
    const zoneFirings = await readFirings({ db, model }, computeCoverage, {
      watchedFloor: floor,
      threshold: spec.threshold ?? 1,
      from,
      now,
    });
    zones += zoneFirings.zones;
    firings.push(...zoneFirings.firings.filter(({ at, until }) => at >= from.getTime() / 1000 || until === null));
  }
  return {
    zones,
    watchedZones: floors.reduce((sum, floor) => sum + floor.zones, 0),
    unreadZones,
    alerts: groupFirings(firings, ({ floor_id, day }) => `${floor_id} ${day}`),
  };
}

interface FiringsRequest {
  watchedFloor: WatchedFloor;
  threshold: number;
  from: Date;
  now: Date;
}

async function readFirings(
  services: PreviewServices,
  computeCoverage: ComputeCoverage,
  { watchedFloor, threshold, from, now }: FiringsRequest,
): Promise<{ zones: number; firings: PastZoneFiring[] }> {
  const floor = await readFloor(services.db, watchedFloor.floor_id);
  if (!floor) return { zones: 0, firings: [] };
  const zones = selectCleanZones(floor);
  const longestLimit = Math.max(threshold, ...zones.map((zone) => zoneLimit(zone, threshold)));
  const since = new Date(from.getTime() - (longestLimit + 2) * dayLength);
  const history = await readZoneHistory(services, computeCoverage, { watchedFloor, floor, since, isLatestOnly: false });
  if (!history) return { zones: 0, firings: [] };
  const firings = zones.flatMap((zone) => {
    const historyStart = zone.created_at > since ? zone.created_at : since;
    const limit = zoneLimit(zone, threshold);
    const spans = findUncleanedSpans(history.get(zone.id) ?? [], {
      start: historyStart,
      limit,
      timeZone: watchedFloor.time_zone,
      now,
    });
    return spans.map(
      ({ day, from: startTime, to }): PastZoneFiring => ({
        id: zone.id,
        name: zone.name,
        floor_id: watchedFloor.floor_id,
        floor: watchedFloor.name,
        place: watchedFloor.place,
        day,
        at: startTime / 1000,
        since: startTime / 1000,
        until: to === null ? null : to / 1000,
      }),
    );
  });
  return { zones: zones.length, firings };
}
