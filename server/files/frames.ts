/**
 * A file in frames: one byte says what a frame is, four its length (big-endian), then its bytes. So that whoever loads
 * it knows how many rows have come, and whether it is whole: an answer that merely ends may have been cut off.
 */
type Batch = readonly { piece: string | null; rows: number }[];

export const framed = 'application/vnd.sweepline.frames';

/** Part of the file; JSON `{rows}` so far; JSON `{rows}` at the end; JSON of a refusal. */
const kinds = { part: 0, rows: 1, end: 2, problem: 3 } as const;

const frame = (kind: keyof typeof kinds, bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(5);
  head.writeUInt8(kinds[kind]);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};
const told = (kind: 'rows' | 'end' | 'problem', what: object) => frame(kind, Buffer.from(JSON.stringify(what)));

interface Telling {
  count: { readonly rows: number };
  problem: (error: unknown) => object;
}

export async function* encodeFrames(
  file: AsyncIterable<Uint8Array>,
  { count, problem }: Telling,
): AsyncGenerator<Buffer> {
  let last = 0;
  try {
    for await (const part of file) {
      yield frame('part', part);
      if (count.rows === last) continue;
      last = count.rows;
      yield told('rows', count);
    }
    yield told('end', count);
  } catch (error) {
    yield told('problem', problem(error));
  }
}

/** The pieces as they are; counts the rows in them. */
export async function* counted(pieces: AsyncIterable<Batch>, count: { rows: number }): AsyncGenerator<Batch> {
  for await (const batch of pieces) {
    for (const { rows } of batch) count.rows += rows;
    yield batch;
  }
}
