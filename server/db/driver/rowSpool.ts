/**
 * Holds the batches of a result until a reader has taken them: in memory up to a limit, the others in a file. The file
 * has no name, so nothing is left of it when the process ends.
 */
import { closeSync, openSync, read as readFile, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';

/** Bytes that one spool keeps in memory. */
const defaultLimit = 16 * 2 ** 20;
/** Bytes that all spools keep in memory, so that many slow readers do not exhaust it. */
const totalLimit = 64 * 2 ** 20;
let totalInMemory = 0;

/** Rows in memory, or the position of their serialisation in the file. */
type Batch<T> = T[] | { position: number; length: number };

export class RowSpool<T> {
  private readonly batches: Batch<T>[] = [];
  private bytesInMemory = 0;
  private file: number | undefined;
  private fileLength = 0;

  constructor(private readonly limit = defaultLimit) {}

  /** Adds a batch. Throws if it fits neither into memory nor on the disk. */
  add(rows: T[]): void {
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    const hasRoom = this.bytesInMemory + size <= this.limit && totalInMemory + size <= totalLimit;
    if (hasRoom) {
      this.bytesInMemory += size;
      totalInMemory += size;
    }
    this.batches.push(hasRoom ? rows : this.write(rows));
  }

  /** Yields the batches in order, and forgets each. */
  async *take(): AsyncGenerator<T[]> {
    for (let batch = this.batches.shift(); batch; batch = this.batches.shift())
      yield Array.isArray(batch) ? batch : await this.load(batch);
  }

  /** Drops the batches that nobody has taken, and releases their memory. */
  close(): void {
    this.batches.length = 0;
    totalInMemory -= this.bytesInMemory;
    this.bytesInMemory = 0;
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private write(rows: T[]): Batch<T> {
    const bytes = serialize(rows);
    this.file ??= openUnnamedFile();
    const position = this.fileLength;
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.file, bytes, written, bytes.length - written, position + written);
    this.fileLength += bytes.length;
    return { position, length: bytes.length };
  }

  private async load({ position, length }: { position: number; length: number }): Promise<T[]> {
    const bytes = Buffer.allocUnsafe(length);
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await readFromFile(this.file as number, bytes, filled, length - filled, position + filled);
      if (bytesRead === 0) throw new Error('The file of a spool is shorter than what was written.');
      filled += bytesRead;
    }
    return deserialize(bytes) as T[];
  }
}

const readFromFile = promisify(readFile);

let fileCount = 0;

function openUnnamedFile(): number {
  fileCount += 1;
  const path = join(tmpdir(), `sweepline-rows-${process.pid}-${Date.now()}-${fileCount}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

/** Approximate bytes of a row in memory. */
const sizeOf = (row: unknown): number =>
  Object.values(row as object).reduce<number>((sum, value) => sum + sizeOfValue(value), 64);

function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value === 'object' && value !== null) return sizeOf(value);
  return 8;
}
