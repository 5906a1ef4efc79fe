/** Demo data of floors: three locations with floors, whose robots report runs in every supported way. */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '../../demo/seed/demo';
import { seedFloorPiece } from '../../demo/seed/seedFloors';
import type { RunCoverage } from '../../schema/endpoints/floors';
import { pg } from '../../server/db/core/rowShape';
import { refreshDerivedRuns } from '../../server/telemetry/runs/refreshDerivedRuns';
import { startTestApp, type TestApp } from '../support/startTestApp';

let app: TestApp;
let admin: number;
const now = new Date();

beforeAll(async () => {
  app = await startTestApp();
  await seedDemo(app.db, { machines: 400, seed: 3, now });
  while (await seedFloorPiece(app.db, { seed: 3, now }));
  await refreshDerivedRuns(app.services);
  const row = await app.db.selectOne(
    { id: pg.integer },
    sql`select id from users where email = 'customer.admin@demo.sweepline.example'`,
  );
  admin = row?.id as number;
});
afterAll(() => app.close());

const listRows = async <T>(query: string) => (await app.call<{ data: T[]; total: number }>(admin, 'GET', query)).body;
interface Floor {
  id: number;
  name: string;
  width_m: number;
  height_m: number;
}
interface Run {
  id: number;
  machine_id: number;
  floor_id: number | null;
  source: string;
  outcome: string | null;
  external_id: string | null;
  coverage: number | null;
}
const readFloors = async () => (await listRows<Floor>('floors?sort=id')).data;
const readRuns = async (filter = '') => (await listRows<Run>(`runs?per_page=500&sort=started_at${filter}`)).data;

test('three floors have a plan of their size and zones within it', async () => {
  expect((await readFloors()).map(({ name }) => name)).toEqual(['Sales floor', 'Ward 2, east wing', 'Hall 1']);
  for (const { id, width_m, height_m } of await readFloors()) {
    const plan = await app.call(admin, 'GET', `floors/${id}/plan`);
    const { width = 0, height = 1 } = await sharp(plan.bytes).metadata();
    expect(width / height).toBeCloseTo(width_m / height_m, 2);
    const { data } = await listRows<{ kind: string; polygon: [number, number][]; area_m2: number }>(
      `zones?filter[floor_id]=${id}&per_page=100`,
    );
    expect(new Set(data.map(({ kind }) => kind))).toEqual(new Set(['clean', 'no_go', 'dock']));
    for (const [x, y] of data.flatMap(({ polygon }) => polygon))
      expect([x >= 0 && x <= width_m, y >= 0 && y <= height_m]).toEqual([true, true]);
  }
});

test('the Operator of the demo has runs on a floor', async () => {
  const operator = await app.db.selectOne(
    { id: pg.integer },
    sql`select id from users where email = 'operator@demo.sweepline.example'`,
  );
  const { data } = (
    await app.call<{ data: Run[] }>(operator?.id as number, 'GET', 'runs?per_page=500&filter[source]=reported')
  ).body;
  expect(data.some(({ floor_id }) => floor_id !== null)).toBe(true);
});

describe('runs', () => {
  test('are reported by vendors’ clouds or derived from the timeline', async () => {
    const runs = await readRuns();
    expect(runs.length).toBeGreaterThan(60);
    expect(new Set(runs.map(({ source }) => source))).toEqual(new Set(['reported', 'derived']));
    const { data: integrations } = await app
      .call<{ data: { preset: string; unread: number }[] }>(1, 'GET', 'integrations?sort=preset')
      .then(({ body }) => body);
    expect(integrations).toMatchObject([
      { preset: 'gausium', unread: 1 },
      { preset: 'pudu', unread: 1 },
    ]);
  });

  test('match the timeline: each is one cleaning segment', async () => {
    const unmatchedRuns = await app.db.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from runs r where not exists (select from segments s
        where s.machine_id = r.machine_id and s.from_at = r.started_at and s.to_at = r.ended_at
        and s.state = 'Cleaning')`,
    );
    expect(unmatchedRuns).toEqual({ n: 0 });
    const overlappingRuns = await app.db.selectOne(
      { n: pg.integer },
      sql`select count(*)::int as n from runs a join runs b on b.machine_id = a.machine_id and b.id > a.id
        and b.started_at < a.ended_at and b.ended_at > a.started_at
        and a.superseded_by is null and b.superseded_by is null`,
    );
    expect(overlappingRuns).toEqual({ n: 0 });
  });

  test('fail often at one location only', async () => {
    const shares = await Promise.all(
      (await readFloors()).map(async ({ id }) => {
        const runs = (await readRuns(`&filter[floor_id]=${id}&filter[source]=reported`)).filter((run) => run.outcome);
        return runs.filter(({ outcome }) => outcome === 'completed').length / runs.length;
      }),
    );
    expect(shares[0]).toBeGreaterThan(0.6);
    expect(shares[1]).toBeGreaterThan(0.6);
    expect(shares[2]).toBeLessThan(0.4);
  });
});

test('recent runs have lanes on the floor that cover the area that they report', async () => {
  const recentRuns = await app.db.select(
    { id: pg.integer, outcome: pg.text, reported: pg.double },
    sql`select id, outcome, (cleaned_area_m2 / planned_area_m2)::float8 as reported from runs r
      where r.source = 'reported' and exists (select from observations o where o.machine_id = r.machine_id
        and o.at between r.started_at and r.ended_at and o.kind = 'visualization')`,
  );
  expect(recentRuns.length).toBeGreaterThan(0);
  for (const { id, outcome, reported } of recentRuns) {
    const { data } = (await app.call<{ data: RunCoverage }>(admin, 'GET', `runs/${id}/coverage`)).body;
    expect(data.reason).toBeNull();
    expect(data.covered_m2).toBeGreaterThan(20);
    const share = (data.covered_m2 ?? 0) / ((data.covered_m2 ?? 0) + (data.missed_m2 ?? 0));
    // Includes runs that ran out of time shortly before their end because of interruptions.
    expect(Math.abs(share - reported), `${outcome}: ${share} covered, ${reported} reported`).toBeLessThan(0.06);
    if (outcome === 'completed') expect(share).toBeGreaterThan(0.85);
  }
});
