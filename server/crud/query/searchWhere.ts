/** `filter[search]` as SQL: a row matches if one of its searched fields contains a word. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import { plainFilterName } from '../../../schema/dsl/filterName';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { column, notDeleted, type QueryContext, table } from '../../access/entityModel';
import { pathWhere } from '../../access/relationPath';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import type { ModelEntity, Relation } from '../../context/services';
import { isProse } from '../../db/core/columns';
import { fieldAtPath, isKnownFilter } from './filterNames';
import { buildTest, maxIndexedPatterns, type Test } from './operators';

/** A filter; a search may carry the related rows that its words match (`resolveSearch.ts`). */
export type FilterItem = ListQuery['filter'][number] & { related?: RelatedMatches };

export interface RelatedMatches {
  /** Ids by relation, such as those of the `location`s that match; `undefined`: too many to list. */
  ids: ReadonlyMap<string, readonly number[] | undefined>;
  /** Whether only the first rows are read, without a total. */
  stopsEarly: boolean;
}

export interface FilterRequest {
  entity: ModelEntity;
  row: SQL;
  caller: Caller;
  pathContext: Parameters<typeof pathWhere>[4];
}

/** Whether the query is limited to rows that are not deleted. */
export const excludesDeleted = (filter: ListQuery['filter']): boolean =>
  !filter.some(({ path, values }) => path === 'trashed' && ['only', 'with'].includes(values[0] ?? ''));

export function trashedWhere(filter: ListQuery['filter'], row: SQL): SQL {
  const mode = filter.find(({ path }) => path === 'trashed')?.values[0];
  if (mode === 'only') return sql`${row}.deleted_at is not null`;
  return mode === 'with' ? sql`true` : notDeleted(row);
}

/** Context of the paths of filters: related rows are limited to the caller's scope. */
export function pathContextOf({
  caller,
  filter,
  context,
}: {
  caller: Caller;
  filter: ListQuery['filter'];
  context: QueryContext;
}): FilterRequest['pathContext'] {
  const targetWhere = (relation: { target: ModelEntity }, to: SQL) =>
    scopeWhere(relation.target, caller, to, context, true);
  return { context, caller, targetWhere, excludeDeleted: excludesDeleted(filter) };
}

/** Length of the shortest word that trigram indexes can find. */
const minIndexedLength = 3;

/** Whether a search finds its rows by indexes, before the other conditions are tested. */
export const hasIndexedSearch = (filter: ListQuery['filter']): boolean =>
  filter.some(
    ({ path, values }) =>
      plainFilterName(path) === 'search' && values.every((value) => value.length >= minIndexedLength),
  );

/** Whether the related rows that a search matches have been looked up. */
export const isResolved = (filter: FilterItem[]): boolean => filter.some(({ related }) => related !== undefined);

/** Whether only the first rows are read, and a word is so common that reading in order soon finds them. */
export const stopsEarly = (filter: FilterItem[]): boolean =>
  filter.some(({ related }) => related?.stopsEarly && [...related.ids.values()].includes(undefined));

/**
 * Whether comparing the values bytewise (`collate "C"`) ignores case as the locale does; it takes half the time. True
 * for ASCII without `i` and `k`, which are also the lower case of `İ` and of the Kelvin sign.
 */
const canFoldBytewise = (values: readonly string[]): boolean =>
  values.every((value) => /^[\x20-\x7e]*$/.test(value) && !/[ik]/i.test(value));

/** Test of a field. Keeps short words off the trigram index, which would be read in full before every row. */
function searchTest(field: Field, values: string[]): Test {
  const test = buildTest(field, values);
  if (!isProse(field) || values.every(({ length }) => length >= minIndexedLength)) return test;
  return canFoldBytewise(values)
    ? (value) => test(sql`(${value}) collate "C"`)
    : (value) => test(sql`(${value} || '')`);
}

