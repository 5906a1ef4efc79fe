/** The global search: the entities that it covers, and the columns that it returns. Shared by server and pages. */
import type { Entity } from '../dsl/entity';
import type { Kind } from '../dsl/field';
import { relationName } from '../dsl/relationName';

/** Minimum length of the search text; shorter texts match too many rows to be useful. */
export const minSearchLength = 2;

/** Maximum rows per entity. */
export const maxRowsPerEntity = 5;

/** Entities that people find through other rows, and whose rows nobody would search for by name. */
const excludedEntities: readonly string[] = [
  'countries',
  'languages',
  'permissions',
  'audit',
  'imports',
  'saved_views',
  'report_schedules',
];

export const isSearched = ({ name, list }: Entity): boolean =>
  list.search.length > 0 && !excludedEntities.includes(name);

const hintKinds: readonly Kind[] = ['text', 'email', 'phone', 'ref'];

/** Returns at most two columns that distinguish rows of the same name, such as the site and fleet of a machine. */
export const hintsOf = ({ titles, list, fields }: Entity): string[] =>
  list.columns.filter((name) => !titles.includes(name) && hintKinds.includes(fields[name]?.kind as Kind)).slice(0, 2);

/** Returns the relations to include so that pages can show the hints. */
export const hintRelations = (entity: Entity): string[] =>
  hintsOf(entity).flatMap((name) => relationName(name, entity.fields[name] as Entity['fields'][string]) ?? []);

/** Response of `GET /search`: rows of one entity, in the order of its list. */
export interface SearchGroup {
  resource: string;
  rows: ({ id: number } & Record<string, unknown>)[];
}
