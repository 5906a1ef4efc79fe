/**
 * The embedded database as a server that answers over a socket: starts its thread, carries bytes both ways, starts it
 * again should it die.
 */
import { Duplex } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../shared/thread';
import type { Notice, Request, WorkerData } from './pgliteWorker';

export class Embedded {
  private worker: Worker | undefined;
  private socket: Duplex | undefined;
  private isClosing = false;
  /** Of a thread that was told to end and may still hold the files. */
  private ending: Promise<unknown> | undefined;

  /** `failed` hears what ended the thread; the next query starts another, which recovers as after a power failure. */
  constructor(
    private readonly directory?: string,
    private readonly failed: (error: Error) => void = () => {},
  ) {}

  /**
   * Opens the byte stream of a session. Only one is open at a time: the database has one session. A stream that is
   * destroyed without a goodbye ends the thread, because the session may be in the middle of a statement or a
   * transaction; the next stream starts another.
   */
  connect = async (): Promise<Duplex> => {
    await this.ending;
    const worker = this.worker ?? (await this.start());
    let isPolite = false;
    const socket = new Duplex({
      // The thread's queue takes everything: holding bytes back would only hide them.
      writableHighWaterMark: Number.MAX_SAFE_INTEGER,
      read: () => {},
      write: (chunk: Buffer, _encoding, done) => {
        // A copy: the driver's buffer belongs to a pool, which must not travel.
        const bytes = new Uint8Array(chunk);
        worker.postMessage(bytes, [bytes.buffer]);
        done();
      },
      final: (done) => {
        isPolite = true;
        done();
        socket.destroy();
      },
      destroy: (error, done) => {
        if (this.socket === socket) this.socket = undefined;
        if (!isPolite && !this.isClosing && this.worker === worker) this.terminate(worker);
        done(error);
      },
    });
    this.socket = Object.assign(socket, { readyState: 'open' });
    return socket;
  };

  /** The whole database as a compressed tar, to start others from. */
  async image(): Promise<Uint8Array> {
    const notice = await this.ask('image', 'image');
    return notice.bytes;
  }

  /** Writes everything out and ends the thread. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.socket?.destroy();
    if (!this.worker) return;
    await this.ask('close', 'closed');
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
    worker.on('error', this.failed);
    worker.once('exit', () => {
      // Another thread may have taken its place.
      if (this.worker !== worker) return;
      this.worker = undefined;
      if (!this.isClosing) this.socket?.destroy();
    });
    await heard(worker, 'ready');
    this.worker = worker;
    return worker;
  }

  private ask<T extends Notice['type']>(request: Request, answer: T): Promise<Extract<Notice, { type: T }>> {
    if (!this.worker) throw new Error('The embedded database is not open.');
    const answered = heard(this.worker, answer);
    this.worker.postMessage(request);
    return answered;
  }
}

function heard<T extends Notice['type']>(worker: Worker, type: T): Promise<Extract<Notice, { type: T }>> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.off('message', onMessage).off('error', reject).off('exit', onExit);
      act();
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
