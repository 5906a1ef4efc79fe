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
const placeSql = attributeSql(({ of }) => `${of}.x`);

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
      sql`select o.at, o.kind, ${mapSql} as map, ${placeSql}::float8 as x,
        ${attributeSql(({ of }) => `${of}.y`)}::float8 as y,
        ${attributeSql(({ of }) => `${of}.theta`)}::float8 as theta, o.speed, o.state, o.battery
      from observations o where ${withinSql(period)}
        and (o.at, o.kind) > (${(after?.at ?? new Date(0)).toISOString()}::timestamptz, ${after?.kind ?? ''})
      order by o.at, o.kind limit ${pageRows}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1);
  }
}

/** What changes with every position that is added: part of the key of anything computed of them. */
export async function positionsVersion(db: Queries, period: MachinePeriod): Promise<string> {
  const row = await db.selectOne(
    { version: pg.text },
    sql`select count(*) || '.' || coalesce(extract(epoch from max(o.received_at)), 0) as version
      from observations o where ${withinSql(period)}`,
  );
  return row?.version ?? '';
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
