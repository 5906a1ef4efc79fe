/** Filters of the list dialect as SQL. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import {
  groupFilters,
  plainFilterName,
  readFilterName,
  readRelativeDay,
  type TextTest,
} from '../../../schema/dsl/filterName';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { column, notDeleted, type QueryContext, stateTableSql } from '../../access/entityModel';
import { wherePath } from '../../access/relationPath';
import { scopeWhere } from '../../access/scopeWhere';
import { type Caller, hasPermission } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { isProse } from '../../db/core/columns';
import { bucketSql, isBucket } from './buckets';
import { isReadableField, readableFields } from './fields';
import { requireFilterLimits } from './filterLimits';
import { buildTest, equalsAny, isDated, isFilled, isText, maxIndexedPatterns } from './operators';

type FilterItem = ListQuery['filter'][number];

interface FilterRequest {
  entity: ModelEntity;
  row: SQL;
  caller: Caller;
  pathContext: Parameters<typeof wherePath>[4];
}

/**
 * SQL condition of all filters on the alias `row`, including `trashed`, which belongs to no group. Throws 400 for
 * unknown filters.
 */
export function filterSql(
  entity: ModelEntity,
  { caller, filter, row, context }: { caller: Caller; filter: ListQuery['filter']; row: SQL; context: QueryContext },
): SQL {
  const unknown = filter.filter(({ path }) => !isKnownFilter(entity, caller, path)).map(({ path }) => path);
  if (unknown.length > 0) throw ApiError.notAllowed('filter', unknown, allowedFilters(entity, caller));
  requireFilterLimits({ filter, isReference: (path) => isReference(entity, path) });
  const limit = (relation: { target: ModelEntity }, to: SQL) => scopeWhere(relation.target, caller, to, context, true);
  const pathContext = { context, caller, limit, excludeDeleted: excludesDeleted(filter) };
  const request = { entity, row, caller, pathContext };
  const { alone, groups } = groupFilters(
    filter.filter(({ path }) => path !== 'trashed'),
    ({ path }) => path,
  );
  return sql.join(
    [
      trashedWhere(filter, row),
      ...alone.map((item) => itemSql(request, item, filter)),
      ...groups.map((alternatives) => anyOfSql(request, alternatives, filter)),
    ],
    sql` and `,
  );
}

const itemSql = (request: FilterRequest, item: FilterItem, filter: FilterItem[]): SQL =>
  plainFilterName(item.path) === 'search' ? searchSql(request, item.values, filter) : filterItemSql(request, item);

/**
 * SQL condition: at least one alternative matches, with all its filters. If any compares values of the side table, a
 * single subselect reads the side row for all of them: PostgreSQL cannot turn subselects inside an "or" into joins, and
 * would read the whole table for each.
 */
function anyOfSql(request: FilterRequest, alternatives: FilterItem[][], filter: FilterItem[]): SQL {
  const { entity, row, pathContext } = request;
  const readsState = alternatives
    .flat()
    .some(({ path }) => entity.fields[readFilterName(path).path]?.store === 'state');
  const alias = readsState ? pathContext.context.alias() : undefined;
  const stateRequest = { ...request, walk: { ...pathContext, state: alias && { row, alias } } };
  const holds = sql.join(
    alternatives.map(
      (items) =>
        sql`(${sql.join(
          items.map((item) => itemSql(stateRequest, item, filter)),
          sql` and `,
        )})`,
    ),
    sql` or `,
  );
  return alias
    ? sql`exists (select 1 from ${stateTableSql(entity)} ${alias} where ${alias}.id = ${row}.id and (${holds}))`
    : sql`(${holds})`;
}

/** One filter; a `not` in its name negates it. */
function filterItemSql(request: FilterRequest, { path: name, values }: FilterItem): SQL {
  const { entity, row, caller, pathContext } = request;
  const { path, test, not } = readFilterName(name);
  const condition = isBucket(entity, path)
    ? bucketSql({ entity, row, caller, context: pathContext.context }, path, equalsAny(values))
    : fieldSql(request, { steps: path.split('.'), values, test });
  return not ? sql`(${condition}) is not true` : condition;
}

