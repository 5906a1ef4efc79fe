/** Fair order of imports: many imports of one user do not delay those of others. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { committedMigrations } from '../../server/db/migrations/migrate';
import type { ImportPayload } from '../../server/features/imports/enqueueStep';
import { ImportTurns } from '../../server/features/imports/importTurns';
import { endJob, enqueue, type LeasedJob, leaseJob } from '../../server/jobs/jobQueue';
import { importFile } from '../support/importFile';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

/** A kind of job unknown to the server's worker, which therefore ignores these jobs. */
const kind = 'import_proof';
let importCount = 0;
const enqueueJob = (user_id: number) =>
  app.db.transaction((tx) =>
    enqueue(tx, kind, { payload: { import_id: ++importCount, user_id }, runAt: app.services.now() }),
  );
const leaseNext = async (turns: ImportTurns) => {
  const job = await leaseJob<ImportPayload>(app.db, {
    kind,
    worker: randomUUID(),
    now: app.services.now(),
    claim: turns.order(),
    lease: 15,
  });
  if (job) turns.begin(job.payload.user_id);
  return job;
};
const endImport = async (turns: ImportTurns, job: LeasedJob<ImportPayload> | undefined) => {
  if (!job) throw new Error('There was no import left.');
  await endJob(app.db, job, { state: 'done', now: app.services.now() });
  turns.end(job.payload.user_id);
};

test('users take turns, with at most one running import each', async () => {
  const [userA, userB, userC] = [world.admin, world.north.users.partner, world.south.users.partner];
  for (const user of [userA, userA, userA, userA, userB, userB, userC]) await enqueueJob(user);
  const users = [userA, userB, userC];
  const turns = new ImportTurns();
  const firstTurns = [await leaseNext(turns), await leaseNext(turns)];
  expect(firstTurns.map((job) => users.indexOf(job?.payload.user_id as number))).toEqual([0, 1]);
  await endImport(turns, firstTurns[1]);
  const thirdTurn = await leaseNext(turns);
  await endImport(turns, thirdTurn);
  await endImport(turns, firstTurns[0]);
  const remainingJobs: Awaited<ReturnType<typeof leaseNext>>[] = [];
  for (let job = await leaseNext(turns); job; job = await leaseNext(turns)) {
    remainingJobs.push(job);
    await endImport(turns, job);
  }
  expect([thirdTurn, ...remainingJobs].map((job) => users.indexOf(job?.payload.user_id as number))).toEqual([
    2, 0, 1, 0, 0,
  ]);
  expect(new Set([...firstTurns, thirdTurn, ...remainingJobs].map((job) => job?.payload.import_id)).size).toBe(7);
});

test('a second import of the same user waits even if no other user has one', async () => {
  for (const user of [world.admin, world.admin]) await enqueueJob(user);
  const turns = new ImportTurns();
  const first = await leaseNext(turns);
  expect([first?.payload.user_id, await leaseNext(turns)]).toEqual([world.admin, undefined]);
  // Another process leases the second import once no other user is waiting.
  const otherTurns = new ImportTurns();
  await enqueueJob(world.north.users.partner);
  expect((await leaseNext(otherTurns))?.payload.user_id).toBe(world.north.users.partner);
  expect((await leaseNext(otherTurns))?.payload.user_id).toBe(world.admin);
});

test('imports queued by the previous version become jobs', async () => {
  const states = ['waiting', 'committing', 'undoing', 'checked', 'done', 'committing'];
  const ids: number[] = [];
  for (const [index, state] of states.entries()) {
    const row = await app.db.selectOne(
      { id: pg.integer },
      sql`
      with own as (
        insert into imports (file_name, resource, user_id, mode, state)
        values ('a.csv', 'machines', ${world.admin}::int, 'upsert', ${state}) returning id
      )
      insert into import_jobs (import_id, settings, commits, cancelled)
      select id, '{}', true, ${index === 5}::boolean from own returning import_id as id`,
    );
    ids.push(row?.id as number);
  }
  const [migration] = committedMigrations().filter(({ tag }) => tag === '0022_import_steps');
  const statements = migration?.statements.filter((statement) => /^\s*(INSERT|UPDATE)/.test(statement)) ?? [];
  expect(statements).toHaveLength(4);
  const result = await app.db.transaction(async (tx) => {
    for (const statement of [...statements, ...statements]) await tx.rows(sql.raw(statement));
    const rows = await tx.select(
      { id: pg.integer, state: pg.text, commits: pg.boolean, key: pg.text.nullable },
      sql`select i.id, i.state, j.commits, q.dedupe_key as key from imports i join import_jobs j on j.import_id = i.id
        left join jobs q on q.kind = 'import' and q.dedupe_key = i.id || '/' || j.step and q.state = 'queued'
        where i.id = any(${sql.param(ids)}::int[]) order by i.id`,
    );
    // The server itself must not lease them.
    await tx.rows(sql`delete from jobs where kind = 'import' and state = 'queued'`);
    await tx.rows(sql`delete from imports where id = any(${sql.param(ids)}::int[])`);
    return rows;
  });
  const key = (index: number) => `${ids[index]}/1`;
  expect(result.map(({ id: _, ...row }) => row)).toEqual([
    { state: 'waiting', commits: true, key: key(0) },
    { state: 'committing', commits: true, key: key(1) },
    { state: 'undoing', commits: true, key: key(2) },
    { state: 'checked', commits: true, key: null },
    { state: 'done', commits: true, key: null },
    { state: 'undoing', commits: false, key: key(5) },
  ]);
});

test('the single file of one user is read before the many files of another', async () => {
  const queuedImports: number[] = [];
  const send = async (text: string) => {
    const { status, body } = await uploadFile<{ data: { id: number } }>(app, world.admin, 'machines/import?dry_run=1', {
      name: 'a.csv',
      content: text,
    });
    expect(status).toBe(202);
    queuedImports.push(body.data.id);
  };
  const largeFile = `serial_number,fleet_id,type_id\n${Array.from({ length: 3000 }, (_, index) => `Q-${index},${world.north.fleets[0]},${world.type}\n`).join('')}`;
  for (let index = 0; index < 12; index += 1) await send(largeFile);
  const ownImport = await importFile(app, world.north.users.partner, 'machines', 'serial_number\nNorth-111\n');
  expect(ownImport.data.state).toBe('checked');
  const waitingImports = await app.db.selectOne(
    { n: pg.integer },
    sql`select count(*)::int as n from imports where id = any(${sql.param(queuedImports)}::int[]) and state = 'waiting'`,
  );
  expect(waitingImports?.n).toBeGreaterThanOrEqual(4);
  for (const id of queuedImports) await app.call(world.admin, 'POST', `imports/${id}/cancel`);
});
