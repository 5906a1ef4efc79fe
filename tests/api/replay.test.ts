/**
 * Raw messages can be replayed after an adapter has been corrected. Another list of cleaning actions simulates the
 * corrected adapter.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepKeys } from '../../server/telemetry/adapters/buildKeyMap';
import { createActionMatcher } from '../../server/telemetry/adapters/createActionMatcher';
import { type AdapterSettings, mediaTypeOf, readMessage } from '../../server/telemetry/adapters/readMessage';
import { ingest } from '../../server/telemetry/ingest/ingest';
import { replay } from '../../server/telemetry/replay/replay';
import { vdaState } from '../support/mqttDevice';
import { startTestApp, type TestApp } from '../support/startTestApp';
import { computeSums, computeTimeline, readSums, readTimeline } from '../support/storedTimeline';
import { addFleet, addTrackedMachine } from '../support/trackedMachine';

let app: TestApp;
let fleet: number;
beforeAll(async () => {
  app = await startTestApp();
  fleet = await addFleet(app.db);
});
afterAll(() => app.close());

const start = Date.UTC(2026, 9, 24, 21, 50);
const now = new Date(start + 5000_000);
const uncorrectedSettings: AdapterSettings = { mapKeys: keepKeys, isCleaning: createActionMatcher(['wash']) };
const correctedSettings: AdapterSettings = { mapKeys: keepKeys, isCleaning: createActionMatcher(['brush']) };

interface SentMessage {
  at: number;
  topic: 'state' | 'visualization';
  action: string;
  charging: boolean;
  errors: string[];
  extraFields: object;
}
const messageArbitrary: fc.Arbitrary<SentMessage> = fc.record({
  at: fc.integer({ min: 0, max: 4000 }).map((seconds) => start + seconds * 1000),
  topic: fc.constantFrom('state', 'state', 'state', 'visualization'),
  action: fc.constantFrom('wash', 'brush', 'none'),
  charging: fc.boolean(),
  errors: fc.subarray(['E1', 'E2']),
  extraFields: fc.constantFrom(
    {},
    { area: 3 },
    { area_total: 70 },
    { latitude: 52.5, longitude: 13.4 },
    { latitude: 52.501, longitude: 13.4 },
  ),
});

async function addMachineWithMessages(messages: readonly SentMessage[], settings: AdapterSettings): Promise<number> {
  const { machineId, trackerId } = await addTrackedMachine(app.db, fleet);
  for (const { at, topic, action, charging, errors, extraFields } of messages) {
    const state = {
      actionStates: [{ actionId: 'a', actionType: action, actionStatus: 'RUNNING' }],
      batteryState: { batteryCharge: 50, charging },
      errors: errors.map((errorType) => ({ errorType, errorLevel: 'FATAL' })),
    };
    const raw = {
      device: 'd',
      mediaType: mediaTypeOf(topic),
      body: Buffer.from(JSON.stringify({ ...vdaState(state, new Date(at)), headerId: 1, ...extraFields })),
    };
    const parsedMessages = readMessage('vda5050', raw, settings);
    await ingest(
      { ...app.services, now: () => now },
      parsedMessages.map(({ message }) => ({
        machineId,
        trackerId,
        protocol: 'vda5050',
        message,
        receivedAt: now,
        raw,
      })),
    );
  }
  return machineId;
}

/** Everything stored about a machine, except ids. */
const readHistory = async (machine: number) => ({
  observations: await app.db.rows(
    sql`select at, kind, state, reason, mode, battery, latitude, area, area_total, error, attributes from observations where machine_id = ${machine} order by at, kind`,
  ),
  segments: await readTimeline(app.db, machine),
  days: await app.db.rows(sql`
    select day, cleaning, charging, parked, online, robotic, messages, round(area_m2::numeric, 6) as area, round(distance_m::numeric, 3) as distance
    from machine_days where machine_id = ${machine} and messages + cleaning + charging + parked + online > 0 order by day`),
  machineState: await app.db.one(
    sql`select status, status_since, mode, battery, latitude, longitude, cleaning_time, charging_time, operating_time from machines_state where id = ${machine}`,
  ),
  watch: await app.db.one(sql`select observed_at, silent_at from machine_watch where machine_id = ${machine}`),
});
const replayAgain = (machineId: number, settings: AdapterSettings, from = new Date(0)) =>
  replay(app.db, { machineId, from, to: now, since: new Date(0), findSettings: () => settings, now });

