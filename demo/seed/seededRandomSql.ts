import { type SQL, sql } from 'drizzle-orm';

/** What the history of a demo depends on. */
export interface Making {
  seed: number;
  days: number;
  now: Date;
}

/** A number from 0 to 1 that depends on the seed, a machine, a second number and what it is for. */
export const chance = (seed: number, id: SQL, second: SQL, purpose: number): SQL =>
  sql`((hashint8extended(${id}::bigint * 100003 + ${second}::bigint, ${sql.raw(String(seed * 997 + purpose))}) &
    1048575) / 1048576.0)`;
