/** A page of the costs report, whose sums are read per fleet, equals the lines of the whole report. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportLevel, ReportLine } from '../../schema/features/reports';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { readReport } from '../../server/features/reports/readReport';
import type { ReportRequest } from '../../server/features/reports/reportRequest';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const fleets = [...world.north.fleets, ...world.south.fleets];
  await app.db.rows(sql`
    insert into machines (serial_number, fleet_id, location_id, custom_type, is_dummy, price, depreciation_rate,
      purchase_date, deleted_at)
    select 'C' || n, (${sql.param(fleets)}::int[])[1 + n % ${fleets.length}::int], (
        select min(l.id) from locations l
        where l.fleet_id = (${sql.param(fleets)}::int[])[1 + n % ${fleets.length}::int] and n % 3 > 0
      ), 'Sweeper', n % 17 = 0, case when n % 11 > 0 then (n * 7919 % 100000) / 7.0 end,
      case when n % 13 > 0 then n % 5 * 6.25 end, case when n % 10 > 0 then date '2027-02-01' - n * 37 % 5000 end,
      case when n % 19 = 0 then now() end
    from generate_series(1, 400) n`);
  await app.db.rows(sql`
    insert into machine_days (machine_id, day, cleaning, area_m2)
    select id, date '2026-10-25' + d, id * d % 7000, (id * d % 997) / 3.0
    from machines, generate_series(0, 20) d where serial_number like 'C%' and id % 4 > 0`);
  await app.db.rows(sql`
    insert into service_entries (machine_id, date, kind, cost)
    select id, date '2026-10-25' + d * 5, 'repair', (id * d % 499) / 2.0
    from machines, generate_series(0, 4) d where serial_number like 'C%' and id % 3 > 0`);
  // Daily sums stay with machines that move, are deleted or become dummies.
  await app.db.rows(sql`
    update machines set fleet_id = case when id % 7 = 0 then ${fleets[0]}::int else fleet_id end,
      location_id = case when id % 7 = 0 then null else location_id end,
      deleted_at = case when id % 29 = 0 then now() else deleted_at end, is_dummy = is_dummy <> (id % 31 = 0)
    where serial_number like 'C%'`);
});
afterAll(() => app.close());

const period = { report: 'costs', from: '2026-11-01', to: '2026-11-30' } as const;
const linesPerPage = 30;
const filters = () => [
  {},
  { fleet_id: world.north.fleets[0] as number },
  { client_id: world.north.client },
  { location_id: world.north.locations[0] as number },
];

/** The lines of all pages, followed by the total, which each page repeats. */
async function readPages(request: Omit<ReportRequest, 'range'>, caller: Caller): Promise<ReportLine[]> {
  const context = { db: app.db, model: app.services.model, caller, now: app.services.now() };
  const lines: ReportLine[] = [];
  for (let from = 0; ; from += linesPerPage) {
    const { result, lineCount } = await readReport({ ...request, range: { from, count: linesPerPage } }, context);
    const total = result.lines.at(-1) as ReportLine;
    lines.push(...result.lines.slice(0, -1));
    if (from + linesPerPage >= lineCount) return [...lines, total];
  }
}

test.each([
  'admin',
  'country_manager',
  'partner',
] as const)('pages for the role %s equal the whole report', async (role) => {
  const caller = (await loadCallerOfUser(app.db, world.users[role])) as Caller;
  const context = { db: app.db, model: app.services.model, caller, now: app.services.now() };
  for (const filter of filters())
    for (const by of ['client', 'fleet', 'machine'] satisfies ReportLevel[]) {
      const request = { ...period, by, filter };
      const { result } = await readReport(request, context);
      expect(result.lines.length, by).toBeGreaterThan(1);
      expect(await readPages(request, caller), JSON.stringify({ by, filter })).toEqual(result.lines);
    }
});
