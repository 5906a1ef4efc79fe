/** Whether the server can be reached: a failed call starts polling, which ends with the first answer. */
import { useSyncExternalStore } from 'react';

const firstDelay = 1000;
const maxDelay = 30_000;

let isReachable = true;
let polling: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Calls `listener` after each change. Returns the unsubscribe function. */
export function onReachability(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const isServerReachable = (): boolean => isReachable;
export const useIsServerReachable = (): boolean => useSyncExternalStore(onReachability, isServerReachable);

/**
 * Resolves when the server answers: polls at once, then after 1 s, doubling up to 30 s, and whenever the browser says
 * that it is online. Callers share one series.
 */
export function whenReachable(): Promise<void> {
  polling ??= poll().finally(() => {
    polling = undefined;
  });
  return polling;
}

async function poll(): Promise<void> {
  for (let delay = firstDelay; !(await answers()); delay = Math.min(delay * 2, maxDelay)) {
    change(false);
    await untilOnline(delay);
  }
  change(true);
}

/** A proxy answers 502 to 504 in place of a server that is away. */
const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ status }) => status < 502,
    () => false,
  );

const untilOnline = (delay: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', end);
      resolve();
    };
    const timer = setTimeout(end, delay);
    globalThis.addEventListener?.('online', end);
  });

function change(now: boolean): void {
  if (isReachable === now) return;
  isReachable = now;
  for (const listener of listeners) listener();
}

// A server on this computer answers without a network, too.
globalThis.addEventListener?.('offline', () => void whenReachable());
