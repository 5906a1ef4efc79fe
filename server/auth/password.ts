/** Passwords: Argon2id (RFC 9106), judged in the same time whether there is one or not. */
import { hash, verify } from '@node-rs/argon2';
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/core/database';
import { randomToken } from './secrets';
import { endSessions } from './sessions';

export const hashPassword = (given: string): Promise<string> => hash(given);

/** Whether the password belongs to the hash. Without a hash the same work is done, and the answer is no. */
export async function isPassword(given: string, known: string | null | undefined): Promise<boolean> {
  const matches = await verify(known ?? (await nobodys()), given);
  return matches && known !== null && known !== undefined;
}

let dummy: Promise<string> | undefined;
function nobodys(): Promise<string> {
  dummy ??= hash(randomToken());
  return dummy;
}

/** Puts a hash in place; every session of the user ends but `keep`, and so does an open request to reset it. */
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

/** Notes that a mail to this address was answered. */
export async function noteVerified(tx: Queries, userId: number): Promise<void> {
  const changed = await tx.one(
    sql`update user_emails e set verified = true from users u where u.id = ${userId} and e.user_id = u.id
      and lower(e.email) = lower(u.email) returning e.id`,
  );
  if (!changed)
    await tx.rows(
      sql`insert into user_emails (user_id, email, verified) select id, email, true from users where id = ${userId}`,
    );
}
