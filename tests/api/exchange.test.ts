/**
 * Exports: PostgreSQL prints the same CSV and spreadsheet cells as the server code. A machine's log is searched, sorted
 * and downloaded consistently.
 */
import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { fileDelimiters } from '../../schema/shared/files';
import { pg } from '../../server/db/core/rowShape';
import { pieceSql, type SheetCell } from '../../server/files/cells';
import { csvLine } from '../../server/files/csv';
import { type FileKind, pieceShape } from '../../server/files/sendSheet';
import { framesHeader, readRowCount } from '../support/framedFile';
import { startTestWorld, type TestApp } from '../support/startTestApp';
import type { World } from '../support/world';

let app: TestApp;
let world: World;
beforeAll(async () => {
  ({ app, world } = await startTestWorld());
});
afterAll(() => app.close());

const printInDatabase = async (kind: FileKind, values: readonly unknown[], cell: (value: SQL) => SheetCell) => {
  const from = sql`json_array_elements(${JSON.stringify(values)}::text::json) with ordinality as input(value, nth)`;
  const row = await app.db.selectOne(
    pieceShape,
    pieceSql({ ...kind, cells: [cell(sql`(value#>>'{}')`)], from, by: [{ value: sql`nth` }] }),
  );
  return row?.piece.toString() ?? '';
};

describe('CSV line', () => {
  const specialCharacter = fc.constantFrom(
    ...'=+-@\t\r\n",\'abc XY09.:äßÖŁɏɐ×€😀＝＋－＠\u00a0\u2003\u2028\ufeff\u0085\u000b\u200b\u00ad\u3000;|',
  );
  const text = fc.array(specialCharacter, { maxLength: 6 }).map((characters) => characters.join(''));

  test.each(fileDelimiters)('is printed by the database as by the server code, for any text: %s', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 40, maxLength: 120 }), async (texts) => {
        const lines = await printInDatabase({ format: 'csv', delimiter }, texts, (value) => ({ value, type: 'text' }));
        expect(lines).toBe(texts.map((text) => csvLine([text], delimiter)).join(''));
      }),
      { numRuns: 25 },
    );
  });

  test.each(fileDelimiters)('formats numbers for the locale of the delimiter: %s', async (delimiter) => {
    const numbers = [0, 1.5, -2.25, 0.00005, 1e15, 123456789.125, 52.520008, null];
    const lines = await printInDatabase({ format: 'csv', delimiter }, numbers, (value) => ({
      value: sql`${value}::float8`,
      type: 'float',
    }));
    const expected = ['0', '1.5', '-2.25', '0.00005', '1000000000000000', '123456789.125', '52.520008', ''];
    expect(lines).toBe(expected.map((line) => `${delimiter === ';' ? line.replace('.', ',') : line}\r\n`).join(''));
  });

  test('for a workbook is a JSON array of the same cells', async () => {
    const cells = await printInDatabase({ format: 'xlsx', delimiter: ',' }, ['=1', 'ä"', null], (value) => ({
      value,
      type: 'text',
    }));
    expect(JSON.parse(`[${cells}]`)).toEqual([['=1'], ['ä"'], [null]]);
  });
});

