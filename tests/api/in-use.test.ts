/**
 * A rejected deletion names the referencing rows and their number, for every declared foreign key and in six languages.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isReadOnly } from '../../schema/dsl/entity';
import { type EntityName, entities, registry } from '../../schema/index';
import { languageCodes } from '../../schema/shared/languages';
import { countText, nameOf } from '../../server/i18n/messages';
import { tenantReferences, unusedLanguageCode } from '../support/requestBodies';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

interface Refusal {
  message: string;
  uses: { resource: string; field: string; count: number }[];
}
const call = (method: 'DELETE' | 'POST', path: string, language: string, body?: object) =>
  app.call<Refusal>(world.admin, method, path, body, { 'page-language': language, 'accept-language': language });

const foreignKeys = entities.flatMap((referrer) =>
  Object.entries(referrer.fields)
    .filter(([, { kind, store, onDelete }]) => kind === 'ref' && store !== 'derived' && onDelete !== 'cascade')
    .map(([field, { to, unique }]) => ({
      referrer: referrer.name as EntityName,
      field,
      to: to as EntityName,
      count: unique ? 1 : 3,
    }))
    .filter(({ to }) => !isReadOnly(registry[to])),
);

test('the declarations contain restricting foreign keys', () => expect(foreignKeys.length).toBeGreaterThan(10));

const addParent = (to: EntityName) =>
  add(app.db, to, {
    ...tenantReferences[to](world.north, world),
    ...(to === 'languages' && { two_letter_code: unusedLanguageCode() }),
    ...(to === 'saved_views' && { user_id: world.admin }),
  } as never);

describe.each(foreignKeys)('$to, used by $referrer as $field', ({ referrer, field, to, count }) => {
  test('deletion is rejected with the references and their number', async () => {
    const parent = await addParent(to);
    for (let index = 0; index < count; index++)
      await add(app.db, referrer, { ...tenantReferences[referrer](world.north, world), [field]: parent } as never);
    for (const language of languageCodes) {
      const { status, body } = await call('DELETE', `${to}/${parent}`, language);
      expect([status, body.uses]).toEqual([409, [{ resource: referrer, field, count }]]);
      expect(body.message).toContain(countText(language, referrer, count));
      expect(body.message).toContain(nameOf(language, to));
    }
  });
});

test('deleting a role in use names its users', async () => {
  const role = await add(app.db, 'roles');
  for (const _ of [1, 2])
    await add(app.db, 'users', { ...tenantReferences.users(world.north, world), role_ids: [role] } as never);
  for (const language of languageCodes) {
    const { status, body } = await call('DELETE', `roles/${role}`, language);
    expect([status, body.uses]).toEqual([409, [{ resource: 'users', field: 'role_ids', count: 2 }]]);
    expect(body.message).toContain(countText(language, 'users', 2));
  }
});

test('bulk deletion names the references per row', async () => {
  const [first, second] = [await addParent('types'), await addParent('types')];
  await add(app.db, 'machines', { ...tenantReferences.machines(world.north, world), type_id: first } as never);
  const { status, body } = await app.call<{ rows: (Refusal & { id: number })[] }>(world.admin, 'DELETE', 'types', {
    ids: [first, second],
  });
  expect([status, body.rows.map(({ id, uses }) => ({ id, uses }))]).toEqual([
    409,
    [{ id: first, uses: [{ resource: 'machines', field: 'type_id', count: 1 }] }],
  ]);
});

test('a row can be restored only after the row to which it belongs, as the error explains', async () => {
  const fleet = await add(app.db, 'fleets', { client_id: world.north.client, name: 'Harbour "East"' });
  const location = await add(app.db, 'locations', { fleet_id: fleet });
  for (const path of [`locations/${location}`, `fleets/${fleet}`])
    expect((await call('DELETE', path, 'en')).status).toBe(204);
  for (const language of languageCodes) {
    const { status, body } = await call('POST', `locations/${location}/restore`, language);
    expect(status).toBe(409);
    expect(body.message).toContain('Harbour "East"');
    expect(body.message).toContain(nameOf(language, 'fleets'));
  }
});

test('a built-in permission cannot be deleted, alone or in bulk, and the error explains why', async () => {
  const permission = (await app.db.one(sql`select id from permissions where code_name = 'machines.list'`)) as {
    id: number;
  };
  for (const language of languageCodes) {
    const response = await call('DELETE', `permissions/${permission.id}`, language);
    const bulk = await call('DELETE', 'permissions', language, { ids: [permission.id] });
    expect([response.status, bulk.status]).toEqual([409, 409]);
    expect(bulk.body.message).toBe(response.body.message);
    expect(response.body.message).toMatch(/permission|Berechtigung|autori|uprawnie|behörighet/i);
  }
});
