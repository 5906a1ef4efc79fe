/** Retention of telemetry drops whole partitions. Derived data stays, and nothing counts twice. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyTelemetryRetention } from '../../server/app/applyTelemetryRetention';
import { sweep } from '../../server/app/sweep';
import { pg } from '../../server/db/core/rowShape';
import { type Partition, readPartitions } from '../../server/db/migrations/maintainPartitions';
import { committedMigrations, migrate } from '../../server/db/migrations/migrate';
import type { Partitioned } from '../../server/db/schema/partitions';
import { createAdapterSettings } from '../../server/telemetry/adapters/readMessage';
import { replay } from '../../server/telemetry/replay/replay';
import { retentionStart } from '../../server/telemetry/timeline/observation';
import { openEmptyDatabase } from '../support/openEmptyDatabase';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { readDeviceId } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let currentTime: Date;
let machine: number;
let device: string;

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { OBSERVATION_DAYS: '60' } }));
  app.services.now = () => currentTime;
  machine = world.north.machines[0] as number;
  device = await readDeviceId(app.db, machine);
});
afterAll(() => app.close());

/** A time years after the last existing partition. */
const start = Date.UTC(2040, 4, 10, 12);
const minutesAfter = (count: number) => new Date(start + count * 60_000);
const daysAfter = (count: number) => minutesAfter(count * 1440);
const sweepAt = async (instant: Date) => {
  currentTime = instant;
  await sweep(app.services);
};

async function send(instant: Date, status: string): Promise<number> {
  const { status: responseStatus } = await app.call(
    undefined,
    'GET',
    `/ingest/osmand?${new URLSearchParams({ id: device, timestamp: instant.toISOString(), status, area: '10' })}`,
  );
  return responseStatus;
}
const countRows = async (table: Partitioned) =>
  (await app.db.selectOne({ n: pg.integer }, sql`select count(*)::int as n from ${sql.identifier(table)}`))?.n;
const readHistory = async () => ({
  segments: await app.db.rows(
    sql`select state, from_at, to_at, reason, reason_at from segments where machine_id = ${machine} order by from_at`,
  ),
  days: await app.db.rows(sql`select * from machine_days where machine_id = ${machine} order by day`),
  totals: await app.db.rows(
    sql`select status, cleaning_time, charging_time, operating_time from machines_state where id = ${machine}`,
  ),
});
const readPartitionNames = async (table: Partitioned) =>
  (await readPartitions(app.db, table)).map(({ name }) => name.replace(`${table}_`, ''));
const areContiguous = (parts: readonly Partition[]) =>
  parts.every(({ from }, index) => from?.getTime() === parts[index - 1]?.to?.getTime()) && !parts.at(-1)?.to;

test('each table has partitions for the retained past, the present and the next range, without gaps', async () => {
  await sweepAt(minutesAfter(0));
  expect(await readPartitionNames('raw_messages')).toEqual(['past', '20400507', '20400514', 'later']);
  expect(await readPartitionNames('observations')).toEqual(['past', '20400401', '20400701', 'later']);
  for (const table of ['raw_messages', 'observations'] as const)
    expect(areContiguous(await readPartitions(app.db, table))).toBe(true);
});

test('a message of any accepted time is stored once, in its partition', async () => {
  for (const [instant, status] of [
    [daysAfter(-59), 'cleaning'],
    [minutesAfter(-30), 'charging'],
    [minutesAfter(-20), 'cleaning'],
    [minutesAfter(-20), 'cleaning'],
    [minutesAfter(0), 'parked'],
  ] as const)
    expect(await send(instant, status)).toBe(200);
  expect([await countRows('raw_messages'), await countRows('observations')]).toEqual([5, 4]);
});

test('late rows before the first range get their own partition in the next round', async () => {
  const historyBefore = await readHistory();
  await sweepAt(minutesAfter(10));
  expect(await readPartitionNames('observations')).toEqual(['past', '20400101', '20400401', '20400701', 'later']);
  expect([await countRows('raw_messages'), await countRows('observations'), await readHistory()]).toEqual([
    5,
    4,
    historyBefore,
  ]);
});

test('rows outside of all ranges move from the outer partitions into new ranges', async () => {
  currentTime = daysAfter(200);
  await send(daysAfter(200), 'cleaning');
  expect(
    await app.db.rows(
      sql`select tableoid::regclass::text as part from observations where at = ${daysAfter(200).toISOString()}::timestamptz`,
    ),
  ).toEqual([{ part: 'observations_later' }]);
  const historyBefore = await readHistory();
  await sweepAt(daysAfter(200));
  expect(await readPartitionNames('raw_messages')).toEqual(['past', '20401126', '20401203', 'later']);
  expect(await readPartitionNames('observations')).toEqual(['past', '20400701', '20401001', '20410101', 'later']);
  expect([await countRows('raw_messages'), await countRows('observations')]).toEqual([1, 1]);
  expect(await readHistory()).toEqual(historyBefore);
});

