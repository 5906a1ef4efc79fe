/** Reads positions of a machine on floors, as its messages name them, and places them on a floor. */
import { sql } from 'drizzle-orm';
import { shapeLimits } from '../../../schema/dsl/shapes';
import { applyTransformation, type FloorMap, type Transformation } from '../../../schema/dsl/transformation';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Rows of one statement: a few milliseconds of the embedded database's one session. */
const pageRows = 4000;

/** Attributes with the position on a map: of our own batch, of VDA 5050 version 2 and version 3. */
const places = [
  { of: 'floor', map: 'map_id' },
  { of: 'agvPosition', map: 'mapId' },
  { of: 'mobileRobotPosition', map: 'mapId' },
];
const attributeSql = (name: (place: (typeof places)[number]) => string) =>
  sql`coalesce(${sql.join(
    places.map((place) => sql.raw(`o.attributes->>'${name(place)}'`)),
    sql`, `,
  )})`;
/** SQL: the id of the map that an observation `o` names. */
export const mapSql = attributeSql(({ of, map }) => `${of}.${map}`);
/** SQL: the x of a position on a map, as text; null without one. */
export const placeSql = attributeSql(({ of }) => `${of}.x`);
/** SQL: an attribute as a number. Any device may send any text by that name, which is no position then. */
export const numberSql = (part: 'x' | 'y' | 'theta') => {
  const value = attributeSql(({ of }) => `${of}.${part}`);
  return sql`case when ${value} ~ ${'^-?[0-9]{1,12}([.][0-9]+)?$'} then ${value}::float8 end`;
};

const shape = {
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

export interface MachinePeriod {
  machineId: number;
  from: Date;
  to: Date;
}

/** SQL condition: an observation `o` of the machine and the period that has a position on a map. */
export const withinSql = ({ machineId, from, to }: MachinePeriod) => sql`o.machine_id = ${machineId}::int
  and o.at >= ${from.toISOString()}::timestamptz and o.at <= ${to.toISOString()}::timestamptz
  and ${placeSql} is not null`;

/** Positions in order of time, in pages: others use the database in between. */
export async function* readMapPositions(db: Queries, period: MachinePeriod): AsyncGenerator<MapPosition[]> {
  let after: MapPosition | undefined;
  for (;;) {
    const rows: MapPosition[] = await db.select(
      shape,
      sql`select o.at, o.kind, ${mapSql} as map, ${numberSql('x')} as x, ${numberSql('y')} as y,
        ${numberSql('theta')} as theta, o.speed, o.state, o.battery
      from observations o where ${withinSql(period)}
        and (o.at, o.kind) > (${(after?.at ?? new Date(0)).toISOString()}::timestamptz, ${after?.kind ?? ''})
      order by o.at, o.kind limit ${pageRows}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1);
  }
}

/**
 * Number of positions, at most one more than `limit`; and what changes with every position that is added: part of the
 * key of anything computed of them.
 */
export async function countPositions(
  db: Queries,
  period: MachinePeriod,
  limit: number,
): Promise<{ count: number; version: string }> {
  const row = await db.selectOne(
    { count: pg.integer, latest: pg.double },
    sql`select count(*)::int as count, coalesce(extract(epoch from max(received_at)), 0)::float8 as latest
      from (select o.received_at from observations o where ${withinSql(period)} limit ${limit + 1}::int) counted`,
  );
  const { count = 0, latest = 0 } = row ?? {};
  return { count, version: `${count}.${latest}` };
}

/** Whether the row names a map that is tied to the floor, and where on the floor it is. */
export function placeOnFloor(
  position: MapPosition,
  transformations: ReadonlyMap<string, Transformation>,
): { x: number; y: number; theta: number | null } | undefined {
  const { map, x, y, theta } = position;
  const transformation = map === null ? undefined : transformations.get(map);
  if (!transformation || x === null || y === null) return undefined;
  const [floorX, floorY] = applyTransformation(transformation, [x, y]);
  if (Math.hypot(floorX, floorY) > shapeLimits.metres) return undefined;
  const turned = theta === null ? null : (transformation.mirrored ? -theta : theta) + rotationOf(transformation);
  return { x: floorX, y: floorY, theta: turned };
}

const rotationOf = ({ rotation = 0 }: Transformation) => (rotation * Math.PI) / 180;

/** Transformations by the robot's id of the map; without one the map is in metres on the floor. */
export const transformationsOf = (maps: readonly FloorMap[] | null): ReadonlyMap<string, Transformation> =>
  new Map((maps ?? []).map(({ map_id, transformation }) => [map_id, transformation ?? {}]));
