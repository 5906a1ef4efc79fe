/** State keys carried forward for devices that send a key only when it changes. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { createAdapterSettings } from '../../server/telemetry/adapters/readMessage';
import { replay } from '../../server/telemetry/replay/replay';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { computeDailySums, computeTimeline, readDailySums, readTimeline } from '../support/storedTimeline';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let deviceId: string;
let secret: string;
let nextIndex = 0;
const now = new Date();
/** Start time such that the last message of each test is recent and no machine goes Offline. */
const start = now.getTime() - 3725_000;
const timeAfter = (seconds: number) => new Date(start + seconds * 1000).toISOString();

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ machine, deviceId, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

type Fields = Record<string, string | number | boolean>;
/** Sends fields at a number of seconds since the start, in the format of each protocol. */
const senders = {
  own: (entries: [number, Fields][]) =>
    sendBatch(
      app,
      secret,
      entries.map(([seconds, fields]) => ({ at: timeAfter(seconds), ...fields })),
    ),
  thingsboard: (entries: [number, Fields][]) =>
    app.call(
      undefined,
      'POST',
      `/ingest/tb/api/v1/${secret}/telemetry`,
      entries.map(([seconds, values]) => ({ ts: start + seconds * 1000, values })),
    ),
  osmand: async (entries: [number, Fields][]) => {
    const responses = [];
    for (const [seconds, fields] of entries) {
      const query = new URLSearchParams({ id: deviceId, timestamp: String(start + seconds * 1000) });
      for (const [name, value] of Object.entries(fields)) query.set(name === 'battery' ? 'batt' : name, String(value));
      responses.push(await app.call(undefined, 'GET', `/ingest/osmand?${query}`));
    }
    return responses.find(({ status }) => status !== 200) ?? (responses[0] as (typeof responses)[0]);
  },
};
const readDailyTotals = async () => {
  const row = await app.db.selectOne(
    { cleaning: pg.integer, charging: pg.integer, parked: pg.integer, online: pg.integer },
    sql`select sum(cleaning)::int as cleaning, sum(charging)::int as charging, sum(parked)::int as parked,
      sum(online)::int as online from machine_days where machine_id = ${machine}`,
  );
  return row;
};
const expectConsistent = async () => {
  expect(await readTimeline(app.db, machine)).toEqual(await computeTimeline(app.db, machine, new Date()));
  expect(await readDailySums(app.db, machine)).toEqual(await computeDailySums(app.db, machine, 'Europe/Berlin'));
};
const hourOfBatteryValues = Array.from({ length: 60 }, (_, minute): [number, Fields] => [
  60 * (minute + 1),
  { battery: 90 - minute },
]);

describe.each(['own', 'thingsboard', 'osmand'] as const)('%s', (protocol) => {
  test('an hour of battery values after status=cleaning counts as an hour of cleaning', async () => {
    const send = senders[protocol];
    expect((await send([[0, { status: 'cleaning', mode: 'robotic' }]])).status).toBe(200);
    for (const batch of [
      hourOfBatteryValues.slice(0, 20),
      hourOfBatteryValues.slice(20, 21),
      hourOfBatteryValues.slice(21),
    ])
      expect((await send(batch)).status).toBe(200);
    expect(await readDailyTotals()).toMatchObject({ cleaning: 3600, online: 0 });
    await expectConsistent();
  });
});

test('a gap longer than the offline policy stays Offline', async () => {
  await senders.own([
    [0, { status: 'cleaning' }],
    [60, { battery: 80 }],
    [3660, { battery: 70 }],
    [3720, { battery: 70 }],
  ]);
  expect(await readDailyTotals()).toMatchObject({ cleaning: 60 + 600 + 60 });
  await expectConsistent();
});

test('a late key changes later observations with their sums and distances, until the key is sent again', async () => {
  const positionFields = (index: number) => ({ latitude: 52.5 + index / 10_000, longitude: 13.4 });
  await senders.own(
    hourOfBatteryValues.map(([seconds, fields], index) => [seconds, { ...fields, ...positionFields(index) }]),
  );
  expect(await readDailyTotals()).toMatchObject({ cleaning: 0, online: 3540 });
  await senders.own([[1830, { status: 'parked' }]]);
  expect(await readDailyTotals()).toMatchObject({ parked: 3600 - 1830, online: 1830 - 60 });
  await expectConsistent();
  await senders.own([
    [90, { status: 'cleaning' }],
    [610, { charging: true, mode: 'manual' }],
    [1210, { charging: false }],
  ]);
  expect(await readDailyTotals()).toMatchObject({ online: 30, cleaning: 520 + 620, charging: 600, parked: 1770 });
  await expectConsistent();
  expect((await app.call<{ data: object }>(world.admin, 'GET', `machines/${machine}`)).body.data).toMatchObject({
    battery: 31,
    mode: 'manual',
  });
});

test('a batch with messages before and after a stored one carries its value forward to the later one only', async () => {
  await senders.own([[3000, { mode: 'robotic' }]]);
  await senders.own([
    [3060, { battery: 60 }],
    [2940, { battery: 62 }],
  ]);
  const modes = sql`select mode from observations where machine_id = ${machine} order by at`;
  expect(await app.db.rows(modes)).toEqual([{ mode: null }, { mode: 'robotic' }, { mode: 'robotic' }]);
  await expectConsistent();
});

test('a replay changes nothing, but carries the new value forward after a message has been edited', async () => {
  await senders.thingsboard([[0, { status: 'cleaning' }], ...hourOfBatteryValues]);
  const runReplay = () =>
    replay(app.db, {
      machineId: machine,
      from: new Date(0),
      to: new Date(),
      since: new Date(0),
      findSettings: createAdapterSettings(app.services),
      now: new Date(),
    });
  expect(await runReplay()).toMatchObject({ removed: 0, added: 0 });
  await app.db.rows(sql`
    update raw_messages set body = convert_to(replace(convert_from(body, 'UTF8'), 'cleaning', 'parked'), 'UTF8')
    where machine_id = ${machine} and convert_from(body, 'UTF8') like '%cleaning%'`);
  expect(await runReplay()).toMatchObject({ removed: 1, added: 1 });
  expect(await readDailyTotals()).toMatchObject({ cleaning: 0, parked: 3600 });
  await expectConsistent();
});
