import { describe, expect, test } from 'vitest';
import {
  customLabelFormat,
  type LabelFormat,
  labelFormats,
  labelPositions,
  labelSheet,
} from '../../src/resources/machines/sheets';

const allFormats: [string, LabelFormat][] = [
  ...Object.entries(labelFormats),
  ['own 60 × 30', customLabelFormat(60, 30) as LabelFormat],
  ['own 194 × 281', customLabelFormat(194, 281) as LabelFormat],
];

describe.each(allFormats)('labels of %s mm', (_, format) => {
  const { width, height, columns, rows } = format;
  test('fit on the sheet without overlap', () => {
    const [places = []] = labelPositions(format, columns * rows);
    expect(places).toHaveLength(columns * rows);
    for (const [index, { x, y }] of places.entries()) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(labelSheet.width + 1e-9);
      expect(y + height).toBeLessThanOrEqual(labelSheet.height + 1e-9);
      for (const other of places.slice(index + 1))
        expect(Math.abs(other.x - x) >= width - 1e-9 || Math.abs(other.y - y) >= height - 1e-9).toBe(true);
    }
  });

  test('start where the last sheet ended and continue on the next one', () => {
    const perSheet = columns * rows;
    const sheets = labelPositions(format, perSheet + 1, perSheet);
    expect(sheets.map((places) => places.length)).toEqual(perSheet === 1 ? [1, 1] : [1, perSheet]);
    expect(sheets[0]?.[0]).toEqual(labelPositions(format, perSheet)[0]?.at(-1));
  });
});

test('an invalid start is replaced by the nearest position, and no labels need no sheet', () => {
  const format = labelFormats['70 × 37'];
  expect(labelPositions(format, 1, Number.NaN)).toEqual(labelPositions(format, 1, 1));
  expect(labelPositions(format, 1, -3)).toEqual(labelPositions(format, 1, 1));
  expect(labelPositions(format, 1, 99)).toEqual(labelPositions(format, 1, 24));
  expect(labelPositions(format, 0)).toEqual([]);
});

test.each([
  [0, 30],
  [14, 30],
  [195, 30],
  [30, 282],
  [Number.NaN, 30],
])('rejects labels of %s × %s mm', (width, height) => expect(customLabelFormat(width, height)).toBeUndefined());
