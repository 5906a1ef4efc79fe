/** The inbox: findings, who sees them, how they are grouped, and how users act on them. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import type { InboxItem, InboxResult } from '../../schema/endpoints/inbox';
import { type InboxKind, parseInboxKey } from '../../schema/features/inbox';
import { sweep } from '../../server/app/sweep';
import { pg } from '../../server/db/core/rowShape';
import { maxAge } from '../../server/features/inbox/cachedFindings';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { Tenant, World } from '../support/world';

let app: TestApp;
let world: World;
let north: Tenant;
let now: Date;
const start = new Date('2026-10-22T10:00:00Z');

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  ({ north } = world);
  app.services.now = () => now;
});
afterAll(() => app?.close());

beforeEach(async () => {
  now = start;
  await app.db.rows(sql`update alerts set state = 'closed'`);
  await app.db.rows(sql`update machines set stock_state = 'deployed', next_service_due = '2044-01-01'`);
  await app.db.rows(sql`update machines_state set status = 'Online', status_since = null`);
  await app.db.rows(sql`update locations set cleaning_plan = 'none'`);
  for (const table of ['inbox_marks', 'machine_days', 'discovered_trackers', 'jobs'])
    await app.db.rows(sql`delete from ${sql.identifier(table)}`);
  await app.db.rows(sql`update imports set state = 'done'`);
});

const readInbox = async (caller: number, isPutAside = false) =>
  (await app.call<{ data: InboxResult }>(caller, 'GET', `inbox${isPutAside ? '?aside=true' : ''}`)).body.data;
const readItems = async (caller: number, kind: InboxKind) =>
  (await readInbox(caller)).items.filter((item) => item.kind === kind);
const actOn = (
  caller: number,
  name: string,
  { key, count }: Pick<InboxItem, 'key' | 'count'>,
  extraFields: object = {},
) => app.call(caller, 'POST', `inbox/${name}`, { key, count, ...extraFields });
/** Sets machines Offline as telemetry does, and advances the clock until cached findings have expired. */
const silenceMachines = async (machines: readonly (number | undefined)[], since = '2026-10-20T03:12:00Z') => {
  await app.db.rows(sql`update machines_state set status = 'Offline', status_since = ${since}::timestamptz
    where id = any(${machines.map(Number)}::int[])`);
  now = new Date(now.getTime() + maxAge);
};
const addOpenAlert = (values: object = {}) =>
  add(app.db, 'alerts', {
    metric: 'error',
    code: 'E42',
    severity: 'critical',
    state: 'open',
    client_id: north.client,
    location_id: north.locations[0],
    machine_ids: [north.machines[0] as number],
    opened_at: '2026-10-22T08:00:00Z',
    ...values,
  });
const singleItem = (items: readonly InboxItem[]): InboxItem => {
  expect(items).toHaveLength(1);
  return items[0] as InboxItem;
};

