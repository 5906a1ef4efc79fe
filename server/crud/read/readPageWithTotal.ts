/**
 * Exact totals, cached and validated by write counts.
 *
 * Every table counts its committed writes (`write_counts`). A total is cached with the sum of the counts of its tables;
 * the statement that uses it compares the sum in its own snapshot, so a cached total is used only if it is exact.
 */
import { type SQL, sql } from 'drizzle-orm';
import { accessTables, accessVersionSql } from '../../auth/loadCaller';
import type { Database } from '../../db/core/database';
import { type PgType, pg } from '../../db/core/rowShape';
import { isPlannedPerValue, placeholderValues, printStatement, type Statement } from '../../db/core/statement';
import { requireIncludeLimit } from '../query/includeLimit';
import { resolveSearch } from '../query/resolveSearch';
import { hasIndexedSearch } from '../query/searchWhere';
import {
  countSql,
  pageIdsSql,
  pageSql,
  queryFilterWhere,
  rowsByIdsSql,
  type SelectRequest,
  searchedPageSql,
} from '../query/selectStatements';
import { callerKey, runStatement, statementFor } from '../query/statementCache';

interface CachedTotal {
  version: number;
  total: number;
}

const totalsBySource = new WeakMap<object, Map<string, CachedTotal>>();
const maxCachedTotals = 2000;

export interface PageWithTotal {
  /** Rows as JSON array text, in UTF-8. */
  data: Buffer;
  total: number;
  /** Access version of the same snapshot. */
  access: number;
}

/** Reads one page as JSON text with the exact total, both of the same snapshot. */
export async function readPageWithTotal(db: Database, unresolvedRequest: SelectRequest): Promise<PageWithTotal> {
  const request = unresolvedRequest.extraWhere ? unresolvedRequest : await resolveSearch(db, unresolvedRequest);
  // Filter values are placeholders, since the same query runs with many values.
  const filters = request.extraWhere ? undefined : printStatement(queryFilterWhere(request));
  const page = filters && isPlannedPerValue(filters.text) ? await readPageInTwoSteps(db, request, filters) : undefined;
  if (page) return page;
  const {
    data = emptyPage,
    total,
    access,
  } = await readPage(db, request, filters, {
    name: 'page',
    type: pg.utf8,
    buildPage: pageSql,
  });
  requireIncludeLimit(data);
  return { data, total, access };
}

const emptyPage = Buffer.from('[]');

/**
 * Reads the ids of a page, then its rows with a second, prepared statement: planning many columns for each pattern
 * would take longer than both. Returns `undefined` if a row was written in between, which the write counts show.
 */
async function readPageInTwoSteps(
  db: Database,
  request: SelectRequest,
  filters: Statement,
): Promise<PageWithTotal | undefined> {
  const { entity, caller, query } = request;
  const { include, fields } = query;
  // Built before anything is read, because it rejects unknown fields and includes.
  const statement = statementFor({
    model: entity.model,
    key: JSON.stringify(['rows', entity.name, callerKey(caller), include, fields, filters.text]),
    build: () => sql`select (${rowsByIdsSql(request)}) as data, v.access, v.version
      from ${versionsSql(countSql(request).tables)} v`,
  });
  const { data, version, ...pageResult } = await readPage(db, request, filters, {
    name: 'ids',
    type: pg.integer.array,
    buildPage: pageIdsSql,
    ...(hasIndexedSearch(query.filter) && { buildPageWithTotal: searchedPageSql }),
  });
  if (!data || version === null) return undefined;
  if (data.length === 0) return { ...pageResult, data: emptyPage };
  const shape = { data: pg.utf8, access: pg.double, version: pg.integer };
  const [rows] = await runStatement(db, shape, statement, { ids: data });
  if (rows?.version !== version) return undefined;
  requireIncludeLimit(rows.data);
  // If the access versions differ, NaN makes `withOptimisticAuth` read the page again.
  return { ...pageResult, data: rows.data, access: rows.access === pageResult.access ? rows.access : Number.NaN };
}

