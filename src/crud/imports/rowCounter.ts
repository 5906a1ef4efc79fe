/** Counts the rows of a CSV file in the browser before the upload. */

/** Matches content; rows of separators alone do not count. */
const content = /[^\s\0;,|"]/;

/**
 * Counts rows. A line break inside quotes does not end a row. An unclosed quote hides rows, so the count may be too low
 * but is never too high.
 */
export class RowCounter {
  rows = 0;
  private isQuoted = false;
  private hasContent = false;

  add(text: string): void {
    for (const [piece] of text.matchAll(/"|[\r\n]+|[^"\r\n]+/g)) {
      if (piece === '"') this.isQuoted = !this.isQuoted;
      else if (this.isQuoted || !/^[\r\n]/.test(piece)) this.hasContent ||= content.test(piece);
      else this.end();
    }
  }

  /** Called at the end of a row and of the file. */
  end(): void {
    if (this.hasContent) this.rows += 1;
    this.hasContent = false;
  }
}

const encodings: readonly [label: string, byteOrderMark: readonly number[]][] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Whether a CSV file has more rows than `limit`; reads no further than needed. False for other file types. */
export async function hasMoreRows(file: File, limit: number): Promise<boolean> {
  if (!/\.csv$/i.test(file.name)) return false;
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const [label = 'utf-8'] =
    encodings.find(([, byteOrderMark]) => byteOrderMark.every((byte, index) => start[index] === byte)) ?? [];
  const counter = new RowCounter();
  const decoder = new TextDecoder(label);
  const chunkSize = 1024 * 1024;
  for (let from = 0; from < file.size && counter.rows <= limit; from += chunkSize)
    counter.add(decoder.decode(await file.slice(from, from + chunkSize).arrayBuffer(), { stream: true }));
  counter.end();
  return counter.rows > limit;
}
