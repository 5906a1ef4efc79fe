/**
 * Two applications with different entities in one process, each with its own database. Neither sees the declarations of
 * the other.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Entity, entity } from '../../schema/dsl/entity';
import { many, ref, text } from '../../schema/dsl/field';
import { entities, registry } from '../../schema/index';
import { createEntityModel } from '../../server/access/entityModel';
import { brushes } from '../support/brushes';
import { buildDdl } from '../support/buildDdl';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

/** An entity with the same name as in the other application, but with other fields and on another entity. */
const otherBrushes = entity('brushes', {
  title: 'label',
  fields: { label: text({ required: true }), fleet_id: ref('fleets', { required: true }) },
  list: { columns: ['label'], sort: 'label', search: ['label'] },
  grants: brushes.grants as Entity['grants'],
  special: ['finance'],
  scope: { client: 'fleet.client_id' },
});
const withOwner = <T extends Entity>(owner: T, backRelation: string): Entity => ({
  ...owner,
  fields: { ...owner.fields, brushes: many('brushes', backRelation) },
});

interface ServedApplication {
  app: TestApp;
  world: World;
}
let first: ServedApplication;
let second: ServedApplication;
const apps: TestApp[] = [];

/**
 * Opens an application with the product's entities; `owner` replaces the one with its name, and `addedEntity` is added.
 */
async function openApplication(owner: Entity, addedEntity: Entity): Promise<ServedApplication> {
  const { app, world } = await startTestWorld({
    entities: [...entities.map((declared) => (declared.name === owner.name ? owner : declared)), addedEntity],
  });
  apps.push(app);
  for (const statement of await buildDdl([addedEntity], entities)) await app.db.rows(sql.raw(statement));
  return { app, world };
}

beforeAll(async () => {
  first = await openApplication(withOwner(registry.machines, 'machine_id'), brushes);
  second = await openApplication(withOwner(registry.fleets, 'fleet_id'), otherBrushes);
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

const call = ({ app, world }: ServedApplication, path: string) =>
  app.call<{ data: Record<string, unknown>[] }>(world.admin, 'GET', path);
const create = ({ app, world }: ServedApplication, values: object) => app.call(world.admin, 'POST', 'brushes', values);

test('a row is written, listed and included as its own application declares it', async () => {
  // Alternates, so that nothing built for one application could serve the other unnoticed.
  const machine_id = first.world.north.machines[0];
  const fleet_id = second.world.north.fleets[0];
  expect((await create(first, { code: 'A-100', machine_id })).status).toBe(201);
  expect((await create(second, { label: 'B', fleet_id })).status).toBe(201);
  expect((await create(first, { label: 'B', fleet_id })).status).toBe(422);
  expect((await create(second, { code: 'A-100', machine_id })).status).toBe(422);
  for (const path of ['brushes', 'brushes?filter[search]=A', 'brushes?filter[search]=B']) {
    const rows = [await call(first, path), await call(second, path)].map(({ body }) => body.data);
    expect(rows.map((results) => results.flatMap(({ code, label }) => [code ?? label]))).toEqual(
      path.endsWith('A') ? [['A-100'], []] : path.endsWith('=B') ? [[], ['B']] : [['A-100'], ['B']],
    );
  }
  expect((await call(first, 'brushes?include=machine')).body.data).toMatchObject([{ machine: { id: machine_id } }]);
  expect((await call(second, 'brushes?include=machine')).status).toBe(400);
});

test('relations of a shared entity are those of the respective application', async () => {
  const withBrushes = (resource: string) => `${resource}?include=brushesCount&sort=id`;
  const machines = await call(first, withBrushes('machines'));
  expect(machines.body.data[0]).toMatchObject({ brushes_count: 1 });
  expect((await call(second, withBrushes('machines'))).status).toBe(400);
  expect((await call(first, withBrushes('fleets'))).status).toBe(400);
  expect((await call(second, withBrushes('fleets'))).body.data[0]).toMatchObject({ brushes_count: 1 });
});

test('each application is described by its own OpenAPI document', async () => {
  for (const [application, ownField, otherField] of [
    [first, 'machine_id', 'fleet_id'],
    [second, 'fleet_id', 'machine_id'],
  ] as const) {
    const { body } = await application.app.call<{ paths: Record<string, unknown> }>(undefined, 'GET', 'openapi.json');
    const parameters = JSON.stringify(body.paths['/brushes'] ?? body.paths['/api/v1/brushes']);
    expect(parameters).toContain(`\`${ownField}\``);
    expect(parameters).not.toContain(`\`${otherField}\``);
  }
});

test('building an application fails if an entity references a missing one', async () => {
  expect(() => createEntityModel([brushes], {})).toThrow('No entity is called machines');
});
