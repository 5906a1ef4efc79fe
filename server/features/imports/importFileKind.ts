/** Detects the kind of a file from its content, whatever its name, and whether it is safe to open. */
import { decodeText } from './decodeText';
import { UnreadableFile } from './unreadableFile';
import { entryName, readZipEntries } from './zipEntries';

export type ImportFileKind = 'csv' | 'xlsx' | 'xls';

const startsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, index) => bytes[index] === byte);
const compoundMark = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/**
 * Detects the kind of a file; `undefined` for any other.
 * @throws UnreadableFile for a workbook that is encrypted, damaged or too large
 */
export function importFileKind(bytes: Uint8Array): ImportFileKind | undefined {
  if (bytes.length === 0) throw new UnreadableFile('import_empty');
  if (startsWith(bytes, compoundMark)) return detectCompound(bytes);
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) return detectZip(bytes);
  return looksLikeText(bytes) ? 'csv' : undefined;
}

const containsWords = (bytes: Uint8Array, words: string) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(words, 'utf16le'));

/**
 * Compound files contain old workbooks, or encrypted new ones. Some programs write the name of the stream in capitals.
 */
function detectCompound(bytes: Uint8Array): ImportFileKind | undefined {
  if (containsWords(bytes, 'EncryptedPackage')) throw new UnreadableFile('import_encrypted');
  return ['Workbook', 'WORKBOOK', 'Book', 'BOOK'].some((name) => containsWords(bytes, name)) ? 'xls' : undefined;
}

const detectZip = (bytes: Uint8Array): ImportFileKind | undefined =>
  readZipEntries(bytes).some((entry) => workbookPart.test(entryName(entry))) ? 'xlsx' : undefined;

/** Path of the workbook in the archive; some programs write backslashes. */
const workbookPart = /^\/?xl[\\/]workbook\.(xml|bin)$/i;

/** Whether the file begins with text, that is, with few control characters. Markup is text, but not a table. */
function looksLikeText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 8192);
  const zeros = start.filter((byte) => byte === 0).length;
  if (zeros >= start.length * 0.6 || isPicture(start)) return false;
  // Decoded first, because bytes below 32 are halves of letters in UTF-16, such as those of Polish.
  const { text } = decodeText(start);
  const controlCharacters = [...text].filter((character) => character < ' ' && !'\0\t\n\f\r'.includes(character));
  return controlCharacters.length <= text.length / 50 && !/^\s*<(!doctype|html|\?xml|table|svg)/i.test(text);
}

const isPicture = (start: Uint8Array) =>
  [
    [0x89, 0x50, 0x4e, 0x47],
    [0xff, 0xd8, 0xff],
    [0x47, 0x49, 0x46, 0x38],
    [0x25, 0x50, 0x44, 0x46],
    [0x1f, 0x8b],
  ].some((mark) => startsWith(start, mark));
