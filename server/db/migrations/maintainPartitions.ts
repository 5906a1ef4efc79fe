/** Maintains the partitions of tables by time, and drops those past their retention. */
import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queries } from '../core/database';
import { pg, type RowOf } from '../core/rowShape';
import { tryAdvisoryLock } from '../core/tryAdvisoryLock';
import { type Partitioned, partitioned } from '../schema/partitions';

/** Partition of a table; unbounded where `from` or `to` is null. */
export const partitionShape = {
  name: pg.text,
  from: pg.timestamptz.nullable,
  to: pg.timestamptz.nullable,
};
export type Partition = RowOf<typeof partitionShape>;

/** Maximum wait for the table lock, during which all other users of the table wait too. The next run tries again. */
const lockTimeout = '3s';
/**
 * Age in days up to which rows get partitions by range. Older rows share one partition, so that a row with a wrong
 * clock does not create dozens.
 */
const maxRangeDays = 400;

/**
 * Creates partitions for all rows since `since`, for the present and for the next range, and drops older ones. Safe in
 * any number of processes: only one works at a time.
 */
export async function maintainPartitions(
  db: Database,
  table: Partitioned,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  const pastTable = nameSql(`${table}_past`);
  const column = sql.identifier(partitioned[table].by);
  await db.transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, 'partitions'))) return;
    const currentPartitions = await readPartitions(tx, table);
    const wantedPartitions = await readWantedPartitions(tx, table, {
      retained: currentPartitions.filter(({ from, to }) => from && to && to > since),
      since,
      now,
    });
    const isUpToDate =
      currentPartitions.length === wantedPartitions.length &&
      currentPartitions.every(
        ({ name, to }, index) =>
          name === wantedPartitions[index]?.name && Boolean(to) === Boolean(wantedPartitions[index].to),
      );
    if (!isUpToDate) await applyPartitions(tx, table, { currentPartitions, wantedPartitions, since });
  });
  await db.rows(sql`delete from ${pastTable} where ${column} < ${since.toISOString()}::timestamptz`);
}

/** Partitions of a table, in order. */
export function readPartitions(queries: Queries, table: Partitioned): Promise<Partition[]> {
  return queries.select(
    partitionShape,
    sql`
    select c.relname as name, nullif(bound[1], 'MINVALUE')::timestamptz as from,
      nullif(bound[2], 'MAXVALUE')::timestamptz as to
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid),
      'FROM \\(''?([^'')]+)''?\\) TO \\(''?([^'')]+)''?\\)') bound
    where i.inhparent = ${table}::regclass order by 2 nulls first`,
  );
}

/**
 * The wanted partitions: one per range from the oldest retained row (of the last `maxRangeDays`) to the next range,
 * and the two unbounded ones around them.
 */
async function readWantedPartitions(
  tx: Queries,
  table: Partitioned,
  { retained, since, now }: { retained: Partition[]; since: Date; now: Date },
): Promise<Partition[]> {
  const { by, every, length } = partitioned[table];
  const time = (instant: Date | null | undefined) => sql`${instant?.toISOString() ?? null}::timestamptz`;
  const step = sql.raw(`interval '${length}'`);
  const ranges = await tx.select(
    partitionShape,
    sql`
    select ${`${table}_`} || to_char(start, 'YYYYMMDD') as name, start as from, start + ${step} as to
    from (select min(${sql.identifier(by)}) as at from ${nameSql(`${table}_past`)}
      where ${sql.identifier(by)} >=
        greatest(${time(since)}, ${time(now)} - interval '${sql.raw(String(maxRangeDays))} days')) oldest
    cross join lateral generate_series(
      date_trunc(${every}, least(oldest.at, ${time(retained[0]?.from)}, ${time(now)})),
      greatest(date_trunc(${every}, ${time(now)}) + ${step}, ${time(retained.at(-1)?.from)}), ${step}) start
    order by start`,
  );
  return [
    { name: `${table}_past`, from: null, to: ranges[0]?.from ?? null },
    ...ranges,
    { name: `${table}_later`, from: ranges.at(-1)?.to ?? null, to: null },
  ];
}

/** Creates and drops partitions as wanted; rows of the unbounded ones move into their new partitions. */
async function applyPartitions(
  tx: Queries,
  table: Partitioned,
  {
    currentPartitions,
    wantedPartitions,
    since,
  }: { currentPartitions: readonly Partition[]; wantedPartitions: readonly Partition[]; since: Date },
): Promise<void> {
  const [parent, column] = [nameSql(table), sql.identifier(partitioned[table].by)];
  await tx.rows(sql.raw(`set local lock_timeout = '${lockTimeout}'`));
  // An older installation has all its rows in one partition.
  await tx.rows(sql`set local statement_timeout = 0`);
  await tx.rows(sql`lock table ${parent} in access exclusive mode`);
  const unboundedPartitions = currentPartitions.filter(({ from, to }) => !from || !to);
  for (const { name } of unboundedPartitions) {
    await tx.rows(sql`alter table ${parent} detach partition ${nameSql(name)}`);
    await tx.rows(sql`alter table ${nameSql(name)} rename to ${nameSql(`${name}_old`)}`);
  }
  const requiredNames = new Set(wantedPartitions.map(({ name }) => name));
  for (const { name } of currentPartitions)
    if (!unboundedPartitions.some((partition) => partition.name === name) && !requiredNames.has(name))
      await tx.rows(sql`drop table ${nameSql(name)}`);
  const existingNames = new Set(
    currentPartitions.filter((partition) => !unboundedPartitions.includes(partition)).map(({ name }) => name),
  );
  for (const { name, from, to } of wantedPartitions)
    if (!existingNames.has(name))
      await tx.rows(
        sql`create table ${nameSql(name)} partition of ${parent}
          for values from (${bound(from, 'minvalue')}) to (${bound(to, 'maxvalue')})`,
      );
  const columns = await tx.selectOne(
    { names: pg.text },
    sql`select string_agg(quote_ident(attname), ', ') as names from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`,
  );
  for (const { name } of unboundedPartitions) {
    const names = sql.raw(columns?.names ?? '');
    await tx.rows(
      sql`insert into ${parent} (${names}) select ${names} from ${nameSql(`${name}_old`)}
        where ${column} >= ${since.toISOString()}::timestamptz`,
    );
    await tx.rows(sql`drop table ${nameSql(`${name}_old`)}`);
  }
}

const nameSql = (name: string): SQL => sql`${sql.identifier(name)}`;
const bound = (instant: Date | null, fallback: string): SQL =>
  sql.raw(instant ? `'${instant.toISOString()}'` : fallback);
