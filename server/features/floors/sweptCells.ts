/**
 * Cells of a floor that a tool passed, which of their samples, and how often. Pure.
 *
 * Sparse: squares of 64 by 64 cells are allocated where something was passed, so memory follows the path and not the
 * distance between its ends.
 */
import {
  cellFrom,
  centreSample,
  heightOfLine,
  lineBelow,
  rowOfLine,
  type Span,
  samplesPerCell,
  TooLarge,
} from './sampleRows';

export const tileSide = 64;
/** 16.8 million cells or 16.8 ha, 117 MB. */
const maxTiles = 4096;
/** Tiles either way of the origin: 100 km. */
const maxTile = 15_625;
const allSamples = 2 ** samplesPerCell - 1;

/** 64 by 64 cells, row by row from the lower left. */
export interface Tile {
  readonly column: number;
  readonly row: number;
  /** Samples that were passed, as bits. */
  readonly samples: Uint16Array;
  /** How often the tool came to the centre of the cell. */
  readonly passes: Uint8Array;
  /** Metres travelled when it last did. */
  readonly touched: Float32Array;
}

/** Corners in order. */
export interface Quad {
  readonly xs: readonly [number, number, number, number];
  readonly ys: readonly [number, number, number, number];
}

export class SweptCells {
  readonly #tiles = new Map<number, Tile>();
  #latest: Tile | undefined;

  /**
   * Metres travelled between two touches of a cell that make them two passes. Below it the tool has not left the cell:
   * pieces of a path overlap where it turns.
   */
  pause = 0.5;

  get tiles(): Iterable<Tile> {
    return this.#tiles.values();
  }

  /**
   * Touches the samples within a convex polygon of four corners, at a number of metres travelled. The inner loop of a
   * sweep: it allocates nothing.
   * @throws TooLarge
   */
  touch(quad: Quad, travelled: number): void {
    const { first, last } = findSpans(quad);
    for (let row = rowOfLine(first); row <= rowOfLine(last); row += 1) {
      let [start, end, innerStart, innerEnd] = [beyond, -beyond, -beyond, beyond];
      for (let sample = 0; sample < samplesPerCell; sample += 1) {
        const at = row * samplesPerCell + sample - first;
        const isOutside = at < 0 || at > last - first;
        const from = isOutside ? beyond : cellFrom(lows[at] as number, at + first);
        const to = isOutside ? -beyond : cellFrom(highs[at] as number, at + first);
        froms[sample] = from;
        tos[sample] = to;
        if (from < start) start = from;
        if (to > end) end = to;
        if (from > innerStart) innerStart = from;
        if (to < innerEnd) innerEnd = to;
      }
      for (let cell = start; cell < end; cell += 1)
        this.#mark(row, cell, cell >= innerStart && cell < innerEnd ? allSamples : samplesWithin(cell), travelled);
    }
  }

  /**
   * The tile, made if there is none.
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

  /** Calls `each` for the touched cells of a span. */
  eachTouched(row: number, [from, to]: Span, each: (samples: number, passes: number) => void): void {
    const tileRow = Math.floor(row / tileSide);
    const start = (row - tileRow * tileSide) * tileSide;
    for (const tile of this.#tilesBetween(tileRow, Math.floor(from / tileSide), Math.ceil(to / tileSide))) {
      const left = tile.column * tileSide;
      const end = start + Math.min(to - left, tileSide);
      for (let at = start + Math.max(from - left, 0); at < end; at += 1) {
        const samples = tile.samples[at] as number;
        if (samples > 0) each(samples, tile.passes[at] as number);
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

  #mark(row: number, cell: number, bits: number, travelled: number): void {
    const column = Math.floor(cell / tileSide);
    const tileRow = Math.floor(row / tileSide);
    if (this.#latest?.column !== column || this.#latest.row !== tileRow) this.#latest = this.tileAt(column, tileRow);
    const { samples, passes, touched } = this.#latest;
    const at = (row - tileRow * tileSide) * tileSide + cell - column * tileSide;
    samples[at] = (samples[at] as number) | bits;
    if ((bits & centreBit) === 0) return;
    const before = passes[at] as number;
    if (before === 0 || (before < 255 && travelled - (touched[at] as number) > this.pause)) passes[at] = before + 1;
    touched[at] = travelled;
  }
}

const keyOf = (column: number, row: number): number => row * 4 * maxTile + column;

const beyond = 2 ** 30;
const centreBit = 1 << centreSample;
/** Cells of the 16 lines of a row. */
const froms = new Int32Array(samplesPerCell);
const tos = new Int32Array(samplesPerCell);
/** Ends of the lines of a polygon, in metres, from its lowest line on. */
let [lows, highs] = [new Float64Array(4096), new Float64Array(4096)];

function samplesWithin(cell: number): number {
  let bits = 0;
  for (let sample = 0; sample < samplesPerCell; sample += 1)
    if (cell >= (froms[sample] as number) && cell < (tos[sample] as number)) bits |= 1 << sample;
  return bits;
}

/** Fills `lows` and `highs`. Returns the first and the last line within the polygon. */
function findSpans({ xs, ys }: Quad): { first: number; last: number } {
  const first = lineBelow(Math.min(ys[0], ys[1], ys[2], ys[3])) + 1;
  const last = lineBelow(Math.max(ys[0], ys[1], ys[2], ys[3]));
  if (last - first >= lows.length)
    [lows, highs] = [new Float64Array(2 * (last - first)), new Float64Array(2 * (last - first))];
  lows.fill(Number.POSITIVE_INFINITY, 0, last - first + 1);
  highs.fill(Number.NEGATIVE_INFINITY, 0, last - first + 1);
  for (let index = 0; index < 4; index += 1) {
    const before = (index + 3) & 3;
    const isRising = (ys[before] as number) < (ys[index] as number);
    const [low, high] = isRising ? [before, index] : [index, before];
    const [x, y] = [xs[low] as number, ys[low] as number];
    const end = lineBelow(ys[high] as number);
    const slope = ((xs[high] as number) - x) / ((ys[high] as number) - y);
    for (let line = lineBelow(y) + 1; line <= end; line += 1) {
      const crossing = x + (heightOfLine(line) - y) * slope;
      const at = line - first;
      if (crossing < (lows[at] as number)) lows[at] = crossing;
      if (crossing > (highs[at] as number)) highs[at] = crossing;
    }
  }
  return { first, last };
}