describe('findings', () => {
  test('are empty without problems', async () => {
    expect(await readInbox(world.admin)).toEqual({ total: 0, aside: 0, items: [] });
  });

  test('include open alerts by cause and location, in the reader’s language', async () => {
    const id = await addOpenAlert();
    expect(await readItems(world.admin, 'alert')).toMatchObject([
      {
        key: `alert:location:${north.locations[0]}:error/E42`,
        severity: 'critical',
        finding: 'error E42',
        count: 1,
        names: ['North-111'],
        ids: [id],
        location: { id: north.locations[0], name: 'North Site 11' },
        client: { id: north.client, name: 'North Cleaning' },
        since: '2026-10-22T08:00:00.000Z',
      },
    ]);
    await addOpenAlert({ machine_ids: [north.machines[1] as number] });
    await addOpenAlert({ metric: 'battery', code: null, value: 12 });
    const items = await readItems(world.admin, 'alert');
    expect(items.map(({ cause, count, names }) => [cause, count, names])).toEqual([
      ['error/E42', 2, ['North-111', 'North-112']],
      ['battery', 1, ['North-111']],
    ]);
    const [german] = (
      await app.call<{ data: InboxResult }>(world.admin, 'GET', 'inbox', undefined, { 'page-language': 'de' })
    ).body.data.items;
    expect(german?.finding).toBe('Fehler E42');
  });

  test('include reported problems, in the reporter’s words', async () => {
    const machine = north.machines[0];
    const report = { problem: 'leak', report: 'Water below the tank', is_out_of_use: true };
    await app.call(north.users.operator, 'POST', `machines/${machine}/problems`, report);
    expect(await readItems(north.users.site_manager, 'reported')).toMatchObject([
      { cause: 'reported/leak', names: ['North-111'], detail: 'Water below the tank', count: 1 },
    ]);
  });

  test('include machines with long silence, by location; three or more at one location are critical', async () => {
    await silenceMachines([north.machines[2], north.machines[3]]);
    await silenceMachines([north.machines[0]], '2026-10-22T09:00:00Z');
    const item = singleItem(await readItems(world.admin, 'silent'));
    expect(item).toMatchObject({ count: 2, severity: 'warning', since: '2026-10-20T03:12:00.000Z' });
    expect(item.location?.id).toBe(north.locations[1]);
    await app.db.rows(sql`update machines set location_id = ${north.locations[1]} where id = ${north.machines[0]}`);
    await silenceMachines([north.machines[0]]);
    expect(singleItem(await readItems(world.admin, 'silent'))).toMatchObject({ count: 3, severity: 'critical' });
    await app.db.rows(sql`update machines set location_id = ${north.locations[0]} where id = ${north.machines[0]}`);
  });

  test('exclude a silent machine with an offline alert for users who see alerts', async () => {
    await silenceMachines([north.machines[0]]);
    await addOpenAlert({ metric: 'offline', code: null, state: 'acknowledged' });
    expect(await readInbox(world.admin)).toMatchObject({ total: 0 });
  });

  test('include locations with missed or partial cleaning on the previous day, like the calendar', async () => {
    const [missedLocation, partlyCleanedLocation] = north.locations;
    await app.db.rows(
      sql`update locations set cleaning_plan = 'daily', planned_area_m2 = 1000 where id in (${missedLocation}, ${partlyCleanedLocation})`,
    );
    await app.db.rows(sql`insert into machine_days (machine_id, day, area_m2, cleaning, robotic, manual)
      values (${north.machines[2]}, '2026-10-21', 500, 3600, 0, 0)`);
    for (const caller of [world.admin, north.users.site_manager, north.users.operator]) {
      const items = await readItems(caller, 'cleaning');
      expect(items.map(({ cause, location, day }) => [cause, location?.id, day])).toEqual([
        ['missed', missedLocation, '2026-10-21'],
        ['partly', partlyCleanedLocation, '2026-10-21'],
      ]);
      for (const { cause, ids } of items) {
        const path = `locations/calendar?state=${cause}&day=2026-10-21&from=2026-10-21&to=2026-10-21`;
        const response = await app.call<{ data: { id: number }[] }>(caller, 'GET', path);
        expect(response.body.data.map(({ id }) => id)).toEqual(ids);
      }
    }
  });

  test('include due service, as a warning when long overdue', async () => {
    await app.db.rows(sql`update machines set next_service_due = '2026-10-22' where id = ${north.machines[0]}`);
    await app.db.rows(sql`update machines set next_service_due = '2026-09-01' where id = ${north.machines[2]}`);
    expect((await readItems(world.admin, 'service')).map(({ severity, day }) => [severity, day])).toEqual([
      ['warning', '2026-09-01'],
      ['info', '2026-10-22'],
    ]);
  });

  test('include unknown devices, for Admins only', async () => {
    await app.call(undefined, 'GET', '/ingest/osmand?id=stranger-1&lat=52&lon=13');
    const item = singleItem(await readItems(world.admin, 'device'));
    expect(item).toMatchObject({ names: ['stranger-1'], count: 1, detail: 'osmand' });
    for (const role of ['country_manager', 'operator'] as const)
      expect(await readItems(north.users[role], 'device')).toEqual([]);
  });

  test('include the user’s own failed imports, and all of them for Admins', async () => {
    await app.db.rows(sql`update imports set state = 'failed' where id = ${north.import}`);
    expect(await readItems(north.users.customer_admin, 'import')).toMatchObject([{ count: 1, ids: [north.import] }]);
    expect(await readItems(north.users.partner, 'import')).toEqual([]);
    expect(await readItems(world.admin, 'import')).toHaveLength(1);
  });

  test('include mails that could not be sent, for Admins only', async () => {
    await app.db.rows(sql`insert into jobs (kind, payload, state, run_at, done_at, error)
      values ('mail', '{}', 'dead', now(), ${start.toISOString()}::timestamptz, '550 no such user')`);
    expect(await readItems(world.admin, 'job')).toMatchObject([{ cause: 'mail', detail: '550 no such user', ids: [] }]);
    expect(await readItems(north.users.customer_admin, 'job')).toEqual([]);
  });

  test('are sorted by severity, and grouped by client if a cause affects many locations', async () => {
    await silenceMachines([...north.machines, ...world.south.machines]);
    await addOpenAlert({ severity: 'info' });
    const { items, total } = await readInbox(world.admin);
    expect(
      items.map(({ kind, location, client, count, sites }) => [kind, location, client?.name, count, sites]),
    ).toEqual([
      ['silent', null, 'North Cleaning', 8, 4],
      ['silent', null, 'South Cleaning', 8, 4],
      ['alert', { id: north.locations[0], name: 'North Site 11' }, 'North Cleaning', 1, 1],
    ]);
    expect(total).toBe(3);
    expect(await readItems(north.users.customer_admin, 'silent')).toHaveLength(4);
  });
});

