/** Unzips files (PKWARE APPNOTE 6.3) within limits: an entry must not exceed its declared size. */
import { inflateRawSync } from 'node:zlib';
import { importLimits } from '../../../schema/shared/imports';
import { UnreadableFile } from './unreadableFile';

interface ZipEntry {
  name: Uint8Array;
  /** 0: stored, 8: deflated. */
  method: number;
  /** Bytes of the compressed content. */
  compressedSize: number;
  /** Bytes of the content, as declared. */
  size: number;
  /** Position of the entry's local header. */
  offset: number;
}

const [fileSignature, directorySignature, endSignature] = [0x04034b50, 0x02014b50, 0x06054b50];
const [fileHeaderLength, directoryHeaderLength, endRecordLength] = [30, 46, 22];

const createView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const entryName = ({ name }: ZipEntry): string => new TextDecoder().decode(name);

/**
 * Reads the central directory only, so that nothing is inflated before its size is known.
 * @throws UnreadableFile
 */
export function readZipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = createView(bytes);
  const endRecord = findEndRecord(view);
  if (endRecord < 0) throw new UnreadableFile('import_damaged');
  const count = view.getUint16(endRecord + 10, true);
  if (count > importLimits.entries) throw new UnreadableFile('import_too_large');
  const entries: ZipEntry[] = [];
  for (let offset = view.getUint32(endRecord + 16, true); entries.length < count; ) {
    if (offset + directoryHeaderLength > bytes.length || view.getUint32(offset, true) !== directorySignature)
      throw new UnreadableFile('import_damaged');
    if (view.getUint16(offset + 8, true) & 1) throw new UnreadableFile('import_encrypted');
    const [name, extra, comment] = [
      view.getUint16(offset + 28, true),
      view.getUint16(offset + 30, true),
      view.getUint16(offset + 32, true),
    ];
    entries.push({
      name: bytes.subarray(offset + directoryHeaderLength, offset + directoryHeaderLength + name),
      method: view.getUint16(offset + 10, true),
      compressedSize: view.getUint32(offset + 20, true),
      size: view.getUint32(offset + 24, true),
      offset: view.getUint32(offset + 42, true),
    });
    offset += directoryHeaderLength + name + extra + comment;
  }
  if (entries.reduce((sum, { size }) => sum + size, 0) > importLimits.unpacked)
    throw new UnreadableFile('import_too_large');
  return entries;
}

/** Returns the position of the end record, which only a comment may follow; -1 if there is none. */
function findEndRecord(view: DataView): number {
  for (let offset = view.byteLength - endRecordLength; offset >= Math.max(0, view.byteLength - 65_557); offset -= 1)
    if (view.getUint32(offset, true) === endSignature) return offset;
  return -1;
}

/**
 * Rewrites the zip file without compression. The library that reads workbooks trusts declared sizes, and it inflates
 * slowly and again on every access.
 * @throws UnreadableFile
 */
export function rewriteUncompressed(bytes: Uint8Array): Uint8Array {
  const entries = readZipEntries(bytes);
  const sum = (size: (part: ZipEntry) => number) => entries.reduce((total, entry) => total + size(entry), 0);
  const directoryOffset = sum(({ name, size }) => fileHeaderLength + name.length + size);
  const archive = new Uint8Array(
    directoryOffset + sum(({ name }) => directoryHeaderLength + name.length) + endRecordLength,
  );
  const view = createView(archive);
  let offset = 0;
  let directoryPosition = directoryOffset;
  for (const entry of entries) {
    const { name, size } = entry;
    view.setUint32(offset, fileSignature, true);
    view.setUint32(directoryPosition, directorySignature, true);
    for (const place of [offset + 18, offset + 22, directoryPosition + 20, directoryPosition + 24])
      view.setUint32(place, size, true);
    for (const place of [offset + 26, directoryPosition + 28]) view.setUint16(place, name.length, true);
    view.setUint32(directoryPosition + 42, offset, true);
    archive.set(name, offset + fileHeaderLength);
    archive.set(name, directoryPosition + directoryHeaderLength);
    archive.set(readContent(bytes, entry), offset + fileHeaderLength + name.length);
    offset += fileHeaderLength + name.length + size;
    directoryPosition += directoryHeaderLength + name.length;
  }
  view.setUint32(directoryPosition, endSignature, true);
  for (const place of [directoryPosition + 8, directoryPosition + 10]) view.setUint16(place, entries.length, true);
  view.setUint32(directoryPosition + 12, directoryPosition - directoryOffset, true);
  view.setUint32(directoryPosition + 16, directoryOffset, true);
  return archive;
}

function readContent(bytes: Uint8Array, { method, compressedSize, size, offset }: ZipEntry): Uint8Array {
  const view = createView(bytes);
  if (offset + fileHeaderLength > bytes.length || view.getUint32(offset, true) !== fileSignature)
    throw new UnreadableFile('import_damaged');
  const from = offset + fileHeaderLength + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const content = bytes.subarray(from, from + compressedSize);
  const inflatedContent = method === 0 ? content : method === 8 ? inflate(content, size) : undefined;
  if (inflatedContent?.length !== size) throw new UnreadableFile('import_damaged');
  return inflatedContent;
}

/** Inflates content; stops as soon as the output exceeds the declared size. Returns `undefined` on failure. */
function inflate(content: Uint8Array, size: number): Uint8Array | undefined {
  try {
    return inflateRawSync(content, { maxOutputLength: size + 1 });
  } catch {
    return undefined;
  }
}
