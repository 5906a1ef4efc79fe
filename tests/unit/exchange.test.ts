import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { readableKind } from '../../schema/files';
import { languageCodes } from '../../schema/texts/types';
import { csvLine } from '../../server/api/exchange/csv';
import { xlsxOf } from '../../server/api/exchange/xlsx';

const cells = [
  'plain',
  '01067',
  'a "quoted", text',
  'two\nlines',
  '=1+1',
  '+49 30',
  '-x',
  '@sum',
  "'=kept",
  '＝1',
  ' spaced ',
  '<b>&amp;</b>',
  '😀',
  '_x0041_',
  'bell\u0007',
  -5,
  1.25,
  null,
];

describe('Exported files', () => {
  test('for people who write numbers with a comma have semicolons, whatever the text', () => {
    expect(languageCodes.map((language) => readableKind('csv', language).delimiter ?? ',').join('')).toBe(',;;;;;');
    expect(readableKind('xlsx', 'de')).toEqual({ format: 'xlsx' });
    const { data } = Papa.parse<string[]>(csvLine(['a;b', 'c,d', -1.5, 1200, null, '=1'], ';').trimEnd(), { delimiter: ';' });
    expect(data[0]).toEqual(['a;b', 'c,d', '-1,5', '1200', '', "'=1"]);
  });

  test('csv is read back by a parser, formulas are defused', () => {
    const { data } = Papa.parse<string[]>(csvLine(cells).trimEnd());
    expect(data[0]).toEqual([
      'plain',
      '01067',
      'a "quoted", text',
      'two\nlines',
      "'=1+1",
      "'+49 30",
      "'-x",
      "'@sum",
      "''=kept",
      "'＝1",
      ' spaced ',
      '<b>&amp;</b>',
      '😀',
      '_x0041_',
      'bell\u0007',
      '-5',
      '1.25',
      '',
    ]);
  });

  test('xlsx is read back by a spreadsheet library, text stays text', async () => {
    async function* batches() {
      yield [cells];
    }
    const book = read(await bytesOf(xlsxOf({ name: 'Machines: 1/2', head: ['A', 'B'], batches: batches() })));
    expect(book.SheetNames).toEqual(['Machines  1 2']);
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets['Machines  1 2'] as never, { header: 1, raw: true });
    expect(rows[0]).toEqual(['A', 'B']);
    expect((rows[1] as unknown[]).slice(0, 17)).toEqual(cells.slice(0, 17));
  });

  test('what does not fit on a sheet goes on the next one, under the same head', async () => {
    async function* batches() {
      yield [['a'], ['b'], ['c']];
      yield [['d'], ['e']];
    }
    const sheets = async (mostRows: number) => {
      const { SheetNames, Sheets } = read(await bytesOf(xlsxOf({ name: 'Events of the machines in Hamburg', head: ['H'], batches: batches(), mostRows })));
      return SheetNames.map((name) => [
        name,
        utils
          .sheet_to_json<string[]>(Sheets[name] as never, { header: 1 })
          .flat()
          .join(''),
      ]);
    };
    expect(await sheets(3)).toEqual([
      ['Events of the machines in Hambu', 'Hab'],
      ['Events of the machines in H (2)', 'Hcd'],
      ['Events of the machines in H (3)', 'He'],
    ]);
    expect(await sheets(6)).toEqual([['Events of the machines in Hambu', 'Habcde']]);
  });

  test('a workbook that nobody reads to its end, or whose rows fail, lets go of what it is written from', async () => {
    let left = false;
    async function* endless() {
      try {
        for (;;) yield [['x'.repeat(100)]];
      } finally {
        left = true;
      }
    }
    for await (const _ of xlsxOf({ name: 'A', head: ['H'], batches: endless() })) break;
    for await (const bytes of xlsxOf({ name: 'A', head: ['H'], batches: endless() })) if (bytes.length > 1000) break;
    await expect.poll(() => left).toBe(true);
    async function* failing() {
      yield [['a']];
      throw new Error('The database is away.');
    }
    await expect(bytesOf(xlsxOf({ name: 'A', head: ['H'], batches: failing() }))).rejects.toThrow('away');
  });
});

async function bytesOf(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}
