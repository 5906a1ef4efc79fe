/**
 * Browser windows that tests use one after the other. In a new window a page costs twice as much, because its process
 * has not yet compiled the product.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { openContext } from './browser';

export interface Window {
  context: BrowserContext;
  page: Page;
  /** Ends the use of the window. */
  release(): Promise<void>;
}

interface WindowOptions extends BrowserContextOptions {
  colorScheme: 'dark' | 'light';
  viewport: { width: number; height: number };
}

/**
 * Page of idle windows. A page of the same server keeps the process; this one has no script that could store anything.
 */
export const idlePath = '/healthz';

/** Windows that nobody uses, by their options. They have stored nothing. */
const idleWindows = new Map<string, Pick<Window, 'context' | 'page'>[]>();

/** Opens a window for pages of the server at `url`, or reuses a released one with the same options. */
export async function openWindow(browser: Browser, url: string, options: WindowOptions): Promise<Window> {
  const key = JSON.stringify([url, options]);
  const idleWindowsOfKey = idleWindows.get(key) ?? [];
  idleWindows.set(key, idleWindowsOfKey);
  const { context, page } = idleWindowsOfKey.pop() ?? (await openOwnWindow(browser, options));
  const release = async () => {
    if (!browser.isConnected()) return;
    for (const other of context.pages()) if (other !== page) await other.close();
    await resetWindow(context, page, url, options);
    idleWindowsOfKey.push({ context, page });
  };
  return { context, page, release };
}

/** Opens a window that is not reused: for tests that change what `resetWindow` cannot restore. */
export async function openOwnWindow(browser: Browser, options: WindowOptions): Promise<Window> {
  const context = await openContext(browser, options);
  return { context, page: await context.newPage(), release: () => context.close() };
}

/** Leaves the page and removes what a test has set or stored. */
async function resetWindow(
  context: BrowserContext,
  page: Page,
  url: string,
  { colorScheme, reducedMotion, viewport }: WindowOptions,
): Promise<void> {
  page.removeAllListeners();
  await Promise.all([context, page].map((scope) => scope.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.setOffline(false);
  await page.goto(`${url}${idlePath}`);
  await page.evaluate(() => sessionStorage.clear());
  const devtools = await context.newCDPSession(page);
  const storageTypes = 'cookies,local_storage,indexeddb,cache_storage';
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes });
  await devtools.detach();
  await page.emulateMedia({ media: null, colorScheme, reducedMotion });
  await page.setViewportSize(viewport);
}
