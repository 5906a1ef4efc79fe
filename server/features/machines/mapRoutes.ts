/**
 * `GET /machines/map`: machines in a section of the map, clustered where they are too close together. Filters and scope
 * are those of the list.
 */
import { type SQL, sql } from 'drizzle-orm';
import { parseListQuery } from '../../../schema/dsl/listQuery';
import type { MapResult } from '../../../schema/endpoints/machines';
import { stateNames } from '../../../schema/entities/machines';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Routes, Services } from '../../context/services';
import { matchWhere } from '../../crud/query/selectStatements';
import type { Queries } from '../../db/core/database';
import { mapCellsPerSide } from '../../db/core/mapCellsPerSide';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { queryStringOf } from '../../http/http';
import { fleetSumsWhere } from '../locations/fleetSums';

/**
 * Width in pixels of the world at zoom 0, and of a cluster cell. From `closeZoom` on, only overlapping machines are
 * clustered.
 */
const worldPixels = 256;
const cellPixels = 72;
const closePixels = 28;
const closeZoom = 17;

export const mapRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/map', async ({ query: { bbox, zoom }, services }, request) => ({
    data: await readMap(services, {
      caller: request.caller,
      search: queryStringOf(request),
      zoom,
      ...parseBox(bbox ?? '-180,-90,180,90'),
    }),
  }));
};

interface MapRequest {
  caller: Caller;
  search: string;
  west: number;
  south: number;
  east: number;
  north: number;
  zoom: number;
}

function parseBox(bbox: string): Pick<MapRequest, 'west' | 'south' | 'east' | 'north'> {
  const box = bbox
    .split(',')
    .map((text) => (/^-?\d{1,4}(\.\d{1,20})?(e-\d{1,2})?$/.test(text) ? Number(text) : Number.NaN));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = box;
  if (box.length !== 4 || box.some(Number.isNaN) || south > north) throw ApiError.invalidAt('bbox', { key: 'number' });
  return { west, south, east, north };
}

/** Maximum zoom to draw from the sums of fleets, at which a cell of the sums is one pixel wide. */
const maxSumsZoom = Math.log2(mapCellsPerSide / worldPixels);

/** Maximum machines to read one by one; more are drawn from the sums of fleets if possible. */
const maxExactMachines = 5000;

const clusterShape = {
  latitude: pg.double,
  longitude: pg.double,
  count: pg.integer,
  states: pg.json<MapResult['clusters'][number]['states']>(),
  bbox: pg.json<[number, number, number, number]>(),
  point: pg.json<MapResult['points'][number]>().nullable,
};

async function readMap({ db, model }: Services, request: MapRequest) {
  const machines = model.require('machines');
  const sumsWhere = await findSumsWhere(db, machines, request);
  const { from, point } = sumsWhere ? summedCellsSource(sumsWhere, request) : machinesSource(machines, request);
  const cellSize =
    (request.zoom >= closeZoom ? closePixels : cellPixels) / (worldPixels * 2 ** Math.floor(request.zoom));
  // Web Mercator coordinates from 0 to 1, in which cells are squares on the screen.
  const x = sql`(longitude / 360 + 0.5)`;
  const y = sql`(0.5 - ln(tan(pi() / 4 + radians(greatest(-85, least(85, latitude))) / 2)) / (2 * pi()))`;
  const states = stateNames.map(
    (state) => sql`${sql.raw(`'${state}'`)}, nullif(sum(n) filter (where status = ${state}), 0)`,
  );
  const clusters = await db.select(
    clusterShape,
    sql`
    with machine as (${from}), cluster as (
      select sum(n * latitude) / sum(n) as latitude, sum(n * longitude) / sum(n) as longitude, sum(n)::int as count,
      jsonb_strip_nulls(jsonb_build_object(${sql.join(states, sql`, `)})) as states,
        jsonb_build_array(min(longitude), min(latitude), max(longitude), max(latitude)) as bbox, min(id) as id,
        min(fleet_id) as fleet_id, min(location_id) as location_id
      from machine group by floor(${x} / ${cellSize}::float8), floor(${y} / ${cellSize}::float8)
    )
    select latitude, longitude, count, states, bbox, case when count = 1 then (
      select jsonb_build_object('id', m.id, 'serial_number', m.serial_number, 'status', s.status, 'latitude',
        s.latitude, 'longitude', s.longitude, 'battery', s.battery, 'fleet_color', f.color)
      from machines m join machines_state s on s.id = m.id left join fleets f on f.id = m.fleet_id
      where ${point}) end as point
    from cluster`,
  );
  return {
    clusters: clusters.filter(({ point }) => point === null).map(({ point: _, ...cluster }) => cluster),
    points: clusters.flatMap(({ point }) => point ?? []),
    total: clusters.reduce((sum, { count }) => sum + count, 0),
  };
}

