/** Counts of writes per table: whoever remembers the sum beside a result knows later whether the result still holds. */
import { sql } from 'drizzle-orm';
import type { Queries } from './database';

/**
 * SQL of the sum over all counted tables but some. Read it in the statement whose result is remembered: both then come
 * from one snapshot. Committed writes only ever add to it, so an equal sum in a later snapshot means that none came in
 * between.
 */
export const writeCountExceptSql = (relations: readonly string[]) =>
  sql`(select coalesce(sum(n), 0)::float8 from write_counts where relation <> all(${[...relations]}::text[]))`;

/** Gathers the rows of connections that are gone into the row of backend 0. The sums stay as they are. */
export async function foldCounts(db: Queries): Promise<void> {
  await db.rows(sql`
    with gone as (
      delete from write_counts where backend <> 0 and not exists (select from pg_stat_activity where pid = backend)
      returning relation, n
    )
    insert into write_counts (relation, backend, n) select relation, 0, sum(n) from gone group by relation
    on conflict (relation, backend) do update set n = write_counts.n + excluded.n`);
}
