import { sql } from 'drizzle-orm';
import { hashPassword } from '../../server/auth/password';
import type { Queries } from '../../server/db/core/database';

/** Gives every user of the test data the same password. */
export async function setPasswords(db: Queries, password: string): Promise<void> {
  const hash = await hashPassword(password);
  await db.rows(sql`insert into user_secrets (user_id, password_hash) select id, ${hash} from users`);
}
