/** Downloads in frames (`server/files/frames.ts`), which carry the progress and mark a complete file. */
import { HttpError } from 'ra-core';
import { fetchApi, fileName, readChunks, saveFile } from './http';

const kinds = ['part', 'rows', 'end', 'problem'] as const;
const headLength = 5;

interface DownloadOptions {
  /** File name if the server sends none, and media type. */
  name: string;
  type: string;
  progress(rows: number): void;
  signal: AbortSignal;
}

/** Downloads a file and saves it. Returns the number of its rows. @throws HttpError, also for a truncated response */
export async function downloadWithRowCount(
  path: string,
  { name, type, progress, signal }: DownloadOptions,
): Promise<number> {
  const response = await fetchApi(path, { headers: { Accept: 'application/vnd.sweepline.frames' }, signal });
  const fileChunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const { kind, bytes } of framesOf(response)) {
    if (kind === 'part') fileChunks.push(bytes);
    else {
      const end = JSON.parse(new TextDecoder().decode(bytes)) as { rows: number; message?: string; status?: number };
      if (kind === 'problem') throw new HttpError(end.message ?? 'errors.generic', end.status ?? 0, end);
      progress(end.rows);
      if (kind === 'rows') continue;
      saveFile(new Blob(fileChunks, { type }), fileName(response.headers.get('Content-Disposition')) ?? name);
      return end.rows;
    }
  }
  throw new HttpError('errors.network', 0);
}

interface Frame {
  kind: (typeof kinds)[number];
  bytes: Uint8Array<ArrayBuffer>;
}

async function* framesOf(response: Response): AsyncGenerator<Frame> {
  let unparsed = new Uint8Array(0);
  for await (const chunk of readChunks(response.body)) {
    const receivedBytes = new Uint8Array(unparsed.length + chunk.length);
    receivedBytes.set(unparsed);
    receivedBytes.set(chunk, unparsed.length);
    let offset = 0;
    for (;;) {
      const length =
        receivedBytes.length - offset < headLength
          ? undefined
          : new DataView(receivedBytes.buffer, offset).getUint32(1);
      if (length === undefined || receivedBytes.length < offset + headLength + length) break;
      const kind = kinds[receivedBytes[offset] as number];
      if (kind) yield { kind, bytes: receivedBytes.slice(offset + headLength, offset + headLength + length) };
      offset += headLength + length;
    }
    unparsed = receivedBytes.slice(offset);
  }
}
