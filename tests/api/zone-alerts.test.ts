/**
 * Alerts about zones that were not cleaned for days: what opens and closes them, what is not evaluated, who sees them.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import { alertMessageJobs } from '../../server/features/alerts/alertMessageJobs';
import { createZoneEvaluation } from '../../server/features/alerts/createZoneEvaluation';
import { createZonePreview } from '../../server/features/alerts/createZonePreview';
import { systemCaller } from '../../server/features/alerts/plannedCleaning';
import { runDueJobs } from '../../server/jobs/jobWorker';
import { backdateAlertRules, createAlertRule, readRuleAlerts } from '../support/alertRules';
import { addLaneRun, stripZone } from '../support/laneRun';
import { readMailsTo } from '../support/outboxMails';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let location: number;
let floor: number;
let evaluateZones: () => Promise<number>;
/** Berlin is two hours ahead of UTC. */
const start = Date.UTC(2026, 7, 20, 12);
let now = start;
let testCount = 0;
const [minute, day] = [60_000, 86_400_000];
/** Noon UTC this many days before `now`. */
const daysAgo = (days: number) => now - days * day;
const formatDate = (time: number) => new Date(time).toISOString().slice(0, 10).split('-').reverse().join('.');
const toIso = (time: number) => new Date(time).toISOString();

beforeAll(async () => {
  ({ app, world } = await startTestWorld({ env: { PUBLIC_URL: 'https://fleet.example' } }));
  app.services.now = () => new Date(now);
  machine = world.north.machines[0] as number;
  location = world.north.locations[0];
  await app.db.rows(sql`update locations set name = 'Clinic' where id = ${location}`);
  // Deletes the floors of earlier tests: every evaluation then includes the floor of this test.
  await app.db.rows(sql`update floors set deleted_at = now() where location_id = ${location}`);
  evaluateZones = createZoneEvaluation(app.services);
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.db.rows(sql`update alert_rules set is_active = false`);
  await app.db.rows(sql`delete from runs`);
  await app.db.rows(sql`delete from observations`);
  await app.db.rows(sql`update floors set deleted_at = now(), version = version + 1 where id = ${floor ?? 0}`);
  now = start + 60 * day * testCount;
  testCount += 1;
  floor = await add(app.db, 'floors', {
    location_id: location,
    name: 'Ground floor',
    maps: [{ map_id: 'hall' }] as never,
  });
});

/** Height of a zone that a single lane covers. */
const laneHeight = 0.6;
const addZone = async (name: string, y: number, { everyDays = null, drawnAt = daysAgo(50) }: ZoneOptions = {}) => {
  const polygon = stripZone(y, laneHeight);
  const id = await add(app.db, 'zones', { floor_id: floor, name, kind: 'clean', polygon, every_days: everyDays });
  await app.db.rows(sql`update zones set created_at = ${toIso(drawnAt)}::timestamptz where id = ${id}`);
  return id;
};
interface ZoneOptions {
  everyDays?: number | null;
  drawnAt?: number;
}

/** Adds a run over the zone that starts at `y`; without `y` its positions are unknown. */
const addCleaning = (time: number, y: number | undefined, floorId: number | null = floor): Promise<void> =>
  addLaneRun(app.db, {
    machine,
    location,
    floor: floorId,
    at: new Date(time),
    y: y === undefined ? undefined : y + laneHeight / 2,
  });
const ruleValues = () => ({
  client_id: world.north.client,
  location_id: location,
  metric: 'zone_uncleaned',
  threshold: 3,
});
const createRule = async (values: object = {}) => {
  const id = await createAlertRule(app, world.admin, { ...ruleValues(), name: 'Zones', ...values });
  await backdateAlertRules(app, new Date(daysAgo(50)));
  return id;
};
interface Alert {
  id: number;
  state: string;
  summary: string;
  floor_id: number;
  zone_ids: number[];
  opened_at: string;
}
const readAlerts = (id: number, caller = world.users.site_manager) => readRuleAlerts<Alert>(app, caller, id);
const evaluateRule = async (id: number) => {
  await evaluateZones();
  return (await readAlerts(id)).map(({ state, summary }) => [state, summary]);
};
const readPreview = async (values: object = {}) =>
  (
    await app.call<{ data: { count: number; zones: number; firings: { until: string | null }[] } }>(
      world.admin,
      'POST',
      'alert_rules/preview',
      { ...ruleValues(), ...values },
    )
  ).body.data;

