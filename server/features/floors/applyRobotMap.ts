/**
 * Applies a robot's own map to a floor: sets the floor's size, adds the map, and creates zones from the map's segments.
 */
import { sql } from 'drizzle-orm';
import { polygonArea } from '../../../schema/dsl/polygons';
import { shapeLimits } from '../../../schema/dsl/shapes';
import type { FloorMap } from '../../../schema/dsl/transformation';
import { type Caller, hasPermission } from '../../context/caller';
import type { Services } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import type { RenderedPlan } from './renderPlan';

interface RobotMapRequest {
  model: Services['model'];
  caller: Caller;
  floorId: number;
  robotMap: NonNullable<RenderedPlan['robotMap']>;
}

/**
 * Returns the ids of the new zones. Zones that already have the name of a segment stay unchanged. Without permission to
 * create zones, creates none. If the floor has the maximum number of maps, drops the first one. The caller must have
 * locked the floor.
 */
export async function applyRobotMap(
  tx: Queries,
  { model, caller, floorId, robotMap }: RobotMapRequest,
): Promise<number[]> {
  const { width, height, map, segments } = robotMap;
  const before = await tx.selectOne(
    { width_m: pg.double.nullable, height_m: pg.double.nullable, maps: pg.json<FloorMap[]>().nullable },
    sql`select width_m, height_m, maps from floors where id = ${floorId}`,
  );
  const after = {
    width_m: width,
    height_m: height,
    maps: [...(before?.maps ?? []).filter(({ map_id }) => map_id !== map.map_id).slice(1 - shapeLimits.maps), map],
  };
  await tx.rows(sql`update floors set width_m = ${width}, height_m = ${height},
    maps = ${JSON.stringify(after.maps)}::text::jsonb where id = ${floorId}`);
  await writeAuditEntries(tx, { entity: model.require('floors'), by: caller, action: 'edit' }, [
    { id: floorId, before: before ?? {}, after },
  ]);
  if (!hasPermission(caller, 'zones.create')) return [];
  const counts = new Map<string, number>();
  const zones = segments.flatMap(({ name, polygons }) =>
    polygons.map((polygon) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      const numberedName = count === 1 ? name : `${name} (${count})`;
      return { name: numberedName, floor_id: floorId, kind: 'clean', polygon, area_m2: polygonArea(polygon) };
    }),
  );
  const addedRows = await tx.select(
    { id: pg.integer, name: pg.text },
    sql`
    insert into zones (name, floor_id, kind, polygon, area_m2)
    select distinct on (z.name) z.name, z.floor_id, z.kind, z.polygon, z.area_m2
    from jsonb_to_recordset(${JSON.stringify(zones)}::text::jsonb)
      as z(name text, floor_id int, kind text, polygon jsonb, area_m2 float8)
    where not exists (select from zones other where other.floor_id = z.floor_id and other.name = z.name
      and other.deleted_at is null)
    order by z.name returning id, name`,
  );
  const zonesByName = new Map(zones.map((zone) => [zone.name, zone]));
  await writeAuditEntries(
    tx,
    { entity: model.require('zones'), by: caller, action: 'create' },
    addedRows.map(({ id, name }) => ({ id, after: zonesByName.get(name) ?? {} })),
  );
  return addedRows.map(({ id }) => id);
}
