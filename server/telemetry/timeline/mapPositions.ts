/** Attributes in which observations hold a position on a robot's own map. */
import { type SQL, sql } from 'drizzle-orm';

/** Prefixes of the attributes, and the last part of the name of the map's id: of our own batch, VDA 5050 2 and 3. */
export const mapPositions = [
  { prefix: 'floor', mapIdKey: 'map_id' },
  { prefix: 'agvPosition', mapIdKey: 'mapId' },
  { prefix: 'mobileRobotPosition', mapIdKey: 'mapId' },
] as const;

export const hasMapPosition = (attributes: object | null): boolean =>
  attributes !== null && mapPositions.some(({ prefix }) => Object.hasOwn(attributes, `${prefix}.x`));

/** SQL: an attribute of an observation `o`, as text. */
export const attributeSql = (name: (position: (typeof mapPositions)[number]) => string): SQL =>
  sql`coalesce(${sql.join(
    mapPositions.map((position) => sql.raw(`o.attributes->>'${name(position)}'`)),
    sql`, `,
  )})`;
/** SQL: the id of the map that an observation `o` names. */
export const mapIdSql: SQL = attributeSql(({ prefix, mapIdKey }) => `${prefix}.${mapIdKey}`);
/** SQL: the x of a position on a map, as text; null without one. */
export const mapXSql: SQL = attributeSql(({ prefix }) => `${prefix}.x`);
