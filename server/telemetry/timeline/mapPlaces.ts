/** Where messages hold a position on a map of the robot. */
import { type SQL, sql } from 'drizzle-orm';

/** Attributes by their beginnings: of our own batch, of VDA 5050 version 2 and version 3. */
export const mapPlaces = [
  { of: 'floor', map: 'map_id' },
  { of: 'agvPosition', map: 'mapId' },
  { of: 'mobileRobotPosition', map: 'mapId' },
] as const;

export const hasMapPlace = (attributes: object | null): boolean =>
  attributes !== null && mapPlaces.some(({ of }) => Object.hasOwn(attributes, `${of}.x`));

/** SQL: an attribute of an observation `o`, as text. */
export const attributeSql = (name: (place: (typeof mapPlaces)[number]) => string): SQL =>
  sql`coalesce(${sql.join(
    mapPlaces.map((place) => sql.raw(`o.attributes->>'${name(place)}'`)),
    sql`, `,
  )})`;
/** SQL: the id of the map that an observation `o` names. */
export const mapSql: SQL = attributeSql(({ of, map }) => `${of}.${map}`);
/** SQL: the x of a position on a map, as text; null without one. */
export const placeSql: SQL = attributeSql(({ of }) => `${of}.x`);
