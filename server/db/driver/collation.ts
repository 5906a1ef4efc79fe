/**
 * Words lie in indexes in the order of the Unicode tables (ICU) that the database came with; other tables may order a
 * few letters otherwise.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { ConnectionPool } from './connectionPool';

/**
 * Notices that the database now runs with other tables than its indexes were made with, as after an upgrade. The
 * embedded one is put in order at once; on a server that is for its administrator to do, who is told how.
 */
export async function keepOrder(
  pool: ConnectionPool,
  kind: 'pglite' | 'postgres',
  log: FastifyBaseLogger,
): Promise<void> {
  const [found] = await pool.query<{ made: string | null; now: string | null }>(
    `select collversion as made, pg_collation_actual_version(oid) as now from pg_collation
      where collname = 'und-x-icu'`,
  );
  if (!found || found.made === found.now) return;
  if (kind === 'postgres') {
    log.warn(
      found,
      'the order of letters has changed with the database server: run `reindex database`, then `alter collation ' +
        '"und-x-icu" refresh version`',
    );
    return;
  }
  log.info(found, 'the order of letters has changed with the embedded database: making its indexes anew');
  await pool.query('reindex schema public', [], { isUnlimited: true });
  await pool.query('alter collation "und-x-icu" refresh version');
}
