/** CSV (RFC 4180) that spreadsheets open without executing anything. */
import type { FileDelimiter } from '../../schema/shared/files';
import { withDefusing } from './formula';

/** Starts the file, so that Excel reads it as UTF-8. */
export const byteOrderMark = '\uFEFF';

/** An address; becomes a link in a workbook. */
export interface LinkCell {
  href: string;
}

export type Cell = string | number | null | LinkCell;

/**
 * One line, including its line end. Text that looks like a formula gets a leading apostrophe, which our import removes.
 */
export function csvLine(cells: readonly Cell[], delimiter: FileDelimiter = ','): string {
  return `${cells.map((cell) => printCell(cell, delimiter)).join(delimiter)}\r\n`;
}

const quotedPatterns: Record<FileDelimiter, RegExp> = { ',': /[",\r\n]/, ';': /[";\r\n]/ };

function printCell(cell: Cell, delimiter: FileDelimiter): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return delimiter === ';' ? String(cell).replace('.', ',') : String(cell);
  const safe = withDefusing(typeof cell === 'string' ? cell : cell.href);
  return quotedPatterns[delimiter].test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
