/**
 * Limits attempts, such as at guessing a password. Counts them in the database, so that limits hold across processes.
 */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError } from '../context/errors';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';

export interface AttemptLimit {
  /** Names what is attempted and by whom, such as `login ada@example.com 192.0.2.1`. */
  key: string;
  /** Attempts allowed before the lock. */
  maxAttempts: number;
  /** Duration of the lock after the last attempt, in seconds. */
  seconds: number;
}

/**
 * Counts an attempt before it is verified, so that concurrent attempts count like successive ones. `resetAttempts`
 * clears the count after success.
 * @throws 429 while locked; rejected attempts do not extend the lock
 */
export async function countAttempt(db: Queries, { key, maxAttempts, seconds }: AttemptLimit): Promise<void> {
  const untilSql = sql`now() + ${seconds}::int * interval '1 second'`;
  const row = await db.selectOne(
    { failures: pg.integer, left: pg.double },
    sql`
    insert into login_failures as f (key, failures, until) values (${digest(key)}, 1, ${untilSql})
    on conflict (key) do update set
      failures = case when f.until <= now() then 1 else f.failures + 1 end,
      until = case when f.until > now() and f.failures >= ${maxAttempts}::int then f.until else ${untilSql} end
    returning failures, extract(epoch from until - now())::float8 as left`,
  );
  if (row && row.failures > maxAttempts) throw ApiError.tooMany(Math.max(1, row.left));
}

/** Forgets the attempts of a key. */
export async function resetAttempts(db: Queries, { key }: Pick<AttemptLimit, 'key'>): Promise<void> {
  await db.rows(sql`delete from login_failures where key = ${digest(key)}`);
}

/** Hash of a key, which is stored in its place because keys contain mistyped addresses. */
const digest = (key: string) => createHash('sha256').update(key).digest('hex');
