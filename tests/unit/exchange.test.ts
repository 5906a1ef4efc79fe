import fc from 'fast-check';
import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { read, utils } from 'xlsx';
import { localizedFormat } from '../../schema/shared/files';
import { languageCodes } from '../../schema/shared/languages';
import { textCell } from '../../server/features/imports/importCell';
import { csvLine } from '../../server/files/csv';
import { printXlsx } from '../../server/files/printXlsx';

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

describe('exported files', () => {
  test('use semicolons between cells and commas in numbers in locales with a decimal comma', () => {
    expect(languageCodes.map((language) => localizedFormat('csv', language).delimiter ?? ',').join('')).toBe(',;;;;;');
    expect(localizedFormat('xlsx', 'de')).toEqual({ format: 'xlsx' });
    const { data } = Papa.parse<string[]>(csvLine(['a;b', 'c,d', -1.5, 1200, null, '=1'], ';').trimEnd(), {
      delimiter: ';',
    });
    expect(data[0]).toEqual(['a;b', 'c,d', '-1,5', '1200', '', "'=1"]);
  });

  test('are valid CSV in which formulas are defused', () => {
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

  describe('hidden formulas', () => {
    const sign = fc.constantFrom(...'=+-@＝＋－＠');
    const invisibleCharacters = fc.array(
      fc.constantFrom(
        ...' \t\n\r\u000b\f\u00a0\u1680\u2003\u2028\u202f\u3000\ufeff\u200b\u200e\u2060\u00ad\u0001\u0085',
      ),
      {
        maxLength: 5,
      },
    );
    const anyText = fc.string({ unit: fc.constantFrom(...'=+-@＝\'\t\r\n \u00a0\u200b,;"ab1é😀'), maxLength: 12 });
    const readBack = (text: string, delimiter: ',' | ';') =>
      Papa.parse<string[]>(csvLine([text], delimiter).slice(0, -2), { delimiter, newline: '\r\n' })
        .data[0]?.[0] as string;

    test.each([',', ';'] as const)('get an apostrophe in front, with %s between the cells', (delimiter) => {
      const text = fc
        .tuple(invisibleCharacters, sign, anyText)
        .map(([before, first, rest]) => before.join('') + first + rest);
      fc.assert(fc.property(text, (cell) => readBack(cell, delimiter) === `'${cell}`));
    });

    test.each([
      ',',
      ';',
    ] as const)('and all other texts are read back unchanged, with %s between the cells', (delimiter) => {
      const text = fc.oneof(
        anyText,
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        fc
          .tuple(fc.constantFrom('', "'", "''"), invisibleCharacters, anyText)
          .map(([quotes, before, rest]) => quotes + before.join('') + rest),
      );
      fc.assert(
        fc.property(
          text.filter((cell) => cell !== '' && !cell.includes('\0')),
          (cell) => textCell(readBack(cell, delimiter)) === cell,
        ),
      );
    });
  });

  test('xlsx files can be read by a spreadsheet library, and text stays text', async () => {
    async function* batches() {
      yield [cells];
    }
    const book = read(await collectBytes(printXlsx({ name: 'Machines: 1/2', head: ['A', 'B'], batches: batches() })));
    expect(book.SheetNames).toEqual(['Machines  1 2']);
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets['Machines  1 2'] as never, { header: 1, raw: true });
    expect(rows[0]).toEqual(['A', 'B']);
    expect((rows[1] as unknown[]).slice(0, 17)).toEqual(cells.slice(0, 17));
  });

  test('a workbook contains no characters that XML forbids, and no sheet name that Excel rejects', async () => {
    async function* batches() {
      yield [['a\uFFFFb', 'a\uFFFEb', 'a\0b']];
    }
    const workbook = { name: "'Quoted'", head: ['A', 'B', 'C'], batches: batches() };
    const parts = unzipSync(await collectBytes(printXlsx(workbook)));
    const sheetXml = Buffer.from(parts['xl/worksheets/sheet1.xml'] ?? []).toString();
    expect(sheetXml).toContain('a_xFFFF_b');
    expect(sheetXml).not.toMatch(/[\uFFFE\uFFFF\0]/);
    expect(Buffer.from(parts['xl/workbook.xml'] ?? []).toString()).toContain('name=" Quoted "');
  });

  test('a URL is a link in a workbook, on its own row and sheet, and plain text in CSV', async () => {
    const hrefs = ['a', 'b', 'c'].map((path) => `https://fleet.example/${path}?x=1&y="2"`);
    async function* batches() {
      yield hrefs.slice(0, 2).map((href, index) => [index, { href }]);
      yield hrefs.slice(2).map((href) => [2, { href }]);
    }
    const book = read(
      await collectBytes(printXlsx({ name: 'Runs', head: ['N', 'L'], batches: batches(), maxRows: 3 })),
    );
    const linkOf = (sheet: string, ref: string) => {
      const cell = book.Sheets[sheet]?.[ref] as { v: string; l?: { Target: string } } | undefined;
      return [cell?.v, cell?.l?.Target.replaceAll('&amp;', '&').replaceAll('&quot;', '"')];
    };
    expect(linkOf('Runs', 'B2')).toEqual([hrefs[0], hrefs[0]]);
    expect(linkOf('Runs', 'B3')).toEqual([hrefs[1], hrefs[1]]);
    expect(linkOf('Runs (2)', 'B2')).toEqual([hrefs[2], hrefs[2]]);
    expect(linkOf('Runs', 'A2')).toEqual([0, undefined]);
    expect(csvLine([1, { href: 'https://fleet.example/runs/7' }])).toBe('1,https://fleet.example/runs/7\r\n');
  });

  test('rows beyond the limit of a sheet go to the next sheet, below the same header', async () => {
    async function* batches() {
      yield [['a'], ['b'], ['c']];
      yield [['d'], ['e']];
    }
    const sheets = async (maxRows: number) => {
      const { SheetNames, Sheets } = read(
        await collectBytes(
          printXlsx({ name: 'Events of the machines in Hamburg', head: ['H'], batches: batches(), maxRows }),
        ),
      );
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

  test('a workbook releases its source if its reader stops early, and fails if its rows fail', async () => {
    let hasEnded = false;
    async function* endlessRows() {
      try {
        for (;;) yield [['x'.repeat(100)]];
      } finally {
        hasEnded = true;
      }
    }
    for await (const _ of printXlsx({ name: 'A', head: ['H'], batches: endlessRows() })) break;
    for await (const bytes of printXlsx({ name: 'A', head: ['H'], batches: endlessRows() }))
      if (bytes.length > 1000) break;
    await expect.poll(() => hasEnded).toBe(true);
    async function* failAfterFirst() {
      yield [['a']];
      throw new Error('The database is away.');
    }
    await expect(collectBytes(printXlsx({ name: 'A', head: ['H'], batches: failAfterFirst() }))).rejects.toThrow(
      'away',
    );
  });
});

async function collectBytes(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of parts) chunks.push(chunk);
  return Buffer.concat(chunks);
}
