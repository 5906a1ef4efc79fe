/** Whether the server can be reached. Learnt from failed calls; while it cannot, it is asked until it answers. */
import { useSyncExternalStore } from 'react';

const firstDelay = 1000;
const longestDelay = 30_000;

let isReachable = true;
let asking: Promise<void> | undefined;
const hearers = new Set<() => void>();

/** Calls `hear` after each change. Returns the unsubscribe function. */
export function onReachability(hear: () => void): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}

export const isServerReachable = (): boolean => isReachable;
export const useIsServerReachable = (): boolean => useSyncExternalStore(onReachability, isServerReachable);

/**
 * Resolves when the server answers: asks at once, then after 1 s, doubling up to 30 s, and whenever the browser says
 * that it is online. Callers share one series.
 */
export function whenReachable(): Promise<void> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(): Promise<void> {
  for (let delay = firstDelay; !(await answers()); delay = Math.min(delay * 2, longestDelay)) {
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
  for (const hear of hearers) hear();
}

// A server on this computer answers without a network, too.
globalThis.addEventListener?.('offline', () => void whenReachable());
