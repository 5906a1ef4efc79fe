/** Parses import files: code pages, delimiters, dates and numbers of many countries, and malicious files. */
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { utils, write } from 'xlsx';
import { registry } from '../../schema/index';
import { languageCodes } from '../../schema/shared/languages';
import { decodeText, detectDelimiter } from '../../server/features/imports/decodeText';
import { textCell } from '../../server/features/imports/importCell';
import { importFileKind } from '../../server/features/imports/importFileKind';
import type { ImportTable } from '../../server/features/imports/importTable';
import { normalizeNumber, parseCell } from '../../server/features/imports/parseCell';
import { readCsvTable } from '../../server/features/imports/readCsvTable';
import { readWorkbookTable } from '../../server/features/imports/readWorkbookTable';
import { rowLimitOf } from '../../server/features/imports/rowLimit';
import { surveyTable } from '../../server/features/imports/surveyTable';
import { UnreadableFile } from '../../server/features/imports/unreadableFile';
import { apiErrorText } from '../../server/i18n/messages';
import { hasMoreRows, RowCounter } from '../../src/crud/imports/rowCounter';

const collectRows = (table: ImportTable) => {
  const rows: unknown[] = [];
  table.forEachRow((cells) => void rows.push(cells));
  return rows;
};
const value = (cell: Parameters<typeof parseCell>[0], name: keyof typeof registry.machines.fields, format = {}) =>
  parseCell(cell, { entity: registry.machines, name, format });
const rejectionOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof UnreadableFile ? error.text : error;
  }
};

