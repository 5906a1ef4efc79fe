/** Logging in and out. */
import { sql } from 'drizzle-orm';
import { text } from '../../../schema/dsl/field';
import { users } from '../../../schema/entities/users';
import type { Routes, Services } from '../../services';
import { asked } from '../ask';
import { beginSession, hashOf, loadCaller, originOf } from '../auth';
import { rowAnswer } from '../entity/list';
import { Refusal } from '../errors';
import { countGuess, forgetGuesses } from '../failures';
import { base, json } from '../http';
import { isPassword } from '../password';
import { userToken } from './token';

const credentials = { email: text({ required: true, max: 254 }), password: text({ required: true, max: 1000 }) };

export const loginRoutes: Routes = async (app) => {
  const { services } = app;
  const { db } = services;

  app.post(`${base}/login`, { config: { public: true } }, async (request, reply) => {
    const { email, password } = (await asked(request, credentials)) as { email: string; password: string };
    const guarded = { key: `login ${email.toLowerCase()} ${request.ip}`, most: 5, seconds: 60 };
    await countGuess(db, guarded);
    const user = await db.one<{ id: number; password_hash: string | null }>(
      sql`select u.id, s.password_hash from users u left join user_secrets s on s.user_id = u.id where lower(u.email) = lower(${email}) and u.deleted_at is null`,
    );
    const isRight = await isPassword(password, user?.password_hash);
    if (!user || !isRight) throw Refusal.invalidAt('email', { text: 'wrong_login' }, 'users');
    await forgetGuesses(db, guarded);
    const token = await db.transaction((tx) => beginSession(tx, user.id, originOf(request)));
    return json(reply, await beginning(services, token));
  });

  app.post(`${base}/users/logout`, async (request, reply) => {
    if (request.caller.tokenId !== undefined) throw Refusal.unauthorized();
    await db.rows(sql`delete from sessions where id = ${request.caller.sessionId}`);
    return reply.status(204).send();
  });
};

/** What a browser gets when a session begins, as JSON text. */
export async function beginning(services: Services, token: string): Promise<string> {
  const { db } = services;
  const caller = await loadCaller(db, hashOf(token));
  if (!caller) throw Refusal.unauthenticated();
  const [{ data }, user_token] = await Promise.all([rowAnswer(db, users, caller, { id: caller.userId }), userToken(services, db, caller.userId)]);
  return `{"token":${JSON.stringify(token)},"user_token":${JSON.stringify(user_token)},"user":${data}}`;
}
