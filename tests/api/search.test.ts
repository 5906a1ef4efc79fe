/** The global search finds the rows of the lists, within scope. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { roleNames } from '../../schema/dsl/entity';
import { isSearched, maxRowsPerEntity, type SearchGroup } from '../../schema/features/search';
import { DatabaseAway } from '../../server/db/core/database';
import { add } from '../support/rows';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const search = async (query: string, user: number): Promise<SearchGroup[]> => {
  const { status, body } = await app.call<{ data: SearchGroup[] }>(
    user,
    'GET',
    `search?q=${encodeURIComponent(query)}`,
  );
  expect(status).toBe(200);
  return body.data;
};

test('rows of every entity are found by the search fields of their lists', async () => {
  const adminGroups = await search('North', world.admin);
  expect(adminGroups.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['machines', 'clients', 'fleets', 'locations', 'users', 'documents']),
  );
  for (const { rows } of adminGroups) expect(rows.length).toBeLessThanOrEqual(maxRowsPerEntity);
  const [fleet] = adminGroups.find(({ resource }) => resource === 'fleets')?.rows ?? [];
  expect(fleet).toEqual({
    id: world.north.fleets[0],
    name: 'North Fleet 1',
    client_id: world.north.client,
    client: { id: world.north.client, name: 'North Cleaning' },
  });
});

test.each(roleNames)('a %s finds exactly the rows of their lists', async (role) => {
  const user = world.users[role];
  const foundIds = new Map(
    (await search('th', user)).map(({ resource, rows }) => [resource, rows.map(({ id }) => id)]),
  );
  for (const entity of app.services.model.entities.filter(isSearched)) {
    const list = await app.call<{ data: { id: number }[] }>(
      user,
      'GET',
      `${entity.name}?filter[search]=th&per_page=${maxRowsPerEntity}`,
    );
    const listIds = list.status === 200 ? list.body.data.map(({ id }) => id) : [];
    expect({ [entity.name]: foundIds.get(entity.name) ?? [] }).toEqual({ [entity.name]: listIds });
  }
});

test('finds nothing out of scope', async () => {
  for (const role of roleNames.filter((name) => name !== 'admin')) {
    const text = JSON.stringify(await search('South', world.users[role]));
    expect(text).not.toMatch(/"South/);
  }
});

test('fewer than two letters find nothing, wildcards are literal, and a session is required', async () => {
  expect(await search('n', world.admin)).toEqual([]);
  expect(await search('', world.admin)).toEqual([]);
  expect(await search('%%', world.admin)).toEqual([]);
  expect(await search("'; drop table machines; --", world.admin)).toEqual([]);
  expect(await search('\u0000\u0000', world.admin)).toEqual([]);
  expect((await app.call(undefined, 'GET', 'search?q=north')).status).toBe(401);
});

test('short words match upper and lower case in every script, as filters do', async () => {
  for (const name of ['AQua', 'İzmir', 'istanbul', '300 \u212a', 'Ölkanne', 'ΣΙΓΜΑ', 'straße', '100% AB'])
    await add(app.db, 'types', { name });
  const listNames = async (filter: string, word: string) => {
    const path = `types?per_page=100&filter[${filter}]=${encodeURIComponent(word)}`;
    return (await app.call<{ data: { name: string }[] }>(world.admin, 'GET', path)).body.data.map(({ name }) => name);
  };
  for (const word of ['aq', 'AQ', 'iz', 'İz', 'IS', '0 k', 'öl', 'ÖL', 'σι', 'SS', 'ß', '%', 'ab', '% '])
    expect([word, await listNames('search', word)]).toEqual([word, await listNames('name', word)]);
  expect(await listNames('search', 'QU')).toEqual(['AQua']);
});

test('a failed statement ends the search: no further entity is searched', async () => {
  const inFlight: (() => void)[] = [];
  const selectOne = vi.spyOn(app.services.db, 'selectOne').mockImplementation(() => {
    if (selectOne.mock.calls.length === 1) return Promise.reject(new DatabaseAway());
    return new Promise((resolve) => inFlight.push(() => resolve(undefined)));
  });
  try {
    expect((await app.call(world.admin, 'GET', 'search?q=North')).status).toBe(503);
    const statements = selectOne.mock.calls.length;
    for (const finish of inFlight) finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(selectOne.mock.calls.length).toBe(statements);
  } finally {
    selectOne.mockRestore();
  }
});
