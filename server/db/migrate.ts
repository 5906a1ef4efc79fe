/** Brings a database to the tables of this version: every migration once, in order, by one process at a time. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pool } from './pool';

export interface Migration {
  tag: string;
  statements: string[];
}

const folder = new URL('./migrations/', import.meta.url);
/** Any number that nobody else uses for an advisory lock in the same database. */
const lock = 7_335_112_001;

/** The committed migrations, oldest first. */
export function committedMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(new URL('meta/_journal.json', folder), 'utf8')) as { entries: { tag: string }[] };
  return journal.entries.map(({ tag }) => ({ tag, statements: readFileSync(new URL(`${tag}.sql`, folder), 'utf8').split('--> statement-breakpoint') }));
}

export const migrationsFolder = fileURLToPath(folder);

/** Applies what is missing; gives back the tags applied. Other processes wait meanwhile and then find nothing to do. */
export async function migrate(pool: Pool, migrations: readonly Migration[] = committedMigrations()): Promise<string[]> {
  const connection = await pool.reserve();
  try {
    await connection`set statement_timeout = 0`;
    await connection`select pg_advisory_lock(${lock})`;
    await connection`create table if not exists migrations (tag text primary key, applied_at timestamptz(3) not null default now())`;
    const done = new Set((await connection`select tag from migrations`).map(({ tag }) => String(tag)));
    const missing = migrations.filter(({ tag }) => !done.has(tag));
    for (const { tag, statements } of missing) {
      await connection`begin`;
      try {
        for (const statement of statements) await connection.unsafe(statement);
        await connection`insert into migrations (tag) values (${tag})`;
        await connection`commit`;
      } catch (error) {
        await connection`rollback`;
        throw new Error(`Migration ${tag} failed`, { cause: error });
      }
    }
    return missing.map(({ tag }) => tag);
  } finally {
    await connection`select pg_advisory_unlock(${lock})`.catch(() => undefined);
    await connection`reset statement_timeout`.catch(() => undefined);
    connection.release();
  }
}
