/** Confirms the caller's identity before actions that cannot easily be undone. */
import { sql } from 'drizzle-orm';
import { countAttempt, resetAttempts } from '../../auth/attemptLimit';
import { isPassword } from '../../auth/password';
import type { Caller } from '../../context/caller';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Minutes for which a log-in confirms a user without a password (OpenID Connect). */
const recentMinutes = 10;

/**
 * Requires the caller's password or, of a user without one, a recent log-in.
 * @throws 422 at `current_password` otherwise, 429 after five failures within a minute
 */
export async function confirmPassword(
  db: Queries,
  { userId, sessionId }: Caller,
  password: string | null | undefined,
): Promise<void> {
  const secret = await db.selectOne(
    { password_hash: pg.text },
    sql`select password_hash from user_secrets where user_id = ${userId}`,
  );
  if (!secret && (await isRecentSession(db, sessionId))) return;
  const limit = { key: `password of ${userId}`, maxAttempts: 5, seconds: 60 };
  await countAttempt(db, limit);
  if (!(await isPassword(password ?? '', secret?.password_hash)))
    throw ApiError.invalidAt('current_password', { text: 'current_password' }, 'users');
  await resetAttempts(db, limit);
}

async function isRecentSession(db: Queries, sessionId: number): Promise<boolean> {
  return (
    (await db.one(
      sql`select 1 from sessions where id = ${sessionId} and created_at > now() - ${recentMinutes}::int * interval
        '1 minute'`,
    )) !== undefined
  );
}
