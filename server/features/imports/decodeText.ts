/** Decodes CSV files: encoding and delimiter. */
import type { Encoding } from '../../../schema/shared/imports';

const byteOrderMarks: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Returns the text without its byte order mark. */
export function decodeText(bytes: Uint8Array, requestedEncoding?: Encoding): { text: string; encoding: Encoding } {
  const encoding = requestedEncoding ?? detectEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes).replace(/^\uFEFF/, ''), encoding };
}

/**
 * Detects the encoding: from the byte order mark; otherwise UTF-16 if there are many zeros, UTF-8 if valid, or an old
 * code page.
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  const byteOrderMark = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (byteOrderMark) return byteOrderMark[0];
  const start = bytes.subarray(0, 4096);
  const zeros = (parity: number) => start.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (zeros(1) > start.length / 5) return 'utf-16le';
  if (zeros(0) > start.length / 5) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : oldCodePage(bytes);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are Polish or Czech letters in windows-1250, but symbols in windows-1252: ą ł Ł ż Ż Ą ź ť and so on. */
const centralEuropeanBytes = new Set([0xb9, 0xb3, 0xa3, 0xbf, 0xaf, 0xa5, 0x9f, 0x8f, 0xbe, 0x9d, 0xbc]);
const isLetter = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));

/**
 * Tells the old code pages apart. One of the `centralEuropeanBytes` before another letter must be a letter itself, so
 * the file is Central European; at the end of a word it is a symbol, as in 5 m³.
 */
function oldCodePage(bytes: Uint8Array): Encoding {
  const positionInWord = bytes.findIndex(
    (byte, index) => centralEuropeanBytes.has(byte) && (isLetter(bytes[index + 1]) || (bytes[index + 1] ?? 0) >= 0xc0),
  );
  return positionInWord >= 0 ? 'windows-1250' : 'windows-1252';
}

/**
 * Detects the delimiter: from a first line `sep=;`, otherwise the one that splits the first lines into the most
 * columns, with the same number in each line.
 */
export function detectDelimiter(text: string, requestedDelimiter?: string): { delimiter: string; isDeclared: boolean } {
  const declaredDelimiter = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (declaredDelimiter) return { delimiter: requestedDelimiter ?? declaredDelimiter, isDeclared: true };
  if (requestedDelimiter) return { delimiter: requestedDelimiter, isDeclared: false };
  const lines = firstLines(text.slice(0, 64 * 1024), 20);
  const scores = [';', ',', '\t', '|'].map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const [head = 0] = counts;
    return {
      delimiter,
      score: head === 0 ? 0 : head + 1000 * (counts.filter((count) => count === head).length / counts.length),
    };
  });
  const bestScore = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return { delimiter: bestScore.score > 0 ? bestScore.delimiter : ',', isDeclared: false };
}

/** Returns the first lines, without quoted content. */
const firstLines = (text: string, limit: number): string[] =>
  text
    .replace(/"[^"]*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, limit);
