/** Kill -9 in the middle of a commit, twice: nothing or everything is written, the next process goes on by itself, and no row comes in twice. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginSession } from '../../server/api/auth';
import type { Database } from '../../server/db/database';
import { openDatabase } from '../../server/db/open';
import { randomOf } from '../../server/db/seed/random';
import { copyDatabase } from '../support/app';
import { type Server, startServer } from '../support/server';
import { addWorld, type World } from '../support/world';

const dataDir = mkdtempSync(join(tmpdir(), 'sweepline-import-crash-'));
const seed = Date.now() % 1_000_000;
const random = randomOf(seed);
const rows = 1500;
let copy: Awaited<ReturnType<typeof copyDatabase>>;
let world: World;
let token: string;

const open = (): Promise<Database> => openDatabase({ databaseUrl: copy.url, dataDir, log: pino({ level: 'silent' }) });
const start = () =>
  startServer({
    fromSources: true,
    dataDir,
    env: { ...(copy.url ? { DATABASE_URL: copy.url } : {}), SWEEPLINE_DEMO: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'fatal' },
  });

beforeAll(async () => {
  copy = await copyDatabase(dataDir);
  const db = await open();
  world = await addWorld(db);
  token = await db.transaction((tx) => beginSession(tx, world.admin));
  await db.close();
});
afterAll(async () => {
  await copy?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Told {
  data: { id: number; state: string; counts: Record<string, number> };
}

async function call({ url }: Server, method: string, path: string, body?: FormData): Promise<Told> {
  const answer = await fetch(`${url}/api/v1/${path}`, { method, headers: { authorization: `Bearer ${token}` }, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Told;
}

const stateOf = async (server: Server, id: number) => (await call(server, 'GET', `imports/${id}`)).data.state;

/** What stands in the database while no server runs. */
async function stored(): Promise<{ machines: number; notes: number; state: string }> {
  const db = await open();
  try {
    return (await db.one(sql`
      select (select count(*)::int from machines where serial_number like 'KILL-%') as machines,
        (select count(*)::int from audit where entity = 'machines' and record_title like 'KILL-%') as notes, (select state from imports order by id desc limit 1) as state`)) as never;
  } finally {
    await db.close();
  }
}

test(`a commit that is killed twice is done once (seed ${seed})`, async () => {
  const lines = Array.from({ length: rows }, (_, index) => `KILL-${index},${world.north.fleets[0]},${world.type}`);
  const form = new FormData();
  form.append('file', new File([`serial_number,fleet_id,type_id\n${lines.join('\n')}\n`], 'kill.csv'));
  let server = await start();
  const { id } = (await call(server, 'POST', 'machines/import?dry_run=1', form)).data;
  await expect.poll(() => stateOf(server, id), { timeout: 60_000 }).toBe('checked');
  await call(server, 'POST', `imports/${id}/commit`);
  for (let kill = 0; kill < 2; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, random.between(0, 500)));
    await server.kill();
    const { machines, notes, state } = await stored();
    expect([machines, notes]).toEqual(state === 'done' ? [rows, rows] : [0, 0]);
    server = await start();
  }
  await expect.poll(() => stateOf(server, id), { timeout: 90_000, interval: 200 }).toBe('done');
  expect((await call(server, 'GET', `imports/${id}`)).data.counts).toEqual({ create: rows, update: 0, unchanged: 0, error: 0 });
  await server.stop();
  expect(await stored()).toEqual({ machines: rows, notes: rows, state: 'done' });
}, 240_000);
