/** Reads a tar archive (POSIX ustar): the part of it that an image of a database uses. */

export interface TarEntry {
  name: string;
  /** `undefined` for a directory. */
  bytes: Uint8Array | undefined;
}

const block = 512;

export function* entriesOf(archive: Uint8Array): Generator<TarEntry> {
  const text = (from: number, length: number) =>
    Buffer.from(archive.subarray(from, from + length))
      .toString('utf8')
      .replace(/\0.*$/s, '');
  for (let at = 0; at + block <= archive.length; ) {
    const name = text(at, 100);
    if (name === '') return;
    const prefix = text(at + 345, 155);
    const size = Number.parseInt(text(at + 124, 12), 8) || 0;
    const start = at + block;
    yield { name: prefix ? `${prefix}/${name}` : name, bytes: text(at + 156, 1) === '5' ? undefined : archive.subarray(start, start + size) };
    at = start + Math.ceil(size / block) * block;
  }
}
