/** The job queue: jobs are enqueued in a transaction, run by one worker at a time, and completed once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { committedMigrations } from '../../server/db/migrations/migrate';
import { openDatabase } from '../../server/db/open/openDatabase';
import { cancelJob, enqueue, expireLeases, type LeasedJob, leaseSeconds } from '../../server/jobs/jobQueue';
import { type JobKind, runDueJobs, startJobWorker } from '../../server/jobs/jobWorker';
import { createDeferred } from '../support/deferred';
import { add } from '../support/rows';
import { databaseKind, startTestApp, type TestApp } from '../support/startTestApp';
import { addWorld } from '../support/world';

interface Payload {
  n: number;
}

const log = pino({ level: 'silent' });
let app: TestApp;
let otherDatabase: Database;
let currentTime = new Date('2026-10-01T10:00:00Z');
const now = () => currentTime;
/** Services of two processes on PostgreSQL, or of one on the embedded database. */
let services: { db: Database; log: typeof log; now: () => Date }[];
const stopWorkers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  app = await startTestApp();
  otherDatabase =
    databaseKind === 'postgres'
      ? await openDatabase({ databaseUrl: app.services.env.databaseUrl, dataDir: app.dataDir, log })
      : app.db;
  services = [app.db, otherDatabase].map((db) => ({ db, log, now }));
});
afterAll(async () => {
  if (otherDatabase !== app.db) await otherDatabase.close();
  await app.close();
});
afterEach(async () => {
  for (const stop of stopWorkers.splice(0)) await stop();
  await app.db.rows(sql`delete from jobs`);
});

const createKind = (values: Partial<JobKind<Payload>> = {}): JobKind<Payload> => ({
  kind: 'proof',
  concurrency: 4,
  backOff: (attempts) => [30, 120][attempts - 1],
  run: async () => ({ outcome: 'ok' }),
  ...values,
});
const enqueueJob = (number: number, values: { dedupeKey?: string; secret?: Buffer } = {}) =>
  app.db.transaction((tx) => enqueue(tx, 'proof', { payload: { n: number }, runAt: now(), ...values }));
const readStored = () =>
  app.db.select(
    {
      n: pg.integer.nullable,
      state: pg.text,
      outcome: pg.text.nullable,
      attempts: pg.integer,
      error: pg.text.nullable,
    },
    sql`select (payload->>'n')::int as n, state, outcome, attempts, error from jobs order by 1`,
  );
const serviceAt = (index: number) => services[index] as (typeof services)[number];
const startWorker = (index: number, values: Partial<JobKind<Payload>>) => {
  const worker = startJobWorker(serviceAt(index), createKind(values));
  stopWorkers.push(() => worker.stop());
  return worker;
};
/** Starts a worker on a new job, which runs until the returned function is called. */
async function startLongJob(values: Partial<JobKind<Payload>> = {}): Promise<() => void> {
  const [leased, release] = [createDeferred(), createDeferred()];
  await enqueueJob(1);
  startWorker(0, {
    ...values,
    run: async () => {
      leased.resolve();
      await release.promise;
      return { outcome: 'ok' };
    },
  });
  await leased.promise;
  return release.resolve;
}

