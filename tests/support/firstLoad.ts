/** Measures what a browser loads until the machines list has rows. Used by the benchmark, and limited by a test. */
import type { BrowserContext } from 'playwright';

/**
 * Maximum bytes of scripts on the wire, including headers. Excludes code that the first list does not need; includes
 * code that every call needs, such as the offline cache.
 */
export const firstLoadLimit = 255_000;

/** Maximum number of script files until the list has rows, or the dashboard its figures. */
export const firstScriptsLimit = 15;

export interface FirstLoad {
  javascript: number;
  /** Number of script files. */
  scripts: number;
  /** Paths of scripts that other scripts requested, rather than the page itself at its start. */
  discovered: string[];
  /** Number of API calls. */
  requests: number;
}

/** Opens the machines list at `url` with an empty cache. The context must be logged in. */
export async function measureFirstLoad(context: BrowserContext, url: string): Promise<FirstLoad> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  const load: FirstLoad = { javascript: 0, scripts: 0, discovered: [], requests: 0 };
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!scripts.has(requestId)) return;
    load.javascript += encodedDataLength;
    load.scripts += 1;
  });
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) load.requests += 1;
  });
  await page.goto(`${url}/machines`);
  await page.locator('main tbody tr').nth(9).waitFor();
  const discoveredPaths = await page.evaluate(async () => {
    const html = await (await fetch(location.href)).text();
    const elements = document.querySelectorAll('script[src], link[rel=modulepreload]');
    const requestedUrls = [...elements].map((element) => element.getAttribute('src') ?? element.getAttribute('href'));
    return performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js') && !(requestedUrls.includes(path) && html.includes(path.slice(1))));
  });
  const result = { ...load, discovered: discoveredPaths };
  await page.close();
  return result;
}
