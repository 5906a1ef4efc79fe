/**
 * Limits the included rows per response. Nested to-many relations multiply: with the rows of a page, and with each
 * other.
 */
import { type SQL, sql } from 'drizzle-orm';
import { requestLimits } from '../../../schema/dsl/requestLimits';
import { QueryContext, table } from '../../access/entityModel';
import { ApiError } from '../../context/errors';
import type { Relation } from '../../context/services';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { printStatement } from '../../db/core/statement';
import type { RowAliases } from './fields';
import { mayFollowRelation } from './filterNames';
import { relatedWhere } from './related';
import { pageOfIdsSql, type SelectRequest } from './selectStatements';
import { runStatement } from './statementCache';

/**
 * Relations along an include path; `undefined` for a count, and for a relation that the caller may not follow, which
 * `includeSql` rejects.
 */
function relationsAlong(
  { entity, caller }: Pick<SelectRequest, 'entity' | 'caller'>,
  path: string,
): Relation[] | undefined {
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
function toManyPaths(request: Pick<SelectRequest, 'entity' | 'caller' | 'query'>): Relation[][] {
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

const m = sql.raw('m');

/** Subselect with one row per included row of a path. */
function includedRowsSql(relations: readonly Relation[], rows: SQL, aliases: RowAliases): SQL {
  const joins: SQL[] = [];
  let from = aliases;
  for (const relation of relations) {
    const to = aliases.context.alias();
    joins.push(sql` join ${table(relation.target)} ${to} on ${relatedWhere(from, relation, to)}`);
    from = { ...aliases, entity: relation.target, row: to };
  }
  return sql`select 1 from ${rows} join ${table(aliases.entity)} m on m.id = p.id${sql.join(joins, sql``)}`;
}

interface CountRequest {
  request: SelectRequest;
  /** Subselect of ids named `p`. */
  rows: SQL;
  values: Record<string, unknown>;
}

async function requireLimit(db: Queries, { request, rows, values }: CountRequest): Promise<void> {
  const { entity, caller } = request;
  const aliases: RowAliases = { entity, row: m, state: sql.raw('s'), caller, context: new QueryContext('n') };
  const selects = toManyPaths(request).map((relations) => includedRowsSql(relations, rows, aliases));
  if (selects.length === 0) return;
  // Stops counting just past the limit.
  const limit = sql.raw(String(requestLimits.included + 1));
  const rowsSql = sql.join(selects, sql` union all `);
  const countQuery = sql`select count(*)::int as n from (${rowsSql} limit ${limit}) included`;
  const [row] = await runStatement(db, { n: pg.integer }, printStatement(countQuery), values);
  if ((row?.n ?? 0) > requestLimits.included) throw ApiError.limitExceeded('limit_included', requestLimits.included);
}

/**
 * Limits the rows that a page of a list includes.
 * @throws 400 that names the limit
 */
export const requireIncludeLimit = (db: Queries, request: SelectRequest): Promise<void> =>
  requireLimit(db, {
    request,
    rows: pageOfIdsSql(request),
    values: { offset: (request.query.page - 1) * request.query.per_page },
  });

/**
 * Limits the rows that a single row includes.
 * @throws 400 that names the limit
 */
export const requireRowIncludeLimit = (db: Queries, request: SelectRequest, id: number): Promise<void> =>
  requireLimit(db, { request, rows: sql`(select ${id}::int as id) p`, values: {} });

/** Whether the query includes a to-many relation. */
export const includesMany = (request: Pick<SelectRequest, 'entity' | 'caller' | 'query'>): boolean =>
  toManyPaths(request).length > 0;
