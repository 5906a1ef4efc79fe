/** The server's clock, compared with the device's by the `Date` header of responses. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatRelative } from '../../src/i18n/format';
import { adjustServerClock, serverNow, serverTimeOf } from '../../src/i18n/serverClock';

const minute = 60_000;
const deviceTime = Date.UTC(2026, 10, 27, 12);
const header = (time: number) => new Date(time).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: deviceTime });
});
afterEach(() => {
  adjustServerClock(header(Date.now()), Date.now());
  vi.useRealTimers();
});

test.each([
  ['ahead', 35 * minute],
  ['behind', -3 * 60 * minute],
])('server time is known on a device whose clock is %s', (_, ahead) => {
  const serverTime = deviceTime - ahead;
  adjustServerClock(header(serverTime), deviceTime);
  expect([serverNow(), serverTimeOf(deviceTime - minute)]).toEqual([serverTime, serverTime - minute]);
  expect(formatRelative(new Date(serverTime - 5 * minute), { language: 'en' })).toBe('5 minutes ago');
});

test('server time equals the device’s time if its clock is right, or has been corrected', () => {
  adjustServerClock(header(deviceTime - 2000), deviceTime);
  expect(serverNow()).toBe(deviceTime);
  adjustServerClock(header(deviceTime + 10 * minute), deviceTime);
  adjustServerClock(header(deviceTime + 1000), deviceTime);
  expect(serverNow()).toBe(deviceTime);
});

test('the difference of the clocks is kept while responses differ only by seconds', () => {
  adjustServerClock(header(deviceTime + 10 * minute), deviceTime);
  adjustServerClock(header(deviceTime + 10 * minute + 3000), deviceTime);
  expect(serverNow()).toBe(deviceTime + 10 * minute);
});

test.each([
  ['without the header', null, deviceTime],
  ['with an unreadable header', 'yesterday', deviceTime],
  ['that took a minute', header(deviceTime + 10 * minute), deviceTime - minute],
  ['before which the device’s clock was set back', header(deviceTime + 10 * minute), deviceTime + minute],
])('a response %s is ignored', (_, dateHeader, sentAt) => {
  adjustServerClock(dateHeader, sentAt);
  expect(serverNow()).toBe(deviceTime);
});