describe('a zone', () => {
  test('opens an alert after whole days without cleaning, and closes it when it is cleaned', async () => {
    const foyer = await addZone('Foyer', 0);
    const cleaningDay = daysAgo(5);
    await addCleaning(cleaningDay, 0);
    const id = await createRule();
    now = cleaningDay + 3 * day + 9 * 60 * minute;
    expect(await evaluateRule(id)).toEqual([]);
    now += 2 * 60 * minute;
    expect(await evaluateRule(id)).toEqual([
      ['open', `Foyer · Ground floor, Clinic · not cleaned since ${formatDate(cleaningDay)}`],
    ]);
    const [alert] = await readAlerts(id);
    expect(alert).toMatchObject({ floor_id: floor, zone_ids: [foyer] });
    // Midnight at the location.
    expect(alert?.opened_at.slice(11)).toBe('22:00:00.000Z');
    expect(await evaluateRule(id)).toHaveLength(1);
    await addCleaning(now, 5);
    expect(await evaluateRule(id)).toMatchObject([['open', expect.any(String)]]);
    await addCleaning(now + minute, 0);
    now += 2 * minute;
    expect(await evaluateRule(id)).toMatchObject([['closed', expect.any(String)]]);
  });

  test('is due since its earlier cleaning after a run that covered it was deleted', async () => {
    await addZone('Foyer', 0, { drawnAt: daysAgo(50) });
    await addCleaning(daysAgo(40), 0);
    const id = await createRule();
    const summary = `Foyer · Ground floor, Clinic · not cleaned since ${formatDate(daysAgo(40))}`;
    expect(await evaluateRule(id)).toEqual([['open', summary]]);
    await addCleaning(daysAgo(1), 0);
    expect(await evaluateRule(id)).toEqual([['closed', summary]]);
    await app.db.rows(sql`delete from runs where started_at > ${toIso(daysAgo(2))}::timestamptz`);
    expect(await evaluateRule(id)).toContainEqual(['open', summary]);
  });

  test('drawn later counts its days from then on', async () => {
    await addZone('Foyer', 0);
    await addZone('Annex', 5, { drawnAt: daysAgo(3) });
    await addCleaning(daysAgo(1), 0);
    const id = await createRule();
    expect(await evaluateRule(id)).toEqual([]);
    now += day;
    expect(await evaluateRule(id)).toMatchObject([['open', expect.stringContaining('Annex')]]);
  });

  test.each([
    ['is reported with the day on which it was drawn', 20, undefined],
    ['is reported even if it was drawn before the days that each evaluation searches', 100, undefined],
    ['is distinguished from a zone that was cleaned before those days', 100, 80],
  ])('that was never cleaned %s', async (_, drawnAt, cleanedDaysAgo) => {
    await addZone('Foyer', 0, { drawnAt: daysAgo(drawnAt) });
    await addCleaning(daysAgo(1), 5);
    if (cleanedDaysAgo) await addCleaning(daysAgo(cleanedDaysAgo), 0);
    const id = await createRule();
    const finding = cleanedDaysAgo
      ? `not cleaned since ${formatDate(daysAgo(cleanedDaysAgo))}`
      : `never cleaned since drawn on ${formatDate(daysAgo(drawnAt))}`;
    expect(await evaluateRule(id)).toEqual([['open', `Foyer · Ground floor, Clinic · ${finding}`]]);
    // The next evaluation finds the same, whether or not it searches again.
    await addCleaning(daysAgo(0) - minute, 5);
    expect(await evaluateRule(id)).toEqual([['open', `Foyer · Ground floor, Clinic · ${finding}`]]);
  });

  test('that was never cleaned does not share an alert with one that was last cleaned on the day on which it was drawn', async () => {
    await addZone('Foyer', 0);
    await addZone('Annex', 5, { drawnAt: daysAgo(6) });
    await addCleaning(daysAgo(6), 0);
    const alerts = await evaluateRule(await createRule());
    expect(alerts.map(([, summary]) => summary)).toEqual([
      `Annex · Ground floor, Clinic · never cleaned since drawn on ${formatDate(daysAgo(6))}`,
      `Foyer · Ground floor, Clinic · not cleaned since ${formatDate(daysAgo(6))}`,
    ]);
  });

  test('with a longer cleaning interval opens an alert only after that interval', async () => {
    await addZone('Foyer', 0);
    await addZone('Cellar', 5, { everyDays: 7 });
    await addCleaning(daysAgo(7), 5);
    await addCleaning(daysAgo(1), 0);
    const id = await createRule();
    expect(await evaluateRule(id)).toEqual([]);
    now += day;
    expect(await evaluateRule(id)).toMatchObject([['open', expect.stringContaining('Cellar')]]);
  });

  test('shares its alert with zones of the floor that were last cleaned on the same day', async () => {
    await addZone('Foyer', 0);
    await addZone('Corridor', 5);
    await addZone('Ward', 10);
    await addCleaning(daysAgo(6), 0);
    await addCleaning(daysAgo(6) + minute, 5);
    await addCleaning(daysAgo(5), 10);
    const id = await createRule();
    const summaryOf = (days: number) => `Ground floor, Clinic · not cleaned since ${formatDate(daysAgo(days))}`;
    expect(await evaluateRule(id)).toEqual([
      ['open', `Corridor, Foyer · ${summaryOf(6)}`],
      ['open', `Ward · ${summaryOf(5)}`],
    ]);
    await addCleaning(daysAgo(0) - minute, 0);
    expect((await evaluateRule(id)).map(([state]) => state)).toEqual(['open', 'open']);
    await addCleaning(daysAgo(0) - 2 * minute, 5);
    expect((await evaluateRule(id)).map(([state]) => state)).toEqual(['closed', 'open']);
  });

  test('keeps its alert until its floor is evaluated', async () => {
    await addZone('Foyer', 0);
    await addCleaning(daysAgo(6), 0);
    const id = await createRule();
    await evaluateRule(id);
    await addCleaning(daysAgo(0) - minute, 0);
    await createZoneEvaluation(app.services, { timeLimit: -1 })();
    expect((await readAlerts(id)).map(({ state }) => state)).toEqual(['open']);
    expect((await evaluateRule(id)).map(([state]) => state)).toEqual(['closed']);
  });

  test('opens no second alert after a user has closed the first', async () => {
    await addZone('Foyer', 0);
    await addCleaning(daysAgo(6), 0);
    const id = await createRule();
    await evaluateRule(id);
    const [alert] = await readAlerts(id);
    expect((await app.call(world.users.site_manager, 'POST', `alerts/${alert?.id}/close`, {})).status).toBe(200);
    expect(await evaluateRule(id)).toMatchObject([['closed', expect.any(String)]]);
  });

  test.each([
    ['is deleted', () => app.db.rows(sql`update zones set deleted_at = now() where floor_id = ${floor}`)],
    ['is no longer to be cleaned', () => app.db.rows(sql`update zones set kind = 'no_go' where floor_id = ${floor}`)],
    ['is no longer watched by a rule', () => app.db.rows(sql`update alert_rules set is_active = false`)],
  ])('closes its alert when it %s', async (_, change) => {
    await addZone('Foyer', 0);
    await addCleaning(daysAgo(6), 0);
    const id = await createRule();
    expect(await evaluateRule(id)).toMatchObject([['open', expect.any(String)]]);
    await change();
    expect(await evaluateRule(id)).toMatchObject([['closed', expect.any(String)]]);
  });
});

