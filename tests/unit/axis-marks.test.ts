/** Axis marks are few round numbers that reach the highest bar. */
import { expect, test } from 'vitest';
import { niceMarks } from '../../src/charts/niceMarks';

test.each([
  [0, [0, 1]],
  [0.4, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [6, [0, 2, 4, 6]],
  [12, [0, 5, 10, 15]],
  [240_000, [0, 50_000, 100_000, 150_000, 200_000, 250_000]],
  [1_100_000, [0, 250_000, 500_000, 750_000, 1_000_000, 1_250_000]],
  [9_999_999, [0, 2_000_000, 4_000_000, 6_000_000, 8_000_000, 10_000_000]],
])('up to %d: %j', (max, marks) => {
  expect(niceMarks(max)).toEqual(marks);
});

test('marks reach any maximum in at most five steps', () => {
  for (let max = 1; max < 1e9; max = max * 1.37 + 1) {
    const marks = niceMarks(max);
    expect(marks.at(-1)).toBeGreaterThanOrEqual(max);
    expect(marks.length).toBeLessThanOrEqual(6);
  }
});
