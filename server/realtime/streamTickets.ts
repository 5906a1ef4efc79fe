/**
 * Tickets for browsers, whose `EventSource` cannot send headers: each ticket opens one stream within half a minute, on
 * any process.
 */
import { sql } from 'drizzle-orm';
import { randomToken, sha256 } from '../auth/secrets';
import type { Services } from '../context/services';
import { pg } from '../db/core/rowShape';

export const ticketSeconds = 30;

type TicketServices = Pick<Services, 'db' | 'now'>;

/** Issues a ticket for the session with this token hash. */
export async function issueTicket({ db, now }: TicketServices, tokenHash: Buffer): Promise<string> {
  const ticket = randomToken();
  const expires = new Date(now().getTime() + ticketSeconds * 1000).toISOString();
  await db.rows(
    sql`insert into event_tickets (hash, token_hash, expires_at)
      values (${sha256(ticket)}, ${tokenHash}, ${expires}::timestamptz)`,
  );
  return ticket;
}

/** Redeems a ticket for its token hash, once; `undefined` if it was used, expired or never issued. */
export async function redeemTicket({ db, now }: TicketServices, ticket: string | null): Promise<Buffer | undefined> {
  if (!ticket) return undefined;
  const row = await db.selectOne(
    { token_hash: pg.bytea, expires_at: pg.timestamptz },
    sql`delete from event_tickets where hash = ${sha256(ticket)} returning token_hash, expires_at`,
  );
  return row && row.expires_at >= now() ? Buffer.from(row.token_hash) : undefined;
}
