/** Reads tar archives (POSIX ustar) with the features that images of a database need. */

export interface TarEntry {
  name: string;
  /** `undefined` for a directory. */
  bytes: Uint8Array | undefined;
}

const blockSize = 512;

/** Yields the entries of an archive in order. */
export function* readTar(archive: Buffer): Generator<TarEntry> {
  for (let offset = 0; offset < archive.length; ) {
    const text = (from: number, length: number) =>
      archive.toString('utf8', offset + from, offset + from + length).replace(/\0.*$/s, '');
    const name = text(0, 100);
    if (name === '') return;
    const prefix = text(345, 155);
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const bytes = text(156, 1) === '5' ? undefined : archive.subarray(offset + blockSize, offset + blockSize + size);
    yield { name: prefix ? `${prefix}/${name}` : name, bytes };
    offset += blockSize + Math.ceil(size / blockSize) * blockSize;
  }
}
