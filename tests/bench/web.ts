/**
 * `npm run bench:web`: measures the machines list in a browser. Covers the JavaScript loaded until rows are painted,
 * requests after login, the next page compared with react-admin's stock DataTable on the same rows, dashboard, list and
 * fleet timeline (all with the CPU slowed 4 times), and the delay of a device's message until it is on the screen.
 * Writes its section of docs/performance.md; fails if a bar is missed.
 */
import type { BrowserContext, Page } from 'playwright';
import { build, type PreviewServer, preview } from 'vite';
import { demoLogins } from '../../demo/seed/people';
import { launchBrowser } from '../support/browser';
import { type FirstLoad, firstLoadLimit, firstScriptsLimit, measureFirstLoad } from '../support/firstLoad';
import { root } from '../support/sources';
import { startServer } from '../support/startServer';
import { type Figure, failures, printTable } from './figures';
import { storeResults } from './storeResults';
import { measurePages, measureTimeline } from './webPages';

const rounds = 9;
const perPage = 25;

const server = await startServer({ env: { RATE_LIMIT: 'off' } });
const browser = await launchBrowser();
// tsx wraps functions in a helper that the page lacks.
const nameHelperScript = 'globalThis.__name = (named) => named';
try {
  const session = await signIn();
  const firstLoad = await measureFirstPaint();
  const [product, stock] = [await measureNextPage('product'), await measureNextPage('stock')];
  const pages = await measurePages(openContext, server.url);
  const timeline = await measureTimeline(openContext, server.url);
  const liveUpdateTime = await measureLiveUpdate();
  const figures: Figure[] = [
    {
      title: 'JavaScript of the machines list',
      unit: 'kB',
      value: firstLoad.javascript / 1000,
      bar: firstLoadLimit / 1000,
    },
    { title: 'script files of the machines list', unit: 'files', value: firstLoad.scripts, bar: firstScriptsLimit },
    { title: 'calls of the API after login', unit: 'calls', value: firstLoad.requests, bar: 3 },
    {
      title: 'next page beside the stock table, CPU slowed 4 times',
      unit: 'times',
      value: product / stock,
      milliseconds: product,
      limitMilliseconds: stock,
      bar: 0.35,
    },
    {
      title: 'dashboard with all its figures beside the machines list, CPU slowed 4 times',
      unit: 'times',
      value: pages.dashboard / pages.list,
      bar: 1.2,
      milliseconds: pages.dashboard,
      limitMilliseconds: pages.list,
    },
    {
      title: 'dashboard with its chart and its map drawn beside the machines list, CPU slowed 4 times',
      unit: 'times',
      value: pages.charts / pages.list,
      milliseconds: pages.charts,
      limitMilliseconds: pages.list,
    },
    {
      title: 'timeline of 1,000 machines and 7 days drawn after its answer, CPU slowed 4 times',
      unit: 'ms',
      value: timeline.drawTime,
      bar: 300,
    },
    {
      // A 60 Hz display shows at most 60 frames per second.
      title: 'frames of that timeline while it is scrolled, CPU slowed 4 times',
      unit: 'per second',
      value: timeline.framesPerSecond,
      bar: 59,
    },
    { title: "a device's message to the screen", unit: 'ms', value: liveUpdateTime, bar: 1000 },
  ];
  console.log(printTable(figures));
  storeResults('web', figures, printTable(figures));
  for (const failure of failures(figures)) console.error(failure);
  process.exitCode = failures(figures).length > 0 ? 1 : 0;

  async function openContext(height = 900): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1280, height } });
    await context.addInitScript(nameHelperScript);
    await context.addInitScript(
      (value) => localStorage.setItem('sweepline', value),
      JSON.stringify({ sb: true, lang: 'en', t: session.token, ut: session.user_token }),
    );
    return context;
  }

  async function openPage(url: string): Promise<Page> {
    const context = await openContext(1400);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  /** Bytes of scripts on the wire, and number of API calls, until the rows are painted. */
  async function measureFirstPaint(): Promise<FirstLoad> {
    const context = await openContext();
    const firstLoad = await measureFirstLoad(context, server.url);
    await context.close();
    return firstLoad;
  }

  /** Median milliseconds between the click on "next page" and the frame that shows other rows. */
  async function measureNextPage(side: 'product' | 'stock'): Promise<number> {
    const stock = side === 'stock' ? await serveStock() : undefined;
    const page = await openPage(
      side === 'product'
        ? `${server.url}/machines?perPage=${perPage}`
        : `${stock?.resolvedUrls?.local[0]}#/machines?perPage=${perPage}`,
    );
    await page
      .locator('tbody tr')
      .nth(perPage - 1)
      .waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await page.evaluate(turnPage));
    await page.context().close();
    await stock?.close();
    return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  }

  async function measureLiveUpdate(): Promise<number> {
    const machine = await findOfflineMachine();
    const page = await openPage(
      `${server.url}/machines?filter=${encodeURIComponent(JSON.stringify({ search: machine.serial_number }))}`,
    );
    const row = page.locator('main tbody tr').filter({ hasText: machine.serial_number });
    await row.waitFor();
    await page.waitForTimeout(1000);
    const start = performance.now();
    const query = new URLSearchParams({
      id: machine.tracker.tracker_or_serial,
      timestamp: String(Math.floor(Date.now() / 1000)),
      lat: '52.5',
      lon: '13.4',
      status: 'cleaning',
      batt: '77',
    });
    const response = await fetch(`${server.url}/ingest/osmand?${query}`);
    if (!response.ok) throw new Error(`The message was answered with ${response.status}.`);
    await row.getByText('Cleaning').waitFor();
    return performance.now() - start;
  }

  async function findOfflineMachine() {
    const query = new URLSearchParams({
      include: 'tracker',
      per_page: '1',
      sort: '-serial_number',
      'filter[status]': 'Offline',
      'filter[tracker.mode]': 'http',
      'filter[is_dummy]': 'false',
    });
    const response = await fetch(`${server.url}/api/v1/machines?${query}`, {
      headers: { Authorization: `Bearer ${session.token}` },
    });
    const { data } = (await response.json()) as {
      data: { serial_number: string; tracker: { tracker_or_serial: string } }[];
    };
    const [machine] = data;
    if (!machine) throw new Error('No machine of the demo is offline.');
    return machine;
  }
} finally {
  await browser.close();
  await server.stop();
}

