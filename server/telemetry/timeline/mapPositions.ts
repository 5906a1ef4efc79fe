/** Attributes in which observations hold a position on a robot's own map. */
import { type SQL, sql } from 'drizzle-orm';

/** Prefixes of the attributes: of our own batch, and of VDA 5050 versions 2 and 3. */
export const mapPositions = [
  { prefix: 'floor', map: 'map_id' },
  { prefix: 'agvPosition', map: 'mapId' },
  { prefix: 'mobileRobotPosition', map: 'mapId' },
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
export const mapSql: SQL = attributeSql(({ prefix, map }) => `${prefix}.${map}`);
/** SQL: the x of a position on a map, as text; null without one. */
export const mapXSql: SQL = attributeSql(({ prefix }) => `${prefix}.x`);
