/**
 * Alert rules that watch the machines of a saved view. They apply the view's current filters, within the client of the
 * view.
 */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAlertRule, readRuleAlerts } from '../support/alertRules';
import { deleteTelemetry, type SimulatedDevices, simulateDevices } from '../support/simulatedDevices';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

interface Alert {
  state: string;
  machine_ids: number[];
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

/** Each test has its own day, before which no machine has sent a message. */
beforeEach(async () => {
  await deleteTelemetry(app);
  dayOfOctober += 1;
  devices.setTime(new Date(Date.UTC(2026, 9, dayOfOctober, 10)).toISOString());
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
const readAlerts = (id: number) => readRuleAlerts<Alert>(app, world.admin, id);
const createView = async (caller: number, values: object) => {
  const createResponse = await app.call<{ data: { id: number } }>(caller, 'POST', 'saved_views', {
    name: 'Watched',
    resource: 'machines',
    ...values,
  });
  expect(createResponse).toMatchObject({ status: 201 });
  return createResponse.body.data.id;
};
const silenceMachines = async () => {
  for (const machine of [machineA, machineB, machineC]) await devices.report(machine);
  devices.advance(601);
  await devices.runJobs();
};
const readAlertedMachines = async (id: number) =>
  (await readAlerts(id)).flatMap(({ machine_ids }) => machine_ids).sort((x, y) => x - y);

test('fires for exactly the machines that match the view at that time', async () => {
  const { customer_admin } = world.north.users;
  const view_id = await createView(customer_admin, { query: 'filter[serial_number.is]=North-111' });
  const id = await createRule({ view_id });
  await silenceMachines();
  expect(await readAlertedMachines(id)).toEqual([machineA]);
  await app.call(customer_admin, 'PUT', `saved_views/${view_id}`, {
    query: 'filter[serial_number.is]=North-121&filter[location.name.begins]=North',
  });
  await devices.runJobs();
  expect((await readAlerts(id)).map(({ state }) => state)).toEqual(['closed', 'open']);
  expect(await readAlertedMachines(id)).toEqual([machineA, machineC]);
});

test('fires for the machines of any alternative of the view', async () => {
  const { customer_admin } = world.north.users;
  const view_id = await createView(customer_admin, {
    query: 'filter[any][0][0][serial_number.is]=North-111&filter[any][0][1][serial_number]=12&filter[any][0][1][id]=0',
  });
  const id = await createRule({ view_id });
  await silenceMachines();
  expect(await readAlertedMachines(id)).toEqual([machineA]);
  await app.call(customer_admin, 'PUT', `saved_views/${view_id}`, {
    query: `filter[any][0][0][serial_number.is]=North-111&filter[any][0][1][id]=${machineC}`,
  });
  await devices.runJobs();
  expect(await readAlertedMachines(id)).toContain(machineC);
});

test('previews alerts with the filters of the view', async () => {
  const { customer_admin } = world.north.users;
  const view_id = await createView(customer_admin, {
    query: `filter[location_id]=${world.north.locations[0]}&filter[serial_number.not]=111`,
  });
  const preview = await app.call<{ data: { machines: number } }>(customer_admin, 'POST', 'alert_rules/preview', {
    client_id: world.north.client,
    view_id,
  });
  expect(preview.body.data.machines).toBe(1);
});

test('evaluates dates in the time zone of the client, not in UTC', async () => {
  const { customer_admin } = world.north.users;
  const view_id = await createView(customer_admin, {
    query: 'filter[serial_number.is]=North-111&filter[last_service]=0d',
  });
  const id = await createRule({ view_id });
  const body = { client_id: world.north.client, view_id };
  const countWatched = async () =>
    (await app.call<{ data: { machines: number } }>(customer_admin, 'POST', 'alert_rules/preview', body)).body.data
      .machines;
  const moveClientTo = async (zone: string) =>
    void (await app.db.rows(
      sql`update locations set time_zone = ${zone} where id = any(${sql.param(world.north.locations)}::int[])`,
    ));
  // The first and the last time zone in which a day begins never have the same date.
  await app.db.rows(
    sql`update machines set last_service = (now() at time zone 'Pacific/Kiritimati')::date where id = ${machineA}`,
  );
  await moveClientTo('Pacific/Pago_Pago');
  await silenceMachines();
  expect([await countWatched(), await readAlertedMachines(id)]).toEqual([0, []]);
  await moveClientTo('Pacific/Kiritimati');
  await devices.runJobs();
  expect([await countWatched(), await readAlertedMachines(id)]).toEqual([1, [machineA]]);
  await moveClientTo('Europe/Berlin');
});

test('never matches machines of other clients, even with a view of an Admin', async () => {
  const view_id = await createView(world.admin, { query: 'filter[serial_number]=111', client_id: world.north.client });
  const id = await createRule({ view_id });
  for (const machine of [machineA, world.south.machines[0] as number]) await devices.report(machine);
  devices.advance(601);
  await devices.runJobs();
  expect(await readAlertedMachines(id)).toEqual([machineA]);
});

test('a view that a rule uses cannot be deleted or changed to another entity', async () => {
  const { customer_admin } = world.north.users;
  const view_id = await createView(customer_admin, { query: 'filter[status]=Offline' });
  const id = await createRule({ view_id });
  const rejection = await app.call<{ message: string }>(customer_admin, 'DELETE', `saved_views/${view_id}`);
  expect([rejection.status, rejection.body.message]).toEqual([409, expect.stringContaining('1 alert rule')]);
  expect(
    (await app.call(customer_admin, 'PUT', `saved_views/${view_id}`, { resource: 'fleets', columns: [], query: null }))
      .status,
  ).toBe(409);
  expect((await app.call(customer_admin, 'PUT', `alert_rules/${id}`, { view_id: null })).status).toBe(200);
  expect((await app.call(customer_admin, 'DELETE', `saved_views/${view_id}`)).status).toBe(204);
});

test('accepts only views of machines that the rule’s author sees and may list', async () => {
  const { customer_admin } = world.north.users;
  const adminView = await createView(world.admin, { query: null });
  const viewByPrice = await createView(world.admin, { query: 'filter[price]=>5', client_id: world.north.client });
  const fleets = await createView(customer_admin, { resource: 'fleets', query: null });
  for (const view_id of [adminView, viewByPrice, fleets]) {
    const body = { name: 'Refused', client_id: world.north.client, metric: 'offline', view_id };
    const createResponse = await app.call<{ errors: object }>(customer_admin, 'POST', 'alert_rules', body);
    expect([createResponse.status, Object.keys(createResponse.body.errors)]).toEqual([422, ['view_id']]);
  }
});

test('matches no machine if its view filters by an unknown field; other rules still fire', async () => {
  const { customer_admin } = world.north.users;
  const view_id = await createView(customer_admin, { query: 'filter[status]=Offline' });
  const id = await createRule({ view_id });
  const otherRule = await createRule();
  await app.db.rows(sql`update saved_views set query = 'filter[gone]=1' where id = ${view_id}`);
  await silenceMachines();
  expect(await readAlertedMachines(id)).toEqual([]);
  expect(await readAlertedMachines(otherRule)).toEqual([machineA, machineB, machineC]);
});
