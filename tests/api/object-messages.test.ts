/**
 * Raw messages in the object storage: moved day by day, replayed as from the database, deleted after their retention.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyTelemetryRetention } from '../../server/app/applyTelemetryRetention';
import { pg } from '../../server/db/core/rowShape';
import { runDueJobs } from '../../server/jobs/jobWorker';
import { moveMessages } from '../../server/objects/moveMessages';
import { objectRemovalJobs } from '../../server/objects/objectRemoval';
import { moveObjects, waitingObjects } from '../../server/objects/objectTasks';
import { keepKeys } from '../../server/telemetry/adapters/buildKeyMap';
import { createActionMatcher } from '../../server/telemetry/adapters/createActionMatcher';
import { type AdapterSettings, mediaTypeOf, readMessage } from '../../server/telemetry/adapters/readMessage';
import { ingest } from '../../server/telemetry/ingest/ingest';
import { replay } from '../../server/telemetry/replay/replay';
import { vdaState } from '../support/mqttDevice';
import { type ObjectServer, startObjectServer } from '../support/startObjectServer';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { readTimeline } from '../support/storedTimeline';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';

const [minute, day] = [60_000, 86_400_000];
const start = Date.UTC(2026, 8, 1, 22);
const oldSettings: AdapterSettings = { mapKeys: keepKeys, isCleaning: createActionMatcher(['wash']) };
const correctedSettings: AdapterSettings = { mapKeys: keepKeys, isCleaning: createActionMatcher(['brush']) };

let server: ObjectServer;
let app: TestApp;
let fleet: number;
beforeAll(async () => {
  server = await startObjectServer();
  app = await startTestApp({ env: { FILES_URL: server.urlOf() } });
  fleet = await addFleet(app.db);
});
afterAll(async () => {
  await app?.close();
  await server?.close();
});

/** A machine with three days of messages, two of which share a time. */
async function addMachineWithMessages(settings: AdapterSettings): Promise<number> {
  const { machineId, trackerId } = await addTrackedMachine(app.db, fleet);
  for (let index = 0; index < 12; index += 1) {
    const time = new Date(start + Math.floor(index / 4) * day + (index === 1 ? 0 : index % 4) * 30 * minute);
    const state = {
      actionStates: [{ actionId: 'a', actionType: index % 3 ? 'brush' : 'wash', actionStatus: 'RUNNING' }],
      batteryState: { batteryCharge: 90 - index, charging: index === 7 },
      errors: [],
    };
    const body = { ...vdaState(state, time), headerId: index, area: index, note: `Zeile\u2028Ende \u{1f9f9}` };
    const raw = { device: 'd', mediaType: mediaTypeOf('state'), body: Buffer.from(JSON.stringify(body)) };
    await ingest(
      { ...app.services, now: () => time },
      readMessage('vda5050', raw, settings).map(({ message }) => ({
        machineId,
        trackerId,
        protocol: 'vda5050' as const,
        message,
        receivedAt: time,
        raw,
      })),
    );
  }
  return machineId;
}

const readHistory = async (machine: number) => ({
  observations: await app.db.rows(sql`
    select at, kind, state, reason, mode, battery, area, attributes, is_merged from observations
    where machine_id = ${machine} order by at, kind`),
  segments: await readTimeline(app.db, machine),
  days: await app.db.rows(sql`
    select day, cleaning, charging, parked, online, robotic, messages, area_m2 from machine_days
    where machine_id = ${machine} order by day`),
});
const countStored = async () =>
  (await app.db.selectOne({ count: pg.integer }, sql`select count(*) as count from raw_messages`))?.count;
/** Services whose clock is this many days after the first message. */
const servicesAfter = (days: number) => ({ ...app.services, now: () => new Date(start + days * day) });
const replayAgain = (machineId: number) =>
  replay(app.db, {
    machineId,
    from: new Date(0),
    to: new Date(start + 10 * day),
    since: new Date(0),
    findSettings: () => correctedSettings,
    now: new Date(start + 10 * day),
    objects: app.services.objects,
  });
const readPacks = () =>
  app.db.select(
    { day: pg.text, messages: pg.integer, object_key: pg.text, machine_from: pg.integer.nullable },
    sql`select day::text, messages, object_key, machine_from from raw_message_objects order by day, machine_from`,
  );