describe('cached findings', () => {
  /** Counts the statements that read groups of findings. */
  const countReads = async (work: () => Promise<unknown>) => {
    const select = vi.spyOn(app.db, 'select');
    try {
      await work();
      return select.mock.calls.filter(([shape]) => 'place' in shape && 'groups' in shape).length;
    } finally {
      select.mockRestore();
    }
  };

  test('are reused without statements, even for other users with the same scope', async () => {
    const otherUser = await add(app.db, 'users', {
      email: 'second@example.com',
      language_id: world.language,
      role_ids: [world.roles.admin],
    });
    await silenceMachines([north.machines[0]]);
    const inbox = await readInbox(world.admin);
    expect(await countReads(async () => expect(await readInbox(world.admin)).toEqual(inbox))).toBe(0);
    // Failed imports are read for each caller.
    expect(await countReads(async () => expect(await readInbox(otherUser)).toEqual(inbox))).toBe(1);
    expect(await countReads(() => readInbox(north.users.site_manager))).toBeGreaterThan(1);
  });

  test('are read again after a write, and shortly after telemetry', async () => {
    expect(await readInbox(world.admin)).toMatchObject({ total: 0 });
    await addOpenAlert();
    expect(await readInbox(world.admin)).toMatchObject({ total: 1 });
    await app.db.rows(sql`update machines_state set status = 'Offline', status_since = '2026-10-20T03:12:00Z'
      where id = ${north.machines[0]}`);
    expect(await readInbox(world.admin)).toMatchObject({ total: 1 });
    now = new Date(now.getTime() + maxAge);
    expect(await readInbox(world.admin)).toMatchObject({ total: 2 });
  });

  test('exclude what other users snoozed', async () => {
    await silenceMachines([north.machines[0]]);
    await readInbox(world.admin);
    const { operator, site_manager } = north.users;
    const item = singleItem(await readItems(operator, 'silent'));
    await actOn(operator, 'snooze', item, { until: '2026-10-23T08:00:00Z' });
    expect(await readItems(site_manager, 'silent')).toHaveLength(1);
    expect(await readItems(operator, 'silent')).toEqual([]);
    expect(await readItems(world.admin, 'silent')).toHaveLength(1);
  });
});

