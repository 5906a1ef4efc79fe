/** Alert rules (domain.md): what makes them fire and when, and that each firing opens exactly one alert. */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evaluateRules } from '../../server/features/alerts/evaluateRules';
import { markOffline } from '../../server/telemetry/offline/markOffline';
import { createAlertRule, readRuleAlerts } from '../support/alertRules';
import { add } from '../support/rows';
import { deleteTelemetry, type SimulatedDevices, simulateDevices } from '../support/simulatedDevices';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

interface Alert {
  id: number;
  summary: string;
  state: string;
  machine_ids: number[];
  opened_at: string;
  closed_at: string | null;
  acknowledged_by: string | null;
  closed_by: string | null;
}

let app: TestApp;
let world: World;
let devices: SimulatedDevices;
let machineA: number;
let machineB: number;
let machineC: number;
let dayOfOctober = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  devices = simulateDevices(app);
});
afterAll(() => app.close());

/** ISO date of the nth day from 1 October. */
const octoberDate = (index: number) => new Date(Date.UTC(2026, 9, index)).toISOString().slice(0, 10);

/** Each test has its own day. */
beforeEach(async () => {
  await deleteTelemetry(app);
  dayOfOctober += 1;
  devices.setTime(`${octoberDate(dayOfOctober)}T10:00:00Z`);
  [machineA, machineB, machineC] = world.north.machines as [number, number, number];
});
afterEach(async () => {
  await app.db.rows(sql`update alert_rules set is_active = false`);
  await devices.runJobs();
});

const createRule = (values: object = {}) =>
  createAlertRule(app, world.north.users.customer_admin, {
    name: 'Silent machines',
    client_id: world.north.client,
    metric: 'offline',
    ...values,
  });
const readAlerts = (id: number, caller = world.admin) => readRuleAlerts<Alert>(app, caller, id);

