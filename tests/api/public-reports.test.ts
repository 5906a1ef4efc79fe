/**
 * Reports by people without an account: possible only if the client enables them, and no response contains private
 * data.
 */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { readMailsTo } from '../support/outboxMails';
import { nextNumber } from '../support/rows';
import { type SimulatedDevices, simulateDevices } from '../support/simulatedDevices';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let devices: SimulatedDevices;
let machine: number;
let machineWithoutReports: number;

interface Alert {
  id: number;
  [field: string]: unknown;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  devices = simulateDevices(app);
  machine = world.north.machines[0] as number;
  machineWithoutReports = world.south.machines[0] as number;
  await app.call(world.admin, 'PATCH', `clients/${world.north.client}`, { public_reports: true });
});
afterAll(() => app.close());
// The hourly limits use the clock of the database, so their counters are deleted.
beforeEach(() => app.db.rows(sql`delete from login_failures`));

const readPage = (id: number) => app.call<{ data: object }>(undefined, 'GET', `public/machines/${id}`);
const sendReport = (id = machine, values: object = {}, language = 'en') =>
  app.call<{ data: { token: string }; errors: object }>(
    undefined,
    'POST',
    `public/machines/${id}/problems`,
    { problem: 'leak', report: `Water ${nextNumber()}`, ...values },
    { 'accept-language': language },
  );
const readLatest = async (caller = world.admin) =>
  (await app.call<{ data: Alert[] }>(caller, 'GET', 'alerts?filter[metric]=reported&sort=-id&per_page=1')).body
    .data[0] as Alert;
const sendPhoto = (token: string, content: Buffer) =>
  uploadFile(app, undefined, `public/problems/${token}/photos`, { name: 'photo.jpg', content });
const createPicture = (width = 30) =>
  sharp({ create: { width, height: 30, channels: 3, background: 'red' } })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();

describe('the public page', () => {
  test('names only the product', async () => {
    const { status, body } = await readPage(machine);
    expect([status, body]).toEqual([200, { data: { product: 'Scrubber S1' } }]);
  });

  test('looks the same for a machine whose client has disabled reports, a deleted one, and an unknown one', async () => {
    const rows = [machineWithoutReports, 999_999];
    const deletedMachine = world.north.machines[3] as number;
    await app.db.rows(sql`update machines set deleted_at = now() where id = ${deletedMachine}`);
    rows.push(deletedMachine);
    const responses = await Promise.all(rows.map(readPage));
    expect(responses.map(({ status, body }) => [status, body])).toEqual(
      rows.map(() => [200, { data: { product: null } }]),
    );
    const reports = await Promise.all(rows.map((id) => sendReport(id)));
    expect(reports.map(({ status, text }) => [status, text])).toEqual(rows.map(() => [404, reports[0]?.text]));
  });

  test('is rate-limited per address, regardless of the machine', async () => {
    const fetchFrom = (remoteAddress: string, id: number) =>
      app.app.inject({ method: 'GET', url: `/api/v1/public/machines/${id}`, remoteAddress });
    for (let count = 0; count < 60; count++) expect((await fetchFrom('10.0.0.1', count + 1)).statusCode).toBe(200);
    expect((await fetchFrom('10.0.0.1', machine)).statusCode).toBe(429);
    expect((await fetchFrom('10.0.0.2', machine)).statusCode).toBe(200);
  });

  test('names a product without a machine type', async () => {
    const customMachine = await app.db.selectOne(
      { id: pg.integer },
      sql`update machines set type_id = null, custom_type = 'Prototype 7' where id = ${world.north.machines[1] as number}
        returning id`,
    );
    expect((await readPage(customMachine?.id ?? 0)).body).toEqual({ data: { product: 'Prototype 7' } });
  });

  test('is disabled by default', async () => {
    const client = await app.db.selectOne(
      { public_reports: pg.boolean },
      sql`select public_reports from clients where id = ${world.south.client}`,
    );
    expect(client?.public_reports).toBe(false);
  });
});

