import { type SQL, sql } from 'drizzle-orm';

/** Parameters of the demo's history. */
export interface SeedOptions {
  seed: number;
  days: number;
  now: Date;
}

/** SQL: a pseudo-random number from 0 to below 1, determined by seed, machine, a second number and purpose. */
export const seededRandomSql = (seed: number, id: SQL, second: SQL, purpose: number): SQL =>
  sql`((hashint8extended(${id}::bigint * 100003 + ${second}::bigint, ${sql.raw(String(seed * 997 + purpose))}) &
    1048575) / 1048576.0)`;
