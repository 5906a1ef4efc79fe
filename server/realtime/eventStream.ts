/** One open stream of events: where it is, whose it is, and the connection it is written to. */
import type { ServerResponse } from 'node:http';
import { type Caller, withTimeZone } from '../context/caller';
import { callerKey } from '../crud/query/statementCache';

/**
 * Bytes that may wait for a reader when the next ones come. Whoever is slower is cut off, and comes back by
 * `Last-Event-ID`.
 */
export const maxPendingBytes = 48 * 1024;

export interface EventStreamOptions {
  response: ServerResponse;
  caller: Caller;
  /** Of the session's token (`tokenKey` of `auth.ts`). */
  token: string;
  /** The zone that the reader reads times in, as the request named it. */
  timeZone: unknown;
  /** Whether the reader wants to hear how many alerts are open. */
  countsAlerts: boolean;
}

export class EventStream {
  /** The number of the last event that was sent or is none of the reader's. */
  position = 0;
  /** Whether it takes what is new; until then it still reads what it missed. */
  isLive = false;
  isOpen = true;
  readonly token: string;
  readonly countsAlerts: boolean;
  caller: Caller;
  private readonly response: ServerResponse;
  private readonly timeZone: unknown;
  /** How many alerts are open, as last said. */
  private openAlerts: number | undefined;

  constructor({ response, caller, token, timeZone, countsAlerts }: EventStreamOptions) {
    this.response = response;
    this.timeZone = timeZone;
    this.token = token;
    this.countsAlerts = countsAlerts;
    this.caller = withTimeZone(caller, timeZone);
  }

  /**
   * Writes whole events. What was missed is sent at the reader's pace (`drained`), so only who hears what is new can be
   * too slow.
   */
  write(bytes: Buffer | string): void {
    if (!this.isOpen) return;
    if (this.isLive && this.response.writableLength > maxPendingBytes) this.cut();
    else this.response.write(bytes);
  }

  /** Sends what the reader sees of the events up to `position`, which they have then read. */
  advance(bytes: Buffer | undefined, position: number): void {
    if (bytes) this.write(bytes);
    this.position = Math.max(this.position, position);
  }

  /** More was missed than is kept: the page asks for everything anew, and hears what comes after `position`. */
  reset(position: number): void {
    this.position = position;
    this.write(`id: ${position}\nevent: reset\ndata: {}\n\n`);
  }

  /**
   * Says that nothing has happened, and how far the reader is by now: whoever comes back with that number has missed
   * nothing up to it.
   */
  beat(): void {
    if (!this.isLive && this.response.writableLength > 0) return;
    this.write(`: still here\n${this.isLive ? `id: ${this.position}\n` : ''}\n`);
  }

  /**
   * Takes the caller as they are now. An open page asks anew who it belongs to when roles, permissions or links have
   * changed; gives whether they have.
   */
  changeCaller(found: Caller): boolean {
    const caller = withTimeZone(found, this.timeZone);
    const isOther = callerKey(caller) !== callerKey(this.caller);
    if (isOther) this.write('event: rights\ndata: {}\n\n');
    this.caller = caller;
    return isOther;
  }

  /** Says how many alerts are open, if that is another number than before. */
  countAlerts(open: number): void {
    if (open !== this.openAlerts) this.write(`event: alerts\ndata: ${JSON.stringify({ open })}\n\n`);
    this.openAlerts = open;
  }

  /**
   * Resolves once everything written is on its way, or the stream is closed. Whoever takes longer than `seconds` for it
   * is cut off.
   */
  async drained(seconds: number): Promise<void> {
    const { response } = this;
    if (!this.isOpen || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.cut(), seconds * 1000);
      const settle = () => {
        clearTimeout(timer);
        response.off('drain', settle).off('close', settle);
        resolve();
      };
      response.on('drain', settle).on('close', settle);
    });
  }

  /** Ends the answer; what was written still arrives. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.response.end();
  }

  /** Closes the connection and gives back what waits for it. */
  cut(): void {
    this.isOpen = false;
    this.response.destroy();
  }
}
