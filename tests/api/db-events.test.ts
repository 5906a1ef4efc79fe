/** Events of several processes on one PostgreSQL: writers do not wait for each other, and no reader misses an event. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '../../server/auth/sessions';
import type { LiveEvent } from '../../server/context/eventBus';
import { seedBase } from '../../server/db/base/seedBase';
import { advisoryLocks } from '../../server/db/core/advisoryLocks';
import { olderApplicationName } from '../../server/db/core/applicationName';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { openDatabase } from '../../server/db/open/openDatabase';
import { createEventBus } from '../../server/realtime/createEventBus';
import { readEvents } from '../../src/providers/readEvents';
import { type Cluster, startCluster } from '../support/startCluster';
import { type Server, startServer } from '../support/startServer';
import { addWorld, type World } from '../support/world';

const folder = mkdtempSync(join(tmpdir(), 'sweepline-events-'));
const log = pino({ level: 'silent' });
let cluster: Cluster;
let databases: Database[];
let world: World;
/** Connections of writers whose commits the tests decide. */
let connections: postgres.Sql;
const cleanUpSteps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  const open = () => openDatabase({ databaseUrl: cluster.url, dataDir: folder, log });
  databases = [await open(), await open()];
  await seedBase(db());
  world = await addWorld(db());
  connections = postgres(cluster.url, { max: 20, onnotice: () => {} });
});
afterEach(async () => {
  for (const close of cleanUpSteps.splice(0).reverse()) await close();
});
afterAll(async () => {
  await connections?.end();
  for (const database of databases ?? []) await database.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const db = (process = 0) => databases[process] as Database;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const createdEvent = (id: number): LiveEvent => ({ entity: 'types', id, type: 'created' });

/** Opens the event bus of a process and records the ids that it delivers. */
async function openBus(process = 0) {
  const { live, close } = await createEventBus({ db: db(process), log });
  cleanUpSteps.push(close);
  const ids: number[] = [];
  live.subscribe((events) => ids.push(...events.map(({ eventId }) => eventId)));
  return { live, ids };
}

const readIdsAfter = async (id: number) =>
  (await db().select({ id: pg.integer }, sql`select id from events where id > ${id}::bigint order by id`)).map(
    (row) => row.id,
  );
const readLastId = async () => (await readIdsAfter(0)).at(-1) ?? 0;

/** Starts to write events in a separate transaction, as another process does. */
async function beginWriting({ isOlder = false } = {}) {
  const connection = await connections.reserve();
  const lock = isOlder ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  let isOpen = true;
  const end = async (command: 'commit' | 'rollback') => {
    if (!isOpen) return;
    isOpen = false;
    if (command === 'commit') await connection`select pg_notify('sweepline_events', '')`;
    await connection.unsafe(command);
    connection.release();
  };
  cleanUpSteps.push(() => end('rollback'));
  await connection.unsafe('begin');
  await connection.unsafe(`select ${lock}(${advisoryLocks.events})`);
  return {
    /** Takes the next number. Its event becomes visible with the commit. */
    insert: () => connection`insert into events (entity, row_id, type) values ('types', 1, 'created')`,
    commit: () => end('commit'),
    rollback: () => end('rollback'),
  };
}

/** Writers that commit or roll back some time after they have taken their numbers. */
async function writeAtRandom(writers: number, transactions: number): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async (_, index) => {
      for (let count = 0; count < transactions; count += 1) {
        const { insert, commit, rollback } = await beginWriting({ isOlder: index === 0 && count % 5 === 0 });
        for (let events = Math.ceil(Math.random() * 3); events > 0; events -= 1) {
          await insert();
          await pause(Math.random() * 15);
        }
        await (Math.random() < 0.2 ? rollback : commit)();
      }
    }),
  );
}

