/** Health of the installation: what is counted, and who may read it. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
const now = new Date('2026-10-22T10:00:00Z');

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => now;
  await app.db.rows(sql`delete from jobs`);
});
afterAll(() => app?.close());

const readInstallation = (caller: number) => app.call<{ data: object }>(caller, 'GET', 'dashboard/installation');

test('counts waiting and recently failed jobs of the kinds that send', async () => {
  const { data: figuresBefore } = (await readInstallation(world.admin)).body;
  expect(figuresBefore).toMatchObject({ waiting: 0, failed: 0, waiting_since: null });
  const addJob = (kind: string, state: string, daysAgo: number) => {
    const time = new Date(now.getTime() - daysAgo * 86_400_000).toISOString();
    return app.db.rows(sql`insert into jobs (id, kind, payload, state, run_at, created_at, done_at)
      values (gen_random_uuid(), ${kind}, '{}'::jsonb, ${state}, ${time}::timestamptz, ${time}::timestamptz,
        case when ${state} in ('dead', 'done') then ${time}::timestamptz end)`);
  };
  await addJob('mail', 'queued', 2);
  await addJob('alert_message', 'running', 1);
  await addJob('report_message', 'dead', 5);
  await addJob('mail', 'dead', 31);
  await addJob('mail', 'done', 1);
  await addJob('import', 'queued', 9);
  expect((await readInstallation(world.admin)).body.data).toEqual({
    ...figuresBefore,
    waiting: 2,
    waiting_since: '2026-10-20T10:00:00.000Z',
    failed: 1,
  });
});

test('is readable with global scope only', async () => {
  expect((await readInstallation(world.admin)).status).toBe(200);
  for (const role of ['country_manager', 'customer_admin', 'operator'] as const)
    expect((await readInstallation(world.north.users[role])).status).toBe(403);
});
