/** Cells as read from a file, before they are parsed for a field. Stored as JSON. */
import { isStorable } from '../../../schema/dsl/isStorable';
import { importLimits } from '../../../schema/shared/imports';
import { withoutDefusing } from '../../files/formula';

/**
 * Text as written; a number or boolean of a workbook; a day or moment of a workbook in ISO 8601; a value that cannot be
 * stored; or null.
 */
export type ImportCell = string | number | boolean | { date: string } | { wrong: string } | null;

/** A number whose written form is not its canonical one, such as 00123. */
export interface FormattedNumber {
  number: number;
  shown: string;
}
export type ReadCell = ImportCell | FormattedNumber;

/** Text of a cell as a spreadsheet displays it. */
export function textOfCell(cell: ReadCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell);
  if ('date' in cell) return cell.date.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3.$2.$1').replace('T', ' ');
  return 'wrong' in cell ? cell.wrong : cell.shown;
}

/** Approximate size of a row in characters. */
export const sizeOf = (cells: readonly ReadCell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);

/** Beginning of a text, at most `limit` characters; never splits a surrogate pair, which PostgreSQL could not store. */
export const truncateText = (text: string, limit: number): string =>
  text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');

/** Reads a text cell of a CSV file, without the apostrophe that our export adds. */
export const textCell = (text: string): ImportCell => sheetText(withoutDefusing(text));

/**
 * Reads a text cell. Marks text that PostgreSQL cannot store. Truncates very long text to a length that still fails
 * validation.
 */
export function sheetText(cell: string): ImportCell {
  const text = cell.length > importLimits.cell ? cell.slice(0, importLimits.cell + 1) : cell;
  if (text === '') return null;
  return isStorable(text) ? text : { wrong: text.toWellFormed().replaceAll('\0', '\u2400') };
}