test('a bus that cannot publish is closed all the same', async () => {
  const failingDatabase: Database = Object.create(db(), {
    rows: { value: () => Promise.reject(new Error('The database is away.')) },
  });
  const { live, close } = await createEventBus({ db: failingDatabase, log });
  const outcomes = await Promise.allSettled([live.publish([createdEvent(1)]), close()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

describe('a reader', () => {
  test('receives each event once and in order, however late writers commit', async () => {
    const idBefore = await readLastId();
    const buses = [await openBus(0), await openBus(1)];
    let hasEnded = false;
    // A reader that continued after the highest visible number would miss events, because the commits are late enough.
    const naiveIds: number[] = [];
    const readNaively = (async () => {
      while (!hasEnded) naiveIds.push(...(await readIdsAfter(naiveIds.at(-1) ?? idBefore)));
    })();
    const publishers = buses.map(async ({ live }) => {
      for (let count = 0; count < 20; count += 1) await live.publish([createdEvent(1), createdEvent(2)]);
    });
    await Promise.all([writeAtRandom(12, 20), ...publishers]);
    hasEnded = true;
    await readNaively;
    const writtenIds = await readIdsAfter(idBefore);
    for (const { ids } of buses) {
      await expect.poll(() => ids.length).toBe(writtenIds.length);
      expect(ids).toEqual(writtenIds);
    }
    expect(naiveIds.length).toBeLessThan(writtenIds.length);
  });

  test('waits for a number that a writer has taken, and skips it when the writer rolls back', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { live, ids } = await openBus();
      const idBefore = await readLastId();
      const writer = await beginWriting();
      await live.publish([createdEvent(1)]);
      await expect.poll(() => ids.length).toBe(1);
      await writer.insert();
      await live.publish([createdEvent(2)]);
      await pause(300);
      expect(ids).toHaveLength(1);
      expect(live.position).toBe(ids[0]);
      await writer[end]();
      await expect.poll(() => live.position).toBe(await readLastId());
      expect(ids).toEqual(await readIdsAfter(idBefore));
      expect(ids).toHaveLength(end === 'commit' ? 3 : 2);
    }
  });

  test('does not wait for a long transaction that writes something else', async () => {
    const { live, ids } = await openBus();
    const connection = await connections.reserve();
    cleanUpSteps.push(async () => {
      await connection.unsafe('rollback');
      connection.release();
    });
    await connection.unsafe('begin isolation level repeatable read');
    await connection.unsafe('create table held_back (id int)');
    const abandonedWrite = await beginWriting();
    await abandonedWrite.insert();
    await abandonedWrite.rollback();
    await live.publish([createdEvent(1)]);
    await expect.poll(() => ids.length, { timeout: 2000, interval: 20 }).toBe(1);
  });

  test('that starts while a writer holds a number waits for it before it chooses its position', async () => {
    const { live } = await openBus(1);
    const writer = await beginWriting();
    await writer.insert();
    await live.publish([createdEvent(1)]);
    const startingBus = openBus();
    let hasStarted = false;
    void startingBus.then(() => {
      hasStarted = true;
    });
    await pause(200);
    expect(hasStarted).toBe(false);
    await writer.commit();
    await startingBus;
  });
});

describe('writers', () => {
  test('do not wait for each other', async () => {
    const { live } = await openBus();
    const idBefore = await readLastId();
    const writer = await beginWriting();
    await writer.insert();
    await live.publish([createdEvent(1)]);
    expect(await readIdsAfter(idBefore)).toHaveLength(1);
    await writer.commit();
    expect(await readIdsAfter(idBefore)).toHaveLength(2);
  });

  test('take turns while a process of an older version runs, because its reader skips events that become visible late', async () => {
    const olderConnection = postgres(cluster.url, { max: 1, connection: { application_name: olderApplicationName } });
    await olderConnection`select 1`;
    cleanUpSteps.push(() => olderConnection.end());
    const { live } = await openBus();
    const idBefore = await readLastId();
    const writer = await beginWriting();
    await writer.insert();
    let isPublished = false;
    const publication = live.publish([createdEvent(1)]).then(() => {
      isPublished = true;
    });
    await pause(300);
    expect(isPublished).toBe(false);
    await writer.commit();
    await publication;
    expect(await readIdsAfter(idBefore)).toHaveLength(2);
  });
});

describe('a page', () => {
  let servers: Server[];
  beforeAll(async () => {
    const env = {
      DATABASE_URL: cluster.url,
      SWEEPLINE_DEMO: '0',
      RATE_LIMIT: 'off',
      SWEEPLINE_SECRET: 'a secret that both processes share, long enough',
    };
    servers = await Promise.all([1, 2].map(() => startServer({ fromSources: true, env })));
  });
  afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

  test('that changes processes with Last-Event-ID misses no event and receives none twice', async () => {
    const idBefore = await readLastId();
    const token = await db().transaction((tx) => createSession(tx, world.admin));
    const buses = [await openBus(0), await openBus(1)];
    let hasEnded = false;
    const publishers = buses.map(async ({ live }) => {
      for (let count = 0; count < 30; count += 1) await live.publish([createdEvent(1), createdEvent(2)]);
    });
    const pendingWrites = Promise.all([writeAtRandom(8, 60), ...publishers]).finally(() => {
      hasEnded = true;
    });
    const ids: number[] = [];
    for (let visit = 0; !hasEnded || ids.length < (await readIdsAfter(idBefore)).length; visit += 1) {
      const controller = new AbortController();
      const response = await fetch(`${servers[visit % 2]?.url}/api/v1/events`, {
        headers: { Authorization: `Bearer ${token}`, 'Last-Event-ID': String(ids.at(-1) ?? idBefore) },
        signal: controller.signal,
      });
      expect(response.status).toBe(200);
      setTimeout(() => controller.abort(), 60 + Math.random() * 600);
      try {
        for await (const { id, event, data } of readEvents(response.body)) {
          expect(event).not.toBe('reset');
          if (data && event === 'message') ids.push(Number(id));
        }
      } catch {
        expect(controller.signal.aborted).toBe(true);
      }
    }
    await pendingWrites;
    expect(ids).toEqual(await readIdsAfter(idBefore));
  });
});
