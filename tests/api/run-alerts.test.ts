/** Alerts about runs: what opens and closes them, their text, and whose runs they consider. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import { evaluateRules } from '../../server/features/alerts/evaluateRules';
import { formatPercent } from '../../src/i18n/format';
import { backdateAlertRules, createAlertRule, readRuleAlerts } from '../support/alertRules';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let now = Date.UTC(2026, 5, 1, 8);
const minute = 60_000;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => new Date(now);
  machine = world.north.machines[0] as number;
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.db.rows(sql`update alert_rules set is_active = false`);
  await app.db.rows(sql`delete from runs`);
  now += 30 * 24 * 60 * minute;
});

const toIso = (time: number) => new Date(time).toISOString();
/** Adds a run of one hour that ended this many minutes ago. */
const addRun = async (minutesAgo: number, values: object, machineId = machine) => {
  const endedAt = now - minutesAgo * minute;
  const body = { machine_id: machineId, started_at: toIso(endedAt - 60 * minute), ended_at: toIso(endedAt), ...values };
  expect((await app.call(world.admin, 'POST', 'runs', body)).status).toBe(201);
};
const createRule = async (values: object) => {
  const ruleScope = { client_id: world.north.client, location_id: world.north.locations[0] };
  const id = await createAlertRule(app, world.admin, { name: 'Runs', ...ruleScope, ...values });
  await backdateAlertRules(app, new Date(now - 86_400_000));
  return id;
};
const readAlerts = async (id: number) => {
  await evaluateRules(app.services);
  const alerts = await readRuleAlerts<{ summary: string; state: string }>(app, world.users.site_manager, id);
  return alerts.map(({ summary, state }) => [state, summary]);
};
const readPreview = async (metric: string, threshold: number) => {
  const { body } = await app.call<{ data: { count: number } }>(world.admin, 'POST', 'alert_rules/preview', {
    client_id: world.north.client,
    metric,
    threshold,
  });
  return body.data.count;
};

test('an incomplete run opens an alert, which the next complete run closes', async () => {
  const id = await createRule({ metric: 'run_incomplete', threshold: 90 });
  await addRun(300, { planned_area_m2: 1000, cleaned_area_m2: 900, outcome: 'completed' });
  expect(await readAlerts(id)).toEqual([]);
  await addRun(200, { planned_area_m2: 1000, cleaned_area_m2: 899, outcome: 'completed' });
  expect(await readAlerts(id)).toEqual([['open', 'North-111 · run incomplete, 89% of the planned area cleaned']]);
  // This run does not report whether it is complete.
  await addRun(120, {});
  expect(await readAlerts(id)).toMatchObject([['open', expect.any(String)]]);
  await addRun(10, { planned_area_m2: 1000, cleaned_area_m2: 990 });
  expect(await readAlerts(id)).toMatchObject([['closed', expect.any(String)]]);
  expect(await readPreview('run_incomplete', 90)).toBe(1);
});

test('an aborted run opens an alert for a week, regardless of its coverage', async () => {
  const id = await createRule({ metric: 'run_incomplete', threshold: 1 });
  await addRun(10, { outcome: 'aborted' });
  expect(await readAlerts(id)).toEqual([['open', 'North-111 · run incomplete']]);
  now += 7 * 24 * 60 * minute;
  expect(await readAlerts(id)).toMatchObject([['closed', expect.any(String)]]);
});

test('an interruption longer than the limit opens an alert, resolved or not', async () => {
  const id = await createRule({ metric: 'run_interrupted', threshold: 15 });
  const interruption = (from: number, to: number | null) => ({
    at: toIso(now - from * minute),
    reason: 'Brush blocked',
    resolved_at: to === null ? null : toIso(now - to * minute),
  });
  await addRun(300, { interruptions: [interruption(340, 325)] });
  expect(await readAlerts(id)).toEqual([]);
  await addRun(200, { interruptions: [interruption(250, 249), interruption(240, 220)] });
  expect(await readAlerts(id)).toEqual([['open', 'North-111 · run interrupted for 20 min']]);
  await addRun(100, { interruptions: [] });
  expect(await readAlerts(id)).toMatchObject([['closed', expect.any(String)]]);
  await addRun(5, { interruptions: [interruption(10, null)] });
  expect(await readAlerts(id)).toHaveLength(1);
  now += 10 * minute;
  expect((await readAlerts(id)).map(([state]) => state)).toEqual(['closed', 'open']);
  expect(await readPreview('run_interrupted', 15)).toBe(2);
});

test('a run of the previous client opens no alert for the machine’s new client', async () => {
  await addRun(10, { outcome: 'failed' }, world.south.machines[0]);
  const [fleet] = world.north.fleets;
  await app.call(world.admin, 'PATCH', `machines/${world.south.machines[0]}`, {
    fleet_id: fleet,
    location_id: world.north.locations[0],
  });
  const id = await createRule({ metric: 'run_incomplete', threshold: 90 });
  expect(await readAlerts(id)).toEqual([]);
  expect(await readPreview('run_incomplete', 90)).toBe(0);
});

test.each(languageCodes)('the alert is explained in %s, and included in the inbox', async (language) => {
  const row = await app.db.one(sql`select id from languages where two_letter_code = ${language}`);
  await app.db.rows(sql`update users set language_id = ${Number(row?.id)}::int where id = ${world.users.site_manager}`);
  const id = await createRule({ metric: 'run_incomplete', threshold: 90 });
  await addRun(10, { outcome: 'partial', planned_area_m2: 1000, cleaned_area_m2: 333 });
  const [[state, summary] = []] = await readAlerts(id);
  expect(state).toBe('open');
  expect(summary).toContain(formatPercent(33, { language }));
  expect(summary).not.toContain('%{');
  const inbox = await app.call<{ data: { items: { kind: string }[] } }>(world.users.site_manager, 'GET', 'inbox');
  expect(inbox.body.data.items).toContainEqual(expect.objectContaining({ kind: 'alert' }));
});
