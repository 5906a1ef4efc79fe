/**
 * Measures a run's page in a browser: time from the response to the complete page, and frame rate while moving its
 * plan.
 */
import type { BrowserContext } from 'playwright';

export interface RunPageTimes {
  /** Milliseconds from the last response until the page is painted with plan, path and coverage. */
  paintTime: number;
  /** Frames per second while the plan is dragged and zoomed. */
  framesPerSecond: number;
}

export async function measureRunPage(context: BrowserContext, url: string): Promise<RunPageTimes> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(hasCoverage, undefined, { polling: 'raf', timeout: 120_000 });
  const paintTime = await page.evaluate(timeSinceResponse);
  const plan = page.locator('.sl-plan .leaflet-container').first();
  const box = await plan.boundingBox();
  if (!box) throw new Error('The page shows no plan.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(800);
  const pendingFrames = page.evaluate(countFrames);
  await page.mouse.down();
  for (let step = 0; step < 60; step += 1)
    await page.mouse.move(x + 80 * Math.sin(step / 6), y + 50 * Math.cos(step / 5));
  await page.mouse.up();
  for (const distance of [-200, 200, -200, 200]) {
    await page.mouse.wheel(0, distance);
    await page.waitForTimeout(150);
  }
  const framesPerSecond = await pendingFrames;
  await page.close();
  return { paintTime, framesPerSecond };
}

// The functions below run in the page.

function hasCoverage(): boolean {
  const image = document.querySelector<HTMLImageElement>('.sl-plan .leaflet-coverage-pane img');
  const isDrawn = image?.complete === true && image.naturalWidth > 0;
  return isDrawn && document.querySelector('.sl-plan canvas') !== null;
}

function timeSinceResponse(): Promise<number> {
  return new Promise((resolve) =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        const responses = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const lastResponseEnd = Math.max(
          ...responses
            .filter(({ name }) => /\/runs\/\d+\/(coverage|path)/.test(name))
            .map(({ responseEnd }) => responseEnd),
        );
        resolve(performance.now() - lastResponseEnd);
      }, 0),
    ),
  );
}

/** Measures the frames per second over two seconds. */
function countFrames(): Promise<number> {
  return new Promise((resolve) => {
    let [count, start] = [0, 0];
    const step = (time: number) => {
      start ||= time;
      if (time - start >= 2000) return resolve((count * 1000) / (time - start));
      count += 1;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}
