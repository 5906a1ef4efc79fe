/**
 * A PostgreSQL server that goes down and returns: calls fail at once with a defined error, and everything works again
 * within five seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, DatabaseAway } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { createDeferred } from '../support/deferred';
import { type Cluster, freePort, startCluster } from '../support/startCluster';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'sweepline-away-'));
let cluster: Cluster;
let db: Database;
beforeAll(async () => {
  cluster = await startCluster({ isDurable: true });
  db = await openDatabase({ databaseUrl: cluster.url, dataDir: folder, log });
});
afterAll(async () => {
  await db?.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a transaction whose connection is cut fails with "away", as do its later queries', async () => {
  const release = createDeferred();
  let laterQuery: Promise<unknown> | undefined;
  const otherClient = postgres(cluster.url, { max: 1 });
  const work = db.transaction(async (tx) => {
    const [backend] = await tx.select({ pid: pg.integer }, sql`select pg_backend_pid() as pid`);
    laterQuery = release.promise.then(() => tx.rows(sql`select 1`));
    laterQuery.catch(() => undefined);
    await otherClient`select pg_terminate_backend(${backend?.pid ?? 0}::int)`;
    await laterQuery;
  });
  await expect(work).rejects.toBeInstanceOf(DatabaseAway);
  release.resolve();
  await expect(laterQuery).rejects.toBeInstanceOf(DatabaseAway);
  await db.ready();
  await otherClient.end();
});

describe('while the server is killed and restarted', () => {
  test('no acknowledged write is lost, calls fail with "away" at once, and recover within five seconds', async () => {
    const payloads: string[] = [];
    await db.listen('news', (payload) => payloads.push(payload));
    const acknowledgedNumbers: number[] = [];
    let isWriting = true;
    const failures: unknown[] = [];
    const writer = (async () => {
      for (let i = 0; isWriting; i += 1)
        await db.rows(sql`insert into types (name) values (${`T${i}`})`).then(
          () => acknowledgedNumbers.push(i),
          (error: unknown) => failures.push(error),
        );
    })();
    await expect.poll(() => acknowledgedNumbers.length).toBeGreaterThan(20);
    await cluster.kill();

    await expect.poll(() => failures.length).toBeGreaterThan(0);
    isWriting = false;
    await writer;
    for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseAway);
    const startedAt = performance.now();
    await expect(db.ready()).rejects.toBeInstanceOf(DatabaseAway);
    await expect(db.transaction((tx) => tx.rows(sql`select 1`))).rejects.toBeInstanceOf(DatabaseAway);
    expect(performance.now() - startedAt).toBeLessThan(4000);

    await cluster.restart();
    const reconnectedAt = performance.now();
    await expect
      .poll(
        () =>
          db.ready().then(
            () => true,
            () => false,
          ),
        { timeout: 5000, interval: 50 },
      )
      .toBe(true);
    expect(performance.now() - reconnectedAt).toBeLessThan(5000);
    const storedNames = new Set(
      (await db.select({ name: pg.text }, sql`select name from types`)).map(({ name }) => name),
    );
    expect(acknowledgedNumbers.filter((number) => !storedNames.has(`T${number}`))).toEqual([]);

    await expect
      .poll(
        async () => {
          await db.rows(sql`select pg_notify('news', 'back')`);
          return payloads.includes('back');
        },
        { timeout: 5000, interval: 100 },
      )
      .toBe(true);
  });
});

test('a database that refuses connections counts as down until it accepts them', async () => {
  const otherClient = postgres(cluster.url.replace(/\/postgres$/, '/template1'), { max: 1 });
  await otherClient`alter database postgres allow_connections false`;
  await otherClient`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'`;
  await expect.poll(() => db.ready().catch((error: unknown) => error)).toBeInstanceOf(DatabaseAway);
  await expect(db.rows(sql`select 1`)).rejects.toBeInstanceOf(DatabaseAway);
  await otherClient`alter database postgres allow_connections true`;
  await otherClient.end();
  await expect.poll(() => db.ready().then(() => 'back'), { timeout: 5000 }).toBe('back');
});

describe('with several hosts', () => {
  test('connects to the one that accepts writes', async () => {
    const unusedPort = await freePort();
    const multiHost = await openDatabase({
      databaseUrl: `postgres://postgres@127.0.0.1:${unusedPort},127.0.0.1:${cluster.port}/postgres`,
      dataDir: folder,
      log,
    });
    expect(await multiHost.one(sql`show transaction_read_only`)).toEqual({ transaction_read_only: 'off' });
    const batches: { one: number }[][] = [];
    for await (const rows of multiHost.stream({ one: pg.integer }, sql`select 1 as one`)) batches.push(rows);
    expect(batches).toEqual([[{ one: 1 }]]);
    await multiHost.close();
  });

  test('skips a read-only host', async () => {
    const reader = await startCluster();
    const admin = await openDatabase({ databaseUrl: reader.url, dataDir: folder, log });
    await admin.rows(sql`alter system set default_transaction_read_only = on`);
    await admin.rows(sql`select pg_reload_conf()`);
    await admin.close();
    const multiHost = await openDatabase({
      databaseUrl: `postgres://postgres@127.0.0.1:${reader.port},127.0.0.1:${cluster.port}/postgres`,
      dataDir: folder,
      log,
    });
    expect(await multiHost.one(sql`select current_setting('port')::int as port`)).toEqual({ port: cluster.port });
    await multiHost.close();
    await reader.stop();
  });
});

test('waiting for a server that never answers ends with a clear error', async () => {
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  await expect(openDatabase({ databaseUrl: url, dataDir: folder, log, timeout: 300 })).rejects.toBeInstanceOf(
    DatabaseAway,
  );
});
