/** Reads positions of a machine from its observations and transforms them to a floor. */
import { sql } from 'drizzle-orm';
import { shapeLimits } from '../../../schema/dsl/shapes';
import { applyTransformation, type FloorMap, type Transformation } from '../../../schema/dsl/transformation';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { attributeSql, mapIdSql, mapPositions, mapXSql } from '../../telemetry/timeline/mapPositions';

/** Rows per statement, which occupy the embedded database's only session for a few milliseconds. */
const pageRows = 4000;

/** SQL: a coordinate or heading of observation `o` as a number; null for anything else that a device may send. */
export const coordinateSql = (axis: 'x' | 'y' | 'theta') => {
  const value = attributeSql(({ prefix }) => `${prefix}.${axis}`);
  return sql`case when ${value} ~ ${'^-?[0-9]{1,12}([.][0-9]+)?$'} then ${value}::float8 end`;
};

/** An observation with a position on a map, in the units of the map. */
export interface MapPosition {
  at: Date;
  kind: string;
  map: string | null;
  x: number | null;
  y: number | null;
  theta: number | null;
  speed: number | null;
  state: string;
  battery: number | null;
}

/** A period of a machine, both ends included. */
export interface MachinePeriod {
  machineId: number;
  from: Date;
  to: Date;
}

/** SQL condition: the observation `o` belongs to the machine, lies in the period and has a position on a map. */
export const mapPositionWhere = ({ machineId, from, to }: MachinePeriod) => sql`o.machine_id = ${machineId}::int
  and o.at >= ${from.toISOString()}::timestamptz and o.at <= ${to.toISOString()}::timestamptz
  and ${mapXSql} is not null`;

/** SQL: a coordinate as JSON text. It may be any JSON value, so callers must check that it is a number. */
const coordinateJsonSql = (axis: 'x' | 'y' | 'theta') =>
  sql`coalesce(${sql.join(
    mapPositions.map(({ prefix }) => sql.raw(`o.attributes->'${prefix}.${axis}'`)),
    sql`, `,
  )}, 'null')::text`;

/** A position as `readPage` prints it; `at` in seconds since 1970. */
type PrintedPosition = [
  at: number,
  kind: string,
  map: string | null,
  ...places: [x: unknown, y: unknown, theta: unknown],
  speed: number | null,
  state: string,
  battery: number | null,
];

/**
 * Yields positions in order of time, in pages, so that other statements run in between. Reads the next page while the
 * caller processes the current one.
 */
export async function* readMapPositions(db: Queries, period: MachinePeriod): AsyncGenerator<MapPosition[]> {
  for (let nextPage: Promise<MapPosition[]> | undefined = readPage(db, period); nextPage; ) {
    const page: MapPosition[] = await nextPage;
    nextPage = page.length === pageRows ? readPage(db, period, page.at(-1)) : undefined;
    // A caller that stops early leaves the next page unread; its failure must not become an unhandled rejection.
    nextPage?.catch(() => undefined);
    if (page.length > 0) yield page;
  }
}

/** Reads a page as a single text, which costs a third of reading rows. */
async function readPage(db: Queries, period: MachinePeriod, after?: MapPosition): Promise<MapPosition[]> {
  const page = await db.selectOne(
    { printed: pg.text.nullable },
    sql`select string_agg(printed, ',' order by at, kind) as printed from (
      select o.at, o.kind, '[' || extract(epoch from o.at) || ',' || to_json(o.kind) || ','
        || coalesce(to_json(${mapIdSql}), 'null') || ',' || ${coordinateJsonSql('x')} || ','
        || ${coordinateJsonSql('y')} || ',' || ${coordinateJsonSql('theta')} || ','
        || coalesce(o.speed::text, 'null') || ',' || to_json(o.state) || ','
        || coalesce(o.battery::text, 'null') || ']' as printed
      from observations o where ${mapPositionWhere(period)}
        and (o.at, o.kind) > (${(after?.at ?? new Date(0)).toISOString()}::timestamptz, ${after?.kind ?? ''})
      order by o.at, o.kind limit ${pageRows}) o`,
  );
  return (JSON.parse(`[${page?.printed ?? ''}]`) as PrintedPosition[]).map(parsePosition);
}

