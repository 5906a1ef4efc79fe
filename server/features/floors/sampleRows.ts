/**
 * Measures areas on a floor by sampling. A cell of 10 cm has 16 sample points, and no two of them share a line along an
 * axis. Walls and lanes are mostly parallel to the axes, so their edges are resolved to 6 mm. Pure functions.
 */
import type { Point } from '../../../schema/dsl/polygons';

/** Side of a cell in metres. */
export const cellSize = 0.1;
export const samplesPerCell = 16;
export const squareMetresPerSample = (cellSize * cellSize) / samplesPerCell;
/** The sample nearest to the centre of its cell. */
export const centreSample = 8;

/** Thrown when a computation exceeds limits of memory or time. */
export class TooLarge extends Error {}

/** Cells from `from` up to, but excluding, `to`, whose sample on this line is inside. */
export type Span = readonly [from: number, to: number];

/** Offset of each sample across its cell, as a share of the cell's side. */
export const sampleOffsets = Array.from(
  { length: samplesPerCell },
  (_, sample) => (((sample * 5) % samplesPerCell) + 0.5) / 16,
);

// A line has one sample of every cell in its row: line 16 r + s contains sample s of row r.

/** Returns the highest line below `y` metres. */
export const lineBelow = (y: number): number => Math.ceil((y / cellSize) * samplesPerCell - 0.5) - 1;
/** Returns the `y` of a line in metres. */
export const heightOfLine = (line: number): number => ((line + 0.5) * cellSize) / samplesPerCell;
export const rowOfLine = (line: number): number => Math.floor(line / samplesPerCell);

/** Returns the first cell whose sample on the line is at `x` or to the right of it. */
export const cellFrom = (x: number, line: number): number =>
  Math.ceil(x / cellSize - (sampleOffsets[line & (samplesPerCell - 1)] as number));

/** Returns the x at which a side crosses a height between its ends. */
export const crossingAt = ([startX, startY]: Point, [endX, endY]: Point, y: number): number =>
  startX + ((endX - startX) * (y - startY)) / (endY - startY);
