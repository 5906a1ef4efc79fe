/** `GET /machines/timeline`: timelines of the machines in a list, within the caller's scope. */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EndpointResponse } from '../../schema/endpoints';
import { type StateName, stateNames } from '../../schema/entities/machines';
import { caseCount } from '../support/caseCount';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

type TimelineResponse = EndpointResponse<'GET /machines/timeline'>;
type Row = TimelineResponse['data']['machines'][number];
type Segment = { state: StateName; from: string; to: string | null };

let app: TestApp;
let world: World;

const hour = 3600;
const day = 24 * hour;
/** The latest time of the stored timelines, in whole seconds. */
const periodEnd = Math.floor(Date.now() / 1000) - hour;
const toIso = (seconds: number) => new Date(seconds * 1000).toISOString();

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

/** Replaces the timeline of a machine by segments of these lengths; the last one is open. */
async function storeTimeline(
  machine: number,
  segments: readonly { state: StateName; seconds: number }[],
): Promise<void> {
  await app.db.rows(sql`delete from segments where machine_id = ${machine}`);
  let time = periodEnd - segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = segments.map(({ state, seconds }, index) => {
    const from = toIso(time);
    time += seconds;
    return { state, from, to: index === segments.length - 1 ? null : toIso(time) };
  });
  await app.db.rows(sql`
    insert into segments (machine_id, from_at, to_at, state, reason, reason_at)
    select ${machine}, r.from, r.to, r.state, 'message', r.from from jsonb_to_recordset(
      ${JSON.stringify(rows)}::text::jsonb) as r("from" timestamptz, "to" timestamptz, state text)`);
}

async function readTimeline(caller: number, query = ''): Promise<TimelineResponse> {
  const path = `machines/timeline?per_page=1000&from=${toIso(periodEnd - day)}&to=${toIso(periodEnd)}${query}`;
  const { status, body } = await app.call<TimelineResponse>(caller, 'GET', path);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

const rowOf = ({ data }: TimelineResponse, machine: number) => data.machines.find(({ id }) => id === machine) as Row;
const sumsOf = ({ cleaning, charging, parked, online, offline }: Row) => ({
  Cleaning: cleaning,
  Charging: charging,
  Parked: parked,
  Online: online,
  Offline: offline,
});

/** Seconds per state according to the machine's own timeline. */
async function readOwnSums(machine: number, from: number, to: number): Promise<Record<StateName, number>> {
  const path = `machines/${machine}/timeline?from=${toIso(from)}&to=${toIso(to)}`;
  const { body } = await app.call<{ data: Segment[] }>(world.admin, 'GET', path);
  const sums = { Cleaning: 0, Charging: 0, Parked: 0, Online: 0, Offline: 0 };
  for (const { state, from: since, to: until } of body.data) {
    const [first, last] = [Date.parse(since) / 1000, until ? Date.parse(until) / 1000 : to];
    sums[state] += Math.max(0, Math.min(last, to) - Math.max(first, from));
  }
  return sums;
}

describe('sums and pieces of a row', () => {
  test('equal those of the machine’s own timeline, for any lengths of segments', async () => {
    const machine = world.north.machines[0] as number;
    const segment = fc.record({
      state: fc.constantFrom(...stateNames),
      seconds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 6 * hour })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 60 }), async (segments) => {
        await storeTimeline(machine, segments);
        const row = rowOf(await readTimeline(world.admin), machine);
        expect(sumsOf(row)).toEqual(await readOwnSums(machine, periodEnd - day, periodEnd));
        const startSeconds = row.pieces.filter((_, index) => index % 2 === 0);
        expect(startSeconds[0]).toBe(0);
        expect(startSeconds).toEqual([...new Set(startSeconds)].sort((a, b) => a - b));
        expect(startSeconds.every((start) => start < day)).toBe(true);
      }),
      { numRuns: caseCount(20) },
    );
  });

  test('give the state at each second, and no state before the first message', async () => {
    const [silentMachine, reportingMachine] = world.north.machines as [number, number];
    await storeTimeline(silentMachine, []);
    await storeTimeline(reportingMachine, [
      { state: 'Parked', seconds: 2 * hour },
      { state: 'Cleaning', seconds: hour },
      { state: 'Offline', seconds: hour },
    ]);
    const response = await readTimeline(world.admin);
    expect(rowOf(response, silentMachine)).toMatchObject({ pieces: [0, 5], offline: day, cleaning: 0 });
    expect(rowOf(response, reportingMachine)).toMatchObject({
      pieces: [0, 5, day - 4 * hour, 2, day - 2 * hour, 4, day - hour, 0],
      parked: 2 * hour,
      cleaning: hour,
      offline: day - 3 * hour,
    });
    expect([response.data.from, response.data.to]).toEqual([toIso(periodEnd - day), toIso(periodEnd)]);
  });

  test('are limited: ten thousand changes per day give at most two thousand pieces and lose no second', async () => {
    const machine = world.north.machines[2] as number;
    const states: StateName[] = ['Parked', 'Cleaning', 'Online'];
    await storeTimeline(
      machine,
      Array.from({ length: 10_000 }, (_, index) => ({ state: states[index % 3] as StateName, seconds: 8 })),
    );
    const row = rowOf(await readTimeline(world.admin), machine);
    expect(row.pieces.length / 2).toBeLessThanOrEqual(2001);
    expect(sumsOf(row)).toEqual(await readOwnSums(machine, periodEnd - day, periodEnd));
    await storeTimeline(machine, []);
  });

  test('end at the current time', async () => {
    const [machine] = world.south.machines as [number];
    await storeTimeline(machine, [{ state: 'Parked', seconds: hour }]);
    const response = (
      await app.call<TimelineResponse>(
        world.admin,
        'GET',
        `machines/timeline?from=${toIso(periodEnd - day)}&to=${toIso(periodEnd + 5 * day)}&per_page=1000`,
      )
    ).body;
    expect(Math.abs(Date.parse(response.data.to) - Date.now())).toBeLessThan(120_000);
    const sums = Object.values(sumsOf(rowOf(response, machine)));
    expect(sums.reduce((sum, seconds) => sum + seconds, 0)).toBe(
      (Date.parse(response.data.to) - Date.parse(response.data.from)) / 1000,
    );
  });
});

