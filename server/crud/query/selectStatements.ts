/**
 * Statements that read rows. PostgreSQL builds the JSON, which is passed through. A page selects its ids first and
 * reads only those rows.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { ListQuery } from '../../../schema/dsl/listQuery';
import { QueryContext, stateJoin, table } from '../../access/entityModel';
import { scopeWhere } from '../../access/scopeWhere';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { ModelEntity } from '../../context/services';
import { PlaceholderPart } from '../../db/core/statement';
import { pieceRows, pieceSql, piecesSql, type SheetCell } from '../../files/cells';
import type { FileKind } from '../../files/sendSheet';
import type { RowAliases } from './fields';
import { filterWhere } from './filterWhere';
import { limitedJsonSql } from './includeLimit';
import { columnsSql, includeSql, rowColumns } from './includeSql';
import { excludesDeleted, hasIndexedSearch, isResolved, stopsEarly } from './searchWhere';
import { orderBySql, type SortOrder, sortOrderOf } from './sortOrder';

export interface SelectRequest {
  entity: ModelEntity;
  caller: Caller;
  query: ListQuery;
  /** Additional condition on the alias `m` of the entity's table. */
  extraWhere?: SQL;
  /** Whether filter values are placeholders, so that the statement also serves other values of the same kinds. */
  usesPlaceholders?: boolean;
}

const m = sql.raw('m');
const s = sql.raw('s');

function mainAliases({ entity, caller }: SelectRequest, context = new QueryContext()): RowAliases {
  return { entity, row: m, state: s, caller, context };
}

/** SQL condition on the alias `m`: within scope and matching the filters. */
export function matchWhere(request: SelectRequest, context: QueryContext): SQL {
  const { entity, caller, extraWhere } = request;
  context.reads(entity.name);
  const { filter, page } = request.query;
  const scopeCondition = scopeWhere(entity, caller, m, context, excludesDeleted(filter));
  // `is true` tests the scope row by row instead of joining it. PostgreSQL expects few rows in a scope, and would
  // compare each of them with all hits of a search. The many rows of a country are read in order up to the page: a join
  // would look up each row, or sort all of them.
  const hasManyRows = page > 1 && caller.scopes.has('country');
  const isScopeTestedPerRow = hasManyRows || (hasIndexedSearch(filter) && !isResolved(filter));
  const scope = isScopeTestedPerRow ? sql`(${scopeCondition}) is true` : scopeCondition;
  const filterCondition = queryFilterWhere(request, context);
  const filters = request.usesPlaceholders ? sql`${new PlaceholderPart(filterCondition)}` : filterCondition;
  return sql.join([filters, scope, ...(extraWhere ? [extraWhere] : [])], sql` and `);
}

/** SQL condition of the filters alone, on the alias `m`. */
export const queryFilterWhere = ({ entity, caller, query }: SelectRequest, context = new QueryContext()): SQL =>
  filterWhere(entity, { caller, filter: query.filter, row: m, context });

/**
 * Subselects of the ids of one page in order, with sort keys `k0..`: `ordered` after all rows `matching`, or `direct`,
 * which may read in order and stop early.
 */
function pageSubselects({ entity, query, ...request }: SelectRequest, aliases: RowAliases, order: SortOrder) {
  const keys = order.keys.map(({ value }, index) => sql`${value} as ${sql.identifier(`k${index}`)}`);
  // The limit is a literal: with a parameter PostgreSQL estimates a tenth of the table and replans every execution.
  const offset = query.page > 1 ? sql` offset ${sql.placeholder('offset')}::bigint` : undefined;
  const limit = sql`${sql.raw(`limit ${query.per_page}`)}${offset}`;
  const rows = sql`select ${sql.join([sql`m.id`, ...keys], sql`, `)} from ${table(entity)} m${order.joins}
    where ${matchWhere({ entity, query, ...request }, aliases.context)}`;
  const orderBy = orderBySql(order.keys, (index) => order.keys[index]?.value as SQL, sql`m.id`);
  const orderByAlias = orderBySql(order.keys, (index) => sql`${sql.identifier(`k${index}`)}`, sql`id`);
  return {
    matching: sql`matching as materialized (${rows})`,
    ordered: sql`select * from matching order by ${orderByAlias} ${limit}`,
    direct: sql`${rows} order by ${orderBy} ${limit}`,
  };
}

