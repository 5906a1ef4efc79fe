import { describe, expect, it } from 'vitest';
import { resizeDebounce, windowStateAfterResize, windowStateAtLoad } from '../../src/ui/useIsMobile';

describe('mobile mode', () => {
  it.each([
    [767, true],
    [768, false],
    [1280, false],
  ])('at load with %i px is %s', (width, isMobile) => {
    expect(windowStateAtLoad(width)).toEqual({ windowWidth: width, isMobile });
  });

  it.each([
    [768, true],
    [769, false],
  ])('after a resize to %i px is %s', (width, isMobile) => {
    expect(windowStateAfterResize(width)).toEqual({ windowWidth: width, isMobile });
  });

  it('waits 250 ms for a resize to end', () => {
    expect(resizeDebounce).toBe(250);
  });
});
