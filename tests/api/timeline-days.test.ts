/** Plain days in the periods of a machine's calls: local days of its location, also on days with a clock change. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const trackedMachine = await prepareTrackedMachine(app, world, 0);
  ({ machine } = trackedMachine);
  await app.db.rows(sql`update locations set time_zone = 'America/Havana'
    where id = (select location_id from machines where id = ${machine})`);
  const hours = Array.from({ length: 72 }, (_, hour) => ({
    at: new Date(Date.UTC(2026, 2, 7) + hour * 3_600_000).toISOString(),
    status: hour % 2 === 0 ? 'cleaning' : 'parked',
    latitude: 23.1,
    longitude: -82.4,
  }));
  const response = await app.call(undefined, 'POST', 'ingest', hours, {
    authorization: `Bearer ${trackedMachine.secret}`,
  });
  expect(response.status).toBe(200);
});
afterAll(() => app.close());

const readData = async <T>(call: string, query: string) =>
  (await app.call<{ data: T[] }>(world.admin, 'GET', `machines/${machine}/${call}?${query}`)).body.data;

test.each([
  ['2026-03-07', '2026-03-07T05:00:00Z', '2026-03-08T05:00:00Z', 24],
  // Clocks in Havana go from 00:00 to 01:00 on this day.
  ['2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z', 23],
])('%s in timeline and track is the local day that statistics count', async (day, from, to, hours) => {
  const moments = `from=${from}&to=${to}`;
  const days = `from=${day}&to=${day}`;
  expect((await readData('timeline', days)).length).toBeGreaterThan(20);
  expect((await readData('track', days)).length).toBeGreaterThan(0);
  expect(await readData('timeline', days)).toEqual(await readData('timeline', moments));
  expect(await readData('track', days)).toEqual(await readData('track', moments));
  const [sums] = await readData<Record<string, number>>('statistics', days);
  const states = ['cleaning', 'charging', 'parked', 'online', 'offline'];
  expect(states.reduce((sum, state) => sum + (sums?.[state] ?? Number.NaN), 0)).toBe(hours * 3600);
});

test('a day and a moment may be combined', async () => {
  expect(await readData('track', 'from=2026-03-08&to=2026-03-08T12:00:00Z')).toEqual(
    await readData('track', 'from=2026-03-08T05:00:00Z&to=2026-03-08T12:00:00Z'),
  );
});
