/**
 * Limits the included rows per response: to-many relations multiply with the rows of the page and, nested, with each
 * other.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { requestLimits } from '../../../schema/dsl/requestLimits';
import { QueryContext, table } from '../../access/entityModel';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity, Relation } from '../../context/services';
import type { RowAliases } from './fields';
import { mayFollowRelation } from './filterNames';
import { relatedWhere } from './related';

interface IncludeRequest {
  entity: ModelEntity;
  caller: Caller;
  query: Pick<ListQuery, 'include'>;
}

/**
 * Relations along an include path; `undefined` for a count, and for a relation that the caller may not follow, which
 * `includeSql` rejects.
 */
function relationsAlong({ entity, caller }: IncludeRequest, path: string): Relation[] | undefined {
  const result: Relation[] = [];
  let current = entity;
  for (const step of path.split('.')) {
    const relation = current.relations.get(step);
    if (!relation || !mayFollowRelation(relation, caller)) return undefined;
    result.push(relation);
    current = relation.target;
  }
  return result;
}

/** Every path that ends in a to-many relation, including prefixes of longer ones. */
function toManyPaths(request: IncludeRequest): Relation[][] {
  const paths = new Map<string, Relation[]>();
  for (const path of new Set(request.query.include)) {
    const relations = relationsAlong(request, path) ?? [];
    for (const [index, { isToOne }] of relations.entries()) {
      const prefix = relations.slice(0, index + 1);
      if (!isToOne) paths.set(prefix.map(({ name }) => name).join('.'), prefix);
    }
  }
  return [...paths.values()];
}

/** Whether the response contains included lists, whose length is limited. */
export const includesLists = (request: IncludeRequest): boolean => toManyPaths(request).length > 0;

const m = sql.raw('m');

/**
 * Subselect with one row per included row of a path. Lateral subselects, since PostgreSQL would test the condition of a
 * plain join with every row of the target.
 */
function includedRowsSql(relations: readonly Relation[], rows: SQL, aliases: RowAliases): SQL {
  const joins: SQL[] = [];
  let from = aliases;
  for (const relation of relations) {
    const to = aliases.context.alias();
    const where = relatedWhere(from, relation, to);
    joins.push(sql` cross join lateral (select ${to}.* from ${table(relation.target)} ${to} where ${where}) ${to}`);
    from = { ...aliases, entity: relation.target, row: to };
  }
  return sql`select 1 from ${rows} join ${table(aliases.entity)} m on m.id = p.id${sql.join(joins, sql``)}`;
}

/**
 * SQL: `json` as text; an empty text, without building `json`, if the rows include more than the limit. `rows` is a
 * subselect `p` of the ids of the rows.
 */
export function limitedJsonSql(request: IncludeRequest, rows: SQL, json: SQL): SQL {
  const { entity, caller } = request;
  const aliases: RowAliases = { entity, row: m, state: sql.raw('s'), caller, context: new QueryContext('n') };
  const selects = toManyPaths(request).map((relations) => includedRowsSql(relations, rows, aliases));
  if (selects.length === 0) return json;
  // Stops counting just past the limit.
  const [max, limit] = [requestLimits.included, requestLimits.included + 1].map((count) => sql.raw(String(count)));
  const includedRows = sql.join(selects, sql` union all `);
  const count = sql`(select count(*) from (${includedRows} limit ${limit}) included)`;
  return sql`case when ${count} <= ${max} then ${json} else '' end`;
}

/**
 * Requires that a result of `limitedJsonSql` did not exceed the limit.
 * @throws 400 that names the limit
 */
export function requireIncludeLimit(json: string | Buffer): void {
  if (json.length === 0) throw ApiError.limitExceeded('limit_included', requestLimits.included);
}