describe('rows', () => {
  test('match the list for every role, with its filters', async () => {
    for (const caller of Object.values(world.users))
      for (const filter of [
        '',
        `&filter[fleet_id]=${world.north.fleets[0]}`,
        '&filter[search]=1',
        '&filter[status]=Offline',
      ]) {
        const list = await app.call<{ data: { id: number }[]; total: number }>(
          caller,
          'GET',
          `machines?per_page=1000&sort=serial_number${filter}`,
        );
        const response = await readTimeline(caller, filter);
        expect(response.data.machines.map(({ id }) => id)).toEqual(list.body.data.map(({ id }) => id));
        expect(response.total).toBe(list.body.total);
      }
    expect((await readTimeline(world.users.operator)).total).toBe(3);
  });

  test('are paged', async () => {
    const ids = (await readTimeline(world.admin, '&group=location')).data.machines.map(({ id }) => id);
    const pagedIds: number[] = [];
    for (const page of [1, 2, 3, 4]) {
      const path = `machines/timeline?per_page=5&page=${page}&group=location`;
      const { body } = await app.call<TimelineResponse>(world.admin, 'GET', path);
      expect([body.current_page, body.last_page, body.total]).toEqual([page, 4, 16]);
      pagedIds.push(...body.data.machines.map(({ id }) => id));
    }
    expect(pagedIds).toEqual(ids);
  });

  test('are grouped, and sorted by name or by time', async () => {
    const { machines, groups } = (await readTimeline(world.admin, '&group=client')).data;
    expect(groups.map(({ name }) => name).sort()).toEqual(['North Cleaning', 'South Cleaning']);
    expect(machines.map(({ group }) => group)).toEqual([
      ...world.north.machines.map(() => world.north.client),
      ...world.south.machines.map(() => world.south.client),
    ]);
    expect((await readTimeline(world.admin, '&group=type')).data.groups).toEqual([
      { id: world.type, name: 'Scrubber S1' },
    ]);
    expect((await readTimeline(world.users.operator, '&group=location')).data.groups.length).toBeGreaterThan(0);

    const [first, second, third] = world.north.machines as [number, number, number];
    await storeTimeline(first, [{ state: 'Cleaning', seconds: day }]);
    await storeTimeline(second, [
      { state: 'Parked', seconds: 3 * hour },
      { state: 'Cleaning', seconds: day - 3 * hour },
    ]);
    await storeTimeline(third, [
      { state: 'Online', seconds: hour },
      { state: 'Parked', seconds: 5 * hour },
      { state: 'Offline', seconds: day - 6 * hour },
    ]);
    const filter = `&filter[id]=${[first, second, third]}`;
    const readOrder = async (sort: string) =>
      (await readTimeline(world.admin, `${filter}&sort=${sort}`)).data.machines.map(({ id }) => id);
    expect(await readOrder('idle')).toEqual([third, second, first]);
    expect((await readOrder('offline'))[0]).toBe(third);
    const pagedResponse = await app.call<TimelineResponse>(
      world.admin,
      'GET',
      `machines/timeline?from=${toIso(periodEnd - day)}&to=${toIso(periodEnd)}&per_page=1&page=2&sort=idle${filter}`,
    );
    expect(pagedResponse.body.data.machines.map(({ id }) => id)).toEqual([second]);
    expect(sumsOf(pagedResponse.body.data.machines[0] as Row)).toEqual(
      await readOwnSums(second, periodEnd - day, periodEnd),
    );
  });
});

describe('errors', () => {
  test.each([
    ['filter[price]=1', 400],
    ['filter[nothing]=1', 400],
    ['unknown=1', 400],
    ['sort=battery', 422],
    ['group=fleet', 422],
    ['from=2026-01-01&to=2026-03-01', 422],
    ['from=2026-01-05&to=2026-01-01', 422],
    ['from=yesterday', 422],
    ['to=0001-01-01T00:00:00Z', 200],
  ])('%s gets status %d', async (query, status) => {
    expect((await app.call(world.users.operator, 'GET', `machines/timeline?${query}`)).status).toBe(status);
  });

  test('responds 401 without a session', async () => {
    expect((await app.call(undefined, 'GET', 'machines/timeline')).status).toBe(401);
  });

  test('rejects sorting too many machines by time, but accepts sorting by name', async () => {
    const fleet = world.south.fleets[0];
    await app.db.rows(sql`insert into machines (serial_number, custom_type, fleet_id)
      select 'MANY-' || n, 'many', ${fleet} from generate_series(1, 5000) n`);
    await app.db.rows(sql`insert into machines_state (id) select id from machines where custom_type = 'many'
      on conflict do nothing`);
    const rejection = await app.call<{ message: string }>(world.admin, 'GET', 'machines/timeline?sort=idle');
    expect([rejection.status, rejection.body.message]).toEqual([
      422,
      'Sorting by time works for up to 5,000 machines. Narrow the list by a filter.',
    ]);
    expect((await readTimeline(world.admin)).total).toBe(5016);
    expect((await readTimeline(world.users.operator, '&sort=idle')).total).toBe(3);
  });
});
