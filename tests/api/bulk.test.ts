/**
 * Bulk work changes all rows or none, names failing rows, counts the current values in a preview, and can be undone.
 */
import { SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LiveEvent } from '../../server/context/eventBus';
import { pg } from '../../server/db/core/rowShape';
import { printStatement } from '../../server/db/core/statement';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

interface RefusalBody {
  message: string;
  rows: { id: number; name: string; message: string }[];
  rows_total: number;
  errors?: Record<string, string[]>;
}
type ProgressLine = {
  done?: number;
  of?: number;
  count?: number;
  status?: number;
  message?: string;
  undo?: { ids?: number[]; changes?: object[] };
};

const streamHeader = { accept: 'application/x-ndjson' };
const streamLines = async (caller: number, method: 'PUT' | 'DELETE' | 'POST', path: string, body: object) =>
  (await app.call(caller, method, path, body, streamHeader)).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ProgressLine);
const readFleetAndLocation = async (id: number) => {
  const { fleet_id, location_id } = (
    await app.call<{ data: { fleet_id: number; location_id: number | null } }>(world.admin, 'GET', `machines/${id}`)
  ).body.data;
  return [fleet_id, location_id];
};
const readMachineLinks = async (id: number) =>
  (await app.call<{ data: { machine_ids: number[] } }>(world.admin, 'GET', `users/${id}`)).body.data.machine_ids;

