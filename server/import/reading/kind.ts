/** What a file is by its content, whatever its name says, and whether it is safe to open. */
import { importLimits } from '../../../schema/imports';
import type { ApiText } from '../../api/errors';

export type Kind = 'csv' | 'xlsx' | 'xls';

/** Refuses a file with a sentence that is said in the reader's language. */
export class Unreadable extends Error {
  constructor(
    readonly text: ApiText,
    readonly values: Record<string, string | number> = {},
  ) {
    super(text);
    this.name = 'Unreadable';
  }
}

const starts = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** `undefined`: none of the three. @throws Unreadable for a workbook that is encrypted, damaged or larger than it may be */
export function kindOf(bytes: Uint8Array): Kind | undefined {
  if (bytes.length === 0) throw new Unreadable('import_empty');
  if (starts(bytes, compound)) return ofCompound(bytes);
  if (starts(bytes, [0x50, 0x4b, 0x03, 0x04])) return ofZip(bytes);
  return looksLikeText(bytes) ? 'csv' : undefined;
}

const holds = (bytes: Uint8Array, words: string) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(words, 'utf16le'));

/** Compound files hold old workbooks, and new ones that were encrypted. */
function ofCompound(bytes: Uint8Array): Kind | undefined {
  if (holds(bytes, 'EncryptedPackage')) throw new Unreadable('import_encrypted');
  return holds(bytes, 'Workbook') || holds(bytes, 'Book') ? 'xls' : undefined;
}

/** Reads the central directory alone (PKWARE APPNOTE, 4.3.12): nothing is unpacked before its size is known. */
function ofZip(bytes: Uint8Array): Kind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfZip(view);
  if (end < 0) throw new Unreadable('import_damaged');
  const entries = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let unpacked = 0;
  let isWorkbook = false;
  if (entries > importLimits.entries) throw new Unreadable('import_too_large');
  for (let entry = 0; entry < entries; entry += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw new Unreadable('import_damaged');
    unpacked += view.getUint32(at + 24, true);
    const [name, extra, comment] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
    isWorkbook ||= /^xl\/workbook\.(xml|bin)$/.test(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)));
    at += 46 + name + extra + comment;
  }
  if (unpacked > importLimits.unpacked) throw new Unreadable('import_too_large');
  return isWorkbook ? 'xlsx' : undefined;
}

/** The record at the end, behind which only a comment may follow. */
function endOfZip(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) if (view.getUint32(at, true) === 0x06054b50) return at;
  return -1;
}

/** Few control characters in its start; zeros are UTF-16. Markup is no table. */
function looksLikeText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 8192);
  const strange = start.filter((byte) => byte < 32 && ![0, 9, 10, 13, 12].includes(byte)).length;
  if (strange > start.length / 50 || /^\s*<(!doctype|html|\?xml|table|svg)/i.test(new TextDecoder('latin1').decode(start.subarray(0, 200)))) return false;
  const zeros = start.filter((byte) => byte === 0).length;
  return zeros < start.length * 0.6 && !isPicture(start);
}

const isPicture = (start: Uint8Array) =>
  [
    [0x89, 0x50, 0x4e, 0x47],
    [0xff, 0xd8, 0xff],
    [0x47, 0x49, 0x46, 0x38],
    [0x25, 0x50, 0x44, 0x46],
    [0x1f, 0x8b],
  ].some((mark) => starts(start, mark));
