/** Texts and rows of imports: names of rows to create, truncated texts, corrected cells, and pages of rows. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadCallerOfUser } from '../../server/auth/loadCaller';
import type { Caller } from '../../server/context/caller';
import { editRow } from '../../server/features/imports/editRow';
import { type ImportJob, readImportJob } from '../../server/features/imports/job';
import { callImport, importFile } from '../support/importFile';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

test('a missing name is added once, whatever its case and spaces; one that is too long is a problem', async () => {
  const fields = { create_missing: '["type_id"]' };
  const importTypes = (types: string[], commits: boolean) =>
    importFile(
      app,
      world.admin,
      'machines',
      ['serial_number,fleet,type', ...types.map((type, index) => `NAME-${index},North Fleet 1,${type}`)].join('\n'),
      { fields, commits },
    );
  const { data } = await importTypes([' Scrubber S1 ', 'Nova', ' nova'], true);
  expect([data.state, data.problem]).toEqual(['done', null]);
  const types = sql`select name from types where name ilike 'scrubber s1' or name ilike 'nova' order by 1`;
  expect(await app.db.rows(types)).toEqual([{ name: 'Nova' }, { name: 'Scrubber S1' }]);
  expect((await importTypes(['x'.repeat(61)], false)).data.errors).toMatchObject([{ row: 2, field: 'type_id' }]);
});

test('a row that exists is not announced as changed by an import that only creates', async () => {
  const file = 'serial_number,fleet,type\nNorth-111,North Fleet 1,Unheard of\n';
  const fields = { mode: 'create', create_missing: '["type_id"]' };
  const { data } = await importFile(app, world.admin, 'machines', file, { fields });
  expect(data.counts).toEqual({ create: 0, update: 0, unchanged: 1, error: 0 });
});

test('rows that differ in a missing name only are not the same entry', async () => {
  const file = 'type,name,every_months\nVega,Monthly,1\nLyra,Monthly,1\n';
  const { data } = await importFile(app, world.admin, 'service_plans', file, {
    fields: { create_missing: '["type_id"]' },
    commits: true,
  });
  expect([data.state, data.errors]).toEqual(['done', []]);
});

test('each missing name of a list is added', async () => {
  const headings = 'first_name,last_name,email,role,language,countries';
  const file = `${headings}\nA,B,a.b@example.com,Admin,English,"Atlantis, Utopia, atlantis"\n`;
  const { data } = await importFile(app, world.admin, 'users', file, {
    fields: { create_missing: '["country_ids"]' },
    commits: true,
  });
  expect([data.state, data.problem]).toEqual(['done', null]);
  const countries = sql`
    select c.name from countries c join users_countries k on k.countries_id = c.id
    join users u on u.id = k.users_id where u.email = 'a.b@example.com' order by 1`;
  expect(await app.db.rows(countries)).toEqual([{ name: 'Atlantis' }, { name: 'Utopia' }]);
});

test('truncates long texts without splitting an emoji', async () => {
  const [sample, heading, name] = [79, 254, 199].map((length) => `${'x'.repeat(length)}😀`);
  const file = `serial_number,note,fleet,${heading}\nLONG-1,${sample},${name},1\n`;
  const { data } = await importFile(app, world.admin, 'machines', file);
  expect([data.state, data.problem]).toEqual(['checked', null]);
  expect(data.missing.fleet_id).toEqual(['x'.repeat(199)]);
});

test('settings and corrected cells that cannot be stored are rejected', async () => {
  const { data } = await importFile(app, world.admin, 'types', 'name\nStorable\n');
  for (const text of ['a\0', 'a\ud800'])
    for (const settings of [
      { sheet: text },
      { fixed: { name: text } },
      { create_missing: [text] },
      { mapping: { [text]: 'name' } },
      { words: { name: { [text]: 'a' } } },
    ])
      expect([settings, (await callImport(app, world.admin, 'POST', `${data.id}/check`, settings)).status]).toEqual([
        settings,
        422,
      ]);
  const edit = { cells: { name: 'a\ud800' } };
  expect((await app.call(world.admin, 'PATCH', `imports/${data.id}/rows/2`, edit)).status).toBe(422);
});

test('rows are filtered by one or several actions, and a page after the last one is empty', async () => {
  const { data } = await importFile(
    app,
    world.admin,
    'machines',
    'serial_number,fleet,type\nROW-1,?,Scrubber S1\nROW-2,North Fleet 1,Scrubber S1\n',
  );
  const readRows = async (query: string) => {
    const { status, body } = await app.call<{ data: { row: number }[] }>(
      world.admin,
      'GET',
      `imports/${data.id}/rows?${query}`,
    );
    return [status, body.data?.map(({ row }) => row)];
  };
  expect(await readRows('filter[action]=error')).toEqual([200, [2]]);
  expect(await readRows('filter[action]=create,error')).toEqual([200, [2, 3]]);
  expect((await readRows('filter[action]=create,x'))[0]).toBe(422);
  expect(await readRows('page=999999999&per_page=1000')).toEqual([200, []]);
});

test('a cell cannot be corrected once a commit has begun', async () => {
  const { data } = await importFile(app, world.admin, 'types', 'name\nBegun\n');
  const job = (await readImportJob(app.db, data.id)) as ImportJob;
  const reader = (await loadCallerOfUser(app.db, world.admin)) as Caller;
  await app.db.rows(sql`update imports set state = 'done' where id = ${data.id}`);
  const edit = app.db.transaction((tx) =>
    editRow(app.services, tx, { job, reader }, { row: 2, cells: { name: 'Changed' } }),
  );
  await expect(edit).rejects.toMatchObject({ status: 409 });
  expect((await readImportJob(app.db, data.id))?.state).toBe('done');
});