/** Subselect `p` of the ids of one page in order, with sort keys `k0..`. */
export function pageOfIdsSql(
  request: SelectRequest,
  aliases: RowAliases = mainAliases(request),
  order: SortOrder = sortOrderOf(aliases, request.query),
): SQL {
  const { filter } = request.query;
  const { matching, ordered, direct } = pageSubselects(request, aliases, order);
  // Hits are found before the limit applies. With the limit, PostgreSQL would expect hits among the first rows in
  // order, and test each row.
  return hasIndexedSearch(filter) && !stopsEarly(filter) ? sql`(with ${matching} ${ordered}) p` : sql`(${direct}) p`;
}

/**
 * One page as JSON array text in a single column `data`, empty beyond the limit of included rows
 * (`requireIncludeLimit`). Placeholder beyond page 1: `offset`.
 */
export function pageSql(request: SelectRequest): SQL {
  const { entity, query } = request;
  requireIncludedResources(request);
  const aliases = mainAliases(request);
  const order = sortOrderOf(aliases, query);
  const page = pageOfIdsSql(request, aliases, order);
  const keys = order.keys.map((_, index) => sql`p.${sql.identifier(`k${index}`)} as ${sql.identifier(` k${index}`)}`);
  const rows = sql`select ${sql.join([sql`p.id as " id"`, ...keys], sql`, `)}, ${jsonRowSql(request, aliases)} as row
    from p join ${table(entity)} m on m.id = p.id${stateJoin(entity)}`;
  // The page is a CTE, so that PostgreSQL plans the joins without its cost. Compared with the high estimate for a
  // computed sort key, reading a whole table would seem as cheap as looking up the few rows of a page.
  const orderBy = orderBySql(order.keys, (index) => sql`q.${sql.identifier(` k${index}`)}`, sql`q." id"`);
  const json = sql`(select coalesce(json_agg(q.row order by ${orderBy}), '[]')::text from (${rows}) q)`;
  return sql`with p as materialized (select * from ${page}) select ${limitedJsonSql(request, sql`p`, json)} as data`;
}

const jsonRowSql = ({ entity, query }: SelectRequest, aliases: RowAliases): SQL => {
  const columns = [
    ...rowColumns(aliases, query.fields[entity.name]),
    ...includeSql(aliases, query.include, query.fields),
  ];
  return sql`(select row_to_json(r) from (select ${columnsSql(columns)}) r)`;
};

/** The ids of one page in order, as one array. Placeholder beyond page 1: `offset`. */
export function pageIdsSql(request: SelectRequest): SQL {
  const aliases = mainAliases(request);
  const order = sortOrderOf(aliases, request.query);
  return idArraySql(order, pageOfIdsSql(request, aliases, order));
}

function idArraySql({ keys }: SortOrder, page: SQL): SQL {
  const orderBy = orderBySql(keys, (index) => sql`p.${sql.identifier(`k${index}`)}`, sql`p.id`);
  return sql`select coalesce(array_agg(p.id order by ${orderBy}), '{}') from ${page}`;
}

/** Columns `page`, as in `pageIdsSql`, and `total` of a search. PostgreSQL finds the hits once for both. */
export function searchedPageSql(request: SelectRequest): SQL {
  const aliases = mainAliases(request);
  const order = sortOrderOf(aliases, request.query);
  const { matching, ordered } = pageSubselects(request, aliases, order);
  return sql`with ${matching}
    select (${idArraySql(order, sql`(${ordered}) p`)}) as page, (select count(*) from matching)::int as total`;
}

/**
 * Rows by id in the given order, as JSON array text in a single column `data`, empty beyond the limit of included rows
 * (`requireIncludeLimit`). Placeholder: `ids`.
 */
