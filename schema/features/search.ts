/** The global search: which entities it covers and which columns of a row it returns. Shared by server and pages. */
import type { Entity } from '../dsl/entity';
import type { Kind } from '../dsl/field';
import { relationName } from '../dsl/relationName';

/** Minimum length: shorter texts match too many rows to be useful. */
export const minSearchLength = 2;

/** Maximum number of rows per entity. */
export const foundPerEntity = 5;

/** Entities that are looked up through other rows and have no page that anybody would search by name. */
const excluded: readonly string[] = [
  'countries',
  'languages',
  'permissions',
  'audit',
  'imports',
  'saved_views',
  'report_schedules',
];

export const isSearched = ({ name, list }: Entity): boolean => list.search.length > 0 && !excluded.includes(name);

const hintKinds: readonly Kind[] = ['text', 'email', 'phone', 'ref'];

/** At most two columns that distinguish rows of the same name, such as a machine's site and fleet. */
export const hintsOf = ({ titles, list, fields }: Entity): string[] =>
  list.columns.filter((name) => !titles.includes(name) && hintKinds.includes(fields[name]?.kind as Kind)).slice(0, 2);

/** The relations to include so that pages can draw the hints. */
export const hintRelations = (entity: Entity): string[] =>
  hintsOf(entity).flatMap((name) => relationName(name, entity.fields[name] as Entity['fields'][string]) ?? []);

/** Response of `GET /search`: rows of one entity, in the order of its list. */
export interface SearchGroup {
  resource: string;
  rows: ({ id: number } & Record<string, unknown>)[];
}
