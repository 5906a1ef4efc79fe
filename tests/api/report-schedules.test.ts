/**
 * Scheduled reports: due in the time zone of the location, sent once to each recipient in the recipient's language, and
 * limited to the current scope of their owner.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import type { Services } from '../../server/context/services';
import { pg } from '../../server/db/core/rowShape';
import { enqueueTurns } from '../../server/features/reports/enqueueTurns';
import { reportMessageJobs } from '../../server/features/reports/reportMessageJobs';
import { runDueJobs } from '../../server/jobs/jobWorker';
import { add } from '../support/rows';
import { type MailServer, startMailServer } from '../support/startMailServer';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

interface Schedule {
  id: number;
  user_id: number;
  next_due: string | null;
  last_sent: string | null;
  outcome: string | null;
}

let app: TestApp;
let server: MailServer;
let world: World;
let now: Date;

beforeAll(async () => {
  server = await startMailServer();
  ({ app, world } = await startTestWorld({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, PUBLIC_URL: 'https://fleet.example.org' },
  }));
  app.services.now = () => now;
  await app.db.rows(sql`update locations set cleaning_plan = 'daily' where id = ${world.north.locations[0]}`);
  await app.db.rows(
    sql`insert into machine_days (machine_id, day, area_m2, cleaning) values (${world.north.machines[0]}, '2026-10-05', 1234.4, 7200)`,
  );
});
afterAll(async () => {
  await app?.close();
  await server?.close();
});
beforeEach(async () => {
  // This is a Thursday; clocks go back on the 25th.
  now = new Date('2026-10-22T10:00:00Z');
  await app.db.rows(sql`update report_schedules set is_active = false`);
  await app.db.rows(sql`update report_schedules_state set next_due = null`);
});

let readerCount = 0;
const newAddress = () => `reader${++readerCount}@north.example.com`;
const createSchedule = (caller: number, values: object) =>
  app.call<{ data: Schedule; errors: Record<string, string[]> }>(caller, 'POST', 'report_schedules', {
    name: `Proof ${readerCount}`,
    report: 'cleaning',
    client_id: world.north.client,
    emails: [newAddress()],
    ...values,
  });
const readRow = async (id: number) =>
  (await app.call<{ data: Schedule }>(world.admin, 'GET', `report_schedules/${id}`)).body.data;
const mailsTo = (recipient: string) => server.mails.filter(({ recipients }) => recipients.includes(recipient));
const runReportRound = async (services: Services) => {
  await enqueueTurns(services);
  await runDueJobs(services, reportMessageJobs(services));
};
const runTurnAt = async (instant: string) => {
  now = new Date(instant);
  await runReportRound(app.services);
};

describe('next run', () => {
  const createAndReadDue = async (values: object) => (await createSchedule(world.admin, values)).body.data.next_due;

  test('is due in local time, even across a clock change', async () => {
    expect(await createAndReadDue({ day_of_month: 23, hour: 6 })).toBe('2026-10-23T04:00:00.000Z');
    expect(await createAndReadDue({ day_of_month: 31, hour: 6 })).toBe('2026-10-31T05:00:00.000Z');
    expect(await createAndReadDue({ day_of_month: 22, hour: 6 })).toBe('2026-11-22T05:00:00.000Z');
    expect(await createAndReadDue({ rhythm: 'weekly', weekday: 'monday', hour: 0 })).toBe('2026-10-25T23:00:00.000Z');
    await app.db.rows(sql`update locations set time_zone = 'Europe/Helsinki' where id = ${world.north.locations[1]}`);
    expect(await createAndReadDue({ day_of_month: 23, hour: 6, location_id: world.north.locations[1] })).toBe(
      '2026-10-23T03:00:00.000Z',
    );
    now = new Date('2027-02-01T10:00:00Z');
    expect(await createAndReadDue({ day_of_month: 31 })).toBe('2027-02-28T05:00:00.000Z');
  });

  test('is updated by every change, and paused with the schedule', async () => {
    const { id } = (await createSchedule(world.admin, { day_of_month: 23 })).body.data;
    await app.call(world.admin, 'PATCH', `report_schedules/${id}`, { rhythm: 'weekly', weekday: 'friday', hour: 18 });
    expect((await readRow(id)).next_due).toBe('2026-10-23T16:00:00.000Z');
    await app.call(world.admin, 'PATCH', `report_schedules/${id}`, { is_active: false });
    expect((await readRow(id)).next_due).toBeNull();
  });
});

/** The attachment of a mail. */
function parseWorkbook(mail: { raw: string } | undefined) {
  const file = /filename="?([^"\r\n]+)"?[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(
    mail?.raw.slice(mail.raw.indexOf('Content-Disposition: attachment')) ?? '',
  );
  const { Sheets, SheetNames } = read(Buffer.from(file?.[2] ?? '', 'base64'), { type: 'buffer' });
  const sheet = Sheets[SheetNames[0] as string] as Record<string, { v: unknown; l?: { Target: string } }>;
  return { name: file?.[1], sheet };
}

