/**
 * Eight concurrent clients write the same and different rows of every entity, four on the embedded database, whose one
 * session runs one transaction after the other. No response is a 5xx.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Entity, isCreatable, isReadOnly } from '../../schema/dsl/entity';
import { type EntityName, entities } from '../../schema/index';
import { requestBodies, tenantReferences, unusedLanguageCode } from '../support/requestBodies';
import { add, nextNumber } from '../support/rows';
import { databaseKind, type Method, startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const clients = Array.from({ length: databaseKind === 'postgres' ? 8 : 4 }, (_, index) => index);
const writableEntities = entities
  .filter((entity) => !isReadOnly(entity))
  .map((entity) => [entity.name as EntityName, entity as Entity] as const);

interface Step {
  method: Method;
  path: string;
  body?: object;
}

/** Requests of one client, on rows that all clients share and on new rows. */
function* stepsOf(
  entity: Entity,
  { shared, commonBody, client }: { shared: readonly number[]; commonBody: object; client: number },
): Generator<Step> {
  const name = entity.name as EntityName;
  const values = () => ({
    ...requestBodies[name](),
    ...tenantReferences[name](world.north, world),
    ...(name === 'languages' && { two_letter_code: unusedLanguageCode() }),
  });
  for (let round = 0; round < 2; round += 1) {
    const id = shared[(client + round) % shared.length] as number;
    if (isCreatable(entity)) yield { method: 'POST', path: name, body: round === 0 ? commonBody : values() };
    yield { method: 'PUT', path: `${name}/${id}`, body: values() };
    yield {
      method: 'PATCH',
      path: name,
      body: { ids: client % 2 === 0 ? shared : [...shared].reverse(), data: values() },
    };
    yield { method: 'GET', path: `${name}/${id}` };
    if (client % 4 === 0) yield { method: 'DELETE', path: `${name}/${id}` };
    if (client % 4 === 1) yield { method: 'POST', path: `${name}/${id}/restore` };
    if (client % 4 === 2) yield { method: 'DELETE', path: name, body: { ids: shared } };
    if (client % 4 === 3) yield { method: 'POST', path: `${name}/restore`, body: { ids: shared } };
  }
  yield { method: 'DELETE', path: `${name}/${shared[client % shared.length]}?permanent=1` };
}

/** Sends the requests of all clients concurrently. Returns the server errors; at least one request must succeed. */
async function collectServerErrors(
  work: readonly { entity: Entity; shared: readonly number[]; commonBody: object; client: number }[],
): Promise<string[]> {
  let successCount = 0;
  const errors = await Promise.all(
    work.map(async ({ entity, ...context }) => {
      const failures: string[] = [];
      for (const { method, path, body } of stepsOf(entity, context)) {
        const { status, text } = await app.call(world.admin, method, path, body);
        if (status < 300) successCount += 1;
        if (status >= 500) failures.push(`${method} ${path} ${status} ${text}`);
      }
      return failures;
    }),
  );
  expect(successCount).toBeGreaterThan(0);
  return errors.flat();
}

const addRows = async (name: EntityName): Promise<number[]> => {
  const values = () =>
    ({
      ...tenantReferences[name](world.north, world),
      ...(name === 'languages' ? { two_letter_code: unusedLanguageCode() } : {}),
    }) as never;
  return [await add(app.db, name, values()), await add(app.db, name, values())];
};

describe('concurrent writes', () => {
  test.each(writableEntities)('to rows of %s cause no server error', async (name, entity) => {
    const sharedIds = await addRows(name);
    const sharedBody = { ...requestBodies[name](), ...tenantReferences[name](world.north, world) };
    expect(
      await collectServerErrors(
        clients.map((client) => ({ entity, shared: sharedIds, commonBody: sharedBody, client })),
      ),
    ).toEqual([]);
  });

  test('to different entities that reference each other cause no server error', async () => {
    const work: { entity: Entity; shared: readonly number[]; commonBody: object; client: number }[] = [];
    for (const [client, [name, entity]] of writableEntities.entries())
      work.push({
        entity,
        shared: await addRows(name),
        commonBody: { ...requestBodies[name](), ...tenantReferences[name](world.north, world) },
        client,
      });
    expect(await collectServerErrors(work)).toEqual([]);
  });

  test('of a role that is granted, changed, replaced and revoked cause no server error', async () => {
    const role = await add(app.db, 'roles', { scope: 'machine' });
    const userIds = await Promise.all(
      clients.map(() =>
        add(app.db, 'users', {
          language_id: world.language,
          client_id: world.north.client,
          role_ids: [world.roles.operator],
        }),
      ),
    );
    const steps = (client: number): Step[] => [
      {
        method: 'POST',
        path: `roles/${role}/users`,
        body: { user_ids: client % 2 === 0 ? userIds : [...userIds].reverse() },
      },
      { method: 'PUT', path: `roles/${role}`, body: { name: `Role ${nextNumber()}` } },
      { method: 'PUT', path: `users/${userIds[client]}`, body: { role_ids: [role] } },
      { method: 'POST', path: `roles/${role}/replace`, body: { replacement_id: world.roles.operator } },
      { method: 'DELETE', path: `users/${userIds[(client + 1) % userIds.length]}` },
    ];
    const statuses = await Promise.all(
      clients.map(async (client) => {
        const statuses: number[] = [];
        for (const { method, path, body } of steps(client))
          statuses.push((await app.call(world.admin, method, path, body)).status);
        return statuses;
      }),
    );
    expect(statuses.flat().filter((status) => status >= 500)).toEqual([]);
    expect(statuses.flat()).toContain(200);
  });

  test.each(['40P01', '40001'])('respond with a conflict if every retry fails (%s)', async (code) => {
    await app.db.rows(
      sql.raw(
        `create function given_up() returns trigger language plpgsql as $$ begin raise exception 'deadlock detected' using errcode = '${code}'; end $$`,
      ),
    );
    await app.db.rows(
      sql`create trigger given_up before insert or update on types for each row execute function given_up()`,
    );
    try {
      expect((await app.call(world.admin, 'POST', 'types', requestBodies.types())).status).toBe(409);
      expect(
        (await app.call(world.admin, 'PUT', `types/${world.type}`, { name: `Scrubber ${nextNumber()}` })).status,
      ).toBe(409);
    } finally {
      await app.db.rows(sql`drop function given_up cascade`);
    }
    expect((await app.call(world.admin, 'POST', 'types', requestBodies.types())).status).toBe(201);
  });
});
