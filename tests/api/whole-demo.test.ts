/** `npm run seed`: loads the demo with its whole history in one transaction. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDatabaseEmpty, seedDemo, seedWholeDemo } from '../../demo/seed/demo';
import { seedOlderHistoryBatch } from '../../demo/seed/olderHistory';
import { seedFloorPiece } from '../../demo/seed/seedFloors';
import type { Database, Queries } from '../../server/db/core/database';
import { openDatabase } from '../../server/db/open/openDatabase';
import { countFleetStates } from '../../server/db/schema/fleetSumTriggers';
import { foldFleetSums } from '../../server/features/locations/fleetSums';
import { root } from '../support/sources';
import { copyDatabase } from '../support/startTestApp';

type Copy = Awaited<ReturnType<typeof copyDatabase>>;
const folder = mkdtempSync(join(tmpdir(), 'sweepline-whole-'));
const seedOptions = { machines: 60, seed: 3, now: new Date() };
const copies: Copy[] = [];
const databases: Database[] = [];
/** The demo loaded in one transaction; the other one is loaded in batches, as a server does. */
let wholeDemo: Database;
let batchedDemo: Database;

const openCopy = async (dataDir: string, { url }: Copy) => {
  const db = await openDatabase({ databaseUrl: url, dataDir, log: pino({ level: 'silent' }) });
  databases.push(db);
  return db;
};
const copyTo = async (name: string) => {
  const dataDir = join(folder, name);
  const copy = await copyDatabase(dataDir);
  copies.push(copy);
  return { dataDir, copy };
};

beforeAll(async () => {
  const [first, second] = [await copyTo('whole'), await copyTo('gradual')];
  wholeDemo = await openCopy(first.dataDir, first.copy);
  batchedDemo = await openCopy(second.dataDir, second.copy);
  await seedWholeDemo(wholeDemo, seedOptions);
  await seedDemo(batchedDemo, seedOptions);
  while (await seedFloorPiece(batchedDemo, seedOptions));
  for (let lastId: number | undefined, hasMore = true; hasMore; ) {
    const ids = await seedOlderHistoryBatch(batchedDemo, { seed: seedOptions.seed, machines: 25, after: lastId });
    lastId = ids.at(-1);
    hasMore = lastId !== undefined;
  }
  await foldFleetSums(batchedDemo);
});
afterAll(async () => {
  for (const db of databases) await db.close();
  for (const copy of copies) await copy.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Columns that depend on the time or order of writes. */
const bookkeepingColumns = ['updated_at', 'version'];
const tablesWithCreationTime = ['floors', 'zones', 'runs', 'integrations'];
const tablesWithSerialIds = ['service_entries', 'machine_logs', 'fleet_states', 'run_changes'];

async function readTableDigest(db: Queries, table: string): Promise<Record<string, unknown>> {
  const excludedColumns = [
    ...bookkeepingColumns,
    ...(tablesWithCreationTime.includes(table) ? ['created_at'] : []),
    ...(tablesWithSerialIds.includes(table) ? ['id'] : []),
  ];
  return (await db.one(sql`
    select count(*)::int as rows, md5(string_agg(row, ',' order by row)) as sum
    from (select (to_jsonb(t) - ${sql.param(excludedColumns)}::text[])::text as row from ${sql.identifier(table)} t) t`)) as never;
}

test.each([
  ...['machines', 'machines_state', 'trackers', 'trackers_state', 'machine_stays', 'machine_watch', 'machine_days'],
  ...['segments', 'observations', 'machine_logs', 'service_entries', 'service_by_hand', 'alerts_machines'],
  ...['users_machines', 'fleet_days', 'fleet_day_changes', 'type_days', 'fleet_states'],
  ...['floors', 'zones', 'runs', 'run_changes', 'integrations'],
])('%s has the same rows as if a server had loaded it in batches', async (table) => {
  expect(await readTableDigest(wholeDemo, table)).toEqual(await readTableDigest(batchedDemo, table));
});

test('sums of machines by location and state equal the rows', async () => {
  const storedSums = await readTableDigest(wholeDemo, 'fleet_states');
  const countedSums = wholeDemo.transaction(async (tx) => {
    await tx.rows(sql`delete from fleet_states`);
    await tx.rows(sql.raw(countFleetStates));
    return readTableDigest(tx, 'fleet_states');
  });
  expect(storedSums.rows).toBeGreaterThan(0);
  expect(await countedSums).toEqual(storedSums);
});

/** Definitions of everything that a load drops temporarily. */
const readDefinitions = (db: Database) =>
  db.rows(sql`
    select pg_get_indexdef(indexrelid) as definition, indisvalid::text as state from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated::text
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal order by 1`);

test('all indexes, foreign keys and triggers exist afterwards', async () => {
  expect(await readDefinitions(wholeDemo)).toEqual(await readDefinitions(batchedDemo));
});

test('a load that is killed at any point leaves an empty database unchanged, and the next load fills it', async () => {
  const { dataDir, copy } = await copyTo('killed');
  for (const statements of [100, 150]) {
    const { signal, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(root, 'tests/support/killedSeedProcess.ts'), dataDir, '60', String(statements)],
      { cwd: root, encoding: 'utf8', env: { ...process.env, ...(copy.url ? { DATABASE_URL: copy.url } : {}) } },
    );
    expect(signal, stdout + stderr).toBe('SIGKILL');
  }
  const db = await openCopy(dataDir, copy);
  expect(await isDatabaseEmpty(db)).toBe(true);
  expect(await readDefinitions(db)).toEqual(await readDefinitions(batchedDemo));
  await seedWholeDemo(db, seedOptions);
  expect(await readDefinitions(db)).toEqual(await readDefinitions(batchedDemo));
  // Ids differ, and so does the history, since sequences are not rolled back.
  expect(await db.one(sql`select count(*)::int as n from machines`)).toEqual({ n: seedOptions.machines });
  expect(await seedOlderHistoryBatch(db)).toEqual([]);
});
