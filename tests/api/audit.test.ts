/**
 * Audit entries: every kind of write records values before and after in the transaction of the change. An entry is
 * visible only to callers who can see its row, without fields that they may not read.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Entity, RoleName } from '../../schema/dsl/entity';
import { type EntityName, entities, registry } from '../../schema/index';
import { type AuditRequest, writeAuditEntries } from '../../server/crud/write/writeAuditEntries';
import { pg } from '../../server/db/core/rowShape';
import { hasPermission, rolesAndEntities, unreadableFields } from '../support/rolePermissions';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import { uploadFile } from '../support/uploadFile';
import { idsInScope, type ScopedEntity, type World } from '../support/world';

let app: TestApp;
let world: World;

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}
interface AuditEntry {
  id: number;
  user_id: number | null;
  user_name: string | null;
  as_user_id: number | null;
  action: string;
  entity: string;
  record_id: number;
  record_title: string;
  field: string[];
  changes: Change[];
}
interface AuditList {
  data: AuditEntry[];
  total: number;
}

const recordedEntities = entities.filter(({ scope }) => scope !== 'record');
/** Ids of the initial rows, by entity. */
const initialIds: Record<string, number[]> = {};

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  for (const { name } of recordedEntities) {
    const rows = await app.db.select(
      { id: pg.integer },
      sql`select id from ${sql.identifier(name)} order by id limit 60`,
    );
    initialIds[name] = rows.map(({ id }) => id);
  }
});
afterAll(() => app.close());

const buildQuery = (values: Record<string, string>) => new URLSearchParams({ per_page: '1000', ...values }).toString();
const listEntries = async (caller: number, values: Record<string, string> = {}) =>
  (await app.call<AuditList>(caller, 'GET', `audit?${buildQuery(values)}`)).body.data;
const readEntries = (entity: EntityName, id: number, caller = world.admin) =>
  listEntries(caller, { 'filter[entity]': entity, 'filter[record_id]': String(id) });
const changesOf = (item: AuditEntry | undefined) =>
  Object.fromEntries((item?.changes ?? []).map(({ field, before, after }) => [field, [before, after]]));

async function create(entity: EntityName, body: object, caller = world.admin): Promise<number> {
  const { status, body: response } = await app.call<{ data: { id: number } }>(caller, 'POST', entity, body);
  expect([status, response]).toEqual([201, expect.anything()]);
  return response.data.id;
}

