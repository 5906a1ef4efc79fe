/**
 * Runs belong to the location where they took place. The client who had the machine then can read them; the next client
 * cannot, in any role.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pg } from '../../server/db/core/rowShape';
import { derivePastRuns } from '../../server/telemetry/runs/derivePastRuns';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
let machine: number;
let runBefore: number;
let runAfter: number;
/** Users of custom roles with scope `machine`, one per tenant, who are linked to the machine. */
let linkedUsers: { north: number; south: number };

const addRun = async (location: number | null, day: string) => {
  const row = await app.db.selectOne(
    { id: pg.integer },
    sql`insert into runs (machine_id, location_id, source, task_name, started_at, ended_at, duration_s, cleaned_area_m2)
      values (${machine}::int, ${location}::int, 'reported', 'Night hall', ${`${day}T20:00:00Z`}::timestamptz,
      ${`${day}T21:00:00Z`}::timestamptz, 3600, 100) returning id`,
  );
  return row?.id as number;
};

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  const { north, south } = world;
  // In the scope of the north client's Site Manager and Operator, by location and fleet.
  machine = await add(app.db, 'machines', { fleet_id: north.fleets[0], location_id: north.locations[0] });
  runBefore = await addRun(north.locations[0], '2026-03-02');
  const role = await add(app.db, 'roles', { name: 'Night watch', scope: 'machine' });
  const { body } = await app.call<{ data: { id: number; code_name: string }[] }>(
    world.admin,
    'GET',
    'permissions?per_page=500',
  );
  const codes = ['runs.list', 'runs.show', 'machines.list', 'machines.show'];
  await app.call(world.admin, 'PATCH', `roles/${role}`, {
    permission_ids: body.data.filter(({ code_name }) => codes.includes(code_name)).map(({ id }) => id),
  });
  const addLinkedUser = (tenant: World['north'], name: string) =>
    add(app.db, 'users', {
      email: `${name}@example.com`,
      last_name: name,
      language_id: world.language,
      role_ids: [role],
      client_id: tenant.client,
      machine_ids: [machine],
    });
  linkedUsers = {
    north: await addLinkedUser(north, 'north-holder'),
    south: await addLinkedUser(south, 'south-holder'),
  };
  await app.call(world.admin, 'PATCH', `users/${south.users.operator}`, {
    machine_ids: [south.machines[2], machine],
  });
  const response = await app.call(world.admin, 'PATCH', `machines/${machine}`, {
    fleet_id: south.fleets[0],
    location_id: south.locations[0],
  });
  expect(response.status).toBe(200);
  runAfter = await addRun(south.locations[0], '2026-03-09');
});
afterAll(() => app?.close());

const readVisibleRuns = async (user: number) => {
  const { body } = await app.call<{ data: { id: number }[] }>(user, 'GET', 'runs?filter[task_name]=Night+hall&sort=id');
  return body.data.map(({ id }) => id);
};

test('the previous client can read its run in every role, and none of the next client', async () => {
  const { north } = world;
  for (const role of ['country_manager', 'partner', 'customer_admin', 'site_manager', 'operator'] as const) {
    expect(await readVisibleRuns(north.users[role]), role).toEqual([runBefore]);
    expect((await app.call(north.users[role], 'GET', `runs/${runBefore}`)).status, role).toBe(200);
  }
  expect(await readVisibleRuns(world.admin)).toEqual([runBefore, runAfter]);
});

test('the next client can read only its own run, in every role, even with a direct link to the machine', async () => {
  const { south } = world;
  const users = { ...south.users, holder: linkedUsers.south };
  for (const [role, user] of Object.entries(users)) {
    expect(await readVisibleRuns(user), role).toEqual([runAfter]);
    for (const path of ['', '/coverage', '/path'])
      expect((await app.call(user, 'GET', `runs/${runBefore}${path}`)).status, `${role} ${path}`).toBe(404);
  }
  // A link to a machine that has left the run's client grants no access to the run.
  expect(await readVisibleRuns(linkedUsers.north)).toEqual([runAfter]);
});

test('a run follows its location to another client and back', async () => {
  const { north, south } = world;
  const moveTo = (fleet: number) =>
    app.call(world.admin, 'POST', `locations/${north.locations[0]}/move`, { fleet_id: fleet });
  expect((await moveTo(south.fleets[1])).status).toBe(200);
  expect(await readVisibleRuns(south.users.customer_admin)).toEqual([runBefore, runAfter]);
  expect(await readVisibleRuns(north.users.customer_admin)).toEqual([]);
  await moveTo(north.fleets[0]);
  expect(await readVisibleRuns(south.users.customer_admin)).toEqual([runAfter]);
  expect(await readVisibleRuns(north.users.customer_admin)).toEqual([runBefore]);
});

test('a run without a location stays with the client who had the machine', async () => {
  const { north, south } = world;
  const unassignedRun = await addRun(null, '2026-03-10');
  expect(await readVisibleRuns(south.users.customer_admin)).toEqual([runAfter, unassignedRun]);
  await app.call(world.admin, 'PATCH', `machines/${machine}`, {
    fleet_id: north.fleets[0],
    location_id: north.locations[0],
  });
  expect(await readVisibleRuns(south.users.customer_admin)).toEqual([runAfter, unassignedRun]);
  expect(await readVisibleRuns(north.users.customer_admin)).toEqual([runBefore]);
  expect(await readVisibleRuns(linkedUsers.south)).toEqual([runBefore]);
});

test('derivation of past runs resumes where it was interrupted', async () => {
  await app.db.rows(sql`delete from past_runs`);
  await app.db.rows(sql`delete from segments where machine_id = ${machine}::int`);
  await app.db.rows(sql`insert into segments (machine_id, from_at, to_at, state, reason, reason_at)
    select ${machine}::int, at, at + interval '1 hour', 'Cleaning', 'message', at
    from generate_series('2025-01-01T06:00:00Z'::timestamptz, '2025-04-10T06:00:00Z', interval '1 day') at`);
  // The segments span several windows of days.
  await app.db.rows(sql`update segments set to_at = to_at + interval '23 hours' where machine_id = ${machine}::int
    and from_at between '2025-03-01' and '2025-03-10'`);
  await app.db.rows(sql`insert into past_runs values (${machine}::int, '2026-01-01')`);
  const readRemaining = () => app.db.select({ before: pg.timestamptz }, sql`select before from past_runs`);
  const sumDerivedRuns = async () =>
    (await app.db.selectOne(
      { runs: pg.integer, seconds: pg.integer },
      sql`select count(*)::int as runs, sum(duration_s)::int as seconds from runs
        where machine_id = ${machine}::int and source = 'derived' and started_at < '2026-01-01'`,
    )) ?? undefined;
  for (let round = 0; round < 200 && (await readRemaining()).length > 0; round += 1) await derivePastRuns(app.services);
  expect(await readRemaining()).toEqual([]);
  // Nine days of uninterrupted cleaning are one run.
  const expected = { runs: 100 - 9, seconds: (100 + 9 * 23) * 3600 };
  expect(await sumDerivedRuns()).toEqual(expected);
  await app.db.rows(sql`insert into past_runs values (${machine}::int, '2026-01-01')`);
  while ((await readRemaining()).length > 0) await derivePastRuns(app.services);
  expect(await sumDerivedRuns()).toEqual(expected);
});
