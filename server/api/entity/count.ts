/**
 * Exact totals, counted again only when something they depend on was written.
 *
 * Every table counts its committed writes (`write_counts`). A total is remembered with the sum of those counts over the tables that it reads, and the
 * statement that uses it compares the sum in its own snapshot: the remembered total is either provably still right or not used.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database';
import { countSql, type Reading } from './select';

interface Remembered {
  version: number;
  total: number;
}

const memories = new WeakMap<Database, Map<string, Remembered>>();
const most = 2000;

/** Runs `data` (a statement with one column `data`) together with the count of all rows that the reading means, in one statement. */
export async function withTotal(db: Database, reading: Reading, data: SQL): Promise<{ data: string; total: number }> {
  const memory = memoryOf(db);
  const key = reading.extra ? undefined : keyOf(reading);
  const known = key === undefined ? undefined : memory.get(key);
  const count = countSql(reading);
  if (key === undefined || count.tables.has('*')) {
    const row = await db.one<{ data: string; total: number }>(sql`select (${data}) as data, (${count.sql})::int as total`);
    return { data: row?.data ?? '[]', total: row?.total ?? 0 };
  }
  const tables = sql.param([...count.tables].sort());
  const row = await db.one<{ data: string; version: number; total: number | null }>(
    sql`select (${data}) as data, v.version, case when v.version = ${known?.version ?? -1}::bigint then null else (${count.sql})::int end as total from (select coalesce(sum(n), 0)::bigint as version from write_counts where relation = any(${tables}::text[])) v`,
  );
  const total = row?.total ?? known?.total ?? 0;
  remember(memory, key, { version: Number(row?.version), total });
  return { data: row?.data ?? '[]', total };
}

function memoryOf(db: Database): Map<string, Remembered> {
  const memory = memories.get(db) ?? new Map<string, Remembered>();
  memories.set(db, memory);
  return memory;
}

/** Everything that decides which rows are meant: two readings with one key count the same rows. */
function keyOf({ entity, caller, query }: Reading): string {
  return JSON.stringify([entity.name, query.filter, [...caller.scopes].sort(), caller.links, caller.userId, caller.language]);
}

function remember(memory: Map<string, Remembered>, key: string, value: Remembered): void {
  memory.delete(key);
  memory.set(key, value);
  if (memory.size > most) memory.delete(memory.keys().next().value as string);
}
