/**
 * Imports of many rows. The embedded database serves other requests in between; PostgreSQL commits in one transaction.
 * Both store all rows or none.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importLimits, maxUnfinishedImports } from '../../schema/shared/imports';
import { pg, type RowOf } from '../../server/db/core/rowShape';
import { callImport, importFile, waitUntilFinished } from '../support/importFile';
import { add } from '../support/rows';
import { databaseKind, startTestWorld, type TestApp } from '../support/startTestApp';
import { testOnEmbedded } from '../support/testOnEmbedded';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
const isEmbedded = databaseKind === 'pglite';
const rowCount = 1500;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const countShape = {
  active: pg.integer,
  deleted: pg.integer,
};
type Counts = RowOf<typeof countShape>;

const countMachines = async (prefix: string): Promise<Counts> =>
  (await app.db.selectOne(
    countShape,
    sql`
    select (count(*) filter (where deleted_at is null))::int as active, (count(*) filter (where deleted_at is not null))::int as deleted
    from machines where serial_number like ${`${prefix}-%`}`,
  )) as Counts;

const serialNumber = (prefix: string, index: number) => `${prefix}-${String(index).padStart(5, '0')}`;
const buildFile = (prefix: string, fleet = () => world.north.fleets[0]) =>
  `serial_number,fleet_id,type_id\n${Array.from({ length: rowCount }, (_, index) => `${serialNumber(prefix, index)},${fleet()},${world.type}`).join('\n')}\n`;

/** Starts a step and calls `observe` repeatedly until the server has finished it. */
async function observeStep(id: number, step: 'commit' | 'undo', observe: () => Promise<void>) {
  const { status } = await app.call(world.admin, 'POST', `imports/${id}/${step}`);
  expect(status).toBe(202);
  let hasEnded = false;
  const finishedImport = waitUntilFinished(app, world.admin, id).finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    await observe();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return finishedImport;
}

/** Records the distinct numbers that `read` returns, in order. */
function startSampling(read: () => Promise<number>): { values: number[]; observe(): Promise<void> } {
  const progress: number[] = [];
  const observe = async () => {
    const result = await read();
    if (progress.at(-1) !== result) progress.push(result);
  };
  return { values: progress, observe };
}

const stepSizes = (counts: readonly number[]) =>
  counts.slice(1).map((result, index) => Math.abs(result - (counts[index] as number)));

/**
 * Creates a validated import. Its last row refers to a fleet that `invalidate` deletes, which makes the row invalid.
 */
async function startImport(
  prefix: string,
  changedRows = '',
): Promise<{ id: number; invalidate(): Promise<unknown>; restore(): Promise<unknown> }> {
  const fleet = await add(app.db, 'fleets', { name: `${prefix} fleet`, client_id: world.north.client });
  const { data } = await importFile(
    app,
    world.admin,
    'machines',
    `${buildFile(prefix)}${changedRows}${prefix}-LAST,${fleet},${world.type}\n`,
  );
  expect([data.state, data.counts.error]).toEqual(['checked', 0]);
  const setDeletedAt = (deletedAt: string) =>
    app.db.rows(sql`update fleets set deleted_at = ${sql.raw(deletedAt)} where id = ${fleet}`);
  return { id: data.id, invalidate: () => setDeletedAt('now()'), restore: () => setDeletedAt('null') };
}