describe('visibility', () => {
  test('each role sees the rows of its own lists and no names of others', async () => {
    await silenceMachines([...north.machines, ...world.south.machines]);
    for (const machine of [0, 1, 2, 4, 7]) await addOpenAlert({ machine_ids: [north.machines[machine] as number] });
    for (const role of Object.keys(world.users) as RoleName[]) {
      const caller = world.users[role];
      const listIds = async (path: string) =>
        (await app.call<{ data: { id: number }[] }>(caller, 'GET', `${path}&per_page=200`)).body.data.map(
          ({ id }) => id,
        );
      const { items } = await readInbox(caller);
      const idsOf = (kind: InboxKind) =>
        items
          .filter((item) => item.kind === kind)
          .flatMap(({ ids }) => ids)
          .sort();
      expect(idsOf('silent'), role).toEqual((await listIds('machines?filter[status]=Offline')).sort());
      expect(idsOf('alert'), role).toEqual((await listIds('alerts?filter[state]=open')).sort());
      if (role !== 'admin') expect(JSON.stringify(items)).not.toContain('South');
    }
  });

  test('an item out of scope is 404', async () => {
    await silenceMachines(world.south.machines);
    const item = (await readItems(world.admin, 'silent'))[0] as InboxItem;
    for (const name of ['acknowledge', 'return'])
      expect((await actOn(north.users.customer_admin, name, item)).status).toBe(404);
    expect((await actOn(world.admin, 'acknowledge', { key: 'silent', count: 1 })).status).toBe(404);
  });

  test('users without permission to acknowledge may only snooze', async () => {
    await silenceMachines([north.machines[0]]);
    const item = singleItem(await readItems(north.users.operator, 'silent'));
    expect(item.acts).toEqual(['snooze']);
    for (const name of ['acknowledge', 'assign', 'done'])
      expect((await actOn(north.users.operator, name, item, { user_id: world.admin })).status, name).toBe(403);
    expect((await actOn(north.users.operator, 'snooze', item, { until: '2026-10-23T08:00:00Z' })).status).toBe(200);
    expect(await readInbox(north.users.operator)).toMatchObject({ total: 0, aside: 1 });
    expect(await readItems(world.admin, 'silent')).toHaveLength(1);
  });

  test('users without permission to acknowledge return only what they snoozed', async () => {
    await silenceMachines([north.machines[0]]);
    const item = singleItem(await readItems(north.users.operator, 'silent'));
    await actOn(world.admin, 'assign', item, { user_id: world.admin });
    expect(singleItem((await readInbox(north.users.operator, true)).items).acts).toEqual([]);
    expect((await actOn(north.users.operator, 'return', item)).status).toBe(403);
    const entries = await app.db.rows(sql`select 1 from audit where action = 'inbox_return'
      and user_id = ${north.users.operator}`);
    expect(entries).toEqual([]);
    expect(singleItem(await readItems(world.admin, 'silent')).assignee).toMatch(/Admin/);
  });
});

