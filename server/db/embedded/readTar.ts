/** Reads tar archives (POSIX ustar) with the features that images of a database need. */

export interface TarEntry {
  name: string;
  /** `undefined` for a directory. */
  bytes: Uint8Array | undefined;
}

const blockSize = 512;

/** Yields the entries of an archive in order. */
export function* readTar(archive: Buffer): Generator<TarEntry> {
  for (let at = 0; at < archive.length; ) {
    const text = (from: number, length: number) =>
      archive.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const name = text(0, 100);
    if (name === '') return;
    const prefix = text(345, 155);
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const bytes = text(156, 1) === '5' ? undefined : archive.subarray(at + blockSize, at + blockSize + size);
    yield { name: prefix ? `${prefix}/${name}` : name, bytes };
    at += blockSize + Math.ceil(size / blockSize) * blockSize;
  }
}
