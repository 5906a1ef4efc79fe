/** Looking up the senders of messages costs the same however many trackers there are. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../server/auth/secrets';
import type { Queries } from '../../server/db/core/database';
import { pg } from '../../server/db/core/rowShape';
import { devicesOf, sendersOf } from '../../server/telemetry/ingest/senders';
import { type TestApp, testApp } from '../support/app';
import { addWorld, type World } from '../support/world';

const trackers = 4000;
/** Devices of one group of messages. */
const group = Array.from({ length: 40 }, (_, nth) => nth * 97);
const deviceOf = (nth: number) => `lookup-${nth}`;
const secretOf = (nth: number) => `swt_${String(nth).padStart(24, '0')}`;

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await testApp();
  world = await addWorld(app.db);
  await app.db.rows(sql`insert into trackers (refno, tracker_or_serial)
    select 'REF-' || n, 'lookup-' || n from generate_series(0, ${trackers}::int) n`);
  await app.db.rows(sql`insert into machines (fleet_id, custom_type, serial_number, tracker_id)
    select ${world.north.fleets[0]}::int, 'Scrubber', t.tracker_or_serial, t.id from trackers t
    where t.tracker_or_serial like 'lookup-%'`);
  for (const nth of group)
    await app.db.rows(sql`insert into tracker_secrets (tracker_id, hash, created_at)
      select id, ${sha256(secretOf(nth))}, now() from trackers where tracker_or_serial = ${deviceOf(nth)}`);
});
afterAll(() => app?.close());

/** Rows of trackers and machines, of which there are thousands, that the lookup reads outside of an index. */
async function rowsScanned(lookup: (tx: Queries) => Promise<unknown>): Promise<number> {
  return app.db.transaction(async (tx) => {
    // What earlier statements of the connection read may not have been counted yet.
    const before = await readRowCount(tx);
    // After five executions PostgreSQL may plan for any parameters.
    for (let times = 0; times < 8; times += 1) await lookup(tx);
    return (await readRowCount(tx)) - before;
  });
}

const readRowCount = async (tx: Queries): Promise<number> =>
  (
    await tx.selectOne(
      { rows: pg.integer },
      sql`select sum(seq_tup_read)::int as rows from pg_stat_xact_user_tables
        where relname in ('trackers', 'machines')`,
    )
  )?.rows ?? 0;

test('devices are found by their ids through indexes', async () => {
  const found = await devicesOf(app.db, [...group.map(deviceOf), 'REF-7', 'unknown']);
  expect([...found.keys()].sort()).toEqual([...group.map(deviceOf), 'REF-7'].sort());
  expect(await rowsScanned((tx) => devicesOf(tx, group.map(deviceOf)))).toBe(0);
});

test('senders are found by their secrets through indexes', async () => {
  const senders = await sendersOf(app.db, [...group.map(secretOf), 'no secret']);
  expect(senders.map((sender) => sender?.names[0])).toEqual([...group.map(deviceOf), undefined]);
  expect(await rowsScanned((tx) => sendersOf(tx, group.map(secretOf)))).toBe(0);
});
