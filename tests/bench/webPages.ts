/** Load times of whole pages in a browser with the CPU slowed 4 times: medians over several loads. */
import type { BrowserContext, Page } from 'playwright';

const rounds = 5;
const cpuSlowdown = 4;

/** Opens a browser context that is logged in. */
export type OpenContext = () => Promise<BrowserContext>;

async function openSlowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  return page;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

interface PageTimes {
  /** Milliseconds until all figures are painted. */
  dashboard: number;
  /** Milliseconds until its chart and map are painted, too. */
  charts: number;
  /** Milliseconds until the rows are painted. */
  list: number;
}

/** Load times in milliseconds since the navigation. */
export async function measurePages(open: OpenContext, url: string): Promise<PageTimes> {
  const context = await open();
  const load = async (path: string, isReady: () => boolean, isComplete = isReady) => {
    const page = await openSlowPage(context);
    await page.goto(`${url}${path}`, { waitUntil: 'commit' });
    const time = await page.evaluate<number>(`(${paintedAt})(${isReady})`);
    const completeTime = await page.evaluate<number>(`(${paintedAt})(${isComplete})`);
    await page.close();
    return [time, completeTime] as const;
  };
  const times = { dashboard: [] as number[], charts: [] as number[], list: [] as number[] };
  // The first load of each page fills the browser's cache and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    const [list] = await load('/machines', hasRows);
    const [dashboard, charts] = await load('/', hasFigures, hasCharts);
    if (round === 0) continue;
    times.list.push(list);
    times.dashboard.push(dashboard);
    times.charts.push(charts);
  }
  await context.close();
  return { dashboard: median(times.dashboard), charts: median(times.charts), list: median(times.list) };
}

/**
 * Measures the timeline of a thousand machines over seven days: time from response to paint, and frame rate while
 * scrolling.
 */
export async function measureTimeline(
  open: OpenContext,
  url: string,
): Promise<{ drawTime: number; framesPerSecond: number }> {
  const drawTimes: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await open();
    const page = await openSlowPage(context);
    await page.goto(`${url}/machines?view=timeline&span=week`, { waitUntil: 'commit' });
    drawTimes.push(await page.evaluate(drawTimeAfterResponse));
    await page.waitForTimeout(1000);
    frames.push(await page.evaluate(scrollTimeline));
    await context.close();
  }
  return { drawTime: median(drawTimes), framesPerSecond: median(frames) };
}

// The functions below run in the page.

const hasRows = () => document.querySelector('tbody tr[data-id]') !== null;

function hasFigures(): boolean {
  const figures = [...document.querySelectorAll('.sl-figure-value')];
  return (
    figures.length > 0 &&
    figures.every(({ textContent }) => !textContent?.startsWith('–')) &&
    document.querySelector('main [aria-busy="true"]') === null &&
    document.querySelector('.sl-inbox') !== null &&
    document.querySelector('.sl-performance .sl-trend') !== null &&
    document.querySelector('.sl-performance .sl-sites-card') !== null
  );
}

const hasCharts = () =>
  document.querySelector('.sl-performance .recharts-surface') !== null &&
  document.querySelector('.sl-sites-card .leaflet-container') !== null;

/** Milliseconds from the navigation to the end of the first frame in which the condition holds. */
function paintedAt(isReady: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    const checkFrame = () => {
      if (!isReady()) return void requestAnimationFrame(checkFrame);
      setTimeout(() => resolve(performance.now()), 0);
    };
    requestAnimationFrame(checkFrame);
  });
}

function drawTimeAfterResponse(): Promise<number> {
  return new Promise((resolve) => {
    const checkFrame = () => {
      if (document.querySelector('.sl-fleet__bars path') === null) return void requestAnimationFrame(checkFrame);
      requestAnimationFrame(() =>
        setTimeout(() => {
          const responses = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
          const responseEnd = responses.findLast(({ name }) => name.includes('/machines/timeline'))?.responseEnd ?? 0;
          resolve(performance.now() - responseEnd);
        }, 0),
      );
    };
    checkFrame();
  });
}

/** Frames per second over two seconds of scrolling by three rows per frame. */
function scrollTimeline(): Promise<number> {
  const area = document.querySelector('.sl-fleet__scroll') as HTMLElement;
  return new Promise((resolve) => {
    let [count, start] = [0, 0];
    const step = (time: number) => {
      start ||= time;
      if (time - start >= 2000) return resolve((count * 1000) / (time - start));
      count += 1;
      area.scrollTop += 84;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}