/**
 * SQL condition on the sums of fleets if they are enough to draw the map: when zoomed out, without filters, for more
 * than `maxExactMachines` machines. Otherwise `undefined`, and each machine is read.
 */
async function findSumsWhere(db: Queries, machines: ModelEntity, { caller, search, zoom }: MapRequest) {
  if (zoom > maxSumsZoom || parseListQuery(search).filter.length > 0) return undefined;
  const sumsWhere = fleetSumsWhere(machines, caller);
  if (!sumsWhere) return undefined;
  const count = await db.selectOne(
    { n: pg.integer },
    sql`select coalesce(sum(m.machines), 0)::int as n from fleet_states m where ${sumsWhere}`,
  );
  return (count?.n ?? 0) > maxExactMachines ? sumsWhere : undefined;
}

/**
 * Rows to cluster, `(id, fleet_id, location_id, status, latitude, longitude, n)`, and a condition that finds the
 * machine of a cluster of one.
 */
interface ClusterSource {
  from: SQL;
  point: SQL;
}

/** Source of the sums' cells whose centre is in the box; positions may therefore be off by half a pixel. */
function summedCellsSource(sumsWhere: SQL, request: MapRequest): ClusterSource {
  const side = sql.raw(`${mapCellsPerSide}`);
  return {
    from: sql`
      select cell as id, fleet_id, location_id, status, latitude, longitude, n from (
        select cell, m.fleet_id, m.location_id, m.status, sum(m.machines)::int as n,
        ((cell / ${side})::float8 + 0.5) / ${side} * 360 - 180 as longitude,
        degrees(2 * atan(exp(pi() * (1 - 2 * ((cell % ${side})::float8 + 0.5) / ${side}))) - pi() / 2) as latitude
        from fleet_states m where cell is not null and ${sumsWhere} group by 1, 2, 3, 4 having sum(m.machines) <> 0
      ) s where ${boxWhere(request)}`,
    point: sql`m.deleted_at is null and map_cell(s.latitude, s.longitude) = cluster.id
      and m.id in (select id from machines where location_id = cluster.location_id
        union all select id from machines where cluster.location_id = 0 and fleet_id = cluster.fleet_id
        and location_id is null)`,
  };
}

/** SQL condition: a position is in the box. A box across the antimeridian has a `west` greater than its `east`. */
function boxWhere({ west, south, east, north }: MapRequest): SQL {
  const longitudeWhere =
    east - west >= 360
      ? sql`true`
      : west <= east
        ? sql`s.longitude between ${west}::float8 and ${east}::float8`
        : sql`(s.longitude >= ${west}::float8 or s.longitude <= ${east}::float8)`;
  return sql`s.latitude between ${south}::float8 and ${north}::float8 and ${longitudeWhere}`;
}

/** Source of the machines with a position in the box. */
function machinesSource(entity: ModelEntity, request: MapRequest): ClusterSource {
  const query = { ...parseListQuery(request.search), sort: [], include: [], fields: {} };
  return {
    from: sql`
      select m.id, m.fleet_id, m.location_id, s.status, s.latitude, s.longitude, 1 as n
      from machines m join machines_state s on s.id = m.id
      where ${matchWhere({ entity, caller: request.caller, query }, new QueryContext())} and ${boxWhere(request)}`,
    point: sql`m.id = cluster.id`,
  };
}
