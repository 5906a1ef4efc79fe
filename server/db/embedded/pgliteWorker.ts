/**
 * The thread in which the embedded database lives, so that a slow query holds up nothing else.
 * In: bytes of PostgreSQL's protocol, or a `Request`. Out: the answer's bytes, or a `Notice`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

export interface WorkerData {
  /** Without it the database is in memory. */
  directory?: string;
}
export type Request = 'close' | 'image';
export type Notice =
  | { type: 'ready' }
  | { type: 'closed' }
  | { type: 'failed'; message: string }
  | { type: 'image'; bytes: Uint8Array };

/**
 * Smaller than PGlite's default of 128 MB: pages beyond it are in the operating system's cache. Estimates are those of
 * a solid state disk.
 */
const settings = {
  shared_buffers: '64MB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  effective_cache_size: '256MB',
  jit: 'off',
};

const port = parentPort;
if (!port) throw new Error('This file runs as a worker only.');
const { directory } = workerData as WorkerData;
const tell = (notice: Notice) => port.postMessage(notice);

try {
  const database = await PGlite.create({
    dataDir: directory,
    extensions: { pg_trgm },
    // Used when an image is made. Segments of 16 MB would be most of what a first start unpacks.
    initDbStartParams: ['--wal-segsize=4'],
    startParams: [
      ...PGlite.defaultStartParams,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  });
  port.on('message', async (message: Uint8Array | Request) => {
    if (message === 'close') {
      await database.close();
      tell({ type: 'closed' });
      port.close();
    } else if (message === 'image') {
      const bytes = new Uint8Array(await (await database.dumpDataDir('gzip')).arrayBuffer());
      tell({ type: 'image', bytes });
    } else {
      // It runs to its end without a pause: what was asked first is answered first, and nothing comes between the bytes
      // of one answer.
      // `execProtocolRawSync` by itself would also parse every answer and keep what it parsed for ever.
      const pieces: Uint8Array[] = [];
      await database.execProtocolRawStream(message, {
        syncToFs: false,
        onRawData: (bytes) => pieces.push(bytes.slice()),
      });
      const answer = joined(pieces);
      if (answer.length > 0) port.postMessage(answer, [answer.buffer as ArrayBuffer]);
    }
  });
  tell({ type: 'ready' });
} catch (error) {
  tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
