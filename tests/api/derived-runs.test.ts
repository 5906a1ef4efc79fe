/** Derived runs in the database: from late, duplicate and unordered messages, and in the presence of reported runs. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { refreshDerivedRuns } from '../../server/telemetry/runs/refreshDerivedRuns';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { prepareTrackedMachine, sendBatch } from '../support/trackedMachine';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let secret: string;
let machine: number;
let nextIndex = 0;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

beforeEach(async () => {
  ({ machine, secret } = await prepareTrackedMachine(app, world, nextIndex));
  nextIndex += 1;
});

const start = Date.UTC(2026, 2, 2, 8);
/** The time this many minutes after the start. */
const timeAfter = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
const send = async (items: readonly object[]) => {
  expect((await sendBatch(app, secret, items)).status).toBe(200);
};
const refresh = () => refreshDerivedRuns(app.services);
interface Run {
  id: number;
  source: string;
  started_at: string;
  ended_at: string;
  duration_s: number;
  superseded_by: number | null;
  location_id: number | null;
  floor_id: number | null;
  cleaned_area_m2: number | null;
  interruptions: object[];
}
/** Reads the runs of a machine, without the initial ones, which are older. */
const readRuns = async (machineId = machine) =>
  (
    await app.call<{ data: Run[] }>(
      world.admin,
      'GET',
      `runs?filter[machine_id]=${machineId}&filter[started_at]=%3E=2026-01-01&sort=started_at,id`,
    )
  ).body.data;
const readSpans = async () =>
  (await readRuns()).map(({ started_at, ended_at, duration_s }) => [started_at, ended_at, duration_s]);

/** A message every four minutes: cleaning from 0 to 20, 28 to 40 and 72 to 88. */
const messages = Array.from({ length: 26 }, (_, index) => index * 4).map((minute) => {
  const isCleaning = minute < 20 || (minute >= 28 && minute < 40) || (minute >= 72 && minute < 88);
  return { at: timeAfter(minute), status: isCleaning ? 'cleaning' : 'parked', area: isCleaning ? 10 : 0 };
});
const expected = [
  [timeAfter(0), timeAfter(40), 32 * 60],
  [timeAfter(72), timeAfter(88), 16 * 60],
];

describe('derived runs', () => {
  test('are computed from the timeline, with pauses, area and location', async () => {
    await send(messages);
    await refresh();
    expect(await readSpans()).toEqual(expected);
    expect((await readRuns())[0]).toMatchObject({
      source: 'derived',
      location_id: expect.any(Number),
      cleaned_area_m2: 80,
      interruptions: [{ at: timeAfter(20), reason: 'Parked', resolved_at: timeAfter(28) }],
      superseded_by: null,
    });
  });

  test.each([
    ['in reverse, one by one', [...messages].reverse().map((message) => [message])],
    ['twice', [messages, messages]],
    ['late for the middle part', [[...messages.slice(0, 4), ...messages.slice(14)], messages.slice(4, 14)]],
  ])('are the same if messages arrive %s', async (_, batches) => {
    for (const batch of batches) {
      await send(batch);
      await refresh();
    }
    expect(await readSpans()).toEqual(expected);
  });

  test('keep their ids as more messages arrive, and are written only if they change', async () => {
    await send(messages.slice(0, 6));
    await refresh();
    const [first] = await readRuns();
    await send(messages);
    await refresh();
    expect((await readRuns())[0]?.id).toBe(first?.id);
    const readVersions = () =>
      app.db.select(
        { version: pg.integer },
        sql`select version from runs where machine_id = ${machine}::int order by id`,
      );
    const versionsBefore = await readVersions();
    await app.db.rows(sql`insert into run_changes (machine_id, from_at, to_at)
      select ${machine}::int, min(from_at), max(from_at) from segments where machine_id = ${machine}::int`);
    await refresh();
    expect(await readVersions()).toEqual(versionsBefore);
  });

  test('outside of a change are not touched, however close they are', async () => {
    await app.db.rows(sql`update machine_stays set to_at = ${timeAfter(24)}::timestamptz
      where machine_id = ${machine}::int and to_at is null and from_at < ${timeAfter(24)}::timestamptz`);
    await app.db.rows(sql`insert into machine_stays (machine_id, location_id, from_at)
      select machine_id, (select min(id) from locations where id <> location_id), to_at from machine_stays
      where machine_id = ${machine}::int and to_at = ${timeAfter(24)}::timestamptz`);
    await send(
      Array.from({ length: 32 }, (_, index) => ({
        at: timeAfter(index * 4),
        status: index === 31 || (index > 4 && index < 7) ? 'parked' : 'cleaning',
      })),
    );
    await refresh();
    const expectedSpans = [
      [timeAfter(0), timeAfter(20), 20 * 60],
      [timeAfter(28), timeAfter(124), 96 * 60],
    ];
    expect(await readSpans()).toEqual(expectedSpans);
    await app.db.rows(sql`insert into run_changes (machine_id, from_at, to_at)
      values (${machine}::int, ${timeAfter(110)}::timestamptz, ${timeAfter(112)}::timestamptz)`);
    await refresh();
    expect(await readSpans()).toEqual(expectedSpans);
  });

  test('follow the pause limit of the machine type', async () => {
    await send(messages);
    await refresh();
    const type = await app.db.selectOne(
      { id: pg.integer },
      sql`select type_id as id from machines where id = ${machine}::int`,
    );
    expect((await app.call(world.admin, 'PATCH', `types/${type?.id}`, { run_pause: 300 })).status).toBe(200);
    await refresh();
    expect(await readSpans()).toEqual([
      [timeAfter(0), timeAfter(20), 20 * 60],
      [timeAfter(28), timeAfter(40), 12 * 60],
      [timeAfter(72), timeAfter(88), 16 * 60],
    ]);
    await app.call(world.admin, 'PATCH', `types/${type?.id}`, { run_pause: null });
    await refresh();
    expect(await readSpans()).toEqual(expected);
  });
});

