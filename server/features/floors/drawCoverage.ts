/** Draws coverage: how often each place was passed, and which places were missed. */
import { heatMapSteps } from '../../../schema/dsl/heatMapSteps';
import { loadSharp } from '../../files/loadSharp';
import { type ComputationSteps, runInTurns } from '../../shared/steps';
import type { CleanZones } from './measureCoverage';
import { cellSize, rowOfLine, samplesPerCell } from './sampleRows';
import { type SweptCells, tileSide } from './sweptCells';

/** A rectangle of the floor in metres; `x` and `y` are its lower left corner. */
export interface DrawnArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Maximum pixels of the image's longer side. */
const maxSide = 1200;
/** Colours in memory order: alpha, blue, green, red. */
const missedStyle = { color: 0x38_41_45_d6, hatch: 0xd9_18_23_b4, hatchEvery: 9, hatchWidth: 2 };
/**
 * Colour of each step, and the distance of its dark lines in pixels; the first step has no lines, the last has them
 * both ways.
 */
const steps = heatMapSteps.map((from, index) => ({
  from,
  color: [0x59_75_7a_0b, 0xa6_75_7a_0b, 0xbf_0a_82_d9, 0xd9_0c_41_c2, 0xeb_50_16_7a][index] as number,
  lineEvery: [0, 0, 8, 5, 4][index] as number,
}));
const lineColor = 0xe6_2b_20_14;
/** Step for each number of passes. */
const stepByPasses = Array.from({ length: 256 }, (_, passes) => steps.findLast(({ from }) => passes >= from));

/**
 * Returns the bounds of the floor if its size is known, otherwise of the passed and planned cells; `undefined` if there
 * are none.
 */
export function drawnAreaOf(
  cells: SweptCells,
  { all }: CleanZones,
  { width, height }: { width: number | null; height: number | null },
): DrawnArea | undefined {
  if (width !== null && height !== null) return { x: 0, y: 0, width, height };
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (column: number, row: number, endColumn: number, endRow: number) => {
    left = Math.min(left, column);
    bottom = Math.min(bottom, row);
    right = Math.max(right, endColumn);
    top = Math.max(top, endRow);
  };
  for (const { column, row } of cells.tiles)
    add(column * tileSide, row * tileSide, (column + 1) * tileSide, (row + 1) * tileSide);
  for (const [line, spans] of all) for (const [from, to] of spans) add(from, rowOfLine(line), to, rowOfLine(line) + 1);
  if (left >= right) return undefined;
  const [x, y] = [left * cellSize, bottom * cellSize];
  return { x, y, width: right * cellSize - x, height: top * cellSize - y };
}

/** Draws a transparent PNG for the bounds, with the y axis pointing up. */
export async function drawCoverage(cells: SweptCells, zones: CleanZones, bounds: DrawnArea): Promise<Buffer> {
  const scale = Math.min(1 / cellSize, maxSide / Math.max(bounds.width, bounds.height));
  const [width, height] = [bounds.width, bounds.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ];
  const pixels = new Uint32Array(width * height);
  await runInTurns(paint(cells, zones, { bounds, scale, width, height, pixels }));
  const sharp = await loadSharp();
  return sharp(Buffer.from(pixels.buffer), { raw: { width, height, channels: 4 } })
    .png({ palette: true, colours: 16 })
    .toBuffer();
}

interface Canvas {
  bounds: DrawnArea;
  /** Pixels per metre. */
  scale: number;
  width: number;
  height: number;
  pixels: Uint32Array;
}

function* paint(
  cells: SweptCells,
  { all }: CleanZones,
  { bounds, scale, width, height, pixels }: Canvas,
): ComputationSteps<void> {
  const pixelX = (cell: number) => Math.floor(((cell + 0.5) * cellSize - bounds.x) * scale);
  /** Index of the first pixel of a row of cells; undefined outside the image. */
  const rowStart = (row: number): number | undefined => {
    const y = height - 1 - Math.floor(((row + 0.5) * cellSize - bounds.y) * scale);
    return y >= 0 && y < height ? y * width : undefined;
  };
  for (const [line, spans] of all) {
    if (line - rowOfLine(line) * samplesPerCell !== samplesPerCell / 2) continue;
    const start = rowStart(rowOfLine(line));
    if (start === undefined) continue;
    for (const [from, to] of spans) {
      const last = Math.min(width - 1, pixelX(to - 1));
      for (let x = Math.max(0, pixelX(from)); x <= last; x += 1) pixels[start + x] = missedColor(x, start / width);
    }
    yield;
  }
  for (const { column, row, samples, passes } of cells.tiles) {
    for (let tileRow = 0; tileRow < tileSide; tileRow += 1) {
      const start = rowStart(row * tileSide + tileRow);
      if (start === undefined) continue;
      for (let tileColumn = 0; tileColumn < tileSide; tileColumn += 1) {
        const cell = tileRow * tileSide + tileColumn;
        if (samples[cell] === 0 || passes[cell] === 0) continue;
        const x = pixelX(column * tileSide + tileColumn);
        if (x >= 0 && x < width) pixels[start + x] = colorOf(passes[cell] as number, x, start / width);
      }
    }
    yield;
  }
}

/** Colour of a pixel that was missed: hatched, in the other direction than the lines of frequently passed places. */
const missedColor = (x: number, y: number): number =>
  (x - y + maxSide * missedStyle.hatchEvery) % missedStyle.hatchEvery < missedStyle.hatchWidth
    ? missedStyle.hatch
    : missedStyle.color;

/** Colour of a pixel that was passed. Steps also differ by lines, for people who cannot tell the colours apart. */
function colorOf(passes: number, x: number, y: number): number {
  const step = stepByPasses[passes];
  if (!step) return 0;
  const { color, lineEvery, from } = step;
  const isOnLine =
    lineEvery > 0 && ((x + y) % lineEvery === 0 || (from === heatMapSteps.at(-1) && (x - y) % lineEvery === 0));
  return isOnLine ? lineColor : color;
}
