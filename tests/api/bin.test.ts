/** The bin: deleted rows are listed, can be restored one by one or in bulk, and are purged by Admins only. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isReadOnly } from '../../schema/dsl/entity';
import { type EntityName, entities } from '../../schema/index';
import { add, type Values } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

interface List {
  data: { id: number }[];
  total: number;
}
const sendDelete = (caller: number, path: string, body?: object) =>
  app.call<{ message?: string; count?: number }>(caller, 'DELETE', path, body);
const readBin = async (entity: EntityName, caller = world.admin) =>
  (await app.call<List>(caller, 'GET', `${entity}?filter[trashed]=only&per_page=1000`)).body.data.map(({ id }) => id);
const exists = async (entity: EntityName, id: number) =>
  (await app.db.one(sql`select 1 from ${sql.identifier(entity)} where id = ${id}`)) !== undefined;
const readAuditActions = async (entity: EntityName, id: number) =>
  (
    await app.call<{ data: { action: string; record_title: string }[] }>(
      world.admin,
      'GET',
      `audit?filter[entity]=${entity}&filter[record_id]=${id}`,
    )
  ).body.data.map(({ action }) => action);

/** Adds a row to which no other row refers. */
function addUnreferenced(entity: EntityName): Promise<number> {
  const [fleet] = world.north.fleets;
  const requiredReferences: Partial<{ [N in EntityName]: Values<N> }> = {
    clients: { country_id: world.north.country },
    fleets: { client_id: world.north.client },
    locations: { fleet_id: fleet },
    machines: { fleet_id: fleet, type_id: world.type },
    integrations: { client_id: world.north.client },
    floors: { location_id: world.north.locations[0] },
    zones: { floor_id: world.north.floors[0] },
    runs: { machine_id: world.north.machines[0] },
    documents: { machine_id: world.north.machines[0] },
    service_entries: { machine_id: world.north.machines[0] },
    service_plans: { machine_id: world.north.machines[0] },
    users: { language_id: world.language },
    invitations: { language_id: world.language, role_id: world.roles.operator },
    alert_rules: { client_id: world.north.client },
    report_schedules: { client_id: world.north.client },
    saved_views: { user_id: world.admin },
    languages: { two_letter_code: 'qq' },
  };
  return add(app.db, entity, requiredReferences[entity] as never);
}

describe.each(
  entities.filter((entity) => !isReadOnly(entity)).map(({ name }) => name as EntityName),
)('%s', (entity) => {
  test('is deleted, restored, deleted again and purged', async () => {
    const id = await addUnreferenced(entity);
    expect((await sendDelete(world.admin, `${entity}/${id}?permanent=1`)).status).toBe(409);
    expect((await sendDelete(world.admin, `${entity}/${id}`)).status).toBe(204);
    expect(await readBin(entity)).toContain(id);
    const restoreResponse = await app.call<{ count: number }>(world.admin, 'POST', `${entity}/restore`, { ids: [id] });
    expect([restoreResponse.status, restoreResponse.body.count]).toEqual([200, 1]);
    expect(await readBin(entity)).not.toContain(id);
    await sendDelete(world.admin, `${entity}/${id}`);
    expect((await sendDelete(world.admin, `${entity}/${id}?permanent=1`)).status).toBe(204);
    expect(await exists(entity, id)).toBe(false);
    expect((await sendDelete(world.admin, `${entity}/${id}?permanent=1`)).status).toBe(404);
    expect(await readAuditActions(entity, id)).toEqual(['remove', 'delete', 'restore', 'delete']);
  });
});

test('users of a deleted client keep it in scope, and a search in the bin finds it', async () => {
  const client = await add(app.db, 'clients', {
    name: 'Gone Cleaning',
    tags: ['closed'],
    country_id: world.north.country,
  });
  const fleet = await add(app.db, 'fleets', { client_id: client });
  const machine = await add(app.db, 'machines', { fleet_id: fleet, type_id: world.type });
  for (const path of [`machines/${machine}`, `fleets/${fleet}`, `clients/${client}`])
    expect((await sendDelete(world.admin, path)).status).toBe(204);
  expect(await readBin('machines', world.users.country_manager)).toContain(machine);
  expect(await readBin('machines', world.south.users.country_manager)).not.toContain(machine);
  const search = async (text: string, filter = 'filter[trashed]=only') =>
    (
      await app.call<List>(world.users.country_manager, 'GET', `clients?${filter}&filter[search]=${text}`)
    ).body.data.map(({ id }) => id);
  expect([
    await search('one Clean'),
    await search('LOSE'),
    await search('one Clean', 'sort=id'),
    await search('LOSE', 'sort=id'),
  ]).toEqual([[client], [client], [], []]);
});