/**
 * Lists the properties one by one: spreading an object takes ten times as long, and eight hours have 28,800 positions.
 */
const parsePosition = ([at, kind, map, x, y, theta, speed, state, battery]: PrintedPosition): MapPosition => ({
  at: new Date(at * 1000),
  kind,
  map,
  x: parseCoordinate(x),
  y: parseCoordinate(y),
  theta: parseCoordinate(theta),
  speed,
  state,
  battery,
});

/** Returns a coordinate; null for other values, because a device may send anything under this name. */
function parseCoordinate(value: unknown): number | null {
  if (typeof value === 'number') return Math.abs(value) < 1e12 ? value : null;
  return typeof value === 'string' && /^-?[0-9]{1,12}([.][0-9]+)?$/.test(value) ? Number(value) : null;
}

const latestShape = {
  at: pg.timestamptz,
  kind: pg.text,
  map: pg.text.nullable,
  x: pg.double.nullable,
  y: pg.double.nullable,
  theta: pg.double.nullable,
  speed: pg.double.nullable,
  state: pg.text,
  battery: pg.integer.nullable,
};

/** Number of latest observations to search for the current position. */
const latestRows = 500;

/** Returns the latest position on a map among the last observations of a machine. */
export function readLatestMapPosition(db: Queries, machineId: number): Promise<MapPosition | undefined> {
  return db.selectOne(
    latestShape,
    sql`select o.at, o.kind, ${mapIdSql} as map, ${coordinateSql('x')} as x, ${coordinateSql('y')} as y,
      ${coordinateSql('theta')} as theta, o.speed, o.state, o.battery
    from (select * from observations where machine_id = ${machineId}::int order by at desc, kind desc
      limit ${latestRows}::int) o
    where ${mapXSql} is not null order by o.at desc, o.kind desc limit 1`,
  );
}

export interface PositionCount {
  count: number;
  /** Changes whenever a position is added. */
  version: string;
}

/** Counts the positions of a period, up to `limit` + 1. */
export async function countPositions(db: Queries, period: MachinePeriod, limit: number): Promise<PositionCount> {
  const row = await db.selectOne(
    { count: pg.integer, latest: pg.double },
    sql`select count(*)::int as count, coalesce(extract(epoch from max(received_at)), 0)::float8 as latest
      from (select o.received_at from observations o where ${mapPositionWhere(period)}
        limit ${limit + 1}::int) counted`,
  );
  const { count = 0, latest = 0 } = row ?? {};
  return { count, version: `${count}.${latest}` };
}

/**
 * Transforms a position to the floor: metres, and radians counter-clockwise from the x axis. `undefined` if its map is
 * not linked to the floor, or if its coordinates are missing or too large.
 */
export function placeOnFloor(
  position: MapPosition,
  transformations: ReadonlyMap<string, Transformation>,
): { x: number; y: number; theta: number | null } | undefined {
  const { map, x, y, theta } = position;
  const transformation = map === null ? undefined : transformations.get(map);
  if (!transformation || x === null || y === null) return undefined;
  const [floorX, floorY] = applyTransformation(transformation, [x, y]);
  if (Math.hypot(floorX, floorY) > shapeLimits.metres) return undefined;
  const floorHeading = theta === null ? null : (transformation.mirrored ? -theta : theta) + rotationOf(transformation);
  return { x: floorX, y: floorY, theta: floorHeading };
}

const rotationOf = ({ rotation = 0 }: Transformation) => (rotation * Math.PI) / 180;

/** Returns the transformations by map id. A map without one is already in metres on the floor. */
export const buildTransformations = (maps: readonly FloorMap[] | null): ReadonlyMap<string, Transformation> =>
  new Map((maps ?? []).map(({ map_id, transformation }) => [map_id, transformation ?? {}]));
