/** The lock that keeps the screen of a wall on. */
import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useWakeLock } from '../../src/pages/wall/useWakeLock';

afterEach(() => {
  vi.unstubAllGlobals();
});

const stubWakeLock = () => {
  const release = vi.fn(async () => {});
  const request = vi.fn(async () => ({ release }));
  vi.stubGlobal('navigator', { wakeLock: { request } });
  return { request, release };
};

test('is requested again when the page is shown, and released when the wall is left', async () => {
  const { request, release } = stubWakeLock();
  const { unmount } = renderHook(useWakeLock);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(request).toHaveBeenCalledTimes(2);
  unmount();
  await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(request).toHaveBeenCalledTimes(2);
});

test('a browser that refuses it changes nothing', async () => {
  const { request } = stubWakeLock();
  request.mockRejectedValue(new DOMException('Battery is low.', 'NotAllowedError'));
  renderHook(useWakeLock).unmount();
  await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(1));
});
