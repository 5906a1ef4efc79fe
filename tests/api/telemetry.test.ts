/** Messages of trackers, and the resulting state of their machines. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { markOffline } from '../../server/telemetry/offline/markOffline';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { readDeviceId } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let currentTime: Date;
let machine: number;
let device: string;
let nextIndex = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  app.services.now = () => currentTime;
});
afterAll(() => app.close());

/** Each test has its own machine, at noon of its own day. */
beforeEach(async () => {
  machine = [...world.north.machines, ...world.south.machines][nextIndex] as number;
  nextIndex += 1;
  currentTime = new Date('2026-10-20T10:00:00Z');
  device = await readDeviceId(app.db, machine);
});

const send = (fields: Record<string, string | number>, id = device) =>
  app.call(
    undefined,
    'GET',
    `/ingest/osmand?${new URLSearchParams({ id, timestamp: String(currentTime.getTime()), ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])) })}`,
  );
const advance = (seconds: number) => {
  currentTime = new Date(currentTime.getTime() + seconds * 1000);
};
interface MachineValues {
  status: string;
  status_since: string;
  status_reason: string;
  mode: string | null;
  battery: number | null;
  latitude: number | null;
  longitude: number | null;
  last_seen: string | null;
  cleaning_time: number;
  operating_time: number;
}
const readMachine = async () =>
  (await app.call<{ data: MachineValues }>(world.admin, 'GET', `machines/${machine}`)).body.data;
interface DailySums {
  from: string;
  cleaning: number;
  charging: number;
  parked: number;
  online: number;
  offline: number;
  robotic: number;
  area_m2: number;
  messages: number;
}
const readDays = async (from: string, to = from) =>
  (
    await app.call<{ data: DailySums[] }>(
      world.admin,
      'GET',
      `machines/${machine}/statistics?group=day&from=${from}&to=${to}`,
    )
  ).body.data;
const totalSeconds = ({ cleaning, charging, parked, online, offline }: DailySums) =>
  cleaning + charging + parked + online + offline;
const readSegments = () =>
  app.db.select(
    { state: pg.text, from_at: pg.timestamptz, to_at: pg.timestamptz.nullable },
    sql`select state, from_at, to_at from segments where machine_id = ${machine} order by from_at`,
  );

