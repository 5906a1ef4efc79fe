/**
 * Looks up the related rows that the words of a search match, such as the locations in Hamburg, before the search
 * itself. PostgreSQL then knows how many rows reference them, and reads either those few rows or the whole table once.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { plainFilterName } from '../../../schema/dsl/filterName';
import { QueryContext, table } from '../../access/entityModel';
import type { ModelEntity, Relation } from '../../context/services';
import { isProse } from '../../db/core/columns';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { printStatement } from '../../db/core/statement';
import { fieldAtPath } from './filterNames';
import { maxIndexedPatterns } from './operators';
import {
  type FilterItem,
  hasIndexedSearch,
  pathContextOf,
  type RelatedMatches,
  relatedSearchWhere,
  searchedPaths,
} from './searchWhere';
import type { SelectRequest } from './selectStatements';

/**
 * Maximum related rows to list. A word that matches more is so common that its hits are soon found without the list.
 */
const maxRelatedRows = 1000;

const isSearch = ({ path }: FilterItem): boolean => plainFilterName(path) === 'search';

/** Whether all paths are own texts or texts of a row that an own column references. */
const isResolvable = (entity: ModelEntity, paths: readonly string[]): boolean =>
  paths.length > 0 &&
  paths.every((path) => {
    const [step = '', ...rest] = path.split('.');
    if (rest.length === 0) {
      const field = fieldAtPath(entity, [step]) as Field;
      return isProse(field) && field.store !== 'state' && field.store !== 'derived';
    }
    const relation = entity.relations.get(step);
    return relation?.field.kind === 'ref' && !relation.field.through;
  });

const relationsOf = (paths: readonly string[]): string[] => [
  ...new Set(paths.filter((path) => path.includes('.')).map((path) => path.split('.')[0] as string)),
];

/** Query of one array: ids of the related rows that the words match, at most `maxRelatedRows + 1`. */
function relatedIdsSql({ entity, caller, query }: SelectRequest, { values }: FilterItem, relation: string): SQL {
  const to = sql.raw('related');
  const { target } = entity.relations.get(relation) as Relation;
  const pathContext = pathContextOf({ caller, filter: query.filter, context: new QueryContext('r') });
  const paths = searchedPaths(entity, caller);
  return sql`select array(select related.id from ${table(target)} related
    where ${relatedSearchWhere({ relation, paths, values, entity, row: to, pathContext })}
    limit ${sql.raw(String(maxRelatedRows + 1))}) as ids`;
}

/**
 * Returns the requests with the related matches of their searches, all read by one statement. Leaves a search unchanged
 * if it covers more than own columns and the rows that own columns reference. `stopsEarly`: only the first hits will be
 * read.
 */
export async function resolveSearches(
  db: Queries,
  requests: readonly SelectRequest[],
  { stopsEarly = false } = {},
): Promise<SelectRequest[]> {
  const lookups = new Map<string, SQL>();
  const addLookup = (lookup: SQL) => {
    const key = JSON.stringify(printStatement(lookup));
    lookups.set(key, lookup);
    return key;
  };
  const requestLookups = requests.map((request) => {
    const paths = searchedPaths(request.entity, request.caller);
    if (!isResolvable(request.entity, paths)) return { request, keys: new Map<FilterItem, Map<string, string>>() };
    const searches = request.query.filter.filter((item) => isSearch(item) && item.values.length <= maxIndexedPatterns);
    const addLookups = (item: FilterItem) =>
      new Map(relationsOf(paths).map((relation) => [relation, addLookup(relatedIdsSql(request, item, relation))]));
    return { request, keys: new Map(searches.map((item) => [item, addLookups(item)])) };
  });
  const rows =
    lookups.size === 0
      ? []
      : await db.select({ ids: pg.integer.array }, sql.join([...lookups.values()], sql` union all `));
  const idsByLookup = new Map([...lookups.keys()].map((key, index) => [key, rows[index]?.ids ?? []]));
  const matchesOf = (key: string) => {
    const ids = idsByLookup.get(key) ?? [];
    return ids.length > maxRelatedRows ? undefined : ids;
  };
  return requestLookups.map(({ request, keys }) => {
    const filter = request.query.filter.map((item): FilterItem => {
      const relations = keys.get(item);
      if (!relations) return item;
      const ids: RelatedMatches['ids'] = new Map([...relations].map(([name, key]) => [name, matchesOf(key)]));
      return { ...item, related: { ids, stopsEarly } };
    });
    return { ...request, query: { ...request.query, filter } };
  });
}

/** Returns the request of a list with the related matches of its search, if indexes serve the search. */
export async function resolveSearch(db: Queries, request: SelectRequest): Promise<SelectRequest> {
  if (!hasIndexedSearch(request.query.filter)) return request;
  const [resolved = request] = await resolveSearches(db, [request]);
  return resolved;
}
