/**
 * Framed file: each frame has one byte of type, four bytes of length (big-endian), and its content. Frames let the page
 * show progress and tell a complete file from a truncated one.
 */
export const framedMediaType = 'application/vnd.sweepline.frames';

type Batch = readonly { piece: Buffer; rows: number }[];

/**
 * `part`: bytes of the file; `rows`: JSON `{rows}` so far; `end`: JSON `{rows}` in total; `problem`: JSON of an error.
 */
const kinds = { part: 0, rows: 1, end: 2, problem: 3 } as const;

const frame = (kind: keyof typeof kinds, bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt8(kinds[kind]);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};
const jsonFrame = (kind: 'rows' | 'end' | 'problem', content: object) =>
  frame(kind, Buffer.from(JSON.stringify(content)));

interface FrameOptions {
  count: { readonly rows: number };
  problem: (error: unknown) => object;
}

/** Encodes a file. An error while the file is read becomes the last frame, because the response has already begun. */
export async function* encodeFrames(
  file: AsyncIterable<Uint8Array>,
  { count, problem }: FrameOptions,
): AsyncGenerator<Buffer> {
  let last = 0;
  try {
    for await (const part of file) {
      yield frame('part', part);
      if (count.rows === last) continue;
      last = count.rows;
      yield jsonFrame('rows', count);
    }
    yield jsonFrame('end', count);
  } catch (error) {
    yield jsonFrame('problem', problem(error));
  }
}

/** Passes batches through and counts their rows. */
export async function* countRows(pieces: AsyncIterable<Batch>, count: { rows: number }): AsyncGenerator<Batch> {
  for await (const batch of pieces) {
    for (const { rows } of batch) count.rows += rows;
    yield batch;
  }
}