test('in a mailed report of runs, each run links to its page', async () => {
  const run = await add(app.db, 'runs', {
    machine_id: world.north.machines[0],
    location_id: world.north.locations[0],
    started_at: '2026-10-20T08:00:00Z',
    ended_at: '2026-10-20T09:00:00Z',
  });
  const reader = newAddress();
  await createSchedule(world.admin, { emails: [reader], report: 'runs', rhythm: 'weekly', weekday: 'monday', hour: 6 });
  await runTurnAt('2026-10-26T05:00:00Z');
  await expect.poll(() => mailsTo(reader).length, { timeout: 20_000 }).toBe(1);
  const links = Object.values(parseWorkbook(mailsTo(reader)[0]).sheet).flatMap(({ l }) => (l ? [l.Target] : []));
  expect(links).toEqual([`https://fleet.example.org/runs/${run}`]);
  await app.db.rows(sql`delete from runs where id = ${run}`);
});

test('each recipient gets the report once, in their language, with its totals and the workbook', async () => {
  const german = await app.db.selectOne({ id: pg.integer }, sql`select id from languages where two_letter_code = 'de'`);
  const swedish = await app.db.selectOne(
    { id: pg.integer },
    sql`select id from languages where two_letter_code = 'sv'`,
  );
  const user = await add(app.db, 'users', {
    email: newAddress(),
    client_id: world.north.client,
    language_id: german?.id,
    role_ids: [world.roles.operator],
  });
  const firstAddress = `reader${readerCount}@north.example.com`;
  const otherAddress = newAddress();
  const { status, body } = await createSchedule(world.users.customer_admin, {
    user_ids: [user],
    emails: [otherAddress],
    language_id: swedish?.id,
    day_of_month: 1,
    hour: 6,
  });
  expect(status).toBe(201);
  await runTurnAt('2026-11-01T04:59:00Z');
  expect(mailsTo(otherAddress)).toEqual([]);
  // Two processes at once, and again afterwards.
  now = new Date('2026-11-01T05:00:30Z');
  await Promise.all([runReportRound(app.services), runReportRound(app.services)]);
  await runReportRound(app.services);
  await expect
    .poll(() => [mailsTo(firstAddress).length, mailsTo(otherAddress).length], { timeout: 20_000 })
    .toEqual([1, 1]);
  const [mail] = mailsTo(firstAddress);
  expect(mail?.subject).toBe('Reinigungsnachweis: North Cleaning, 01.10.2026 – 31.10.2026');
  expect(mail?.text).toContain('Gereinigte Fläche: 1.234 m²');
  expect(mail?.text).toContain('Reinigungszeit: 2:00 h');
  expect(mail?.text).toContain(
    `https://fleet.example.org/reports/cleaning?client_id=${world.north.client}&from=2026-10-01&to=2026-10-31&by=day`,
  );
  const { name, sheet } = parseWorkbook(mail);
  expect(name).toBe('Reinigungsnachweis 2026-10.xlsx');
  const rows = utils.sheet_to_json<unknown[]>(sheet as never, { header: 1 });
  expect(rows[0]?.slice(0, 4)).toEqual(['Kunde', 'Standort', 'Tag', 'Ergebnis']);
  expect(rows.filter((row) => row[1] === 'North Site 11')).toHaveLength(32);
  expect(mailsTo(otherAddress)[0]?.subject).toMatch(/^Städbevis: North Cleaning/);
  expect(await readRow(body.data.id)).toMatchObject({
    outcome: 'sent',
    last_sent: '2026-11-01T05:00:30.000Z',
    next_due: '2026-12-01T05:00:00.000Z',
  });
});

