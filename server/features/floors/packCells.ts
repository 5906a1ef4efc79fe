/**
 * Packs passed cells into compact bytes: run lengths of equal cells per tile, deflated. Lanes over a thousand square
 * metres take some 10 kB.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { type SweptCells, type Tile, tileSide } from './sweptCells';

const deflate = promisify(deflateRaw);
const cellsPerTile = tileSide * tileSide;
/** Tiles processed before other work gets a turn, in a few milliseconds. */
const tilesPerTurn = 200;
/** Bytes of a tile's column and row. */
const headerSize = 8;
/** Bytes of a run: number of equal cells, their samples and their passes. */
const runSize = 5;

export async function packCells(cells: SweptCells): Promise<Buffer> {
  const packedTiles: Buffer[] = [];
  for (const tile of cells.tiles) {
    packedTiles.push(packTile(tile));
    if (packedTiles.length % tilesPerTurn === 0) await nextTurn();
  }
  return deflate(Buffer.concat(packedTiles));
}

function packTile({ column, row, samples, passes }: Tile): Buffer {
  const bytes = Buffer.allocUnsafe(headerSize + runSize * cellsPerTile);
  bytes.writeInt32LE(column, 0);
  bytes.writeInt32LE(row, 4);
  let size = headerSize;
  for (let start = 0; start < cellsPerTile; ) {
    let end = start + 1;
    while (end < cellsPerTile && samples[end] === samples[start] && passes[end] === passes[start]) end += 1;
    bytes.writeUInt16LE(end - start, size);
    bytes.writeUInt16LE(samples[start] as number, size + 2);
    bytes.writeUInt8(passes[start] as number, size + 4);
    size += runSize;
    start = end;
  }
  return bytes.subarray(0, size);
}

/**
 * Adds packed cells to others: unites the samples and sums the passes.
 * @throws TooLarge
 */
export function addPackedCells(cells: SweptCells, packedBytes: Uint8Array): void {
  const bytes = inflateRawSync(packedBytes);
  for (let offset = 0; offset < bytes.length; ) {
    const { samples, passes } = cells.tileAt(bytes.readInt32LE(offset), bytes.readInt32LE(offset + 4));
    offset += headerSize;
    for (let cell = 0; cell < cellsPerTile; offset += runSize) {
      const end = cell + bytes.readUInt16LE(offset);
      const [passedSamples, count] = [bytes.readUInt16LE(offset + 2), bytes[offset + 4] as number];
      if (passedSamples > 0) addRun({ samples, passes }, { cell, end, passedSamples, count });
      cell = end;
    }
  }
}

function addRun(
  { samples, passes }: { samples: Uint16Array; passes: Uint8Array },
  { cell, end, passedSamples, count }: { cell: number; end: number; passedSamples: number; count: number },
): void {
  for (let index = cell; index < end; index += 1) {
    samples[index] = (samples[index] as number) | passedSamples;
    const sum = (passes[index] as number) + count;
    passes[index] = sum > 255 ? 255 : sum;
  }
}
