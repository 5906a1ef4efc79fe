/** Walls: scale on a screen, reloads, URL. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { millisecondsUntilReload } from '../../src/pages/wall/useScheduledReloads';
import { wallSizeOf } from '../../src/pages/wall/useWallSize';
import { WallErrorBoundary } from '../../src/pages/wall/WallErrorBoundary';
import { printWallLink } from '../../src/providers/wallAddress';

test.each([
  ['as designed', 1920, 1080, { zoom: 1, width: 1920, height: 1080 }],
  ['4K', 3840, 2160, { zoom: 2, width: 1920, height: 1080 }],
  ['upright', 1080, 1920, { zoom: 1, width: 1080, height: 1920 }],
  ['upright 4K', 2160, 3840, { zoom: 2, width: 1080, height: 1920 }],
  ['nearly square, without cutting off the design', 1600, 1200, { zoom: 1600 / 1920, width: 1920, height: 1440 }],
  ['very wide', 2560, 1080, { zoom: 1, width: 2560, height: 1080 }],
])('fits a screen %s', (_, width, height, size) => {
  expect(wallSizeOf(width, height)).toEqual(size);
});

describe('the nightly reload', () => {
  const hour = 3_600_000;
  const localTime = (hours: number, minutes = 0) => new Date(2026, 10, 23, hours, minutes);

  test.each([
    ['in the coming night if the wall is opened in the evening', localTime(21), 6],
    ['in the same night if the wall is opened after midnight', localTime(0, 30), 2.5],
    ['a night later if the wall is opened during the reload hour', localTime(3, 20), 23 + 40 / 60],
    ['a night later if the wall is opened shortly before the reload hour', localTime(2, 30), 24.5],
  ])('happens %s', (_, now, hours) => {
    expect(millisecondsUntilReload(now, 0) / hour).toBeCloseTo(hours);
  });

  test('happens at another time on each wall', () => {
    expect(millisecondsUntilReload(localTime(21), 0.5) - millisecondsUntilReload(localTime(21), 0)).toBe(hour / 2);
  });
});

describe('an error', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  test('reloads the wall after a minute, but not before the server is reachable', async () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const reload = vi.fn();
    vi.stubGlobal('window', { location: { reload } });
    const poll = vi.fn().mockRejectedValue(new TypeError('Failed to fetch'));
    vi.stubGlobal('fetch', poll);
    new WallErrorBoundary({ message: 'fault', children: null }).componentDidCatch(new Error('broken'));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(poll).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).not.toHaveBeenCalled();
    poll.mockResolvedValue(Response.json({ status: 'ok' }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

test('the token is in the fragment, which is never sent to servers', () => {
  const link = new URL(
    printWallLink({
      base: 'https://fleet.example',
      lang: 'de',
      views: ['now', 'map'],
      seconds: '60',
      token: 'sww_abc',
    }),
  );
  expect([link.pathname, Object.fromEntries(link.searchParams), link.hash]).toEqual([
    '/',
    { wall: '1', lang: 'de', show: 'now,map', seconds: '60' },
    '#sww_abc',
  ]);
});