describe('text of a csv file', () => {
  const words = 'Zażółć gęślą jaźń';
  test.each([
    ['UTF-8', Buffer.from(words), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${words}`), 'utf-8'],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${words}`, 'utf16le'), 'utf-16le'],
    ['UTF-16 without it', Buffer.from(`${words}; abc; def`, 'utf16le'), 'utf-16le'],
  ])('is decoded from %s', (_, bytes, encoding) => {
    const result = decodeText(bytes);
    expect([result.encoding, result.text.startsWith(words)]).toEqual([encoding, true]);
  });

  test('is decoded from the code pages of Central and Western Europe', () => {
    expect(decodeText(Buffer.from([0x5a, 0x61, 0xbf, 0xf3, 0xb3, 0xe6])).text).toBe('Zażółć');
    expect(decodeText(Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0x35, 0x20, 0x6d, 0xb3])).text).toBe(
      'Müller 5 m³',
    );
    expect(decodeText(Buffer.from([0x8a]), 'macintosh').text).toBe('ä');
  });

  test('is split at the separator of its lines', () => {
    expect(detectDelimiter('a;b;c\n1,5;2;3\n').delimiter).toBe(';');
    expect(detectDelimiter('a,b\n"1;2;3",4\n').delimiter).toBe(',');
    expect(detectDelimiter('a\tb\n1\t2\n').delimiter).toBe('\t');
    expect(collectRows(readCsvTable(Buffer.from('sep=|\r\na|b\r\n1|2'), {}))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  test('preserves quoted line breaks, and reports the position of an unclosed quotation mark', () => {
    expect(collectRows(readCsvTable(Buffer.from('a,b\n"one\r\ntwo","say ""hi"""\n'), {}))[1]).toEqual([
      'one\r\ntwo',
      'say "hi"',
    ]);
    expect(() => collectRows(readCsvTable(Buffer.from('a,b\n"open,2\n3,4\n'), {}))).toThrow(
      expect.objectContaining({ text: 'import_quotes', values: { row: 2 } }),
    );
  });

  test('loses only the apostrophe that our export adds', () => {
    expect([textCell("'=1+1"), textCell("''=1+1"), textCell("'quoted'"), textCell('-5')]).toEqual([
      '=1+1',
      "'=1+1",
      "'quoted'",
      '-5',
    ]);
    expect(textCell('a\0b')).toEqual({ wrong: 'a\u2400b' });
  });
});

describe('a cell', () => {
  test.each([
    ['31.12.2024', '2024-12-31'],
    ['1.2.24', '2024-02-01'],
    ['2024-12-31', '2024-12-31'],
    ['31/12/2024', '2024-12-31'],
    ['12/31/2024', '2024-12-31'],
    ['45657', '2024-12-31'],
    [45_657, '2024-12-31'],
  ])('%s is a day', (cell, day) => expect(value(cell, 'purchase_date')).toEqual({ value: day }));

  test('with an ambiguous date is invalid until its format is chosen', () => {
    expect(value('03/04/2024', 'purchase_date')).toHaveProperty('problem.text', 'import_date_order');
    expect(value('03/04/2024', 'purchase_date', { date_order: 'mdy' })).toEqual({ value: '2024-03-04' });
  });

  test.each([
    ['1.234,50 €', '1234.50', undefined],
    ['1,234.50', '1234.50', undefined],
    ["1'234.50", '1234.50', undefined],
    ['1 234,5', '1234.5', undefined],
    ['0,125', '0.125', undefined],
    ['1.234', '1234', ','],
    ['1.234', '1.234', '.'],
    ['-12', '-12', undefined],
    ['12.34.56', undefined, undefined],
    ['1234.567', '1234.567', ','],
    ['1.2,345,678', undefined, undefined],
    ['1234.567,50', undefined, undefined],
    ['12a', undefined, undefined],
  ] as const)('%s is the number %s', (text, number, decimal) => expect(normalizeNumber(text, decimal)).toBe(number));

  test('keeps leading zeros as text, and matches a choice by its label in any language', () => {
    expect(value({ number: 123, shown: '00123' }, 'serial_number')).toEqual({ value: '00123' });
    expect(value('00123', 'serial_number')).toEqual({ value: '00123' });
    expect(['Auf Lager', 'In stock', 'in_stock', 'I lager'].map((word) => value(word, 'stock_state'))).toEqual(
      Array(4).fill({ value: 'in_stock' }),
    );
    expect(['Ja', 'TAK', 'x', '1', true].map((word) => value(word, 'is_dummy'))).toEqual(
      Array(5).fill({ value: true }),
    );
    expect(value('maybe', 'is_dummy')).toEqual({ value: 'maybe' });
  });
});

describe('a workbook', () => {
  const createWorkbook = (
    rows: unknown[][],
    bookType: 'xlsx' | 'biff8' = 'xlsx',
    edit: (sheet: Record<string, object>) => void = () => {},
  ) => {
    const sheet = utils.aoa_to_sheet(rows, { cellDates: true });
    edit(sheet as Record<string, object>);
    const book = utils.book_new(sheet, 'Machines');
    return new Uint8Array(write(book, { type: 'array', bookType }) as ArrayBuffer);
  };

  test.each([
    'xlsx',
    'biff8',
  ] as const)('as %s is read with plain values, dates as days, and computed cells as their values', (type) => {
    const bytes = createWorkbook(
      [
        ['Serial', 'Padded', 'Bought', 'Sum'],
        ['007', 7, 45_657, 3],
      ],
      type,
      (sheet) => {
        Object.assign(sheet.B2 as object, { z: '00000' });
        Object.assign(sheet.C2 as object, { z: 'dd.mm.yyyy' });
        Object.assign(sheet.D2 as object, { f: '1+2' });
      },
    );
    const kind = importFileKind(bytes);
    const table = readWorkbookTable(bytes, kind ?? 'xlsx', {});
    expect(collectRows(table)[1]).toEqual(['007', { number: 7, shown: '00007' }, { date: '2024-12-31' }, 3]);
    surveyTable(table);
    expect([kind, table.formulaCount()]).toEqual(type === 'xlsx' ? ['xlsx', 1] : ['xls', 0]);
  });

  test('reports formulas that no program has computed, and takes a computed empty text as empty', () => {
    const bytes = createWorkbook([['Serial', 'Sum', 'Text'], ['A']], 'xlsx', (sheet) => {
      sheet.B2 = { t: 'z', f: '1+2', z: '0.00' };
      sheet.C2 = { t: 's', f: 'IF(A1="","","x")', v: '' };
    });
    expect(collectRows(readWorkbookTable(bytes, 'xlsx', {}))[1]).toEqual(['A', { wrong: '=1+2' }, null]);
    expect(value({ wrong: '=1+2' }, 'price')).toHaveProperty('problem.text', 'import_formula');
  });

  test('has its header at the start of the table, below titles and notes', () => {
    const { header_row, headings, rows } = surveyTable(
      readWorkbookTable(
        createWorkbook([['Our machines'], [], ['Serial', 'Type', 'Note'], ['A', 'S1', 'x'], ['B', 'S1', null]]),
        'xlsx',
        {},
      ),
    );
    expect({ header_row, headings, rows }).toEqual({ header_row: 3, headings: ['Serial', 'Type', 'Note'], rows: 2 });
  });
});

describe('a workbook of several sheets', () => {
  const bytesOf = (sheets: Record<string, unknown[][]>) => {
    const book = utils.book_new();
    for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
    return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer);
  };

  test('is read from the first sheet with a table, or from the chosen sheet', () => {
    const bytes = bytesOf({
      Cover: [['Our fleet']],
      Empty: [],
      Machines: [['Serial'], ['A']],
      More: [['Serial'], ['B']],
    });
    const [result, pickedSheet] = [
      readWorkbookTable(bytes, 'xlsx', {}),
      readWorkbookTable(bytes, 'xlsx', { sheet: 'More' }),
    ];
    expect([result.sheet, result.sheets, collectRows(pickedSheet)]).toEqual([
      'Machines',
      ['Cover', 'Empty', 'Machines', 'More'],
      [['Serial'], ['B']],
    ]);
    expect(readWorkbookTable(bytesOf({ Cover: [['Our fleet']], Empty: [] }), 'xlsx', {}).sheet).toBe('Cover');
  });
});

