/** Whether the server is reachable. A failed call starts polling, which ends with the first response. */
import { createStore, useStoreValue } from './createStore';
import { isLeaving } from './leaving';

const firstDelay = 1000;
const maxDelay = 30_000;
/** Milliseconds after which a poll has failed. With a cut cable it would never end by itself. */
const pollTimeout = 8000;

const isReachable = createStore(true);
let polling: Promise<void> | undefined;

/** Calls `listener` after each change. Returns the unsubscribe function. */
export const onReachability = isReachable.subscribe;

export const isServerReachable = isReachable.get;

export const useIsServerReachable = (): boolean => useStoreValue(isReachable);

/**
 * Resolves when the server answers. Polls at once, then after 1 s, doubling up to 30 s, and whenever the browser
 * reports that it is online. Concurrent callers share the polling.
 */
export function whenReachable(): Promise<void> {
  polling ??= poll().finally(() => {
    polling = undefined;
  });
  return polling;
}

async function poll(): Promise<void> {
  for (let delay = firstDelay; !(await isAnswering()); delay = Math.min(delay * 2, maxDelay)) {
    if (!isLeaving()) isReachable.set(false);
    await waitForOnline(delay);
  }
  isReachable.set(true);
}

let endWait: (() => void) | undefined;

/** While the server is unreachable, starts the next poll at once. */
export const pollNow = (): void => endWait?.();

/** A proxy answers 502 to 504 when the server is down; a Wi-Fi log-in page answers 200 with HTML. */
const isAnswering = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(pollTimeout) }).then(
    ({ ok, status, headers }) => (ok ? isJson(headers.get('Content-Type')) : status < 502),
    () => false,
  );

const isJson = (mediaType: string | null): boolean => mediaType?.startsWith('application/json') ?? false;

const waitForOnline = (delay: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      endWait = undefined;
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', end);
      resolve();
    };
    const timer = setTimeout(end, delay);
    globalThis.addEventListener?.('online', end);
    endWait = end;
  });

// A server on the same computer is reachable without a network, so the browser's event alone proves nothing.
globalThis.addEventListener?.('offline', () => void whenReachable());
