/**
 * The search over everything: which entities it looks through and what of a row it brings along. Both sides read it
 * here.
 */
import type { Entity } from '../dsl/entity';
import type { Kind } from '../dsl/field';
import { relationName } from '../dsl/relation';

/** Shorter texts match so much that what they find says nothing. */
export const shortestSearch = 2;

/** Rows per entity. */
export const foundPerEntity = 5;

/** Rows that are looked up for the sake of other rows, and have no page that anybody would look for by its name. */
const aside: readonly string[] = [
  'countries',
  'languages',
  'permissions',
  'audit',
  'imports',
  'saved_views',
  'report_schedules',
];

export const isSearched = ({ name, list }: Entity): boolean => list.search.length > 0 && !aside.includes(name);

const telling: readonly Kind[] = ['text', 'email', 'phone', 'ref'];

/** The columns that tell rows of one name apart, such as a machine's site and fleet: at most two. */
export const hintsOf = ({ titles, list, fields }: Entity): string[] =>
  list.columns.filter((name) => !titles.includes(name) && telling.includes(fields[name]?.kind as Kind)).slice(0, 2);

/** The relations to bring along so that the hints can be drawn. */
export const hintRelations = (entity: Entity): string[] =>
  hintsOf(entity).flatMap((name) => relationName(name, entity.fields[name] as Entity['fields'][string]) ?? []);

/** What `GET /search` answers with: the rows of one entity, in the order of its list. */
export interface FoundRows {
  resource: string;
  rows: ({ id: number } & Record<string, unknown>)[];
}
