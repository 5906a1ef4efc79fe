/**
 * Connections under back-pressure, connections that are cut halfway, and transactions that never end: no statement
 * hangs, none runs outside its transaction, every wait ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, DatabaseAway } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { Connection } from '../../server/db/driver/connection';
import { ConnectionPool } from '../../server/db/driver/connectionPool';
import { createDatabase } from '../../server/db/driver/createDatabase';
import { runTransaction } from '../../server/db/driver/runTransaction';
import { sessionSettings } from '../../server/db/driver/sessionSettings';
import { Embedded } from '../../server/db/embedded/embedded';
import { unpackImage } from '../../server/db/embedded/image';
import { openDatabase } from '../../server/db/open/openDatabase';
import { type Cluster, freePort, startCluster } from '../support/startCluster';

const log = pino({ level: 'silent' });
const folder = mkdtempSync(join(tmpdir(), 'sweepline-pressure-'));
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A stream that accepts one write at a time: every write reports back-pressure and is followed by `drain`. */
function limitWrites(inner: Duplex, streams: Duplex[]): Duplex {
  const duplex: Duplex = new Duplex({
    highWaterMark: 1,
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      inner.write(chunk);
      setImmediate(done);
    },
    final: (done) => {
      inner.end();
      done();
    },
    destroy: (error, done) => {
      inner.destroy();
      done(error);
    },
  });
  inner.on('data', (bytes: Buffer) => duplex.push(bytes));
  inner.on('close', () => duplex.destroy());
  inner.on('error', (error) => duplex.destroy(error));
  streams.push(duplex);
  return Object.assign(duplex, { readyState: 'open' });
}

interface NarrowStreams {
  db: Database;
  pool: ConnectionPool;
  /** The streams of the connections opened so far. */
  opened: Duplex[];
  close(): Promise<void>;
}

async function openNarrowStreams(kind: Database['kind']): Promise<NarrowStreams> {
  const openSockets: Duplex[] = [];
  const directory = join(folder, `narrow-${Math.random()}`);
  if (kind === 'pglite') await unpackImage(directory);
  const embedded = new Embedded(directory);
  const openSocket = async () =>
    limitWrites(
      kind === 'pglite'
        ? await embedded.connect()
        : await new Promise<Duplex>((resolve) => {
            const socket = connect(cluster.port, '127.0.0.1', () => resolve(socket));
          }),
      openSockets,
    );
  const open = () =>
    Connection.open({
      user: 'postgres',
      database: 'postgres',
      settings: sessionSettings,
      connectTimeout: 60_000,
      answerTimeout: 60_000,
      openSocket,
    });
  const pool = new ConnectionPool({
    name: 'queries',
    open,
    ...(kind === 'pglite' ? { max: 1, depth: Number.POSITIVE_INFINITY } : { max: 3 }),
  });
  const close = async () => {
    await pool.close();
    if (kind === 'pglite') await embedded.close();
  };
  const refuseUse = () => Promise.reject(new Error('Not part of this test.'));
  const options = {
    kind,
    pool,
    streams: pool,
    listen: refuseUse,
    claims: { claim: refuseUse, unclaim: refuseUse, claims: refuseUse },
    close,
    log: console,
  };
  return { db: createDatabase(options), pool, opened: openSockets, close };
}