function fieldSql(
  request: FilterRequest,
  { steps, values, test }: { steps: readonly string[]; values: string[]; test: TextTest | undefined },
): SQL {
  const { entity, row, caller, pathContext } = request;
  const testOptions = { test, zone: caller.timeZone };
  const field = fieldAtPath(entity, steps) as Field;
  // The filter is relative to today, so its counts must not be cached.
  if (isDated(field.kind) && values.some((value) => readRelativeDay(value.replace(/^[<>=]+/, '')) !== undefined))
    pathContext.context.reads('*');
  const nonNullValues = values.filter((value) => value !== 'null');
  const isRelated = steps.length > 1 || field.kind === 'refs';
  const hasComparison = !isText(field.kind) && nonNullValues.some((value) => /^[<>]/.test(value));
  if (!isRelated || hasComparison || nonNullValues.length === values.length)
    return wherePath(entity, row, steps, buildTest(field, values, testOptions), pathContext);
  const isEmptySql = sql`(${filledSql(request, steps)}) is not true`;
  return nonNullValues.length === 0
    ? isEmptySql
    : sql`(${isEmptySql} or
      ${wherePath(entity, row, steps, buildTest(field, nonNullValues, testOptions), pathContext)})`;
}

/** SQL condition: the path leads to a value through rows that are visible to the caller. */
function filledSql({ entity, row, pathContext }: FilterRequest, steps: readonly string[]): SQL {
  const leadingSteps = steps.slice(0, -1);
  const owner = leadingSteps.reduce((current, step) => current.relations.get(step)?.target ?? current, entity);
  const links = [...owner.relations.values()].find(
    ({ fieldName, field }) => fieldName === steps.at(-1) && field.kind === 'refs',
  );
  const path = links ? [...leadingSteps, links.name, 'id'] : steps;
  return wherePath(entity, row, path, isFilled(fieldAtPath(entity, path) as Field), pathContext);
}

/** Names listed in the 400 about an unknown filter. */
export function allowedFilters(entity: ModelEntity, caller: Caller): string[] {
  const readable = readableFields(entity, caller).filter((name) => entity.fields[name]?.kind !== 'records');
  const declared = [...entity.list.filters, ...entity.list.search].filter(
    (path) => path.includes('.') && isKnownFilter(entity, caller, path),
  );
  const buckets = Object.keys(entity.buckets).filter((name) => isBucket(entity, name));
  return [...new Set([...readable, ...buckets, ...declared, 'search', 'trashed'])];
}

function isKnownFilter(entity: ModelEntity, caller: Caller, name: string): boolean {
  if (plainFilterName(name) === 'search' || name === 'trashed') return true;
  const { path, test } = readFilterName(name);
  if (isBucket(entity, path)) return test === undefined;
  const steps = path.split('.');
  if (steps.length > 4) return false;
  const field = fieldAtPath(entity, steps, caller);
  if (!field || field.kind === 'records' || field.kind === 'many' || field.kind === 'password') return false;
  return test === undefined || isText(field.kind);
}

/** Whether the filter compares ids: those of a reference, or the `id` of a related row. */
function isReference(entity: ModelEntity, name: string): boolean {
  const { path } = readFilterName(name);
  const steps = path.split('.');
  return steps.at(-1) === 'id' || ['ref', 'refs'].includes(fieldAtPath(entity, steps)?.kind ?? '');
}

/** Field at the end of a path; with a caller, `undefined` if the caller may not read a part of the path. */
export function fieldAtPath(
  entity: ModelEntity,
  [step = '', ...rest]: readonly string[],
  caller?: Caller,
): Field | undefined {
  if (rest.length === 0) {
    const field = Object.hasOwn(entity.fields, step) ? entity.fields[step] : undefined;
    return field && (!caller || isReadableField(field, caller)) ? field : undefined;
  }
  const relation = entity.relations.get(step);
  if (!relation || (caller && !mayFollowRelation(relation, caller))) return undefined;
  return fieldAtPath(relation.target, rest, caller);
}

