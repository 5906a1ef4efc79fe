/**
 * Cells of a floor passed by a tool: their samples, and the number of passes. Pure.
 *
 * The storage is sparse: tiles of 64 by 64 cells are allocated at their first pass, so memory depends on the path, not
 * on the distance between its ends.
 */
import {
  cellSize,
  centreSample,
  heightOfLine,
  lineBelow,
  rowOfLine,
  type Span,
  sampleOffsets,
  samplesPerCell,
  TooLarge,
} from './sampleRows';

const tileBits = 6;
export const tileSide = 2 ** tileBits;
/** 16.8 million cells, or 16.8 ha; they take 117 MB. */
const maxTiles = 4096;
/** Maximum column and row of a tile in both directions, 100 km from the origin. */
const maxTile = 15_625;
const allSamples = 2 ** samplesPerCell - 1;

/** A tile of 64 by 64 cells, stored row by row from the lower left. */
export interface Tile {
  readonly column: number;
  readonly row: number;
  /** Passed samples of each cell, as bits. */
  readonly samples: Uint16Array;
  /** Number of times that the tool came to the centre of each cell. */
  readonly passes: Uint8Array;
  /** Metres travelled until the last pass of each cell. */
  readonly touched: Float32Array;
}

/** A convex quadrilateral in metres, with its corners in order around it. */
export interface Quad {
  readonly xs: readonly [number, number, number, number];
  readonly ys: readonly [number, number, number, number];
}

export class SweptCells {
  readonly #tiles = new Map<number, Tile>();
  #latest: Tile | undefined;

  /**
   * Minimum metres travelled between two passes of a cell. Over a shorter distance, the tool has not left the cell:
   * pieces of a path overlap at turns.
   */
  minPassDistance = 0.5;

  get tiles(): Iterable<Tile> {
    return this.#tiles.values();
  }

  /**
   * Touches the samples within a quadrilateral, after a number of metres travelled. This is the inner loop of a sweep,
   * so it allocates nothing.
   * @throws TooLarge
   */
  touch(quad: Quad, distance: number): void {
    const { first, last } = findSpans(quad);
    for (let line = first; line <= last; ) {
      const end = Math.min(line | (samplesPerCell - 1), last);
      let [start, stop, innerStart, innerStop] = [outOfRange, -outOfRange, -outOfRange, outOfRange];
      for (let index = line - first; index <= end - first; index += 1) {
        const from = spanStarts[index] as number;
        const to = spanEnds[index] as number;
        if (from < start) start = from;
        if (to > stop) stop = to;
        if (from > innerStart) innerStart = from;
        if (to < innerStop) innerStop = to;
      }
      // At the lower and upper edge, not all lines of a row are inside, so no cell is whole.
      if (end - line < samplesPerCell - 1) innerStop = -outOfRange;
      const [low, high] = [line - first, end - first];
      const firstSample = line & (samplesPerCell - 1);
      for (let cell = start; cell < stop; cell += 1) {
        const isWhole = cell >= innerStart && cell < innerStop;
        this.#mark(rowOfLine(line), cell, isWhole ? allSamples : samplesWithin(cell, low, high, firstSample), distance);
      }
      line = end + 1;
    }
  }