describe('an export', () => {
  const columns = 'serial_number,status,is_dummy,price,purchase_date,last_seen,latitude,operating_time,fleet_id,note';
  const exportMachines = async (query: string, language = 'en') =>
    (
      await app.call(world.admin, 'GET', `machines/export?${query}`, undefined, {
        'accept-language': language,
        'time-zone': 'Europe/Berlin',
      })
    ).bytes;
  beforeAll(async () => {
    await app.db.rows(
      sql`update machines set serial_number = '007', note = '=1, "x"', price = 1200.50, purchase_date = '2025-03-09'
        where id = ${world.north.machines[0]}`,
    );
    await app.db.rows(
      sql`update machines_state set last_seen = '2026-07-01T22:30:00Z', latitude = 53.55, operating_time = 3600
        where id = ${world.north.machines[0]}`,
    );
  });
  const filterAndColumns = () => `filter[id]=${world.north.machines[0]}&columns=${columns}`;

  test('contains the rows of the list, in the language and time zone of the caller', async () => {
    const fleet = await app.db.selectOne(
      { name: pg.text },
      sql`select name from fleets where id = ${world.north.fleets[0]}`,
    );
    const lines = (await exportMachines(`format=csv&${filterAndColumns()}`)).toString().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFSerial number,/);
    expect(lines[1]).toBe(
      `007,Offline,No,1200.5,09.03.2025,02.07.2026 00:30:00,53.55,3600,${fleet?.name},"'=1, ""x"""`,
    );
    expect(lines.slice(2)).toEqual(['']);
  });

  test('uses the requested delimiter', async () => {
    const [, line] = (await exportMachines(`format=csv&delimiter=;&${filterAndColumns()}`)).toString().split('\r\n');
    expect(line).toMatch(/^007;Offline;No;1200,5;09\.03\.2025;02\.07\.2026 00:30:00;53,55;3600;.+;"'=1, ""x"""$/);
    expect((await app.call(world.admin, 'GET', 'machines/export?delimiter=%09')).status).toBe(422);
  });

  test('writes text as text and numbers as numbers in a workbook', async () => {
    const workbook = read(await exportMachines(`format=xlsx&${filterAndColumns()}`));
    const rows = utils.sheet_to_json<unknown[]>(workbook.Sheets[workbook.SheetNames[0] as string] as never, {
      header: 1,
      raw: true,
    });
    expect(rows[1]?.slice(0, 8)).toEqual([
      '007',
      'Offline',
      'No',
      1200.5,
      '09.03.2025',
      '02.07.2026 00:30:00',
      53.55,
      3600,
    ]);
    expect(rows[1]?.[9]).toBe('=1, "x"');
  });

  test('contains all matching rows in order, even if they exceed one batch', async () => {
    await app.db.rows(sql`
      insert into countries (name) select 'Zone ' || lpad(n::text, 5, '0') from generate_series(1, 2500) n`);
    const { text } = await app.call(
      world.admin,
      'GET',
      'countries/export?format=csv&columns=name&sort=-name&filter[name]=Zone ',
    );
    expect(text.split('\r\n').slice(1, -1)).toEqual(
      Array.from({ length: 2500 }, (_, index) => `Zone ${String(2500 - index).padStart(5, '0')}`),
    );
    const emptyExport = await app.call(
      world.admin,
      'GET',
      'countries/export?format=csv&columns=name&filter[name]=nowhere',
    );
    expect(emptyExport.text).toBe('\uFEFFName\r\n');
  });
});

