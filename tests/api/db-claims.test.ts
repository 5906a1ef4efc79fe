/**
 * Claims of a process that is cut off pass to another one, although nothing tells the server that the process is gone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, DatabaseAway } from '../../server/db/core/database';
import { openDatabase } from '../../server/db/open/openDatabase';
import { type Cluster, startCluster } from '../support/startCluster';
import { type Link, startLink } from '../support/startLink';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'sweepline-claims-'));
const key = 4711;
let cluster: Cluster;
let links: [Link, Link];
let dbs: [Database, Database];
beforeAll(async () => {
  cluster = await startCluster();
  links = [await startLink(cluster.port), await startLink(cluster.port)];
  const open = ({ port }: Link) =>
    openDatabase({ databaseUrl: `postgres://postgres@127.0.0.1:${port}/postgres`, dataDir: folder, log });
  dbs = [await open(links[0]), await open(links[1])];
});
afterAll(async () => {
  for (const link of links ?? []) link.setState('open');
  for (const db of dbs ?? []) await db.close();
  for (const link of links ?? []) await link.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Concurrent, since both tests mostly wait, each on its own connections.
test.concurrent('a claim lasts while its process runs, even if it is idle', async () => {
  const [first, second] = dbs;
  expect(await first.claim(key)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(await second.claim(key)).toBe(false);
});

test.concurrent('a transaction that pauses for 6.5 s between statements keeps its session', async () => {
  const [first] = dbs;
  const transaction = first.transaction(async (tx) => {
    await tx.rows(sql`select 1`);
    await new Promise((resolve) => setTimeout(resolve, 6500));
    return tx.one(sql`select 2 as n`);
  });
  expect(await transaction).toEqual({ n: 2 });
});

const disconnections: [name: string, disconnect: (link: Link) => void][] = [
  ['before its statement', (link) => link.setState('stalled')],
  // Between two messages of one statement no time limit of idle sessions applies.
  ['while the server answers', (link) => link.stallAfterNextResponse()],
];

test.each(
  disconnections,
)('a process that is cut off %s loses its claims to another one, and notices the loss', async (_, disconnect) => {
  const [first, second] = dbs;
  expect(await first.claim(key)).toBe(true);
  disconnect(links[0]);
  const start = performance.now();
  const pendingClaim = first.claim(key + 1).catch((error: unknown) => error);
  await expect.poll(() => second.claim(key), { interval: 100, timeout: 10_000 }).toBe(true);
  console.info(`taken over after ${Math.round(performance.now() - start)} ms`);
  await pendingClaim;
  links[0].setState('open');
  await expect.poll(() => first.claim(key).catch(() => 'away'), { interval: 100 }).toBe(false);
  await second.unclaim(key);
});

test('any transaction that is cut off releases its row locks soon', async () => {
  const [first, second] = dbs;
  await second.rows(sql`create table counters as select 1 as n`);
  const failure = first
    .transaction(async (tx) => {
      await tx.rows(sql`update counters set n = n + 1000`);
      links[0].setState('stalled');
      await second.rows(sql`update counters set n = n + 1`);
      links[0].setState('open');
      await tx.rows(sql`update counters set n = n + 1000`);
    })
    .catch((error: unknown) => error);
  expect(await failure).toBeInstanceOf(DatabaseAway);
  expect(await second.one(sql`select n from counters`)).toEqual({ n: 2 });
});
