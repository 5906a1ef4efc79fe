/**
 * Inbound integrations: vendors' calls are authenticated by secret or signature, each run is stored once, and
 * unreadable messages are stored with the reason.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../server/app/sweep';
import { pg } from '../../server/db/core/rowShape';
import gausium from '../samples/gausium.json';
import pudu from '../samples/pudu.json';
import { add, nextNumber } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let tracker: number;
let serial: string;

interface Counts {
  data: { stored: number; duplicates: number; unread: number };
}
interface StoredMessages {
  data: { id: number; times: number; body: string; problems: string[] }[];
  total: number;
}
interface Integration {
  id: number;
  secret: string;
}

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

beforeEach(async () => {
  serial = `GS-${nextNumber()}`;
  tracker = await add(app.db, 'trackers', { tracker_or_serial: serial });
  machine = await add(app.db, 'machines', {
    fleet_id: world.north.fleets[0],
    location_id: world.north.locations[0],
    tracker_id: tracker,
  });
});

const call = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, user = world.admin) =>
  app.call<T>(user, method, path, body);

async function createIntegration(values: object = {}): Promise<Integration> {
  const createResponse = await call<{ data: { id: number } }>('POST', 'integrations', {
    name: `Cloud ${nextNumber()}`,
    preset: 'gausium',
    client_id: world.north.client,
    ...values,
  });
  expect(createResponse.status).toBe(201);
  const { id } = createResponse.body.data;
  const { body } = await call<{ data: { secret: string } }>('POST', `integrations/${id}/secret`);
  return { id, secret: body.data.secret };
}

const post = <T = Counts>(id: number, body: string | object, headers: Record<string, string>) =>
  app.call<T>(undefined, 'POST', `ingest/hooks/${id}`, typeof body === 'string' ? body : JSON.stringify(body), {
    'content-type': 'application/json',
    ...headers,
  });
const send = (integration: Integration, body: string | object) =>
  post(integration.id, body, { authorization: `Bearer ${integration.secret}` });
const readStoredMessages = async ({ id }: Integration) =>
  (await call<StoredMessages>('GET', `integrations/${id}/messages`)).body;
const buildReport = (extraFields: object = {}) => ({
  ...gausium.report,
  id: `report-${nextNumber()}`,
  robotSerialNumber: serial,
  ...extraFields,
});
const readRuns = (id: number) =>
  app.db.select(
    { external_id: pg.text, source: pg.text, cleaned: pg.double.nullable, location_id: pg.integer.nullable },
    sql`select external_id, source, cleaned_area_m2 as cleaned, location_id from runs where machine_id = ${id}
      order by id`,
  );

describe('run report', () => {
  test('posted three times becomes one run, with the figures of its vendor', async () => {
    const integration = await createIntegration();
    const message = buildReport();
    expect((await send(integration, message)).body).toEqual({ data: { stored: 1, duplicates: 0, unread: 0 } });
    for (const _ of [1, 2])
      expect((await send(integration, message)).body).toEqual({ data: { stored: 0, duplicates: 1, unread: 0 } });
    const { body } = await call<{ data: Record<string, unknown>[] }>('GET', `runs?filter[machine_id]=${machine}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      source: 'reported',
      external_id: message.id,
      task_name: 'Hall daily',
      cleaned_area_m2: 659.965,
      planned_area_m2: 2196.568,
      water_l: 14.611,
      duration_s: 2904,
      outcome: 'aborted',
      outcome_raw: '1',
      mode: 'scrub',
      mode_raw: '洗地',
      battery_start: 100,
      battery_end: 78,
      consumables: { brush: 1, filter: 1, suction_blade: 0.9118 },
    });
    expect(Number(body.data[0]?.coverage) * 100).toBeCloseTo(30.05, 2);
    expect((await readStoredMessages(integration)).total).toBe(0);
  });

  test('posted to several processes at once becomes one run', async () => {
    const integration = await createIntegration();
    const message = buildReport();
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(integration, message)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(responses.reduce((sum, { body }) => sum + body.data.stored, 0)).toBe(1);
    expect(await readRuns(machine)).toHaveLength(1);
  });

  test('in the future is unreadable, with the reason, in the preview too', async () => {
    const integration = await createIntegration();
    const report = buildReport({ startTime: '2106-02-07T06:00:00Z', endTime: '2106-02-07T06:28:15Z' });
    expect((await send(integration, report)).body.data).toEqual({ stored: 0, duplicates: 0, unread: 1 });
    const reason = 'Start must not lie in the future.';
    expect((await readStoredMessages(integration)).data[0]?.problems).toEqual([reason]);
    const { body } = await call<{ data: { items: { problems: string[] }[] } }>(
      'POST',
      `integrations/${integration.id}/preview`,
      { message: JSON.stringify(report) },
    );
    expect(body.data.items.map(({ problems }) => problems)).toEqual([[reason]]);
  });

  test('does not restore a run that a user deleted', async () => {
    const integration = await createIntegration();
    const message = buildReport();
    await send(integration, message);
    const { body } = await call<{ data: { id: number }[] }>('GET', `runs?filter[machine_id]=${machine}`);
    expect((await call('DELETE', `runs/${body.data[0]?.id}`)).status).toBe(204);
    expect((await send(integration, message)).body.data).toEqual({ stored: 0, duplicates: 1, unread: 0 });
  });

  test('finds its machine by device id, serial number or reference number', async () => {
    const integration = await createIntegration();
    const plainMachine = await add(app.db, 'machines', {
      fleet_id: world.north.fleets[0],
      serial_number: `Plain-${nextNumber()}`,
      reference_number: `Ref-${nextNumber()}`,
    });
    const row = await app.db.selectOne(
      { serial_number: pg.text, reference_number: pg.text },
      sql`select serial_number, reference_number from machines where id = ${plainMachine}`,
    );
    for (const robotSerialNumber of [serial, row?.serial_number, row?.reference_number])
      expect((await send(integration, buildReport({ robotSerialNumber }))).body.data.stored).toBe(1);
    expect(await readRuns(machine)).toHaveLength(1);
    expect(await readRuns(plainMachine)).toHaveLength(2);
  });
});

describe('unreadable message', () => {
  const addForeignMachine = async () => {
    const name = `South-${nextNumber()}`;
    await add(app.db, 'machines', { fleet_id: world.south.fleets[0], serial_number: name });
    return name;
  };

  test.each([
    [
      'a machine of another client',
      async () => buildReport({ robotSerialNumber: await addForeignMachine() }),
      /No machine of this client has the number South-/,
    ],
    ['an unknown machine', async () => buildReport({ robotSerialNumber: 'nobody' }), /has the number nobody/],
    ['no machine', async () => buildReport({ robotSerialNumber: null }), /Machine/],
    ['an end before its start', async () => buildReport({ endTime: '2026-08-16T10:00:00Z' }), /^.+$/],
    ['a negative area', async () => buildReport({ actualCleaningAreaSquareMeter: -1 }), /Cleaned/],
    ['an area that is not a number', async () => buildReport({ actualCleaningAreaSquareMeter: 'much' }), /Cleaned/],
    ['an invalid time', async () => buildReport({ startTime: 'yesterday' }), /Start/],
    ['a text with NUL', async () => buildReport({ displayName: 'a\0b' }), /^.+$/],
    ['a serial number with NUL', async () => buildReport({ robotSerialNumber: 'a\0b' }), /^.+$/],
    ['a serial number with half a character', async () => buildReport({ robotSerialNumber: 'a\ud800' }), /^.+$/],
    ['an id with NUL', async () => buildReport({ id: 'a\0b' }), /^.+$/],
    ['a mode with NUL', async () => buildReport({ cleaningMode: 'a\0b' }), /^.+$/],
    ['a consumable with NUL', async () => buildReport({ consumablesResidualPercentage: { 'a\0b': 5 } }), /^.+$/],
    ['no mapped value', async () => ({ hello: 'world' }), /Nothing in the message fits/],
  ])('is stored with the reason: %s', async (_, build, reason) => {
    const integration = await createIntegration();
    const message = await build();
    for (const times of [1, 2]) {
      const { status, body } = await send(integration, message);
      expect([status, body]).toEqual([200, { data: { stored: 0, duplicates: 0, unread: 1 } }]);
      const { data, total } = await readStoredMessages(integration);
      expect(total).toBe(1);
      expect(data[0]).toMatchObject({ times, body: JSON.stringify(message) });
      expect(data[0]?.problems[0]).toMatch(reason);
    }
    expect(await readRuns(machine)).toEqual([]);
    const integrationResponse = await call<{ data: { unread: number; last_received: string } }>(
      'GET',
      `integrations/${integration.id}`,
    );
    expect(integrationResponse.body.data).toMatchObject({ unread: 1, last_received: expect.any(String) });
  });

  test('has its readable part stored, and the rest after a correction', async () => {
    const integration = await createIntegration();
    const lateSerial = `late-${nextNumber()}`;
    const message = {
      robotTaskReports: [
        buildReport(),
        buildReport({ robotSerialNumber: lateSerial }),
        buildReport({ startTime: '?' }),
      ],
    };
    expect((await send(integration, message)).body.data).toEqual({ stored: 1, duplicates: 0, unread: 2 });
    expect((await readStoredMessages(integration)).data[0]?.problems).toEqual([
      `2: No machine of this client has the number ${lateSerial}.`,
      expect.stringMatching(/^3: /),
    ]);
    const otherMachine = await add(app.db, 'machines', { fleet_id: world.north.fleets[1], serial_number: lateSerial });
    const replayResponse = await call<Counts>('POST', `integrations/${integration.id}/replay`);
    expect(replayResponse.body.data).toEqual({ messages: 1, stored: 1, duplicates: 1, unread: 1, remaining: 1 });
    expect([await readRuns(machine), await readRuns(otherMachine)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('is read again with a corrected mapping, and then deleted', async () => {
    const integration = await createIntegration({ preset: 'custom' });
    const message = {
      robot: serial,
      job: { no: 7, from: '2026-08-16 13:25:13', to: '2026-08-16 14:14:14', ft2: 1000 },
    };
    expect((await send(integration, message)).body.data.unread).toBe(1);
    const mapping = {
      runs: {
        each: '$.job',
        machine: '$.robot',
        fields: {
          external_id: 'no',
          started_at: { path: 'from', unit: 'Europe/Berlin' },
          ended_at: { path: 'to', unit: 'Europe/Berlin' },
          cleaned_area_m2: { path: 'ft2', unit: 'ft2' },
          mode: { value: 'sweep' },
        },
      },
    };
    expect((await call('PATCH', `integrations/${integration.id}`, { mapping })).status).toBe(200);
    const replayResponse = await call<Counts>('POST', `integrations/${integration.id}/replay`);
    expect(replayResponse.body.data).toEqual({ messages: 1, stored: 1, duplicates: 0, unread: 0, remaining: 0 });
    expect((await readStoredMessages(integration)).total).toBe(0);
    expect(await readRuns(machine)).toMatchObject([{ external_id: '7', source: 'reported', cleaned: 92.90304 }]);
    expect((await call<Counts>('POST', `integrations/${integration.id}/replay`)).body.data).toMatchObject({
      messages: 0,
    });
  });

  test('that cannot be stored does not hold back the others', async () => {
    const integration = await createIntegration();
    const serials = [`late-${nextNumber()}`, `late-${nextNumber()}`];
    for (const late of serials) await send(integration, buildReport({ robotSerialNumber: late }));
    const [faulty] = await Promise.all(
      serials.map((late) => add(app.db, 'machines', { fleet_id: world.north.fleets[1], serial_number: late })),
    );
    await app.db.rows(sql`create function reject_run() returns trigger language plpgsql as
      $$ begin raise exception 'rejected'; end $$`);
    await app.db.rows(sql`create trigger reject_run before insert on runs for each row
      when (new.machine_id = ${sql.raw(String(faulty))}) execute function reject_run()`);
    const replay = async () => (await call<Counts>('POST', `integrations/${integration.id}/replay`)).body.data;
    expect(await replay()).toEqual({ messages: 2, stored: 1, duplicates: 0, unread: 1, remaining: 1 });
    await app.db.rows(sql`drop function reject_run cascade`);
    expect(await replay()).toEqual({ messages: 1, stored: 1, duplicates: 0, unread: 0, remaining: 0 });
  });

  test('is deleted after 30 days', async () => {
    const integration = await createIntegration();
    expect((await send(integration, { hello: 'world' })).body.data.unread).toBe(1);
    await app.db.rows(sql`update integration_messages set received_at = now() - interval '31 days'
      where integration_id = ${integration.id}`);
    await sweep(app.services);
    expect((await readStoredMessages(integration)).total).toBe(0);
  });
});

test('a failure halfway stores nothing, and the vendor may retry', async () => {
  const integration = await createIntegration();
  const message = { robotTaskReports: [buildReport(), buildReport({ robotSerialNumber: 'nobody' })] };
  await app.db.rows(sql`alter table integration_messages rename to messages_away`);
  expect((await send(integration, message)).status).toBe(500);
  await app.db.rows(sql`alter table messages_away rename to integration_messages`);
  expect(await readRuns(machine)).toEqual([]);
  expect((await send(integration, message)).body.data).toEqual({ stored: 1, duplicates: 0, unread: 1 });
});

describe('status message', () => {
  test('becomes an observation of the machine', async () => {
    const integration = await createIntegration();
    const reportTime = Date.now() - 60_000;
    const status = { ...gausium.status_v1, serialNumber: serial, latestReportTime: String(reportTime) };
    expect((await send(integration, status)).body.data).toEqual({ stored: 1, duplicates: 0, unread: 0 });
    expect((await send(integration, status)).body.data).toEqual({ stored: 0, duplicates: 1, unread: 0 });
    const response = await call<{ data: object }>('GET', `machines/${machine}`);
    expect(response.body.data).toMatchObject({ status: 'Cleaning', battery: 84 });
    const dockedStatus = { ...gausium.status_v2, serialNumber: serial, latestReportTime: String(reportTime + 30_000) };
    await send(integration, dockedStatus);
    const machineAfter = await call<{ data: object }>('GET', `machines/${machine}`);
    expect(machineAfter.body.data).toMatchObject({ status: 'Charging', battery: 80 });
  });

  test('becomes an observation even if the machine has no tracker', async () => {
    const integration = await createIntegration({ preset: 'pudu' });
    const serialNumber = `CC1-${nextNumber()}`;
    const plainMachine = await add(app.db, 'machines', {
      fleet_id: world.north.fleets[0],
      serial_number: serialNumber,
    });
    const data = { ...pudu.status.data, sn: serialNumber, notify_timestamp: Date.now() - 1000 };
    expect((await send(integration, { ...pudu.status, data })).body.data).toEqual({
      stored: 1,
      duplicates: 0,
      unread: 0,
    });
    const response = await call<{ data: object }>('GET', `machines/${plainMachine}`);
    expect(response.body.data).toMatchObject({ status: 'Charging', battery: 85 });
  });

  test('that says offline is recognized and ignored', async () => {
    const integration = await createIntegration({ preset: 'pudu' });
    expect((await send(integration, pudu.offline)).body.data).toEqual({ stored: 0, duplicates: 0, unread: 0 });
  });
});

describe('authentication', () => {
  const hmac = (secret: string, body: string, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret).update(body).digest(encoding);

  test.each([
    ['no secret', {}],
    ['a wrong secret', { authorization: 'Bearer swi_wrong' }],
    ['an empty secret', { authorization: 'Bearer ' }],
    ['an empty signature', { 'x-signature-256': '' }],
    ['a wrong signature', { 'x-signature-256': `sha256=${'0'.repeat(64)}` }],
    ['the header of another vendor', { callbackcode: 'set below' }],
  ])('rejects %s', async (_, headers) => {
    const integration = await createIntegration();
    const requestHeaders: Record<string, string> =
      'callbackcode' in headers ? { callbackcode: integration.secret } : { ...headers };
    const { status, body } = await post<unknown>(integration.id, buildReport(), requestHeaders);
    expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect([await readRuns(machine), (await readStoredMessages(integration)).total]).toEqual([[], 0]);
  });

  test('accepts a signature of the raw body', async () => {
    const integration = await createIntegration({
      preset: 'custom',
      mapping: {
        runs: {
          machine: 'robotSerialNumber',
          fields: { external_id: 'id', started_at: 'startTime', ended_at: 'endTime' },
        },
      },
    });
    for (const headersFor of [
      (body: string) => ({ 'x-signature-256': `sha256=${hmac(integration.secret, body)}` }),
      (body: string) => ({ 'x-hub-signature-256': hmac(integration.secret, body).toUpperCase() }),
      (body: string) => ({ 'x-signature': hmac(integration.secret, body, 'base64') }),
    ]) {
      const body = ` ${JSON.stringify(buildReport())}\n`;
      expect((await post(integration.id, body, headersFor(body))).body.data.stored).toBe(1);
      expect((await post<unknown>(integration.id, `${body} `, headersFor(body))).status).toBe(401);
    }
  });

  test('accepts the appId of Gausium and the callback code of Pudu, as issued by the vendor', async () => {
    const secret = `24416c36-d9c7-${nextNumber()}`;
    const [gausiumIntegration, puduIntegration] = [
      await createIntegration(),
      await createIntegration({ preset: 'pudu' }),
    ];
    for (const { id } of [gausiumIntegration, puduIntegration])
      expect((await call<{ data: object }>('POST', `integrations/${id}/secret`, { secret })).body.data).toEqual({
        secret,
      });
    const pushBody = (appId: string) => ({ appId, payload: { serialNumber: serial, taskReport: buildReport() } });
    expect((await post(gausiumIntegration.id, pushBody(secret), {})).body.data.stored).toBe(1);
    expect((await post<unknown>(gausiumIntegration.id, pushBody('another'), {})).status).toBe(401);
    expect((await post(puduIntegration.id, pudu.offline, { callbackcode: secret })).status).toBe(200);
    expect(
      (
        await post<unknown>(gausiumIntegration.id, buildReport(), {
          authorization: `Bearer ${gausiumIntegration.secret}`,
        })
      ).status,
    ).toBe(401);
  });

  test('fails without an integration, after its deletion, and before it has a secret', async () => {
    const integration = await createIntegration();
    const bareIntegration = await add(app.db, 'integrations', { client_id: world.north.client });
    await call('DELETE', `integrations/${integration.id}`);
    for (const id of [integration.id, bareIntegration, 999_999])
      expect((await post<unknown>(id, buildReport(), { authorization: `Bearer ${integration.secret}` })).status).toBe(
        401,
      );
  });

  test.each([
    ['malformed JSON', '{"id":', 400],
    ['an empty body', '', 400],
    ['a text instead of an object', '"text"', 200],
    ['JSON nested too deeply', `${'['.repeat(40)}${']'.repeat(40)}`, 400],
    [
      'JSON with too many keys',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, index]))),
      400,
    ],
    ['more than 1 MB', JSON.stringify({ id: 'x'.repeat(1024 * 1024) }), 413],
  ])('responds to %s', async (_, body, status) => {
    const integration = await createIntegration();
    expect((await send(integration, body)).status).toBe(status);
    expect(await readRuns(machine)).toEqual([]);
  });

  test('stores a message with more than a thousand runs as unreadable', async () => {
    const integration = await createIntegration();
    const robotTaskReports = Array.from({ length: 1001 }, (_, index) => ({
      id: `r${index}`,
      robotSerialNumber: serial,
    }));
    expect((await send(integration, { robotTaskReports })).body.data).toEqual({ stored: 0, duplicates: 0, unread: 1 });
    expect((await readStoredMessages(integration)).data[0]?.problems[0]).toMatch(/1,000/);
  });
});

describe('administration', () => {
  test('previews what an example would become, without storing it', async () => {
    const integration = await createIntegration();
    const message = JSON.stringify({ robotTaskReports: [buildReport(), buildReport({ robotSerialNumber: 'nobody' })] });
    const { status, body } = await call<{ data: { items: object[] } }>(
      'POST',
      `integrations/${integration.id}/preview`,
      {
        message,
      },
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      total: 2,
      ignored: 0,
      problems: [],
      items: [
        { kind: 'runs', machine: { id: machine }, problems: [], values: { cleaned_area_m2: 659.965 } },
        { kind: 'runs', machine: null, serial: 'nobody', problems: [expect.stringContaining('nobody')] },
      ],
    });
    const mapping = { runs: { machine: 'sn', fields: { external_id: 'no' } } };
    const otherPreview = await call<{ data: { items: { problems: string[] }[] } }>(
      'POST',
      `integrations/${integration.id}/preview`,
      {
        message: JSON.stringify({ sn: serial, no: 5 }),
        mapping,
      },
    );
    expect(otherPreview.body.data.items[0]?.problems).toHaveLength(2);
    expect((await call('POST', `integrations/${integration.id}/preview`, { message: 'no json' })).status).toBe(422);
    expect(
      (await call('POST', `integrations/${integration.id}/preview`, { message: '{}', mapping: { runs: 1 } })).status,
    ).toBe(422);
    expect([await readRuns(machine), (await readStoredMessages(integration)).total]).toEqual([[], 0]);
  });

  test('rejects a mapping that cannot be parsed, and names the part', async () => {
    const invalidMapping = { runs: { machine: 'sn', fields: { water_l: { path: 'w', unit: 'm2' } } } };
    const rejection = await call<{ errors: Record<string, string[]> }>('POST', 'integrations', {
      name: 'X',
      preset: 'custom',
      client_id: world.north.client,
      mapping: invalidMapping,
    });
    expect([rejection.status, rejection.body.errors.mapping]).toEqual([
      422,
      ['Mapping cannot be read at runs.fields.water_l.'],
    ]);
  });

  test('never returns the secret again, nor records it in the audit', async () => {
    const integration = await createIntegration();
    const integrationResponse = await call<object>('GET', `integrations/${integration.id}`);
    const audit = await call<{ data: { action: string }[] }>(
      'GET',
      `audit?filter[entity]=integrations&filter[record_id]=${integration.id}`,
    );
    expect(audit.body.data.map(({ action }) => action)).toContain('secret');
    const storedSecrets = await app.db.rows(sql`select encode(secret, 'escape') as s from integration_secrets`);
    expect(JSON.stringify([integrationResponse.body, audit.body, storedSecrets])).not.toContain(integration.secret);
  });

  test('hides integrations from users of a client, and lets Country Managers read but not manage those in scope', async () => {
    const integration = await createIntegration();
    const { customer_admin: customer, country_manager: manager } = world.north.users;
    expect((await call('GET', 'integrations', undefined, customer)).status).toBe(403);
    for (const path of [`integrations/${integration.id}/secret`, `integrations/${integration.id}/replay`])
      expect((await call('POST', path, {}, manager)).status).toBe(403);
    expect((await call('GET', `integrations/${integration.id}`, undefined, manager)).status).toBe(200);
    expect(
      (await call('GET', `integrations/${integration.id}`, undefined, world.south.users.country_manager)).status,
    ).toBe(404);
  });
});
