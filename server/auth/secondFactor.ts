/** Second factor of a user: a TOTP secret shared with an authenticator app, and recovery codes for its loss. */
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { seal, unseal } from '../context/encryptedSecret';
import type { Services } from '../context/services';
import type { Queries } from '../db/core/database';
import { pg } from '../db/core/rowShape';
import { countAttempt, resetAttempts } from './attemptLimit';
import { sha256 } from './secrets';
import { base32, stepOf } from './totp';

const recoveryCodeCount = 10;
const attemptLimitOf = (userId: number) => ({ key: `second factor of ${userId}`, maxAttempts: 5, seconds: 300 });
const ownerOf = (userId: number) => `user ${userId}`;

/** Whether logging in requires a code. */
export async function hasSecondFactor(db: Queries, userId: number): Promise<boolean> {
  return (
    (await db.one(sql`select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`)) !==
    undefined
  );
}

/**
 * Stores a new secret and returns it. The secret counts only after its first code is confirmed. Does not replace a
 * confirmed secret.
 */
export async function enrolSecondFactor(
  { signingKey }: Pick<Services, 'signingKey'>,
  tx: Queries,
  userId: number,
): Promise<Buffer> {
  const secret = randomBytes(20);
  await tx.rows(sql`
    insert into second_factors (user_id, secret) values (${userId}, ${seal(signingKey, secret, ownerOf(userId))})
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
    where second_factors.confirmed_at is null`);
  return secret;
}

/**
 * Whether `input` is a valid code of the authenticator app, or a recovery code. Each code is accepted once.
 * @throws 429 after five wrong codes, for five minutes
 */
export async function redeemCode(
  { db, signingKey, now }: Pick<Services, 'db' | 'signingKey' | 'now'>,
  userId: number,
  input: string,
): Promise<boolean> {
  await countAttempt(db, attemptLimitOf(userId));
  const code = input.replace(/[\s-]/g, '').toUpperCase();
  const isValid = /^\d{6}$/.test(code) ? await verifyAppCode() : await redeemRecoveryCode();
  if (isValid) await resetAttempts(db, attemptLimitOf(userId));
  return isValid;

  async function verifyAppCode(): Promise<boolean> {
    const factor = await db.selectOne(
      { secret: pg.bytea },
      sql`select secret from second_factors where user_id = ${userId}`,
    );
    const step = factor && stepOf(unseal(signingKey, factor.secret, ownerOf(userId)), code, now());
    if (step === undefined) return false;
    // Of two concurrent requests with the same code, one fails.
    return (
      (await db.one(
        sql`update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}
          returning user_id`,
      )) !== undefined
    );
  }

  async function redeemRecoveryCode(): Promise<boolean> {
    return (
      (await db.one(
        sql`delete from recovery_codes where user_id = ${userId} and code_hash = ${sha256(code)} returning user_id`,
      )) !== undefined
    );
  }
}

/** Replaces the recovery codes. Returns them in the form `ABCDE-FGHIJ`. */
export async function createRecoveryCodes(tx: Queries, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(7)).slice(0, 10));
  await tx.rows(sql`delete from recovery_codes where user_id = ${userId}`);
  for (const code of codes)
    await tx.rows(sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${sha256(code)})`);
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Removes the second factor and the recovery codes. Returns whether the user had a second factor. */
export async function removeSecondFactor(tx: Queries, userId: number): Promise<boolean> {
  await tx.rows(sql`delete from recovery_codes where user_id = ${userId}`);
  return (await tx.one(sql`delete from second_factors where user_id = ${userId} returning user_id`)) !== undefined;
}
