/** The intake stores waiting messages in shared transactions; a message that cannot be stored fails alone. */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { printStatement } from '../../server/db/core/statement';
import { readOsmAnd } from '../../server/telemetry/adapters/readOsmAnd';
import { intakeOf } from '../../server/telemetry/ingest/intake';
import { readMachines } from '../../server/telemetry/ingest/readMachines';
import type { Incoming } from '../../server/telemetry/ingest/storeMessages';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';

let app: TestApp;
let machines: { machineId: number; trackerId: number }[];
beforeAll(async () => {
  app = await startTestApp();
  const fleet = await addFleet(app.db);
  machines = await Promise.all(Array.from({ length: 30 }, () => addTrackedMachine(app.db, fleet)));
});
afterAll(() => app.close());

const start = Date.UTC(2026, 9, 20, 8);
const services = () => ({ ...app.services, now: () => new Date(start + 3600_000) });

function buildMessage(machineIndex: number, second: number, battery = 80): Incoming {
  const search = `id=x&timestamp=${start + second * 1000}&lat=52.5&lon=13.4&batt=${battery}&status=cleaning`;
  const { message } = readOsmAnd({ search, mediaType: '', body: Buffer.alloc(0) });
  const machine = machines[machineIndex % machines.length] as (typeof machines)[number];
  return {
    ...machine,
    protocol: 'osmand',
    message,
    receivedAt: new Date(start + second * 1000),
    raw: { device: 'x', mediaType: 'application/x-www-form-urlencoded', body: Buffer.from(search) },
  };
}

const readStoredBetween = (from: number, to: number) =>
  app.db.select(
    { machine_id: pg.integer, transaction: pg.text },
    sql`select machine_id, xmin::text as transaction from observations
      where at >= ${new Date(start + from * 1000).toISOString()}::timestamptz
      and at < ${new Date(start + to * 1000).toISOString()}::timestamptz`,
  );

test('waiting messages of all machines and protocols share few transactions', async () => {
  const intakes = [intakeOf(services()), intakeOf(services())];
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => intakes[index % 2]?.([buildMessage(index, Math.floor(index / 30))])),
  );
  const storedRows = await readStoredBetween(0, 10);
  expect(storedRows).toHaveLength(300);
  expect(new Set(storedRows.map(({ transaction }) => transaction)).size).toBeLessThanOrEqual(5);
});

test('a message that cannot be stored is rejected, and the others of its group are stored', async () => {
  await app.db.rows(
    sql.raw(`create function refuse_empty_battery() returns trigger language plpgsql as $$ begin
      if new.battery = 1 then raise exception 'refused'; end if; return new; end $$`),
  );
  await app.db.rows(
    sql`create trigger refuse_empty_battery before insert on observations for each row execute function
      refuse_empty_battery()`,
  );
  try {
    const intake = intakeOf(services());
    const outcomes = await Promise.allSettled(
      machines.map((_, index) => intake([buildMessage(index, 100 + index, index % 10 === 3 ? 1 : 80)])),
    );
    const refusedIndexes = outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    expect(refusedIndexes).toEqual([3, 13, 23]);
    const storedMachines = (await readStoredBetween(100, 200))
      .map(({ machine_id }) => machine_id)
      .sort((a, b) => a - b);
    expect(storedMachines).toEqual(
      machines
        .filter((_, index) => index % 10 !== 3)
        .map(({ machineId }) => machineId)
        .sort((a, b) => a - b),
    );
  } finally {
    await app.db.rows(sql`drop function refuse_empty_battery cascade`);
  }
});

test('messages of a machine are stored in their order of arrival, together with those of others', async () => {
  const intake = intakeOf(services());
  const finishedOrder: number[] = [];
  await Promise.all(
    Array.from({ length: 260 }, async (_, index) => {
      await intake([buildMessage(index % 2 === 0 ? 0 : index, 200 + index)]);
      if (index % 2 === 0) finishedOrder.push(index);
    }),
  );
  expect(finishedOrder).toEqual([...finishedOrder].sort((a, b) => a - b));
  expect(await readStoredBetween(200, 500)).toHaveLength(260);
});

/** Sends `count` messages from each of `senders` machines, each once the answer to the one before has arrived. */
const sendInTurn = (senders: number, { from, count }: { from: number; count: number }) => {
  const intake = intakeOf(services());
  return Promise.all(
    Array.from({ length: senders }, async (_, machineIndex) => {
      for (let turn = 0; turn < count; turn += 1) {
        await intake([buildMessage(machineIndex, from + turn)]);
        await setImmediate();
      }
    }),
  );
};

const countTransactionsBetween = async (from: number, to: number) =>
  new Set((await readStoredBetween(from, to)).map(({ transaction }) => transaction)).size;

test('senders that wait for their answers share one transaction per turn', async () => {
  await sendInTurn(20, { from: 600, count: 6 });
  expect(await readStoredBetween(600, 610)).toHaveLength(120);
  expect(await countTransactionsBetween(600, 610)).toBeLessThanOrEqual(8);
});

test('a sender does not wait for others that stay silent', async () => {
  await sendInTurn(20, { from: 700, count: 1 });
  await sendInTurn(1, { from: 710, count: 3 });
  expect(await readStoredBetween(710, 720)).toHaveLength(3);
});

test('at low load no message waits for a timer', async () => {
  await sendInTurn(1, { from: 800, count: 1 });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    await sendInTurn(1, { from: 810, count: 3 });
    await sendInTurn(5, { from: 820, count: 3 });
    await vi.runAllTimersAsync();
  } finally {
    vi.useRealTimers();
  }
  expect(await readStoredBetween(810, 830)).toHaveLength(18);
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const countRowsRead = (node: PlanNode, table: string): number =>
  (node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, child) => sum + countRowsRead(child, table), 0);

test('reading machines reads no row of another machine, even with a plan that was cached while the tables were empty', async () => {
  const ids = machines.map(({ machineId }) => machineId);
  const rolledBack = new Error('rolled back');
  const transaction = app.db.transaction(async (tx) => {
    let text = '';
    await readMachines(
      {
        ...tx,
        select: (shape, query) => {
          text = 'text' in query ? query.text : printStatement(query).text;
          return tx.select(shape, query);
        },
      },
      ids,
    );
    for (const table of ['segments', 'machine_watch']) {
      await tx.rows(sql.raw(`delete from ${table}`));
      await tx.rows(sql.raw(`analyze ${table}`));
    }
    await tx.rows(sql.raw('set local plan_cache_mode = force_generic_plan'));
    await tx.rows(sql.raw(`prepare reading as ${text}`));
    const execute = `execute reading ('{}', '{${ids.join(',')}}')`;
    await tx.rows(sql.raw(execute));
    await tx.rows(sql`insert into segments (machine_id, from_at, state, reason, reason_at)
      select n, now(), 'Parked', 'message', now() from generate_series(-2000, -1) n`);
    await tx.rows(sql`insert into machine_watch (machine_id, observed_at)
      select n, now() from generate_series(-2000, -1) n`);
    const [explained] = await tx.rows(sql.raw(`explain (analyze, format json) ${execute}`));
    await tx.rows(sql.raw('deallocate reading'));
    const [{ Plan: plan }] = explained?.['QUERY PLAN'] as [{ Plan: PlanNode }];
    expect(countRowsRead(plan, 'segments')).toBeLessThanOrEqual(ids.length);
    expect(countRowsRead(plan, 'machine_watch')).toBeLessThanOrEqual(ids.length);
    throw rolledBack;
  });
  await expect(transaction).rejects.toBe(rolledBack);
});
