/** Reads a tar archive (POSIX ustar): the part of it that an image of a database uses. */

export interface TarEntry {
  name: string;
  /** `undefined` for a directory. */
  bytes: Uint8Array | undefined;
}

const block = 512;

/** The entries of an archive that arrives in pieces; one entry is in memory at a time. */
export async function* entriesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const archive = new Pieces(pieces);
  for (;;) {
    const header = await archive.take(block);
    const text = (from: number, length: number) => header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
    const name = text(0, 100);
    if (name === '') return;
    const prefix = text(345, 155);
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const bytes = await archive.take(Math.ceil(size / block) * block);
    yield { name: prefix ? `${prefix}/${name}` : name, bytes: text(156, 1) === '5' ? undefined : bytes.subarray(0, size) };
  }
}

class Pieces {
  private readonly source: AsyncIterator<Uint8Array>;
  private kept: Uint8Array[] = [];
  private length = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.source = pieces[Symbol.asyncIterator]();
  }

  /** The next bytes; fewer, or none, at the end. */
  async take(count: number): Promise<Buffer> {
    while (this.length < count) {
      const next = await this.source.next();
      if (next.done) break;
      this.kept.push(next.value);
      this.length += next.value.length;
    }
    const all = Buffer.concat(this.kept, this.length);
    this.kept = [all.subarray(count)];
    this.length = Math.max(this.length - count, 0);
    return all.subarray(0, count);
  }
}
