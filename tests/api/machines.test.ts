/** Calls about machines, trackers and locations: responses and permissions. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let operator: number;
/** A machine in the operator's scope, and one of the other client. */
let ownMachine: number;
let foreignMachine: number;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  operator = world.north.users.operator;
  ownMachine = world.north.machines[0] as number;
  foreignMachine = world.south.machines[0] as number;
  await app.db.rows(sql`update machines_state set latitude = 53.5 + id * 0.0001, longitude = 10, status = 'Parked'`);
});
afterAll(() => app.close());

const calls = ['logs', 'timeline', 'track', 'stays', 'statistics', 'battery', 'qr.svg'];

describe('scope', () => {
  test.each(calls)('%s is served for machines in scope only', async (call) => {
    expect((await app.call(operator, 'GET', `machines/${ownMachine}/${call}`)).status).toBe(200);
    expect((await app.call(operator, 'GET', `machines/${foreignMachine}/${call}`)).status).toBe(404);
    expect((await app.call(undefined, 'GET', `machines/${ownMachine}/${call}`)).status).toBe(401);
  });

  test('the map shows and counts machines in scope only', async () => {
    const readMap = async (caller: number, filter = '') =>
      (
        await app.call<{ data: { total: number; points: { id: number }[] } }>(
          caller,
          'GET',
          `machines/map?bbox=-180,-90,180,90&zoom=18${filter}`,
        )
      ).body.data;
    expect((await readMap(world.admin)).total).toBe(16);
    expect((await readMap(operator)).points.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      world.north.machines.slice(0, 3),
    );
    expect((await readMap(world.admin, `&filter[fleet_id]=${world.south.fleets[0]}`)).total).toBe(4);
    expect((await app.call(operator, 'GET', 'machines/map?bbox=-180,-90,180,90&zoom=3&filter[price]=1')).status).toBe(
      400,
    );
    expect((await app.call(operator, 'GET', 'machines/map?bbox=a,b&zoom=3')).status).toBe(422);
  });

  test.each([
    'statistics?to=0001-01-10',
    'battery?to=0001-01-10',
    'costs?to=0001-01-10',
    'timeline?to=0001-01-01T00:00:00Z',
    'track?from=0001-01-01&to=0001-01-01',
    'logs?filter[level]=%00',
  ])('the first days of the calendar and a NUL are harmless: %s', async (call) => {
    expect((await app.call(world.admin, 'GET', `machines/${ownMachine}/${call}`)).status).toBe(200);
  });

  test.each([
    ['map?zoom=-1', 'Zoom must be at least 0.', 'Zoom muss mindestens 0 sein.'],
    ['map?zoom=23', 'Zoom must be at most 22.', 'Zoom darf höchstens 22 sein.'],
    ['map?zoom=near', 'Zoom must be a number.', 'Zoom muss eine Zahl sein.'],
    [
      'statistics?from=2020-01-01&to=2036-01-01',
      'The period may have at most 3,700 days.',
      'Der Zeitraum darf höchstens 3.700 Tage umfassen.',
    ],
    [
      'statistics?from=2026-01-02&to=2026-01-01',
      'The period ends before it begins.',
      'Der Zeitraum endet, bevor er beginnt.',
    ],
    [
      'timeline?from=2000-01-01&to=2020-01-01',
      'The period may have at most 3,700 days.',
      'Der Zeitraum darf höchstens 3.700 Tage umfassen.',
    ],
  ])('invalid parameters are rejected with a plain message: %s', async (call, english, german) => {
    const path = call.startsWith('map') ? `machines/${call}` : `machines/${ownMachine}/${call}`;
    for (const [language, message] of [
      ['de', german],
      ['en', english],
    ] as const) {
      await app.db.rows(
        sql`update users set language_id = (select id from languages where two_letter_code = ${language}) where id = ${operator} returning id`,
      );
      expect((await app.call<{ message: string }>(operator, 'GET', path)).body.message).toBe(message);
    }
  });

  test('the counts of the dashboard equal the totals of its links', async () => {
    const { body } = await app.call<{ data: Record<string, number> & { states: Record<string, number> } }>(
      operator,
      'GET',
      'dashboard',
    );
    expect(body.data).toMatchObject({ total_companies: 1, states: { Parked: 3, Offline: 0 } });
    const adminDashboard = await app.call<{ data: Record<string, unknown> }>(world.admin, 'GET', 'dashboard');
    const users = await app.call<{ total: number }>(world.admin, 'GET', 'users');
    expect(adminDashboard.body.data).toMatchObject({
      total_users: users.body.total,
      total_companies: 2,
      states: { Parked: 16 },
    });
  });
});