describe('purging', () => {
  test('is allowed for Admins only, even where others can delete', async () => {
    const id = await addUnreferenced('machines');
    await sendDelete(world.users.country_manager, `machines/${id}`);
    expect((await sendDelete(world.users.country_manager, `machines/${id}?permanent=1`)).status).toBe(403);
    expect((await sendDelete(world.users.country_manager, 'machines?permanent=1', { ids: [id] })).status).toBe(403);
    expect(await exists('machines', id)).toBe(true);
    expect(await readBin('machines', world.users.country_manager)).toContain(id);
  });

  test('responds before its event is published', async () => {
    const [first, second] = [await addUnreferenced('machines'), await addUnreferenced('machines')];
    await sendDelete(world.admin, 'machines', { ids: [first, second] });
    const publish = vi.spyOn(app.services.live, 'publish').mockReturnValue(new Promise<void>(() => {}));
    try {
      expect((await sendDelete(world.admin, `machines/${first}?permanent=1`)).status).toBe(204);
      expect((await sendDelete(world.admin, 'machines?permanent=1', { ids: [second] })).body.count).toBe(1);
      expect(publish.mock.calls.flat(2)).toEqual(
        [first, second].map((id) => ({ entity: 'machines', id, type: 'deleted' })),
      );
    } finally {
      publish.mockRestore();
    }
  });

  test('is rejected while another row references the row, even one in the bin, and names it', async () => {
    const location = await addUnreferenced('locations');
    const machine = await add(app.db, 'machines', {
      fleet_id: world.north.fleets[0],
      location_id: location,
      type_id: world.type,
    });
    await sendDelete(world.admin, `machines/${machine}`);
    await sendDelete(world.admin, `locations/${location}`);
    const { status, body } = await sendDelete(world.admin, `locations/${location}?permanent=1`);
    expect([status, body.message]).toEqual([
      409,
      'Location cannot be removed for good: it is still used by 1 machine, maybe in the bin.',
    ]);
    await sendDelete(world.admin, `machines/${machine}?permanent=1`);
    expect((await sendDelete(world.admin, `locations/${location}?permanent=1`)).status).toBe(204);
  });

  test('also removes dependent rows, files and telemetry, and audits the last values', async () => {
    const machine = await addUnreferenced('machines');
    const document = await add(app.db, 'documents', { machine_id: machine, name: 'plan.pdf' });
    const entry = await add(app.db, 'service_entries', { machine_id: machine });
    await app.db.rows(
      sql`insert into files (name, media_type, size, bytes) values (${`documents/${document}`}, 'application/pdf', 1, '\\x00')`,
    );
    await app.db.rows(sql`insert into machine_watch (machine_id, observed_at) values (${machine}, now())`);
    await sendDelete(world.admin, `machines/${machine}`);
    expect((await sendDelete(world.admin, 'machines?permanent=1', { ids: [machine] })).body.count).toBe(1);
    expect([
      await exists('machines', machine),
      await exists('documents', document),
      await exists('service_entries', entry),
    ]).toEqual([false, false, false]);
    expect(await app.db.one(sql`select 1 from files where name = ${`documents/${document}`}`)).toBeUndefined();
    expect(await app.db.one(sql`select 1 from machine_watch where machine_id = ${machine}`)).toBeUndefined();
    expect(await readAuditActions('documents', document)).toEqual(['remove', 'delete']);
    const { body } = await app.call<{ data: { changes: { field: string; before: unknown }[] }[] }>(
      world.admin,
      'GET',
      `audit?filter[entity]=machines&filter[record_id]=${machine}&filter[action]=remove`,
    );
    expect(body.data[0]?.changes).toContainEqual({ field: 'fleet_id', before: world.north.fleets[0], after: null });
  });

  test('purges rows that refer to each other together', async () => {
    const gateway = await add(app.db, 'trackers');
    const tracker = await add(app.db, 'trackers', { gateway_id: gateway });
    for (const id of [tracker, gateway]) expect((await sendDelete(world.admin, `trackers/${id}`)).status).toBe(204);
    expect((await sendDelete(world.admin, `trackers/${gateway}?permanent=1`)).status).toBe(409);
    expect((await sendDelete(world.admin, `trackers?permanent=1`, { ids: [gateway, tracker] })).body.count).toBe(2);
    expect(await exists('trackers', gateway)).toBe(false);
  });

  test('empties the bin by filter, and changes nothing if one row cannot be purged', async () => {
    const [first, second] = [await addUnreferenced('types'), await addUnreferenced('types')];
    const machine = await add(app.db, 'machines', { fleet_id: world.north.fleets[0], type_id: second });
    await sendDelete(world.admin, `machines/${machine}`);
    await sendDelete(world.admin, 'types', { ids: [first, second] });
    const filter = { id: `${first},${second}` };
    expect((await sendDelete(world.admin, 'types?permanent=1', { filter })).status).toBe(409);
    expect([await exists('types', first), await exists('types', second)]).toEqual([true, true]);
    await sendDelete(world.admin, `machines/${machine}?permanent=1`);
    expect((await sendDelete(world.admin, 'types?permanent=1', { filter })).body.count).toBe(2);
  });
});

describe('restoring many rows', () => {
  test('succeeds for all or none, and only within scope', async () => {
    const [ownMachine, foreignMachine] = [
      await addUnreferenced('machines'),
      await add(app.db, 'machines', { fleet_id: world.south.fleets[0], type_id: world.type }),
    ];
    await sendDelete(world.admin, 'machines', { ids: [ownMachine, foreignMachine] });
    const restore = (caller: number, body: object) =>
      app.call<{ count: number }>(caller, 'POST', 'machines/restore', body);
    expect((await restore(world.users.country_manager, { ids: [ownMachine, foreignMachine] })).status).toBe(404);
    expect((await restore(world.users.partner, { ids: [ownMachine] })).status).toBe(403);
    expect(
      (await restore(world.users.country_manager, { filter: { id: [ownMachine, foreignMachine] } })).body.count,
    ).toBe(1);
    expect(await readBin('machines')).toContain(foreignMachine);
    expect((await restore(world.admin, { filter: { id: [foreignMachine], trashed: 'only' } })).body.count).toBe(1);
  });

  test('leaves all of them in the bin if a unique name is in use by another row', async () => {
    const id = await add(app.db, 'types', { name: 'Taken' });
    const otherType = await addUnreferenced('types');
    await sendDelete(world.admin, 'types', { ids: [id, otherType] });
    await add(app.db, 'types', { name: 'Taken' });
    const { status } = await app.call(world.admin, 'POST', 'types/restore', { ids: [otherType, id] });
    expect(status).toBe(409);
    expect(await readBin('types')).toEqual(expect.arrayContaining([id, otherType]));
  });
});
