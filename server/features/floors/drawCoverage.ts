/** Draws coverage: passed, passed often, missed. */
import { loadSharp } from '../../files/loadSharp';
import type { CleanZones } from './measureCoverage';
import { cellSize, rowOfLine, samplesPerCell } from './sampleRows';
import { type SweptCells, tileSide } from './sweptCells';

export interface DrawnArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Pixels of the longer side. */
const maxSide = 1200;
const colours = { missed: [214, 69, 65, 90], once: [11, 122, 117, 130], twice: [11, 122, 117, 190] } as const;
const often = [217, 130, 10, 210] as const;
type Colour = readonly [number, number, number, number];

/** What was passed and what was to be; of the floor, if its size is known. Undefined if there is nothing. */
export function drawnAreaOf(
  swept: SweptCells,
  { all }: CleanZones,
  { width, height }: { width: number | null; height: number | null },
): DrawnArea | undefined {
  if (width !== null && height !== null) return { x: 0, y: 0, width, height };
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (column: number, row: number, endColumn: number, endRow: number) => {
    left = Math.min(left, column);
    low = Math.min(low, row);
    right = Math.max(right, endColumn);
    high = Math.max(high, endRow);
  };
  for (const { column, row } of swept.tiles)
    add(column * tileSide, row * tileSide, (column + 1) * tileSide, (row + 1) * tileSide);
  for (const [line, spans] of all) for (const [from, to] of spans) add(from, rowOfLine(line), to, rowOfLine(line) + 1);
  if (left >= right) return undefined;
  const [x, y] = [left * cellSize, low * cellSize];
  return { x, y, width: right * cellSize - x, height: high * cellSize - y };
}

/** A transparent PNG over the bounds, the y axis up. */
export async function drawCoverage(swept: SweptCells, { all }: CleanZones, bounds: DrawnArea): Promise<Buffer> {
  const scale = Math.min(1 / cellSize, maxSide / Math.max(bounds.width, bounds.height));
  const [width, height] = [bounds.width, bounds.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const pixels = new Uint8Array(width * height * 4);
  const pixelX = (cell: number) => Math.floor(((cell + 0.5) * cellSize - bounds.x) * scale);
  const paint = (x: number, row: number, colour: Colour) => {
    const y = height - 1 - Math.floor(((row + 0.5) * cellSize - bounds.y) * scale);
    if (x >= 0 && x < width && y >= 0 && y < height) pixels.set(colour, (y * width + x) * 4);
  };
  for (const [line, spans] of all) {
    if (line - rowOfLine(line) * samplesPerCell !== samplesPerCell / 2) continue;
    for (const [from, to] of spans)
      for (let x = Math.max(0, pixelX(from)); x <= Math.min(width - 1, pixelX(to - 1)); x += 1)
        paint(x, rowOfLine(line), colours.missed);
  }
  for (const { column, row, samples, passes } of swept.tiles)
    for (let at = 0; at < samples.length; at += 1) {
      if (samples[at] === 0 || passes[at] === 0) continue;
      const colour = (passes[at] as number) > 2 ? often : passes[at] === 2 ? colours.twice : colours.once;
      paint(pixelX(column * tileSide + (at % tileSide)), row * tileSide + Math.floor(at / tileSide), colour);
    }
  const sharp = await loadSharp();
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png({ palette: true, colours: 8 })
    .toBuffer();
}
