/** Reads the input of coverage: runs with working widths, and floors with maps and zones. */
import { type SQL, sql } from 'drizzle-orm';
import type { Point } from '../../../schema/dsl/polygons';
import type { FloorMap } from '../../../schema/dsl/transformation';
import { defaultWorkingWidth } from '../../../schema/entities/types';
import { visibleIds } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { Services } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { mapIdSql } from '../../telemetry/timeline/mapPositions';
import type { FloorZone } from './measureCoverage';
import { type MachinePeriod, mapPositionWhere } from './readFloorPath';

export interface PlannedZone extends FloorZone {
  name: string;
  /** Days between two cleanings; null without a plan. */
  every_days: number | null;
  created_at: Date;
}

export interface FloorRow {
  id: number;
  maps: FloorMap[] | null;
  width: number | null;
  height: number | null;
  zones: PlannedZone[];
  /** Changes whenever the floor or one of its zones does. */
  version: string;
}

/** Reads a floor with its zones; `undefined` if it was deleted. */
export async function readFloor(db: Queries, id: number): Promise<FloorRow | undefined> {
  const floor = await db.selectOne(
    {
      maps: pg.json<FloorMap[]>().nullable,
      width: pg.double.nullable,
      height: pg.double.nullable,
      version: pg.integer,
    },
    sql`select maps, width_m as width, height_m as height, version from floors where id = ${id} and deleted_at is null`,
  );
  if (!floor) return undefined;
  const zones = await db.select(
    {
      id: pg.integer,
      name: pg.text,
      kind: pg.text,
      polygon: pg.json<Point[]>(),
      every_days: pg.integer.nullable,
      created_at: pg.timestamptz,
      version: pg.integer,
    },
    sql`select id, name, kind, polygon, every_days, created_at, version from zones
      where floor_id = ${id} and deleted_at is null order by id`,
  );
  const version = [floor, ...zones].map((row) => `${'id' in row ? row.id : id}.${row.version}`).join(',');
  return { ...floor, id, zones, version };
}

/** A run, with what its coverage depends on. */
export interface RunPeriod extends MachinePeriod {
  id: number;
  /** Working width in metres. */
  width: number;
  floorId: number | null;
  locationId: number | null;
}

/** Reads the runs that satisfy a condition on `r`, ordered by start. */
export async function readRunPeriods(db: Queries, where: SQL): Promise<RunPeriod[]> {
  const rows = await db.select(
    {
      id: pg.integer,
      machine: pg.integer,
      from: pg.timestamptz,
      to: pg.timestamptz,
      width: pg.double.nullable,
      floor: pg.integer.nullable,
      location: pg.integer.nullable,
    },
    sql`select r.id, r.machine_id as machine, r.started_at as from, r.ended_at as to, t.working_width_m as width,
      r.floor_id as floor, r.location_id as location
    from runs r join machines m on m.id = r.machine_id left join types t on t.id = m.type_id
    where ${where} order by r.started_at, r.id`,
  );
  return rows.map(({ id, machine, from, to, width, floor, location }) => ({
    id,
    machineId: machine,
    from,
    to,
    width: width ?? defaultWorkingWidth,
    floorId: floor,
    locationId: location,
  }));
}

/**
 * Finds the floor of a run. If the run has none, takes the floor at its location whose maps contain most of its
 * positions. Returns `undefined` if there is none, or if it is outside of the caller's scope.
 */
export async function findFloorOfRun({ db, model }: Services, caller: Caller, run: RunPeriod) {
  const row =
    run.floorId === null
      ? await db.selectOne(
          { id: pg.integer },
          sql`select f.id from observations o join floors f on f.location_id = ${run.locationId}::int
            and f.deleted_at is null and f.maps @> jsonb_build_array(jsonb_build_object('map_id', ${mapIdSql}))
          where ${mapPositionWhere(run)} group by f.id order by count(*) desc, f.id limit 1`,
        )
      : { id: run.floorId };
  if (!row || (await visibleIds(db, model.require('floors'), caller, [row.id])).length === 0) return undefined;
  return readFloor(db, row.id);
}
