/**
 * Imports of files as rows: validated by the rules of forms, with problems per row and cell, and all or none committed.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enqueueStep } from '../../server/features/imports/enqueueStep';
import { type ImportJob, readImportJob, setImportState } from '../../server/features/imports/job';
import { isValidationFresh } from '../../server/features/imports/validationSnapshot';
import { callImport, importFile, waitUntilFinished } from '../support/importFile';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const findMachine = (serial: string) =>
  app.db.one(sql`select * from machines where serial_number = ${serial} and deleted_at is null`);

test('accepts files with the extension xlsx, xls or csv, in any case, and rejects others', async () => {
  const sendFile = async (name: string) => {
    const { status, body } = await importFile(app, world.admin, 'types', 'name\nNamed\n', { name });
    return [status, body.errors?.file];
  };
  for (const name of ['a.pdf', 'a.txt', 'a.xlsm', 'a.csv.exe', 'csv', 'a.', ''])
    expect([name, ...(await sendFile(name))]).toEqual([name, 422, ['File must be xlsx, xls or csv.']]);
  for (const name of ['a.csv', 'A.CSV', 'a.b.Xlsx', '.xls'])
    expect([name, ...(await sendFile(name))]).toEqual([name, 202, undefined]);
});

describe('dry run', () => {
  test('returns the action per row, and writes nothing', async () => {
    const file = [
      'Serial number *;Type;Fleet;Price (EUR)',
      'NEW-1;Scrubber S1;North Fleet 1;1.234,50',
      'North-111;Scrubber S1;North Fleet 1;111,50',
      'North-112;Scrubber S1;North Fleet 1;9,99',
      'NEW-2;Nothing;North Fleet 1;x',
    ].join('\r\n');
    const { status, data } = await importFile(app, world.admin, 'machines', file);
    expect([status, data.state, data.counts]).toEqual([
      202,
      'checked',
      { create: 1, update: 1, unchanged: 1, error: 1 },
    ]);
    expect(data.errors).toEqual([
      { row: 5, column: 'Type', field: 'type_id', message: 'Machine type: nothing is called “Nothing”.' },
      { row: 5, column: 'Price (EUR)', field: 'price', message: 'Price must be an amount with at most two decimals.' },
    ]);
    expect(await findMachine('NEW-1')).toBeUndefined();
    const commitResponse = await callImport(app, world.admin, 'POST', `${data.id}/commit`);
    expect([commitResponse.data.state, await findMachine('NEW-1')]).toEqual(['failed', undefined]);
  });
});

describe('commit', () => {
  test('writes all rows at once; importing the same file again changes nothing', async () => {
    const file =
      'serial_number,type,fleet,location,purchase_date,price\n00123,Scrubber S1,North Fleet 1,North Site 11,01.02.2024,100\n00124,Scrubber S1,North Fleet 1,North Site 12,2024-02-29,99.90\n';
    const first = await importFile(app, world.admin, 'machines', file, { commits: true });
    expect([first.data.state, first.data.counts]).toEqual(['done', { create: 2, update: 0, unchanged: 0, error: 0 }]);
    expect(await findMachine('00123')).toMatchObject({
      serial_number: '00123',
      purchase_date: '2024-02-01',
      price: '100.00',
      location_id: world.north.locations[0],
    });
    const secondImport = await importFile(app, world.admin, 'machines', file, { commits: true });
    expect([secondImport.data.state, secondImport.data.counts]).toEqual([
      'done',
      { create: 0, update: 0, unchanged: 2, error: 0 },
    ]);
  });
});

describe('the validation snapshot', () => {
  test('stays valid while machines report and progress is stored, until a row that a rule depends on changes', async () => {
    const { data } = await importFile(
      app,
      world.admin,
      'machines',
      'serial_number,type,fleet\nSTAND-1,Scrubber S1,North Fleet 1\n',
    );
    const isFresh = async () =>
      isValidationFresh(app.db, app.services.model, (await readImportJob(app.db, data.id)) as ImportJob);
    expect(await isFresh()).toBe(true);
    await app.db.rows(sql`update machines_state set battery = 51 where id = ${world.north.machines[0]}`);
    await app.db.rows(sql`update imports_state set progress = 7 where id = ${data.id}`);
    expect(await isFresh()).toBe(true);
    await app.db.rows(sql`update locations set city = city where id = ${world.north.locations[0]}`);
    expect(await isFresh()).toBe(false);
    const commitResponse = await callImport(app, world.admin, 'POST', `${data.id}/commit`);
    expect([commitResponse.data.state, commitResponse.data.counts.create]).toEqual(['done', 1]);
  });
});

describe('corrections before the commit', () => {
  test('a cell can be corrected in place, and missing names can be added', async () => {
    const file = 'serial_number,type,fleet,price\nFIX-1,Dry mop D7,North Fleet 1,abc\n';
    const { data } = await importFile(app, world.admin, 'machines', file);
    expect([data.counts.error, data.missing]).toEqual([1, { type_id: ['Dry mop D7'] }]);
    const editResponse = await app.call<{ data: { action: string; errors: { field: string }[] } }>(
      world.admin,
      'PATCH',
      `imports/${data.id}/rows/2`,
      {
        cells: { price: '12,50' },
      },
    );
    expect([editResponse.status, editResponse.body.data.errors.map(({ field }) => field)]).toEqual([200, ['type_id']]);
    const checkResponse = await callImport(app, world.admin, 'POST', `${data.id}/check`, {
      create_missing: ['type_id'],
    });
    expect([checkResponse.data.state, checkResponse.data.counts]).toEqual([
      'checked',
      { create: 1, update: 0, unchanged: 0, error: 0 },
    ]);
    const commitResponse = await callImport(app, world.admin, 'POST', `${data.id}/commit`);
    expect(commitResponse.data.state).toBe('done');
    expect(
      await app.db.one(
        sql`select t.name, m.price from machines m join types t on t.id = m.type_id where m.serial_number = 'FIX-1'`,
      ),
    ).toEqual({
      name: 'Dry mop D7',
      price: '12.50',
    });
  });

  test('invalid rows can be skipped, and downloaded as a file with the reasons', async () => {
    const file =
      'serial_number,fleet,type\nGOOD-1,North Fleet 1,Scrubber S1\nGOOD-1,North Fleet 1,Scrubber S1\nBAD-1,Nowhere,Scrubber S1\n';
    const { data } = await importFile(app, world.admin, 'machines', file, { fields: { rows: 'good' }, commits: true });
    expect([data.state, data.counts]).toEqual(['done', { create: 1, update: 0, unchanged: 0, error: 2 }]);
    const rejectedRows = await app.call<string>(world.admin, 'GET', `imports/${data.id}/rejected?format=csv`);
    expect(rejectedRows.text).toContain('GOOD-1,North Fleet 1,Scrubber S1,This is the same entry as in row 2.');
    expect(rejectedRows.text).toContain('BAD-1,Nowhere,Scrubber S1,Fleet: nothing is called “Nowhere”.');
  });

  test('an empty cell leaves the stored value, unless empty cells clear it', async () => {
    const file = 'serial_number,note,price\nNorth-121,,\n';
    expect((await importFile(app, world.admin, 'machines', file)).data.counts.unchanged).toBe(1);
    const { data } = await importFile(app, world.admin, 'machines', file, {
      fields: { empty: 'clear' },
      commits: true,
    });
    expect([data.state, (await findMachine('North-121'))?.price]).toEqual(['done', null]);
  });
});

describe('values missing from the file', () => {
  const file =
    'serial_number;Type;Status;Site\nSAY-1;Scrubber S1;Ready to deploy;Depot A\nSAY-2;Scrubber S1;Broken;Depot A\n';

  test('can be set for every row, and words can be mapped to values; the next file with the same headings reuses both', async () => {
    const mapping = JSON.stringify({
      serial_number: 'serial_number',
      Type: 'type',
      Status: 'stock_state',
      Site: 'location',
    });
    const { data } = await importFile(app, world.admin, 'machines', file, { fields: { mapping } });
    expect([data.counts.error, data.missing]).toEqual([
      2,
      { stock_state: ['Ready to deploy', 'Broken'], location_id: ['Depot A'] },
    ]);
    expect(data.errors.map(({ message }) => message)).toContain(
      'Stock state must be one of: In stock, Deployed, In repair, Retired.',
    );
    const columnMapping = {
      fixed: { fleet_id: String(world.north.fleets[0]), purchase_date: '01.02.2024' },
      words: {
        stock_state: { 'Ready to deploy': 'in_stock', Broken: 'in_repair' },
        location_id: { 'Depot A': String(world.north.locations[0]) },
      },
    };
    const checkResponse = await callImport(app, world.admin, 'POST', `${data.id}/check`, columnMapping);
    expect([checkResponse.data.errors, checkResponse.data.counts.create]).toEqual([[], 2]);
    expect((await callImport(app, world.admin, 'POST', `${data.id}/commit`)).data.state).toBe('done');
    expect(await findMachine('SAY-2')).toMatchObject({
      stock_state: 'in_repair',
      fleet_id: world.north.fleets[0],
      location_id: world.north.locations[0],
      purchase_date: '2024-02-01',
    });
    const secondImport = await importFile(app, world.admin, 'machines', file.replaceAll('SAY-', 'SAID-'));
    expect([secondImport.data.errors, secondImport.data.counts.create]).toEqual([[], 2]);
  });

  test('are overridden by a column, and limited to the scope of columns', async () => {
    const fixedValues = JSON.stringify({ note: 'for all', price: '7,50' });
    const { data } = await importFile(app, world.admin, 'machines', 'serial_number,note\nNorth-222,own\nNorth-221,\n', {
      fields: { fixed: fixedValues },
      commits: true,
    });
    expect([data.state, (await findMachine('North-222'))?.note, (await findMachine('North-222'))?.price]).toEqual([
      'done',
      'own',
      '7.50',
    ]);
    const importRow = (fields: Record<string, string>) =>
      importFile(app, world.north.users.partner, 'machines', 'serial_number\nX\n', { fields });
    for (const name of ['status', 'id', 'nonsense', '__proto__']) {
      const response = await importRow({ fixed: `{${JSON.stringify(name)}:"1"}` });
      expect([name, response.status]).toEqual([name, name === 'id' ? 202 : 422]);
    }
    expect((await importRow({ words: '{"nonsense":{"a":"b"}}' })).status).toBe(422);
    for (const json of ['[]', '{"note":1}', '"x"', '{"note":{}}'])
      expect((await importRow({ fixed: json })).status).toBe(422);
    const foreignReference = await importRow({
      fixed: JSON.stringify({ fleet_id: String(world.south.fleets[0]), type_id: String(world.type) }),
    });
    expect(foreignReference.data.errors).toMatchObject([
      { row: 2, column: null, field: 'fleet_id', message: 'Fleet: no such entry.' },
    ]);
  });
});

describe('undo of an import', () => {
  test('restores changed rows and deletes created ones', async () => {
    const file =
      'serial_number,fleet,type,note\nUNDO-1,North Fleet 1,Scrubber S1,new\nNorth-211,North Fleet 2,Scrubber S1,changed\n';
    const { data } = await importFile(app, world.admin, 'machines', file, { commits: true });
    expect([data.state, (await findMachine('North-211'))?.note]).toEqual(['done', 'changed']);
    const undo = await callImport(app, world.admin, 'POST', `${data.id}/undo`);
    expect([undo.data.state, (await findMachine('North-211'))?.note, await findMachine('UNDO-1')]).toEqual([
      'undone',
      null,
      undefined,
    ]);
  });

  test('is rejected if rows have changed since, and names them', async () => {
    const { data } = await importFile(
      app,
      world.admin,
      'machines',
      'serial_number,note\nNorth-212,one\nNorth-221,two\n',
      { commits: true },
    );
    await app.call(world.admin, 'PATCH', `machines/${world.north.machines[6]}`, { note: 'by hand' });
    const { status, body } = await app.call(world.admin, 'POST', `imports/${data.id}/undo`);
    expect([status, body]).toEqual([
      409,
      { message: 'One row has been changed since: nothing was taken back.', rows: [{ row: 3 }] },
    ]);
    expect((await findMachine('North-212'))?.note).toBe('one');
  });
});

describe('unreadable file', () => {
  test.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 422],
    ['an empty file', Buffer.alloc(0), 202],
    ['a truncated workbook', Buffer.from('PK\x03\x04 and no more'), 202],
    ['an unclosed quotation mark', Buffer.from('a,b\n"x,1\n2,3\n'), 202],
  ])('%s is rejected with a message, and the server continues', async (_, bytes, status) => {
    const upload = await importFile(app, world.admin, 'machines', bytes);
    expect(upload.status).toBe(status);
    if (status === 202)
      expect([upload.data.state, upload.data.problem]).toEqual(['failed', expect.stringMatching(/.{10,}/)]);
    expect((await app.call(world.admin, 'GET', 'machines?per_page=1')).status).toBe(200);
  });
});

test('no failure leaves an import without a reason', async () => {
  const { data } = await importFile(app, world.admin, 'types', 'name\nReasoned\n');
  const states: unknown[] = [];
  const rows: typeof app.db.rows = async (query) => {
    const results = await app.db.rows(query);
    const { state, problem } = (await readImportJob(app.db, data.id)) as ImportJob;
    states.push([state, problem?.text]);
    return results;
  };
  await setImportState({ ...app.db, rows }, data.id, { state: 'failed', problem: { text: 'import_damaged' } });
  await setImportState({ ...app.db, rows }, data.id, { state: 'checked', problem: null });
  expect(states).toEqual([
    ['failed', 'import_damaged'],
    ['checked', undefined],
  ]);
});

test('an import of a killed process is continued by the next process', async () => {
  const { data } = await importFile(
    app,
    world.admin,
    'machines',
    'serial_number,fleet,type\nLEFT-1,North Fleet 1,Scrubber S1\n',
  );
  // Simulates a killed process: its transaction is rolled back, its lease has expired.
  await app.db.rows(sql`update imports set state = 'committing' where id = ${data.id}`);
  await app.db.transaction(async (tx) => {
    await enqueueStep(tx, data.id, app.services.now());
    await tx.rows(sql`
      update jobs set state = 'running', worker = gen_random_uuid(), attempts = 1,
        lease_until = now() - interval '1 minute'
      where kind = 'import' and state = 'queued'`);
  });
  await importFile(app, world.admin, 'machines', 'serial_number\nNorth-111\n');
  expect([(await waitUntilFinished(app, world.admin, data.id)).state, await findMachine('LEFT-1')]).toEqual([
    'done',
    expect.objectContaining({ serial_number: 'LEFT-1' }),
  ]);
});
