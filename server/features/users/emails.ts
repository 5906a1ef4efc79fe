/** Addresses of a user. The primary one is stored in `users.email`; only the server marks addresses as verified. */
import { type SQL, sql } from 'drizzle-orm';
import type { WriteContext } from '../../context/services';
import type { Queries } from '../../db/core/database';

interface Address {
  email: string;
  verified?: boolean;
  primary?: boolean | null;
}

/** SQL: all addresses as JSON, with the primary one first. */
export const emailsSql = (row: SQL): SQL => sql`(
  select json_agg(json_build_object('email', a.email, 'verified', a.verified, 'primary', a.is_primary)
  order by a.is_primary desc, a.position, a.email)
  from (
    select ${row}.email, true as is_primary, 0 as position,
      coalesce((select bool_or(e.verified) from user_emails e where e.user_id = ${row}.id
      and lower(e.email) = lower(${row}.email)), false) as verified
    union all
    select e.email, false, e.position, e.verified from user_emails e where e.user_id = ${row}.id
    and lower(e.email) <> lower(${row}.email)
  ) a)`;

const isSameEmail = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();

/** Reconciles `email` and `emails` in the values of a write, whichever of them was sent. */
export function mergeEmails({ values, current, fail }: WriteContext): void {
  const sentAddresses = addressesOf(values.emails);
  if (!sentAddresses) return;
  const hasDuplicates = sentAddresses.some(
    ({ email }, index) => sentAddresses.findIndex((other) => isSameEmail(other.email, email)) !== index,
  );
  const [markedPrimary, ...otherPrimaries] = sentAddresses.filter(({ primary }) => primary === true);
  if (hasDuplicates || otherPrimaries.length > 0) {
    fail('emails', { key: 'distinct' });
    return;
  }
  const storedEmail = current?.email;
  const sentEmail = values.email;
  const isStalePrimary = markedPrimary !== undefined && isSameEmail(markedPrimary.email, storedEmail);
  if (
    typeof sentEmail === 'string' &&
    markedPrimary &&
    !isSameEmail(sentEmail, markedPrimary.email) &&
    !isStalePrimary
  ) {
    fail('email', { key: 'same' });
    return;
  }
  if (sentEmail === undefined && markedPrimary && markedPrimary.email !== storedEmail)
    values.email = markedPrimary.email;
  const primary = values.email ?? storedEmail;
  // A primary address changed through `email` replaces the former one in the list.
  const others = sentAddresses.filter(
    (address) =>
      !isSameEmail(address.email, primary) &&
      !(isStalePrimary && address === markedPrimary && typeof sentEmail === 'string'),
  );
  const mergedAddresses = [String(primary), ...others.map(({ email }) => email)];
  const storedAddresses = addressesOf(current?.emails)?.map(({ email }) => email) ?? [];
  if (values.email === undefined && JSON.stringify(mergedAddresses) === JSON.stringify(storedAddresses))
    delete values.emails;
  else values.emails = mergedAddresses.map((email) => ({ email }));
}

/** Stores the result of `mergeEmails`. Addresses stay verified as long as they stay in the list. */
export async function storeEmails(
  tx: Queries,
  userId: number,
  { values, storedEmail }: { values: Record<string, unknown>; storedEmail: unknown },
): Promise<void> {
  const newAddresses = addressesOf(values.emails)?.map(({ email }) => email);
  if (newAddresses) {
    const emails = sql.param(newAddresses);
    await tx.rows(
      sql`delete from user_emails where user_id = ${userId} and not lower(email) = any(select lower(input)
        from unnest(${emails}::text[]) as input)`,
    );
    await tx.rows(sql`
      update user_emails e set email = input.email, position = input.place::int
      from unnest(${emails}::text[]) with ordinality as input (email, place) where e.user_id = ${userId}
      and lower(e.email) = lower(input.email)`);
    await tx.rows(sql`
      insert into user_emails (user_id, email, position)
      select ${userId}, input.email, input.place::int from unnest(${emails}::text[]) with ordinality as input (email,
      place)
      where not exists (select 1 from user_emails e where e.user_id = ${userId}
      and lower(e.email) = lower(input.email))`);
  }
  if (typeof values.email !== 'string' || storedEmail === undefined || isSameEmail(values.email, storedEmail)) return;
  // A reset link mailed to the former address must no longer open the account.
  await tx.rows(sql`delete from password_resets where user_id = ${userId}`);
  if (!newAddresses)
    await tx.rows(sql`delete from user_emails where user_id = ${userId} and lower(email) = lower(${storedEmail})`);
}

/** Addresses of a list; `undefined` for an invalid one, which validation reports. */
function addressesOf(value: unknown): Address[] | undefined {
  return Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && typeof item.email === 'string')
    ? value
    : undefined;
}
