/** Forgotten password: a mail with link and code, then a new password. */
import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { countAttempt } from '../../auth/attemptLimit';
import { hashPassword, markVerified, storePassword } from '../../auth/password';
import { mailAccountNotice, personLanguage, personShape, personSql } from '../../auth/person';
import { randomToken, sha256 } from '../../auth/secrets';
import { revokeAllAccess } from '../../auth/sessions';
import { ApiError } from '../../context/errors';
import type { Routes, Services } from '../../context/services';
import { writeAuditEntries } from '../../crud/write/writeAuditEntries';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { serve } from '../../endpoints/serve';

/** Minutes for which the link, and the code, are valid. */
const linkMinutes = 60;
const codeMinutes = 10;
const maxCodeAttempts = 5;
/** Minimum response time in milliseconds, which hides whether the address is known. */
const minResponseTime = 150;

export const resetRoutes: Routes = async (app) => {
  const { services } = app;
  const { db, log } = services;

  serve(app, 'POST /users/forgotPassword', async ({ body: { email: address } }, request) => {
    await countAttempt(db, { key: `reset requested from ${request.address}`, maxAttempts: 30, seconds: 600 });
    const resetPromise = sendReset(services, { address, clientAddress: request.address }).catch((err) =>
      log.error({ err }, 'preparing a password reset failed'),
    );
    await Promise.all([new Promise((resolve) => setTimeout(resolve, minResponseTime)), resetPromise]);
    return { sent: true };
  });

  serve(app, 'POST /users/verifyResetPassword', async ({ body: fields }, request) => {
    const field = fields.code ? 'code' : 'token';
    const secret = fields[field];
    if (!secret) throw ApiError.invalidAt('token', { key: 'required' }, 'users');
    const passwordHash = await hashPassword(fields.password);
    const code = secret.replace(/[\s-]/g, '');
    const isCode = /^\d{8}$/.test(code);
    // A wrong guess must be counted although the call fails: throw after the commit only.
    const user = await db.transaction(async (tx) => {
      const userId = isCode
        ? await findUserOfCode(tx, { code, address: fields.email || undefined, clientAddress: request.address })
        : await findUserOfLink(tx, secret);
      if (!userId) return undefined;
      await storePassword(tx, userId, { passwordHash });
      await revokeAllAccess(tx, [userId]);
      await markVerified(tx, userId);
      await writeAuditEntries(tx, { entity: services.model.require('users'), by: { userId }, action: 'edit' }, [
        { id: userId, after: { password: true } },
      ]);
      await mailAccountNotice(services, tx, userId, 'password_changed');
      return userId;
    });
    if (!user) throw ApiError.invalidAt(field, { text: isCode ? 'code_invalid' : 'link_invalid' }, 'users');
    request.accountId = user;
    return { reset: true };
  });
};

/** Mails a link and a code. Does nothing for unknown addresses, and after three requests within ten minutes. */
async function sendReset(
  { db, env, mail }: Services,
  { address, clientAddress }: { address: string; clientAddress: string },
): Promise<void> {
  const user = await db.selectOne(personShape, personSql(sql`lower(u.email) = lower(${address})`));
  if (!user) return;
  try {
    await countAttempt(db, { key: `reset of ${user.id}`, maxAttempts: 3, seconds: 600 });
  } catch (error) {
    if (error instanceof ApiError) return;
    throw error;
  }
  const token = randomToken(24);
  const code = String(randomInt(100_000_000)).padStart(8, '0');
  const link = `${env.publicUrl}/resetpassword/${token}`;
  await db.transaction(async (tx) => {
    await createReset(tx, user.id, { token, minutes: linkMinutes, code, clientAddress });
    const mailContent = {
      kind: 'reset' as const,
      name: user.first_name,
      link,
      code,
      minutes: linkMinutes,
      codeMinutes,
    };
    await mail.send(tx, user.email, personLanguage(user), mailContent);
  });
}

interface ResetDraft {
  token: string;
  /** Minutes for which the link is valid. */
  minutes: number;
  code?: string;
  clientAddress?: string;
}

/** Creates a reset, with which the holder of the token can set a password. Replaces an earlier one of the user. */
export async function createReset(
  tx: Queries,
  userId: number,
  { token, minutes, code, clientAddress }: ResetDraft,
): Promise<void> {
  const codeHash = code === undefined ? null : sha256(code);
  await tx.rows(sql`
    insert into password_resets (user_id, token_hash, expires_at, code_hash, code_expires_at, address)
    values (${userId}, ${sha256(token)}, now() + ${minutes}::int * interval '1 minute', ${codeHash},
    now() + ${codeMinutes}::int * interval '1 minute', ${clientAddress ?? null})
    on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at,
    code_hash = excluded.code_hash,
      code_expires_at = excluded.code_expires_at, address = excluded.address, tries = 0, created_at = now()`);
}

async function findUserOfLink(tx: Queries, token: string): Promise<number | undefined> {
  const row = await tx.selectOne(
    { user_id: pg.integer },
    sql`select r.user_id from password_resets r join users u on u.id = r.user_id where r.token_hash = ${sha256(token)}
      and r.expires_at > now() and u.deleted_at is null for update of r`,
  );
  return row?.user_id;
}

/**
 * Finds the user whose reset has this code: by e-mail address or, without one, among the resets requested from the same
 * network address. Each call counts as a try of all these resets; after five, their codes are invalid, but not their
 * links.
 */
async function findUserOfCode(
  tx: Queries,
  { code, address, clientAddress }: { code: string; address?: string; clientAddress: string },
): Promise<number | undefined> {
  const requestWhere =
    address === undefined ? sql`r.address = ${clientAddress}` : sql`lower(u.email) = lower(${address})`;
  const rows = await tx.select(
    { user_id: pg.integer, code_hash: pg.bytea },
    sql`
    update password_resets r set tries = r.tries + 1 from users u
    where u.id = r.user_id and u.deleted_at is null and ${requestWhere} and r.code_hash is not null
    and r.code_expires_at > now() and r.tries < ${maxCodeAttempts}::int
    returning r.user_id, r.code_hash`,
  );
  const hash = sha256(code);
  return rows.find(({ code_hash }) => hash.equals(code_hash))?.user_id;
}
