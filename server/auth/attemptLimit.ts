/** Guesses, counted in the database so that the count holds on every process. */
import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError } from '../context/errors';
import type { Queries } from '../db/core/database';

export interface AttemptLimit {
  /** What is being guessed, and by whom. */
  key: string;
  /** Guesses before it is locked. */
  most: number;
  /** How long it is locked after the last guess. */
  seconds: number;
}

/**
 * Counts a guess before it is judged, so that many at once are no more than one after the other; a right one is
 * forgotten by `forgetGuesses`.
 * @throws 429 while locked; refused guesses do not make the lock longer
 */
export async function countAttempt(db: Queries, { key, most, seconds }: AttemptLimit): Promise<void> {
  const until = sql`now() + ${seconds}::int * interval '1 second'`;
  const row = await db.one<{ failures: number; left: number }>(sql`
    insert into login_failures as f (key, failures, until) values (${digest(key)}, 1, ${until})
    on conflict (key) do update set
      failures = case when f.until <= now() then 1 else f.failures + 1 end,
      until = case when f.until > now() and f.failures >= ${most}::int then f.until else ${until} end
    returning failures, extract(epoch from until - now())::float8 as left`);
  if (row && row.failures > most) throw ApiError.tooMany(Math.max(1, row.left));
}

export async function resetAttempts(db: Queries, { key }: Pick<AttemptLimit, 'key'>): Promise<void> {
  await db.rows(sql`delete from login_failures where key = ${digest(key)}`);
}

/** Addresses that somebody mistyped are nobody's to read. */
const digest = (key: string) => createHash('sha256').update(key).digest('hex');
