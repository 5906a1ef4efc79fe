/** Parses framed files (`server/files/frames.ts`). */
export const framesHeader = { accept: 'application/vnd.sweepline.frames' };

interface Frame {
  kind: number;
  bytes: Buffer;
}

export function parseFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = bytes.readUInt32BE(offset + 1);
    frames.push({ kind: bytes.readUInt8(offset), bytes: bytes.subarray(offset + 5, offset + 5 + length) });
    offset += 5 + length;
  }
  return frames;
}

/** Content of the file. */
export const contentOf = (frames: readonly Frame[]): Buffer =>
  Buffer.concat(frames.filter((frame) => frame.kind === 0).map(({ bytes }) => bytes));

/** Number of rows according to the last frame. Throws if the file is truncated. */
export function readRowCount(bytes: Buffer): number {
  const lastFrame = parseFrames(bytes).at(-1);
  if (lastFrame?.kind !== 2) throw new Error('The file has no end');
  return (JSON.parse(lastFrame.bytes.toString()) as { rows: number }).rows;
}
