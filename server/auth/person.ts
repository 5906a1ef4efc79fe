/** A user as recipient of mail. */
import { type SQL, sql } from 'drizzle-orm';
import { isLanguage, type Language } from '../../schema/shared/languages';
import type { AccountNotice } from '../context/mailer';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';
import { pg, type RowOf } from '../db/core/rowShape';

export const personShape = {
  id: pg.integer,
  email: pg.text,
  first_name: pg.text,
  language: pg.text.nullable,
};
export type Person = RowOf<typeof personShape>;

/** SQL: the user that satisfies `where` and is not deleted; the alias of `users` is `u`. */
export const personSql = (where: SQL): SQL =>
  sql`select u.id, u.email, u.first_name, l.two_letter_code as language from users u
    left join languages l on l.id = u.language_id where ${where} and u.deleted_at is null`;

export const personLanguage = ({ language }: Person): Language => (isLanguage(language) ? language : 'en');

/**
 * Mails a user, in their language, a notice about a change of their account. `tx` must be the transaction of the
 * change, which somebody else may have made.
 */
export async function mailAccountNotice(
  { mail }: Pick<Services, 'mail'>,
  tx: Queries,
  userId: number,
  kind: AccountNotice,
): Promise<void> {
  const user = await tx.selectOne(personShape, personSql(sql`u.id = ${userId}`));
  if (user) await mail.send(tx, user.email, personLanguage(user), { kind, name: user.first_name });
}
