/** A page of search results is read by two statements, with the same result as by a single one. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseListQuery } from '../../schema/dsl/listQuery';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { readPageWithTotal } from '../../server/crud/read/readPageWithTotal';
import type { Database } from '../../server/db/core/database';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
  await app.db.rows(sql`
    insert into machines (serial_number, fleet_id, type_id)
    select 'Söker-' || n, ${world.north.fleets[0]}::int, ${world.type}::int from generate_series(1, 7) n`);
});
afterAll(() => app.close());

interface Page {
  data: { serial_number: string; fleet?: { id: number } }[];
  total: number;
}
const search = (extraQuery: string) =>
  app.call<Page>(world.users.admin, 'GET', `machines?filter[serial_number]=söker&sort=-serial_number${extraQuery}`);

test('rows are returned in the requested order, page by page, with includes', async () => {
  const [first, second] = [
    await search('&per_page=4&include=fleet&fields[machines]=serial_number'),
    await search('&per_page=4&page=2'),
  ];
  expect(first.body.data.map(({ serial_number }) => serial_number)).toEqual(
    [7, 6, 5, 4].map((number) => `Söker-${number}`),
  );
  expect(first.body.data[0]).toEqual({
    serial_number: 'Söker-7',
    fleet: expect.objectContaining({ id: world.north.fleets[0] }),
  });
  expect(second.body.data.map(({ serial_number }) => serial_number)).toEqual(
    [3, 2, 1].map((number) => `Söker-${number}`),
  );
  expect([first.body.total, second.body.total]).toEqual([7, 7]);
});

test('a search without results also rejects unknown names', async () => {
  const emptyPath = 'machines?filter[serial_number]=nowhere';
  expect((await app.call<Page>(world.users.admin, 'GET', emptyPath)).body).toMatchObject({ data: [], total: 0 });
  for (const unknownParameter of ['include=robots', 'fields[machines]=colour', 'fields[clients]=name', 'sort=colour'])
    expect(
      (await app.call(world.users.admin, 'GET', `${emptyPath}&${unknownParameter}`)).status,
      unknownParameter,
    ).toBe(400);
});

test('rows and total agree even if a row is deleted between the statements', async () => {
  const caller = (await loadCallerOfUser(app.db, world.users.admin)) as Caller;
  let statements = 0;
  const deletingDatabase: Database = {
    ...app.db,
    select: async (shape, query) => {
      const rows = await app.db.select(shape, query);
      statements += 1;
      if (statements === 1)
        await app.db.rows(sql`update machines set deleted_at = now() where serial_number = 'Söker-4'`);
      return rows;
    },
  };
  const entity = app.services.model.require('machines');
  const query = parseListQuery('filter[serial_number]=söker&sort=serial_number&fields[machines]=serial_number');
  const page = await readPageWithTotal(deletingDatabase, { entity, caller, query });
  expect(statements).toBe(3);
  expect(page.total).toBe(6);
  expect(JSON.parse(page.data.toString())).toEqual(
    [1, 2, 3, 5, 6, 7].map((number) => ({ serial_number: `Söker-${number}` })),
  );
  expect(page.access).toBe(caller.accessVersion);
});
