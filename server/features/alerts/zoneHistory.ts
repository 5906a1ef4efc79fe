/**
 * Zones that rules watch, and on which days they were cleaned. Missing data never counts against a zone: a floor
 * without any run of known path is not evaluated, and a run of unknown path may have cleaned everything.
 */
import { type SQL, sql } from 'drizzle-orm';
import { localDay, momentAt, shiftDay } from '../../../schema/shared/openSpans';
import { scopeWhere } from '../../access/scopeWhere';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg, type RowOf } from '../../db/core/rowShape';
import type { ComputeCoverage } from '../floors/computeCoverage';
import type { FloorRow, PlannedZone } from '../floors/floorRows';
import { readCleaningDays } from '../floors/readZoneCleanings';
import { clientCaller } from './viewWhere';

/** SQL condition: rule `r` watches floor `f` at location `l` of fleet `fl`, which has zones to be cleaned. */
export const watchedFloorWhere = sql`fl.client_id = r.client_id and (r.fleet_id is null or l.fleet_id = r.fleet_id)
  and (r.location_id is null or l.id = r.location_id)
  and f.deleted_at is null and l.deleted_at is null and fl.deleted_at is null
  and exists (select from zones z where z.floor_id = f.id and z.kind = 'clean' and z.deleted_at is null)`;

export const watchedFloorShape = {
  floor_id: pg.integer,
  name: pg.text,
  location_id: pg.integer,
  place: pg.text,
  time_zone: pg.text,
  client_id: pg.integer,
};
export type WatchedFloor = RowOf<typeof watchedFloorShape>;
/** Columns of the shape, by the aliases of `watchedFloorWhere`. */
export const watchedFloorColumns = sql`f.id as floor_id, f.name, l.id as location_id, l.name as place, l.time_zone,
  fl.client_id`;

/** Days after which a rule finds a zone overdue: its threshold, or the zone's own interval if that is longer. */
export const zoneLimit = ({ every_days }: PlannedZone, threshold: number): number =>
  Math.max(threshold, every_days ?? 0);

const dayLength = 86_400_000;
/** Days to search for the last cleaning: twice the longest limit of the floor's zones, within these bounds. */
const searchDays = { min: 35, max: 400 } as const;

/** Start of the search for the last cleanings of a floor. */
export const searchStart = (floor: FloorRow, threshold: number, now: Date): Date => {
  const longestLimit = Math.max(...selectCleanZones(floor).map((zone) => zoneLimit(zone, threshold)), threshold);
  const days = Math.min(Math.max(2 * longestLimit, searchDays.min), searchDays.max);
  return new Date(now.getTime() - days * dayLength);
};

/** Start of the search for cleanings of zones without any since `searchStart`. */
export const longSearchStart = ({ zones }: FloorRow, now: Date): Date =>
  new Date(
    Math.max(now.getTime() - searchDays.max * dayLength, Math.min(...zones.map(({ created_at }) => +created_at))),
  );

export const selectCleanZones = ({ zones }: FloorRow): PlannedZone[] => zones.filter(({ kind }) => kind === 'clean');

/** Maximum seconds between positions on average; a path with longer gaps does not count. */
const maxMeanGap = 15;

/** SQL condition: the path of run `x` on floor `floorId` is known, and its coverage has been computed. */
const hasPathWhere = (floorId: number): SQL => sql`(x.floor_id = ${floorId}::int and exists (
  select from run_coverage k where k.run_id = x.id
    and k.positions * ${maxMeanGap}::int >= greatest(x.duration_s, 1)))`;

interface ZoneHistoryRequest {
  watchedFloor: WatchedFloor;
  floor: FloorRow;
  since: Date;
  /** Whether only the latest cleaning of each zone matters. */
  isLatestOnly: boolean;
}

/**
 * Returns the ends of cleanings since `since`, by zone and in no order, from runs of the client that has the floor.
 * `undefined` if the floor is not evaluated.
 */
