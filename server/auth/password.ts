/** Hashes passwords with Argon2id (RFC 9106). Verification takes the same time whether or not a hash exists. */
import { hash, verify } from '@node-rs/argon2';
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/core/database';
import { randomToken } from './secrets';
import { endSessions } from './sessions';

export const hashPassword = (password: string): Promise<string> => hash(password);

/** Whether the hash is that of the password. False without a hash, after the same time. */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await dummyHash()), password);
  return matches && passwordHash !== null && passwordHash !== undefined;
}

let dummyHashPromise: Promise<string> | undefined;
function dummyHash(): Promise<string> {
  dummyHashPromise ??= hash(randomToken());
  return dummyHashPromise;
}

/** Stores a hash, ends all sessions of the user except the session `keep`, and deletes unused reset links. */
export async function storePassword(
  tx: Queries,
  userId: number,
  { passwordHash, keep }: { passwordHash: string; keep?: number },
): Promise<void> {
  await tx.rows(sql`
    insert into user_secrets (user_id, password_hash) values (${userId}, ${passwordHash})
    on conflict (user_id) do update set password_hash = excluded.password_hash, changed_at = now()`);
  await tx.rows(sql`delete from password_resets where user_id = ${userId}`);
  await endSessions(tx, [userId], keep);
}

/** Marks the user's primary address as verified. */
export async function markVerified(tx: Queries, userId: number): Promise<void> {
  const verifiedEmail = await tx.one(
    sql`update user_emails e set verified = true from users u where u.id = ${userId} and e.user_id = u.id
      and lower(e.email) = lower(u.email) returning e.id`,
  );
  if (!verifiedEmail)
    await tx.rows(
      sql`insert into user_emails (user_id, email, verified) select id, email, true from users where id = ${userId}`,
    );
}