describe('commit of many rows', () => {
  test('is visible in steps on the embedded database and at once on PostgreSQL, as is its undo', async () => {
    const { data } = await importFile(app, world.admin, 'machines', buildFile('MANY'));
    const samples = startSampling(async () => (await countMachines('MANY')).active);
    expect((await observeStep(data.id, 'commit', samples.observe)).state).toBe('done');
    await samples.observe();
    expect([samples.values[0], samples.values.at(-1)]).toEqual([0, rowCount]);
    const eventTypes = new Set<string>();
    const unsubscribe = app.services.live.subscribe((events) => {
      for (const { entity, type } of events) if (entity === 'machines') eventTypes.add(type);
    });
    const undoSamples = startSampling(async () => (await countMachines('MANY')).active);
    await undoSamples.observe();
    expect((await observeStep(data.id, 'undo', undoSamples.observe)).state).toBe('undone');
    await undoSamples.observe();
    expect([undoSamples.values[0], undoSamples.values.at(-1)]).toEqual([rowCount, 0]);
    await expect.poll(() => [...eventTypes]).toContain('deleted');
    unsubscribe();
    for (const { values } of [samples, undoSamples]) {
      if (isEmbedded) {
        expect(values.length).toBeGreaterThan(4);
        expect(Math.max(...stepSizes(values))).toBeLessThanOrEqual(rowCount / 2);
      } else expect(values.length).toBe(2);
    }
    const auditCounts =
      await app.db.one(sql`select count(*)::int as n, count(distinct record_id)::int as machines from audit
      where entity = 'machines' and record_title like 'MANY-%' and action = 'create'`);
    expect(auditCounts).toEqual({ n: rowCount, machines: rowCount });
  });

  test('with an invalid last row changes nothing, names the row, and can be committed once it is corrected', async () => {
    await add(app.db, 'types', { name: 'Known' });
    const { id, invalidate, restore } = await startImport('WRONG', '');
    await app.db.rows(sql`update machines set note = 'before' where serial_number = 'North-111'`);
    const changingImport = await importFile(
      app,
      world.admin,
      'machines',
      `serial_number,type,fleet_id,note\nNorth-111,Added one,,changed\n${Array.from({ length: 600 }, (_, index) => `TYPED-${index},Added one,${world.north.fleets[0]},x\n`).join('')}`,
      { fields: { create_missing: '["type_id"]' } },
    );
    expect([changingImport.data.state, changingImport.data.counts]).toEqual([
      'checked',
      { create: 600, update: 1, unchanged: 0, error: 0 },
    ]);
    await app.db.rows(
      sql`update import_rows set cells = jsonb_set(cells, '{2}', '"2147483000"') where import_id = ${changingImport.data.id} and row = 602`,
    );
    const commitResponse = await callImport(app, world.admin, 'POST', `${changingImport.data.id}/commit`);
    expect([commitResponse.data.state, commitResponse.data.counts.error]).toEqual(['failed', 1]);
    expect(await countMachines('TYPED')).toEqual({ active: 0, deleted: isEmbedded ? expect.any(Number) : 0 });
    expect(
      await app.db.one(
        sql`select note, (select name from types where id = type_id) as type from machines where serial_number = 'North-111'`,
      ),
    ).toEqual({
      note: 'before',
      type: 'Scrubber S1',
    });
    expect(await app.db.one(sql`select 1 from types where name = 'Added one' and deleted_at is null`)).toBeUndefined();

    await invalidate();
    const invalidCommit = await callImport(app, world.admin, 'POST', `${id}/commit`);
    expect([invalidCommit.data.state, invalidCommit.data.problem, invalidCommit.data.counts]).toEqual([
      'failed',
      null,
      { create: rowCount, update: 0, unchanged: 0, error: 1 },
    ]);
    expect(invalidCommit.data.errors).toMatchObject([{ row: rowCount + 2, field: 'fleet_id' }]);
    const countsAfter = await countMachines('WRONG');
    expect(countsAfter.active).toBe(0);
    // Proves that the rows were written in several transactions.
    expect(countsAfter.deleted > 0).toBe(isEmbedded);
    await restore();
    const secondCommit = await callImport(app, world.admin, 'POST', `${id}/commit`);
    expect([secondCommit.data.state, secondCommit.data.counts]).toEqual([
      'done',
      { create: rowCount + 1, update: 0, unchanged: 0, error: 0 },
    ]);
    expect((await countMachines('WRONG')).active).toBe(rowCount + 1);
  });

  test('that is cancelled halfway changes nothing', async () => {
    const { id } = await startImport('CANCEL');
    const { observe } = startSampling(async () => {
      if (isEmbedded && (await countMachines('CANCEL')).active === 0) return 0;
      return (await app.call(world.admin, 'POST', `imports/${id}/cancel`)).status;
    });
    expect((await observeStep(id, 'commit', observe)).state).toBe('cancelled');
    expect((await countMachines('CANCEL')).active).toBe(0);
  });

  testOnEmbedded('that fails leaves rows changed meanwhile untouched, and reports them', async () => {
    const { id, invalidate } = await startImport('TOUCHED');
    let hasTouched = false;
    const failedCommit = await observeStep(id, 'commit', async () => {
      if (hasTouched || (await countMachines('TOUCHED')).active === 0) return;
      hasTouched = true;
      const [first] = await app.db.select(
        { id: pg.integer },
        sql`select id from machines where serial_number = ${serialNumber('TOUCHED', 3)}`,
      );
      expect((await app.call(world.admin, 'PATCH', `machines/${first?.id}`, { note: 'by hand' })).status).toBe(200);
      await invalidate();
    });
    expect([failedCommit.state, failedCommit.counts.error]).toEqual(['failed', 2]);
    expect(failedCommit.problem).toBe('All but one row were taken back: it has been changed or is used since.');
    expect(failedCommit.errors).toContainEqual(
      expect.objectContaining({
        row: 5,
        message: 'This row was written and has been changed by somebody since: it stays as it is.',
      }),
    );
    expect(
      await app.db.rows(
        sql`select serial_number, note from machines where serial_number like 'TOUCHED-%' and deleted_at is null`,
      ),
    ).toEqual([{ serial_number: serialNumber('TOUCHED', 3), note: 'by hand' }]);
  });

  testOnEmbedded('is undone except for rows changed meanwhile, and reports them', async () => {
    const { data } = await importFile(app, world.admin, 'machines', buildFile('BACK'), { commits: true });
    expect(data.state).toBe('done');
    let hasTouched = false;
    const undoResult = await observeStep(data.id, 'undo', async () => {
      if (hasTouched || (await countMachines('BACK')).active === rowCount) return;
      hasTouched = true;
      expect((await app.call(world.admin, 'POST', `imports/${data.id}/cancel`)).status).toBe(409);
      await app.db.rows(sql`update machines set note = 'by hand' where serial_number = ${serialNumber('BACK', 0)}`);
    });
    expect([undoResult.state, undoResult.problem]).toEqual([
      'undone',
      'All but one row were taken back: it has been changed or is used since.',
    ]);
    expect((await countMachines('BACK')).active).toBe(1);
  });
});

