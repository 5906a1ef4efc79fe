/** Pointer input on a page: by mouse, or by finger on a device with a touchscreen. */
import type { Locator, Page } from 'playwright';

/** A position in pixels of the window. */
export interface ScreenPoint {
  x: number;
  y: number;
}

export interface Pointer {
  tap(spot: ScreenPoint): Promise<void>;
  /** Drags whatever is at `from`. */
  drag(from: ScreenPoint, to: ScreenPoint): Promise<void>;
}

/** Number of move events per drag. */
const steps = 8;

export function createPointer(page: Page, hasTouch: boolean): Pointer {
  if (hasTouch) return fingerOn(page);
  const { mouse } = page;
  return {
    tap: ({ x, y }) => mouse.click(x, y),
    drag: async (from, to) => {
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move(to.x, to.y, { steps });
      await mouse.up();
    },
  };
}

/** Playwright can tap but not drag with a finger, so drags use Chromium's protocol. */
function fingerOn(page: Page): Pointer {
  return {
    tap: async ({ x, y }) => {
      await page.touchscreen.tap(x, y);
      // Two taps within 200 ms would count as a double tap.
      await page.waitForTimeout(250);
    },
    drag: async (from, to) => {
      const browser = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ScreenPoint[]) =>
        browser.send('Input.dispatchTouchEvent', { type, touchPoints });
      await touch('touchStart', [from]);
      for (let step = 1; step <= steps; step += 1)
        await touch('touchMove', [
          { x: from.x + ((to.x - from.x) * step) / steps, y: from.y + ((to.y - from.y) * step) / steps },
        ]);
      await touch('touchEnd', []);
      await browser.detach();
    },
  };
}

/** Middle of an element, which must be in view. */
export async function readCentre(element: Locator): Promise<ScreenPoint> {
  const { x, y, width, height } = await readBoundingBox(element);
  return { x: x + width / 2, y: y + height / 2 };
}

export async function readBoundingBox(element: Locator): Promise<ScreenPoint & { width: number; height: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is not shown.`);
  return box;
}