async function signIn(): Promise<{ token: string; user_token: string }> {
  const [{ email, password } = { email: '', password: '' }] = demoLogins;
  const response = await fetch(`${server.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return (await response.json()) as { token: string; user_token: string };
}

/** Serves the stock table as a production build that requests the same rows from the same server. */
async function serveStock(): Promise<PreviewServer> {
  const folder = `${root}tests/bench/stock`;
  const outDir = `${root}node_modules/.cache/sweepline-stock`;
  await build({ root: folder, configFile: false, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  return preview({
    root: folder,
    configFile: false,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, proxy: { '/api': server.url } },
  });
}

/** Runs in the page. */
function turnPage(): Promise<number> {
  const firstRow = () => document.querySelector('tbody tr')?.textContent;
  const valueBefore = firstRow();
  const button = document.querySelector<HTMLButtonElement>(
    'button[aria-label="Next page"], button[aria-label="Go to next page"]',
  );
  return new Promise((resolve) => {
    const start = performance.now();
    const checkFrame = () => {
      if (firstRow() === valueBefore) return void requestAnimationFrame(checkFrame);
      // The frame with the new rows has been painted once the next frame starts.
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start), 0)));
    };
    button?.click();
    checkFrame();
  }).then((time) => new Promise<number>((resolve) => setTimeout(() => resolve(time as number), 700)));
}
