/** `MQTT_URL`: vehicles on an external broker. */
import { sql } from 'drizzle-orm';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { connectDevice, publish, vdaHeader, vdaState } from '../support/mqttDevice';
import { type ExternalBroker, startBroker } from '../support/startBroker';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { countObservations, readDeviceId } from '../support/trackedMachine';
import type { World } from '../support/world';

let broker: ExternalBroker;
let app: TestApp;
let world: World;
let vehicle: MqttClient;

beforeAll(async () => {
  broker = await startBroker();
  // A vehicle that connected before the server started, so its message is retained.
  vehicle = await connectDevice(broker.port);
  await publish(
    vehicle,
    'uagv/v2/ACME/early/connection',
    { ...vdaHeader(), connectionState: 'ONLINE' },
    { retain: true },
  );
  ({ app, world } = await startTestWorld({ env: { MQTT_URL: broker.url } }));
});
afterAll(async () => {
  await vehicle.endAsync(true);
  await app.close();
  await broker.close();
});

interface UnassignedTracker {
  mode: string;
  messages: number;
  last_payload: string;
}
const findUnassigned = (device: string) =>
  app
    .call<{ data: UnassignedTracker[] }>(world.admin, 'GET', `trackers?filter[tracker_or_serial]=${device}`)
    .then(({ body }) => body.data);

test('messages of a vehicle are received once the server has subscribed', async () => {
  await expect.poll(() => broker.clients().filter((id) => id.startsWith('sweepline-')).length).toBe(1);
  await expect
    .poll(async () => {
      await publish(vehicle, 'uagv/v2/ACME/knocking/connection', { ...vdaHeader(), connectionState: 'ONLINE' });
      return (await findUnassigned('ACME/knocking')).length;
    })
    .toBe(1);
});

test('messages of a known vehicle are read, an unknown one becomes an unassigned tracker, and a retained message creates no tracker', async () => {
  const machine = world.north.machines[0] as number;
  const serial = await readDeviceId(app.db, machine);
  const readMachine = async () =>
    (await app.call<{ data: { status: string } }>(world.admin, 'GET', `machines/${machine}`)).body.data.status;
  await publish(
    vehicle,
    `uagv/v2/ACME/${serial}/state`,
    vdaState({ driving: true, orderId: 'o1', nodeStates: [{ nodeId: 'n1', sequenceId: 2, released: true }] }),
  );
  await expect.poll(readMachine).toBe('Cleaning');
  // An unreadable message must not delay others.
  await publish(vehicle, `uagv/v2/ACME/${serial}/state`, '{');
  await publish(vehicle, `vda5050/v3/ACME/${serial}/connection`, { ...vdaHeader(), connectionState: 'OFFLINE' });
  await expect.poll(readMachine).toBe('Offline');
  await publish(vehicle, 'vda5050/v3/ACME/newcomer/state', vdaState());
  await expect
    .poll(async () => (await findUnassigned('ACME/newcomer'))[0])
    .toMatchObject({ mode: 'mqtt', messages: 1, last_payload: expect.stringContaining('AUTOMATIC') });
  expect(await findUnassigned('ACME/early')).toEqual([]);
});

test('a message that the database can never store is stored raw and does not delay others', async () => {
  const [machine, otherMachine] = [world.north.machines[2] as number, world.north.machines[1] as number];
  const [serial, otherSerial] = [await readDeviceId(app.db, machine), await readDeviceId(app.db, otherMachine)];
  await app.db.rows(sql`create function reject_observation() returns trigger language plpgsql as
    $$ begin raise exception 'out of range' using errcode = '22003'; end $$`);
  await app.db.rows(sql`create trigger reject_observation before insert on observations for each row
    when (new.machine_id = ${sql.raw(String(machine))}) execute function reject_observation()`);
  const before = (await countObservations(app.db, otherMachine)) ?? 0;
  await publish(vehicle, `uagv/v2/ACME/${serial}/state`, vdaState());
  await publish(vehicle, `uagv/v2/ACME/${otherSerial}/state`, vdaState());
  await expect.poll(() => countObservations(app.db, otherMachine)).toBe(before + 1);
  await app.db.rows(sql`drop function reject_observation cascade`);
  const counts = await app.db.selectOne(
    { raw: pg.integer, observations: pg.integer },
    sql`select (select count(*)::int from raw_messages where machine_id = ${machine}::int) as raw,
      (select count(*)::int from observations where machine_id = ${machine}::int) as observations`,
  );
  expect(counts).toEqual({ raw: 1, observations: 0 });
});

test('many concurrent messages are all stored', async () => {
  const machine = world.north.machines[1] as number;
  const serial = await readDeviceId(app.db, machine);
  const before = (await countObservations(app.db, machine)) ?? 0;
  const start = Date.now() - 10_000;
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      publish(vehicle, `uagv/v2/ACME/${serial}/state`, vdaState({}, new Date(start + index * 100))),
    ),
  );
  await expect.poll(() => countObservations(app.db, machine)).toBe(before + 50);
});
