/**
 * Writes zip archives (PKWARE APPNOTE) as a stream. zlib compresses in its thread pool, so requests are not blocked.
 */
import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipFile {
  path: string;
  content: AsyncIterable<string> | Iterable<string>;
}

interface Entry {
  path: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** Yields the bytes of an archive. Requests each file only after the previous one has been written. */
export async function* printZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const entries: Entry[] = [];
  let offset = 0;
  for await (const { path, content } of files) {
    const entry: Entry = { path: Buffer.from(path), crc: 0, packed: 0, size: 0, offset };
    const header = localHeader(entry);
    yield header;
    for await (const bytes of packEntry(content, entry)) yield bytes;
    yield descriptor(entry);
    offset += header.length + entry.packed + descriptorLength;
    entries.push(entry);
  }
  const directory = Buffer.concat(entries.map(directoryEntry));
  yield Buffer.concat([directory, end({ count: entries.length, size: directory.length, offset })]);
}

/** Compresses content and records its sizes and checksum in the entry. */
async function* packEntry(content: ZipFile['content'], entry: Entry): AsyncGenerator<Buffer> {
  async function* countBytes() {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      yield bytes;
    }
  }
  const deflate = createDeflateRaw({ level: 4, chunkSize: 64 * 1024 });
  // Errors surface where the compressed bytes are read.
  pipeline(countBytes, deflate, () => {});
  for await (const bytes of deflate as AsyncIterable<Buffer>) {
    entry.packed += bytes.length;
    yield bytes;
  }
}

const version = 20;
/** Flags: sizes follow the content, and names are UTF-8. */
const flags = 0x0808;
const deflateMethod = 8;
/** 1 January 1980, because no time is stored. */
const date = 0x21;
const descriptorLength = 16;

function fields(...values: readonly [bytes: 2 | 4, value: number][]): Buffer {
  const buffer = Buffer.alloc(values.reduce((sum, [bytes]) => sum + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of values) offset = buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}

const localHeader = ({ path }: Entry): Buffer =>
  Buffer.concat([
    fields(
      [4, 0x04034b50],
      [2, version],
      [2, flags],
      [2, deflateMethod],
      [2, 0],
      [2, date],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, path.length],
      [2, 0],
    ),
    path,
  ]);

const descriptor = ({ crc, packed, size }: Entry): Buffer => fields([4, 0x08074b50], [4, crc], [4, packed], [4, size]);

const directoryEntry = ({ path, crc, packed, size, offset }: Entry): Buffer =>
  Buffer.concat([
    fields(
      [4, 0x02014b50],
      [2, version],
      [2, version],
      [2, flags],
      [2, deflateMethod],
      [2, 0],
      [2, date],
      [4, crc],
      [4, packed],
      [4, size],
    ),
    fields([2, path.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
    path,
  ]);

const end = ({ count, size, offset }: { count: number; size: number; offset: number }): Buffer =>
  fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);