/** Whether the caller may read the relation's field and the related entity. */
export function mayFollowRelation({ field, target }: { field: Field; target: ModelEntity }, caller: Caller): boolean {
  return (
    isReadableField(field, caller) &&
    (hasPermission(caller, `${target.name}.list`) || hasPermission(caller, `${target.name}.show`))
  );
}

/** Whether the query is limited to rows that are not deleted. */
export const excludesDeleted = (filter: ListQuery['filter']): boolean =>
  !filter.some(({ path, values }) => path === 'trashed' && ['only', 'with'].includes(values[0] ?? ''));

function trashedWhere(filter: ListQuery['filter'], row: SQL): SQL {
  const mode = filter.find(({ path }) => path === 'trashed')?.values[0];
  if (mode === 'only') return sql`${row}.deleted_at is not null`;
  return mode === 'with' ? sql`true` : notDeleted(row);
}

/** Length of the shortest word that trigram indexes can find. */
const minIndexedLength = 3;

/** Whether a search finds its rows by indexes, before the other conditions are tested. */
export const hasIndexedSearch = (filter: ListQuery['filter']): boolean =>
  filter.some(
    ({ path, values }) =>
      plainFilterName(path) === 'search' && values.every((value) => value.length >= minIndexedLength),
  );

/**
 * Whether comparing the values bytewise (`collate "C"`) ignores case as the locale does; it takes half the time. True
 * for ASCII without `i` and `k`, which are also the lower case of `İ` and of the Kelvin sign.
 */
const canFoldBytewise = (values: readonly string[]): boolean =>
  values.every((value) => /^[\x20-\x7e]*$/.test(value) && !/[ik]/i.test(value));

/** SQL condition: one of `paths` contains the values, tested row by row. For words that are too short for an index. */
function searchEveryRowSql(
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
      ? sql`exists (select from unnest(${column(row, path)}) tag where ${buildTest(
          { kind: 'text' },
          values,
        )(sql`tag`)})`
      : wherePath(entity, row, path.split('.'), testText, pathContext);
  });
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

function searchSql(
  { entity, row, pathContext, caller }: FilterRequest,
  values: string[],
  filter: ListQuery['filter'],
): SQL {
  const paths = entity.list.search.filter((path) => isKnownFilter(entity, caller, path));
  if (values.some((value) => value.length < minIndexedLength))
    return searchEveryRowSql({ entity, row, pathContext, caller }, paths, values);
  const matches = paths.map((path) => {
    const at = pathContext.context.alias();
    pathContext.context.reads(entity.name);
    const rows = sql`select ${at}.id from ${sql.identifier(entity.name)} ${at}`;
    const field = fieldAtPath(entity, path.split('.')) as Field;
    // No index covers tags; unnesting them all takes a quarter of the time of a test per row.
    if (field.kind === 'tags' && Object.hasOwn(entity.fields, path))
      return sql`${rows}, unnest(${column(at, path)}) tag where ${trashedWhere(filter, at)}
        and ${buildTest({ kind: 'text' }, values)(sql`tag`)}`;
    // A union lets each branch use the trigram index of its own column, which covers rows that are not deleted; an "or"
    // across tables could use none.
    return sql`${rows} where ${trashedWhere(filter, at)}
      and ${wherePath(entity, at, path.split('.'), buildTest(field, values), pathContext)}`;
  });
  if (matches.length === 0) return sql`false`;
  const ids = sql.join(matches, sql` union all `);
  // Many words read every row, and PostgreSQL would repeat that per row if it expects few rows of the caller.
  return values.length > maxIndexedPatterns
    ? sql`${row}.id in (with matching as materialized (${ids}) select id from matching)`
    : sql`${row}.id in (${ids})`;
}
