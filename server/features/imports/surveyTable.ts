/** First scan of a table: finds its heading row, its number of rows, and its formats of dates and numbers. */
import { importLimits } from '../../../schema/shared/imports';
import { type ReadCell, sizeOf, textOfCell, truncateText } from './importCell';
import type { ImportTable } from './importTable';
import { type RowLimit, rowLimitOf } from './rowLimit';
import { UnreadableFile } from './unreadableFile';

/** Formats that the texts of a column prove. */
export interface FormatHints {
  /** Whether dates with slashes or dashes prove that the day or the month comes first. */
  day_first: boolean;
  month_first: boolean;
  /** Whether numbers have a comma or a point that can only be the decimal separator. */
  comma: boolean;
  point: boolean;
  samples: string[];
}

export interface TableSurvey {
  header_row: number;
  headings: string[];
  rows: number;
  hints: FormatHints[];
}

const maxScannedRows = 25;
const maxHeadingLength = 255;
const noHints = (): FormatHints => ({ day_first: false, month_first: false, comma: false, point: false, samples: [] });

/**
 * Scans the whole table once.
 * @throws UnreadableFile if there are too many rows or characters
 */
export function surveyTable(
  table: ImportTable,
  { headerRow, limit = rowLimitOf('postgres') }: { headerRow?: number; limit?: RowLimit } = {},
): TableSurvey {
  const header_row = headerRow ?? findHeadingRow(table);
  let headings: string[] | undefined;
  let rows = 0;
  let characters = 0;
  const hints: FormatHints[] = [];
  table.forEachRow((cells, row) => {
    if (row < header_row || cells.every((cell) => cell === null)) return undefined;
    if (!headings) {
      headings = cells.map((cell) => truncateText(textOfCell(cell).trim(), maxHeadingLength));
      return undefined;
    }
    rows += 1;
    characters += sizeOf(cells);
    if (characters > importLimits.characters) throw new UnreadableFile('import_too_large');
    if (rows > limit.maxRows) throw new UnreadableFile(limit.text, { most: limit.maxRows });
    for (const [index, cell] of cells.entries())
      if (cell !== null) {
        const columnHints = hints[index] ?? noHints();
        hints[index] = columnHints;
        updateHints(columnHints, cell);
      }
    return undefined;
  });
  if (!headings || rows === 0) throw new UnreadableFile('import_empty');
  const width = Math.max(lastFilledIndex(headings) + 1, hints.length);
  return {
    header_row,
    headings: Array.from({ length: width }, (_, index) => (headings as string[])[index] ?? ''),
    rows,
    hints: Array.from({ length: width }, (_, index) => hints[index] ?? noHints()),
  };
}

const lastFilledIndex = (texts: readonly string[]) => texts.findLastIndex((text) => text !== '');

/**
 * Returns the first leading row that is about as wide as the widest one; titles and notes above a table are narrower.
 */
function findHeadingRow(table: ImportTable): number {
  const widths: [number, number][] = [];
  table.forEachRow((cells, row) => {
    const filledCount = cells.filter((cell) => cell !== null).length;
    if (filledCount > 0) widths.push([row, filledCount]);
    return widths.length < maxScannedRows;
  });
  const maxWidth = Math.max(0, ...widths.map(([, filled]) => filled));
  return widths.find(([, filled]) => filled * 2 > maxWidth)?.[0] ?? 1;
}

function updateHints(hints: FormatHints, cell: ReadCell): void {
  if (hints.samples.length < 3) hints.samples.push(truncateText(textOfCell(cell), 80));
  if (typeof cell !== 'string') return;
  const [, first, second] = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}\b/.exec(cell) ?? [];
  if (first && second) {
    hints.day_first ||= Number(first) > 12;
    hints.month_first ||= Number(second) > 12;
  }
  const [, , separator, decimals = ''] = /^\D{0,4}(-?\d[\d.,' \u00A0]*)([.,])(\d+)\D{0,4}$/.exec(cell) ?? [];
  if (separator && decimals.length !== 3) hints[separator === ',' ? 'comma' : 'point'] = true;
}
