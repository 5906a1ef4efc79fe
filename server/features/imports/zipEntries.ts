/** Unzips files (PKWARE APPNOTE 6.3) within limits: an entry must not exceed its declared size. */
import { inflateRawSync } from 'node:zlib';
import { importLimits } from '../../../schema/shared/imports';
import { Unreadable } from './unreadable';

interface ZipEntry {
  name: Uint8Array;
  /** 0: stored, 8: deflated. */
  method: number;
  /** Bytes of the compressed content. */
  packedSize: number;
  /** Bytes of the content, as declared. */
  size: number;
  /** Position of the entry's local header. */
  offset: number;
}

const [fileMark, directoryMark, endMark] = [0x04034b50, 0x02014b50, 0x06054b50];
const [fileLength, directoryLength, endLength] = [30, 46, 22];

const createView = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
export const entryName = ({ name }: ZipEntry): string => new TextDecoder().decode(name);

/**
 * Reads the central directory only, so that nothing is inflated before its size is known.
 * @throws Unreadable
 */
export function readZipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = createView(bytes);
  const endRecord = findEndRecord(view);
  if (endRecord < 0) throw new Unreadable('import_damaged');
  const count = view.getUint16(endRecord + 10, true);
  if (count > importLimits.entries) throw new Unreadable('import_too_large');
  const entries: ZipEntry[] = [];
  for (let offset = view.getUint32(endRecord + 16, true); entries.length < count; ) {
    if (offset + directoryLength > bytes.length || view.getUint32(offset, true) !== directoryMark)
      throw new Unreadable('import_damaged');
    if (view.getUint16(offset + 8, true) & 1) throw new Unreadable('import_encrypted');
    const [name, extra, comment] = [
      view.getUint16(offset + 28, true),
      view.getUint16(offset + 30, true),
      view.getUint16(offset + 32, true),
    ];
    entries.push({
      name: bytes.subarray(offset + directoryLength, offset + directoryLength + name),
      method: view.getUint16(offset + 10, true),
      packedSize: view.getUint32(offset + 20, true),
      size: view.getUint32(offset + 24, true),
      offset: view.getUint32(offset + 42, true),
    });
    offset += directoryLength + name + extra + comment;
  }
  if (entries.reduce((sum, { size }) => sum + size, 0) > importLimits.unpacked)
    throw new Unreadable('import_too_large');
  return entries;
}

/** Returns the position of the end record, which only a comment may follow; -1 if there is none. */
function findEndRecord(view: DataView): number {
  for (let offset = view.byteLength - endLength; offset >= Math.max(0, view.byteLength - 65_557); offset -= 1)
    if (view.getUint32(offset, true) === endMark) return offset;
  return -1;
}

/**
 * Rewrites the zip file without compression. The library that reads workbooks trusts declared sizes, and it inflates
 * slowly and again on every access.
 * @throws Unreadable
 */
export function rewriteUncompressed(bytes: Uint8Array): Uint8Array {
  const entries = readZipEntries(bytes);
  const sum = (size: (part: ZipEntry) => number) => entries.reduce((total, part) => total + size(part), 0);
  const directoryOffset = sum(({ name, size }) => fileLength + name.length + size);
  const archive = new Uint8Array(directoryOffset + sum(({ name }) => directoryLength + name.length) + endLength);
  const view = createView(archive);
  let offset = 0;
  let entry = directoryOffset;
  for (const part of entries) {
    const { name, size } = part;
    view.setUint32(offset, fileMark, true);
    view.setUint32(entry, directoryMark, true);
    for (const place of [offset + 18, offset + 22, entry + 20, entry + 24]) view.setUint32(place, size, true);
    for (const place of [offset + 26, entry + 28]) view.setUint16(place, name.length, true);
    view.setUint32(entry + 42, offset, true);
    archive.set(name, offset + fileLength);
    archive.set(name, entry + directoryLength);
    archive.set(readContent(bytes, part), offset + fileLength + name.length);
    offset += fileLength + name.length + size;
    entry += directoryLength + name.length;
  }
  view.setUint32(entry, endMark, true);
  for (const place of [entry + 8, entry + 10]) view.setUint16(place, entries.length, true);
  view.setUint32(entry + 12, entry - directoryOffset, true);
  view.setUint32(entry + 16, directoryOffset, true);
  return archive;
}

function readContent(bytes: Uint8Array, { method, packedSize, size, offset }: ZipEntry): Uint8Array {
  const view = createView(bytes);
  if (offset + fileLength > bytes.length || view.getUint32(offset, true) !== fileMark)
    throw new Unreadable('import_damaged');
  const from = offset + fileLength + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const content = bytes.subarray(from, from + packedSize);
  const inflatedContent = method === 0 ? content : method === 8 ? inflate(content, size) : undefined;
  if (inflatedContent?.length !== size) throw new Unreadable('import_damaged');
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