describe('offline rule', () => {
  test('fires once the machine has been Offline for longer than the hold time, but not at exactly the hold time', async () => {
    const id = await createRule({ hold_time: 1800 });
    await devices.report(machineA);
    // The machine goes Offline after ten minutes without a message.
    devices.advance(600 + 1800);
    await devices.runJobs();
    expect(await readAlerts(id)).toEqual([]);
    devices.advance(1);
    await devices.runJobs();
    const [alert] = await readAlerts(id);
    expect(alert).toMatchObject({ state: 'open', machine_ids: [machineA], summary: 'North-111 · offline' });
    devices.advance(3600);
    await devices.runJobs();
    expect(await readAlerts(id)).toHaveLength(1);
  });

  test('closes its alert when the machine is back, and opens another one the next time', async () => {
    const id = await createRule();
    await devices.report(machineA);
    devices.advance(601);
    await devices.runJobs();
    await devices.report(machineA);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([
      { state: 'closed', closed_at: devices.now().toISOString(), closed_by: null },
    ]);
    devices.advance(601);
    await devices.runJobs();
    expect((await readAlerts(id)).map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('opens one alert per location for machines that go Offline within five minutes, and another for later ones', async () => {
    const [, , , fourthMachine] = world.north.machines as [number, number, number, number];
    const id = await createRule({ fleet_id: world.north.fleets[0] });
    // Machines A and B are at the first location, C and the fourth one at the second.
    for (const [machine, seconds] of [
      [machineA, 0],
      [machineC, 120],
      [machineB, 60],
    ] as const) {
      devices.advance(seconds);
      await devices.report(machine);
    }
    devices.advance(300);
    await devices.report(fourthMachine);
    for (let round = 0; round < 15; round += 1) {
      devices.advance(60);
      await devices.runJobs();
    }
    const rows = (await readAlerts(id)).map(({ machine_ids }) => machine_ids).sort();
    expect(rows).toEqual([[machineA, machineB], [machineC], [fourthMachine]]);
  });

  test('is unaffected by a late batch of past states', async () => {
    const id = await createRule({ hold_time: 900 });
    await devices.report(machineA);
    devices.advance(3 * 3600);
    await devices.report(machineA);
    // In between, the machine was silent for hours; it has just returned.
    for (const minutes of [90, 60])
      await devices.report(machineA, { status: 'cleaning' }, new Date(devices.now().getTime() - minutes * 60_000));
    await devices.runJobs();
    expect(await readAlerts(id)).toEqual([]);
  });

  test('ignores dummies, retired machines and machines of other clients', async () => {
    const id = await createRule();
    await app.db.rows(sql`update machines set is_dummy = true where id = ${machineA}`);
    await app.db.rows(sql`update machines set stock_state = 'retired' where id = ${machineB}`);
    for (const machine of [machineA, machineB, world.south.machines[0] as number]) await devices.report(machine);
    devices.advance(601);
    await devices.runJobs();
    expect(await readAlerts(id)).toEqual([]);
    await app.db.rows(
      sql`update machines set is_dummy = false, stock_state = 'deployed' where id in (${machineA}, ${machineB})`,
    );
  });
});

describe('other metrics', () => {
  test('evaluates the state in any mode', async () => {
    const id = await createRule({ metric: 'state', state: 'Cleaning', hold_time: 300 });
    await devices.report(machineA, { status: 'cleaning', mode: 'robotic' });
    devices.advance(200);
    await devices.report(machineA, { status: 'cleaning', mode: 'manual' });
    devices.advance(101);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([{ machine_ids: [machineA], summary: 'North-111 · Cleaning' }]);
  });

  test('evaluates the battery', async () => {
    const id = await createRule({ metric: 'battery', threshold: 20, hold_time: 60 });
    await devices.report(machineA, { status: 'cleaning', batt: 20 });
    devices.advance(60);
    await devices.report(machineA, { status: 'cleaning', batt: 19 });
    devices.advance(60);
    await devices.report(machineA, { status: 'cleaning', batt: 18 });
    await devices.runJobs();
    expect(await readAlerts(id)).toEqual([]);
    devices.advance(1);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([{ summary: 'North-111 · battery at 18%' }]);
    await devices.report(machineA, { status: 'charging', batt: 21 });
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([{ state: 'closed' }]);
  });

  test('evaluates the distance to the location against the working radius of the fleet', async () => {
    const id = await createRule({ metric: 'left_site' });
    // The first fleet works within 100 m; a thousandth of a degree of latitude is 111 m.
    await devices.report(machineA, { lat: 53.5008, lon: 10 });
    await devices.runJobs();
    expect(await readAlerts(id)).toEqual([]);
    devices.advance(60);
    await devices.report(machineA, { lat: 53.501, lon: 10 });
    await devices.runJobs();
    devices.advance(1);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([{ summary: 'North-111 · left its site' }]);
  });

  test('evaluates device errors with one code or any, until an hour after the last error, and ignores old ones', async () => {
    const anyRule = await createRule({ metric: 'error' });
    const codeRule = await createRule({ metric: 'error', error_code: 'E-12' });
    await devices.report(machineB, { status: 'online', error: 'E-12' }, new Date(devices.now().getTime() - 1_800_000));
    await devices.report(machineA, { status: 'online', error: 'E-7' });
    devices.advance(1);
    await devices.runJobs();
    expect(await readAlerts(anyRule)).toMatchObject([{ machine_ids: [machineA], summary: 'North-111 · error E-7' }]);
    expect(await readAlerts(codeRule)).toEqual([]);
    devices.advance(3600);
    await devices.runJobs();
    expect(await readAlerts(anyRule)).toMatchObject([{ state: 'closed' }]);
    await devices.report(machineA, { status: 'online', error: 'E-12' });
    devices.advance(1);
    await devices.runJobs();
    expect(await readAlerts(codeRule)).toMatchObject([{ machine_ids: [machineA], summary: 'North-111 · error E-12' }]);
  });

  test('evaluates the days until the next service', async () => {
    const id = await createRule({ metric: 'service_due', threshold: 7, location_id: world.north.locations[0] });
    await app.db.rows(
      sql`update machines set next_service_due = ${octoberDate(dayOfOctober + 8)}::date where id = ${machineA}`,
    );
    await devices.runJobs();
    expect(await readAlerts(id)).toEqual([]);
    devices.advance(24 * 3600);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([
      { machine_ids: [machineA], summary: expect.stringMatching(/^North-111 · service due on \d\d\.\d\d\.2026$/) },
    ]);
  });

  test('compares cleaned with planned area per location', async () => {
    const [location] = world.north.locations;
    await app.db.rows(sql`update locations set cleaning_plan = 'daily', planned_area_m2 = 1000 where id = ${location}`);
    const id = await createRule({ metric: 'cleaned_less', threshold: 80, location_id: location });
    const cleanYesterday = (share: number) =>
      app.db.rows(sql`insert into machine_days (machine_id, day, cleaning, area_m2) values (${machineA}, ${octoberDate(dayOfOctober - 1)}::date, 3600, ${share * 10})
        on conflict (machine_id, day) do update set area_m2 = excluded.area_m2, cleaning = 3600`);
    await cleanYesterday(79);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([
      { machine_ids: [machineA, machineB], summary: 'North Site 11 (2) · 79% of the planned area cleaned' },
    ]);
    // A late batch adds more cleaned area.
    await cleanYesterday(80);
    await devices.runJobs();
    expect(await readAlerts(id)).toMatchObject([{ state: 'closed' }]);
  });
});

describe('an alert', () => {
  const openSilenceAlert = async (values: object = {}) => {
    const id = await createRule(values);
    await devices.report(machineA);
    devices.advance(601);
    await devices.runJobs();
    return (await readAlerts(id))[0] as Alert;
  };

  test('can be acknowledged and commented on by a Site Manager, only read by an Operator, and is hidden from other clients', async () => {
    const { id } = await openSilenceAlert();
    const { site_manager, operator } = world.north.users;
    const response = await app.call<{ data: Alert }>(site_manager, 'POST', `alerts/${id}/acknowledge`, {
      comment: 'On my way',
    });
    expect([response.status, response.body.data]).toEqual([
      200,
      expect.objectContaining({ state: 'acknowledged', acknowledged_by: 'North Site Manager' }),
    ]);
    expect((await app.call(site_manager, 'POST', `alerts/${id}/comments`, { comment: 'Cable was loose' })).status).toBe(
      201,
    );
    const notes = await app.call<{ data: { kind: string; text: string; name: string }[] }>(
      operator,
      'GET',
      `alerts/${id}/notes`,
    );
    expect(notes.body.data).toMatchObject([
      { kind: 'acknowledged', text: 'On my way', name: 'North Site Manager' },
      { kind: 'comment', text: 'Cable was loose' },
    ]);
    expect((await app.call(operator, 'POST', `alerts/${id}/acknowledge`)).status).toBe(403);
    for (const user of Object.values(world.south.users))
      expect((await app.call(user, 'GET', `alerts/${id}`)).status).toBe(404);
    expect((await app.call(world.south.users.site_manager, 'POST', `alerts/${id}/close`)).status).toBe(404);
  });

  test('that was closed by hand stays closed while its condition lasts', async () => {
    const { id } = await openSilenceAlert();
    expect(
      (await app.call(world.north.users.site_manager, 'POST', `alerts/${id}/close`, { comment: 'Known' })).status,
    ).toBe(200);
    expect((await app.call(world.north.users.site_manager, 'POST', `alerts/${id}/close`)).status).toBe(409);
    expect((await app.call(world.north.users.site_manager, 'POST', `alerts/${id}/acknowledge`)).status).toBe(409);
    devices.advance(60);
    await devices.runJobs();
    const rows = await app.db.rows(
      sql`select state from alerts where rule_id = (select rule_id from alerts where id = ${id})`,
    );
    expect(rows).toEqual([{ state: 'closed' }]);
  });

  test('cannot be created or edited by hand', async () => {
    const { id } = await openSilenceAlert();
    expect((await app.call(world.admin, 'POST', 'alerts', { severity: 'info' })).status).toBe(404);
    expect((await app.call(world.admin, 'PATCH', `alerts/${id}`, { state: 'closed' })).status).toBe(404);
  });
});

describe('validation of rules', () => {
  const readRejection = async (values: object) => {
    const body = { name: 'x', client_id: world.north.client, ...values };
    const response = await app.call<{ errors: Record<string, string[]> }>(
      world.north.users.customer_admin,
      'POST',
      'alert_rules',
      body,
    );
    return [response.status, Object.keys(response.body.errors ?? {})];
  };
  test.each([
    [{ metric: 'state' }, ['state']],
    [{ metric: 'battery' }, ['threshold']],
    [{ metric: 'battery', threshold: 101 }, ['threshold']],
    [{ quiet_from: '25:00', quiet_to: '06:00' }, ['quiet_from']],
    [{ quiet_from: '22:00' }, ['quiet_to']],
    [{ webhook_url: 'http://127.0.0.1/x' }, ['webhook_url']],
    [{ webhook_url: 'ftp://example.com' }, ['webhook_url']],
  ])('rejects %j', async (values, fields) => expect(await readRejection(values)).toEqual([422, fields]));

  test('rejects fleets, locations and users of other clients', async () => {
    expect(await readRejection({ fleet_id: world.south.fleets[0] })).toEqual([422, ['fleet_id']]);
    expect(await readRejection({ user_ids: [world.south.users.operator] })).toEqual([422, ['user_ids']]);
    const otherClient = await add(app.db, 'clients', { country_id: world.north.country });
    const response = await app.call(world.admin, 'POST', 'alert_rules', {
      name: 'x',
      client_id: otherClient,
      location_id: world.north.locations[0],
    });
    expect(response).toMatchObject({
      status: 422,
      body: { errors: { location_id: ['Location belongs to another client.'] } },
    });
  });
});

test('a preview counts the alerts that the evaluation would have opened', async () => {
  const { customer_admin } = world.north.users;
  const id = await createRule({ hold_time: 900, location_id: world.north.locations[3] });
  const machine = world.north.machines[6] as number;
  let alertCount = 0;
  for (const silence of [700, 1500, 1501, 5000, 100]) {
    await devices.report(machine);
    await devices.runJobs();
    devices.advance(silence);
    await devices.runJobs();
    alertCount = (await readAlerts(id)).length;
  }
  const preview = await app.call<{
    data: { count: number; machines: number; firings: { machines: { id: number }[] }[] };
  }>(customer_admin, 'POST', 'alert_rules/preview', {
    client_id: world.north.client,
    metric: 'offline',
    hold_time: 900,
    location_id: world.north.locations[3],
  });
  expect([alertCount, preview.body.data.count]).toEqual([2, 2]);
  expect(preview.body.data.firings[0]?.machines.map((machine) => machine.id)).toEqual([machine]);
  expect(preview.body.data.machines).toBe(2);
  expect(
    (await app.call(world.north.users.operator, 'POST', 'alert_rules/preview', { client_id: world.north.client }))
      .status,
  ).toBe(403);
  expect(
    (await app.call(customer_admin, 'POST', 'alert_rules/preview', { client_id: world.south.client })).status,
  ).toBe(422);
});

test.each([
  'offline',
  'state',
  'battery',
  'left_site',
  'cleaned_less',
  'service_due',
  'error',
  'run_incomplete',
  'run_interrupted',
])('a rule for %s can be previewed', async (metric) => {
  const body = { client_id: world.north.client, metric, state: 'Cleaning', threshold: 50 };
  const { status } = await app.call(world.north.users.customer_admin, 'POST', 'alert_rules/preview', body);
  expect(status).toBe(200);
});

test('concurrent evaluations open an alert once', async () => {
  const id = await createRule();
  await devices.report(machineA);
  devices.advance(601);
  await markOffline(app.services);
  await Promise.all(Array.from({ length: 6 }, () => evaluateRules(app.services)));
  expect(await readAlerts(id)).toHaveLength(1);
});