test('stores the results of the current adapter and changes nothing else; a second replay changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(messageArbitrary, { minLength: 1, maxLength: 10, selector: ({ at, topic }) => `${at} ${topic}` }),
      async (unorderedMessages) => {
        // Sorted by time, since late messages do not move a machine.
        const messages = [...unorderedMessages].sort((a, b) => a.at - b.at);
        const machine = await addMachineWithMessages(messages, uncorrectedSettings);
        const otherMachine = await addMachineWithMessages(messages, correctedSettings);
        const expectedHistory = await readHistory(otherMachine);
        await replayAgain(machine, correctedSettings);
        expect(await readHistory(machine)).toEqual(expectedHistory);
        expect(await readTimeline(app.db, machine)).toEqual(await computeTimeline(app.db, machine, now));
        expect(await readSums(app.db, machine)).toEqual(await computeSums(app.db, machine));
        expect(await replayAgain(machine, correctedSettings)).toMatchObject({
          removed: 0,
          added: 0,
          unreadable: 0,
          messages: messages.length,
        });
        expect(await readHistory(machine)).toEqual(expectedHistory);
        expect(await readHistory(otherMachine)).toEqual(expectedHistory);
      },
    ),
    { numRuns: 12 },
  );
});

test('when misread times are corrected, messages move to their correct times, even past one another', async () => {
  const messages: SentMessage[] = [0, 60, 120, 180].map((seconds, index) => ({
    at: start + seconds * 1000,
    topic: 'state',
    action: index % 2 ? 'wash' : 'none',
    charging: false,
    errors: index > 1 ? ['E1'] : [],
    extraFields: { area: index },
  }));
  const machine = await addMachineWithMessages(messages, uncorrectedSettings);
  const expectedHistory = await readHistory(machine);
  const readLogs = () =>
    app.db.rows(sql`select at, level, code from machine_logs where machine_id = ${machine} order by at`);
  const logRows = await readLogs();
  expect(logRows).toHaveLength(1);
  // Simulates that each time was read one minute late.
  await app.db.rows(sql`delete from observations where machine_id = ${machine} and at = ${new Date(start)}`);
  await app.db.rows(sql`update observations o set raw_id = n.raw_id from (select at, lag(raw_id) over (order by at) as raw_id from observations where machine_id = ${machine}) n
    where o.machine_id = ${machine} and o.at = n.at and n.raw_id is not null`);
  await replayAgain(machine, uncorrectedSettings);
  expect((await readHistory(machine)).observations).toEqual(expectedHistory.observations);
  expect(await readTimeline(app.db, machine)).toEqual(await computeTimeline(app.db, machine, now));
  expect(await readLogs()).toEqual(logRows);
});

test('observations that the current adapter rejects are removed, even the first and last; older ones stay', async () => {
  const messages: SentMessage[] = [0, 60, 120].map((seconds) => ({
    at: start + seconds * 1000,
    topic: 'state',
    action: 'wash',
    charging: false,
    errors: [],
    extraFields: { area: 2 },
  }));
  const machine = await addMachineWithMessages(messages, uncorrectedSettings);
  const breakMessages = (condition: ReturnType<typeof sql>) =>
    app.db.rows(sql`update raw_messages set body = '{' where machine_id = ${machine} and ${condition}`);
  await breakMessages(sql`id = (select min(id) from raw_messages where machine_id = ${machine})`);
  expect(await replayAgain(machine, uncorrectedSettings)).toMatchObject({ unreadable: 1, removed: 1, added: 0 });
  expect(await readTimeline(app.db, machine)).toEqual(await computeTimeline(app.db, machine, now));
  await breakMessages(sql`id = (select max(id) from raw_messages where machine_id = ${machine})`);
  expect(await replayAgain(machine, uncorrectedSettings)).toMatchObject({ unreadable: 2, removed: 1 });
  expect(await readTimeline(app.db, machine)).toEqual(await computeTimeline(app.db, machine, now));
  expect(await readSums(app.db, machine)).toEqual(await computeSums(app.db, machine));
  await breakMessages(sql`true`);
  expect(await replayAgain(machine, uncorrectedSettings, new Date(now.getTime() + 1))).toMatchObject({
    messages: 0,
    removed: 0,
  });
  expect(await replayAgain(machine, uncorrectedSettings)).toMatchObject({ unreadable: 3, removed: 1 });
  expect(await readTimeline(app.db, machine)).toEqual([]);
  expect(await app.db.one(sql`select status, cleaning_time from machines_state where id = ${machine}`)).toEqual({
    status: 'Offline',
    cleaning_time: 0,
  });
});
