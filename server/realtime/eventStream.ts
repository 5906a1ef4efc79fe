/** One event stream: its position, its caller, and its connection. */
import type { ServerResponse } from 'node:http';
import { type Caller, withTimeZone } from '../context/caller';
import { callerKey } from '../crud/query/statementCache';

/** Maximum bytes pending for a live reader. A slower one is disconnected, and resumes by `Last-Event-ID`. */
export const maxPendingBytes = 48 * 1024;

/**
 * Range of milliseconds after which readers reconnect when the process ends. The time is random, so that they do not
 * all reconnect at once.
 */
const minRetry = 100;
const maxRetry = 1500;

export interface EventStreamOptions {
  response: ServerResponse;
  caller: Caller;
  /** Key of the session token (`tokenKey`). */
  token: string;
  /** Time zone of the reader, as named by the request. */
  timeZone: unknown;
  /** Whether the reader wants the number of open alerts. */
  countsAlerts: boolean;
}

export class EventStream {
  /** Id of the last event that was sent, or is not visible to the reader. */
  position = 0;
  /** Whether the stream takes part in rounds; before that it catches up on missed events. */
  isLive = false;
  isOpen = true;
  readonly token: string;
  readonly countsAlerts: boolean;
  caller: Caller;
  private readonly response: ServerResponse;
  private readonly timeZone: unknown;
  /** Number of open alerts last sent. */
  private openAlerts: number | undefined;

  constructor({ response, caller, token, timeZone, countsAlerts }: EventStreamOptions) {
    this.response = response;
    this.timeZone = timeZone;
    this.token = token;
    this.countsAlerts = countsAlerts;
    this.caller = withTimeZone(caller, timeZone);
  }

  /**
   * Writes complete events. Missed events are sent at the reader's pace (`awaitDrain`), so only live readers can be too
   * slow.
   */
  write(bytes: Buffer | string): void {
    if (!this.isOpen) return;
    if (this.isLive && this.response.writableLength > maxPendingBytes) this.disconnect();
    else this.response.write(bytes);
  }

  /** Sends the visible events up to `position` and moves there. */
  advance(bytes: Buffer | undefined, position: number): void {
    if (bytes) this.write(bytes);
    this.position = Math.max(this.position, position);
  }

  /** For a reader that missed too many events: makes its page reload everything and continue from `position`. */
  reset(position: number): void {
    this.position = position;
    this.write(`id: ${position}\nevent: reset\ndata: {}\n\n`);
  }

  /** Sends a heartbeat with the current position, from which the reader can resume. */
  sendHeartbeat(): void {
    if (!this.isLive && this.response.writableLength > 0) return;
    this.write(`: still here\n${this.isLive ? `id: ${this.position}\n` : ''}\n`);
  }

  /** Sets the current caller and notifies the page if roles, permissions or links changed. Returns whether they did. */
  changeCaller(current: Caller): boolean {
    const caller = withTimeZone(current, this.timeZone);
    const isOther = callerKey(caller) !== callerKey(this.caller);
    if (isOther) this.write('event: rights\ndata: {}\n\n');
    this.caller = caller;
    return isOther;
  }

  /** Sends the number of open alerts if it changed. */
  sendOpenAlerts(open: number): void {
    if (open !== this.openAlerts) this.write(`event: alerts\ndata: ${JSON.stringify({ open })}\n\n`);
    this.openAlerts = open;
  }

  /**
   * Resolves when the output is flushed or the stream is closed. Disconnects a reader that takes longer than `seconds`.
   */
  async awaitDrain(seconds: number): Promise<void> {
    const { response } = this;
    if (!this.isOpen || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.disconnect(), seconds * 1000);
      const settle = () => {
        clearTimeout(timer);
        response.off('drain', settle).off('close', settle);
        resolve();
      };
      response.on('drain', settle).on('close', settle);
    });
  }

  /** Ends the response and makes the reader reconnect soon: behind a proxy, to another process. */
  sendAway(): void {
    this.write(`retry: ${Math.round(minRetry + Math.random() * (maxRetry - minRetry))}\n\n`);
    this.end();
  }

  /** Ends the response; pending output is still delivered. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.response.end();
  }

  /** Destroys the connection and its pending output. */
  disconnect(): void {
    this.isOpen = false;
    this.response.destroy();
  }
}
