/** Sheets of labels: which formats there are and where each label stands. Lengths in millimetres on A4. */

export interface LabelFormat {
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** From the sheet's edges to the first label. */
  left: number;
  top: number;
  /** Between labels. */
  gapX: number;
  gapY: number;
}

export const sheet = { width: 210, height: 297 } as const;

/** Sheets that are sold everywhere, by size; measures as their makers print them on the packets. */
export const formats = {
  '63.5 × 38.1': { width: 63.5, height: 38.1, columns: 3, rows: 7, left: 7.2, top: 15.1, gapX: 2.5, gapY: 0 },
  '63.5 × 33.9': { width: 63.5, height: 33.9, columns: 3, rows: 8, left: 7.2, top: 12.9, gapX: 2.5, gapY: 0 },
  '70 × 37': { width: 70, height: 37, columns: 3, rows: 8, left: 0, top: 0.5, gapX: 0, gapY: 0 },
  '99.1 × 67.7': { width: 99.1, height: 67.7, columns: 2, rows: 4, left: 4.65, top: 13.1, gapX: 2.5, gapY: 0 },
  '35.6 × 16.9': { width: 35.6, height: 16.9, columns: 5, rows: 16, left: 11, top: 13.3, gapX: 2.5, gapY: 0 },
} satisfies Record<string, LabelFormat>;

export type FormatName = keyof typeof formats;

/** What a printer leaves white around the sheet, and between labels of one's own size. */
const margin = 8;
const gap = 2;
export const smallest = 15;

/** As many labels of one's own size as fit on a sheet; `undefined` when none does or nothing could be read on it. */
export function ownFormat(width: number, height: number): LabelFormat | undefined {
  const columns = Math.floor((sheet.width - 2 * margin + gap) / (width + gap));
  const rows = Math.floor((sheet.height - 2 * margin + gap) / (height + gap));
  if (!(width >= smallest && height >= smallest && columns > 0 && rows > 0)) return undefined;
  return { width, height, columns, rows, left: margin, top: margin, gapX: gap, gapY: gap };
}

export interface LabelPosition {
  /** From the sheet's left and upper edge. */
  x: number;
  y: number;
}

/**
 * Where `count` labels stand, sheet by sheet, row by row, the first one at position `start` (from 1) of the first
 * sheet.
 */
export function placesOf(
  { width, height, columns, rows, left, top, gapX, gapY }: LabelFormat,
  count: number,
  start = 1,
): LabelPosition[][] {
  const perSheet = columns * rows;
  const first = Math.min(Math.max(1, Math.floor(start) || 1), perSheet) - 1;
  const sheets: LabelPosition[][] = [];
  for (let at = first; at < first + count; at += 1) {
    const position = at % perSheet;
    const place = {
      x: left + (position % columns) * (width + gapX),
      y: top + Math.floor(position / columns) * (height + gapY),
    };
    const page = Math.floor(at / perSheet);
    sheets[page] = [...(sheets[page] ?? []), place];
  }
  return sheets;
}
