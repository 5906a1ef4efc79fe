/**
 * Last use of sessions and API tokens: collected in memory and written periodically, so that no request waits for it.
 */
import { type SQL, sql } from 'drizzle-orm';
import { wallDays } from '../../schema/shared/wall';
import type { Caller } from '../context/caller';
import type { Queries } from '../db/core/database';

interface LastUse {
  at: Date;
  address: string;
}

interface PendingUses {
  sessions: Map<number, LastUse>;
  tokens: Map<number, LastUse>;
}

const pendingUses = new WeakMap<Queries, PendingUses>();
const pendingUsesOf = (db: Queries): PendingUses => {
  const uses = pendingUses.get(db) ?? { sessions: new Map(), tokens: new Map() };
  pendingUses.set(db, uses);
  return uses;
};

/** Records a use in memory; `flushUses` writes it. */
export function recordUse(db: Queries, { sessionId, tokenId }: Caller, address: string): void {
  const { sessions, tokens } = pendingUsesOf(db);
  const use = { at: new Date(), address };
  if (tokenId !== undefined) tokens.set(tokenId, use);
  else sessions.set(sessionId, use);
}

/** Writes the uses that this process has collected; each renews its wall token. Skips sessions that have ended. */
export async function flushUses(db: Queries): Promise<void> {
  const { sessions, tokens } = pendingUsesOf(db);
  pendingUses.delete(db);
  if (sessions.size > 0)
    await db.rows(sql`
      insert into session_uses as u (session_id, last_used_at, address) select s.id, g.at, g.address
      from ${usesSql(sessions)} join sessions s on s.id = g.id
      on conflict (session_id) do update set last_used_at = excluded.last_used_at, address = excluded.address
      where u.last_used_at < excluded.last_used_at`);
  if (tokens.size > 0)
    await db.rows(sql`
      update api_tokens t set last_used_at = g.at, address = g.address,
        expires_at = case when is_wall then g.at + ${wallDays}::int * interval '1 day' else expires_at end
      from ${usesSql(tokens)}
      where t.id = g.id and (t.last_used_at is null or t.last_used_at < g.at)`);
}

/** SQL: rows `g (id, at, address)`. */
function usesSql(uses: Map<number, LastUse>): SQL {
  // Every process writes in this order, so that two of them cannot deadlock.
  const sortedUses = [...uses].sort(([a], [b]) => a - b);
  const values = sortedUses.map(([, use]) => use);
  const [ids, instants, addresses] = [
    sortedUses.map(([id]) => id),
    values.map(({ at }) => at.toISOString()),
    values.map(({ address }) => address),
  ].map((list) => sql.param(list));
  return sql`unnest(${ids}::int[], ${instants}::timestamptz[], ${addresses}::text[]) as g (id, at, address)`;
}
