/** Creates sessions, and revokes them with everything else that grants access. */
import { sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Queries } from '../db/core/database';
import { randomToken, sha256 } from './secrets';

/** Lifetime of a session in seconds. */
export const sessionSeconds = 12 * 60 * 60;

/** The client that a session was started from, shown to its owner. */
export interface ClientInfo {
  agent?: string;
  address?: string;
}

export const clientInfoOf = ({ headers, ip }: FastifyRequest): ClientInfo => ({
  agent: headers['user-agent']?.slice(0, 400),
  address: ip,
});

/** Creates a session and returns its token. The server always generates the token, which prevents session fixation. */
export async function createSession(tx: Queries, userId: number, { agent, address }: ClientInfo = {}): Promise<string> {
  const token = randomToken();
  await tx.rows(sql`
    insert into sessions (token_hash, user_id, expires_at, agent, address)
    values (${sha256(token)}, ${userId}, now() + ${sessionSeconds}::int * interval '1 second', ${agent ?? null},
    ${address ?? null})`);
  await tx.rows(sql`update users_state set last_login = now() where id = ${userId}`);
  return token;
}

/** Ends all sessions of users, and all sessions in which they impersonate others, except the session `keep`. */
export async function endSessions(tx: Queries, userIds: readonly number[], keep = 0): Promise<void> {
  await tx.rows(
    sql`delete from sessions where (user_id = any(${sql.param([...userIds])}::int[])
      or impersonated_by = any(${sql.param([...userIds])}::int[])) and id <> ${keep}::int`,
  );
}

/** Ends the users' sessions and calendar feeds, so that nobody keeps reading with their access. */
export async function revokeReadAccess(tx: Queries, userIds: readonly number[]): Promise<void> {
  await endSessions(tx, userIds);
  await tx.rows(sql`delete from calendar_feeds where user_id = any(${sql.param([...userIds])}::int[])`);
}

/** Like `revokeReadAccess`, and deletes their API tokens: nothing issued before grants access any more. */
export async function revokeAllAccess(tx: Queries, userIds: readonly number[]): Promise<void> {
  await revokeReadAccess(tx, userIds);
  await tx.rows(sql`delete from api_tokens where user_id = any(${sql.param([...userIds])}::int[])`);
}
