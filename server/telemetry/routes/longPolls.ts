/**
 * Requests that are held open, as ThingsBoard does for devices that poll for server-side calls and changed attributes.
 * Sweepline sends neither, so every one ends with its timeout.
 */
import type { ServerResponse } from 'node:http';
import { ApiError } from '../../context/errors';

/** Maximum milliseconds of a poll. Below the idle timeout of proxies, which would answer 504. */
const maxTimeout = 60_000;

/** Reads the parameter `timeout`, in milliseconds. Missing or 0, it is the maximum. */
export function readPollTimeout(value: unknown = ''): number {
  if (typeof value !== 'string' || !/^\d{0,15}$/.test(value)) throw ApiError.malformed();
  return Math.min(Number(value) || maxTimeout, maxTimeout);
}

export interface LongPolls {
  /** Resolves after `timeout`, when the client disconnects, when `key` polls again, or when the server closes. */
  hold(key: string, poll: { response: ServerResponse; timeout: number }): Promise<void>;
  /** Ends all polls, present and future. */
  close(): void;
}

/** Holds one poll per key, so that a device cannot accumulate them. */
export function createLongPolls(): LongPolls {
  const ends = new Map<string, () => void>();
  let isClosed = false;
  return {
    hold: (key, { response, timeout }) =>
      new Promise((resolve) => {
        ends.get(key)?.();
        // A closed response emits no further `close`.
        if (isClosed || response.destroyed) return resolve();
        const timer = setTimeout(end, timeout);
        response.once('close', end);
        ends.set(key, end);
        function end(): void {
          clearTimeout(timer);
          response.off('close', end);
          if (ends.get(key) === end) ends.delete(key);
          resolve();
        }
      }),
    close() {
      isClosed = true;
      for (const end of [...ends.values()]) end();
    },
  };
}
