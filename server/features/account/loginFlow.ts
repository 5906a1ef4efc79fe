/** The end of every way to log in: a session or, for users with a second factor, the second step. */
import { sql } from 'drizzle-orm';
import { loadCaller } from '../../auth/loadCaller';
import { hasSecondFactor } from '../../auth/secondFactor';
import { randomToken, sha256 } from '../../auth/secrets';
import { type ClientInfo, createSession } from '../../auth/sessions';
import { signUserToken } from '../../auth/userToken';
import { ApiError } from '../../context/errors';
import type { Services } from '../../context/services';
import { readRow } from '../../crud/read/readList';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';

/** Minutes for which a ticket is valid. */
const ticketMinutes = 5;

/** Returns the response to a successful first step, as JSON text. Creates the session unless a second step follows. */
export async function startLogin(services: Services, userId: number, clientInfo: ClientInfo): Promise<string> {
  const { db } = services;
  if (await hasSecondFactor(db, userId))
    return JSON.stringify({ two_factor: true, ticket: await issueLoginTicket(db, userId) });
  return sessionResponse(services, await db.transaction((tx) => createSession(tx, userId, clientInfo)));
}

/** Returns the response with a new session, as JSON text. `token` belongs to the session. */
export async function sessionResponse(services: Services, token: string): Promise<string> {
  const { db } = services;
  const caller = await loadCaller(db, sha256(token));
  if (!caller) throw ApiError.unauthenticated();
  const [{ data }, user_token] = await Promise.all([
    readRow(db, services.model.require('users'), caller, { id: caller.userId }),
    signUserToken(services, db, caller.userId, caller.impersonatedBy),
  ]);
  return `{"token":${JSON.stringify(token)},"user_token":${JSON.stringify(user_token)},"user":${data}}`;
}

/** Issues a login ticket. If `browserToken` is set, only a browser with that token can redeem it. */
export async function issueLoginTicket(db: Queries, userId: number, browserToken?: string): Promise<string> {
  const ticket = randomToken();
  await db.rows(sql`
    insert into login_tickets (token_hash, user_id, browser_hash, expires_at)
    values (${sha256(ticket)}, ${userId}, ${browserToken === undefined ? null : sha256(browserToken)},
    now() + ${ticketMinutes}::int * interval '1 minute')`);
  return ticket;
}

/** Finds the user of a valid ticket. `browserToken` must be as it was when the ticket was issued. */
export async function findUserOfTicket(
  db: Queries,
  ticket: string,
  browserToken?: string,
): Promise<number | undefined> {
  const row = await db.selectOne(
    { user_id: pg.integer },
    sql`
    select t.user_id from login_tickets t join users u on u.id = t.user_id and u.deleted_at is null
    where t.token_hash = ${sha256(ticket)} and t.expires_at > now()
    and t.browser_hash is not distinct from ${browserToken === undefined ? null : sha256(browserToken)}::bytea`,
  );
  return row?.user_id;
}

/**
 * Redeems a ticket.
 * @throws 422 if it was redeemed already
 */
export async function consumeLoginTicket(tx: Queries, ticket: string): Promise<void> {
  if (!(await tx.one(sql`delete from login_tickets where token_hash = ${sha256(ticket)} returning user_id`)))
    throw invalidTicket();
}

export const invalidTicket = () => ApiError.invalidAt('ticket', { text: 'ticket_invalid' }, 'users');
