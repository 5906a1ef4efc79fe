/** Verification mails for e-mail addresses, and their links. */
import { sql } from 'drizzle-orm';
import { personLanguage, personShape, personSql } from '../../auth/person';
import { randomToken, sha256 } from '../../auth/secrets';
import type { Services } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Hours for which the link is valid. */
const linkHours = 24;

/** Creates a link, mails it to the address in the user's language, and invalidates the address's earlier link. */
export async function sendVerification(
  { env, mail }: Pick<Services, 'env' | 'mail'>,
  tx: Queries,
  userId: number,
  addressId: number,
): Promise<void> {
  const token = randomToken(24);
  const address = await tx.selectOne(
    { email: pg.text },
    sql`
    update user_emails set token_hash = ${sha256(token)},
      token_expires_at = now() + ${linkHours}::int * interval '1 hour'
    where id = ${addressId} and user_id = ${userId} and not verified returning email`,
  );
  const user = await tx.selectOne(personShape, personSql(sql`u.id = ${userId}`));
  if (!address || !user) return;
  const link = `${env.publicUrl}/verifyemail/${token}`;
  const mailContent = { kind: 'verify_email' as const, name: user.first_name, link, hours: linkHours };
  await mail.send(tx, address.email, personLanguage(user), mailContent);
}

/** Verifies the address of a link, which works once. Returns whether the link was valid. */
export async function verifyEmail({ db, live, model }: Services, token: string): Promise<boolean> {
  const row = await db.transaction(async (tx) => {
    const address = await tx.selectOne(
      { user_id: pg.integer },
      sql`
      update user_emails e set verified = true, token_hash = null, token_expires_at = null from users u
      where e.token_hash = ${sha256(token)} and e.token_expires_at > now() and u.id = e.user_id and u.deleted_at is null
      returning e.user_id`,
    );
    if (address)
      await writeAuditEntries(
        tx,
        { entity: model.require('users'), by: { userId: address.user_id }, action: 'email_verify' },
        [{ id: address.user_id }],
      );
    return address;
  });
  if (row) await live.publish([{ entity: 'users', id: row.user_id, type: 'updated' }]);
  return row !== undefined;
}
