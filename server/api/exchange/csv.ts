/** Comma-separated values (RFC 4180) that a spreadsheet opens without running anything. */
import type { FileDelimiter } from '../../../schema/files';

/** Printed first, so that Excel reads UTF-8. */
export const byteOrderMark = '\uFEFF';

/** A cell is text, a number, or nothing. */
export type Cell = string | number | null;

/** Signs with which a spreadsheet takes a cell for a formula, in their full-width forms too; apostrophes before them count, so that a defused cell differs from every other. */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One line with its line end. Text that looks like a formula gets a leading apostrophe, which our import takes away again. */
export function csvLine(cells: readonly Cell[], delimiter: FileDelimiter = ','): string {
  return `${cells.map((cell) => printed(cell, delimiter)).join(delimiter)}\r\n`;
}

const quoted: Record<FileDelimiter, RegExp> = { ',': /[",\r\n]/, ';': /[";\r\n]/ };

function printed(cell: Cell, delimiter: FileDelimiter): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return delimiter === ';' ? String(cell).replace('.', ',') : String(cell);
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return quoted[delimiter].test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
