/** The cleaning report names the machines of a line unless there are too many of them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxNamedMachines, type ReportLine } from '../../schema/features/reports';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { readReport } from '../../server/features/reports/readReport';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

async function readLines(): Promise<readonly ReportLine[]> {
  const caller = (await loadCallerOfUser(app.db, world.admin)) as Caller;
  const context = { db: app.db, model: app.services.model, caller, now: app.services.now() };
  const request = { report: 'cleaning', by: 'day', filter: {}, from: '2026-10-01', to: '2026-10-02' } as const;
  return (await readReport(request, context)).result.lines;
}
const namesOf = (lines: readonly ReportLine[], level: string) =>
  lines.filter((line) => line.level === level).map(({ machines }) => machines as string[] | null);

async function addCleaningMachines(fleet: number | undefined, location: number | undefined, count: number) {
  await app.db.rows(sql`
    with added as (
      insert into machines (serial_number, fleet_id, location_id, custom_type)
      select 'N' || ${location}::int || '-' || n, ${fleet}::int, ${location}::int, 'Sweeper'
      from generate_series(1, ${count}::int) n returning id
    )
    insert into machine_days (machine_id, day, cleaning) select id, '2026-10-01', 3600 from added`);
}

test('lines of clients and the total name no machines if the locations have had too many', async () => {
  await addCleaningMachines(world.north.fleets[0], world.north.locations[0], 3);
  await addCleaningMachines(world.south.fleets[0], world.south.locations[0], 2);
  const linesBefore = await readLines();
  expect(namesOf(linesBefore, 'total').map((names) => names?.length)).toEqual([5]);

  // The number of stays decides, including those of machines that have since been deleted.
  await app.db.rows(sql`
    insert into machine_stays (machine_id, location_id, from_at)
    select 1000000 + n, ${world.north.locations[1]}::int, 'epoch' from generate_series(1, ${maxNamedMachines}::int) n`);
  const lines = await readLines();
  expect([...namesOf(lines, 'client'), ...namesOf(lines, 'total')]).toEqual([null, null, null]);
  for (const level of ['location', 'day']) {
    expect(namesOf(lines, level).map((names) => names?.length)).toEqual(expect.arrayContaining([3, 2]));
    expect(namesOf(lines, level), level).toEqual(namesOf(linesBefore, level));
  }
});