export async function readZoneHistory(
  { db, model }: Pick<Services, 'db' | 'model'>,
  computeCoverage: ComputeCoverage,
  { watchedFloor: { floor_id, location_id, time_zone, client_id }, floor, since, isLatestOnly }: ZoneHistoryRequest,
): Promise<Map<number, Date[]> | undefined> {
  const caller = clientCaller(model, client_id);
  const history = new Map(selectCleanZones(floor).map(({ id }): [number, Date[]] => [id, []]));
  for await (const { end, zoneIds } of readCleaningDays({ db, model }, computeCoverage, {
    caller,
    floor,
    timeZone: time_zone,
    since,
  })) {
    for (const id of zoneIds) history.get(id)?.push(end);
    if (isLatestOnly && [...history.values()].every((cleanings) => cleanings.length > 0)) break;
  }
  const countedRunsWhere = sql`x.deleted_at is null and x.superseded_by is null
    and (x.floor_id = ${floor_id}::int or (x.floor_id is null and x.location_id = ${location_id}::int))
    and ${scopeWhere(model.require('runs'), caller, sql.raw('x'))}`;
  const runs = await db.selectOne(
    { is_measured: pg.boolean, end_times: pg.json<string[]>() },
    sql`
    select exists (select from runs x where ${countedRunsWhere} and ${hasPathWhere(floor_id)}) as is_measured,
      (select coalesce(json_agg(x.ended_at), '[]') from runs x
        where ${countedRunsWhere} and not ${hasPathWhere(floor_id)}
        and x.ended_at >= ${since.toISOString()}::timestamptz and coalesce(x.cleaned_area_m2, 1) > 0) as end_times`,
  );
  if (!runs?.is_measured) return undefined;
  for (const cleanings of history.values()) cleanings.push(...runs.end_times.map((end) => new Date(end)));
  return history;
}

/** A span in which a zone was not cleaned for longer than allowed. */
export interface UncleanedSpan {
  /** Local day of the last cleaning, or on which the zone was drawn. */
  day: string;
  /** When the last of the allowed days was over, in milliseconds since 1970. */
  from: number;
  /** Next cleaning; null if there is none yet. */
  to: number | null;
}

/** Finds the spans in which a zone was not cleaned for more than `limit` whole local days. Pure. */
export function findUncleanedSpans(
  cleanings: readonly Date[],
  { start, limit, timeZone, now }: { start: Date; limit: number; timeZone: string; now: Date },
): UncleanedSpan[] {
  const times = [start, ...cleanings].map((time) => time.getTime()).sort((a, b) => a - b);
  return times.flatMap((time, index): UncleanedSpan[] => {
    const day = localDay(time, timeZone);
    const from = momentAt(shiftDay(day, limit + 1), 0, timeZone);
    const to = times[index + 1] ?? null;
    return from <= Math.min(to ?? Number.POSITIVE_INFINITY, now.getTime()) ? [{ day, from, to }] : [];
  });
}

/** Reads a fingerprint of everything that the history of a floor depends on. */
export async function readZoneFingerprint(
  db: Queries,
  { floor_id, location_id, time_zone }: WatchedFloor,
  { floor, since, now }: { floor: FloorRow; since: Date; now: Date },
): Promise<string> {
  const row = await db.selectOne(
    { state: pg.text },
    sql`
    select concat_ws(' ', count(*), sum(x.version), max(x.id), count(k.run_id),
      extract(epoch from max(k.computed_at))) as state
    from runs x left join run_coverage k on k.run_id = x.id
    where (x.floor_id = ${floor_id}::int or (x.floor_id is null and x.location_id = ${location_id}::int))
      and x.deleted_at is null and x.superseded_by is null and x.ended_at >= ${since.toISOString()}::timestamptz`,
  );
  return [floor.version, localDay(now.getTime(), time_zone), location_id, time_zone, row?.state].join(' ');
}