/** The zip file with a false size for its only entry, both in the directory and in the local header. */
function withClaimedSize(size: number, zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  for (const [mark, place] of [
    ['PK\x03\x04', 22],
    ['PK\x01\x02', 24],
  ] as const)
    bytes.writeUInt32LE(size, bytes.indexOf(mark) + place);
  return new Uint8Array(bytes);
}

describe('malicious file', () => {
  test('is recognized by its content, not its name', () => {
    expect(importFileKind(Buffer.from('serial,type\n1,2\n'))).toBe('csv');
    const polishText = '\uFEFFNumer\tWłaściciel\tMiejscowość\nŁ-1\tŻółć Gęślą\tŁódź\n';
    expect(importFileKind(Buffer.from(polishText, 'utf16le'))).toBe('csv');
    for (const bytes of [
      Buffer.from('%PDF-1.4 hello'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]),
      Buffer.from('<html><table></table></html>'),
      Buffer.from('\uFEFF<html><table></table></html>'),
      zipSync({ 'a.txt': Buffer.from('a') }),
    ])
      expect(importFileKind(bytes)).toBeUndefined();
  });

  test('is rejected if its unpacked size is excessive, it has too many entries, or it is truncated', () => {
    const bomb = withClaimedSize(420 * 1024 * 1024, zipSync({ 'xl/workbook.xml': Buffer.from('<workbook/>') }));
    expect(rejectionOf(() => importFileKind(bomb))).toBe('import_too_large');
    const manyEntries = zipSync(
      Object.fromEntries(Array.from({ length: 2_100 }, (_, index) => [`xl/${index}.xml`, new Uint8Array(1)])),
    );
    expect(rejectionOf(() => importFileKind(manyEntries))).toBe('import_too_large');
    expect(rejectionOf(() => importFileKind(manyEntries.subarray(0, 5_000)))).toBe('import_damaged');
  });

  test('is unpacked only up to the declared size', () => {
    const bytes = zipSync({ 'xl/workbook.xml': new Uint8Array(8 * 1024 * 1024) });
    for (const size of [0, 1000])
      expect(rejectionOf(() => readWorkbookTable(withClaimedSize(size, bytes), 'xlsx', {}))).toBe('import_damaged');
  });

  test('is recognized as an old workbook regardless of the case of its entry names', () => {
    const fileNamed = (name: string) =>
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(name, 'utf16le')]);
    expect(
      ['Workbook', 'WORKBOOK', 'Book', 'BOOK', 'WordDocument'].map((name) => importFileKind(fileNamed(name))),
    ).toEqual(['xls', 'xls', 'xls', 'xls', undefined]);
  });

  test('is rejected when encrypted', () => {
    const encryptedBytes = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    expect(rejectionOf(() => importFileKind(encryptedBytes))).toBe('import_encrypted');
  });

  test('has its long texts truncated, and is rejected if they fill many cells', () => {
    const longText = 'x'.repeat(32_000);
    const rows = `${longText},${longText},${longText}\n`.repeat(200);
    const table = readCsvTable(Buffer.from(`a,b,c\n${rows}`), {});
    expect((collectRows(table)[1] as string[]).map(({ length }) => length)).toEqual([20_001, 20_001, 20_001]);
    const cells = Array.from({ length: 50 }, () => longText.slice(0, 20_000));
    const manyRows: ImportTable = {
      kind: 'xlsx',
      sheets: [],
      formulaCount: () => 0,
      forEachRow: (take) => void [...Array(200).keys()].every((row) => take(cells, row + 1) !== false),
    };
    expect(rejectionOf(() => surveyTable(manyRows))).toBe('import_too_large');
  });

  test('is rejected if it is wider or longer than any real table', () => {
    expect(
      rejectionOf(() =>
        surveyTable(
          readCsvTable(Buffer.from(`${Array.from({ length: 300 }, (_, index) => `c${index}`).join(',')}\n1\n`), {}),
        ),
      ),
    ).toBe('import_columns');
    expect(rejectionOf(() => surveyTable(readCsvTable(Buffer.from(`a,b\n${'1,2\n'.repeat(200_001)}`), {})))).toBe(
      'import_rows',
    );
    expect(rejectionOf(() => surveyTable(readCsvTable(Buffer.from('a,b\n\n\n'), {})))).toBe('import_empty');
  });

  test('is limited further on the embedded database, with advice', () => {
    const limit = rowLimitOf('pglite');
    const rows = (count: number) => readCsvTable(Buffer.from(`a,b\n${'1,2\n'.repeat(count)}`), {});
    expect(surveyTable(rows(limit.maxRows), { limit }).rows).toBe(limit.maxRows);
    expect(rejectionOf(() => surveyTable(rows(limit.maxRows + 1), { limit }))).toBe('import_rows_embedded');
    for (const language of languageCodes)
      expect(apiErrorText(language, { text: limit.text, values: { most: limit.maxRows } })).toContain('DATABASE_URL');
  });
});