describe('audit of every kind of write', () => {
  beforeEach(() => app.db.rows(sql`delete from audit`));

  test('creating a row records its values, actor and title', async () => {
    const id = await create('machines', {
      serial_number: 'A-1',
      fleet_id: world.north.fleets[0],
      type_id: world.type,
      price: '12.5',
      purchase_date: '2025-01-02',
    });
    const [item, ...otherItems] = await readEntries('machines', id);
    expect(otherItems).toEqual([]);
    expect(item).toMatchObject({
      user_id: world.admin,
      user_name: 'Ada Admin',
      as_user_id: null,
      action: 'create',
      entity: 'machines',
      record_title: 'A-1',
    });
    expect(changesOf(item)).toEqual({
      serial_number: [null, 'A-1'],
      fleet_id: [null, world.north.fleets[0]],
      type_id: [null, world.type],
      price: [null, '12.50'],
      purchase_date: [null, '2025-01-02'],
    });
  });

  test('creating a row also records the link that gives its creator access', async () => {
    const client = await create('clients', clientBody('Of a partner'), world.users.partner);
    expect(
      (await readEntries('clients', client)).map(({ action, record_title, user_id }) => [
        action,
        record_title,
        user_id,
      ]),
    ).toEqual([['create', 'Of a partner', world.users.partner]]);
    expect(changesOf((await readEntries('users', world.users.partner))[0])).toEqual({
      client_ids: [[world.north.client], [world.north.client, client]],
    });
  });

  test('rejected writes, validations and repeated writes add no entry', async () => {
    const body = { name: 'Once', tracking: true };
    for (const key of ['k1', 'k1']) await app.call(world.admin, 'POST', 'types', body, { 'Idempotency-Key': key });
    await app.call(world.admin, 'POST', 'types', { tracking: 'perhaps' });
    await app.call(world.admin, 'POST', 'types', { name: 'Judged', tracking: true }, { Precognition: 'true' });
    expect((await listEntries(world.admin)).map(({ record_title }) => record_title)).toEqual(['Once']);
  });

  test('PUT, PATCH, forms and the specification’s own path record only changed fields', async () => {
    const id = await create('clients', clientBody('First'));
    await app.call(world.admin, 'PUT', `clients/${id}`, { name: 'Second', city: 'City' });
    await app.call(world.admin, 'PATCH', `clients/${id}`, { tags: ['a', 'b'] });
    await app.call(world.admin, 'POST', `clients/${id}`, '_method=PUT&name=Third', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    await app.call(world.admin, 'POST', `clients/patch/${id}`, { name: 'Fourth' });
    await app.call(world.admin, 'PATCH', `clients/${id}`, { name: 'Fourth' });
    expect((await readEntries('clients', id)).map(changesOf)).toEqual([
      { name: ['Third', 'Fourth'] },
      { name: ['Second', 'Third'] },
      { tags: [null, ['a', 'b']] },
      { name: ['First', 'Second'] },
      expect.objectContaining({ name: [null, 'First'] }),
    ]);
  });

  test('bulk work records every row', async () => {
    const ids = [
      await create('types', { name: 'B1', tracking: true }),
      await create('types', { name: 'B2', tracking: false }),
    ];
    await app.call(world.admin, 'PUT', 'types', { ids, data: { tracking: false } });
    await app.call(world.admin, 'DELETE', 'types', { ids });
    expect((await readEntries('types', ids[0] as number)).map(({ action }) => action)).toEqual([
      'delete',
      'edit',
      'create',
    ]);
    expect((await readEntries('types', ids[1] as number)).map(({ action }) => action)).toEqual(['delete', 'create']);
  });

  test('deleting and restoring record dependent rows', async () => {
    const id = await create('machines', {
      serial_number: 'A-2',
      fleet_id: world.north.fleets[0],
      type_id: world.type,
    });
    const entry = await create('service_entries', { machine_id: id, date: '2025-06-01', kind: 'repair', cost: '80' });
    await app.call(world.admin, 'DELETE', `machines/${id}`);
    await app.call(world.admin, 'POST', `machines/${id}/restore`);
    for (const items of [await readEntries('machines', id), await readEntries('service_entries', entry)])
      expect(items.map(({ action }) => action)).toEqual(['restore', 'delete', 'create']);
    expect((await readEntries('service_entries', entry))[0]?.record_title).toBe('01.06.2025 · Repair');
  });

  test('moving a location records its machines; moving a tracker records its machine', async () => {
    const [first, second] = world.north.fleets;
    const location = await create('locations', {
      name: 'M',
      fleet_id: first,
      address: 'Platz 1',
      city: 'City',
      postal_code: '20095',
    });
    const id = await create('machines', {
      serial_number: 'A-3',
      fleet_id: first,
      location_id: location,
      type_id: world.type,
    });
    await app.call(world.admin, 'POST', `locations/${location}/move`, { fleet_id: second });
    await app.call(world.admin, 'PATCH', `locations/${location}`, { fleet_id: first });
    await app.call(world.admin, 'POST', `trackers/${world.unassignedTracker}/assign`, { machine_id: id });
    await app.call(world.admin, 'POST', `trackers/${world.unassignedTracker}/assign`, { machine_id: null });
    await app.call(world.admin, 'POST', `trackers/${world.unassignedTracker}/secret`);
    expect((await readEntries('machines', id)).slice(0, -1).map(changesOf)).toEqual([
      { tracker_id: [world.unassignedTracker, null] },
      { tracker_id: [null, world.unassignedTracker] },
      { fleet_id: [second, first] },
      { fleet_id: [first, second] },
    ]);
    expect((await readEntries('locations', location)).slice(0, -1).map(changesOf)).toEqual([
      { fleet_id: [second, first] },
      { fleet_id: [first, second] },
    ]);
    expect(await readEntries('trackers', world.unassignedTracker)).toMatchObject([{ action: 'secret', changes: [] }]);
  });

  test('permissions, links, addresses and languages of users are recorded; for passwords only the fact that they changed', async () => {
    const { operator, customer_admin } = world.roles;
    const body = {
      first_name: 'New',
      last_name: 'Person',
      email: 'new.person@example.com',
      language_id: world.language,
      client_id: world.north.client,
    };
    const id = await create('users', {
      ...body,
      role_ids: [operator],
      password: 'Secret!123',
      password_confirmation: 'Secret!123',
    });
    await app.call(world.admin, 'PATCH', `users/${id}`, {
      role_ids: [operator, customer_admin],
      fleet_ids: [world.north.fleets[0]],
    });
    await app.call(world.admin, 'PATCH', `users/${id}`, {
      emails: [{ email: 'new.person@example.com' }, { email: 'second@example.com' }],
    });
    await app.call(world.admin, 'POST', `users/${id}/password`, {
      password: 'Secret!456',
      password_confirmation: 'Secret!456',
    });
    const { text } = await app.call(
      world.admin,
      'GET',
      `audit?${buildQuery({ 'filter[entity]': 'users', 'filter[record_id]': String(id) })}`,
    );
    expect(text).not.toMatch(/Secret!|argon|swt_/);
    expect((await readEntries('users', id)).map(changesOf)).toEqual([
      { password: [null, null] },
      {
        emails: [
          [{ email: 'new.person@example.com' }],
          [{ email: 'new.person@example.com' }, { email: 'second@example.com' }],
        ],
      },
      {
        role_ids: [[operator], [operator, customer_admin].sort((a, b) => a - b)],
        fleet_ids: [null, [world.north.fleets[0]]],
      },
      expect.objectContaining({ role_ids: [null, [operator]], password: [null, null] }),
    ]);
    const role = await create('roles', { name: 'Cleaner', scope: 'machine', permission_ids: [] });
    const permission = await create('permissions', { name: 'Sweep', code_name: 'brooms.sweep' });
    await app.call(world.admin, 'PATCH', `roles/${role}`, { permission_ids: [permission] });
    expect(changesOf((await readEntries('roles', role))[0])).toEqual({ permission_ids: [null, [permission]] });
    const [entry] = await readEntries('roles', world.roles.admin);
    expect(entry?.changes[0]?.after).toContain(permission);
  });

  test('documents and files of service entries are recorded', async () => {
    const [machine] = world.north.machines;
    const content = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF';
    const { body } = await uploadFile<{ data: { id: number } }>(app, world.admin, `machines/${machine}/documents`, {
      name: 'plan.pdf',
      content,
    });
    expect(changesOf((await readEntries('documents', body.data.id))[0])).toMatchObject({
      name: [null, 'plan.pdf'],
      machine_id: [null, machine],
    });
    const [entry] = world.north.service_entries;
    await uploadFile(app, world.admin, `service_entries/${entry}/file`, { name: 'bill.pdf', content });
    await app.call(world.admin, 'DELETE', `service_entries/${entry}/file`);
    expect((await readEntries('service_entries', entry as number)).map((item) => changesOf(item).file_name)).toEqual([
      ['bill.pdf', null],
      [null, 'bill.pdf'],
    ]);
  });

  test('impersonation records both users', async () => {
    const entry: AuditRequest = {
      entity: app.services.model.require('types'),
      by: { userId: world.users.partner, impersonatedBy: world.admin },
      action: 'edit',
    };
    await app.db.transaction((tx) =>
      writeAuditEntries(tx, entry, [
        { id: world.type, before: { name: 'Old' }, after: { name: 'New', tracking: undefined } },
      ]),
    );
    const [item] = await readEntries('types', world.type);
    expect([item?.user_id, item?.as_user_id, changesOf(item)]).toEqual([
      world.admin,
      world.users.partner,
      { name: ['Old', 'New'] },
    ]);
  });

  test('a change or creation by API token records the user and the token', async () => {
    const caller = world.users.country_manager;
    const { body } = await app.call<{ data: { token: string } }>(caller, 'POST', 'account/tokens', {
      name: 'Night run',
      days: 1,
    });
    const [type, fleet] = [
      await create('types', { name: 'By token', tracking: true }),
      world.north.fleets[0] as number,
    ];
    const { token } = body.data;
    await app.call(token, 'PATCH', `fleets/${fleet}`, { color: '#123456' });
    expect((await readEntries('fleets', fleet))[0]).toMatchObject({ user_id: caller, token_name: 'Night run' });
    const adminToken = await app.call<{ data: { token: string } }>(world.admin, 'POST', 'account/tokens', {
      name: 'Import',
      days: 1,
    });
    const createResponse = await app.call<{ data: { id: number } }>(adminToken.body.data.token, 'POST', 'types', {
      name: 'Alone',
      tracking: true,
    });
    expect((await readEntries('types', createResponse.body.data.id))[0]).toMatchObject({
      action: 'create',
      user_id: world.admin,
      token_name: 'Import',
    });
    expect((await readEntries('types', type))[0]).toMatchObject({ token_name: null });
  });

  test('no call changes an entry', async () => {
    const id = await create('types', { name: 'Fixed', tracking: true });
    const [item] = await readEntries('types', id);
    for (const [method, path] of [
      ['POST', 'audit'],
      ['PUT', `audit/${item?.id}`],
      ['PATCH', `audit/${item?.id}`],
      ['DELETE', `audit/${item?.id}`],
      ['POST', `audit/${item?.id}/restore`],
      ['PUT', 'audit'],
      ['DELETE', 'audit'],
    ] as const)
      expect([method, path, (await app.call(world.admin, method, path, { ids: [item?.id] })).status]).toEqual([
        method,
        path,
        404,
      ]);
    expect(await readEntries('types', id)).toEqual([item]);
  });
});

describe('visibility of entries', () => {
  beforeAll(async () => {
    await app.db.rows(sql`delete from audit`);
    for (const entity of recordedEntities) {
      const rowBefore = Object.fromEntries(
        Object.entries(entity.fields).map(([name, field]) => [name, sampleValue(field.kind, 1)]),
      );
      const rowAfter = Object.fromEntries(
        Object.entries(entity.fields).map(([name, field]) => [name, sampleValue(field.kind, 2)]),
      );
      await writeAuditEntries(
        app.db,
        { entity: app.services.model.require(entity.name), by: undefined, action: 'edit' },
        (initialIds[entity.name] ?? []).map((id) => ({ id, before: rowBefore, after: rowAfter })),
      );
    }
  });

  const visibleIds = (role: RoleName, { name, scope }: Entity): number[] => {
    const ids = initialIds[name] ?? [];
    if (scope === 'global' || role === 'admin') return ids;
    return ids.filter((id) => idsInScope(role, world)[name as ScopedEntity].includes(id));
  };

  describe.each(rolesAndEntities.filter(({ entity }) => entity.scope !== 'record'))('$role and entries of $name', ({
    role,
    name,
    entity,
  }) => {
    test('requires access to the row and hides unreadable fields', async () => {
      const { status, body } = await app.call<AuditList>(
        world.users[role],
        'GET',
        `audit?${buildQuery({ 'filter[entity]': name, sort: 'record_id' })}`,
      );
      if (!hasPermission(role, registry.audit, 'list')) return expect(status).toBe(403);
      const entityItems = body.data.filter((item) => item.entity === name);
      expect(entityItems.map(({ record_id }) => record_id)).toEqual(
        hasPermission(role, entity, 'show') ? visibleIds(role, entity) : [],
      );
      const hiddenFields = unreadableFields(role, entity);
      for (const item of entityItems) {
        expect(item.changes.length).toBeGreaterThan(0);
        expect(item.changes.map(({ field }) => field).filter((field) => hiddenFields.includes(field))).toEqual([]);
        expect(item.field).toEqual(item.changes.map(({ field }) => field));
      }
      return undefined;
    });
  });

  test('filters do not match hidden fields, and references out of scope are null', async () => {
    const filter = (caller: number, field: string) =>
      listEntries(caller, { 'filter[entity]': 'machines', 'filter[field]': field });
    expect((await filter(world.users.partner, 'price')).length).toBeGreaterThan(0);
    expect(await filter(world.users.customer_admin, 'price')).toEqual([]);
    // Filters by field and entity match whole names only.
    expect(await filter(world.users.partner, 'pric')).toEqual([]);
    expect(await listEntries(world.users.partner, { 'filter[entity]': 'machine' })).toEqual([]);
    const [machine] = world.north.machines;
    const change = {
      id: machine as number,
      before: { fleet_id: world.south.fleets[0] },
      after: { fleet_id: world.north.fleets[0] },
    };
    await writeAuditEntries(
      app.db,
      { entity: app.services.model.require('machines'), by: { userId: world.admin }, action: 'edit' },
      [change],
    );
    const parameters = { 'filter[entity]': 'machines', 'filter[record_id]': String(machine) };
    expect(changesOf((await listEntries(world.admin, parameters))[0])).toEqual({
      fleet_id: [world.south.fleets[0], world.north.fleets[0]],
    });
    expect(changesOf((await listEntries(world.users.customer_admin, parameters))[0])).toEqual({
      fleet_id: [null, world.north.fleets[0]],
    });
  });

  test('an export prints labels and names instead of ids', async () => {
    const [machine] = world.north.machines;
    const search = buildQuery({
      'filter[entity]': 'machines',
      'filter[record_id]': String(machine),
      'filter[user_id]': String(world.admin),
      columns: 'entity,action,changes',
    });
    const { text } = await app.call(world.admin, 'GET', `audit/export?format=csv&${search}`, undefined, {
      'Accept-Language': 'en',
    });
    expect(text.trim().split(/\r?\n/)[1]).toBe('Machine,Changed,Fleet: South Fleet 1 → North Fleet 1');
    const partner = await app.call(world.users.partner, 'GET', `audit/export?format=csv&${search}`);
    expect(partner.text.trim().split(/\r?\n/)[1]).toBe('Machine,Changed,Fleet: North Fleet 1');
    expect((await app.call(world.admin, 'GET', `audit/export?format=xlsx&${search}`)).status).toBe(200);
  });

  test('filters by user, action and time, and accepts every column as sort', async () => {
    expect(await listEntries(world.admin, { 'filter[user_id]': String(world.admin) })).toHaveLength(1);
    expect(await listEntries(world.admin, { 'filter[action]': 'delete' })).toEqual([]);
    expect(await listEntries(world.admin, { 'filter[at]': '>2999-01-01' })).toEqual([]);
    expect((await listEntries(world.admin, { 'filter[at]': '>2001-01-01', 'filter[user_name]': 'admin' })).length).toBe(
      1,
    );
    for (const sort of ['at', '-at', 'user_name', 'action', 'entity', 'record_title'])
      expect((await app.call(world.admin, 'GET', `audit?${buildQuery({ sort })}`)).status).toBe(200);
  });
});

const clientBody = (name: string) => ({
  name,
  building: '1',
  street: 'Street',
  city: 'City',
  postal_code: '01067',
  country_id: world.north.country,
});

/** One of two values of a kind. The values differ and refer to no row. */
function sampleValue(kind: string, variant: 1 | 2): unknown {
  if (['ref', 'integer', 'number'].includes(kind)) return 900_000 + variant;
  if (['refs', 'tags'].includes(kind)) return [900_000 + variant];
  if (kind === 'records') return [{ email: `${variant}@example.com` }];
  if (kind === 'money') return `${variant}.00`;
  if (kind === 'boolean') return variant === 1;
  return kind === 'instant' ? `2025-01-0${variant}T00:00:00.000Z` : `2025-01-0${variant}`;
}