describe('export', () => {
  test('prints times in the requested time zone, or in UTC without one', async () => {
    await app.db.rows(sql`update machines_state set last_seen = '2026-03-31T23:30:05Z' where id = ${ownMachine}`);
    const exportLastSeen = async (headers?: Record<string, string>) =>
      (
        await app.call(
          world.admin,
          'GET',
          `machines/export?format=csv&columns=last_seen&filter[id]=${ownMachine}`,
          undefined,
          headers,
        )
      ).text;
    expect(await exportLastSeen({ 'time-zone': 'Europe/Berlin' })).toContain('01.04.2026 01:30:05');
    expect(await exportLastSeen()).toContain('31.03.2026 23:30:05');
  });
});

describe('clusters', () => {
  test('include the number of machines per state', async () => {
    const copies = sql`insert into machines (serial_number, fleet_id, custom_type) select 'copy-' || n, ${world.south.fleets[0]}, 'Copy' from generate_series(1, 200) n returning id`;
    const ids = (await app.db.select({ id: pg.integer }, copies)).map(({ id }) => id);
    await app.db.rows(
      sql`update machines_state set latitude = 40, longitude = 20, status = 'Cleaning' where id = any(${sql.param(ids)}::int[])`,
    );
    const { body } = await app.call<{
      data: { total: number; clusters: { count: number; states: object; latitude: number }[] };
    }>(world.admin, 'GET', 'machines/map?bbox=0,0,60,60&zoom=2');
    expect(body.data.total).toBe(216);
    expect(body.data.clusters).toContainEqual(
      expect.objectContaining({ count: 200, states: { Cleaning: 200 }, latitude: 40 }),
    );
    await app.db.rows(sql`update machines set deleted_at = now() where id = any(${sql.param(ids)}::int[])`);
  });
});

describe('book value', () => {
  test('depreciates linearly from the purchase date to zero, to the cent', async () => {
    await app.db.rows(
      sql`update machines set price = 10000, depreciation_rate = 20, purchase_date = '2020-01-01' where id = ${ownMachine}`,
    );
    const readBookValue = async (day: string) =>
      (
        await app.call<{ data: { book_value: string } }>(
          world.admin,
          'GET',
          `machines/${ownMachine}/book_value?on=${day}`,
        )
      ).body.data.book_value;
    expect(await readBookValue('2019-05-05')).toBe('10000.00');
    expect(await readBookValue('2020-01-01')).toBe('10000.00');
    expect(await readBookValue('2021-01-01')).toBe('8000.00');
    expect(await readBookValue('2021-07-02')).toBe('7002.74');
    expect(await readBookValue('2024-12-31')).toBe('5.46');
    expect(await readBookValue('2035-01-01')).toBe('0.00');
    expect((await app.call(operator, 'GET', `machines/${ownMachine}/book_value`)).status).toBe(403);
    expect((await app.call(world.admin, 'GET', `machines/${ownMachine}/book_value?on=tomorrow`)).status).toBe(422);
  });
});