describe('limits', () => {
  test('of the embedded database: a larger file is rejected while it is read, with advice, and the limit is shown beforehand', async () => {
    const config = await app.call<{ data: { import_rows: number } }>(world.admin, 'GET', 'config');
    const maxRows = isEmbedded ? importLimits.embeddedRows : importLimits.rows;
    expect([config.body.data.import_rows, importLimits.embeddedRows >= 20_000]).toEqual([maxRows, true]);
    const { data } = await importFile(app, world.admin, 'types', `name\n${'x\n'.repeat(maxRows + 1)}`);
    expect(data.state).toBe('failed');
    expect(data.problem).toContain(`more than ${maxRows.toLocaleString('en')} rows`);
    expect(data.problem?.includes('DATABASE_URL')).toBe(isEmbedded);
    expect(await app.db.one(sql`select count(*)::int as n from import_rows where import_id = ${data.id}`)).toEqual({
      n: 0,
    });
  });

  test('of unfinished imports per user: further uploads of that user are rejected, those of others accepted', async () => {
    const [{ partner: busyUser }, { partner: otherUser }] = [world.north.users, world.south.users];
    await app.db.rows(sql`
      insert into imports (file_name, resource, user_id, mode, state)
      select 'waiting.csv', 'machines', ${busyUser}::int, 'upsert', 'waiting' from generate_series(1, ${maxUnfinishedImports}::int)`);
    const rejection = await importFile(app, busyUser, 'machines', 'serial_number\nNorth-111\n');
    expect([rejection.status, rejection.body.message, rejection.headers['retry-after']]).toEqual([
      429,
      `${maxUnfinishedImports} of your imports are waiting or being worked on already. Wait until one has ended, or cancel one.`,
      '10',
    ]);
    expect((await importFile(app, otherUser, 'machines', 'serial_number\nSouth-111\n')).status).toBe(202);
    const [first] = await app.db.select(
      { id: pg.integer },
      sql`select id from imports where user_id = ${busyUser}::int and state = 'waiting' limit 1`,
    );
    await app.db.rows(sql`insert into import_jobs (import_id, settings) values (${first?.id}::int, '{}')`);
    const cancelResponse = await app.call<{ data: { state: string } }>(busyUser, 'POST', `imports/${first?.id}/cancel`);
    expect([cancelResponse.status, cancelResponse.body.data.state]).toEqual([202, 'cancelled']);
    expect((await importFile(app, busyUser, 'machines', 'serial_number\nNorth-111\n')).status).toBe(202);
  });
});