test('a weekly report covers the last seven days, with sums only if requested', async () => {
  const reader = newAddress();
  await createSchedule(world.admin, {
    emails: [reader],
    rhythm: 'weekly',
    weekday: 'friday',
    hour: 7,
    is_detailed: false,
    location_id: world.north.locations[0],
  });
  await runTurnAt('2026-10-23T05:00:00Z');
  await expect.poll(() => mailsTo(reader).length, { timeout: 20_000 }).toBe(1);
  const [mail] = mailsTo(reader);
  expect(mail?.subject).toBe('Proof of cleaning: North Cleaning, North Site 11, 16.10.2026 – 22.10.2026');
  expect(mail?.text).toContain('by=location');
});

test('a mail that could not be stored is retried under the same key', async () => {
  const reader = newAddress();
  const { body } = await createSchedule(world.admin, { emails: [reader], day_of_month: 23 });
  const failingServices = {
    ...app.services,
    now: () => now,
    mail: { ...app.services.mail, send: () => Promise.reject(new Error('no room')) },
  };
  now = new Date('2026-10-23T04:00:00Z');
  await runReportRound(failingServices);
  expect(await readRow(body.data.id)).toMatchObject({ outcome: null, next_due: '2026-11-23T05:00:00.000Z' });
  // Its previous worker may still be running, so no other worker starts.
  await runTurnAt('2026-10-23T04:00:30Z');
  expect(mailsTo(reader)).toEqual([]);
  await runTurnAt('2026-10-23T04:02:00Z');
  await expect.poll(() => mailsTo(reader).length, { timeout: 20_000 }).toBe(1);
  const message = await app.db.selectOne(
    { id: pg.uuid },
    sql`select id from jobs where kind = 'report_message' and (payload->>'schedule_id')::int = ${body.data.id}`,
  );
  expect(mailsTo(reader)[0]?.raw).toContain(`Message-ID: <${message?.id}@sweepline>`);
});

describe('sends nothing', () => {
  const runForOutcome = async (owner: number, values: object, prepare: (id: number) => Promise<unknown>) => {
    now = new Date('2026-10-22T10:00:00Z');
    const reader = newAddress();
    const { body } = await createSchedule(owner, { day_of_month: 23, emails: [reader], ...values });
    await prepare(body.data.id);
    await runTurnAt('2026-10-23T04:00:00Z');
    expect(mailsTo(reader)).toEqual([]);
    return (await readRow(body.data.id)).outcome;
  };
  const addOwner = (role: 'partner' | 'customer_admin') =>
    add(app.db, 'users', {
      language_id: world.language,
      client_id: world.north.client,
      client_ids: [world.north.client],
      role_ids: [world.roles[role]],
    });

  test('from outside the owner’s scope, and shows the reason on the schedule', async () => {
    const partner = await addOwner('partner');
    expect(
      await runForOutcome(partner, { report: 'costs' }, () =>
        app.db.rows(sql`update users_roles set roles_id = ${world.roles.customer_admin} where users_id = ${partner}`),
      ),
    ).toBe('no_rights');
    const userId = await addOwner('customer_admin');
    expect(
      await runForOutcome(userId, {}, () =>
        app.db.rows(sql`update users set client_id = ${world.south.client} where id = ${userId}`),
      ),
    ).toBe('no_rights');
    const deletedUser = await addOwner('customer_admin');
    expect(
      await runForOutcome(deletedUser, {}, () =>
        app.db.rows(sql`update users set deleted_at = now() where id = ${deletedUser}`),
      ),
    ).toBe('no_rights');
  });

  test('if the schedule is deleted before the mail is sent', async () => {
    const reader = newAddress();
    const { body } = await createSchedule(world.admin, { day_of_month: 23, emails: [reader] });
    now = new Date('2026-10-23T04:00:00Z');
    await enqueueTurns(app.services);
    expect((await app.call(world.admin, 'DELETE', `report_schedules/${body.data.id}`)).status).toBe(204);
    await runDueJobs(app.services, reportMessageJobs(app.services));
    const job = await app.db.one(
      sql`select outcome from jobs where kind = 'report_message' and (payload->>'schedule_id')::int = ${body.data.id}`,
    );
    expect([job, mailsTo(reader)]).toEqual([{ outcome: 'not_wanted' }, []]);
  });

  test('to recipients who have disabled e-mails or were deleted', async () => {
    const quietUser = await add(app.db, 'users', {
      language_id: world.language,
      client_id: world.north.client,
      allow_email: false,
      role_ids: [world.roles.operator],
    });
    expect(await runForOutcome(world.admin, { user_ids: [quietUser], emails: [] }, async () => undefined)).toBeNull();
    const deletedUser = await add(app.db, 'users', {
      language_id: world.language,
      client_id: world.north.client,
      role_ids: [world.roles.operator],
    });
    expect(
      await runForOutcome(world.admin, { user_ids: [deletedUser], emails: [] }, () =>
        app.db.rows(sql`update users set deleted_at = now() where id = ${deletedUser}`),
      ),
    ).toBe('no_recipients');
  });
});

