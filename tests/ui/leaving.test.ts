/** Requests that the browser fails while it leaves the page, as Firefox does. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isServerReachable, whenReachable } from '../../src/providers/reachability';
import { reloadOnMissingPages } from '../../src/ui/lazyPage';

let isServerDown = false;

beforeEach(async () => {
  isServerDown = false;
  vi.stubGlobal('fetch', () =>
    isServerDown ? Promise.reject(new TypeError('NetworkError')) : Promise.resolve(Response.json({ status: 'ok' })),
  );
  // Ends a poll that another file in this worker has begun.
  globalThis.dispatchEvent(new Event('online'));
  await whenReachable();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const leave = () => window.dispatchEvent(new Event('beforeunload'));

test('a missing module reloads the page, but not while the browser leaves for another one', async () => {
  leave();
  const reload = vi.fn();
  const target = new EventTarget();
  vi.stubGlobal('window', { addEventListener: target.addEventListener.bind(target), location: { reload } });
  reloadOnMissingPages();
  const event = new Event('vite:preloadError', { cancelable: true });
  target.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  await vi.advanceTimersByTimeAsync(4900);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(reload).toHaveBeenCalledOnce();
});

test('the server does not count as unreachable while the browser leaves the page', async () => {
  leave();
  isServerDown = true;
  const reached = whenReachable();
  await vi.advanceTimersByTimeAsync(4900);
  expect(isServerReachable()).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(isServerReachable()).toBe(false);
  isServerDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  await reached;
  expect(isServerReachable()).toBe(true);
});
