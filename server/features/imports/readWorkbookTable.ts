/** Reads old and new workbooks. Uses cached values: formulas are not computed, and macros are never read. */
import { type CellObject, read, SSF, type WorkBook, type WorkSheet } from 'xlsx';
import { importLimits } from '../../../schema/shared/imports';
import { type ReadCell, sheetText, truncateText } from './importCell';
import type { ImportFileKind } from './importFileKind';
import type { FileChoices, ImportTable } from './importTable';
import { parseSerialDay } from './parseSerialDay';
import { UnreadableFile } from './unreadableFile';
import { rewriteUncompressed } from './zipEntries';

/** Allowance for the heading row and rows above it, which do not count against the limit. */
const headerAllowance = 50;

/** Maximum sheets to scan for the first one with rows. */
const maxSheets = 10;

export function readWorkbookTable(
  file: Uint8Array,
  kind: ImportFileKind,
  choices: FileChoices,
  maxRows: number = importLimits.rows,
): ImportTable {
  const bytes = kind === 'xlsx' ? rewriteUncompressed(file) : file;
  const names = openWorkbook(bytes, { bookSheets: true }).SheetNames;
  const sheetNames =
    choices.sheet !== undefined && names.includes(choices.sheet) ? [choices.sheet] : names.slice(0, maxSheets);
  const { sheet, book, data } = openFirstTable(bytes, sheetNames, maxRows + headerAllowance);
  const is1904Based = book.Workbook?.WBProps?.date1904 === true;
  let formulaCells = 0;
  return {
    kind,
    sheets: names,
    sheet,
    formulaCount: () => formulaCells,
    forEachRow(processRow) {
      formulaCells = 0;
      for (const [index, cells] of data.entries()) {
        if (cells === undefined) continue;
        if (
          cells.length > importLimits.columns &&
          cells.slice(importLimits.columns).some((cell) => cell !== undefined && cell.t !== 'z')
        )
          throw new UnreadableFile('import_columns', { most: importLimits.columns });
        const row = Array.from(cells.slice(0, importLimits.columns), (cell) => {
          if (cell?.f !== undefined) formulaCells += 1;
          return parseSheetCell(cell, is1904Based);
        });
        if (processRow(row, index + 1) === false) return;
      }
    },
  };
}

/**
 * Opens the first sheet with more than a title, because many workbooks begin with a cover; if there is none, the first
 * sheet.
 */
function openFirstTable(
  bytes: Uint8Array,
  names: readonly string[],
  sheetRows: number,
): { sheet: string; book: WorkBook; data: Rows } {
  const openSheet = (sheet: string) => {
    const book = openWorkbook(bytes, { sheets: sheet, sheetRows });
    return { sheet, book, data: readRows(book.Sheets[sheet]) };
  };
  const [firstName] = names;
  if (firstName === undefined) throw new UnreadableFile('import_empty');
  for (const name of names) {
    const table = openSheet(name);
    if (names.length === 1 || isTable(table.data)) return table;
  }
  return openSheet(firstName);
}

function isTable(data: Rows): boolean {
  let filledCount = 0;
  return data.some((cells) => {
    if (cells?.some((cell) => parseSheetCell(cell, false) !== null)) filledCount += 1;
    return filledCount > 1;
  });
}

type Rows = (CellObject | undefined)[][];

/**
 * Returns the rows of a sheet from its first row and column, even if empty, so that row numbers are those that people
 * see.
 */
const readRows = (sheet: WorkSheet | undefined): Rows =>
  ((sheet as { '!data'?: CellObject[][] } | undefined)?.['!data'] ?? []) as never;

/**
 * Opens a workbook. Passes a `Buffer` to the library: from plain bytes it builds strings character by character, which
 * takes ten times as much memory and time.
 */
function openWorkbook(bytes: Uint8Array, options: Parameters<typeof read>[1]): WorkBook {
  try {
    return read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellHTML: false,
      cellText: false,
      bookVBA: false,
      // Without stubs, formulas without a stored value would be missing.
      sheetStubs: true,
      ...options,
    });
  } catch (error) {
    throw new UnreadableFile(/password|encrypt/i.test(String(error)) ? 'import_encrypted' : 'import_damaged');
  }
}

/** Characters of a formula that a message quotes. */
const quotedLength = 60;

function parseSheetCell(cell: CellObject | undefined, is1904Based: boolean): ReadCell {
  // Programs that write formulas without computing them leave the value out.
  if (cell?.t === 'z' && cell.f !== undefined) return { wrong: `=${truncateText(cell.f, quotedLength)}` };
  if (cell === undefined || cell.t === 'z' || cell.v === undefined || cell.v === null || cell.v === '') return null;
  if (cell.t === 'b') return cell.v === true;
  if (cell.t === 'e') return { wrong: String(cell.w ?? errorNames[Number(cell.v)] ?? '#VALUE!') };
  if (typeof cell.v !== 'number') return sheetText(String(cell.v));
  const format = String(cell.z ?? '');
  if (format !== '' && SSF.is_date(format)) return { date: parseSerialDay(cell.v, is1904Based) };
  return /^0{2,}$/.test(format) && Number.isInteger(cell.v)
    ? { number: cell.v, shown: String(cell.v).padStart(format.length, '0') }
    : cell.v;
}

/** Error values of sheets (ECMA-376, 18.18.11). */
const errorNames: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};
