/** Log-in in one or two steps, and log-out. */
import { sql } from 'drizzle-orm';
import { countAttempt, resetAttempts } from '../../auth/attemptLimit';
import { isPassword } from '../../auth/password';
import { redeemCode } from '../../auth/secondFactor';
import { clientInfoOf, createSession } from '../../auth/sessions';
import { ApiError } from '../../context/errors';
import type { Routes } from '../../context/services';
import { pg } from '../../db/core/rowShape';
import { JsonText, serve } from '../../endpoints/serve';
import { consumeLoginTicket, findUserOfTicket, invalidTicket, sessionResponse, startLogin } from './loginFlow';

export const loginRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  serve(app, 'POST /login', async ({ body: { email, password } }, request) => {
    const limit = { key: `login ${email.toLowerCase()} ${request.address}`, maxAttempts: 5, seconds: 60 };
    await countAttempt(db, limit);
    const user = await db.selectOne(
      { id: pg.integer, password_hash: pg.text.nullable },
      sql`select u.id, s.password_hash from users u left join user_secrets s on s.user_id = u.id
        where lower(u.email) = lower(${email}) and u.deleted_at is null`,
    );
    const isCorrectPassword = await isPassword(password, user?.password_hash);
    if (!user || !isCorrectPassword) throw ApiError.invalidAt('email', { text: 'wrong_login' }, 'users');
    request.accountId = user.id;
    await resetAttempts(db, limit);
    return new JsonText(await startLogin(services, user.id, clientInfoOf(request)));
  });

  serve(app, 'POST /login/second-factor', async ({ body: { ticket, code } }, request) => {
    const userId = await findUserOfTicket(db, ticket);
    if (userId === undefined) throw invalidTicket();
    request.accountId = userId;
    if (!(await redeemCode(services, userId, code)))
      throw ApiError.invalidAt('code', { text: 'code_invalid' }, 'users');
    const token = await db.transaction(async (tx) => {
      await consumeLoginTicket(tx, ticket);
      return createSession(tx, userId, clientInfoOf(request));
    });
    return new JsonText(await sessionResponse(services, token));
  });

  serve(app, 'POST /users/logout', async (_input, { caller }) => {
    if (caller.tokenId !== undefined) throw ApiError.forbidden();
    await db.rows(sql`delete from sessions where id = ${caller.sessionId}`);
  });
};
