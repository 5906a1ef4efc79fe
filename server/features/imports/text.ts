/** Bytes of a csv file into text: which encoding, which delimiter. */
import type { Encoding } from '../../../schema/shared/imports';

const marks: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The text without its byte order mark. */
export function decodeText(bytes: Uint8Array, asked?: Encoding): { text: string; encoding: Encoding } {
  const encoding = asked ?? encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes).replace(/^\uFEFF/, ''), encoding };
}

/** By its mark, else UTF-16 by its many zeros, else UTF-8 if it is, else one of the old code pages. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return marked[0];
  const start = bytes.subarray(0, 4096);
  const zeros = (odd: number) => start.filter((byte, index) => byte === 0 && index % 2 === odd).length;
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

/** Letters of Polish and Czech in windows-1250 that are signs in windows-1252: ą ł Ł ż Ż Ą ź ť and so on. */
const central = new Set([0xb9, 0xb3, 0xa3, 0xbf, 0xaf, 0xa5, 0x9f, 0x8f, 0xbe, 0x9d, 0xbc]);
const isLetter = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));

/**
 * Such a byte before another letter is one itself, so the file is Central European; at the end it is a sign as in 5 m³.
 */
function oldCodePage(bytes: Uint8Array): Encoding {
  const inWords = bytes.findIndex(
    (byte, index) => central.has(byte) && (isLetter(bytes[index + 1]) || (bytes[index + 1] ?? 0) >= 0xc0),
  );
  return inWords >= 0 ? 'windows-1250' : 'windows-1252';
}

/**
 * The first line may say it (`sep=;`); else the one that cuts the first lines into most pieces, the same number each
 * time.
 */
export function delimiterOf(text: string, asked?: string): { delimiter: string; said: boolean } {
  const said = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (said) return { delimiter: asked ?? said, said: true };
  if (asked) return { delimiter: asked, said: false };
  const lines = firstLines(text.slice(0, 64 * 1024), 20);
  const scores = [';', ',', '\t', '|'].map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const [head = 0] = counts;
    return {
      delimiter,
      score: head === 0 ? 0 : head + 1000 * (counts.filter((count) => count === head).length / counts.length),
    };
  });
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return { delimiter: best.score > 0 ? best.delimiter : ',', said: false };
}

/** Lines without what stands in quotes. */
const firstLines = (text: string, most: number): string[] =>
  text
    .replace(/"[^"]*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, most);