interface PageSql<Page> {
  name: string;
  type: PgType<Page>;
  /** Returns the subselect of the page, a value of `type`. */
  buildPage(request: SelectRequest): SQL;
  /** Returns the query of `page` and `total`, if reading them together costs less. */
  buildPageWithTotal?(request: SelectRequest): SQL;
}

/** Reads a page and its total by one statement. */
async function readPage<Page>(
  db: Database,
  request: SelectRequest,
  filters: Statement | undefined,
  { name, type, ...page }: PageSql<Page>,
): Promise<{ data: Page | undefined; version: number | null; total: number; access: number }> {
  const { entity, caller, query } = request;
  const cache = totalsCacheOf(db);
  const cacheKey = callerKey(caller);
  const countKey = filters && JSON.stringify([entity.name, cacheKey, query.filter]);
  const cachedEntry = countKey === undefined ? undefined : cache.get(countKey);
  const statement = statementFor({
    model: entity.model,
    key:
      filters &&
      JSON.stringify([name, entity.name, cacheKey, { ...query, filter: filters.text, page: query.page > 1 }]),
    build: () => pageAndCountSql({ ...request, usesPlaceholders: filters !== undefined }, page),
  });
  const [row] = await runStatement(
    db,
    { page: type, version: pg.integer.nullable, total: pg.integer.nullable, access: pg.double },
    statement,
    {
      ...(filters && placeholderValues(filters.params)),
      offset: (query.page - 1) * query.per_page,
      cachedVersion: cachedEntry?.version ?? -1,
    },
  );
  const total = row?.total ?? cachedEntry?.total ?? 0;
  const version = row?.version ?? null;
  // Totals of searches are counted along with the page. Related rows that match were read before the version.
  if (countKey !== undefined && version !== null && !page.buildPageWithTotal)
    cacheTotal(cache, countKey, { version, total });
  return { data: row?.page, version, total, access: row?.access ?? -1 };
}

function pageAndCountSql(
  request: SelectRequest,
  { buildPage, buildPageWithTotal }: Pick<PageSql<unknown>, 'buildPage' | 'buildPageWithTotal'>,
) {
  const count = countSql(request);
  if (buildPageWithTotal)
    return sql`select found.page, ${sql.raw(count.tables.has('*') ? 'null::bigint as version' : 'v.version')},
      found.total, v.access from (${buildPageWithTotal(request)}) found, ${versionsSql(count.tables)} v`;
  const page = buildPage(request);
  // Tables behind `extraWhere` or a derived value are unknown here, so such totals are counted every time.
  if (request.extraWhere || count.tables.has('*'))
    return sql`select (${page}) as page, null::bigint as version, (${count.sql})::int as total,
      ${sql.raw(accessVersionSql)} as access`;
  return sql`select (${page}) as page, v.version,
    case when v.version = ${sql.placeholder('cachedVersion')}::bigint then null
    else (${count.sql})::int end as total, v.access from ${versionsSql(count.tables)} v`;
}

/** Subselect: the sum of the write counts of some tables as `version`, and the access version as `access`. */
function versionsSql(tables: ReadonlySet<string>): SQL {
  // Literals, since PostgreSQL hashes or looks up a constant list, and compares a parameter's items one by one.
  const isAmong = (names: Iterable<string>) =>
    `relation in (${[...new Set(names)]
      .sort()
      .map((name) => `'${name}'`)
      .join(', ')})`;
  const sum = (names: Iterable<string>) => `coalesce(sum(n) filter (where ${isAmong(names)}), 0)`;
  return sql.raw(`(select ${sum(tables)}::bigint as version, ${sum(accessTables)}::float8 as access from write_counts
    where ${isAmong([...tables, ...accessTables])})`);
}

function totalsCacheOf(db: Database): Map<string, CachedTotal> {
  const cache = totalsBySource.get(db.source) ?? new Map<string, CachedTotal>();
  totalsBySource.set(db.source, cache);
  return cache;
}

function cacheTotal(cache: Map<string, CachedTotal>, key: string, value: CachedTotal): void {
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > maxCachedTotals) cache.delete(cache.keys().next().value as string);
}