for (const kind of ['pglite', 'postgres'] as const)
  describe(kind, () => {
    let narrowStreams: NarrowStreams;
    let db: Database;
    const streamNumbers = () => db.stream({ n: pg.integer }, sql`select * from generate_series(1, 5000) n`, 100);
    beforeAll(async () => {
      narrowStreams = await openNarrowStreams(kind);
      db = narrowStreams.db;
      await db.rows(sql`create table counters (name text primary key, n int not null)`);
      await db.rows(sql`insert into counters values ('a', 0), ('b', 0)`);
    });
    afterAll(async () => {
      await db?.rows(sql`drop table counters`);
      await narrowStreams?.close();
    });

    test('answers 300 transactions and 600 other concurrent statements under back-pressure, with exact sums', async () => {
      const longText = 'x'.repeat(20_000);
      const transactions = Array.from({ length: 300 }, (_, i) =>
        db.transaction(async (tx) => {
          await tx.rows(sql`update counters set n = n + 1 where name = 'a'`);
          expect(await tx.one(sql`select length(${longText}::text) as n`)).toEqual({ n: 20_000 });
          if (i % 3 === 0) throw new Error('rolled back');
          await tx.rows(sql`update counters set n = n + 1 where name = 'b'`);
        }),
      );
      const statements = Array.from({ length: 600 }, (_, i) =>
        db.selectOne({ n: pg.integer }, sql`select ${i}::int as n, length(${longText}::text) as l`),
      );
      const outcomes = await Promise.allSettled(transactions);
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(100);
      expect((await Promise.all(statements)).map((row) => row?.n)).toEqual(Array.from({ length: 600 }, (_, i) => i));
      expect(await db.rows(sql`select name, n from counters order by name`)).toEqual([
        { name: 'a', n: 200 },
        { name: 'b', n: 200 },
      ]);
    });

    test('after a connection is cut, its transaction fails with "away", its later statements are rejected, and the next transaction works', async () => {
      const rowBefore = await db.one(sql`select n from counters where name = 'a'`);
      let laterQuery: Promise<unknown> | undefined;
      const transaction = db.transaction(async (tx) => {
        await tx.rows(sql`update counters set n = n + 1 where name = 'a'`);
        // Two statements wait in the driver when the connection drops; they must not run on the next connection.
        const pendingUpdates = [1, 2].map(() =>
          tx.rows(sql`update counters set n = n + ${1000}::int where name = 'a'`),
        );
        for (const stream of narrowStreams.opened) stream.destroy();
        laterQuery = Promise.allSettled(pendingUpdates).then(() =>
          tx.rows(sql`update counters set n = n + 1000 where name = 'a'`),
        );
        laterQuery.catch(() => undefined);
        await Promise.all(pendingUpdates);
      });
      await expect(transaction).rejects.toBeInstanceOf(DatabaseAway);
      await expect(laterQuery).rejects.toBeInstanceOf(DatabaseAway);
      expect(await db.one(sql`select n from counters where name = 'a'`)).toEqual(rowBefore);
    });

    test('a connection cut during ordered statements, or while a stream is read, is not reused', async () => {
      const inOrder = db.inOrder(async (queries) => {
        await queries.rows(sql`select 1`);
        for (const stream of narrowStreams.opened) stream.destroy();
        await queries.rows(sql`select 2`);
      });
      await expect(inOrder).rejects.toBeInstanceOf(DatabaseAway);
      const readStream = async () => {
        let count = 0;
        for await (const rows of streamNumbers()) {
          for (const socket of narrowStreams.opened) socket.destroy();
          count += rows.length;
        }
        return count;
      };
      // A server has sent the whole result before the first rows are yielded.
      if (kind === 'postgres') expect(await readStream()).toBe(5000);
      else await expect(readStream()).rejects.toThrow();
      // A statement may still fail on a connection whose end has not been noticed.
      await expect.poll(() => db.one(sql`select 1 as one`).catch(() => undefined)).toEqual({ one: 1 });
    });

    test('streams that are read slowly occupy no connection', async () => {
      const streams = Array.from({ length: 5 }, () => streamNumbers()[Symbol.asyncIterator]());
      const batches = await Promise.all(streams.map((stream) => stream.next()));
      expect(batches.map(({ value }) => value?.length)).toEqual([100, 100, 100, 100, 100]);
      expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
      await Promise.all(streams.map((stream) => stream.return?.()));
    });

    test('an idle transaction is rolled back, and queries waiting for its connection are served', async () => {
      let lateResult: Promise<unknown> | undefined;
      const idle = runTransaction(
        narrowStreams.pool,
        async (lease) => {
          await lease.query(`update counters set n = n + 1000 where name = 'b'`);
          await new Promise((resolve) => setTimeout(resolve, 900));
          lateResult = lease.query(`update counters set n = n + 1000 where name = 'b'`);
          lateResult.catch(() => undefined);
          return lateResult;
        },
        { maxIdle: 200 },
      );
      await expect(idle).rejects.toThrow('issued no statement for 200 ms');
      expect(await db.one(sql`select n from counters where name = 'b'`)).toEqual({ n: 200 });
      await expect.poll(() => lateResult !== undefined).toBe(true);
      await expect(lateResult).rejects.toBeInstanceOf(DatabaseAway);
    });

    test('a failed statement fails its transaction even if the callback catches the error', async () => {
      const transaction = db.transaction(async (tx) => {
        await tx.rows(sql`select 1 / 0`).catch(() => undefined);
        return 'done';
      });
      await expect(transaction).rejects.toThrow('division by zero');
    });

    test('a failed statement fails its transaction even if the callback does not wait for it', async () => {
      const rowBefore = await db.one(sql`select n from counters where name = 'a'`);
      const transaction = db.transaction(async (tx) => {
        await tx.rows(sql`update counters set n = n + 1 where name = 'a'`);
        tx.rows(sql`select 1 / 0`).catch(() => undefined);
        return 'done';
      });
      await expect(transaction).rejects.toThrow('division by zero');
      expect(await db.one(sql`select n from counters where name = 'a'`)).toEqual(rowBefore);
    });

    test('rolling back to a savepoint after a failed statement discards only later statements', async () => {
      const rowBefore = await db.selectOne({ n: pg.integer }, sql`select n from counters where name = 'b'`);
      await db.transaction(async (tx) => {
        await tx.rows(sql`update counters set n = n + 1 where name = 'b'`);
        await tx.rows(sql`savepoint half`);
        await tx.rows(sql`insert into counters values ('b', 0)`).catch(() => undefined);
        await tx.rows(sql`rollback to savepoint half`);
      });
      expect(await db.one(sql`select n from counters where name = 'b'`)).toEqual({ n: (rowBefore?.n ?? 0) + 1 });
    });

    test('after a reset every connection is new, and pending statements have failed', async () => {
      const runningQuery = db
        .transaction((tx) => tx.rows(sql`select count(*) from generate_series(1, 30000000)`))
        .catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const countBefore = narrowStreams.opened.length;
      db.reset(new Error('A fault of the driver'));
      expect(await runningQuery).toBeInstanceOf(DatabaseAway);
      expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
      expect(narrowStreams.opened.length).toBeGreaterThan(countBefore);
    });
  });

describe('several hosts that are all down', () => {
  for (const [name, host] of [
    ['refuse connections', async () => `127.0.0.1:${await freePort()}`],
    ['never answer', startSilentHost],
  ] as const)
    test(`and ${name}: opening the database fails with "away" within four seconds`, async () => {
      const hosts = await Promise.all([1, 2, 3].map(() => host()));
      const startedAt = performance.now();
      const url = `postgres://postgres@${hosts.join(',')}/postgres`;
      await expect(openDatabase({ databaseUrl: url, dataDir: folder, log, timeout: 1 })).rejects.toBeInstanceOf(
        DatabaseAway,
      );
      expect(performance.now() - startedAt).toBeLessThan(4000);
    });
});

/** Starts a host that accepts connections and never responds. */
async function startSilentHost(): Promise<string> {
  const { createServer } = await import('node:net');
  const server = createServer(() => {}).unref();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `127.0.0.1:${port}`;
}
