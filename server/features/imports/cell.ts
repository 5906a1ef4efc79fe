import { importLimits } from '../../../schema/shared/imports';
import { withoutDefusing } from '../../files/formula';

/** A cell as it was read from a file, before anybody says what it means. Kept as JSON. */

/**
 * Text as written, a number or a truth of a workbook, a day or moment of a workbook in ISO 8601, something that cannot
 * be stored, or nothing.
 */
export type ImportCell = string | number | boolean | { date: string } | { wrong: string } | null;

/** A number whose written form is not its shortest one, such as 00123. */
export interface Padded {
  number: number;
  shown: string;
}
export type ReadCell = ImportCell | Padded;

/** The cell as people read it. */
export function textOfCell(cell: ReadCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell);
  if ('date' in cell) return cell.date.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3.$2.$1').replace('T', ' ');
  return 'wrong' in cell ? cell.wrong : cell.shown;
}

/** How much a row holds. */
export const sizeOf = (cells: readonly ReadCell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);

/** A text cell of a csv file: the apostrophe of our export is taken away. */
export const textCell = (text: string): ImportCell => sheetText(withoutDefusing(text));

/**
 * A text cell: what PostgreSQL cannot keep is marked, and what is longer than any field takes is cut, but not so far
 * that one would take it.
 */
export function sheetText(whole: string): ImportCell {
  const text = whole.length > importLimits.cell ? whole.slice(0, importLimits.cell + 1) : whole;
  if (text === '') return null;
  return text.includes('\0') || lone.test(text)
    ? { wrong: text.replaceAll('\0', '\u2400').replace(new RegExp(lone, 'g'), '\uFFFD') }
    : text;
}

/** Half a character. */
const lone = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
