/**
 * The migrated image: a compressed tar of an embedded database with all tables and base rows. Unpacking takes 0.2 s,
 * making one several seconds. Builds ship one in the folder of this file; from sources it is made once and cached under
 * node_modules.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { baseRows, seedBase } from '../base/seedBase';
import type { ConnectionPool } from '../driver/connectionPool';
import { maintainPartitions } from '../migrations/maintainPartitions';
import { committedMigrations, migrate } from '../migrations/migrate';
import { partitionedTables } from '../schema/partitions';
import { Embedded } from './embedded';
import { createEmbeddedDatabase } from './openPglite';
import { readTar } from './readTar';

const shippedFolder = fileURLToPath(new URL('.', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../../node_modules/.cache/sweepline/', import.meta.url));

/** Unpacks the image into a new directory, atomically: it appears complete or not at all. */
export async function unpackImage(directory: string): Promise<void> {
  const draft = `${directory}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const createdFolders = new Set<string>();
  const createFolder = (path: string) => {
    if (!createdFolders.has(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
    createdFolders.add(path);
  };
  // Some 35 MB in memory at once: far faster than streaming a thousand small files.
  for (const { name, bytes } of readTar(gunzipSync(readFileSync(await findImage())))) {
    const path = join(draft, name);
    createFolder(bytes ? dirname(path) : path);
    if (bytes) writeFileSync(path, bytes, { mode: 0o600 });
  }
  renameSync(draft, directory);
}

/** Returns the path of an image for the committed migrations; makes one if there is none. */
export async function findImage(): Promise<string> {
  const name = imageName();
  const path = [shippedFolder, cacheFolder].map((folder) => join(folder, name)).find((path) => existsSync(path));
  return path ?? createImage(cacheFolder);
}

/** Makes an image in `folder` and returns its path. Deletes older ones. */
export async function createImage(folder: string): Promise<string> {
  const embedded = new Embedded();
  const { pool, database } = createEmbeddedDatabase(embedded, { log: console });
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
    for (const fileName of readdirSync(folder))
      if (/^pglite-.*\.tar\.gz$/.test(fileName)) rmSync(join(folder, fileName), { force: true });
    const path = join(folder, imageName());
    writeFileSync(`${path}.${process.pid}`, bytes);
    renameSync(`${path}.${process.pid}`, path);
    return path;
  } finally {
    await database.close();
  }
}

/** Drops the template databases: they are two thirds of the bytes to unpack, and no database is created from them. */
async function dropTemplates(pool: ConnectionPool): Promise<void> {
  await pool.query('update pg_database set datistemplate = false');
  for (const { datname } of await pool.query<{ datname: string }>(
    'select datname from pg_database where datname <> current_database()',
  ))
    await pool.query(`drop database "${datname}"`);
}

/** Must be incremented when images are made differently. */
const formatVersion = 5;

/** Name of the image with a hash of migrations and base rows: an image with other tables or grants is never used. */
function imageName(): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([formatVersion, committedMigrations(), baseRows()]))
    .digest('hex')
    .slice(0, 16);
  return `pglite-${hash}.tar.gz`;
}
