/** Sessions: beginning one, and ending them with what else was handed out. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Queries } from '../db/core/database';
import { randomToken, sha256 } from './secrets';

/** How long a session lasts, in seconds. */
export const sessionSeconds = 12 * 60 * 60;

/** Where a session begins, for its owner to recognise it. */
export interface ClientInfo {
  agent?: string;
  address?: string;
}

export const clientInfoOf = ({ headers, ip }: FastifyRequest): ClientInfo => ({
  agent: headers['user-agent']?.slice(0, 400),
  address: ip,
});

/** Begins a session; gives back its token, which nobody but the server has chosen. */
export async function createSession(tx: Queries, userId: number, { agent, address }: ClientInfo = {}): Promise<string> {
  const token = randomToken();
  await tx.rows(sql`
    insert into sessions (token_hash, user_id, expires_at, agent, address)
    values (${sha256(token)}, ${userId}, now() + ${sessionSeconds}::int * interval '1 second', ${agent ?? null},
    ${address ?? null})`);
  await tx.rows(sql`update users_state set last_login = now() where id = ${userId}`);
  return token;
}

/** Ends the sessions of users, all but `keep`. */
export async function endSessions(tx: Queries, userIds: readonly number[], keep = 0): Promise<void> {
  await tx.rows(
    sql`delete from sessions where (user_id = any(${sql.param([...userIds])}::int[])
      or impersonated_by = any(${sql.param([...userIds])}::int[])) and id <> ${keep}::int`,
  );
}

/**
 * Ends the sessions of users and the addresses under which calendar programs read as them: whoever looked on from
 * anywhere looks on no more.
 */
export async function revokeReadAccess(tx: Queries, userIds: readonly number[]): Promise<void> {
  await endSessions(tx, userIds);
  await tx.rows(sql`delete from calendar_feeds where user_id = any(${sql.param([...userIds])}::int[])`);
}

/** Ends all of that and their API tokens: nothing that was handed out before opens their account any more. */
export async function revokeAllAccess(tx: Queries, userIds: readonly number[]): Promise<void> {
  await revokeReadAccess(tx, userIds);
  await tx.rows(sql`delete from api_tokens where user_id = any(${sql.param([...userIds])}::int[])`);
}
