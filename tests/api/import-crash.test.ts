/**
 * Kill -9 during a commit, twice: the next process continues the commit by itself, and no row is stored twice. On
 * PostgreSQL a commit is a single transaction; on the embedded database it consists of several, which are continued or
 * reverted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../demo/seed/random';
import { createSession } from '../../server/auth/sessions';
import type { Database } from '../../server/db/core/database';
import { openDatabaseCopy, startServerOnCopy } from '../support/serveCopy';
import type { Server } from '../support/startServer';
import { copyWorld, type DatabaseCopy, databaseKind, readWorld } from '../support/startTestApp';
import { testOnEmbedded } from '../support/testOnEmbedded';
import type { World } from '../support/world';

const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-import-crash-'));
const seed = Date.now() % 1_000_000;
const random = createRandom(seed);
const rowCount = 1500;
let copy: DatabaseCopy;
let world: World;
let token: string;

const openCopy = () => openDatabaseCopy(copy, dataDir);
const startOnCopy = () => startServerOnCopy(copy, dataDir);

beforeAll(async () => {
  copy = await copyWorld(dataDir);
  const db = await openCopy();
  world = readWorld();
  token = await db.transaction((tx) => createSession(tx, world.admin));
  await db.close();
});
afterAll(async () => {
  await copy?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface ImportResponse {
  data: { id: number; state: string; counts: Record<string, number> };
}

async function call({ url }: Server, method: string, path: string, body?: FormData): Promise<ImportResponse> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as ImportResponse;
}

const readState = async (server: Server, id: number) => (await call(server, 'GET', `imports/${id}`)).data.state;

interface StoredCounts {
  machines: number;
  audit_entries: number;
  state: string;
}

/** Reads the numbers of stored rows while no server runs, and then makes the `change`. */
async function readStored(prefix = 'KILL', change?: (db: Database) => Promise<unknown>): Promise<StoredCounts> {
  const db = await openCopy();
  try {
    const stored = (await db.one(sql`
      select (select count(*)::int from machines where serial_number like ${`${prefix}-%`} and deleted_at is null) as machines,
        (select count(*)::int from audit where entity = 'machines' and record_title like ${`${prefix}-%`} and action = 'create') as audit_entries, (select state from imports order by id desc limit 1) as state`)) as never;
    await change?.(db);
    return stored;
  } finally {
    await db.close();
  }
}

test(`a commit that is killed twice is completed once (seed ${seed})`, async () => {
  const lines = Array.from({ length: rowCount }, (_, index) => `KILL-${index},${world.north.fleets[0]},${world.type}`);
  const form = new FormData();
  form.append('file', new File([`serial_number,fleet_id,type_id\n${lines.join('\n')}\n`], 'kill.csv'));
  let server = await startOnCopy();
  const { id } = (await call(server, 'POST', 'machines/import?dry_run=1', form)).data;
  await expect.poll(() => readState(server, id), { timeout: 60_000 }).toBe('checked');
  await call(server, 'POST', `imports/${id}/commit`);
  for (let kill = 0; kill < 2; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 500)));
    await server.kill();
    const { machines, audit_entries, state } = await readStored();
    expect(audit_entries).toBe(machines);
    if (databaseKind === 'postgres' || state === 'done') expect(machines).toBe(state === 'done' ? rowCount : 0);
    server = await startOnCopy();
  }
  await expect.poll(() => readState(server, id), { timeout: 90_000, interval: 200 }).toBe('done');
  expect((await call(server, 'GET', `imports/${id}`)).data.counts).toEqual({
    create: rowCount,
    update: 0,
    unchanged: 0,
    error: 0,
  });
  await server.stop();
  expect(await readStored()).toEqual({ machines: rowCount, audit_entries: rowCount, state: 'done' });
}, 240_000);

const readTotal = async (server: Server, prefix: string) => {
  const { meta } = (await call(server, 'GET', `machines?per_page=1&filter[serial_number]=${prefix}-`)) as unknown as {
    meta: { total: number };
  };
  return meta.total;
};

testOnEmbedded(
  'a commit in pieces that fails changes nothing, even if the process is killed while it writes and while it reverts',
  async () => {
    let server = await startOnCopy();
    const fleet = (await call(server, 'GET', `fleets/${world.north.fleets[1]}`)).data.id;
    const lines = Array.from(
      { length: rowCount },
      (_, index) => `TORN-${index},${world.north.fleets[0]},${world.type}`,
    );
    const form = new FormData();
    form.append(
      'file',
      new File([`serial_number,fleet_id,type_id\n${lines.join('\n')}\nTORN-LAST,${fleet},${world.type}\n`], 'torn.csv'),
    );
    const { id } = (await call(server, 'POST', 'machines/import?dry_run=1', form)).data;
    await expect.poll(() => readState(server, id), { timeout: 60_000 }).toBe('checked');
    await call(server, 'POST', `imports/${id}/commit`);
    await expect.poll(() => readTotal(server, 'TORN'), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    await server.kill();
    const countsAfterKill = await readStored('TORN', (db) =>
      db.rows(sql`update fleets set deleted_at = now() where id = ${fleet}`),
    );
    expect([countsAfterKill.state, countsAfterKill.audit_entries > 0, countsAfterKill.machines]).toEqual([
      'committing',
      true,
      countsAfterKill.audit_entries,
    ]);
    server = await startOnCopy();
    await expect.poll(() => readState(server, id), { timeout: 60_000, interval: 5 }).toMatch(/undoing|failed/);
    await server.kill();
    server = await startOnCopy();
    await expect.poll(() => readState(server, id), { timeout: 90_000, interval: 200 }).toBe('failed');
    expect((await call(server, 'GET', `imports/${id}`)).data.counts).toEqual({
      create: rowCount,
      update: 0,
      unchanged: 0,
      error: 1,
    });
    await server.stop();
    const countsAfterUndo = await readStored('TORN');
    expect([countsAfterUndo.state, countsAfterUndo.machines]).toEqual(['failed', 0]);
    // Meanwhile no row was stored twice.
    expect(countsAfterUndo.audit_entries).toBeLessThanOrEqual(rowCount);
  },
  240_000,
);