describe('a report', () => {
  test('opens the same alert as a user’s report, marked as public and in the inbox, and notifies responsible users', async () => {
    expect((await sendReport(machine, { is_out_of_use: true, email: 'guest@example.com' })).status).toBe(201);
    const alert = await readLatest();
    expect(alert).toMatchObject({
      summary: 'North-111 · problem reported: Leak',
      metric: 'reported',
      problem: 'leak',
      severity: 'critical',
      state: 'open',
      client_id: world.north.client,
      machine_ids: [machine],
      reported_by: 'Public page · guest@example.com',
    });
    const { site_manager } = world.north.users;
    const inbox = await app.call<{ data: { items: { kind: string; ids: number[] }[] } }>(site_manager, 'GET', 'inbox');
    const reportedItems = inbox.body.data.items.filter(({ kind }) => kind === 'reported');
    expect(reportedItems.flatMap(({ ids }) => ids)).toContain(alert.id);
    expect((await app.call(world.south.users.site_manager, 'GET', `alerts/${alert.id}`)).status).toBe(404);
    await devices.runJobs();
    const [mail] = await readMailsTo(app, 'site_manager@north.example.com');
    expect(mail?.text).toContain('Public page writes about North-111');
    const entry = await app.db.selectOne(
      { user_id: pg.integer.nullable },
      sql`select user_id from audit where entity = 'alerts' and record_id = ${alert.id}`,
    );
    expect(entry).toEqual({ user_id: null });
  });

  test('returns nothing but a token to its author', async () => {
    const { body } = await sendReport();
    expect(Object.keys(body.data)).toEqual(['token']);
    const storedReports = await app.db.rows(sql`select *, encode(token_hash, 'escape') as text from public_reports`);
    expect(JSON.stringify(storedReports)).not.toContain(body.data.token);
  });

  test.each([
    { problem: 'flying' },
    { report: '' },
    { report: 'x'.repeat(2001) },
    { email: 'no' },
    { severity: 'info' },
  ])('is rejected with %j', async (values) => {
    expect((await sendReport(machine, values)).status).toBe(422);
  });

  test('is rate-limited per address, and per machine for all addresses', async () => {
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await sendReport()).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    // Neither response reveals whether the machine exists.
    expect((await sendReport(machineWithoutReports)).status).toBe(429);
    const otherStatuses = [];
    for (let count = 0; count < 6; count++) {
      const response = await app.app.inject({
        method: 'POST',
        url: `/api/v1/public/machines/${machine}/problems`,
        remoteAddress: `10.0.0.${count + 1}`,
        payload: { problem: 'leak', report: 'Water' },
      });
      otherStatuses.push(response.statusCode);
    }
    expect(otherStatuses).toEqual([201, 201, 201, 201, 201, 429]);
  });

  test('accepts five photos within an hour, re-encoded without their position', async () => {
    const { token } = (await sendReport()).body.data;
    expect((await sendPhoto(token, await createPicture(2600))).status).toBe(204);
    expect((await sendPhoto(token, Buffer.from('no picture'))).status).toBe(422);
    const { id } = await readLatest();
    const notes = await app.call<{ data: { kind: string; text: string }[] }>(world.admin, 'GET', `alerts/${id}/notes`);
    const name = notes.body.data.find(({ kind }) => kind === 'photo')?.text;
    const storedPhoto = await app.db.selectOne({ bytes: pg.bytea }, sql`select bytes from files where name = ${name}`);
    const { width, exif } = await sharp(storedPhoto?.bytes).metadata();
    expect([width, exif]).toEqual([2000, undefined]);
    for (let count = 1; count < 5; count++) expect((await sendPhoto(token, await createPicture())).status).toBe(204);
    expect((await sendPhoto(token, await createPicture())).status).toBe(409);
    expect((await sendPhoto('a'.repeat(43), await createPicture())).status).toBe(404);
    const lateToken = (await sendReport()).body.data.token;
    devices.advance(3601);
    expect((await sendPhoto(lateToken, await createPicture())).status).toBe(404);
  });

  test('is answered by one mail when it is closed, in the language of the page and without private fields', async () => {
    const email = `guest${nextNumber()}@example.com`;
    await sendReport(machine, { email }, 'de');
    const { id } = await readLatest();
    await devices.runJobs();
    expect(await readMailsTo(app, email)).toEqual([]);
    expect((await app.call(world.admin, 'POST', `alerts/${id}/close`, { comment: 'Secret words' })).status).toBe(200);
    await devices.runJobs();
    await devices.runJobs();
    const mails = await readMailsTo(app, email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Ihre Meldung ist erledigt']);
    expect(mails[0]?.text).toContain('Scrubber S1');
    expect(mails[0]?.text).not.toMatch(/North|Secret|Admin|http|Hallo|Guten/);
    const storedReport = await app.db.selectOne(
      { email: pg.text.nullable },
      sql`select email from public_reports where alert_id = ${id}`,
    );
    expect(storedReport).toEqual({ email: null });
  });

  test('is dated in the time zone of the location', async () => {
    const email = `guest${nextNumber()}@example.com`;
    await sendReport(machine, { email }, 'de');
    const { id } = await readLatest();
    await app.db.rows(sql`update public_reports set created_at = '2026-07-04 22:30Z' where alert_id = ${id}`);
    await app.db.rows(sql`update locations set time_zone = 'Asia/Tokyo' where id = (
      select location_id from alerts where id = ${id})`);
    await app.call(world.admin, 'POST', `alerts/${id}/close`, {});
    await devices.runJobs();
    await devices.runJobs();
    expect((await readMailsTo(app, email))[0]?.text).toContain('05.07.2026');
  });
});