export function rowsByIdsSql(request: SelectRequest): SQL {
  requireIncludedResources(request);
  const aliases = mainAliases(request);
  const filter = request.query.filter.filter(({ path }) => path === 'trashed');
  const where = matchWhere({ ...request, query: { ...request.query, filter } }, aliases.context);
  // A subselect, which the planner cannot see through: the generic plan serves any number of ids.
  const ids = sql`unnest((select ${sql.placeholder('ids')}::int[]))`;
  const rows = sql`select o.position, ${jsonRowSql(request, aliases)} as row
    from ${ids} with ordinality as o(id, position)
    join ${table(request.entity)} m on m.id = o.id${stateJoin(request.entity)} where ${where}`;
  const json = sql`(select coalesce(json_agg(q.row order by q.position), '[]')::text from (${rows}) q)`;
  return sql`select ${limitedJsonSql(request, sql`${ids} p(id)`, json)} as data`;
}

/** SQL of the exact number of matching rows, and the tables that affect it. */
export function countSql(request: SelectRequest): { sql: SQL; tables: Set<string> } {
  const context = new QueryContext('c');
  return {
    sql: sql`select count(*) from ${table(request.entity)} m where ${matchWhere(request, context)}`,
    tables: context.tables,
  };
}

/**
 * One row as JSON object text: columns `data`, empty beyond the limit of included rows (`requireIncludeLimit`), and
 * `version`; no row if it is not visible to the caller.
 */
export function rowSql(request: SelectRequest & { id: SQL }): SQL {
  const { entity } = request;
  requireIncludedResources(request);
  const aliases = mainAliases(request);
  const json = sql`${jsonRowSql(request, aliases)}::text`;
  const data = limitedJsonSql(request, sql`(select ${request.id} as id) p`, json);
  return sql`select ${data} as data, m.version
    from ${table(entity)} m${stateJoin(entity)} where m.id = ${request.id} and ${matchWhere(request, aliases.context)}`;
}

export interface PiecesOptions extends FileKind {
  /** With `joins`, cells may add joins of tables that they read, with at most one row for each row of the list. */
  cellsOf: (aliases: RowAliases, joins?: SQL[]) => SheetCell[];
  /**
   * Whether one pass reads all rows: fastest, but the first piece takes as long as all others together. Otherwise the
   * ids of all rows are sorted first, and each piece is read by itself.
   */
  isOnePass: boolean;
}

/** Pieces of a file with every matching row in order. */
export function exportPiecesSql(request: SelectRequest, { format, delimiter, cellsOf, isOnePass }: PiecesOptions): SQL {
  const aliases = mainAliases(request);
  const order = sortOrderOf(aliases, request.query);
  const orderBy = orderBySql(order.keys, (index) => order.keys[index]?.value as SQL, sql`m.id`);
  const where = matchWhere(request, aliases.context);
  const mainTable = table(request.entity);
  const joins: SQL[] = [];
  const cells = cellsOf(aliases, isOnePass ? joins : undefined);
  if (isOnePass) {
    const state = order.readsState ? sql`` : stateJoin(request.entity);
    const from = sql`${mainTable} m${order.joins}${state}${sql.join(joins, sql``)}`;
    return piecesSql({ format, delimiter, cells, from, where, order: orderBy });
  }
  const ids = sql`select array_agg(m.id order by ${orderBy}) as ids from ${mainTable} m${order.joins} where ${where}`;
  const size = sql.raw(String(pieceRows));
  const source = sql`unnest(matching.ids[page * ${size} + 1 : (page + 1) * ${size}]) with ordinality as o(id, position)
    join ${mainTable} m on m.id = o.id${stateJoin(request.entity)}`;
  const piece = pieceSql({ format, delimiter, cells, from: source, by: [{ value: sql`o.position` }] });
  return sql`with matching as materialized (${ids}) select piece.* from matching
    cross join lateral generate_series(0, (cardinality(matching.ids) - 1) / ${size}) page
    cross join lateral (${piece}) piece`;
}

/** Throws 400 for sparse fields of a resource that the response does not include. */
function requireIncludedResources({ entity, query }: SelectRequest): void {
  const includedNames = new Set([entity.name]);
  for (const path of query.include) {
    let current: ModelEntity | undefined = entity;
    for (const step of path.split('.')) {
      current = current?.relations.get(step)?.target;
      if (current) includedNames.add(current.name);
    }
  }
  const unknownNames = Object.keys(query.fields).filter((name) => !includedNames.has(name));
  if (unknownNames.length > 0) throw ApiError.notAllowed('field', unknownNames, [...includedNames]);
}