describe('row count before the upload', () => {
  test.each([
    ['a heading and rows', 'a;b\n1;2\n3;4', 3],
    ['line breaks of Windows and old Macs, and empty rows', 'a,b\r\n1,2\r\n\r\n;;;\r\n3,4\r5,6\n', 4],
    ['line breaks in quotes', 'a,b\n"1\n2\n3",x\n"say ""no""\n",y\n', 3],
    ['a quote that is never closed', 'a,b\n"1,2\n3,4\n5,6\n', 2],
    ['nothing', '', 0],
  ])('%s', (_, text, rows) => {
    for (const size of [1, 3, 1000]) {
      const counter = new RowCounter();
      for (let from = 0; from < text.length; from += size) counter.add(text.slice(from, from + size));
      counter.end();
      expect([size, counter.rows]).toEqual([size, rows]);
    }
  });

  test('works in every encoding, and reads no further than needed', async () => {
    const lines = `serial,note\n${'ab,żółw\n'.repeat(300)}`;
    const utf16 = new File([new Uint8Array([0xff, 0xfe]), Buffer.from(lines, 'utf16le')], 'a.csv');
    for (const file of [new File([lines], 'a.CSV'), utf16])
      expect([await hasMoreRows(file, 300), await hasMoreRows(file, 301)]).toEqual([true, false]);
    expect(await hasMoreRows(new File([lines], 'a.xlsx'), 1)).toBe(false);
  });
});
