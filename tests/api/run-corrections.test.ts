/** Later versions of a report correct its run; corrections by users stay. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import gausium from '../samples/gausium.json';
import { add, nextNumber } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { replaceSecret } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let serial: string;
let secret: string;
let integration: { id: number; name: string; secret: string };

interface Counts {
  data: { stored: number; duplicates: number; unread: number };
}
interface AuditEntry {
  user_name: string | null;
  action: string;
  changes: { field: string; before: string; after: string }[];
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app?.close());

beforeEach(async () => {
  serial = `GS-${nextNumber()}`;
  const tracker = await add(app.db, 'trackers', { tracker_or_serial: serial });
  const placement = { fleet_id: world.north.fleets[0], location_id: world.north.locations[0] };
  machine = await add(app.db, 'machines', { ...placement, tracker_id: tracker });
  secret = await replaceSecret(app, world.admin, tracker);
  const name = `Cloud ${nextNumber()}`;
  const values = { name, preset: 'gausium', client_id: world.north.client };
  const { id } = (await call<{ data: { id: number } }>('POST', 'integrations', values)).data;
  integration = { id, name, ...(await call<{ data: { secret: string } }>('POST', `integrations/${id}/secret`)).data };
});

const call = async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  (await app.call<T>(world.admin, method, path, body)).body;
const post = (path: string, key: string, body: unknown) =>
  app.call<Counts>(undefined, 'POST', path, JSON.stringify(body), {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  });
const sendReport = async (extraFields: object = {}) => {
  const message = { ...gausium.report, robotSerialNumber: serial, ...extraFields };
  return (await post(`ingest/hooks/${integration.id}`, integration.secret, message)).body.data;
};
const runTimes = { started_at: '2026-03-01T08:00:00Z', ended_at: '2026-03-01T08:48:24Z' };
const sendBatch = async (time: string, extraFields: object = {}) =>
  (
    await post('ingest', secret, [
      { at: time, run: { external_id: 'r1', ...runTimes, cleaned_area_m2: 100, ...extraFields } },
    ])
  ).body;
const readRuns = async () =>
  (await call<{ data: Record<string, unknown>[] }>('GET', `runs?filter[machine_id]=${machine}`)).data;
const readHistory = async (id: unknown) =>
  (await call<{ data: AuditEntry[] }>('GET', `audit?filter[entity]=runs&filter[record_id]=${id}&sort=at`)).data.map(
    ({ user_name: userName, changes }) => ({
      by: userName,
      changes: Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
    }),
  );

test('a later report with other figures corrects the run, and the history names its integration', async () => {
  expect(await sendReport()).toEqual({ stored: 1, duplicates: 0, unread: 0 });
  const [first] = await readRuns();
  expect(await sendReport()).toEqual({ stored: 0, duplicates: 1, unread: 0 });
  expect(await readRuns()).toEqual([first]);
  expect(await readHistory(first?.id)).toEqual([]);
  const correctedReport = { actualCleaningAreaSquareMeter: 700, endTime: '2026-08-16T12:20:14Z' };
  expect(await sendReport(correctedReport)).toEqual({ stored: 1, duplicates: 0, unread: 0 });
  expect(await readRuns()).toMatchObject([
    { id: first?.id, cleaned_area_m2: 700, ended_at: '2026-08-16T12:20:14.000Z', water_l: 14.611, original: null },
  ]);
  const [entry] = await readHistory(first?.id);
  expect(entry?.by).toBe(integration.name);
  expect(Object.keys(entry?.changes ?? {}).sort()).toEqual(['cleaned_area_m2', 'ended_at']);
  expect(JSON.stringify(entry?.changes)).toMatch(/659\.965.*700/);
  const day = await app.db.selectOne(
    { area: pg.double },
    sql`select run_area_m2::float8 as area from machine_days where machine_id = ${machine}::int`,
  );
  expect(day?.area).toBe(700);
  const storedMessages = await app.db.select(
    { body: pg.text },
    sql`select convert_from(body, 'utf8') as body from raw_messages
      where device = ${`integration ${integration.id}`} order by id`,
  );
  expect(storedMessages.map(({ body }) => JSON.parse(body).actualCleaningAreaSquareMeter)).toEqual([659.965, 700]);
});

test('fields that a user corrected stay; others follow the report', async () => {
  await sendBatch('2026-03-01T09:00:00Z');
  const [run] = await readRuns();
  await call('PATCH', `runs/${run?.id}`, { cleaned_area_m2: 90 });
  const laterFigures = { cleaned_area_m2: 110, water_l: 5 };
  expect(await sendBatch('2026-03-01T09:05:00Z', laterFigures)).toEqual({ data: { received: 1, stored: 1 } });
  expect(await readRuns()).toMatchObject([{ cleaned_area_m2: 90, water_l: 5, original: { cleaned_area_m2: 110 } }]);
  const entry = (await readHistory(run?.id)).at(-1);
  expect(entry?.by).toBe(serial);
  expect(Object.keys(entry?.changes ?? {}).sort()).toEqual(['original', 'water_l']);
  expect(JSON.stringify(entry?.changes.original)).toMatch(/100.*110/);
  expect(await sendBatch('2026-03-01T09:05:00Z', laterFigures)).toEqual({ data: { received: 1, stored: 0 } });
});

test.each([
  [
    ['09:00', 1],
    ['09:10', 3],
    ['09:05', 2],
  ],
  [
    ['09:10', 3],
    ['09:05', 2],
    ['09:00', 1],
  ],
  [
    ['09:00', 3],
    ['09:10', 3],
    ['09:05', 2],
  ],
])('the latest version stays, in whatever order versions arrive: %j %j %j', async (...versions) => {
  for (const [time, area] of versions) await sendBatch(`2026-03-01T${time}:00Z`, { cleaned_area_m2: area });
  expect(await readRuns()).toMatchObject([{ cleaned_area_m2: 3, reported_at: '2026-03-01T09:10:00.000Z' }]);
});

test('several versions in one batch become one run with the latest figures', async () => {
  const run = { external_id: 'r1', ...runTimes };
  const batch = [
    { at: '2026-03-01T09:10:00Z', run: { ...run, cleaned_area_m2: 3 } },
    { at: '2026-03-01T09:05:00Z', run: { ...run, cleaned_area_m2: 2, water_l: 7 } },
  ];
  expect((await post('ingest', secret, batch)).body).toEqual({ data: { received: 2, stored: 1 } });
  expect(await readRuns()).toMatchObject([{ cleaned_area_m2: 3, water_l: 7 }]);
});

test('a report that contradicts a user’s correction is counted as unread and changes nothing', async () => {
  await sendReport();
  const [run] = await readRuns();
  await call('PATCH', `runs/${run?.id}`, { started_at: '2026-08-16T12:00:00Z' });
  const endTimes = { startTime: '2026-08-16T11:25:13Z', endTime: '2026-08-16T11:50:00Z' };
  expect(await sendReport(endTimes)).toEqual({ stored: 0, duplicates: 0, unread: 1 });
  expect(await readRuns()).toMatchObject([{ ended_at: '2026-08-16T12:14:14.000Z' }]);
});

test('a deleted run stays deleted, and is restored with the values of its latest report', async () => {
  await sendBatch('2026-03-01T09:00:00Z');
  const [run] = await readRuns();
  await call('DELETE', `runs/${run?.id}`);
  expect(await sendBatch('2026-03-01T09:05:00Z', { cleaned_area_m2: 5 })).toEqual({ data: { received: 1, stored: 1 } });
  expect(await sendBatch('2026-03-01T09:05:00Z', { cleaned_area_m2: 5 })).toEqual({ data: { received: 1, stored: 0 } });
  expect(await readRuns()).toEqual([]);
  await call('POST', `runs/${run?.id}/restore`);
  expect(await readRuns()).toMatchObject([{ id: run?.id, cleaned_area_m2: 5 }]);
});

test('a report does not change an entered run', async () => {
  await call('POST', 'runs', { machine_id: machine, ...runTimes, external_id: 'typed', cleaned_area_m2: 8 });
  await sendBatch('2026-03-01T09:05:00Z', { external_id: 'typed', cleaned_area_m2: 5 });
  expect(await readRuns()).toMatchObject([{ source: 'entered', cleaned_area_m2: 8 }]);
});
