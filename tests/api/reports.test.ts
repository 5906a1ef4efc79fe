/** Reports: their figures agree with calendar, daily sums and machine pages, within the caller's scope. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { type ReportContent, type ReportLine, reports } from '../../schema/features/reports';
import { type ReportName, reportNames } from '../../schema/shared/reportNames';
import { pg } from '../../server/db/core/rowShape';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { idsInScope, type World } from '../support/world';

let app: TestApp;
let world: World;
let location: number;
let [first, second]: number[] = [];

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => new Date('2026-10-22T10:00:00Z');
  location = world.north.locations[0];
  [first, second] = world.north.machines;
  await app.db.rows(
    sql`update locations set cleaning_plan = 'monday_to_friday', contact_name = 'Ms Gate', contact_phone = '+49 40 1' where id = ${location}`,
  );
  await app.db.rows(
    sql`update machines set stock_state = 'deployed', working_radius_m2 = 500 where location_id = ${location}`,
  );
  await addCleaning(first, '2026-10-19', { area: 900.25, cleaning: 3600 });
  await addCleaning(first, '2026-10-20', { area: 300, cleaning: 3600 });
  await addCleaning(second, '2026-10-20', { area: 599, cleaning: 1800 });
  await addCleaning(first, '2026-10-18', { area: 10, cleaning: 700 });
  await addCleaning(second, '2026-10-17', { area: 3.5, cleaning: 90 });
  for (const [index, machine] of [...world.north.machines, ...world.south.machines].entries())
    await addCleaning(machine, '2026-09-15', { area: 100.5 + index, cleaning: 1000 + index });
});
afterAll(() => app?.close());

const addCleaning = (
  machine: number | undefined,
  day: string,
  { area, cleaning }: { area: number; cleaning: number },
) =>
  app.db.rows(
    sql`insert into machine_days (machine_id, day, area_m2, cleaning) values (${machine}, ${day}::date, ${area}, ${cleaning})`,
  );

const callReport = (caller: number, report: ReportName, search = '') =>
  app.call<{ data: ReportContent }>(caller, 'GET', `reports/${report}?${search}`);
const readLines = async (caller: number, report: ReportName, search = ''): Promise<ReportLine[]> =>
  (await callReport(caller, report, search)).body.data.lines;
const findLine = (lines: readonly ReportLine[], level: string, name?: string | null) =>
  lines.find((line) => line.level === level && (name === undefined || line.name === name));
const october = 'from=2026-10-01&to=2026-10-31';

describe('proof of cleaning', () => {
  test('lists planned and completed cleaning per day, and the machines', async () => {
    const lines = await readLines(world.admin, 'cleaning', `${october}&location_id=${location}`);
    const days = Object.fromEntries(
      lines.filter(({ level }) => level === 'day').map(({ name, result }) => [name?.slice(8), result]),
    );
    expect(days).toMatchObject({
      16: 'missed',
      17: null,
      18: 'cleaned',
      19: 'cleaned',
      20: 'partly',
      21: 'missed',
      22: 'planned',
      30: 'planned',
    });
    expect(days).not.toHaveProperty('24');
    expect(findLine(lines, 'day', '2026-10-20')).toMatchObject({
      area_m2: 899,
      cleaning: 5400,
      planned_area_m2: 1000,
      machines: ['North-111', 'North-112'],
    });
    // 15 working days have passed; the 18th is a Sunday.
    expect(findLine(lines, 'location')).toMatchObject({
      id: location,
      planned_days: 15,
      planned_area_m2: 15000,
      cleaned_days: 1,
      partly_days: 1,
      missed_days: 13,
      extra_days: 1,
      fulfilment: 6.6,
    });
    expect(findLine(lines, 'total')).toMatchObject({
      area_m2: 1812.8,
      cleaning: 9790,
      machines: ['North-111', 'North-112'],
    });
  });

  test('counts cleaning at the location where the machine was on that day', async () => {
    const [, otherLocation] = world.north.locations;
    await app.db.rows(sql`update machines set location_id = ${otherLocation} where id = ${second}`);
    await app.db.rows(
      sql`update machine_stays set to_at = '2026-10-18T12:00:00Z' where machine_id = ${second} and to_at is not null`,
    );
    await app.db.rows(
      sql`update machine_stays set from_at = '2026-10-18T12:00:00Z' where machine_id = ${second} and to_at is null`,
    );
    const otherLines = await readLines(world.admin, 'cleaning', `${october}&location_id=${otherLocation}`);
    expect(findLine(otherLines, 'day', '2026-10-20')).toMatchObject({ area_m2: 599, machines: ['North-112'] });
    const locationLines = await readLines(world.admin, 'cleaning', `${october}&location_id=${location}`);
    expect([
      findLine(locationLines, 'day', '2026-10-20')?.machines,
      findLine(locationLines, 'day', '2026-10-17')?.machines,
    ]).toEqual([['North-111'], ['North-112']]);
    await app.db.rows(sql`update machines set location_id = ${location} where id = ${second}`);
    await app.db.rows(sql`delete from machine_stays where machine_id = ${second}`);
    await app.db.rows(
      sql`insert into machine_stays (machine_id, location_id, from_at) values (${second}, ${location}, 'epoch')`,
    );
  });

  test('a month of the first century has its own last day', async () => {
    const { body } = await callReport(world.admin, 'cleaning', 'month=0099-02&by=client');
    expect([body.data.from, body.data.to]).toEqual(['0099-02-01', '0099-02-28']);
  });

  test('totals equal the daily sums at every level', async () => {
    const lines = await readLines(world.admin, 'cleaning', 'month=2026-09');
    const summedRow = await app.db.selectOne(
      { area: pg.double, cleaning: pg.double },
      sql`
      select round(sum(area_m2)::numeric, 1)::float8 as area, sum(cleaning)::float8 as cleaning from machine_days where day between '2026-09-01' and '2026-09-30'`,
    );
    const sum = (level: string, name: string) =>
      Math.round(lines.filter((line) => line.level === level).reduce((sum, line) => sum + Number(line[name]), 0) * 10) /
      10;
    for (const level of ['client', 'location', 'day', 'total'])
      expect([sum(level, 'area_m2'), sum(level, 'cleaning')], level).toEqual([summedRow?.area, summedRow?.cleaning]);
    expect(lines.filter(({ level }) => level === 'client').map(({ name }) => name)).toEqual([
      'North Cleaning',
      'South Cleaning',
    ]);
    expect(lines.at(-1)?.level).toBe('total');
    const locationLevels = await readLines(world.admin, 'cleaning', 'month=2026-09&by=location');
    expect(locationLevels).toEqual(lines.filter(({ level }) => level !== 'day'));
  });

  test('agrees with the calendar on every day', async () => {
    const lines = await readLines(world.admin, 'cleaning', `${october}&location_id=${location}`);
    const calendar = await app.call<{ data: { days: { day: string; state: string | null; area_m2: number }[] }[] }>(
      world.admin,
      'GET',
      `locations/calendar?${october}&filter[id]=${location}`,
    );
    const relevantDays =
      calendar.body.data[0]?.days.filter(({ state, area_m2 }) => state !== null || area_m2 > 0) ?? [];
    expect(relevantDays.length).toBeGreaterThan(20);
    expect(lines.filter(({ level }) => level === 'day').map(({ name, result }) => [name, result])).toEqual(
      relevantDays.map(({ day, state }) => [day, state]),
    );
  });

  test('omits dummies', async () => {
    await app.db.rows(sql`update machines set is_dummy = true where id = ${first}`);
    expect(
      findLine(await readLines(world.admin, 'cleaning', `${october}&location_id=${location}`), 'total'),
    ).toMatchObject({
      area_m2: 602.5,
    });
    await app.db.rows(sql`update machines set is_dummy = false where id = ${first}`);
  });
});

describe('fleet cost and book value', () => {
  test('lists the figures of each machine page, with exact sums', async () => {
    await add(app.db, 'service_entries', { machine_id: first, date: '2026-10-05', cost: '33.33' });
    await add(app.db, 'service_entries', { machine_id: first, date: '2026-11-01', cost: '99.99' });
    const lines = await readLines(world.admin, 'costs', october);
    const machine = findLine(lines, 'machine', 'North-111');
    const ownReport = await app.call<{ data: Record<string, unknown> }>(
      world.admin,
      'GET',
      `machines/${first}/costs?${october}`,
    );
    const bookValue = await app.call<{ data: { book_value: string } }>(
      world.admin,
      'GET',
      `machines/${first}/book_value?on=2026-10-31`,
    );
    const { service, depreciation, total, cleaning, area_m2, per_cleaning_hour, per_m2 } = ownReport.body.data;
    expect(machine).toMatchObject({
      service,
      depreciation,
      cost: total,
      cleaning,
      area_m2,
      per_hour: per_cleaning_hour,
      per_m2,
      type: 'Scrubber S1',
      price: '111.50',
    });
    expect(machine).toMatchObject({ service: '33.33', book_value: bookValue.body.data.book_value });
    const cents = (line: ReportLine | undefined, name: string) => Math.round(Number(line?.[name]) * 100);
    for (const name of ['price', 'book_value', 'depreciation', 'service', 'cost'])
      for (const level of ['machine', 'fleet', 'client'])
        expect(
          lines.filter((line) => line.level === level).reduce((sum, line) => sum + cents(line, name), 0),
          `${name} by ${level}`,
        ).toBe(cents(lines.at(-1), name));
    expect(lines.at(-1)).toMatchObject({ level: 'total', count: 16 });
    const groupLines = await readLines(world.admin, 'costs', `${october}&by=fleet&client_id=${world.north.client}`);
    expect(groupLines.map(({ level, name, count }) => [level, name, count])).toEqual([
      ['client', 'North Cleaning', 8],
      ['fleet', 'North Fleet 1', 4],
      ['fleet', 'North Fleet 2', 4],
      ['total', null, 8],
    ]);
  });
});

describe('service due', () => {
  test('lists machines with location, contact and reason, overdue ones first', async () => {
    await app.db.rows(
      sql`update machines set next_service_due = '2026-10-21', total_maintenance_cost = '12.50' where id = ${first}`,
    );
    await app.db.rows(sql`update machines set next_service_due = '2026-11-21' where id = ${second}`);
    await app.db.rows(
      sql`update machines set next_service_due = '2026-10-25', stock_state = 'retired' where id = ${world.north.machines[2]}`,
    );
    const lines = await readLines(world.admin, 'service');
    expect(lines.map(({ level, name }) => [level, name])).toEqual([
      ['urgency', 'overdue'],
      ['machine', 'North-111'],
      ['urgency', 'due'],
      ['machine', 'North-112'],
      ['total', null],
    ]);
    expect(lines[1]).toMatchObject({
      id: first,
      client: 'North Cleaning',
      location: 'North Site 11, Platz 1 20095 North',
      contact: 'Ms Gate, +49 40 1',
      due: '2026-10-21',
      days_left: -1,
      maintenance_cost: '12.50',
      plan: 'North 111',
    });
    expect(String(lines[1]?.forecast)).toContain('every 240 months');
    expect(await readLines(world.admin, 'service', 'date=2026-11-20')).toHaveLength(3);
  });
});

describe.each(roleNames)('a %s', (role: RoleName) => {
  const allowedRoles: Record<ReportName, readonly RoleName[]> = {
    cleaning: roleNames,
    runs: roleNames,
    costs: ['admin', 'country_manager', 'partner'],
    service: roleNames,
  };
  const exporters: readonly RoleName[] = ['admin', 'country_manager', 'partner', 'customer_admin'];

  test.each(reportNames)('gets only rows in scope: %s', async (report) => {
    const user = world.users[role];
    const { status, body } = await callReport(user, report, report === 'service' ? 'date=2036-01-01' : 'month=2026-09');
    expect(status).toBe(allowedRoles[report].includes(role) ? 200 : 403);
    const file = await app.call(user, 'GET', `reports/${report}/export?month=2026-09`);
    expect(file.status).toBe(allowedRoles[report].includes(role) && exporters.includes(role) ? 200 : 403);
    if (status !== 200) return;
    const { lines, columns } = body.data;
    expect(columns.includes('maintenance_cost')).toBe(report === 'service' && allowedRoles.costs.includes(role));
    expect(Object.keys(lines.at(-1) as object)).toEqual(['level', 'id', 'name', ...columns]);
    const ids = (level: string) =>
      lines.flatMap((line) => (line.level === level && line.id !== null ? [line.id] : [])).sort((a, b) => a - b);
    const reachedIds = role === 'admin' ? undefined : idsInScope(role, world);
    if (report === 'cleaning') {
      expect(ids('location')).toEqual(
        [...(reachedIds?.locations ?? [...world.north.locations, ...world.south.locations])].sort((a, b) => a - b),
      );
      const machines = reachedIds?.machines ?? [...world.north.machines, ...world.south.machines];
      const row = await app.db.selectOne(
        { area: pg.double },
        sql`
        select round(sum(area_m2)::numeric, 1)::float8 as area from machine_days where day = '2026-09-15' and machine_id = any(${sql.param(machines)}::int[])`,
      );
      expect(lines.at(-1)?.area_m2).toBe(row?.area);
    }
    if (report === 'costs')
      expect(ids('machine')).toEqual(
        [...(reachedIds?.machines ?? [...world.north.machines, ...world.south.machines])].sort((a, b) => a - b),
      );
    if (reachedIds) for (const line of lines) expect(JSON.stringify(line)).not.toContain('South');
  });

  test('rejects rows out of scope in the same way as unknown ids', async () => {
    const { south } = world;
    for (const filter of [
      `client_id=${south.client}`,
      `fleet_id=${south.fleets[0]}`,
      `location_id=${south.locations[0]}`,
    ])
      expect((await callReport(world.users[role], 'cleaning', filter)).status, filter).toBe(
        role === 'admin' ? 200 : 422,
      );
    expect((await callReport(world.users[role], 'cleaning', 'client_id=999999')).status).toBe(422);
  });
});

test('omits fields that a role without permission for finance, clients and locations may not see', async () => {
  const role = await add(app.db, 'roles', { scope: 'client' });
  await app.db.rows(
    sql`insert into roles_permissions (roles_id, permissions_id) select ${role}, id from permissions where code_name = 'machines.list'`,
  );
  const user = await add(app.db, 'users', {
    language_id: world.language,
    client_id: world.north.client,
    role_ids: [role],
  });
  const { body } = await callReport(user, 'service', 'date=2036-01-01');
  expect(body.data.columns).toEqual(['count', 'type', 'due', 'days_left', 'hours_left', 'plan', 'forecast']);
  expect(body.data.lines.length).toBeGreaterThan(1);
  expect((await callReport(user, 'cleaning')).status).toBe(403);
});

test.each(
  reportNames.flatMap((report) => reports[report].levels.map((level) => [report, level] as const)),
)('pages of %s by %s contain the rows in order, and each page the total', async (report, level) => {
  for (const role of ['admin', 'country_manager'] as const) {
    // The initial runs are from June 2025.
    const period = report === 'runs' ? 'month=2025-06' : october;
    const search = `by=${level}&${reports[report].timeframe === 'date' ? 'date=2035-01-01' : period}`;
    const allLines = await readLines(world.users[role], report, search);
    expect(allLines.length, role).toBeGreaterThan(1);
    const pages: ReportLine[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { body } = await app.call<{ data: ReportContent; total: number; last_page: number }>(
        world.users[role],
        'GET',
        `reports/${report}?${search}&per_page=3&page=${page}`,
      );
      expect(body.data.lines.at(-1)).toEqual(allLines.at(-1));
      expect(body.total).toBe(allLines.length - 1);
      pages.push(...body.data.lines.slice(0, -1));
      last = body.last_page;
    }
    expect(pages).toEqual(allLines.slice(0, -1));
  }
});

describe('export', () => {
  const exportSheet = async (report: ReportName, search: string) => {
    const response = await app.call<string>(world.admin, 'GET', `reports/${report}/export?${search}`);
    expect(response.status).toBe(200);
    const { Sheets, SheetNames } = read(response.bytes, { type: 'buffer' });
    return {
      rows: utils.sheet_to_json<unknown[]>(Sheets[SheetNames[0] as string] as never, { header: 1, defval: null }),
      response,
      name: SheetNames[0],
    };
  };

  test('has columns for groups, and totals below them, in the caller’s language', async () => {
    const { rows, response, name } = await exportSheet('costs', `${october}&client_id=${world.north.client}`);
    expect(rows[0]?.slice(0, 6)).toEqual(['Client', 'Fleet', 'Machine', 'Type', 'Machines', 'Purchase price (€)']);
    expect(rows[1]?.slice(0, 4)).toEqual(['North Cleaning', 'North Fleet 1', 'North-111', 'Scrubber S1']);
    expect(rows[5]?.slice(0, 5)).toEqual(['North Cleaning', 'North Fleet 1', 'Total', null, 4]);
    expect(rows.slice(-2).map((row) => row.slice(0, 5))).toEqual([
      ['North Cleaning', 'Total', null, null, 8],
      ['Total', null, null, null, 8],
    ]);
    expect(response.headers['content-disposition']).toBe(
      'attachment; filename="Fleet_cost_and_book_value_2026-10.xlsx"',
    );
    expect(name).toBe('Fleet cost and book value');
  });

  test('of runs links to the page of each run', async () => {
    const june = `month=2025-06&client_id=${world.north.client}`;
    const { response } = await exportSheet('runs', june);
    const { Sheets, SheetNames } = read(response.bytes, { type: 'buffer' });
    const cells = Sheets[SheetNames[0] as string] as Record<string, { v: string; l?: { Target: string } }>;
    const links = Object.values(cells).flatMap(({ v, l }) => (l ? [[v, l.Target]] : []));
    const { publicUrl } = app.services.env;
    expect(links.map(([text]) => text).sort()).toEqual(world.north.runs.map((id) => `${publicUrl}/runs/${id}`).sort());
    expect(links.every(([text, target]) => text === target)).toBe(true);
    const exportCsv = async (extraQuery: string) =>
      (await app.call<string>(world.admin, 'GET', `reports/runs/export?format=csv&${june}${extraQuery}`)).text;
    expect(await exportCsv('')).toContain(`,${publicUrl}/runs/${world.north.runs[0]}\r\n`);
    expect(await exportCsv('&by=location')).not.toContain('/runs/');
  });

  test('as csv has the same content', async () => {
    const { text } = await app.call<string>(
      world.admin,
      'GET',
      `reports/cleaning/export?format=csv&${october}&location_id=${location}`,
    );
    expect(text).toContain('North Cleaning,North Site 11,20.10.2026,Partly cleaned');
    expect(text.trim().split('\r\n').at(-1)).toMatch(/^Total,,,,15,1,1,13,1,6.6,/);
  });
});

test.each([
  ['cleaning', 'by=machine'],
  ['cleaning', 'month=2026-13'],
  ['cleaning', 'from=x'],
  ['cleaning', 'from=2026-10-22&to=2026-10-01'],
  ['cleaning', 'from=2026-01-01&to=2026-10-01'],
  ['cleaning', 'client_id=north'],
  ['service', 'date=2026-10-21'],
  ['service', 'date=2046-10-21'],
  ['costs', 'from=2001-01-01&to=2026-10-01'],
] as const)('%s rejects %s', async (report, search) => {
  expect((await callReport(world.admin, report, search)).status).toBe(422);
});

test('the period defaults to the previous month, and a session is required', async () => {
  const { data } = (await callReport(world.admin, 'cleaning')).body;
  expect([data.from, data.to, data.by, data.client]).toEqual(['2026-09-01', '2026-09-30', 'day', null]);
  expect((await callReport(world.admin, 'cleaning', `location_id=${location}`)).body.data).toMatchObject({
    client: { name: 'North Cleaning' },
    fleet: null,
    location: { id: location, name: 'North Site 11' },
  });
  for (const report of reportNames) expect((await app.call(undefined, 'GET', `reports/${report}`)).status).toBe(401);
  expect(Object.keys(reports)).toEqual([...reportNames]);
});