test('a job exists after its transaction commits, and only once per key', async () => {
  await app.db
    .transaction(async (tx) => {
      await enqueue(tx, 'proof', { payload: { n: 1 }, runAt: now() });
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  expect(await readStored()).toEqual([]);
  await Promise.all([enqueueJob(2, { dedupeKey: 'once' }), enqueueJob(2, { dedupeKey: 'once' })]);
  await runDueJobs(serviceAt(0), createKind());
  await enqueueJob(2, { dedupeKey: 'once' });
  await runDueJobs(serviceAt(0), createKind());
  expect(await readStored()).toEqual([{ n: 2, state: 'done', outcome: 'ok', attempts: 1, error: null }]);
});

test('two processes run each job once, within the concurrency limit of its kind', async () => {
  const finishedJobs: number[] = [];
  const runningJobs = [0, 0];
  let maxRunning = 0;
  for (const index of [0, 1])
    startWorker(index, {
      concurrency: 3,
      run: async ({ payload }) => {
        maxRunning = Math.max(maxRunning, ++(runningJobs as [number, number])[index as 0]);
        await sleep(5);
        (runningJobs as [number, number])[index as 0] -= 1;
        finishedJobs.push(payload.n);
        return { outcome: 'ok' };
      },
    });
  const jobNumbers = Array.from({ length: 40 }, (_, index) => index);
  for (const number of jobNumbers) await enqueueJob(number);
  await expect
    .poll(async () => (await readStored()).filter(({ state }) => state === 'done').length)
    .toBe(jobNumbers.length);
  expect(finishedJobs.sort((a, b) => a - b)).toEqual(jobNumbers);
  expect(maxRunning).toBeLessThanOrEqual(3);
});

test('a new job is picked up at its commit, long before the next poll', async () => {
  startWorker(1, {});
  // The worker's first poll has passed.
  await sleep(200);
  const startTime = performance.now();
  await enqueueJob(1);
  await expect.poll(async () => (await readStored())[0]?.state, { interval: 20 }).toBe('done');
  expect(performance.now() - startTime).toBeLessThan(4000);
});

test('a worker that has lost its lease stores neither a result nor the writes of that transaction', async () => {
  const firstRelease = createDeferred();
  const leased = createDeferred();
  const effects: string[] = [];
  const kindWithOutcome = (outcome: string, wait: Promise<void>) => ({
    run: async () => {
      leased.resolve();
      await wait;
      return {
        outcome,
        effects: async () => {
          effects.push(outcome);
        },
      };
    },
  });
  await enqueueJob(1);
  // Concurrency 1, because a second lane could lease the expired job for this worker again.
  startWorker(0, { ...kindWithOutcome('first', firstRelease.promise), concurrency: 1 });
  await leased.promise;
  // Simulates a worker that has missed its heartbeats.
  await expireLeases(app.db);
  await runDueJobs(serviceAt(1), createKind(kindWithOutcome('second', Promise.resolve())));
  expect(await readStored()).toMatchObject([{ state: 'done', outcome: 'second', attempts: 2 }]);
  firstRelease.resolve();
  await stopWorkers.pop()?.();
  expect(await readStored()).toMatchObject([{ state: 'done', outcome: 'second', attempts: 2 }]);
  expect(effects).toEqual(['second']);
});

/** Remaining seconds of the lease of the only job. */
const readLeaseSeconds = async () =>
  (
    await app.db.selectOne(
      { left: pg.double },
      sql`select extract(epoch from lease_until - now())::float8 as left from jobs`,
    )
  )?.left;

test('a lease is renewed as long as its worker runs', async () => {
  const endJob = await startLongJob();
  await app.db.rows(sql`update jobs set lease_until = now() + interval '14 seconds'`);
  await expect
    .poll(readLeaseSeconds, { timeout: leaseSeconds * 1000, interval: 500 })
    .toBeGreaterThan(leaseSeconds / 2);
  await runDueJobs(serviceAt(1), createKind({ run: async () => ({ outcome: 'second' }) }));
  endJob();
  await expect.poll(readStored).toMatchObject([{ state: 'done', attempts: 1 }]);
}, 60_000);

test('each kind can set its own lease', async () => {
  const endJob = await startLongJob({ lease: 5 });
  expect(await readLeaseSeconds()).toBeLessThan(leaseSeconds / 2);
  await app.db.rows(sql`update jobs set lease_until = now() + interval '1 hour'`);
  await expect.poll(readLeaseSeconds, { timeout: 15_000, interval: 200 }).toBeLessThan(leaseSeconds / 2);
  endJob();
  await expect.poll(readStored).toMatchObject([{ state: 'done' }]);
}, 30_000);

test('the effects of a job and its completion commit together', async () => {
  await enqueueJob(1);
  let isFirstAttempt = true;
  const kind = createKind({
    run: async () => ({
      outcome: 'ok',
      effects: async (tx) => {
        await enqueue(tx, 'follow-up', { payload: { n: 2 }, runAt: now() });
        if (isFirstAttempt) throw new Error('no room');
      },
    }),
  });
  await runDueJobs(serviceAt(0), kind);
  expect(await readStored()).toEqual([{ n: 1, state: 'queued', outcome: null, attempts: 1, error: 'no room' }]);
  isFirstAttempt = false;
  currentTime = new Date(currentTime.getTime() + 30_000);
  await runDueJobs(serviceAt(0), kind);
  expect(await readStored()).toMatchObject([
    { n: 1, state: 'done', attempts: 2 },
    { n: 2, state: 'queued' },
  ]);
});

test('a failed job is retried with growing back-off and then becomes a dead letter, after a permanent error at once', async () => {
  const attemptedNumbers: number[] = [];
  const dead: number[] = [];
  const kind = createKind({
    run: async ({ payload }) => {
      attemptedNumbers.push(payload.n);
      throw new Error(payload.n === 1 ? 'busy' : 'refused');
    },
    isHopeless: (error) => (error as Error).message === 'refused',
    onDead: async (_, { payload }) => {
      dead.push(payload.n);
    },
  });
  await enqueueJob(1);
  await enqueueJob(2, { secret: Buffer.from('sealed') });
  await runDueJobs(serviceAt(0), kind);
  expect(await readStored()).toMatchObject([
    { n: 1, state: 'queued', attempts: 1, error: 'busy' },
    { n: 2, state: 'dead', attempts: 1, error: 'refused' },
  ]);
  for (const seconds of [29, 1, 119, 1]) {
    currentTime = new Date(currentTime.getTime() + seconds * 1000);
    await runDueJobs(serviceAt(1), kind);
  }
  expect((await readStored())[0]).toMatchObject({ state: 'dead', outcome: null, attempts: 3 });
  expect([attemptedNumbers.filter((number) => number === 1).length, dead.sort()]).toEqual([3, [1, 2]]);
  expect(await app.db.rows(sql`select 1 from jobs where secret is not null`)).toEqual([]);
});

test('a job that kills its process each time becomes a dead letter after its last attempt', async () => {
  await enqueueJob(1);
  const attemptNumbers: number[] = [];
  const kind = createKind({
    run: async ({ attempts }) => {
      attemptNumbers.push(attempts);
      return { outcome: 'ok' };
    },
  });
  await app.db.rows(sql`update jobs set state = 'running', worker = gen_random_uuid(), attempts = 3`);
  await expireLeases(app.db);
  await runDueJobs(serviceAt(0), kind);
  expect([await readStored(), attemptNumbers]).toMatchObject([[{ state: 'dead', attempts: 4 }], []]);
});

test('while the server behind a kind is down, its jobs are postponed together without counting an attempt', async () => {
  let isDown = true;
  const attemptedJobs: number[] = [];
  for (const number of [1, 2, 3, 4, 5, 6]) await enqueueJob(number);
  startWorker(0, {
    concurrency: 2,
    run: async ({ payload }) => {
      attemptedJobs.push(payload.n);
      if (isDown) throw new Error('away');
      return { outcome: 'ok' };
    },
    isServerDown: () => true,
  });
  await expect.poll(async () => (await readStored()).filter(({ error }) => error === 'away').length).toBeGreaterThan(0);
  await sleep(300);
  // Two were running when the first of them failed.
  expect(attemptedJobs.length).toBeLessThanOrEqual(2);
  expect((await readStored()).every(({ state, attempts }) => state === 'queued' && attempts === 0)).toBe(true);
  isDown = false;
  await expect
    .poll(async () => (await readStored()).every(({ state }) => state === 'done'), { timeout: 20_000 })
    .toBe(true);
});

test('cancelling a job prevents its run or aborts its signal, and deletes its secret', async () => {
  await enqueueJob(1, { dedupeKey: 'waiting', secret: Buffer.from('sealed') });
  expect(await cancelJob(app.db, 'proof', 'waiting')).toBe(true);
  const aborted = createDeferred();
  const leases: LeasedJob[] = [];
  await enqueueJob(2, { dedupeKey: 'running', secret: Buffer.from('sealed') });
  startWorker(0, {
    run: async (job, signal) => {
      leases.push(job);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted.resolve();
      return { outcome: 'ok' };
    },
  });
  await expect.poll(() => leases.length).toBe(1);
  expect(await cancelJob(app.db, 'proof', 'running')).toBe(true);
  await aborted.promise;
  await stopWorkers.pop()?.();
  expect(await readStored()).toMatchObject([
    { n: 1, state: 'cancelled', attempts: 0 },
    { n: 2, state: 'cancelled', outcome: null },
  ]);
  expect(leases.map(({ payload }) => payload)).toEqual([{ n: 2 }]);
  expect(await app.db.rows(sql`select 1 from jobs where secret is not null`)).toEqual([]);
}, 60_000);

test('a running job does not block the database', async () => {
  const endJob = await startLongJob();
  expect(await app.db.transaction((tx) => tx.one(sql`select 1 as one`))).toEqual({ one: 1 });
  expect(await readStored()).toMatchObject([{ state: 'running' }]);
  endJob();
});

test('unsent messages of the former tables become jobs with the same dedupe keys as later ones', async () => {
  const world = await addWorld(app.db);
  const { north } = world;
  const alert = await add(app.db, 'alerts', {
    client_id: north.client,
    machine_ids: [],
    metric: 'offline',
    state: 'open',
  });
  const schedule = await add(app.db, 'report_schedules', { client_id: north.client });
  await app.db.rows(sql`
    insert into alert_messages (alert_id, event, channel, user_id, payload, created_at, due_at, tries, outcome) values
      (${alert}, 'fired', 'email', ${world.admin}, null, now(), null, 1, 'sent'),
      (${alert}, 'reminder', 'email', ${world.admin}, null, now(), null, 1, 'sent'),
      (${alert}, 'closed', 'webhook', null, '{"event": "alert_closed"}', now(), now(), 2, null)`);
  await app.db.rows(sql`
    insert into report_messages (schedule_id, email, turn_at, due_at) values (${schedule}, 'a@example.com', now(), now())`);
  const [migration] = committedMigrations().filter(({ tag }) => tag === '0016_jobs');
  const statements = migration?.statements.filter((statement) => /^\s*(INSERT|UPDATE)/.test(statement)) ?? [];
  expect(statements).toHaveLength(4);
  for (let round = 0; round < 2; round += 1) for (const statement of statements) await app.db.rows(sql.raw(statement));
  expect(
    await app.db.select(
      { kind: pg.text, key: pg.text, state: pg.text, attempts: pg.integer, payload: pg.json() },
      sql`select kind, split_part(dedupe_key, '/', 2) as key, state, attempts, payload from jobs order by kind, state`,
    ),
  ).toMatchObject([
    { kind: 'alert_message', key: 'fired', state: 'done', attempts: 1 },
    { key: 'closed', state: 'queued', attempts: 2, payload: { channel: 'webhook', body: { event: 'alert_closed' } } },
    {
      kind: 'report_message',
      state: 'queued',
      attempts: 0,
      payload: { schedule_id: schedule, email: 'a@example.com' },
    },
  ]);
  for (const table of ['alert_messages', 'report_messages'])
    expect(await app.db.rows(sql`select 1 from ${sql.identifier(table)} where due_at is not null`)).toEqual([]);
});

test('the metrics count jobs by outcome', async () => {
  await enqueueJob(1);
  await runDueJobs(serviceAt(0), createKind());
  expect(await app.app.metrics.registry.getSingleMetricAsString('job_duration_seconds')).toMatch(
    /job_duration_seconds_count\{kind="proof",state="done"\} [1-9]/,
  );
});