describe('a message', () => {
  test('changes state, mode, battery, position and last seen of its machine', async () => {
    expect(await readMachine()).toMatchObject({ status: 'Offline', status_reason: 'never reported', last_seen: null });
    expect(
      (await send({ lat: 53.51, lon: 10.01, speed: 1.5, batt: 83, status: 'cleaning', mode: 'robotic' })).status,
    ).toBe(200);
    expect(await readMachine()).toMatchObject({
      status: 'Cleaning',
      status_since: '2026-10-20T10:00:00.000Z',
      mode: 'robotic',
      battery: 83,
      latitude: 53.51,
      longitude: 10.01,
      last_seen: '2026-10-20T10:00:00.000Z',
    });
  });

  test('is accepted as a form and as the JSON of the app', async () => {
    const form = new URLSearchParams({
      id: device,
      lat: '1',
      lon: '2',
      charge: 'true',
      timestamp: String(currentTime.getTime()),
    }).toString();
    expect(
      (
        await app.call(undefined, 'POST', '/ingest/osmand', form, {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(200);
    expect(await readMachine()).toMatchObject({ status: 'Charging', latitude: 1, longitude: 2 });
    advance(60);
    const location = {
      timestamp: currentTime.toISOString(),
      coords: { latitude: 3, longitude: 4, speed: 0, heading: -1, accuracy: 4, altitude: 0 },
      is_moving: false,
      battery: { level: 0.55, is_charging: false },
    };
    expect((await app.call(undefined, 'POST', '/ingest/osmand', { device_id: device, location })).status).toBe(200);
    expect(await readMachine()).toMatchObject({ status: 'Parked', battery: 55, latitude: 3 });
  });

  test('is stored once, no matter how often it is sent', async () => {
    for (let round = 0; round < 3; round += 1) expect((await send({ status: 'cleaning', area: 10 })).status).toBe(200);
    expect(await readDays('2026-10-20')).toMatchObject([{ messages: 1, area_m2: 10 }]);
    expect(await readSegments()).toHaveLength(1);
  });

  test('leaves values of missing keys unchanged', async () => {
    await send({ lat: 5, lon: 6, batt: 40, status: 'cleaning' });
    advance(30);
    await send({ status: 'parked' });
    expect(await readMachine()).toMatchObject({ status: 'Parked', battery: 40, latitude: 5, longitude: 6 });
  });

  test('that is late rewrites the past and leaves the machine state row unchanged', async () => {
    await send({ status: 'parked', batt: 50, lat: 1, lon: 1 });
    advance(300);
    await send({ status: 'charging', batt: 60 });
    const stateBefore = await readMachine();
    await send({ status: 'cleaning', batt: 10, lat: 9, lon: 9, timestamp: new Date('2026-10-20T10:01:40Z').getTime() });
    expect(await readMachine()).toEqual({
      ...stateBefore,
      cleaning_time: 200,
      operating_time: 200,
      overall_cleaning_time: 200,
    });
    expect((await readSegments()).map(({ state, from_at }) => [state, from_at.toISOString().slice(14, 19)])).toEqual([
      ['Parked', '00:00'],
      ['Cleaning', '01:40'],
      ['Charging', '05:00'],
    ]);
    expect(await readDays('2026-10-20')).toMatchObject([{ parked: 100, cleaning: 200 }]);
  });

  test('with a clock far ahead counts at its time of receipt, which is logged', async () => {
    await send({ status: 'cleaning', timestamp: currentTime.getTime() + 3_600_000 });
    expect(await readMachine()).toMatchObject({ status: 'Cleaning', last_seen: '2026-10-20T10:00:00.000Z' });
    const { body } = await app.call<{ data: { level: string; text: string }[] }>(
      world.admin,
      'GET',
      `machines/${machine}/logs?filter[level]=warning`,
    );
    expect(body.data).toMatchObject([
      { level: 'warning', text: 'the device clock says 20.10.2026 13:00: the time of receipt is used' },
    ]);
  });

  test('with a device error appears in the machine’s log', async () => {
    await send({ status: 'cleaning', error: 'E31', message: '=tank empty' });
    const { body } = await app.call<{ data: { at: string; text: string }[]; total: number }>(
      world.admin,
      'GET',
      `machines/${machine}/logs?filter[level]=error`,
    );
    expect(body).toMatchObject({ total: 1, data: [{ at: '2026-10-20T10:00:00.000Z', text: 'E31: =tank empty' }] });
  });

  test('is exported with times in the time zone of the caller or of the location, as are the times in its text', async () => {
    await send({ status: 'cleaning', error: 'E31', message: '=tank empty' });
    const exportLog = async (headers = {}) =>
      (await app.call(world.admin, 'GET', `machines/${machine}/logs/export?format=csv`, undefined, headers)).text;
    const berlinSheet = await exportLog();
    expect(berlinSheet).toContain('Time (Europe/Berlin),Level,Event');
    expect(berlinSheet).toContain('20.10.2026 12:00:00,Error,E31: =tank empty');
    const newYorkSheet = await exportLog({ 'time-zone': 'America/New_York' });
    expect(newYorkSheet).toContain('Time (America/New_York),Level,Event');
    expect(newYorkSheet).toContain('20.10.2026 06:00:00,Information,Cleaning: reported cleaning at 20.10.2026 06:00');
  });

  test.each([
    ['lat=north&lon=1', 400],
    ['lat=91&lon=1', 400],
    ['timestamp=never', 400],
    ['batt=%zz', 400],
  ])('that is unreadable is rejected and nothing is stored: %s', async (search, status) => {
    expect((await app.call(undefined, 'GET', `/ingest/osmand?id=${encodeURIComponent(device)}&${search}`)).status).toBe(
      status,
    );
    expect(await app.db.one(sql`select count(*)::int as n from observations where machine_id = ${machine}`)).toEqual({
      n: 0,
    });
  });
});

describe('an unknown device', () => {
  test('is rejected, and becomes an unassigned tracker that is accepted once it is on a machine', async () => {
    expect((await send({ lat: 1, lon: 2 }, 'stranger-1')).status).toBe(400);
    expect((await send({ lat: 1, lon: 2 }, 'stranger-1')).status).toBe(400);
    const location = { timestamp: currentTime.toISOString() };
    expect((await app.call(undefined, 'POST', '/ingest/osmand', { device_id: 'stranger-2', location })).status).toBe(
      404,
    );
    const { body } = await app.call<{ data: { id: number; refno: string; assigned: boolean }[] }>(
      world.admin,
      'GET',
      'trackers?filter[search]=stranger&sort=refno',
    );
    expect(body.data).toMatchObject([
      { refno: 'stranger-1', assigned: false, last_seen: '2026-10-20T10:00:00.000Z' },
      { refno: 'stranger-2', assigned: false },
    ]);
    expect(
      (await app.call(world.admin, 'POST', `trackers/${body.data[0]?.id}/assign`, { machine_id: machine })).status,
    ).toBe(200);
    expect((await send({ lat: 1, lon: 2, status: 'parked' }, 'stranger-1')).status).toBe(200);
    expect(await readMachine()).toMatchObject({ status: 'Parked' });
  });

  test('does not become a tracker by an unreadable message', async () => {
    expect((await send({ lat: 'x', lon: 2 }, 'stranger-3')).status).toBe(400);
    expect(await app.db.one(sql`select count(*)::int as n from trackers where refno = 'stranger-3'`)).toEqual({ n: 0 });
  });
});

describe('silence', () => {
  test('sets a machine Offline with its reason, until its next message', async () => {
    await send({ status: 'cleaning', mode: 'robotic' });
    advance(599);
    await markOffline(app.services);
    expect(await readMachine()).toMatchObject({ status: 'Cleaning' });
    advance(2);
    await markOffline(app.services);
    const silentMachine = await readMachine();
    expect(silentMachine).toMatchObject({
      status: 'Offline',
      status_since: '2026-10-20T10:10:00.000Z',
      mode: null,
      cleaning_time: 600,
      last_seen: '2026-10-20T10:00:00.000Z',
    });
    expect(silentMachine.status_reason).toMatch(/^last message .*12:00, silent for more than 10 min$/);
    advance(399);
    await send({ status: 'parked' });
    expect((await readSegments()).map(({ state }) => state)).toEqual(['Cleaning', 'Offline', 'Parked']);
    expect(await readDays('2026-10-20')).toMatchObject([{ cleaning: 600, robotic: 600 }]);
  });
});

describe('statistics', () => {
  test('the five states of a past day add up to its length, even with a clock change', async () => {
    for (const start of ['2026-10-24T21:30:00Z', '2026-03-28T22:30:00Z']) {
      currentTime = new Date(start);
      for (let round = 0; round < 60; round += 1) {
        advance(540);
        await send({ status: round % 3 === 0 ? 'parked' : 'cleaning', mode: 'robotic' });
      }
    }
    currentTime = new Date('2026-11-01T00:00:00Z');
    await markOffline(app.services);
    expect((await readDays('2026-10-24', '2026-10-26')).map(totalSeconds)).toEqual([86_400, 90_000, 86_400]);
    expect((await readDays('2026-03-28', '2026-03-30')).map(totalSeconds)).toEqual([86_400, 82_800, 86_400]);
    const [dailySumsRow] = await app.db.select(
      { cleaning: pg.integer },
      sql`select sum(cleaning)::int as cleaning from machine_days where machine_id = ${machine}`,
    );
    const [segmentsRow] = await app.db.select(
      { cleaning: pg.integer },
      sql`select sum(extract(epoch from to_at - from_at))::int as cleaning from segments where machine_id = ${machine} and state = 'Cleaning'`,
    );
    expect(dailySumsRow).toEqual(segmentsRow);
    expect((await readMachine()).cleaning_time).toBe(segmentsRow?.cleaning);
  });
});
