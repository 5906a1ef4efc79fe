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
  /** Resolves after `timeout`, or when the client disconnects, `key` has too many polls, or the server closes. */
  hold(key: string, poll: { response: ServerResponse; timeout: number }): Promise<void>;
  /** Ends all polls, present and future. */
  close(): void;
}

/**
 * Maximum polls per key, beyond which the oldest ends. A device that reconnects leaves its last poll behind; with a
 * single one, two clients of a device would end each other's polls in a tight loop.
 */
const maxPolls = 4;

export function createLongPolls(): LongPolls {
  const pollsByKey = new Map<string, Set<() => void>>();
  let isClosed = false;
  return {
    hold: (key, { response, timeout }) =>
      new Promise((resolve) => {
        // A closed response emits no further `close`.
        if (isClosed || response.destroyed) return resolve();
        const polls = pollsByKey.get(key) ?? new Set();
        pollsByKey.set(key, polls);
        const [oldest] = polls;
        if (polls.size >= maxPolls) oldest?.();
        const timer = setTimeout(end, timeout);
        response.once('close', end);
        polls.add(end);
        function end(): void {
          clearTimeout(timer);
          response.off('close', end);
          polls.delete(end);
          if (polls.size === 0 && pollsByKey.get(key) === polls) pollsByKey.delete(key);
          resolve();
        }
      }),
    close() {
      isClosed = true;
      for (const end of [...pollsByKey.values()].flatMap((polls) => [...polls])) end();
    },
  };
}
