/** Demo data: a realistic fleet with a consistent history. */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '../../demo/seed/demo';
import { seedOlderHistoryBatch } from '../../demo/seed/olderHistory';
import type { FleetPerformance } from '../../schema/endpoints/dashboard';
import { loadDemo } from '../../server/app/demo';
import { pg } from '../../server/db/core/rowShape';
import { startTestApp, type TestApp } from '../support/startTestApp';

let app: TestApp;
let admin: number;
const machineCount = 60;

beforeAll(async () => {
  app = await startTestApp();
  await seedDemo(app.db, { machines: machineCount, seed: 3 });
  const row = await app.db.selectOne(
    { id: pg.integer },
    sql`select id from users where email = 'admin@demo.sweepline.example'`,
  );
  admin = row?.id as number;
});
afterAll(() => app.close());

const listRows = async <T>(query: string) => (await app.call<{ data: T[]; total: number }>(admin, 'GET', query)).body;

interface Client {
  name: string;
  image: string;
  contact_name: string;
  contact_email: string;
  contact_phone: string;
  created_at: string;
}

describe('clients', () => {
  test('have unique names, contacts and a logo', async () => {
    const { data, total } = await listRows<Client>('clients?per_page=100');
    expect(total).toBe(12);
    expect(new Set(data.map(({ name }) => name)).size).toBe(12);
    expect(new Set(data.map(({ contact_email }) => contact_email)).size).toBe(12);
    for (const { contact_name, contact_email, contact_phone, image } of data) {
      expect(contact_name).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u);
      expect(contact_email).toMatch(/^[a-z]+\.[a-z]+@[a-z0-9-]+\.example$/);
      expect(contact_phone).toMatch(/^\+\d\d \d\d \d{7}$/);
      const picture = await app.call(undefined, 'GET', `/storage/images/${image}`);
      expect(picture.headers['content-type']).toBe('image/png');
      expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: 160, height: 160 });
    }
    expect(new Set(data.map(({ image }) => image)).size).toBe(12);
  });

  test.each([
    'clients',
    'users',
    'machines',
  ])('%s: some, but less than a third, were created within the last 30 days', async (entity) => {
    const since = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const [allRows, recentRows] = [
      await listRows(`${entity}?per_page=1`),
      await listRows(`${entity}?per_page=1&filter[created_at]=>=${since}`),
    ];
    expect(recentRows.total).toBeGreaterThan(0);
    expect(recentRows.total).toBeLessThan(allRows.total / 3);
  });
});

test('sums of fleets are folded after loading, so that the first dashboard reads few rows', async () => {
  const row = await app.db.selectOne(
    { days: pg.integer, changes: pg.integer },
    sql`select (select count(*) from fleet_days)::int as days, (select count(*) from fleet_day_changes)::int as changes`,
  );
  expect(row).toEqual({ days: expect.any(Number), changes: 0 });
  expect(row?.days).toBeGreaterThan(0);
});

test('locations have weekly hours and show whether they are open', async () => {
  const { data } = await listRows<{ id: number; opening_hours: { note: string | null; week: object | null } }>(
    'locations?per_page=100',
  );
  expect(data.length).toBeGreaterThan(5);
  for (const { id, opening_hours } of data) {
    expect(opening_hours).toMatchObject({ note: null, week: expect.any(Object) });
    const { body } = await app.call<{ data: { open: boolean | null } }>(admin, 'GET', `locations/${id}/opening`);
    expect(body.data.open).toBeTypeOf('boolean');
  }
});

test('over a third of the users have logged in recently, some not for 90 days', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const [allRows, recentRows, inactiveUsers] = [
    await listRows('users?per_page=1'),
    await listRows(`users?filter[last_login]=>=${daysAgo(30)}`),
    await listRows(`users?filter[last_login]=<${daysAgo(90)}`),
  ];
  expect(recentRows.total).toBeGreaterThan(allRows.total / 3);
  expect(inactiveUsers.total).toBeGreaterThan(5);
});

const countGaps = () =>
  app.db.selectOne(
    { n: pg.integer },
    sql`
    select count(*)::int as n from (select to_at, lead(from_at) over (partition by machine_id order by from_at) as next from segments) s where to_at is distinct from next`,
  );
const findWrongSums = () =>
  app.db.rows(sql`
    select d.machine_id from (select machine_id, sum(cleaning)::int as c, sum(charging)::int as h, sum(parked)::int as p from machine_days group by 1) d
    join machines_state m on m.id = d.machine_id join (
      select s.machine_id, ${sumSql('Cleaning')} as c, ${sumSql('Charging')} as h, ${sumSql('Parked')} as p from segments s join machine_watch w using (machine_id) group by 1) t
      on t.machine_id = d.machine_id
    where (d.c, d.h, d.p, m.cleaning_time, m.charging_time) is distinct from (t.c, t.h, t.p, d.c, d.h)`);
