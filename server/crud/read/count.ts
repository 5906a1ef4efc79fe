/**
 * Exact totals, counted again only when something they depend on was written.
 *
 * Every table counts its committed writes (`write_counts`). A total is remembered with the sum of those counts over the
 * tables that it reads, and the statement that uses it compares the sum in its own snapshot: the remembered total is
 * either provably still right or not used.
 */
import { sql } from 'drizzle-orm';
import { accessVersion } from '../../auth/loadCaller';
import type { Database } from '../../db/core/database';
import { placeholderValues, statementOf } from '../../db/core/statement';
import { countSql, filtersOf, pageSql, type SelectRequest } from '../query/select';
import { callerKey, run, statementFor } from '../query/statementCache';

interface Remembered {
  version: number;
  total: number;
}

const memories = new WeakMap<Database, Map<string, Remembered>>();
const most = 2000;

/**
 * One page as JSON text with the exact number of all rows that the reading means, from one statement and so from one
 * snapshot.
 */
export async function pageWithTotal(
  db: Database,
  reading: SelectRequest,
): Promise<{ data: string; total: number; access: number }> {
  const { entity, caller, query, extra } = reading;
  const memory = memoryOf(db);
  const who = callerKey(caller);
  const counted = extra ? undefined : JSON.stringify([entity.name, who, query.filter]);
  // What the filters compare with is left open: people ask the same question about ever other values.
  const filters = extra ? undefined : statementOf(filtersOf(reading));
  const known = counted === undefined ? undefined : memory.get(counted);
  const statement = statementFor({
    key:
      filters && JSON.stringify(['page', entity.name, who, { ...query, filter: filters.text, page: query.page > 1 }]),
    build: () => pageAndCount({ ...reading, open: filters !== undefined }),
  });
  const [row] = await run<{ data: string; version: number | null; total: number | null; access: number }>(
    db,
    statement,
    {
      ...(filters && placeholderValues(filters.params)),
      offset: (query.page - 1) * query.per_page,
      known: known?.version ?? -1,
    },
  );
  const total = row?.total ?? known?.total ?? 0;
  if (counted !== undefined && row && row.version !== null) remember(memory, counted, { version: row.version, total });
  return { data: row?.data ?? '[]', total, access: row?.access ?? -1 };
}

function pageAndCount(reading: SelectRequest) {
  const page = pageSql(reading);
  const count = countSql(reading);
  // A condition from outside, or one over derived values, reads tables that nothing here knows: such a total is counted
  // each time.
  if (reading.extra || count.tables.has('*'))
    return sql`select (${page}) as data, null::bigint as version, (${count.sql})::int as total,
      ${sql.raw(accessVersion)} as access`;
  const tables = sql.param([...count.tables].sort());
  return sql`select (${page}) as data, v.version, case when v.version = ${sql.placeholder('known')}::bigint then null
    else (${count.sql})::int end as total, ${sql.raw(accessVersion)} as access
    from (select coalesce(sum(n), 0)::bigint as version from write_counts where relation = any(${tables}::text[])) v`;
}

function memoryOf(db: Database): Map<string, Remembered> {
  const memory = memories.get(db) ?? new Map<string, Remembered>();
  memories.set(db, memory);
  return memory;
}

function remember(memory: Map<string, Remembered>, key: string, value: Remembered): void {
  memory.delete(key);
  memory.set(key, value);
  if (memory.size > most) memory.delete(memory.keys().next().value as string);
}
