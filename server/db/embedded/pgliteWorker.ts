/**
 * Worker thread of the embedded database, so that a slow query blocks nothing else. Receives bytes of PostgreSQL's
 * protocol or a `Request`; sends the bytes of the response or a `Notice`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { sessionSettings } from '../driver/sessionSettings';

export interface WorkerData {
  /** Directory of the database; in memory by default. */
  directory?: string;
}
export type Request = 'close' | 'image';
export type Notice =
  | { type: 'ready' }
  | { type: 'closed' }
  | { type: 'failed'; message: string }
  | { type: 'image'; bytes: Uint8Array };

/**
 * PGlite has one session, whose settings are those of its start. Buffers are below its default of 128 MB, because pages
 * beyond them are in the operating system's cache.
 */
const settings = {
  ...sessionSettings,
  shared_buffers: '64MB',
  effective_cache_size: '256MB',
};

const port = parentPort;
if (!port) throw new Error('This file runs as a worker only.');
const { directory } = workerData as WorkerData;
const post = (notice: Notice) => port.postMessage(notice);

try {
  const database = await PGlite.create({
    dataDir: directory,
    extensions: { pg_trgm },
    // Effective when an image is made. Segments of 16 MB would be most of what a first start unpacks.
    initDbStartParams: ['--wal-segsize=4'],
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  });
  port.on('message', async (message: Uint8Array | Request) => {
    if (message === 'close') {
      await database.close();
      post({ type: 'closed' });
      port.close();
    } else if (message === 'image') {
      const bytes = new Uint8Array(await (await database.dumpDataDir('gzip')).arrayBuffer());
      post({ type: 'image', bytes });
    } else {
      // Runs to completion synchronously: requests are answered in order, and answers are not interleaved.
      // `execProtocolRawSync` alone would also parse every answer and never free the result.
      const pieces: Uint8Array[] = [];
      await database.execProtocolRawStream(message, {
        syncToFs: false,
        onRawData: (bytes) => pieces.push(bytes.slice()),
      });
      const answer = joinPieces(pieces);
      if (answer.length > 0) port.postMessage(answer, [answer.buffer as ArrayBuffer]);
    }
  });
  post({ type: 'ready' });
} catch (error) {
  post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}

function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const [singlePiece] = pieces;
  if (singlePiece && pieces.length === 1) return singlePiece;
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