const sumSql = (state: string) =>
  sql`coalesce(sum(extract(epoch from coalesce(s.to_at, date_trunc('second', w.observed_at)) - s.from_at)) filter (where s.state = ${state}), 0)::int`;

const withSource =
  (source: string | null) =>
  (segment: Segment): Segment => ({ ...segment, source });

interface Segment {
  state: string;
  mode: string | null;
  from: string;
  to: string | null;
  reason: string;
  source: string | null;
}
const hour = 3_600_000;

describe('history', () => {
  const readTimeline = async (machine: number, from: Date, to = new Date()) =>
    (
      await app.call<{ data: Segment[] }>(
        admin,
        'GET',
        `machines/${machine}/timeline?from=${from.toISOString()}&to=${to.toISOString()}`,
      )
    ).body.data;

  /**
   * Finds a machine with a Parked segment of more than two hours within the last six days and no stored messages until a
   * day after it. Also returns a time one hour into that segment.
   */
  async function findQuietMachine(index: number) {
    const row = await app.db.selectOne(
      { machine_id: pg.integer, device: pg.text, at: pg.timestamptz },
      sql`
      select s.machine_id, t.tracker_or_serial as device, s.from_at + interval '1 hour' as at from segments s join machines m on m.id = s.machine_id join trackers t on t.id = m.tracker_id
      where s.state = 'Parked' and s.to_at - s.from_at > interval '2 hours' and s.from_at > now() - interval '6 days'
        and not exists (select from observations o where o.machine_id = s.machine_id and o.at < s.to_at + interval '1 day') order by 1, 3 limit 1 offset ${index}::int * 3`,
    );
    if (!row) throw new Error('The demo has no such machine.');
    return row;
  }
  const report = async (device: string, time: Date, status: string) =>
    expect(
      (await app.call(undefined, 'GET', `/ingest/osmand?id=${device}&timestamp=${time.getTime()}&status=${status}`))
        .status,
    ).toBe(200);

  test('does not change around a late message', async () => {
    const { machine_id, device, at } = await findQuietMachine(0);
    const span = [new Date(at.getTime() - 20 * hour), new Date(at.getTime() + 20 * hour)] as const;
    const segmentsBefore = await readTimeline(machine_id, ...span);
    await report(device, at, 'cleaning');
    const segmentsAfter = await readTimeline(machine_id, ...span);
    const index = segmentsBefore.findIndex(
      ({ from, to }) => Date.parse(from) <= at.getTime() && (to === null || Date.parse(to) > at.getTime()),
    );
    const { from, to } = segmentsBefore[index] as Segment;
    const shape = ({ state, mode, from, to }: Segment) => [state, mode, from, to];
    const end = new Date(Math.floor(at.getTime() / 1000) * 1000 + 300_000).toISOString();
    const start = new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString();
    expect(segmentsAfter.map(shape)).toEqual([
      ...segmentsBefore.slice(0, index).map(shape),
      ['Parked', null, from, start],
      ['Cleaning', null, start, end],
      ['Parked', null, end, to],
      ...segmentsBefore.slice(index + 1).map(shape),
    ]);
    expect(await countGaps()).toEqual({ n: 0 });
    expect(await findWrongSums()).toEqual([]);
  });

  test('stays consistent under late messages at any time', async () => {
    const { machine_id, device } = await findQuietMachine(1);
    const segments = await readTimeline(machine_id, new Date(Date.now() - 12 * 24 * hour));
    const instants = segments.flatMap(({ from, to }) => {
      const end = to === null ? Date.now() - 6 * 60_000 : Date.parse(to);
      return [Date.parse(from) - 30_000, Date.parse(from), Date.parse(from) + 200_000, (Date.parse(from) + end) / 2];
    });
    for (const instant of instants.sort((a, b) => (a % 977) - (b % 977)))
      await report(device, new Date(instant), 'charging');
    expect(await countGaps()).toEqual({ n: 0 });
    expect(await findWrongSums()).toEqual([]);
    const totals = await app.db.select(
      { state: pg.text, seconds: pg.integer },
      sql`select state, sum(extract(epoch from coalesce(to_at, now()) - from_at))::int as seconds from segments where machine_id = ${machine_id} group by 1`,
    );
    const expectedSeconds =
      segments.reduce(
        (total, { state, from, to }) =>
          total + (state === 'Offline' ? (to === null ? Date.now() : Date.parse(to)) - Date.parse(from) : 0),
        0,
      ) / 1000;
    expect(totals.find(({ state }) => state === 'Offline')?.seconds ?? 0).toBeLessThanOrEqual(
      expectedSeconds + 10 * 600,
    );
    expect(totals.find(({ state }) => state === 'Parked')?.seconds ?? 0).toBeGreaterThan(0);
  });

  test('is loaded in batches while the server runs, consistent after each', async () => {
    const readOldestTime = async () =>
      (await app.db.selectOne({ at: pg.timestamptz }, sql`select min(from_at) as at from segments`))?.at.getTime() ?? 0;
    expect(Date.now() - (await readOldestTime())).toBeLessThan(13 * 24 * hour);
    // Simulates a process that neither loaded the demo nor adds its history.
    app.services.demo = await loadDemo();
    expect(await isIncomplete()).toBe(true);
    const { machine_id, at } = await findQuietMachine(2);
    const span = [new Date(at.getTime() - 2 * hour), new Date(at.getTime() + 2 * hour)] as const;
    const segmentsBefore = await readTimeline(machine_id, ...span);
    const [first, ...otherBatches] = await seedAllBatches();
    expect(first).toHaveLength(20);
    const ids = [first, ...otherBatches].flatMap((batch) => batch ?? []);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(otherBatches.length).toBeGreaterThan(0);
    expect(await seedOlderHistoryBatch(app.db, { seed: 3 })).toEqual([]);
    expect(Date.now() - (await readOldestTime())).toBeGreaterThan(85 * 24 * hour);
    expect(await isIncomplete()).toBe(false);
    app.services.demo = undefined;
    // Sources are not compared, because their raw messages may have been deleted.
    expect((await readTimeline(machine_id, ...span)).map(withSource(null))).toEqual(
      segmentsBefore.map(withSource(null)),
    );
    const segmentsBeforeCreation = await app.db.one(
      sql`select count(*)::int as n from segments s join machines m on m.id = s.machine_id where s.from_at < date_trunc('second', m.created_at)`,
    );
    expect(segmentsBeforeCreation).toEqual({ n: 0 });
  });

  const isIncomplete = async () =>
    (await app.call<{ data: FleetPerformance }>(admin, 'GET', 'dashboard/performance?days=7')).body.data.is_incomplete;

  /** Returns the plan for the older days of one machine. An index over all machines' days would read a whole month. */
  const explainOldDays = async () =>
    JSON.stringify(
      await app.db.rows(
        sql`explain select from machine_days where machine_id = 7 and day between current_date - 50 and current_date - 20`,
      ),
    );

  async function seedAllBatches(): Promise<number[][]> {
    const batches: number[][] = [];
    for (;;) {
      const batch = await seedOlderHistoryBatch(app.db, { seed: 3, machines: 20, after: batches.at(-1)?.at(-1) });
      if (batch.length === 0) return batches;
      batches.push(batch);
      expect(await explainOldDays()).toContain('machine_days_machine_id_day_pk');
      expect(await countGaps()).toEqual({ n: 0 });
      expect(await findWrongSums()).toEqual([]);
    }
  }
});