  /**
   * Returns a tile; creates it on first use.
   * @throws TooLarge
   */
  tileAt(column: number, row: number): Tile {
    const key = keyOf(column, row);
    const cached = this.#tiles.get(key);
    if (cached) return cached;
    if (this.#tiles.size === maxTiles || Math.abs(column) > maxTile || Math.abs(row) > maxTile) throw new TooLarge();
    const size = tileSide * tileSide;
    const tile: Tile = {
      column,
      row,
      samples: new Uint16Array(size),
      passes: new Uint8Array(size),
      touched: new Float32Array(size),
    };
    this.#tiles.set(key, tile);
    return tile;
  }

  /** Calls `visit` for the touched cells within a span. */
  eachTouched(row: number, [from, to]: Span, visit: (samples: number, passes: number) => void): void {
    const tileRow = Math.floor(row / tileSide);
    const start = (row - tileRow * tileSide) * tileSide;
    for (const tile of this.#tilesBetween(tileRow, Math.floor(from / tileSide), Math.ceil(to / tileSide))) {
      const left = tile.column * tileSide;
      const end = start + Math.min(to - left, tileSide);
      for (let cell = start + Math.max(from - left, 0); cell < end; cell += 1) {
        const samples = tile.samples[cell] as number;
        if (samples > 0) visit(samples, tile.passes[cell] as number);
      }
    }
  }

  #tilesBetween(row: number, first: number, end: number): Tile[] {
    if (end - first > this.#tiles.size)
      return [...this.#tiles.values()].filter((tile) => tile.row === row && tile.column >= first && tile.column < end);
    const tiles: Tile[] = [];
    for (let column = first; column < end; column += 1) {
      const tile = this.#tiles.get(keyOf(column, row));
      if (tile) tiles.push(tile);
    }
    return tiles;
  }

  #mark(row: number, cell: number, bits: number, distance: number): void {
    const column = cell >> tileBits;
    const tileRow = row >> tileBits;
    let tile = this.#latest;
    if (tile === undefined || tile.column !== column || tile.row !== tileRow) {
      tile = this.tileAt(column, tileRow);
      this.#latest = tile;
    }
    const { samples, passes, touched } = tile;
    const index = ((row & (tileSide - 1)) << tileBits) | (cell & (tileSide - 1));
    samples[index] = (samples[index] as number) | bits;
    if ((bits & centreBit) === 0) return;
    const passCount = passes[index] as number;
    if (passCount === 0 || (passCount < 255 && distance - (touched[index] as number) > this.minPassDistance))
      passes[index] = passCount + 1;
    touched[index] = distance;
  }
}

const keyOf = (column: number, row: number): number => row * 4 * maxTile + column;

const outOfRange = 2 ** 30;
const centreBit = 1 << centreSample;
/**
 * For each line of a polygon, from the lowest: its crossings in cells, and the range of cells whose samples are inside.
 */
let [leftCrossings, rightCrossings] = [new Float64Array(4096), new Float64Array(4096)];
let [spanStarts, spanEnds] = [new Int32Array(4096), new Int32Array(4096)];

/** Returns, as bits, the samples of a cell that are inside on the lines `low` to `high` of its row. */
function samplesWithin(cell: number, low: number, high: number, firstSample: number): number {
  let bits = 0;
  for (let line = low; line <= high; line += 1)
    if (cell >= (spanStarts[line] as number) && cell < (spanEnds[line] as number))
      bits |= 1 << (firstSample + line - low);
  return bits;
}

/** Fills `spanStarts` and `spanEnds`. Returns the first and the last line within the polygon. */
function findSpans({ xs, ys }: Quad): { first: number; last: number } {
  const first = lineBelow(Math.min(ys[0], ys[1], ys[2], ys[3])) + 1;
  const last = lineBelow(Math.max(ys[0], ys[1], ys[2], ys[3]));
  const count = last - first + 1;
  if (count > leftCrossings.length) {
    [leftCrossings, rightCrossings] = [new Float64Array(2 * count), new Float64Array(2 * count)];
    [spanStarts, spanEnds] = [new Int32Array(2 * count), new Int32Array(2 * count)];
  }
  leftCrossings.fill(Number.POSITIVE_INFINITY, 0, count);
  rightCrossings.fill(Number.NEGATIVE_INFINITY, 0, count);
  for (let index = 0; index < 4; index += 1) {
    const previous = (index + 3) & 3;
    const isRising = (ys[previous] as number) < (ys[index] as number);
    const low = isRising ? previous : index;
    const high = isRising ? index : previous;
    const x = (xs[low] as number) / cellSize;
    const y = ys[low] as number;
    const end = lineBelow(ys[high] as number) - first;
    const begin = lineBelow(y) + 1;
    if (begin - first > end) continue;
    const slope = ((xs[high] as number) / cellSize - x) / ((ys[high] as number) - y);
    const start = x + (heightOfLine(begin) - y) * slope;
    const step = (cellSize / samplesPerCell) * slope;
    for (let line = begin - first; line <= end; line += 1) {
      const crossing = start + (line + first - begin) * step;
      if (crossing < (leftCrossings[line] as number)) leftCrossings[line] = crossing;
      if (crossing > (rightCrossings[line] as number)) rightCrossings[line] = crossing;
    }
  }
  for (let index = 0; index < count; index += 1) {
    const sample = sampleOffsets[(first + index) & (samplesPerCell - 1)] as number;
    spanStarts[index] = Math.ceil((leftCrossings[index] as number) - sample);
    spanEnds[index] = Math.ceil((rightCrossings[index] as number) - sample);
  }
  return { first, last };
}
