/** Throttled counts: the first change runs at once, the last one always, and never more often than the interval. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from '../../src/providers/useThrottle';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('changes during the interval run once when it ends', () => {
  const count = vi.fn();
  const throttle = createThrottle(count, 5000);
  throttle();
  expect(count).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  throttle();
  throttle();
  expect(count).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(4000);
  expect(count).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(60_000);
  expect(count).toHaveBeenCalledTimes(2);
  throttle();
  expect(count).toHaveBeenCalledTimes(3);
});

test('does not run for listeners that have unsubscribed', () => {
  const count = vi.fn();
  const throttle = createThrottle(count, 5000);
  throttle();
  throttle();
  throttle.stop();
  vi.advanceTimersByTime(60_000);
  expect(count).toHaveBeenCalledTimes(1);
});
