/** Write counts per table: a cached result is valid while the sum that was read with it is unchanged. */
import { sql } from 'drizzle-orm';
import type { Queries } from './database';

/**
 * SQL: sum of the write counts of all tables except `relations`. Must be read in the statement whose result is cached,
 * so that both come from one snapshot. Commits only increase it: an equal sum later means no write in between.
 */
export const writeCountExceptSql = (relations: readonly string[]) =>
  sql`(select coalesce(sum(n), 0)::float8 from write_counts where relation <> all(${[...relations]}::text[]))`;

/** Folds the counts of closed connections into the row of backend 0. Sums do not change. */
export async function foldCounts(db: Queries): Promise<void> {
  await db.rows(sql`
    with closed as (
      delete from write_counts where backend <> 0 and not exists (select from pg_stat_activity where pid = backend)
      returning relation, n
    )
    insert into write_counts (relation, backend, n) select relation, 0, sum(n) from closed group by relation
    on conflict (relation, backend) do update set n = write_counts.n + excluded.n`);
}
