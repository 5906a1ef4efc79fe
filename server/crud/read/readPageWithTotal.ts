/**
 * Exact totals, cached and validated by write counts.
 *
 * Every table counts its committed writes (`write_counts`). A total is cached with the sum of the counts of its tables,
 * and the statement that uses it compares the sum in its own snapshot: a cached total is provably right or not used.
 */
import { sql } from 'drizzle-orm';
import { accessVersion } from '../../auth/loadCaller';
import type { Database } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { placeholderValues, statementOf } from '../../db/core/statement';
import { countSql, filtersOf, pageSql, type SelectRequest } from '../query/selectStatements';
import { callerKey, run, statementFor } from '../query/statementCache';

interface CachedTotal {
  version: number;
  total: number;
}

const totalsByDatabase = new WeakMap<Database, Map<string, CachedTotal>>();
const maxCounts = 2000;

/** Reads one page as JSON text with the exact total, in one statement and so from one snapshot. */
export async function readPageWithTotal(
  db: Database,
  reading: SelectRequest,
): Promise<{ data: Buffer; total: number; access: number }> {
  const { entity, caller, query, extra } = reading;
  const cache = cacheOf(db);
  const who = callerKey(caller);
  const countKey = extra ? undefined : JSON.stringify([entity.name, who, query.filter]);
  // Filter values are placeholders, since the same query runs with many values.
  const filters = extra ? undefined : statementOf(filtersOf(reading));
  const cached = countKey === undefined ? undefined : cache.get(countKey);
  const statement = statementFor({
    model: entity.model,
    key:
      filters && JSON.stringify(['page', entity.name, who, { ...query, filter: filters.text, page: query.page > 1 }]),
    build: () => pageAndCount({ ...reading, open: filters !== undefined }),
  });
  const [row] = await run(
    db,
    { data: pg.utf8, version: pg.integer.nullable, total: pg.integer.nullable, access: pg.double },
    statement,
    {
      ...(filters && placeholderValues(filters.params)),
      offset: (query.page - 1) * query.per_page,
      known: cached?.version ?? -1,
    },
  );
  const total = row?.total ?? cached?.total ?? 0;
  if (countKey !== undefined && row && row.version !== null) remember(cache, countKey, { version: row.version, total });
  return { data: row?.data ?? Buffer.from('[]'), total, access: row?.access ?? -1 };
}

function pageAndCount(reading: SelectRequest) {
  const page = pageSql(reading);
  const count = countSql(reading);
  // Tables behind a condition from outside or a derived value are unknown here: such totals are counted every time.
  if (reading.extra || count.tables.has('*'))
    return sql`select (${page}) as data, null::bigint as version, (${count.sql})::int as total,
      ${sql.raw(accessVersion)} as access`;
  const tables = sql.param([...count.tables].sort());
  return sql`select (${page}) as data, v.version, case when v.version = ${sql.placeholder('known')}::bigint then null
    else (${count.sql})::int end as total, ${sql.raw(accessVersion)} as access
    from (select coalesce(sum(n), 0)::bigint as version from write_counts where relation = any(${tables}::text[])) v`;
}

function cacheOf(db: Database): Map<string, CachedTotal> {
  const cache = totalsByDatabase.get(db) ?? new Map<string, CachedTotal>();
  totalsByDatabase.set(db, cache);
  return cache;
}

function remember(cache: Map<string, CachedTotal>, key: string, value: CachedTotal): void {
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > maxCounts) cache.delete(cache.keys().next().value as string);
}