/** SQL condition for words too short for an index: one of `paths` contains a value, tested row by row. */
function searchEveryRowWhere(
  { entity, row, pathContext }: FilterRequest,
  paths: readonly string[],
  values: string[],
): SQL {
  // Paths first: testing the few related rows costs less than searching a text.
  const sortedPaths = [...paths].sort((a, b) => Number(b.includes('.')) - Number(a.includes('.')));
  const isBytewise = canFoldBytewise(values);
  const conditions = sortedPaths.map((path) => {
    const field = fieldAtPath(entity, path.split('.')) as Field;
    const test = buildTest(field, values);
    const testText: typeof test = (value) => test(isBytewise && isProse(field) ? sql`(${value}) collate "C"` : value);
    return field.kind === 'tags' && Object.hasOwn(entity.fields, path)
      ? sql`exists (select from unnest(${column(row, path)}) tag
          where ${buildTest({ kind: 'text' }, values)(sql`tag`)})`
      : pathWhere(entity, row, path.split('.'), testText, pathContext);
  });
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** Paths of a search that the caller may read. */
export const searchedPaths = (entity: ModelEntity, caller: Caller): string[] =>
  entity.list.search.filter((path) => isKnownFilter(entity, caller, path));

/**
 * SQL condition: an own column contains the values, or the row references one of the related rows that do. PostgreSQL
 * can combine the indexes of all columns, and its estimates tell when reading all rows costs less.
 */
function searchColumnsWhere({ entity, row, pathContext }: FilterRequest, paths: string[], item: FilterItem): SQL {
  const ownTests = paths
    .filter((path) => !path.includes('.'))
    .map((path) => searchTest(fieldAtPath(entity, [path]) as Field, item.values)(column(row, path)));
  const { ids: idsByRelation = [], stopsEarly } = item.related ?? {};
  const relatedTests = [...idsByRelation].map(([name, ids]) => {
    const { fieldName, target } = entity.relations.get(name) as Relation;
    pathContext.context.reads(target.name);
    if (ids) return sql`${column(row, fieldName)} = any(${sql.param([...ids])}::int[])`;
    const to = pathContext.context.alias();
    const test = relatedSearchWhere({ relation: name, paths, values: item.values, entity, row: to, pathContext });
    const from = sql`from ${table(target)} ${to} where`;
    // A value instead of a subselect of ids, which PostgreSQL reads in full before the first row.
    if (stopsEarly) return sql`(select ${test} ${from} ${to}.id = ${column(row, fieldName)})`;
    return sql`${column(row, fieldName)} in (select ${to}.id ${from} ${test})`;
  });
  return sql`(${sql.join([...ownTests, ...relatedTests], sql` or `)})`;
}

/** SQL condition: the related row `row` contains one of the values at the end of one of `paths`. */
export function relatedSearchWhere({
  relation,
  paths,
  values,
  entity,
  row,
  pathContext,
}: Omit<FilterRequest, 'caller'> & { relation: string; paths: readonly string[]; values: string[] }): SQL {
  const { target } = entity.relations.get(relation) as Relation;
  const tests = paths
    .filter((path) => path.startsWith(`${relation}.`))
    .map((path) => {
      const steps = path.split('.');
      const test = searchTest(fieldAtPath(entity, steps) as Field, values);
      return pathWhere(target, row, steps.slice(1), test, pathContext);
    });
  const matches = sql`(${sql.join(tests, sql` or `)})`;
  return pathContext.excludeDeleted ? sql`${matches} and ${notDeleted(row)}` : matches;
}

/** SQL condition: one of the searched fields contains one of the words. */
export function searchWhere(request: FilterRequest, item: FilterItem, filter: FilterItem[]): SQL {
  const { entity, row, pathContext, caller } = request;
  const { values } = item;
  const paths = searchedPaths(entity, caller);
  if (item.related) return searchColumnsWhere(request, paths, item);
  if (values.some((value) => value.length < minIndexedLength)) return searchEveryRowWhere(request, paths, values);
  const matches = paths.map((path) => {
    const searchedRow = pathContext.context.alias();
    pathContext.context.reads(entity.name);
    const rows = sql`select ${searchedRow}.id from ${sql.identifier(entity.name)} ${searchedRow}`;
    const field = fieldAtPath(entity, path.split('.')) as Field;
    // No index covers tags; unnesting them all takes a quarter of the time of a test per row.
    if (field.kind === 'tags' && Object.hasOwn(entity.fields, path))
      return sql`${rows}, unnest(${column(searchedRow, path)}) tag where ${trashedWhere(filter, searchedRow)}
        and ${buildTest({ kind: 'text' }, values)(sql`tag`)}`;
    // A union lets each branch use the trigram index of its own column, which covers rows that are not deleted; an "or"
    // across tables could use none.
    return sql`${rows} where ${trashedWhere(filter, searchedRow)}
      and ${pathWhere(entity, searchedRow, path.split('.'), buildTest(field, values), pathContext)}`;
  });
  if (matches.length === 0) return sql`false`;
  const ids = sql.join(matches, sql` union all `);
  // Many words read every row, and PostgreSQL would repeat that per row if it expects few rows of the caller.
  return values.length > maxIndexedPatterns
    ? sql`${row}.id in (with matching as materialized (${ids}) select id from matching)`
    : sql`${row}.id in (${ids})`;
}
