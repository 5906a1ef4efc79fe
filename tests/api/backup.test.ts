/**
 * Backup and restore as described in docs/operations/backup.md: a dump, and a base backup restored to a point in time.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedBase } from '../../server/db/base/seedBase';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { add } from '../support/rows';
import { type Cluster, commandAsOwner, startCluster, unprivilegedUser } from '../support/startCluster';
import { startServer } from '../support/startServer';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-backup-'));
const archive = join(folder, 'archive');
const log = pino({ level: 'silent' });
let cluster: Cluster;
let db: Database;

const run = (name: string, args: readonly string[]) => {
  const [program, allArgs] = commandAsOwner(name, args);
  return execFileSync(program, allArgs, { cwd: '/', encoding: 'utf8' });
};
const readNames = async (database: Database): Promise<string[]> =>
  (
    await database.select({ name: pg.text }, sql`select name from countries where name like 'Backup %' order by name`)
  ).map(({ name }) => name);
/** Starts the product on a database and stops it again. Returns the rows that it served. */
async function serveDatabase(databaseUrl: string): Promise<string[]> {
  const server = await startServer({
    fromSources: true,
    env: { DATABASE_URL: databaseUrl, SWEEPLINE_SECRET: 'a secret that was kept beside the backup' },
  });
  const restoredDatabase = await openDatabase({ databaseUrl, dataDir: folder, log });
  try {
    // The restored server also accepts writes.
    await add(restoredDatabase, 'countries', { name: 'Written after the restore' });
    return await readNames(restoredDatabase);
  } finally {
    await restoredDatabase.close();
    expect(server.errors()).toEqual([]);
    expect(await server.stop()).toBe(0);
  }
}

beforeAll(async () => {
  const owner = unprivilegedUser();
  execFileSync('mkdir', ['-p', archive]);
  if (owner) execFileSync('chown', ['-R', owner, folder]);
  cluster = await startCluster({
    isDurable: true,
    settings: {
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  });
  db = await openDatabase({ databaseUrl: cluster.url, dataDir: folder, log });
  await seedBase(db);
  await add(db, 'countries', { name: 'Backup 1' });
});
afterAll(async () => {
  await db?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the server starts on a restored dump, with its rows', { timeout: 120_000 }, async () => {
  const file = join(folder, 'sweepline.dump');
  run('pg_dump', ['-Fc', '-f', file, cluster.url]);
  await add(db, 'countries', { name: 'Backup 2' });
  await db.rows(sql`create database restored`);
  const url = cluster.url.replace(/\/postgres$/, '/restored');
  run('pg_restore', ['--exit-on-error', '--no-owner', '-d', url, file]);
  expect(await serveDatabase(url)).toEqual(['Backup 1']);
});

test('a base backup and the archived WAL restore a point in time: all changes before it, and none after', {
  timeout: 180_000,
}, async () => {
  const base = join(folder, 'base');
  run('pg_basebackup', ['-d', cluster.url, '-D', base, '-X', 'none', '--checkpoint=fast']);
  await add(db, 'countries', { name: 'Backup 3' });
  const { at: targetTime } = (await db.selectOne({ at: pg.text }, sql`select clock_timestamp()::text as at`)) as {
    at: string;
  };
  await new Promise((resolve) => setTimeout(resolve, 50));
  await add(db, 'countries', { name: 'Backup 4' });
  const { file } = (await db.selectOne({ file: pg.text }, sql`select pg_walfile_name(pg_switch_wal()) as file`)) as {
    file: string;
  };
  await expect.poll(() => existsSync(join(archive, file)), { timeout: 30_000 }).toBe(true);
  const restoredCluster = await startCluster({
    createData: (data) => {
      run('cp', ['-a', base, data]);
      writeFileSync(join(data, 'recovery.signal'), '');
      appendFileSync(
        join(data, 'postgresql.auto.conf'),
        `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${targetTime}'\nrecovery_target_action = 'promote'\n`,
      );
      const owner = unprivilegedUser();
      if (owner) execFileSync('chown', ['-R', owner, data]);
    },
  });
  try {
    await expect
      .poll(
        async () => {
          const reader = await openDatabase({ databaseUrl: restoredCluster.url, dataDir: folder, log }).catch(
            () => undefined,
          );
          const row = await reader?.one(sql`select pg_is_in_recovery() as recovering`);
          await reader?.close();
          return row?.recovering;
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBe(false);
    expect(await serveDatabase(restoredCluster.url)).toEqual(['Backup 1', 'Backup 2', 'Backup 3']);
    expect(await readNames(db)).toEqual(['Backup 1', 'Backup 2', 'Backup 3', 'Backup 4']);
  } finally {
    await restoredCluster.stop();
  }
});
