import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
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
      yield [['A', 'B']];
      yield [cells];
    }
    const parts: Uint8Array[] = [];
    for await (const part of xlsxOf('Machines: 1/2', batches())) parts.push(part);
    const book = read(Buffer.concat(parts));
    expect(book.SheetNames).toEqual(['Machines  1 2']);
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets['Machines  1 2'] as never, { header: 1, raw: true });
    expect(rows[0]).toEqual(['A', 'B']);
    expect((rows[1] as unknown[]).slice(0, 17)).toEqual(cells.slice(0, 17));
  });
});
