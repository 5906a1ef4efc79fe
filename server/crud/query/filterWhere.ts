/** Filters of the list dialect as SQL. */
import { type SQL, sql } from 'drizzle-orm';
import type { Field } from '../../../schema/dsl/field';
import {
  groupFilters,
  parseFilterName,
  parseRelativeDay,
  plainFilterName,
  type TextTest,
} from '../../../schema/dsl/filterName';
import { type QueryContext, stateTableSql } from '../../access/entityModel';
import { type PathContext, pathWhere } from '../../access/relationPath';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { bucketWhere, isBucket } from './buckets';
import { requireFilterLimits } from './filterLimits';
import { allowedFilters, fieldAtPath, isKnownFilter, isReference } from './filterNames';
import { buildTest, equalsAny, isDated, isFilled, isText } from './operators';
import { type FilterItem, type FilterRequest, pathContextOf, searchWhere, trashedWhere } from './searchWhere';

/**
 * SQL condition: the row with alias `row` matches all filters, including `trashed`, which never belongs to a group.
 * Throws 400 for unknown filters.
 */
export function filterWhere(
  entity: ModelEntity,
  { caller, filter, row, context }: { caller: Caller; filter: FilterItem[]; row: SQL; context: QueryContext },
): SQL {
  const unknownPaths = filter.filter(({ path }) => !isKnownFilter(entity, caller, path)).map(({ path }) => path);
  if (unknownPaths.length > 0) throw ApiError.notAllowed('filter', unknownPaths, allowedFilters(entity, caller));
  requireFilterLimits({ filter, isReference: (path) => isReference(entity, path) });
  const request = { entity, row, caller, pathContext: pathContextOf({ caller, filter, context }) };
  const { ungrouped, groups } = groupFilters(
    filter.filter(({ path }) => path !== 'trashed'),
    ({ path }) => path,
  );
  return sql.join(
    [
      trashedWhere(filter, row),
      ...ungrouped.map((item) => itemWhere(request, item, filter)),
      ...groups.map((alternatives) => anyOfWhere(request, alternatives, filter)),
    ],
    sql` and `,
  );
}

const itemWhere = (request: FilterRequest, item: FilterItem, filter: FilterItem[]): SQL =>
  plainFilterName(item.path) === 'search' ? searchWhere(request, item, filter) : filterItemWhere(request, item);

/**
 * SQL condition: all filters of at least one alternative match. If any filter compares a field of the state table, a
 * single subselect reads the state row for all alternatives: PostgreSQL cannot turn subselects inside an "or" into
 * joins, and would read the whole table for each of them.
 */
function anyOfWhere(request: FilterRequest, alternatives: FilterItem[][], filter: FilterItem[]): SQL {
  const { entity, row, pathContext } = request;
  const comparesState = alternatives
    .flat()
    .some(({ path }) => entity.fields[parseFilterName(path).path]?.store === 'state');
  const stateAlias = comparesState ? pathContext.context.alias() : undefined;
  const stateContext: PathContext = { ...pathContext, state: stateAlias && { row, alias: stateAlias } };
  const stateRequest: FilterRequest = { ...request, pathContext: stateContext };
  const alternativesWhere = sql.join(
    alternatives.map(
      (items) =>
        sql`(${sql.join(
          items.map((item) => itemWhere(stateRequest, item, filter)),
          sql` and `,
        )})`,
    ),
    sql` or `,
  );
  return stateAlias
    ? sql`exists (select 1 from ${stateTableSql(entity)} ${stateAlias}
        where ${stateAlias}.id = ${row}.id and (${alternativesWhere}))`
    : sql`(${alternativesWhere})`;
}

/** SQL condition of one filter; the suffix `.not` of its name negates it. */
function filterItemWhere(request: FilterRequest, { path: name, values }: FilterItem): SQL {
  const { entity, row, caller, pathContext } = request;
  const { path, test, not } = parseFilterName(name);
  const condition = isBucket(entity, path)
    ? bucketWhere({ entity, row, caller, context: pathContext.context }, path, equalsAny(values))
    : fieldFilterWhere(request, { steps: path.split('.'), values, test });
  return not ? sql`(${condition}) is not true` : condition;
}

function fieldFilterWhere(
  request: FilterRequest,
  { steps, values, test }: { steps: readonly string[]; values: string[]; test: TextTest | undefined },
): SQL {
  const { entity, row, caller, pathContext } = request;
  const testOptions = { test, timeZone: caller.timeZone };
  const field = fieldAtPath(entity, steps) as Field;
  // The filter is relative to today, so its counts must not be cached.
  if (isDated(field.kind) && values.some((value) => parseRelativeDay(value.replace(/^[<>=]+/, '')) !== undefined))
    pathContext.context.reads('*');
  const nonNullValues = values.filter((value) => value !== 'null');
  // Along relations, `null` also matches if there is no related row.
  const isRelated = steps.length > 1 || field.kind === 'refs';
  const hasComparison = !isText(field.kind) && nonNullValues.some((value) => /^[<>]/.test(value));
  if (!isRelated || hasComparison || nonNullValues.length === values.length)
    return pathWhere(entity, row, steps, buildTest(field, values, testOptions), pathContext);
  const isEmpty = sql`(${hasValueWhere(request, steps)}) is not true`;
  return nonNullValues.length === 0
    ? isEmpty
    : sql`(${isEmpty} or
      ${pathWhere(entity, row, steps, buildTest(field, nonNullValues, testOptions), pathContext)})`;
}

/** SQL condition: the path leads to a value through rows that are visible to the caller. */
function hasValueWhere({ entity, row, pathContext }: FilterRequest, steps: readonly string[]): SQL {
  const leadingSteps = steps.slice(0, -1);
  const owner = leadingSteps.reduce((current, step) => current.relations.get(step)?.target ?? current, entity);
  const linkRelation = [...owner.relations.values()].find(
    ({ fieldName, field }) => fieldName === steps.at(-1) && field.kind === 'refs',
  );
  const path = linkRelation ? [...leadingSteps, linkRelation.name, 'id'] : steps;
  return pathWhere(entity, row, path, isFilled(fieldAtPath(entity, path) as Field), pathContext);
}