describe('trackers', () => {
  test('show a secret once and store it as a hash', async () => {
    const tracker = world.north.trackers[0] as number;
    const { body } = await app.call<{ data: { secret: string } }>(world.admin, 'POST', `trackers/${tracker}/secret`);
    expect(body.data.secret).toMatch(/^swt_[\w-]{40,}$/);
    expect((await app.call(world.admin, 'GET', `trackers/${tracker}`)).text).not.toContain(body.data.secret);
    const storedRow = await app.db.selectOne(
      { hash: pg.bytea },
      sql`select hash from tracker_secrets where tracker_id = ${tracker}`,
    );
    expect(storedRow?.hash).toHaveLength(32);
    expect(Buffer.from(storedRow?.hash ?? []).toString('utf8')).not.toContain(body.data.secret);
    expect((await app.call(operator, 'POST', `trackers/${tracker}/secret`)).status).toBe(403);
  });

  test('end up on one machine if two are assigned concurrently', async () => {
    const machines = (
      await Promise.all(
        [0, 1].map(async (index) =>
          app.db.selectOne(
            { id: pg.integer },
            sql`insert into machines (serial_number, fleet_id, custom_type) values (${`race-${index}`}, ${world.north.fleets[0]}, 'Racer') returning id`,
          ),
        ),
      )
    ).map((row) => row?.id as number);
    const responses = await Promise.all(
      machines.map((machine_id) =>
        app.call(world.admin, 'POST', `trackers/${world.unassignedTracker}/assign`, { machine_id }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(
      (await app.call(world.admin, 'PUT', `machines/${ownMachine}`, { tracker_id: world.unassignedTracker })).status,
    ).toBe(422);
    expect(
      (await app.call(world.admin, 'POST', `trackers/${world.unassignedTracker}/assign`, { machine_id: null })).status,
    ).toBe(200);
    expect(
      (await app.call<{ data: { assigned: boolean } }>(world.admin, 'GET', `trackers/${world.unassignedTracker}`)).body
        .data.assigned,
    ).toBe(false);
    await app.db.rows(sql`update machines set deleted_at = now() where id = any(${sql.param(machines)}::int[])`);
  });

  test('that another one replaces on a machine is announced as unassigned', async () => {
    const publish = vi.spyOn(app.services.live, 'publish');
    const replacement = { machine_id: ownMachine };
    const { status } = await app.call(world.admin, 'POST', `trackers/${world.unassignedTracker}/assign`, replacement);
    const payload = { assigned: false };
    expect([status, publish.mock.calls.flat(2)]).toEqual([
      200,
      expect.arrayContaining([{ entity: 'trackers', id: world.north.trackers[0], type: 'updated', payload }]),
    ]);
    publish.mockRestore();
    await app.call(world.admin, 'POST', `trackers/${world.north.trackers[0]}/assign`, replacement);
  });
});

describe('locations', () => {
  test('a machine can only be at a location of its own fleet, and loses it when moved to another', async () => {
    const machine = world.north.machines[7] as number;
    const [first, second] = world.north.fleets;
    expect(
      (await app.call(world.admin, 'PUT', `machines/${machine}`, { location_id: world.north.locations[0] })).status,
    ).toBe(422);
    const response = await app.call<{ data: { fleet_id: number; location_id: number | null } }>(
      world.admin,
      'PUT',
      `machines/${machine}`,
      { fleet_id: first },
    );
    expect(response.body.data).toMatchObject({ fleet_id: first, location_id: null });
    const update = await app.call(world.admin, 'PUT', `machines/${machine}`, {
      fleet_id: second,
      location_id: world.north.locations[3],
    });
    expect(update.status).toBe(200);
  });

  test('moving a location moves its machines', async () => {
    const location = world.north.locations[3] as number;
    const [first, second] = world.north.fleets;
    expect((await app.call(world.admin, 'POST', `locations/${location}/move`, { fleet_id: first })).status).toBe(200);
    const fleets = await app.db.rows(
      sql`select distinct fleet_id from machines where location_id = ${location} and deleted_at is null`,
    );
    expect(fleets).toEqual([{ fleet_id: first }]);
    expect(
      (
        await app.call(world.north.users.customer_admin, 'POST', `locations/${location}/move`, {
          fleet_id: world.south.fleets[0],
        })
      ).status,
    ).toBe(422);
    expect(
      (await app.call(operator, 'POST', `locations/${world.north.locations[0]}/move`, { fleet_id: first })).status,
    ).toBe(403);
    await app.call(world.admin, 'POST', `locations/${location}/move`, { fleet_id: second });
  });
});

test('battery statistics: lowest, average and highest of each local day', async () => {
  const addObservation = (time: string, battery: number | null) =>
    app.db.rows(sql`insert into observations (machine_id, at, kind, received_at, protocol, state, reason, battery)
      values (${ownMachine}, ${time}::timestamptz, 'message', ${time}::timestamptz, 'osmand', 'Parked', 'parked', ${battery})`);
  // 23:30 UTC is on the next day in Berlin.
  for (const [time, battery] of [
    ['2026-05-04T08:00:00Z', 80],
    ['2026-05-04T09:00:00Z', 30],
    ['2026-05-04T10:00:00Z', null],
    ['2026-05-04T23:30:00Z', 55],
  ] as const)
    await addObservation(time, battery);
  const readBattery = async (group: string) =>
    (
      await app.call<{ data: unknown[] }>(
        operator,
        'GET',
        `machines/${ownMachine}/battery?group=${group}&from=2026-05-01&to=2026-05-10`,
      )
    ).body.data;
  expect(await readBattery('day')).toEqual([
    { from: '2026-05-04', to: '2026-05-04', lowest: 30, average: 55, highest: 80 },
    { from: '2026-05-05', to: '2026-05-05', lowest: 55, average: 55, highest: 55 },
  ]);
  expect(await readBattery('month')).toEqual([
    { from: '2026-05-01', to: '2026-05-10', lowest: 30, average: 55, highest: 80 },
  ]);
  expect((await app.call(operator, 'GET', `machines/${ownMachine}/battery?group=year`)).status).toBe(422);
});