describe('machine log', () => {
  interface LogEvent {
    id: number;
    at: string;
    level: string;
    text: string;
  }
  let machine: number;
  let allEvents: LogEvent[];
  const listRows = async (query: string) =>
    (await app.call<{ data: LogEvent[]; total: number }>(world.admin, 'GET', `machines/${machine}/logs?${query}`)).body;

  beforeAll(async () => {
    machine = world.north.machines[1] as number;
    await app.db.rows(sql`
      insert into segments (machine_id, from_at, to_at, state, mode, reason, reason_at)
      select ${machine}::int, at, case when n < 1499 then at + interval '7 minutes' end,
        (array['Cleaning', 'Parked', 'Offline', 'Online'])[1 + n % 4], null,
        (array['cleaning', 'no_motion', 'silent', 'message'])[1 + n % 4],
        at - case when n % 4 = 2 then interval '10 minutes' else interval '0' end
      from (select n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '7 minutes' as at
        from generate_series(0, 1499) n) segment`);
    await app.db.rows(sql`
      insert into machine_logs (machine_id, at, level, kind, code, message, device_at)
      select ${machine}::int, '2026-01-01T00:00:00Z'::timestamptz + n * interval '14 minutes',
        (array['error', 'warning', 'error'])[1 + n % 3], case n % 3 when 1 then 'clock' else 'error' end,
        case when n % 3 <> 1 then 'E' || n % 12 end, case when n % 3 = 0 then 'Bürste klemmt, ' || n end,
        case when n % 3 = 1 then '2027-01-01T00:00:00Z'::timestamptz end
      from generate_series(0, 699) n`);
    allEvents = [
      ...(await listRows('per_page=1000')).data,
      ...(await listRows('per_page=1000&page=2')).data,
      ...(await listRows('per_page=1000&page=3')).data,
    ];
  });

  test('is sorted newest first, without gaps or repetitions', async () => {
    expect(allEvents).toHaveLength(2200);
    expect(new Set(allEvents.map(({ id }) => id)).size).toBe(2200);
    expect(allEvents).toEqual([...allEvents].sort((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1)));
    expect((await listRows('per_page=7&page=40')).data).toEqual(allEvents.slice(273, 280));
  });

  test.each([
    ['Bürste'],
    ['bÜrste'],
    ['e1'],
    ['E1,Parked'],
    ['cleaning: reported'],
    ['reported cleaning at'],
    ['01.01.2026 0'],
    ['6 01:0'],
    ['ng: '],
    ['10 min'],
    ['clock says'],
    ['%'],
    ['nothing of that kind'],
  ])('matches a search over its full text: %j', async (words) => {
    const searchWords = words.toLowerCase().split(',');
    const expected = allEvents.filter(({ text }) => searchWords.some((word) => text.toLowerCase().includes(word)));
    const { data, total } = await listRows(`per_page=1000&filter[text]=${encodeURIComponent(words)}`);
    expect([total, data]).toEqual([expected.length, expected.slice(0, 1000)]);
  });

  test('is filtered by level and period together', async () => {
    const [from, to] = ['2026-01-03T00:00:00Z', '2026-01-04'];
    const expected = allEvents.filter(({ at, level }) => at >= from && at < '2026-01-05' && level === 'warning');
    expect(expected.length).toBeGreaterThan(0);
    const query = `per_page=1000&filter[level]=warning&filter[from]=${from}&filter[to]=${to}`;
    expect(await listRows(query)).toMatchObject({ total: expected.length, data: expected });
    expect((await listRows('filter[level]=error&per_page=1')).total).toBe(
      allEvents.filter(({ level }) => level === 'error').length,
    );
  });

  test.each(['-at', 'at', 'level', '-text', 'level,at'])('is downloaded in the requested order: %s', async (sort) => {
    const { data } = await listRows(`per_page=1000&sort=${sort}`);
    const { text } = await app.call(world.admin, 'GET', `machines/${machine}/logs/export?format=csv&sort=${sort}`);
    const lines = text.split('\r\n').slice(1, -1);
    expect(lines).toHaveLength(2200);
    const levelLabels: Record<string, string> = { info: 'Information', warning: 'Warning', error: 'Error' };
    expect(lines.slice(0, 1000).map((line) => line.split(',').slice(1).join(','))).toEqual(
      data.map(({ level, text }) => csvLine([levelLabels[level] as string, text]).trimEnd()),
    );
  });

  test.each(['-at', '-text'])('export reports the number of rows sent, sorted by %s', async (sort) => {
    const { bytes } = await app.call(
      world.admin,
      'GET',
      `machines/${machine}/logs/export?sort=${sort}`,
      undefined,
      framesHeader,
    );
    expect(readRowCount(bytes)).toBe(2200);
  });

  test('export as a workbook contains the same rows', async () => {
    const { bytes } = await app.call(
      world.admin,
      'GET',
      `machines/${machine}/logs/export?format=xlsx&filter[level]=error`,
    );
    const workbook = read(bytes);
    const rows = utils.sheet_to_json<string[]>(workbook.Sheets[workbook.SheetNames[0] as string] as never, {
      header: 1,
    });
    expect(rows.slice(1).map((row) => row[2])).toEqual(
      allEvents.filter(({ level }) => level === 'error').map(({ text }) => text),
    );
  });
});
