/**
 * Runs the embedded database in a worker thread that looks like a server behind a socket: starts it, carries bytes both
 * ways, restarts it when it dies.
 */
import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../shared/startThread';
import type { Notice, Request, WorkerData } from './pgliteWorker';

export class Embedded {
  private worker: Worker | undefined;
  private socket: Duplex | undefined;
  private isClosing = false;
  /** Resolves when a terminated thread has ended; until then it may still hold the files. */
  private ending: Promise<unknown> | undefined;

  /**
   * `onFailure` receives the error that ended the thread; the next query starts another, which recovers as after a
   * power failure.
   */
  constructor(
    private readonly directory?: string,
    private readonly onFailure: (error: Error) => void = () => {},
  ) {}

  /**
   * Opens the byte stream of a session; only one at a time, because the database has a single session. Destroying the
   * stream without ending it terminates the thread, because the session may be inside a statement or a transaction; the
   * next stream starts another.
   */
  connect = async (): Promise<Duplex> => {
    await this.ending;
    const worker = this.worker ?? (await this.start());
    let isGraceful = false;
    const socket = new Duplex({
      // The thread's queue is unbounded, so back-pressure here would save no memory.
      writableHighWaterMark: Number.MAX_SAFE_INTEGER,
      read: () => {},
      write: (chunk: Buffer, _encoding, done) => {
        // A copy: the driver's buffer is part of a pool, which must not be transferred.
        const bytes = new Uint8Array(chunk);
        worker.postMessage(bytes, [bytes.buffer]);
        done();
      },
      final: (done) => {
        isGraceful = true;
        done();
        socket.destroy();
      },
      destroy: (error, done) => {
        if (this.socket === socket) this.socket = undefined;
        if (!isGraceful && !this.isClosing && this.worker === worker) this.terminate(worker);
        done(error);
      },
    });
    this.socket = Object.assign(socket, { readyState: 'open' });
    return socket;
  };

  /** Dumps the whole database as a compressed tar, from which others start. */
  async image(): Promise<Uint8Array> {
    const notice = await this.request('image', 'image');
    return notice.bytes;
  }

  /** Flushes everything and ends the thread; also awaits the end of a terminated one. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.socket?.destroy();
    await this.ending;
    if (!this.worker) return;
    await this.request('close', 'closed');
    await this.worker?.terminate();
  }

  private terminate(worker: Worker): void {
    this.worker = undefined;
    this.ending = worker.terminate();
  }

  private async start(): Promise<Worker> {
    const worker = startThread(new URL('./pgliteWorker', import.meta.url), {
      workerData: { directory: this.directory } satisfies WorkerData,
    });
    worker.on('message', (message: Uint8Array | Notice) => {
      if (message instanceof Uint8Array && this.worker === worker)
        this.socket?.push(Buffer.from(message.buffer, message.byteOffset, message.length));
    });
    worker.on('error', this.onFailure);
    worker.once('exit', () => {
      // A new thread may have replaced this one.
      if (this.worker !== worker) return;
      this.worker = undefined;
      if (!this.isClosing) this.socket?.destroy();
    });
    await nextNotice(worker, 'ready');
    this.worker = worker;
    return worker;
  }

  private request<T extends Notice['type']>(request: Request, answer: T): Promise<Extract<Notice, { type: T }>> {
    if (!this.worker) throw new Error('The embedded database is not open.');
    const response = nextNotice(this.worker, answer);
    this.worker.postMessage(request);
    return response;
  }
}

function nextNotice<T extends Notice['type']>(worker: Worker, type: T): Promise<Extract<Notice, { type: T }>> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      finish();
    };
    const onMessage = (message: Uint8Array | Notice) => {
      if (message instanceof Uint8Array) return;
      if (message.type === 'failed') settle(() => reject(new Error(message.message)));
      else if (message.type === type) settle(() => resolve(message as Extract<Notice, { type: T }>));
    };
    const onExit = () => settle(() => reject(new Error('The embedded database has ended.')));
    worker.on('message', onMessage).once('error', reject).once('exit', onExit);
  });
}