test('messages are moved day by day, and replayed as if database and storage were one', async () => {
  const [movedMachine, unmovedMachine] = [
    await addMachineWithMessages(oldSettings),
    await addMachineWithMessages(oldSettings),
  ];
  const expected = await readHistory(await addMachineWithMessages(correctedSettings));
  expect(await readHistory(unmovedMachine)).not.toEqual(expected);
  await replayAgain(unmovedMachine);
  const replayedHistory = await readHistory(unmovedMachine);
  expect(replayedHistory.observations).toEqual(expected.observations);
  await app.db.rows(sql`
    insert into raw_messages (received_at, protocol, device, media_type, body)
    values (${new Date(start).toISOString()}::timestamptz, 'kept', 'x', 'text/plain', '\\xff00fe')`);

  await moveMessages(servicesAfter(30.5));
  expect(await countStored()).toBe(24);
  expect((await readPacks()).map(({ day: date, messages }) => [date, messages])).toEqual([
    ['2026-09-01', 12],
    ['2026-09-01', 1],
  ]);
  await moveMessages(servicesAfter(40));
  expect(await countStored()).toBe(0);
  expect(server.keys()).toEqual((await readPacks()).map(({ object_key }) => object_key).sort());
  expect(await replayAgain(movedMachine)).toMatchObject({ messages: 12, unreadable: 0 });
  expect(await readHistory(movedMachine)).toEqual(replayedHistory);
  expect(await replayAgain(movedMachine)).toMatchObject({ messages: 12, removed: 0, added: 0 });
  expect(await readHistory(unmovedMachine)).toEqual(replayedHistory);
});

test('while the storage is down nothing is moved or deleted, and a replay fails as a whole', async () => {
  const machine = await addMachineWithMessages(oldSettings);
  await moveMessages(servicesAfter(31.5));
  const historyBefore = await readHistory(machine);
  const countBefore = await countStored();
  await server.stop();
  try {
    await expect(moveMessages(servicesAfter(40))).rejects.toThrow('cannot be reached');
    await applyTelemetryRetention(servicesAfter(40));
    expect(await countStored()).toBe(countBefore);
    await expect(replayAgain(machine)).rejects.toThrow('cannot be reached');
    expect(await readHistory(machine)).toEqual(historyBefore);
    await expect(moveObjects(servicesAfter(40))).rejects.toThrow('cannot be reached');
    expect(waitingObjects.messageDays).toBeGreaterThan(0);
  } finally {
    await server.start();
  }
  await moveMessages(servicesAfter(40));
  expect(await countStored()).toBe(0);
});

test('a process that dies after the upload moves nothing; the next process does', async () => {
  const machine = await addMachineWithMessages(correctedSettings);
  const expected = await readHistory(machine);
  const objects = app.services.objects as NonNullable<typeof app.services.objects>;
  const failingStorage = {
    ...objects,
    put: async (...args: Parameters<typeof objects.put>) => {
      await objects.put(...args);
      throw new Error('killed');
    },
  };
  await expect(moveMessages({ ...servicesAfter(40), objects: failingStorage })).rejects.toThrow('killed');
  expect(await countStored()).toBe(12);
  await moveMessages(servicesAfter(40));
  expect(await countStored()).toBe(0);
  const tomorrowServices = { ...app.services, now: () => new Date(Date.now() + day) };
  await app.db.rows(sql`update jobs set run_at = now() where kind = 'object_removal'`);
  await runDueJobs(tomorrowServices, objectRemovalJobs(app.services));
  expect(server.keys()).toEqual((await readPacks()).map(({ object_key }) => object_key).sort());
  expect((await replayAgain(machine)).messages).toBe(12);
  expect((await readHistory(machine)).segments).toEqual(expected.segments);
});

test('a machine that is purged meanwhile leaves no pack behind', async () => {
  const machine = await addMachineWithMessages(correctedSettings);
  const objects = app.services.objects as NonNullable<typeof app.services.objects>;
  const slowStorage = {
    ...objects,
    put: async (...args: Parameters<typeof objects.put>) => {
      await objects.put(...args);
      await app.db.rows(sql`delete from raw_messages where machine_id = ${machine}`);
    },
  };
  const packsBefore = await readPacks();
  await expect(moveMessages({ ...servicesAfter(40), objects: slowStorage })).rejects.toThrow(
    'were deleted while they were',
  );
  expect(await readPacks()).toEqual(packsBefore);
});

test('objects are deleted at the end of the retention of messages', async () => {
  expect(server.keys().length).toBeGreaterThan(0);
  await applyTelemetryRetention(servicesAfter(364));
  expect((await readPacks()).length).toBeGreaterThan(0);
  await applyTelemetryRetention(servicesAfter(370));
  expect(await readPacks()).toEqual([]);
  // A removal that fails makes all of them wait, as they do in a running process.
  for (let days = 1; days < 5 && server.keys().length > 0; days += 1)
    await runDueJobs(
      { ...app.services, now: () => new Date(Date.now() + days * day) },
      objectRemovalJobs(app.services),
    );
  expect(server.keys()).toEqual([]);
});