test('a derived run is on the floor of its positions, even if its map is linked later', async () => {
  await send(messages.map((message, x) => ({ ...message, floor: { map_id: `map ${machine}`, x, y: 1 } })));
  await refresh();
  const [run] = await readRuns();
  expect(run).toMatchObject({ source: 'derived', floor_id: null });
  const createFloor = async (level: number) =>
    (
      await app.call<{ data: { id: number } }>(world.admin, 'POST', 'floors', {
        name: `Level ${level} ${machine}`,
        level,
        location_id: run?.location_id,
      })
    ).body.data.id;
  await createFloor(1);
  const floor = await createFloor(2);
  await app.call(world.admin, 'PATCH', `floors/${floor}`, { maps: [{ map_id: `map ${machine}` }] });
  await refresh();
  expect((await readRuns()).map(({ floor_id }) => floor_id)).toEqual([floor, floor]);
});

describe('a reported run', () => {
  const report = {
    at: timeAfter(45),
    run: { external_id: 'r1', started_at: timeAfter(1), ended_at: timeAfter(41), cleaned_area_m2: 70 },
  };
  const readCountedSources = async () =>
    (await readRuns()).filter((run) => run.superseded_by === null).map(({ source }) => source);

  test.each([
    ['before', [[report], messages]],
    ['after', [messages, [report]]],
  ])('that arrives %s the timeline supersedes the derived run of the same time', async (_, batches) => {
    for (const batch of batches) {
      await send(batch);
      await refresh();
    }
    expect(await readCountedSources()).toEqual(['reported', 'derived']);
    expect(await readRuns()).toHaveLength(3);
  });

  test('yields to the derived run when deleted, and supersedes it again when restored', async () => {
    await send([...messages, report]);
    await refresh();
    const reportedId = (await readRuns()).find(({ source }) => source === 'reported')?.id;
    await app.call(world.admin, 'DELETE', `runs/${reportedId}`);
    expect(await readCountedSources()).toEqual(['derived', 'derived']);
    await app.call(world.admin, 'POST', `runs/${reportedId}/restore`);
    expect(await readCountedSources()).toEqual(['reported', 'derived']);
  });

  test('is not affected by an entered run at another time, which supersedes the derived run of its time', async () => {
    await send([...messages, report]);
    await refresh();
    const { status } = await app.call(world.admin, 'POST', 'runs', {
      machine_id: machine,
      started_at: timeAfter(70),
      ended_at: timeAfter(90),
    });
    expect(status).toBe(201);
    expect(await readCountedSources()).toEqual(['reported', 'entered']);
  });
});