describe('moving machines', () => {
  test('previews how many machines come from which fleet, without names of fleets out of scope', async () => {
    const { machines, fleets } = world.north;
    const ids = machines.slice(0, 5);
    const response = await app.call(world.admin, 'POST', 'machines/tally', { ids, by: 'fleet_id' });
    expect([response.status, response.body]).toEqual([
      200,
      {
        count: 5,
        data: [
          { value: fleets[0], label: 'North Fleet 1', count: 4 },
          { value: fleets[1], label: 'North Fleet 2', count: 1 },
        ],
      },
    ]);
    const wholeTally = await app.call<{ count: number }>(world.users.customer_admin, 'POST', 'machines/tally', {
      filter: {},
      by: 'fleet_id',
    });
    expect(wholeTally.body.count).toBe(8);
    expect((await app.call(world.admin, 'POST', 'machines/tally', { ids, by: 'price' })).status).toBe(400);
    expect(
      (
        await app.call(world.users.customer_admin, 'POST', 'machines/tally', {
          ids: [world.south.machines[0]],
          by: 'fleet_id',
        })
      ).status,
    ).toBe(404);
  });

  test('moves all matching rows, audits each, and can be undone unless a row has changed since', async () => {
    const { machines, fleets, locations } = world.north;
    const [first, second] = machines as [number, number];
    const request = { filter: { location_id: locations[0] }, data: { fleet_id: fleets[1] } };
    const lastLine = (await streamLines(world.admin, 'PUT', 'machines', request)).at(-1);
    expect(lastLine).toMatchObject({ count: 2, undo: { changes: [{ id: first }, { id: second }] } });
    expect([await readFleetAndLocation(first), await readFleetAndLocation(second)]).toEqual([
      [fleets[1], null],
      [fleets[1], null],
    ]);
    const auditResponse = await app.call<{ data: { changes: { field: string }[] }[] }>(
      world.admin,
      'GET',
      `audit?filter[entity]=machines&filter[record_id]=${first}&filter[action]=edit`,
    );
    expect(auditResponse.body.data[0]?.changes.map(({ field }) => field).sort()).toEqual(['fleet_id', 'location_id']);
    expect((await streamLines(world.admin, 'PUT', 'machines', lastLine?.undo as object)).at(-1)).toMatchObject({
      count: 2,
    });
    expect(await readFleetAndLocation(first)).toEqual([fleets[0], locations[0]]);
    // The versions have increased, so the same undo is rejected and names the rows.
    const repeatedUndo = await app.call<RefusalBody>(world.admin, 'PUT', 'machines', lastLine?.undo as object);
    expect([repeatedUndo.status, repeatedUndo.body.rows.map(({ name }) => name)]).toEqual([
      409,
      ['North-111', 'North-112'],
    ]);
  });

  test('changes nothing if one row fails, and names it', async () => {
    const { machines, fleets, locations } = world.north;
    const [first, , , , otherMachine] = machines as number[];
    const request = { ids: [first, otherMachine], data: { location_id: locations[0], note: 'moved' } };
    const { status, body } = await app.call<RefusalBody>(world.admin, 'PUT', 'machines', request);
    expect([status, body.message]).toEqual([
      422,
      'Nothing was changed, because of 1 entry: North-211 (The location belongs to another fleet)',
    ]);
    expect(body.rows).toEqual([
      { id: otherMachine, name: 'North-211', message: 'The location belongs to another fleet.' },
    ]);
    expect(Object.keys(body.errors ?? {})).toEqual(['location_id']);
    expect(await readFleetAndLocation(otherMachine as number)).toEqual([fleets[1], locations[2]]);
    const line = (await streamLines(world.admin, 'PUT', 'machines', request)).at(-1);
    expect(line).toMatchObject({ status: 422, message: body.message });
    expect(
      (await app.call<{ data: { note: string | null } }>(world.admin, 'GET', `machines/${first}`)).body.data.note,
    ).toBeNull();
  });

  test('moves all rows or none if they exceed one batch, and lists failing rows in order', async () => {
    const { fleets, locations } = world.south;
    const createdRows = await app.db.select(
      { id: pg.integer },
      sql`
      insert into machines (serial_number, fleet_id, type_id) select 'Many-' || lpad(n::text, 4, '0'), case when n in (1, 1002) then ${fleets[1]}::int else ${fleets[0]}::int end, ${world.type}::int
      from generate_series(1, 1002) n returning id`,
    );
    const request = { filter: { serial_number: 'Many-' }, data: { location_id: locations[0] } };
    const { status, body } = await app.call<RefusalBody>(world.admin, 'PUT', 'machines', request);
    expect([status, body.rows_total, body.rows.map(({ name }) => name)]).toEqual([422, 2, ['Many-0001', 'Many-1002']]);
    const countMoved = async () =>
      (
        await app.db.selectOne(
          { n: pg.integer },
          sql`select count(*)::int as n from machines where location_id = ${locations[0]} and serial_number like 'Many-%'`,
        )
      )?.n;
    expect(await countMoved()).toBe(0);
    const target = { filter: { serial_number: 'Many-', fleet_id: fleets[0] } };
    const lastLine = (await streamLines(world.admin, 'PUT', 'machines', { ...target, data: request.data })).at(-1);
    expect([lastLine?.count, lastLine?.undo?.changes?.length]).toEqual([1000, 1000]);
    expect(await countMoved()).toBe(1000);
    const ids = createdRows.map(({ id }) => id);
    expect((await app.call(world.admin, 'DELETE', 'machines', { ids })).body).toEqual({ count: 1002 });
    expect((await app.call(world.admin, 'POST', 'machines/restore', { ids })).body).toEqual({ count: 1002 });
    const auditEntries = await app.db.select(
      { action: pg.text, n: pg.integer },
      sql`select action, count(*)::int as n from audit where entity = 'machines' and record_id = any(${sql.param(ids)}::int[]) group by 1 order by 1`,
    );
    expect(auditEntries.map(({ action, n: count }) => [action, count])).toEqual([
      ['delete', 1002],
      ['edit', 1000],
      ['restore', 1002],
    ]);
    await app.db.rows(sql`delete from machines where id = any(${sql.param(ids)}::int[])`);
  });

  test('counts each row once if the transaction is retried', async () => {
    const ids = world.south.machines.slice(0, 2);
    const { db } = app.services;
    const transaction = db.transaction.bind(db);
    const transactionSpy = vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      const failedTransaction = transaction(async (tx) => {
        await work(tx);
        throw new Error('forced retry');
      });
      await failedTransaction.catch(() => undefined);
      return transaction(work);
    });
    const lastLine = (await streamLines(world.admin, 'PUT', 'machines', { ids, data: { note: 'again' } })).at(-1);
    transactionSpy.mockRestore();
    expect([lastLine?.count, lastLine?.undo?.changes?.length]).toEqual([2, 2]);
  });

  test('looks a reference up once, however many rows get it', async () => {
    const { fleets, locations } = world.south;
    const createdRows = await app.db.select(
      { id: pg.integer },
      sql`insert into machines (serial_number, fleet_id, type_id)
        select 'Same-' || n, ${fleets[0]}::int, ${world.type}::int from generate_series(1, 3) n returning id`,
    );
    const ids = createdRows.map(({ id }) => id);
    const { db } = app.services;
    const transaction = db.transaction.bind(db);
    let lookups = 0;
    const transactionSpy = vi.spyOn(db, 'transaction').mockImplementation((work) =>
      transaction((tx) => {
        const selectOne = tx.selectOne.bind(tx);
        vi.spyOn(tx, 'selectOne').mockImplementation((shape, query) => {
          const { text } = query instanceof SQL ? printStatement(query) : query;
          if (text.includes('for key share of m')) lookups += 1;
          return selectOne(shape, query);
        });
        return work(tx);
      }),
    );
    const { status } = await app.call(world.admin, 'PUT', 'machines', { ids, data: { location_id: locations[0] } });
    transactionSpy.mockRestore();
    await app.db.rows(sql`delete from machines where id = any(${sql.param(ids)}::int[])`);
    expect([status, lookups]).toEqual([200, 1]);
  });

  test('reports a reason once if several rows fail for it', async () => {
    const { machines } = world.north;
    const { status, body } = await app.call<RefusalBody>(world.admin, 'PUT', 'machines', {
      ids: machines.slice(0, 3),
      data: { price: '-1.00' },
    });
    expect([status, body.rows_total]).toEqual([422, 3]);
    expect(body.message).toBe('Price must be at least 0.');
  });
});