describe('saving a schedule', () => {
  test('requires permission for the report with all of its parameters', async () => {
    const { customer_admin, partner } = world.users;
    expect((await createSchedule(customer_admin, { report: 'costs' })).body.errors).toHaveProperty('report');
    const { body } = await createSchedule(partner, { report: 'costs' });
    // Otherwise users would be mailed data that they may not see.
    const change = await app.call<{ errors: object }>(customer_admin, 'PATCH', `report_schedules/${body.data.id}`, {
      emails: [newAddress()],
    });
    expect([change.status, Object.keys(change.body.errors)]).toEqual([422, ['report']]);
    expect((await readRow(body.data.id)).user_id).toBe(partner);
  });

  test('makes the user who saves it its owner', async () => {
    const { customer_admin, partner } = world.users;
    const { body } = await createSchedule(partner, {});
    expect((await app.call(customer_admin, 'PATCH', `report_schedules/${body.data.id}`, { hour: 7 })).status).toBe(200);
    expect((await readRow(body.data.id)).user_id).toBe(customer_admin);
    expect((await app.call(customer_admin, 'POST', 'report_schedules', { user_id: partner })).status).toBe(422);
  });

  test.each([
    ['user_ids', { emails: [] }],
    ['emails', { emails: ['nobody'] }],
    ['emails', { emails: Array.from({ length: 21 }, (_, index) => `a${index}@example.com`) }],
    ['location_id', { location_id: 'south' }],
    ['day_of_month', { day_of_month: 32 }],
    ['hour', { hour: 24 }],
  ] as const)('reports a problem of %s at its field', async (field, values) => {
    const scope = 'location_id' in values ? { location_id: world.south.locations[0] } : values;
    const { status, body } = await createSchedule(world.admin, scope);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});

describe('schedule with a saved view', () => {
  const createView = async (caller: number, values: object) => {
    const createResponse = await app.call<{ data: { id: number } }>(caller, 'POST', 'saved_views', {
      name: 'Of the first site',
      resource: 'machines',
      ...values,
    });
    expect(createResponse).toMatchObject({ status: 201 });
    return createResponse.body.data.id;
  };
  const addOwner = () =>
    add(app.db, 'users', {
      language_id: world.language,
      client_id: world.north.client,
      role_ids: [world.roles.customer_admin],
    });
  const parseSheet = (mail: { raw: string } | undefined) => {
    const file = /\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(
      mail?.raw.slice(mail.raw.indexOf('Content-Disposition: attachment')) ?? '',
    );
    const { Sheets, SheetNames } = read(Buffer.from(file?.[1] ?? '', 'base64'), { type: 'buffer', cellStyles: true });
    const sheet = Sheets[SheetNames[0] as string] as NonNullable<(typeof Sheets)[string]>;
    return {
      rows: utils.sheet_to_json<unknown[]>(sheet, { header: 1 }),
      widths: sheet['!cols']?.map((column) => Number(column?.width)),
    };
  };
  const runOn23rd = async (id: number) => {
    await runTurnAt('2026-10-23T04:00:00Z');
    return (await readRow(id)).outcome;
  };

  test('sends the list with the view’s columns, sort and widths, within the client and in the recipient’s language', async () => {
    const swedish = await app.db.selectOne(
      { id: pg.integer },
      sql`select id from languages where two_letter_code = 'sv'`,
    );
    const view_id = await createView(world.admin, {
      query:
        'filter[any][0][0][serial_number.is]=North-111&filter[any][0][1][serial_number]=h-122,h-111&sort=-serial_number',
      columns: ['serial_number', 'location_id', 'stock_state'],
      widths: ['location_id:250'],
      client_id: world.north.client,
    });
    const reader = newAddress();
    const { status, body } = await createSchedule(world.admin, {
      report: 'list',
      view_id,
      emails: [reader],
      language_id: swedish?.id,
      day_of_month: 23,
    });
    expect(status).toBe(201);
    expect(await runOn23rd(body.data.id)).toBe('sent');
    await expect.poll(() => mailsTo(reader).length, { timeout: 20_000 }).toBe(1);
    const [mail] = mailsTo(reader);
    expect(mail?.subject).toBe('Of the first site: North Cleaning, 23.10.2026');
    expect(mail?.text).toContain('Maskiner: 2');
    expect(mail?.text).toMatch(new RegExp(`https://fleet\\.example\\.org/machines\\?filter=\\S+&saved=${view_id}\\b`));
    const { rows, widths } = parseSheet(mail);
    expect(rows).toEqual([
      ['Serienummer', 'Plats', 'Lagerstatus'],
      ['North-122', 'North Site 12', expect.any(String)],
      ['North-111', 'North Site 11', expect.any(String)],
    ]);
    // Digits of the default font are seven pixels wide.
    expect(widths?.[1]).toBe(35);
  });

  test('limits a report to the rows of the view, both on its page and by mail', async () => {
    const caller = await addOwner();
    const view_id = await createView(caller, {
      resource: 'locations',
      query: 'filter[any][0][0][name.is]=North Site 11&filter[any][0][1][id]=0',
    });
    const page = await app.call<{ data: { view: object; lines: { level: string; name: string }[] } }>(
      caller,
      'GET',
      `reports/cleaning?view_id=${view_id}&month=2026-10&by=location`,
    );
    expect(page.body.data.view).toEqual({ id: view_id, name: 'Of the first site' });
    expect(page.body.data.lines.filter(({ level }) => level === 'location').map(({ name }) => name)).toEqual([
      'North Site 11',
    ]);
    const reader = newAddress();
    const { body } = await createSchedule(caller, {
      view_id,
      emails: [reader],
      rhythm: 'weekly',
      weekday: 'friday',
      is_detailed: false,
    });
    expect(await runOn23rd(body.data.id)).toBe('sent');
    await expect
      .poll(() => mailsTo(reader)[0]?.subject, { timeout: 20_000 })
      .toContain('North Cleaning, Of the first site, ');
    expect(mailsTo(reader)[0]?.text).toContain(`view_id=${view_id}`);
  });

  test('is rejected for views of other users or other entities, or views that need missing permissions', async () => {
    const caller = await addOwner();
    const readRejectedFields = async (values: object) =>
      Object.keys((await createSchedule(caller, values)).body.errors ?? {});
    expect(await readRejectedFields({ report: 'list' })).toEqual(['view_id']);
    expect(await readRejectedFields({ report: 'list', view_id: await createView(world.admin, {}) })).toEqual([
      'view_id',
    ]);
    expect(await readRejectedFields({ view_id: await createView(caller, {}) })).toEqual(['view_id']);
    const viewByPrice = await createView(world.admin, { query: 'filter[price]=>100', client_id: world.north.client });
    expect(await readRejectedFields({ report: 'list', view_id: viewByPrice })).toEqual(['view_id']);
    expect(await readRejectedFields({ report: 'service', view_id: viewByPrice })).toEqual(['view_id']);
    expect((await app.call(caller, 'GET', `reports/service?view_id=${viewByPrice}`)).status).toBe(422);
  });

  test('prevents the view’s deletion; nothing is sent once the owner may not open the view', async () => {
    const caller = await addOwner();
    const view_id = await createView(world.admin, { client_id: world.north.client });
    const reader = newAddress();
    const { body } = await createSchedule(caller, { report: 'list', view_id, emails: [reader], day_of_month: 23 });
    expect((await app.call(world.admin, 'DELETE', `saved_views/${view_id}`)).status).toBe(409);
    expect((await app.call(world.admin, 'PATCH', `saved_views/${view_id}`, { resource: 'fleets' })).status).toBe(409);
    await app.call(world.admin, 'PATCH', `saved_views/${view_id}`, { client_id: world.south.client });
    expect(await runOn23rd(body.data.id)).toBe('no_rights');
    expect(mailsTo(reader)).toEqual([]);
  });
});
