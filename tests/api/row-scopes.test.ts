/** Scope checks for many callers at once agree with the scope of each caller's lists. */
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entities } from '../../schema/index';
import { notDeleted } from '../../server/access/entityModel';
import { scopeWhere } from '../../server/access/scopeWhere';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { pg } from '../../server/db/core/rowShape';
import { printStatement } from '../../server/db/core/statement';
import { readRowScopes } from '../../server/realtime/rowScopes';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';

let app: TestApp;
let callers: Caller[];
const row = sql.raw('m');

beforeAll(async () => {
  const testData = await startTestWorld();
  app = testData.app;
  const { north, south, admin, roles, language } = testData.world;
  const { db } = app;
  const userValues = { language_id: language, client_id: north.client };
  const users = [
    admin,
    ...Object.values(north.users),
    ...Object.values(south.users),
    // Roles whose scopes are combined, links without a matching role, and a user without a client.
    await add(db, 'users', {
      ...userValues,
      role_ids: [roles.operator, roles.country_manager],
      country_ids: [south.country],
      machine_ids: north.machines.slice(6),
    }),
    await add(db, 'users', {
      ...userValues,
      role_ids: [roles.customer_admin],
      fleet_ids: south.fleets,
      location_ids: south.locations,
    }),
    await add(db, 'users', {
      language_id: language,
      role_ids: [roles.site_manager],
      location_ids: [...south.locations],
      fleet_ids: [north.fleets[1]],
    }),
    await add(db, 'users', { language_id: language, role_ids: [roles.partner] }),
    await add(db, 'users', { language_id: language }),
  ];
  for (const user_id of users.slice(0, 4)) {
    await add(db, 'saved_views', { user_id });
    await add(db, 'saved_views', { user_id, client_id: north.client });
    await add(db, 'saved_views', { user_id, role_id: roles.operator });
  }
  await db.rows(sql`update alerts set state = 'open' where id % 3 <> 0`);
  // Deleted rows on the path and at its end, a machine without a location, and a machine whose tracker is deleted.
  for (const [name, id] of [
    ['fleets', north.fleets[0]],
    ['locations', north.locations[2]],
    ['locations', south.locations[0]],
    ['machines', north.machines[3]],
    ['machines', south.machines[1]],
    ['clients', south.client],
    ['alerts', north.alerts[1]],
  ] as const)
    await db.rows(sql`update ${sql.identifier(name)} set deleted_at = now() where id = ${id}`);
  await db.rows(sql`update machines set location_id = null, tracker_id = null where id = ${north.machines[5]}`);
  callers = await Promise.all(users.map(async (id) => (await loadCallerOfUser(db, id)) as Caller));
});
afterAll(() => app.close());

const readIdsWhere = async (name: string, condition: ReturnType<typeof sql>): Promise<number[]> =>
  (
    await app.db.select(
      { id: pg.integer },
      sql`select m.id from ${sql.identifier(name)} m where ${condition} order by m.id`,
    )
  ).map(({ id }) => id);

describe.each(entities.filter(({ scope }) => scope !== 'record').map(({ name }) => ({ name })))('of $name', ({
  name,
}) => {
  test('every caller sees the rows in the scope of their lists, deleted or not', async () => {
    const entity = app.services.model.require(name);
    const ids = await readIdsWhere(name, sql`true`);
    const scopes = await readRowScopes(app.db, entity, { rows: { ids }, callers });
    for (const caller of callers) {
      const expected = await readIdsWhere(name, scopeWhere(entity, caller, row));
      expect(
        [...scopes.visibleTo(caller)].sort((a, b) => a - b),
        `user ${caller.userId}`,
      ).toEqual(expected);
    }
  });
});

test('rows that are selected by state exclude deleted ones', async () => {
  const alerts = app.services.model.require('alerts');
  const scopes = await readRowScopes(app.db, alerts, { rows: { state: 'open' }, callers });
  const visibleRows = await Promise.all(
    callers.map((caller) =>
      readIdsWhere('alerts', sql`m.state = 'open' and ${notDeleted(row)} and ${scopeWhere(alerts, caller, row)}`),
    ),
  );
  expect(callers.map((caller) => scopes.visibleTo(caller).size)).toEqual(visibleRows.map(({ length }) => length));
  expect(new Set(visibleRows.map(({ length }) => length)).size).toBeGreaterThan(3);
  expect(await readIdsWhere('alerts', sql`m.state = 'open'`)).toHaveLength(
    Math.max(...visibleRows.map(({ length }) => length)) + 1,
  );
});

test('a caller missing from the lookup sees nothing, unless their scope is global', async () => {
  const [admin, limitedCaller] = callers as [Caller, Caller];
  const ids = await readIdsWhere('machines', sql`true`);
  const scopes = await readRowScopes(app.db, app.services.model.require('machines'), {
    rows: { ids },
    callers: [admin],
  });
  expect(scopes.visibleTo(admin).size).toBe(ids.length);
  expect(scopes.visibleTo(limitedCaller).size).toBe(0);
});

test('a scope of few ids uses separate parameters, a scope of many an array, with the same rows', async () => {
  const machines = app.services.model.require('machines');
  const limitedCaller = callers.find(({ scopes }) => scopes.has('country') && scopes.size === 1) as Caller;
  const { countries } = limitedCaller.links;
  const foreignIds = Array.from({ length: 30 }, (_, index) => 1_000_000 + index);
  const linkedToMany = {
    ...limitedCaller,
    links: { ...limitedCaller.links, countries: [...countries, ...foreignIds] },
  };
  const [fewLinks, manyLinks] = [limitedCaller, linkedToMany].map((caller) => scopeWhere(machines, caller, row)) as [
    SQL,
    SQL,
  ];
  expect(printStatement(fewLinks).params).toEqual(countries);
  expect(printStatement(manyLinks).params).toEqual([[...countries, ...foreignIds]]);
  const visibleIds = await readIdsWhere('machines', fewLinks);
  expect(visibleIds.length).toBeGreaterThan(0);
  expect(await readIdsWhere('machines', manyLinks)).toEqual(visibleIds);
});
