/**
 * Cleaning modes of runs. Any word is accepted, and the matching value of a fixed set is stored beside it. Existing
 * runs are migrated.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normalizeCleaningMode } from '../../schema/shared/cleaningModes';
import { pg } from '../../server/db/core/rowShape';
import { committedMigrations } from '../../server/db/migrations/migrate';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
type Run = Record<string, unknown> & { id: number };
const call = <T = { data: Run }>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
  app.call<T>(world.admin, method, path, body);

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const runTimes = { started_at: '2026-03-01T08:00:00.000Z', ended_at: '2026-03-01T09:00:00.000Z' };
const createRun = async (values: object) =>
  (await call('POST', 'runs', { machine_id: world.north.machines[0], ...runTimes, ...values })).body.data;

describe('the mode of an entered run', () => {
  test('is a value of the fixed set, whatever word is sent', async () => {
    expect(await createRun({ mode: 'polish' })).toMatchObject({ mode: 'polish', mode_raw: null });
    expect(await createRun({ mode: 'Dust mopping' })).toMatchObject({ mode: 'dust_mop', mode_raw: 'Dust mopping' });
    const run = await createRun({ mode: 'Grundreinigung' });
    expect(run).toMatchObject({ mode: 'other', mode_raw: 'Grundreinigung' });
    const { body } = await call('PATCH', `runs/${run.id}`, { mode: 'scrub' });
    expect(body.data).toMatchObject({ mode: 'scrub', mode_raw: 'Grundreinigung' });
  });

  test('filters and groups runs', async () => {
    const { id } = await createRun({ mode: 'disinfecting' });
    const list = await call<{ data: Run[] }>('GET', 'runs?filter[mode]=disinfect');
    expect(list.body.data.map((run) => run.id)).toEqual([id]);
    const groups = await call<{ data: { value: string; count: number }[] }>('GET', 'runs/groups?by=mode');
    expect(groups.body.data).toContainEqual(expect.objectContaining({ value: 'disinfect', count: 1 }));
  });

  test('is exported as a word, beside the original one', async () => {
    await createRun({ mode: 'sweeping' });
    const query = 'format=csv&filter[mode]=sweep&columns=mode,mode_raw';
    const { text } = await app.call(world.admin, 'GET', `runs/export?${query}`);
    expect(text).toContain('Sweeping,sweeping');
  });
});

test('the mode of a reported run follows from the device’s word', async () => {
  const { machine, secret } = await prepareTrackedMachine(app, world, 1);
  const items = ['SWEEP', 'Eco'].map((mode, index) => ({
    run: { external_id: `mode-${index}`, mode, started_at: `2026-03-0${index + 1}T08:00:00Z`, duration_s: 60 },
    at: `2026-03-0${index + 1}T09:00:00Z`,
  }));
  expect((await sendBatch(app, secret, items)).status).toBe(200);
  const { body } = await call<{ data: Run[] }>(
    'GET',
    `runs?filter[machine_id]=${machine}&filter[source]=reported&sort=started_at`,
  );
  expect(body.data.map(({ mode, mode_raw }) => [mode, mode_raw])).toEqual([
    ['sweep', 'SWEEP'],
    ['other', 'Eco'],
  ]);
});

describe('migration of stored modes', () => {
  const migrate = async () => {
    const migration = committedMigrations().find(({ tag }) => tag.endsWith('cleaning_modes'));
    for (const statement of migration?.statements ?? []) await app.db.rows(sql.raw(statement));
  };
  const revertMigration = async () => {
    await app.db.rows(sql`alter table runs drop constraint runs_mode_check`);
    await app.db.rows(sql`drop index runs_mode_idx`);
  };
  const storeRun = (values: { mode?: string; mode_raw?: string; original?: object }) =>
    add(app.db, 'runs', {
      machine_id: world.north.machines[1] as number,
      source: 'reported',
      ...runTimes,
      ...(values as Record<string, never>),
      started_at: new Date(Date.parse(runTimes.started_at) + Math.random() * 3_600_000).toISOString(),
    });
  const readStored = (id: number) =>
    app.db.selectOne(
      { mode: pg.text.nullable, mode_raw: pg.text.nullable, original: pg.json<object>().nullable },
      sql`select mode, mode_raw, original from runs where id = ${id}::int`,
    );

  test('interprets each word as the API does', async () => {
    const words = ['scrub', 'other', 'Scrubbing', 'floorCleaning', 'startSweeping', 'DustMop', 'dust mopping', 'mop'];
    words.push('vacuum_and_mop', 'suction', 'Polishing', 'BURNISHED', 'sanitize', 'UV disinfection');
    words.push('洗地', 'washing');
    await revertMigration();
    const ids = new Map<string, number>();
    for (const mode of words) ids.set(mode, await storeRun({ mode }));
    await migrate();
    for (const [word, id] of ids) {
      const mode = normalizeCleaningMode(word);
      expect(await readStored(id), word).toMatchObject({ mode, mode_raw: mode === word ? null : word });
    }
  });

  test('keeps the vendors’ words, and both sides of a correction', async () => {
    await revertMigration();
    const ids = [
      await storeRun({ mode_raw: 'START_SCRUBBING' }),
      await storeRun({ mode: 'wet', mode_raw: '7' }),
      await storeRun({ mode: 'scrub', original: { mode: 'Eco', task_name: 'Hall' } }),
      await storeRun({}),
    ];
    await migrate();
    expect(await Promise.all(ids.map(readStored))).toEqual([
      { mode: 'scrub', mode_raw: 'START_SCRUBBING', original: null },
      { mode: 'other', mode_raw: '7', original: null },
      { mode: 'scrub', mode_raw: 'Eco', original: { mode: 'other', task_name: 'Hall' } },
      { mode: null, mode_raw: null, original: null },
    ]);
  });
});
