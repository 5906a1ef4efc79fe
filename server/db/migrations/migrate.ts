/** Applies every migration once, in order, by one process at a time. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { advisoryLocks } from '../core/advisoryLocks';
import type { ConnectionPool } from '../driver/connectionPool';

export interface Migration {
  tag: string;
  statements: string[];
}

const folder = new URL('./', import.meta.url);

/** Committed migrations, oldest first. */
export function committedMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')) as {
    entries: { tag: string }[];
  };
  return journal.entries.map(({ tag }) => ({
    tag,
    statements: readFileSync(new URL(`${tag}.sql`, folder), 'utf8').split('--> statement-breakpoint'),
  }));
}

export const migrationsFolder = fileURLToPath(folder);

export interface MigrateResult {
  /** Tags of the migrations that were missing. */
  applied: string[];
  /** Tags of migrations that only a newer version has. Migrations only add, so this version can run meanwhile. */
  unknown: string[];
}

/** Applies missing migrations. Other processes wait meanwhile and then find none missing. */
export async function migrate(
  pool: ConnectionPool,
  migrations: readonly Migration[] = committedMigrations(),
): Promise<MigrateResult> {
  const lease = await pool.lease();
  const run = <T>(text: string, params: readonly unknown[] = []) => lease.query<T>(text, params, { isUnlimited: true });
  try {
    await run('set statement_timeout = 0');
    await run('select pg_advisory_lock($1)', [advisoryLocks.migrations]);
    await run(
      'create table if not exists migrations (tag text primary key, applied_at timestamptz(3) not null default now())',
    );
    const appliedTags = new Set((await run<{ tag: string }>('select tag from migrations')).map(({ tag }) => tag));
    const missingMigrations = migrations.filter(({ tag }) => !appliedTags.has(tag));
    for (const { tag, statements } of missingMigrations) {
      await run('begin');
      try {
        for (const statement of statements) await run(statement);
        await run('insert into migrations (tag) values ($1)', [tag]);
        await run('commit');
      } catch (error) {
        await run('rollback');
        throw new Error(`Migration ${tag} failed`, { cause: error });
      }
    }
    const knownTags = new Set(migrations.map(({ tag }) => tag));
    return {
      applied: missingMigrations.map(({ tag }) => tag),
      unknown: [...appliedTags].filter((tag) => !knownTags.has(tag)).sort(),
    };
  } finally {
    await run('select pg_advisory_unlock($1)', [advisoryLocks.migrations]).catch(() => undefined);
    await run('reset statement_timeout').catch(() => lease.discard());
    lease.release();
  }
}
