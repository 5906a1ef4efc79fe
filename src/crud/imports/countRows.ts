/** How many rows a csv file has, counted in the browser before anything is sent. */

/** Rows with nothing in them do not count, wherever separators stand. */
const content = /[^\s\0;,|"]/;

/**
 * Line ends in quotes end no row; a quote that is never closed hides rows, so it may be fewer than there are, never
 * more.
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

  /** A row ends, or the file. */
  end(): void {
    if (this.hasContent) this.rows += 1;
    this.hasContent = false;
  }
}

const encodings: readonly [label: string, mark: readonly number[]][] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Whether a csv file has more rows than `most`; reads no further than it must. Other files are told apart by the server
 * only.
 */
export async function hasMoreRows(file: File, most: number): Promise<boolean> {
  if (!/\.csv$/i.test(file.name)) return false;
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const [label = 'utf-8'] = encodings.find(([, mark]) => mark.every((byte, index) => start[index] === byte)) ?? [];
  const counter = new RowCounter();
  const decoder = new TextDecoder(label);
  const step = 1024 * 1024;
  for (let from = 0; from < file.size && counter.rows <= most; from += step)
    counter.add(decoder.decode(await file.slice(from, from + step).arrayBuffer(), { stream: true }));
  counter.end();
  return counter.rows > most;
}
