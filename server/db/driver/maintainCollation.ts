/**
 * Detects a changed sort order: indexes are built with the ICU version of the database, and another version may order
 * some letters differently.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { ConnectionPool } from './connectionPool';

/**
 * Compares the collation version of the indexes with the server's, which changes with upgrades. The embedded database
 * is reindexed at once; for a server it logs what its administrator has to run.
 */
export async function maintainCollation(
  pool: ConnectionPool,
  kind: 'pglite' | 'postgres',
  log: FastifyBaseLogger,
): Promise<void> {
  const [versions] = await pool.query<{ indexed: string | null; current: string | null }>(
    `select collversion as indexed, pg_collation_actual_version(oid) as current from pg_collation
      where collname = 'und-x-icu'`,
  );
  if (!versions || versions.indexed === versions.current) return;
  if (kind === 'postgres') {
    log.warn(
      versions,
      'the collation version changed with the database server: run `reindex database`, then `alter collation ' +
        '"und-x-icu" refresh version`',
    );
    return;
  }
  log.info(versions, 'the collation version changed with the embedded database: reindexing');
  await pool.query('reindex schema public', [], { isUnlimited: true });
  await pool.query('alter collation "und-x-icu" refresh version');
}
