/** Alert messages: recipients, time, channel and language; none is lost or sent twice. */
import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { alertMessageJobs, backOffSeconds } from '../../server/features/alerts/alertMessageJobs';
import { evaluateRules } from '../../server/features/alerts/evaluateRules';
import { expireLeases } from '../../server/jobs/jobQueue';
import { runDueJobs } from '../../server/jobs/jobWorker';
import { markOffline } from '../../server/telemetry/offline/markOffline';
import { createAlertRule } from '../support/alertRules';
import { readMailsTo } from '../support/outboxMails';
import { type SimulatedDevices, simulateDevices } from '../support/simulatedDevices';
import { type Receiver, startReceiver } from '../support/startReceiver';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let devices: SimulatedDevices;
let gateway: Receiver;
let webhook: Receiver;
let machine: number;
let dayOfOctober = 0;

beforeAll(async () => {
  [gateway, webhook] = await Promise.all([startReceiver(), startReceiver()]);
  ({ app, world } = await startTestWorld({
    env: { SMS_URL: gateway.url, WEBHOOK_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://fleet.example' },
  }));
  devices = simulateDevices(app);
  machine = world.north.machines[0] as number;
  await app.db.rows(sql`update clients set sms_activation = true`);
  await app.db.rows(sql`update users set allow_sms = true, phone = '+49 40 ' || (1000 + id)`);
});
afterAll(async () => {
  await app.close();
  await Promise.all([gateway.close(), webhook.close()]);
});
/** ISO date of the nth day from 1 October. */
const octoberDate = (index: number) => new Date(Date.UTC(2026, 9, index)).toISOString().slice(0, 10);

beforeEach(() => {
  dayOfOctober += 1;
  devices.setTime(`${octoberDate(dayOfOctober)}T10:00:00Z`);
  for (const receiver of [gateway, webhook]) {
    receiver.requests.length = 0;
    receiver.response = { status: 200 };
  }
});
afterEach(async () => {
  await app.db.rows(sql`update alert_rules set is_active = false`);
  await devices.runJobs();
});

const readContact = (user: number) =>
  app.db.selectOne({ email: pg.text, phone: pg.text }, sql`select email, phone from users where id = ${user}`);
/** Creates a rule with a unique name, which identifies its messages. */
const createRule = (values: object) =>
  createAlertRule(app, world.admin, {
    name: `Rule of day ${dayOfOctober}`,
    client_id: world.north.client,
    metric: 'offline',
    ...values,
  });
const readMails = async (user: number) =>
  (await readMailsTo(app, (await readContact(user))?.email as string)).filter(({ text }) =>
    text.includes(`Rule of day ${dayOfOctober}`),
  );
const silenceMachine = async () => {
  await devices.report(machine);
  devices.advance(601);
  await devices.runJobs();
};
const readOutcomes = (id: number) =>
  app.db.select(
    { outcome: pg.text.nullable },
    sql`select coalesce(m.outcome, case m.state when 'dead' then 'failed' end) as outcome from jobs m join alerts a on a.id = (m.payload->>'alert_id')::int where m.kind = 'alert_message' and a.rule_id = ${id} order by (m.payload->>'user_id')::int`,
  );
const expectOutcomes = (id: number, expected: (string | null)[]) =>
  expect.poll(async () => (await readOutcomes(id)).map(({ outcome }) => outcome)).toEqual(expected);

describe('recipients', () => {
  test('get a message in their language with a link to the alert', async () => {
    const { site_manager, operator } = world.north.users;
    await app.db.rows(
      sql`update users set language_id = (select id from languages where two_letter_code = 'de') where id = ${site_manager}`,
    );
    await createRule({ user_ids: [site_manager, operator] });
    await silenceMachine();
    await expect
      .poll(async () => (await readMails(site_manager)).map(({ subject }) => subject))
      .toEqual(['Alarm: North-111 · offline']);
    await expect
      .poll(async () => (await readMails(operator)).map(({ subject }) => subject))
      .toEqual(['Alert: North-111 · offline']);
    expect((await readMails(operator))[0]?.text).toMatch(/https:\/\/fleet\.example\/alerts\/\d+/);
  });

  test('get a message only if the machine is in scope and both machine and user allow it', async () => {
    const { customer_admin, site_manager, operator } = world.north.users;
    const id = await createRule({ user_ids: [customer_admin, site_manager, operator, world.south.users.operator] });
    await app.db.rows(sql`update users set allow_email = false where id = ${site_manager}`);
    await app.db.rows(sql`delete from users_locations where users_id = ${operator}`);
    await silenceMachine();
    await expectOutcomes(id, ['sent', 'not_wanted', 'not_wanted', 'not_wanted']);
    expect(await readMails(customer_admin)).toHaveLength(1);
    await app.db.rows(sql`update users set allow_email = true`);
    await app.db.rows(
      sql`insert into users_locations (users_id, locations_id) values (${operator}, ${world.north.locations[0]})`,
    );
    await app.db.rows(sql`update machines set allow_email = false where id = ${machine}`);
    await app.db.rows(sql`update alert_rules set is_active = false`);
    await devices.report(machine);
    await devices.runJobs();
    const otherRule = await createRule({ user_ids: [customer_admin] });
    await silenceMachine();
    await expectOutcomes(otherRule, ['not_wanted']);
    await app.db.rows(sql`update machines set allow_email = true`);
  });

  test('get messages after the quiet hours of the location, except for alerts that are closed by then', async () => {
    const { customer_admin } = world.north.users;
    // In October, 22:00 in Hamburg is 20:00 UTC.
    devices.setTime(`${octoberDate(dayOfOctober)}T19:55:00Z`);
    const id = await createRule({
      user_ids: [customer_admin],
      quiet_from: '22:00',
      quiet_to: '06:30',
      tell_closed: true,
    });
    await silenceMachine();
    await expectOutcomes(id, [null]);
    const [waitingMessage] = await app.db.select(
      { run_at: pg.timestamptz },
      sql`select run_at from jobs where kind = 'alert_message' and state = 'queued'`,
    );
    expect(waitingMessage?.run_at.toISOString()).toBe(`${octoberDate(dayOfOctober + 1)}T04:30:00.000Z`);
    await devices.report(machine);
    await devices.runJobs();
    // Deactivates all rules, because the machine would go Offline again during the night.
    await app.db.rows(sql`update alert_rules set is_active = false`);
    devices.setTime(`${octoberDate(dayOfOctober + 1)}T04:30:00Z`);
    await devices.runJobs();
    await expectOutcomes(id, ['over', 'over']);
    expect(await readMails(customer_admin)).toEqual([]);
  });

  test('get reminders until the alert is acknowledged, and a message when it closes', async () => {
    const { customer_admin, site_manager } = world.north.users;
    await createRule({ user_ids: [customer_admin], repeat_time: 600, tell_closed: true });
    await silenceMachine();
    devices.advance(600);
    await devices.runJobs();
    devices.advance(600);
    await devices.runJobs();
    await expect
      .poll(async () => (await readMails(customer_admin)).map(({ subject }) => subject.split(':')[0]).sort())
      .toEqual(['Alert', 'Reminder', 'Reminder']);
    const [alert] = await app.db.select({ id: pg.integer }, sql`select max(id) as id from alerts`);
    expect((await app.call(site_manager, 'POST', `alerts/${alert?.id}/acknowledge`)).status).toBe(200);
    devices.advance(1200);
    await devices.runJobs();
    await devices.report(machine);
    await devices.runJobs();
    await expect
      .poll(async () => (await readMails(customer_admin)).map(({ subject }) => subject.split(':')[0]).sort())
      .toEqual(['Alert', 'Over', 'Reminder', 'Reminder']);
  });

  test('get one reminder after the quiet hours, however many were due in them', async () => {
    const { customer_admin } = world.north.users;
    // In October, quiet hours in Hamburg last from 20:00 to 04:30 UTC.
    devices.setTime(`${octoberDate(dayOfOctober)}T19:30:00Z`);
    await createRule({ user_ids: [customer_admin], repeat_time: 3600, quiet_from: '22:00', quiet_to: '06:30' });
    await silenceMachine();
    for (let hour = 0; hour < 8; hour += 1) {
      devices.advance(3600);
      await devices.runJobs();
    }
    const readSubjects = async () =>
      (await readMails(customer_admin)).map(({ subject }) => subject.split(':')[0]).sort();
    expect(await readSubjects()).toEqual(['Alert']);
    devices.setTime(`${octoberDate(dayOfOctober + 1)}T04:30:00Z`);
    await devices.runJobs();
    await expect.poll(readSubjects).toEqual(['Alert', 'Reminder']);
    devices.advance(3600);
    await devices.runJobs();
    await expect.poll(readSubjects).toEqual(['Alert', 'Reminder', 'Reminder']);
  });

  test('get an SMS if their client has SMS enabled', async () => {
    const { customer_admin } = world.north.users;
    const id = await createRule({ user_ids: [customer_admin], by_email: false, by_sms: true });
    await silenceMachine();
    await expectOutcomes(id, ['sent']);
    const { phone } = (await readContact(customer_admin)) as { phone: string };
    expect(gateway.requests.map(({ body }) => JSON.parse(body))).toEqual([
      {
        to: phone.replaceAll(' ', ''),
        text: expect.stringMatching(/^North-111 · offline\nhttps:\/\/fleet\.example\/alerts\/\d+$/),
      },
    ]);
    await app.db.rows(sql`update clients set sms_activation = false`);
    await devices.report(machine);
    await devices.runJobs();
    await silenceMachine();
    await expectOutcomes(id, ['sent', 'not_wanted']);
    expect(gateway.requests).toHaveLength(1);
    await app.db.rows(sql`update clients set sms_activation = true`);
  });

  test('get each message once even if the gateway is busy at first', async () => {
    const id = await createRule({ user_ids: [world.north.users.customer_admin], by_email: false, by_sms: true });
    gateway.response = { status: 503 };
    await silenceMachine();
    await expect.poll(() => gateway.requests.length).toBe(1);
    gateway.response = { status: 200 };
    devices.advance(backOffSeconds[0] as number);
    await devices.runJobs();
    await expectOutcomes(id, ['sent']);
    const [first, second, third] = gateway.requests;
    expect([first?.headers['idempotency-key'], third]).toEqual([second?.headers['idempotency-key'], undefined]);
  });
});

describe('a webhook', () => {
  test('is called at once, even in quiet hours, with signed JSON that has the same id on every retry', async () => {
    const id = await createRule({
      webhook_url: `${webhook.url}/hook?x=1`,
      quiet_from: '00:00',
      quiet_to: '23:59',
      user_ids: [],
    });
    const { body } = await app.call<{ data: { secret: string } }>(world.admin, 'POST', `alert_rules/${id}/secret`);
    webhook.response = { status: 500 };
    await silenceMachine();
    await expect.poll(() => webhook.requests.length).toBe(1);
    webhook.response = { status: 302, headers: { Location: gateway.url } };
    devices.advance(backOffSeconds[0] as number);
    await devices.runJobs();
    await expect.poll(() => webhook.requests.length).toBe(2);
    webhook.response = { status: 204 };
    devices.advance(backOffSeconds[1] as number);
    await devices.runJobs();
    await expectOutcomes(id, ['sent']);
    expect([webhook.requests.length, gateway.requests]).toEqual([3, []]);
    expect(new Set(webhook.requests.map(({ headers }) => headers['sweepline-delivery'])).size).toBe(1);
    const [, , last] = webhook.requests;
    const [, timestamp, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
      String(last?.headers['sweepline-signature']),
    ) as unknown as [string, string, string];
    expect(Number(timestamp)).toBe(Math.floor(devices.now().getTime() / 1000));
    expect(createHmac('sha256', body.data.secret).update(`${timestamp}.${last?.body}`).digest('hex')).toBe(digest);
    const {
      'webhook-id': delivery,
      'webhook-timestamp': signedAt,
      'webhook-signature': signature,
    } = last?.headers ?? {};
    expect([delivery, signedAt]).toEqual([last?.headers['sweepline-delivery'], timestamp]);
    expect(
      new Webhook(body.data.secret).sign(String(delivery), new Date(Number(timestamp) * 1000), last?.body ?? ''),
    ).toBe(signature);
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      id: last?.headers['sweepline-delivery'],
      event: 'alert_fired',
      alert: { metric: 'offline', state: 'open' },
      machines: [{ id: machine, serial_number: 'North-111' }],
    });
  });

  test('becomes a dead letter after its last attempt', async () => {
    const id = await createRule({ webhook_url: `${webhook.url}/hook` });
    webhook.response = { status: 410 };
    await silenceMachine();
    for (const seconds of backOffSeconds) {
      devices.advance(seconds);
      await devices.runJobs();
    }
    await expectOutcomes(id, ['failed']);
    expect(webhook.requests).toHaveLength(backOffSeconds.length + 1);
  });
});

test('unsent messages of a stopped process are sent once by the next one', async () => {
  const { customer_admin } = world.north.users;
  const id = await createRule({ user_ids: [customer_admin] });
  await devices.report(machine);
  devices.advance(601);
  await markOffline(app.services);
  await evaluateRules(app.services);
  // The worker died before it completed the job, whose lease now expires.
  await app.db.rows(
    sql`update jobs set state = 'running', worker = gen_random_uuid(), attempts = 1, lease_until = now() + interval '1 minute' where kind = 'alert_message' and state = 'queued'`,
  );
  const send = () => runDueJobs(app.services, alertMessageJobs(app.services));
  await send();
  await expectOutcomes(id, [null]);
  await expireLeases(app.db);
  await Promise.all([send(), send(), send()]);
  await expectOutcomes(id, ['sent']);
  expect(await readMails(customer_admin)).toHaveLength(1);
});
