/**
 * `GET /machines/map`: machines in a part of the map, clustered where they are too close. Filters and scope as in the
 * list.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { readListQuery } from '../../../schema/dsl/query';
import { type StateName, stateNames } from '../../../schema/entities/machines';
import { QueryContext } from '../../access/entityModel';
import { type Caller, requirePermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Routes, Services } from '../../context/services';
import { matchWhere } from '../../crud/query/select';
import { apiPrefix, queryStringOf } from '../../http/http';
import { filterParameters } from '../../http/queryParameters';

/** Size in pixels of the world at zoom 0, and of a cluster cell; at high zoom only overlapping machines cluster. */
const worldPixels = 256;
const cellPixels = 72;
const closePixels = 28;
const closeZoom = 17;
const deepestZoom = 22;

export const mapRoutes: Routes = async (app) => {
  app.get(
    `${apiPrefix}/machines/map`,
    { config: { parameters: [...filterParameters, 'bbox', 'zoom'] } },
    async (request) => {
      requirePermission(request.caller, 'machines.list');
      return { data: await drawn(app.services, askedBy(request)) };
    },
  );
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

function askedBy(request: FastifyRequest): MapRequest {
  const search = queryStringOf(request);
  const given = new URLSearchParams(search);
  const box = (given.get('bbox') ?? '-180,-90,180,90')
    .split(',')
    .map((part) => (/^-?\d{1,4}(\.\d{1,20})?(e-\d{1,2})?$/.test(part) ? Number(part) : Number.NaN));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = box;
  if (box.length !== 4 || box.some(Number.isNaN) || south > north) throw ApiError.invalidAt('bbox', { key: 'number' });
  const zoom = Number(given.get('zoom') ?? '2');
  if (Number.isNaN(zoom)) throw ApiError.invalidAt('zoom', { key: 'number' });
  if (zoom < 0) throw ApiError.invalidAt('zoom', { key: 'min', values: { min: 0 } });
  if (zoom > deepestZoom) throw ApiError.invalidAt('zoom', { key: 'max', values: { max: deepestZoom } });
  return { caller: request.caller, search, west, south, east, north, zoom };
}

interface Cell {
  latitude: number;
  longitude: number;
  count: number;
  states: Partial<Record<StateName, number>>;
  bbox: [number, number, number, number];
  points: unknown[] | null;
}

async function drawn({ db, model }: Services, asked: MapRequest) {
  const inside = matchingInside(model.require('machines'), asked);
  const size = (asked.zoom >= closeZoom ? closePixels : cellPixels) / (worldPixels * 2 ** Math.floor(asked.zoom));
  // Web Mercator, from 0 to 1: cells are squares on the screen.
  const x = sql`(longitude / 360 + 0.5)`;
  const y = sql`(0.5 - ln(tan(pi() / 4 + radians(greatest(-85, least(85, latitude))) / 2)) / (2 * pi()))`;
  const states = stateNames.map(
    (state) => sql`${sql.raw(`'${state}'`)}, nullif(count(*) filter (where status = ${state}), 0)`,
  );
  const cells = await db.rows<Cell>(sql`
    with machine as materialized (${inside})
    select avg(latitude) as latitude, avg(longitude) as longitude, count(*)::int as count,
    jsonb_strip_nulls(jsonb_build_object(${sql.join(states, sql`, `)})) as states,
      jsonb_build_array(min(longitude), min(latitude), max(longitude), max(latitude)) as bbox,
      case when count(*) = 1 then jsonb_agg(jsonb_build_object('id', id, 'serial_number', serial_number, 'status',
      status,
        'latitude', latitude, 'longitude', longitude, 'battery', battery, 'fleet_color', fleet_color) order by id)
        end as points
    from machine group by floor(${x} / ${size}::float8), floor(${y} / ${size}::float8)`);
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