describe('actions on items', () => {
  const until = '2026-10-23T08:00:00.000Z';

  test('a snoozed item returns at its time, or when the snooze is undone', async () => {
    await silenceMachines([north.machines[0]]);
    const item = singleItem(await readItems(world.admin, 'silent'));
    await actOn(world.admin, 'snooze', item, { until });
    expect(await readInbox(world.admin)).toMatchObject({ total: 0, aside: 1, items: [] });
    expect(singleItem((await readInbox(world.admin, true)).items)).toMatchObject({ until, acts: ['return'] });
    now = new Date(until);
    expect(await readItems(world.admin, 'silent')).toHaveLength(1);
    now = start;
    expect((await actOn(world.admin, 'return', item)).status).toBe(200);
    expect(await readInbox(world.admin)).toMatchObject({ total: 1, aside: 0 });
  });

  test('a snoozed item returns with new findings, and when its cause recurs', async () => {
    await silenceMachines([north.machines[0]]);
    await actOn(world.admin, 'snooze', singleItem(await readItems(world.admin, 'silent')), { until });
    await silenceMachines([north.machines[1]]);
    expect(singleItem(await readItems(world.admin, 'silent'))).toMatchObject({ count: 1, ids: [north.machines[1]] });
    await silenceMachines([north.machines[0]], '2026-10-21T05:00:00Z');
    expect(singleItem(await readItems(world.admin, 'silent'))).toMatchObject({ count: 2 });
  });

  test('a snoozed service returns when it is long overdue', async () => {
    await app.db.rows(sql`update machines set next_service_due = '2026-10-20' where id = ${north.machines[0]}`);
    await actOn(world.admin, 'snooze', singleItem(await readItems(world.admin, 'service')), {
      until: '2026-12-01T08:00:00Z',
    });
    expect(await readItems(world.admin, 'service')).toEqual([]);
    now = new Date('2026-11-10T10:00:00Z');
    expect(await readItems(world.admin, 'service')).toHaveLength(1);
  });

  test('items cannot be snoozed indefinitely or into the past', async () => {
    await silenceMachines([north.machines[0]]);
    const item = singleItem(await readItems(world.admin, 'silent'));
    for (const invalidUntil of ['2026-10-22T09:59:00Z', '2027-10-22T10:00:00Z', 'soon'])
      expect((await actOn(world.admin, 'snooze', item, { until: invalidUntil })).status).toBe(422);
  });

  test('an acknowledged item disappears for everybody; only one of two concurrent actions succeeds', async () => {
    await silenceMachines([north.machines[0], north.machines[1]]);
    const item = singleItem(await readItems(world.admin, 'silent'));
    const responses = await Promise.all(
      [world.admin, north.users.customer_admin].map((caller) => actOn(caller, 'acknowledge', item)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    for (const caller of [world.admin, north.users.customer_admin, north.users.operator])
      expect(await readItems(caller, 'silent')).toEqual([]);
    const auditRows = await app.db.select(
      { record_id: pg.integer, entity: pg.text },
      sql`select record_id, entity from audit where action = 'inbox_acknowledge' order by record_id`,
    );
    expect(auditRows).toEqual([
      { record_id: north.machines[0], entity: 'machines' },
      { record_id: north.machines[1], entity: 'machines' },
    ]);
  });

  test('alerts are acknowledged and closed together with their item, once each', async () => {
    const ids = [await addOpenAlert(), await addOpenAlert({ machine_ids: [north.machines[1] as number] })];
    const item = singleItem(await readItems(north.users.site_manager, 'alert'));
    const responses = await Promise.all(
      [world.admin, north.users.site_manager].map((caller) => actOn(caller, 'acknowledge', item)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    const readStates = () =>
      app.db.select({ state: pg.text }, sql`select state from alerts where id = any(${ids}::int[])`);
    expect(await readStates()).toEqual([{ state: 'acknowledged' }, { state: 'acknowledged' }]);
    await app.db.rows(sql`update alerts set state = 'open' where id = any(${ids}::int[])`);
    expect((await actOn(world.admin, 'done', item)).status).toBe(200);
    expect(await readStates()).toEqual([{ state: 'closed' }, { state: 'closed' }]);
  });

  test('an action is rejected if findings have been added meanwhile', async () => {
    await silenceMachines([north.machines[0]]);
    const item = singleItem(await readItems(world.admin, 'silent'));
    await silenceMachines([north.machines[1]]);
    expect((await actOn(world.admin, 'acknowledge', item)).status).toBe(409);
    expect(singleItem(await readItems(world.admin, 'silent')).count).toBe(2);
  });

  test('an assigned item is shown only to its assignee, who may reassign it', async () => {
    await silenceMachines([north.machines[0]]);
    const { site_manager, customer_admin } = north.users;
    const item = singleItem(await readItems(customer_admin, 'silent'));
    expect((await actOn(customer_admin, 'assign', item, { user_id: site_manager })).status).toBe(200);
    expect(singleItem(await readItems(site_manager, 'silent'))).toMatchObject({
      assignee: 'North Site Manager',
      assigned_by: 'North Customer Admin',
    });
    for (const caller of [customer_admin, world.admin]) {
      expect(await readItems(caller, 'silent')).toEqual([]);
      expect(singleItem((await readInbox(caller, true)).items).assignee).toBe('North Site Manager');
    }
    expect((await actOn(site_manager, 'assign', item, { user_id: site_manager })).status).toBe(200);
    expect((await actOn(site_manager, 'acknowledge', item)).status).toBe(200);
    expect(await readItems(site_manager, 'silent')).toEqual([]);
    expect((await actOn(customer_admin, 'return', item)).status).toBe(200);
    expect(await readItems(world.admin, 'silent')).toHaveLength(1);
  });

  test('returning a snoozed item keeps its assignment to the caller', async () => {
    await silenceMachines([north.machines[0]]);
    const { site_manager, customer_admin } = north.users;
    const item = singleItem(await readItems(customer_admin, 'silent'));
    await actOn(customer_admin, 'assign', item, { user_id: site_manager });
    await actOn(site_manager, 'snooze', item, { until });
    expect((await actOn(site_manager, 'return', item)).status).toBe(200);
    expect(singleItem(await readItems(site_manager, 'silent')).assignee).toBe('North Site Manager');
    expect(await readItems(customer_admin, 'silent')).toEqual([]);
  });

  test('items can be assigned only to users who see all findings and are visible to the caller', async () => {
    const lastMachine = north.machines[7] as number;
    await silenceMachines([lastMachine]);
    const item = singleItem(await readItems(north.users.customer_admin, 'silent'));
    for (const user of [north.users.site_manager, world.south.users.customer_admin, 999_999])
      expect((await actOn(north.users.customer_admin, 'assign', item, { user_id: user })).status).toBe(422);
    await silenceMachines([north.machines[0]]);
    const visibleItem = (await readItems(north.users.site_manager, 'silent'))[0] as InboxItem;
    expect(
      (await actOn(north.users.site_manager, 'assign', visibleItem, { user_id: north.users.site_manager })).status,
    ).toBe(200);
    const remainingItems = await readItems(world.admin, 'silent');
    expect(remainingItems.flatMap(({ ids }) => ids)).toEqual([lastMachine]);
  });

  test('failed imports can be dismissed but not assigned', async () => {
    await app.db.rows(sql`update imports set state = 'failed' where id = ${north.import}`);
    const item = singleItem(await readItems(north.users.customer_admin, 'import'));
    expect(parseInboxKey(item.key)).toEqual({ kind: 'import', place: 'none', placeId: 0, cause: '' });
    expect((await actOn(north.users.customer_admin, 'assign', item, { user_id: world.admin })).status).toBe(404);
    expect((await actOn(north.users.customer_admin, 'done', item)).status).toBe(200);
    expect(await readItems(north.users.customer_admin, 'import')).toEqual([]);
  });

  test('expired marks are deleted', async () => {
    await silenceMachines([north.machines[0]]);
    const item = singleItem(await readItems(world.admin, 'silent'));
    expect((await actOn(world.admin, 'snooze', item, { until })).status).toBe(200);
    await app.db.rows(sql`update inbox_marks set until = now() - interval '1 minute'`);
    await sweep(app.services);
    expect(await app.db.rows(sql`select 1 from inbox_marks`)).toEqual([]);
  });
});