describe('no alert opens', () => {
  test('on a floor without a single known path', async () => {
    await addZone('Foyer', 0);
    await addCleaning(daysAgo(10), undefined);
    const id = await createRule();
    expect(await evaluateRule(id)).toEqual([]);
    expect(await readPreview()).toMatchObject({ count: 0, zones: 0 });
  });

  test.each([
    ['on the floor', () => floor],
    ['at the location, on no floor', () => null],
  ])('after a run without positions %s, which may have cleaned everything', async (_, getFloor) => {
    await addZone('Foyer', 0);
    await addCleaning(daysAgo(10), 0);
    await addCleaning(daysAgo(2), undefined, getFloor());
    const id = await createRule();
    expect(await evaluateRule(id)).toEqual([]);
    now += 2 * day;
    expect(await evaluateRule(id)).toMatchObject([['open', expect.any(String)]]);
  });
});

test('a site without machines also gets alerts, visible only to the client of its runs', async () => {
  await addZone('Foyer', 0);
  await addCleaning(daysAgo(6), 0);
  await app.db.rows(sql`update machines set location_id = null where location_id = ${location}`);
  const id = await createRule();
  expect(await evaluateRule(id)).toMatchObject([['open', expect.any(String)]]);
  for (const role of ['admin', 'country_manager', 'partner', 'customer_admin', 'site_manager', 'operator'] as const)
    expect([role, await readAlerts(id, world.users[role])]).toEqual([
      role,
      [expect.objectContaining({ floor_id: floor })],
    ]);
  for (const role of ['country_manager', 'partner', 'customer_admin', 'site_manager', 'operator'] as const)
    expect([role, await readAlerts(id, world.south.users[role])]).toEqual([role, []]);
  await app.db.rows(sql`update machines set location_id = ${location} where id = ${machine}`);
});

