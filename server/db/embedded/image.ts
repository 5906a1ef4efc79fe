/**
 * The migrated image: an embedded database with all tables and the rows that every database holds, as a compressed tar.
 * Unpacking one takes a fifth of a second, making one several. The build puts one beside this file; run from the
 * sources it is made once and kept under node_modules.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { baseRows, seedBase } from '../base/base';
import type { ConnectionPool } from '../driver/connectionPool';
import { committedMigrations, migrate } from '../migrations/migrate';
import { maintainPartitions } from '../migrations/partitions';
import { partitionedTables } from '../schema/partitions';
import { Embedded } from './embedded';
import { databaseIn } from './pglite';
import { entriesOf } from './tar';

const shipped = fileURLToPath(new URL('.', import.meta.url));
const cached = fileURLToPath(new URL('../../../node_modules/.cache/sweepline/', import.meta.url));

/** Unpacks the image into a directory that does not exist yet, which is then there completely or not at all. */
export async function unpackImage(directory: string): Promise<void> {
  const beginning = `${directory}.new`;
  rmSync(beginning, { recursive: true, force: true });
  mkdirSync(beginning, { recursive: true, mode: 0o700 });
  const made = new Set<string>();
  const makeFolder = (path: string) => {
    if (!made.has(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
    made.add(path);
  };
  // Some 35 MB at once: ever so much faster than a stream of a thousand small files.
  for (const { name, bytes } of entriesOf(gunzipSync(readFileSync(await findImage())))) {
    const path = join(beginning, name);
    makeFolder(bytes ? dirname(path) : path);
    if (bytes) writeFileSync(path, bytes, { mode: 0o600 });
  }
  renameSync(beginning, directory);
}

/** The path of an image that fits the committed migrations; makes it when there is none. */
export async function findImage(): Promise<string> {
  const name = imageName();
  const found = [shipped, cached].map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found ?? makeImage(cached);
}

/** Makes an image in `folder` and gives back its path. */
export async function makeImage(folder: string): Promise<string> {
  const embedded = new Embedded();
  const { pool, database } = databaseIn(embedded, console);
  try {
    await migrate(pool);
    await seedBase(database);
    for (const table of partitionedTables)
      await maintainPartitions(database, table, { since: new Date(0), now: new Date() });
    await dropTemplates(pool);
    await pool.query('vacuum freeze analyze', [], { isUnlimited: true });
    await pool.query('checkpoint');
    const bytes = await embedded.image();
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder))
      if (/^pglite-.*\.tar\.gz$/.test(old)) rmSync(join(folder, old), { force: true });
    const path = join(folder, imageName());
    writeFileSync(`${path}.${process.pid}`, bytes);
    renameSync(`${path}.${process.pid}`, path);
    return path;
  } finally {
    await database.close();
  }
}

/**
 * The databases that others would be made from: two thirds of what would have to be unpacked, and an embedded database
 * has no others.
 */
async function dropTemplates(pool: ConnectionPool): Promise<void> {
  await pool.query('update pg_database set datistemplate = false');
  for (const { datname } of await pool.query<{ datname: string }>(
    'select datname from pg_database where datname <> current_database()',
  ))
    await pool.query(`drop database "${datname}"`);
}

/** Count it up when images are made differently. */
const edition = 5;

/** Changes with the migrations and the base rows, so that an image never meets other tables or grants than its own. */
function imageName(): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([edition, committedMigrations(), baseRows()]))
    .digest('hex')
    .slice(0, 16);
  return `pglite-${hash}.tar.gz`;
}
