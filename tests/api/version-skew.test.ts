/**
 * Two versions side by side during an upgrade. Migrations only add to what the previous version uses, and a version
 * runs on a database that a later one has migrated.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '../../server/auth/sessions';
import { pg } from '../../server/db/core/rowShape';
import { committedMigrations, migrate } from '../../server/db/migrations/migrate';
import { openDatabase } from '../../server/db/open/openDatabase';
import { type EmptyDatabase, openEmptyDatabase } from '../support/openEmptyDatabase';
import { add } from '../support/rows';
import { findContractions, readCatalogue, type SchemaCatalogue } from '../support/schemaCatalogue';
import { type Server, startServer } from '../support/startServer';
import { copyWorld, readWorld } from '../support/startTestApp';
import { readDeviceId } from '../support/trackedMachine';

/** The last migration of the previous version. Each release sets it to its own last migration. */
const baseline = '0056_mqtt_slots';
const log = pino({ level: 'silent' });

describe('migrations', () => {
  let emptyDatabase: EmptyDatabase;
  let previousCatalogue: SchemaCatalogue;
  beforeAll(async () => {
    emptyDatabase = await openEmptyDatabase(log);
    const allMigrations = committedMigrations();
    const count = allMigrations.findIndex(({ tag }) => tag === baseline) + 1;
    expect(count).toBeGreaterThan(0);
    await migrate(emptyDatabase.pool, allMigrations.slice(0, count));
    previousCatalogue = await readCatalogue(emptyDatabase.database);
    await migrate(emptyDatabase.pool);
  });
  afterAll(() => emptyDatabase?.drop());

  test('only add to the schema of the previous version', async () => {
    expect(Object.keys(previousCatalogue).length).toBeGreaterThan(50);
    expect(findContractions(previousCatalogue, await readCatalogue(emptyDatabase.database))).toEqual([]);
  });

  test.each([
    ['drop table machine_stays cascade', 'table machine_stays is gone'],
    ['alter table machines rename column note to remark', 'machines: column note is gone'],
    ['alter table machines alter note type varchar(10)', 'machines: column note is character varying(10), was text'],
    ['alter table machines alter note set not null', 'machines: column note is required'],
    ['alter table machines alter stock_state drop default', 'machines: column stock_state has no default'],
    ['alter table machines add weight int not null', 'machines: new column weight is required and has no default'],
    ['create unique index machines_note_key on machines (note)', 'machines: new unique machines_note_key'],
    ["alter table machines add constraint short check (note <> '')", 'machines: new check short'],
    ['drop trigger machines_version on machines', 'machines: trigger machines_version is gone'],
  ])('%s breaks the previous version', async (statement, finding) => {
    await inRolledBackTransaction(async (apply) => expect(await apply(statement)).toContain(finding));
  });

  test.each([
    'create table robots (id int primary key)',
    "alter table machines add weight int, add colour text not null default 'red' check (colour <> '')",
    'alter table machines add robot_code text; create unique index machines_robot_code_key on machines (robot_code)',
    'alter table machines alter serial_number drop not null',
    'create index machines_note on machines (note)',
  ])('%s is an addition', async (statement) => {
    await inRolledBackTransaction(async (apply) => expect(await apply(statement)).toEqual([]));
  });

  /** Runs `work` in a transaction that is rolled back; `apply` executes a migration and returns what it breaks. */
  async function inRolledBackTransaction(
    work: (apply: (statement: string) => Promise<string[]>) => Promise<void>,
  ): Promise<void> {
    const rollback = new Error('rolled back');
    const transaction = emptyDatabase.database.transaction(async (tx) => {
      const catalogueBefore = await readCatalogue(tx);
      await work(async (statement) => {
        for (const singleStatement of statement.split(';')) await tx.rows(sql.raw(singleStatement));
        return findContractions(catalogueBefore, await readCatalogue(tx));
      });
      throw rollback;
    });
    await expect(transaction).rejects.toBe(rollback);
  }
});

describe('on a database that a later version has migrated', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-skew-'));
  const metricsToken = 'scrapes the process of this test';
  let copy: Awaited<ReturnType<typeof copyWorld>>;
  let server: Server;
  let headers: Record<string, string>;
  let device: string;
  let machine: number;
  const openCopy = () => openDatabase({ databaseUrl: copy.url, dataDir, log });

  beforeAll(async () => {
    copy = await copyWorld(dataDir);
    const db = await openCopy();
    const world = readWorld();
    machine = world.north.machines[0] as number;
    device = await readDeviceId(db, machine);
    await add(db, 'alert_rules', { client_id: world.north.client, metric: 'error', is_active: true });
    headers = {
      Authorization: `Bearer ${await db.transaction((tx) => createSession(tx, world.admin))}`,
      'Content-Type': 'application/json',
    };
    // Adds to every table two columns that this version does not know, one of them with a default.
    for (const table of Object.keys(await readCatalogue(db)))
      await db.rows(
        sql`alter table ${sql.identifier(table)} add later_text text, add later_flag bool not null default true`,
      );
    await db.rows(
      sql`create table later_things (id int primary key, machine_id int references machines on delete cascade)`,
    );
    await db.rows(sql`insert into later_things values (1, ${machine})`);
    await db.rows(sql`insert into migrations (tag) values ('9999_later')`);
    await db.close();
    server = await startServer({
      fromSources: true,
      dataDir,
      env: { ...(copy.url ? { DATABASE_URL: copy.url } : {}), SWEEPLINE_DEMO: '0', METRICS_TOKEN: metricsToken },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await copy?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });

  test('the product starts and logs the unknown migration', () => {
    expect(server.output()).toContain('"unknown":["9999_later"]');
    expect(server.errors()).toEqual([]);
  });

  test('the product lists, writes and exports', async () => {
    for (const path of ['machines?include=fleet,client', 'dashboard', `machines/${machine}/timeline`, 'audit', 'inbox'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
    const createResponse = await call('POST', 'types', { name: 'Made beside a later version' });
    expect(createResponse.status).toBe(201);
    const { data } = (await createResponse.json()) as { data: { id: number } };
    expect((await call('PATCH', `types/${data.id}`, { name: 'Renamed' })).status).toBe(200);
    expect((await call('DELETE', `types/${data.id}`)).status).toBe(204);
    expect(await (await call('GET', 'machines/export?format=csv')).text()).toContain('North-111');
  });

  test('the product stores messages of devices, and alerts', async () => {
    const url = `${server.url}/ingest/osmand?id=${device}&status=cleaning&error=E-1`;
    expect((await fetch(url)).status).toBe(200);
    const readJson = async (path: string) => (await (await call('GET', path)).json()) as { data: never; total: number };
    expect((await readJson(`machines/${machine}`)).data).toMatchObject({ status: 'Cleaning' });
    await expect.poll(async () => (await readJson('alerts?filter[state]=open')).total).toBe(1);
  });

  test('every statement returned the columns that it declares', async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
    expect(await response.text()).toContain('row_mismatches 0');
    expect(await server.stop()).toBe(0);
    const db = await openCopy();
    expect(
      await db.select({ n: pg.integer }, sql`select count(*)::int as n from observations where later_flag`),
    ).toEqual([{ n: 1 }]);
    await db.close();
  });
});
