/**
 * Tickets for browsers that can't send a header with an event stream: each opens one stream, within half a minute, on
 * any process.
 */
import { sql } from 'drizzle-orm';
import { randomToken, sha256 } from '../auth/secrets';
import type { Services } from '../context/services';

export const ticketSeconds = 30;

type TicketServices = Pick<Services, 'db' | 'now'>;

/** A ticket for the session whose token has this hash. */
export async function issueTicket({ db, now }: TicketServices, tokenHash: Buffer): Promise<string> {
  const ticket = randomToken();
  const expires = new Date(now().getTime() + ticketSeconds * 1000).toISOString();
  await db.rows(
    sql`insert into event_tickets (hash, token_hash, expires_at)
      values (${sha256(ticket)}, ${tokenHash}, ${expires}::timestamptz)`,
  );
  return ticket;
}

/** The hash of the token behind a ticket, once; `undefined` for one that is used, too old or never was. */
export async function redeemTicket({ db, now }: TicketServices, ticket: string | null): Promise<Buffer | undefined> {
  if (!ticket) return undefined;
  const found = await db.one<{ token_hash: Uint8Array; expires_at: Date }>(
    sql`delete from event_tickets where hash = ${sha256(ticket)} returning token_hash, expires_at`,
  );
  return found && found.expires_at >= now() ? Buffer.from(found.token_hash) : undefined;
}
