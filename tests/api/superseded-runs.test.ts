/** After each change of a history, the superseded runs equal those computed from all runs of the machine. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { findSupersededRuns } from '../../server/telemetry/runs/findSupersededRuns';
import { storeReportedRuns } from '../../server/telemetry/runs/storeReportedRuns';
import { supersedeRuns } from '../../server/telemetry/runs/supersedeRuns';
import { caseCount } from '../support/caseCount';
import { add } from '../support/rows';
import { seededRandom } from '../support/seededRandom';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app?.close());

const start = Date.UTC(2026, 2, 1);
const timeAfter = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

interface StoredRun {
  id: number;
  source: string;
  from: number;
  to: number;
  external_id: string | null;
  has_area: boolean;
  superseded_by: number | null;
  is_deleted: boolean;
}
const readStoredRuns = (machine: number): Promise<StoredRun[]> =>
  app.db.select(
    {
      id: pg.integer,
      source: pg.text,
      from: pg.double,
      to: pg.double,
      external_id: pg.text.nullable,
      has_area: pg.boolean,
      superseded_by: pg.integer.nullable,
      is_deleted: pg.boolean,
    },
    sql`select id, source, extract(epoch from started_at)::float8 as "from",
      extract(epoch from ended_at)::float8 as "to", external_id,
      cleaned_area_m2 is not null as has_area, superseded_by, deleted_at is not null as is_deleted
      from runs where machine_id = ${machine}::int order by id`,
  );

/** Ids of superseded runs with the run that counts instead, computed from all runs. */
function computeSuperseded(runs: readonly StoredRun[]): [number, number][] {
  const activeRuns = runs.filter(({ is_deleted }) => !is_deleted);
  const nonDerivedRuns = activeRuns.filter(({ source }) => source !== 'derived');
  const supersededIds = findSupersededRuns(
    nonDerivedRuns.map((run) => ({
      ...run,
      machine: 1,
      hasArea: run.has_area,
      externalId: run.external_id,
      isOrder: run.source === 'reported' && (run.external_id?.startsWith('vda5050 ') ?? false),
    })),
  );
  const countingRuns = nonDerivedRuns.filter(({ id }) => !supersededIds.has(id));
  for (const { id, from, to } of activeRuns.filter(({ source }) => source === 'derived')) {
    const overlap = (run: StoredRun) => Math.min(run.to, to) - Math.max(run.from, from);
    const [supersedingRun] = countingRuns
      .filter((run) => run.from < to && run.to > from)
      .sort((a, b) => overlap(b) - overlap(a) || a.id - b.id);
    if (supersedingRun) supersededIds.set(id, supersedingRun.id);
  }
  return [...supersededIds].sort(([a], [b]) => a - b);
}

/** Applies a random change, in one of the ways in which runs are written. */
async function applyRandomChange(machine: number, step: number, random: () => number): Promise<void> {
  const randomBelow = (limit: number) => Math.floor(random() * limit);
  // Mostly dense, so that one change affects runs outside its own time; sometimes days away, or days long.
  const from = random() < 0.1 ? randomBelow(20_000) : randomBelow(600);
  const to = from + (random() < 0.05 ? randomBelow(4_000) : randomBelow(120));
  const times = { started_at: timeAfter(from), ended_at: timeAfter(to) };
  const area = random() < 0.5 ? { cleaned_area_m2: 10 } : {};
  const runs = await readStoredRuns(machine);
  const run = runs.filter(({ source }) => source !== 'derived')[randomBelow(runs.length)];
  const kind = randomBelow(10);
  if (kind < 5) {
    const prefix = random() < 0.3 ? 'vda5050 ' : 'report ';
    const values = { ...times, ...area, external_id: `${prefix}${step}` };
    await app.db.transaction((tx) =>
      storeReportedRuns(tx, [{ machineId: machine, values, reportedAt: new Date() }], new Date()),
    );
  } else if (kind === 5) {
    await app.db.rows(sql`insert into runs (machine_id, source, started_at, ended_at)
      values (${machine}::int, 'derived', ${timeAfter(from)}::timestamptz, ${timeAfter(to)}::timestamptz)`);
    const period = { machineId: machine, from: new Date(timeAfter(from)), to: new Date(timeAfter(to)) };
    await app.db.transaction((tx) => supersedeRuns(tx, [period]));
  } else if (kind === 6) await call('POST', 'runs', { machine_id: machine, ...times, ...area });
  else if (!run) return;
  else if (run.is_deleted) await call('POST', `runs/${run.id}/restore`);
  else if (kind === 7) await call('DELETE', `runs/${run.id}`);
  else await call('PATCH', `runs/${run.id}`, { ...times, cleaned_area_m2: random() < 0.5 ? 10 : null });
}

async function call(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<void> {
  const { status } = await app.call(world.admin, method, path, body);
  expect(status).toBeLessThan(300);
}

test('superseded runs are correct after reports, entries, corrections, deletions and restorations in any order', async () => {
  let supersededCount = 0;
  for (let seed = 0; seed < caseCount(3); seed += 1) {
    const random = seededRandom(seed);
    const machine = await add(app.db, 'machines', { fleet_id: world.north.fleets[0] });
    for (let step = 0; step < 40; step += 1) {
      await applyRandomChange(machine, step, random);
      const allRuns = await readStoredRuns(machine);
      const storedPairs = allRuns.flatMap(
        ({ id, superseded_by: supersededBy, is_deleted: isDeleted }): [number, number][] =>
          supersededBy !== null && !isDeleted ? [[id, supersededBy]] : [],
      );
      expect(storedPairs, `seed ${seed}, step ${step}`).toEqual(computeSuperseded(allRuns));
      supersededCount += storedPairs.length;
    }
  }
  expect(supersededCount).toBeGreaterThan(100);
});

test('a change can affect a run outside its time, through a chain of overlapping runs', async () => {
  const machine = await add(app.db, 'machines', { fleet_id: world.north.fleets[0] });
  // Each run overlaps the next by more than half of the latter. The first one counts, so the second does not, so the
  // third does.
  const lengths = [140, 136, 132, 128, 124];
  const values = lengths.map((length, index) => ({
    external_id: `r${index}`,
    started_at: timeAfter(index * 60),
    ended_at: timeAfter(index * 60 + length),
    cleaned_area_m2: 1,
  }));
  await app.db.transaction((tx) =>
    storeReportedRuns(
      tx,
      values.map((fields) => ({ machineId: machine, values: fields, reportedAt: new Date() })),
      new Date(),
    ),
  );
  const readCountingRuns = async () =>
    (await readStoredRuns(machine))
      .filter(({ superseded_by, is_deleted }) => superseded_by === null && !is_deleted)
      .map(({ external_id }) => external_id);
  expect(await readCountingRuns()).toEqual(['r0', 'r2', 'r4']);
  const [first] = await readStoredRuns(machine);
  await call('DELETE', `runs/${first?.id}`);
  expect(await readCountingRuns()).toEqual(['r1', 'r3']);
});