test('the preview contains firings that began in the last 30 days or still last', async () => {
  await addZone('Foyer', 0);
  for (const days of [50, 29, 28, 20, 1]) await addCleaning(daysAgo(days), 0);
  const response = await readPreview();
  expect(response).toMatchObject({ count: 2, zones: 1 });
  expect(response.firings.every(({ until }) => until !== null)).toBe(true);
  now += 5 * day;
  expect((await readPreview()).firings[0]).toMatchObject({
    until: null,
    place: 'Clinic',
    machines: [],
    zones: [{ name: 'Foyer', floor: { id: floor, name: 'Ground floor' } }],
  });
  expect((await readPreview({ threshold: 25 })).count).toBe(0);
});

test('the preview reports the number of zones that it could not read in time', async () => {
  await addZone('Foyer', 0);
  await addZone('Corridor', 5);
  await addCleaning(daysAgo(6), 0);
  expect(await readPreview()).toMatchObject({ zones: 2, watched_zones: 2, unread_zones: 0 });
  const rule = { client_id: world.north.client, fleet_id: null, location_id: location, view_id: null };
  const condition = { metric: 'zone_uncleaned', state: null, threshold: 3, error_code: null, hold_time: 0 } as const;
  const readZonePreview = createZonePreview(app.services, { timeLimit: -1 });
  const period = { caller: systemCaller, from: new Date(daysAgo(30)), now: new Date(now) };
  expect(await readZonePreview({ ...rule, ...condition }, period)).toEqual({
    zones: 0,
    watchedZones: 2,
    unreadZones: 2,
    alerts: [],
  });
});

test('the rule requires a number of days and accepts no view of machines', async () => {
  const body = { name: 'Zones', client_id: world.north.client, metric: 'zone_uncleaned' };
  const view = await app.call<{ data: { id: number } }>(world.admin, 'POST', 'saved_views', {
    name: 'All',
    resource: 'machines',
    client_id: world.north.client,
  });
  const readProblems = async (values: object) =>
    Object.keys(
      (await app.call<{ errors: object }>(world.admin, 'POST', 'alert_rules', { ...body, ...values })).body.errors,
    );
  expect(await readProblems({})).toEqual(['threshold']);
  expect(await readProblems({ threshold: 366 })).toEqual(['threshold']);
  expect(await readProblems({ threshold: 2, view_id: view.body.data.id })).toEqual(['view_id']);
});

test('users with the floor in scope are notified by mail', async () => {
  const { site_manager } = world.north.users;
  await addZone('Foyer', 0);
  await addCleaning(daysAgo(6), 0);
  const name = 'Zones of the clinic';
  const id = await createRule({ name, user_ids: [site_manager, world.south.users.site_manager] });
  await evaluateRule(id);
  const kind = alertMessageJobs(app.services);
  await runDueJobs(app.services, kind as Parameters<typeof runDueJobs>[1]);
  const readMails = async (user: number) => {
    const row = await app.db.one(sql`select email from users where id = ${user}`);
    return (await readMailsTo(app, String(row?.email))).filter(({ text }) => text.includes(name));
  };
  await expect.poll(async () => (await readMails(site_manager)).length).toBe(1);
  const [mail] = await readMails(site_manager);
  expect(mail?.subject).toContain('Foyer · Ground floor, Clinic');
  expect(await readMails(world.south.users.site_manager)).toEqual([]);
});

test.each(languageCodes)('the alert is explained in %s, and included in the inbox', async (language) => {
  const row = await app.db.one(sql`select id from languages where two_letter_code = ${language}`);
  await app.db.rows(sql`update users set language_id = ${Number(row?.id)}::int where id = ${world.users.site_manager}`);
  await addZone('Foyer', 0);
  await addZone('Annex', 5, { drawnAt: daysAgo(7) });
  await addCleaning(daysAgo(6), 0);
  const summaries = (await evaluateRule(await createRule())).map(([, summary = '']) => summary);
  for (const [name, date] of [
    ['Foyer', formatDate(daysAgo(6))],
    ['Annex', formatDate(daysAgo(7))],
  ]) {
    const summary = summaries.find((text) => text.startsWith(`${name} · Ground floor, Clinic · `));
    expect(summary).toContain(date);
    expect(summary).not.toContain('%{');
  }
  const inbox = await app.call<{ data: { items: { cause: string; finding: string; names: string[] }[] } }>(
    world.users.site_manager,
    'GET',
    'inbox',
  );
  const findings = ['zone_uncleaned', 'zone_uncleaned/never'].map((key) => {
    const item = inbox.body.data.items.find(({ cause }) => cause === key);
    expect(item?.names).toContain(key === 'zone_uncleaned' ? 'Foyer' : 'Annex');
    expect(item?.finding).toMatch(/\d\d\.\d\d\.\d{4}$/);
    return item?.finding.replace(/[\d.]+$/, '');
  });
  expect(new Set(findings).size).toBe(2);
});
