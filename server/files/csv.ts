/** Comma-separated values (RFC 4180) that a spreadsheet opens without running anything. */
import type { FileDelimiter } from '../../schema/shared/files';
import { withDefusing } from './formula';

/** Printed first, so that Excel reads UTF-8. */
export const byteOrderMark = '\uFEFF';

/** A cell is text, a number, or nothing. */
export type Cell = string | number | null;

/**
 * One line with its line end. Text that looks like a formula gets a leading apostrophe, which our import takes away
 * again.
 */
export function csvLine(cells: readonly Cell[], delimiter: FileDelimiter = ','): string {
  return `${cells.map((cell) => printed(cell, delimiter)).join(delimiter)}\r\n`;
}

const quoted: Record<FileDelimiter, RegExp> = { ',': /[",\r\n]/, ';': /[";\r\n]/ };

function printed(cell: Cell, delimiter: FileDelimiter): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return delimiter === ';' ? String(cell).replace('.', ',') : String(cell);
  const safe = withDefusing(cell);
  return quoted[delimiter].test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