test('a message older than the retained observations changes nothing, even if repeated, and is stored as a raw message', async () => {
  const historyBefore = await readHistory();
  for (const instant of [minutesAfter(-20), minutesAfter(-20), daysAfter(139)])
    expect(await send(instant, 'cleaning')).toBe(200);
  expect(await readHistory()).toEqual(historyBefore);
  expect([await countRows('raw_messages'), await countRows('observations')]).toEqual([4, 1]);
  const { env } = app.services;
  const replayResult = await replay(app.db, {
    machineId: machine,
    from: minutesAfter(0),
    to: new Date(currentTime.getTime() + 1000),
    since: retentionStart({ env, now: currentTime }),
    findSettings: createAdapterSettings(app.services),
    now: currentTime,
  });
  expect(replayResult).toMatchObject({ messages: 4, removed: 0, added: 0 });
  expect(await readHistory()).toEqual(historyBefore);
});

test('a late message next to a segment without observations adds its own time and leaves the segment unchanged', async () => {
  await send(daysAfter(201), 'charging');
  await send(new Date(daysAfter(201).getTime() + 300_000), 'cleaning');
  await sweepAt(daysAfter(201));
  // A segment that began before the retained observations.
  await app.db.rows(
    sql`delete from observations where machine_id = ${machine} and at < ${daysAfter(201).toISOString()}::timestamptz`,
  );
  const { segments } = await readHistory();
  const lateTime = new Date(daysAfter(200).getTime() + 120_000);
  expect(await send(lateTime, 'charging')).toBe(200);
  const currentSegments = (await readHistory()).segments as { from_at: Date; state: string }[];
  const otherSegments = currentSegments.filter(
    ({ from_at }) => Math.abs(from_at.getTime() - lateTime.getTime()) > 600_000,
  );
  expect(otherSegments).toEqual(
    (segments as { from_at: Date }[]).filter(
      ({ from_at }) => Math.abs(from_at.getTime() - lateTime.getTime()) > 600_000,
    ),
  );
  expect(
    currentSegments.filter(({ state }) => state === 'Charging').map(({ from_at }) => from_at.toISOString()),
  ).toContain(lateTime.toISOString());
});

test('an installation of an earlier version keeps its messages and ids', async () => {
  const allMigrations = committedMigrations();
  const partitioningIndex = allMigrations.findIndex(({ statements }) =>
    statements.some((statement) => statement.includes('PARTITION BY RANGE')),
  );
  const { database, pool, drop } = await openEmptyDatabase(app.services.log);
  try {
    await migrate(pool, allMigrations.slice(0, partitioningIndex));
    const instants = [daysAfter(-90), daysAfter(-20), minutesAfter(-5)].map((instant) => instant.toISOString());
    await database.rows(sql`
      insert into raw_messages (received_at, protocol, device, media_type, body)
      select at::timestamptz, 'own', 'd', 'application/json', ''
        from unnest(${sql.param(instants)}::text[]) at`);
    await database.rows(sql`
      insert into observations (machine_id, at, kind, received_at, protocol, state, reason, attributes)
      select 7, at::timestamptz, 'message', at::timestamptz, 'own', 'Online', 'message', '{"a": 1}'
        from unnest(${sql.param(instants)}::text[]) at`);
    const rowsBefore = await database.rows(
      sql`select * from observations where at >= ${daysAfter(-60).toISOString()}::timestamptz order by at`,
    );
    await migrate(pool);
    expect(await database.rows(sql`select at from observations`)).toHaveLength(3);
    await applyTelemetryRetention({
      db: database,
      env: { ...app.services.env, observationDays: 60 },
      now: () => minutesAfter(0),
    });
    expect(await database.rows(sql`select * from observations order by at`)).toMatchObject(rowsBefore);
    expect((await readPartitions(database, 'observations')).map(({ name }) => name)).toEqual(
      ['past', '20400401', '20400701', 'later'].map((name) => `observations_${name}`),
    );
    const insertSql = sql`insert into raw_messages (received_at, protocol, device, media_type, body) values (${minutesAfter(0).toISOString()}::timestamptz, 'own', 'd', '', '') returning id`;
    const ids = (await database.select({ id: pg.integer }, sql`select id from raw_messages order by id`)).map(
      ({ id }) => id,
    );
    expect(ids).toEqual([2, 3]);
    expect((await database.selectOne({ id: pg.integer }, insertSql))?.id).toBeGreaterThan(3);
    const duplicateInsert = sql`
      insert into observations (machine_id, at, kind, received_at, protocol, state, reason)
        values (7, ${instants[2]}::timestamptz, 'message', now(), 'own', 'Online', 'message')
      on conflict do nothing returning at`;
    expect(await database.rows(duplicateInsert)).toEqual([]);
  } finally {
    await drop();
  }
});