test('machines move with their locations, and open pages receive their events', async () => {
  const { fleets, locations, machines } = world.north;
  const events: LiveEvent[] = [];
  const unsubscribe = app.services.live.subscribe((batch) => events.push(...batch));
  const movedIds = machines.slice(4, 6);
  /** Events published for a fleet; those of earlier work may still be pending. */
  const publishedFor = (fleet: number) =>
    movedIds.filter((id) =>
      events.some((event) => event.entity === 'machines' && event.id === id && event.payload?.fleet_id === fleet),
    );
  for (const fleet of fleets) {
    events.length = 0;
    expect(
      (await app.call(world.admin, 'PUT', 'locations', { ids: [locations[2]], data: { fleet_id: fleet } })).body,
    ).toEqual({ count: 1 });
    await expect.poll(() => publishedFor(fleet), { timeout: 20_000 }).toEqual(movedIds);
    expect(await readFleetAndLocation(movedIds[0] as number)).toEqual([fleet, locations[2]]);
  }
  unsubscribe();
});

describe('bulk deletion', () => {
  test('names the rows in use and deletes none', async () => {
    const emptyFleet = await add(app.db, 'fleets', { name: 'Free fleet', client_id: world.north.client });
    const { status, body } = await app.call<RefusalBody>(world.admin, 'DELETE', 'fleets', {
      ids: [emptyFleet, ...world.north.fleets],
    });
    expect([status, body.rows.map(({ name }) => name)]).toEqual([409, ['North Fleet 1', 'North Fleet 2']]);
    expect((await app.call(world.admin, 'GET', `fleets/${emptyFleet}`)).status).toBe(200);
  });

  test('can be undone with its result; the undo names rows whose unique values are in use', async () => {
    const ids = await Promise.all(
      ['U-1', 'U-2', 'U-3'].map((serial_number) =>
        add(app.db, 'machines', { serial_number, type_id: world.type, fleet_id: world.north.fleets[0] }),
      ),
    );
    const lastLine = (await streamLines(world.admin, 'DELETE', 'machines', { ids })).at(-1);
    expect([lastLine?.count, lastLine?.undo?.ids]).toEqual([3, ids]);
    const otherMachine = await add(app.db, 'machines', {
      serial_number: 'U-2',
      type_id: world.type,
      fleet_id: world.north.fleets[0],
    });
    const rejection = await app.call<RefusalBody>(world.admin, 'POST', 'machines/restore', { ids });
    expect([rejection.status, rejection.body.rows.map(({ name }) => name)]).toEqual([409, ['U-2']]);
    await app.call(world.admin, 'DELETE', `machines/${otherMachine}`);
    expect((await app.call<{ count: number }>(world.admin, 'POST', 'machines/restore', { ids })).body).toEqual({
      count: 3,
    });
  });

  test('deletes no user if the caller is among them', async () => {
    const user = await add(app.db, 'users', { language_id: world.language, role_ids: [world.roles.operator] });
    const { status, body } = await app.call<RefusalBody>(world.admin, 'DELETE', 'users', { ids: [user, world.admin] });
    expect([status, body.rows.map(({ id }) => id)]).toEqual([409, [world.admin]]);
    expect((await app.call(world.admin, 'GET', `users/${user}`)).status).toBe(200);
  });
});

describe('assigning', () => {
  test('adds all machines that match a filter to users, and removes machines by id', async () => {
    const { operator, site_manager } = world.north.users;
    const [linksBefore] = await readMachineLinks(operator);
    const filter = { 'fleet.name': 'North Fleet 2' };
    const ids = [operator, site_manager];
    expect((await app.call(world.admin, 'PUT', 'users', { ids, add: { machine_ids: { filter } } })).status).toBe(200);
    const addedIds = world.north.machines.slice(4);
    expect(await readMachineLinks(operator)).toEqual([linksBefore, ...addedIds]);
    expect(await readMachineLinks(site_manager)).toEqual(addedIds);
    expect((await app.call(world.admin, 'PUT', 'users', { ids, remove: { machine_ids: addedIds } })).status).toBe(200);
    expect([await readMachineLinks(operator), await readMachineLinks(site_manager)]).toEqual([[linksBefore], []]);
  });

  test('is rejected for fields other than lists of links, and beyond the caller’s scope', async () => {
    const { operator, customer_admin } = world.north.users;
    expect((await app.call(world.admin, 'PUT', 'users', { ids: [operator], add: { phone: [1] } })).status).toBe(422);
    expect((await app.call(world.admin, 'PUT', 'users', { ids: [operator] })).status).toBe(422);
    expect(
      (
        await app.call(customer_admin, 'PUT', 'users', {
          ids: [operator],
          add: { machine_ids: [world.south.machines[0]] },
        })
      ).status,
    ).toBe(404);
  });
});