test('all calls about a machine return times as ISO 8601 with Z', async () => {
  const machine = (
    await app.db.selectOne(
      { id: pg.integer },
      sql`select machine_id as id from observations where latitude is not null and at > now() - interval '12 hours' group by 1 order by count(*) desc limit 1`,
    )
  )?.id;
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  const day = /^\d{4}-\d\d-\d\d$/;
  const readRows = async (path: string) =>
    (await app.call<{ data: Record<string, unknown>[] }>(admin, 'GET', `machines/${machine}${path}`)).body.data;
  const [logs, timeline, track, statistics] = [
    await readRows('/logs'),
    await readRows('/timeline'),
    await readRows('/track'),
    await readRows('/statistics'),
  ];
  for (const [name, listedRows] of Object.entries({ logs, timeline, track, statistics }))
    expect(listedRows.length, name).toBeGreaterThan(0);
  for (const { at } of [...logs, ...track]) expect(at).toMatch(iso);
  for (const { from, to } of timeline)
    for (const instant of [from, ...(to === null ? [] : [to])]) expect(instant).toMatch(iso);
  for (const { from, to } of statistics) for (const date of [from, to]) expect(date).toMatch(day);
  const row = (await app.call<{ data: Record<string, unknown> }>(admin, 'GET', `machines/${machine}`)).body.data;
  for (const name of ['created_at', 'updated_at', 'last_seen', 'status_since']) expect(row[name]).toMatch(iso);
});
