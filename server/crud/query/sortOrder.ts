/** Order of a list: the sort keys of the query, or the declared order of the entity. */
import { type SQL, sql } from 'drizzle-orm';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { column, stateJoin, stateTableSql, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { collatedSql, isProse } from '../../db/core/columns';
import { comparableSql, isReadableField, type RowAliases, readableFields } from './fields';
import { requireSortLimit } from './filterLimits';
import { fieldAtPath, mayFollowRelation } from './filterNames';

export interface SortOrder {
  /** Joins of the sort paths, including the side table `s` if a key needs it. */
  joins: SQL;
  readsState: boolean;
  /** Sort expressions without the final id, which breaks ties. */
  keys: { value: SQL; descending: boolean; isNullable: boolean }[];
}

/** Returns the order of a list by own fields and to-one paths (`fleet.name`). Throws 400 for unknown ones. */
export function sortOrderOf(aliases: RowAliases, query: ListQuery): SortOrder {
  requireSortLimit(query.sort);
  const declaredSort = aliases.entity.list.sort;
  const requestedKeys =
    query.sort.length > 0
      ? query.sort
      : [{ path: declaredSort.replace(/^-/, ''), descending: declaredSort.startsWith('-') }];
  const unknownPaths = requestedKeys
    .filter(({ path }) => !isSortable(aliases.entity, aliases.caller, path))
    .map(({ path }) => path);
  if (unknownPaths.length > 0)
    throw ApiError.notAllowed(
      'sort',
      unknownPaths,
      readableFields(aliases.entity, aliases.caller).filter((name) => isSortable(aliases.entity, aliases.caller, name)),
    );
  const joins: SQL[] = [];
  let readsState = false;
  const keys = requestedKeys.map(({ path, descending }) => {
    const steps = path.split('.');
    let { entity, row, state } = aliases;
    for (const step of steps.slice(0, -1)) {
      const relation = entity.relations.get(step);
      if (!relation) break;
      const middle = relation.field.through ? entity.relations.get(relation.field.through) : undefined;
      for (const hop of middle ? [middle, middle.target.relations.get(relation.name)] : [relation]) {
        if (!hop) continue;
        const to = aliases.context.alias();
        joins.push(sql` left join ${table(hop.target)} ${to} on ${to}.id = ${column(row, hop.fieldName)}`);
        row = to;
        entity = hop.target;
      }
      state = aliases.context.alias();
      if (entity.fields[steps.at(-1) as string]?.store === 'state')
        joins.push(sql` left join ${stateTableSql(entity)} ${state} on ${state}.id = ${row}.id`);
    }
    const name = steps.at(-1) as string;
    const field = entity.fields[name];
    const hookSql = entity.hooks.order?.[name]?.({ row });
    if (!hookSql && entity === aliases.entity && field?.store && field.store !== 'row') readsState = true;
    const isNullable = !(steps.length === 1 && (field?.required === true || field?.default !== undefined));
    const value = hookSql ?? comparableSql({ ...aliases, entity, row, state }, name);
    return { value: field && isProse(field) ? collatedSql(value) : value, descending, isNullable };
  });
  return { joins: sql.join([...(readsState ? [stateJoin(aliases.entity)] : []), ...joins], sql``), readsState, keys };
}

function isSortable(entity: ModelEntity, caller: Caller, path: string): boolean {
  const steps = path.split('.');
  let current = entity;
  for (const step of steps.slice(0, -1)) {
    const relation = current.relations.get(step);
    if (!relation?.isToOne || !mayFollowRelation(relation, caller)) return false;
    current = relation.target;
  }
  const field = fieldAtPath(current, steps.slice(-1));
  return (
    steps.length <= 4 &&
    field !== undefined &&
    isReadableField(field, caller) &&
    !['refs', 'many', 'records', 'password', 'tags', 'json'].includes(field.kind)
  );
}

const directionSql = ({ descending, isNullable }: SortOrder['keys'][number]): SQL =>
  sql.raw(descending ? (isNullable ? ' desc nulls last' : ' desc') : '');

/** SQL list of an `order by`: the keys as `expressionSql` prints them, then `id`. */
export function orderBySql(keys: SortOrder['keys'], expressionSql: (index: number) => SQL, id: SQL): SQL {
  const expressions = keys.map((key, index) => sql`${expressionSql(index)}${directionSql(key)}`);
  // Ties sort in the direction of the first key, so that an index on (key, id) works in both directions.
  return sql.join([...expressions, sql`${id}${sql.raw(keys[0]?.descending ? ' desc' : '')}`], sql`, `);
}
