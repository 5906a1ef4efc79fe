/** Workbooks, old and new. Values are taken, formulas are not computed and macros are never looked at. */
import { type CellObject, read, SSF, type WorkBook, type WorkSheet } from 'xlsx';
import { importLimits } from '../../../schema/imports';
import { type ReadCell, sheetText } from '../cell';
import { type Kind, Unreadable } from './kind';
import { dayOf } from './serial';
import type { Chosen, Table } from './table';

/** Rows above the heads and the heads themselves come on top of what may be taken in. */
const mostRows = importLimits.rows + 50;

export function workbookTable(bytes: Uint8Array, kind: Kind, chosen: Chosen): Table {
  const names = opened(bytes, { bookSheets: true }).SheetNames;
  const sheet = chosen.sheet !== undefined && names.includes(chosen.sheet) ? chosen.sheet : names[0];
  if (sheet === undefined) throw new Unreadable('import_empty');
  const book = opened(bytes, { sheets: sheet, sheetRows: mostRows });
  const data = rowsOf(book.Sheets[sheet]);
  const from1904 = book.Workbook?.WBProps?.date1904 === true;
  let formulas = 0;
  return {
    kind,
    sheets: names,
    sheet,
    formulas: () => formulas,
    each(take) {
      for (const [index, cells] of data.entries()) {
        if (cells === undefined) continue;
        if (cells.length > importLimits.columns && cells.slice(importLimits.columns).some((cell) => cell !== undefined && cell.t !== 'z'))
          throw new Unreadable('import_columns', { most: importLimits.columns });
        const row = Array.from(cells.slice(0, importLimits.columns), (cell) => {
          if (cell?.f !== undefined) formulas += 1;
          return cellOf(cell, from1904);
        });
        if (take(row, index + 1) === false) return;
      }
    },
  };
}

/** Where a sheet begins, rows and columns included that are empty before it: the row numbers are those that people see. */
const rowsOf = (sheet: WorkSheet | undefined): (CellObject | undefined)[][] => ((sheet as { '!data'?: CellObject[][] } | undefined)?.['!data'] ?? []) as never;

function opened(bytes: Uint8Array, options: Parameters<typeof read>[1]): WorkBook {
  try {
    return read(bytes, { type: 'array', dense: true, cellNF: true, cellHTML: false, cellText: false, bookVBA: false, ...options });
  } catch (error) {
    throw new Unreadable(/password|encrypt/i.test(String(error)) ? 'import_encrypted' : 'import_damaged');
  }
}

function cellOf(cell: CellObject | undefined, from1904: boolean): ReadCell {
  if (cell === undefined || cell.v === undefined || cell.v === null || cell.v === '') return null;
  if (cell.t === 'b') return cell.v === true;
  if (cell.t === 'e') return { wrong: String(cell.w ?? errors[Number(cell.v)] ?? '#VALUE!') };
  if (typeof cell.v !== 'number') return sheetText(String(cell.v));
  const format = String(cell.z ?? '');
  if (format !== '' && SSF.is_date(format)) return { date: dayOf(cell.v, from1904) };
  return /^0{2,}$/.test(format) && Number.isInteger(cell.v) ? { number: cell.v, shown: String(cell.v).padStart(format.length, '0') } : cell.v;
}

/** How a sheet writes its errors (ECMA-376, 18.18.11). */
const errors: Record<number, string> = { 0: '#NULL!', 7: '#DIV/0!', 15: '#VALUE!', 23: '#REF!', 29: '#NAME?', 36: '#NUM!', 42: '#N/A' };
