/** Files become rows: judged by the same rules as forms, told row by row and cell by cell, written together or not at all. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app';
import { importCall, importFile } from '../support/imports';
import { addWorld, type World } from '../support/world';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await testApp();
  world = await addWorld(app.db);
});
afterAll(() => app.close());

const machine = (serial: string) => app.db.one<Record<string, unknown>>(sql`select * from machines where serial_number = ${serial} and deleted_at is null`);

describe('a dry run', () => {
  test('says what would become of each row, and writes nothing', async () => {
    const file = [
      'Serial number;Type;Fleet;Price',
      'NEW-1;Scrubber S1;North Fleet 1;1.234,50',
      'North-111;Scrubber S1;North Fleet 1;111,50',
      'North-112;Scrubber S1;North Fleet 1;9,99',
      'NEW-2;Nothing;North Fleet 1;x',
    ].join('\r\n');
    const { status, data } = await importFile(app, world.admin, 'machines', file);
    expect([status, data.state, data.counts]).toEqual([202, 'checked', { create: 1, update: 1, unchanged: 1, error: 1 }]);
    expect(data.errors).toEqual([
      { row: 5, column: 'Type', field: 'type_id', message: 'Machine type: nothing is called “Nothing”.' },
      { row: 5, column: 'Price', field: 'price', message: 'Price must be an amount with at most two decimals.' },
    ]);
    expect(await machine('NEW-1')).toBeUndefined();
    const done = await importCall(app, world.admin, 'POST', `${data.id}/commit`);
    expect([done.data.state, await machine('NEW-1')]).toEqual(['failed', undefined]);
  });
});

describe('a commit', () => {
  test('writes everything at once, and the same file once more changes nothing', async () => {
    const file =
      'serial_number,type,fleet,location,purchase_date,price\n00123,Scrubber S1,North Fleet 1,North Site 11,01.02.2024,100\n00124,Scrubber S1,North Fleet 1,North Site 12,2024-02-29,99.90\n';
    const first = await importFile(app, world.admin, 'machines', file, { commits: true });
    expect([first.data.state, first.data.counts]).toEqual(['done', { create: 2, update: 0, unchanged: 0, error: 0 }]);
    expect(await machine('00123')).toMatchObject({
      serial_number: '00123',
      purchase_date: '2024-02-01',
      price: '100.00',
      location_id: world.north.locations[0],
    });
    const again = await importFile(app, world.admin, 'machines', file, { commits: true });
    expect([again.data.state, again.data.counts]).toEqual(['done', { create: 0, update: 0, unchanged: 2, error: 0 }]);
  });
});
