/** The heat map of a floor's coverage. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { heatMapSteps } from '../../schema/dsl/heatMapSteps';
import { drawCoverage } from '../../server/features/floors/drawCoverage';
import { prepareZones } from '../../server/features/floors/measureCoverage';
import { SweptCells, tileSide } from '../../server/features/floors/sweptCells';
import { runAtOnce } from '../../server/shared/steps';

/** Draws a metre by 6.4 m for each number of passes, side by side, in whole columns of cells. */
async function drawPixels(counts: readonly number[]) {
  const cells = new SweptCells();
  counts.forEach((count, column) => {
    const { samples, passes } = cells.tileAt(column, 0);
    samples.fill(count > 0 ? 1 : 0);
    passes.fill(count);
  });
  const cellSide = tileSide / 10;
  const png = await drawCoverage(cells, runAtOnce(prepareZones([])), {
    x: 0,
    y: 0,
    width: counts.length * cellSide,
    height: cellSide,
  });
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return counts.map((_, column) => {
    const colors = new Map<string, number>();
    for (let y = 0; y < info.height; y += 1)
      for (let x = column * tileSide; x < (column + 1) * tileSide; x += 1) {
        const color = [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)].join(' ');
        colors.set(color, (colors.get(color) ?? 0) + 1);
      }
    const [[main = ''] = [], ...lines] = [...colors].sort(([, a], [, b]) => b - a);
    return { main, lines: lines.reduce((sum, [, pixels]) => sum + pixels, 0) / tileSide ** 2 };
  });
}

test('has a colour for each step of passes, and lines that get denser from the third step on', async () => {
  const colours = await drawPixels(heatMapSteps);
  expect(new Set(colours.map(({ main }) => main)).size).toBe(heatMapSteps.length);
  expect(colours.map(({ lines }) => Math.round(lines * 100))).toEqual([0, 0, 13, 20, 38]);
});

test('hatches missed places, so that they can be told apart without colour', async () => {
  const cellSide = tileSide / 10;
  const zone = {
    id: 1,
    kind: 'clean' as const,
    polygon: [
      [0, 0],
      [cellSide, 0],
      [cellSide, cellSide],
      [0, cellSide],
    ] as [number, number][],
  };
  const png = await drawCoverage(new SweptCells(), runAtOnce(prepareZones([zone])), {
    x: 0,
    y: 0,
    width: cellSide,
    height: cellSide,
  });
  const { data } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const alphas = data.filter((_, index) => index % 4 === 3);
  const [light, dark] = [...new Set(alphas)].sort((a, b) => a - b);
  expect((dark as number) - (light as number)).toBeGreaterThan(100);
  expect(alphas.filter((alpha) => alpha === dark).length / alphas.length).toBeCloseTo(2 / 9, 1);
});

test('has one colour from a step up to the next one, and none where nothing passed', async () => {
  const [two, three, four, five, nine, ten, most, none] = await drawPixels([2, 3, 4, 5, 9, 10, 255, 0]);
  expect([three, five, ten].map((step) => step?.main)).toEqual([four, nine, most].map((step) => step?.main));
  expect(two?.main).not.toBe(three?.main);
  expect(none?.main.endsWith(' 0')).toBe(true);
});
