/**
 * `GET /machines/map`: machines in a part of the map, clustered where they are too close. Filters and scope as in the
 * list.
 */
import { type SQL, sql } from 'drizzle-orm';
import { readListQuery } from '../../../schema/dsl/query';
import type { MapResult } from '../../../schema/endpoints/machines';
import { stateNames } from '../../../schema/entities/machines';
import { QueryContext } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Routes, Services } from '../../context/services';
import { matchWhere } from '../../crud/query/select';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';
import { queryStringOf } from '../../http/http';

/** Size in pixels of the world at zoom 0, and of a cluster cell; at high zoom only overlapping machines cluster. */
const worldPixels = 256;
const cellPixels = 72;
const closePixels = 28;
const closeZoom = 17;

export const mapRoutes: Routes = async (app) => {
  serve(app, 'GET /machines/map', async ({ query: { bbox, zoom } }, request) => ({
    data: await drawn(app.services, {
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
    .map((part) => (/^-?\d{1,4}(\.\d{1,20})?(e-\d{1,2})?$/.test(part) ? Number(part) : Number.NaN));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = box;
  if (box.length !== 4 || box.some(Number.isNaN) || south > north) throw ApiError.invalidAt('bbox', { key: 'number' });
  return { west, south, east, north };
}

const cellShape = {
  latitude: pg.double,
  longitude: pg.double,
  count: pg.integer,
  states: pg.json<MapResult['clusters'][number]['states']>(),
  bbox: pg.json<[number, number, number, number]>(),
  points: pg.json<MapResult['points']>().nullable,
};

async function drawn({ db, model }: Services, asked: MapRequest) {
  const inside = matchingInside(model.require('machines'), asked);
  const size = (asked.zoom >= closeZoom ? closePixels : cellPixels) / (worldPixels * 2 ** Math.floor(asked.zoom));
  // Web Mercator, from 0 to 1: cells are squares on the screen.
  const x = sql`(longitude / 360 + 0.5)`;
  const y = sql`(0.5 - ln(tan(pi() / 4 + radians(greatest(-85, least(85, latitude))) / 2)) / (2 * pi()))`;
  const states = stateNames.map(
    (state) => sql`${sql.raw(`'${state}'`)}, nullif(count(*) filter (where status = ${state}), 0)`,
  );
  const cells = await db.select(
    cellShape,
    sql`
    with machine as materialized (${inside})
    select avg(latitude) as latitude, avg(longitude) as longitude, count(*)::int as count,
    jsonb_strip_nulls(jsonb_build_object(${sql.join(states, sql`, `)})) as states,
      jsonb_build_array(min(longitude), min(latitude), max(longitude), max(latitude)) as bbox,
      case when count(*) = 1 then jsonb_agg(jsonb_build_object('id', id, 'serial_number', serial_number, 'status',
      status,
        'latitude', latitude, 'longitude', longitude, 'battery', battery, 'fleet_color', fleet_color) order by id)
        end as points
    from machine group by floor(${x} / ${size}::float8), floor(${y} / ${size}::float8)`,
  );
  return {
    clusters: cells.filter(({ points }) => points === null).map(({ points: _, ...cluster }) => cluster),
    points: cells.flatMap(({ points }) => points ?? []),
    total: cells.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Machines with a position in the box; if it crosses the antimeridian, west is greater than east. */
function matchingInside(entity: ModelEntity, { caller, search, west, south, east, north }: MapRequest): SQL {
  const query = { ...readListQuery(search), sort: [], include: [], fields: {} };
  const across =
    east - west >= 360
      ? sql`true`
      : west <= east
        ? sql`s.longitude between ${west}::float8 and ${east}::float8`
        : sql`(s.longitude >= ${west}::float8 or s.longitude <= ${east}::float8)`;
  return sql`
    select m.id, m.serial_number, s.status, s.latitude, s.longitude, s.battery, f.color as fleet_color
    from machines m join machines_state s on s.id = m.id left join fleets f on f.id = m.fleet_id
    where ${matchWhere({ entity, caller, query }, new QueryContext())} and s.latitude is not null
    and s.latitude between ${south}::float8 and ${north}::float8 and ${across}`;
}
