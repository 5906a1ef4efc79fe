/** Label sheets: their formats and the positions of labels. Lengths in millimetres on A4. */

export interface LabelFormat {
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** Margins of the sheet up to the first label. */
  left: number;
  top: number;
  /** Gaps between labels. */
  gapX: number;
  gapY: number;
}

export const labelSheet = { width: 210, height: 297 } as const;

/** Common label sheets by label size; dimensions as printed on their packaging. */
export const labelFormats = {
  '63.5 × 38.1': { width: 63.5, height: 38.1, columns: 3, rows: 7, left: 7.2, top: 15.1, gapX: 2.5, gapY: 0 },
  '63.5 × 33.9': { width: 63.5, height: 33.9, columns: 3, rows: 8, left: 7.2, top: 12.9, gapX: 2.5, gapY: 0 },
  '70 × 37': { width: 70, height: 37, columns: 3, rows: 8, left: 0, top: 0.5, gapX: 0, gapY: 0 },
  '99.1 × 67.7': { width: 99.1, height: 67.7, columns: 2, rows: 4, left: 4.65, top: 13.1, gapX: 2.5, gapY: 0 },
  '35.6 × 16.9': { width: 35.6, height: 16.9, columns: 5, rows: 16, left: 11, top: 13.3, gapX: 2.5, gapY: 0 },
} satisfies Record<string, LabelFormat>;

export type FormatName = keyof typeof labelFormats;

/** Unprintable margin of the sheet, and the gap between labels of a custom size. */
const margin = 8;
const gap = 2;
export const minLabelSize = 15;

/** A sheet with as many custom labels as fit; `undefined` if none fits or they are too small to read. */
export function customLabelFormat(width: number, height: number): LabelFormat | undefined {
  const columns = Math.floor((labelSheet.width - 2 * margin + gap) / (width + gap));
  const rows = Math.floor((labelSheet.height - 2 * margin + gap) / (height + gap));
  if (!(width >= minLabelSize && height >= minLabelSize && columns > 0 && rows > 0)) return undefined;
  return { width, height, columns, rows, left: margin, top: margin, gapX: gap, gapY: gap };
}

export interface LabelPosition {
  /** Distances from the left and upper edge of the sheet. */
  x: number;
  y: number;
}

/**
 * Positions of `count` labels, filled row by row, sheet by sheet. `start`: one-based position of the first label on the
 * first sheet.
 */
export function labelPositions(
  { width, height, columns, rows, left, top, gapX, gapY }: LabelFormat,
  count: number,
  start = 1,
): LabelPosition[][] {
  const perSheet = columns * rows;
  const first = Math.min(Math.max(1, Math.floor(start) || 1), perSheet) - 1;
  const sheets: LabelPosition[][] = [];
  for (let slot = first; slot < first + count; slot += 1) {
    const position = slot % perSheet;
    const corner = {
      x: left + (position % columns) * (width + gapX),
      y: top + Math.floor(position / columns) * (height + gapY),
    };
    const page = Math.floor(slot / perSheet);
    sheets[page] = [...(sheets[page] ?? []), corner];
  }
  return sheets;
}
