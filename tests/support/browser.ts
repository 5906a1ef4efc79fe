/** Starts a real Chromium and runs axe-core in its pages. */
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The two viewport sizes in which every page is checked. */
export const viewports = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/**
 * Disables the suggestions of Chromium's address bar. They load as separate pages in every new window and cost almost
 * as much as ours. Chromium uses only the last `--disable-features`, so the list repeats Playwright's features.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
]
  .concat([
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
  ])
  .concat([
    'ThirdPartyStoragePartitioning',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
  ]);

/**
 * Maximum milliseconds for one step of a page. Three browsers and three servers share two cores, possibly slow ones; a
 * long limit delays only tests that fail anyway. `vitest.config.ts` has the same limit for polls.
 */
const stepTimeout = 90_000;

/** Name of this computer in the browsers of tests; to them a page at this name is not secure without HTTPS. */
export const plainHttpHost = 'sweepline.test';

/** Starts the system's Chromium, or the one at `CHROMIUM_PATH`. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions(browserNames));

/**
 * As `launchBrowser`, but starts the headless shell if it is installed. It has the same engine, but draws no window,
 * which saves a quarter of the cost, and keeps no process in reserve for the next page. Optimising compilers are off:
 * on pages that last a second they cost more than they save.
 */
export function launchHeadlessShell(): Promise<Browser> {
  const names = ['chromium-headless-shell', ...browserNames];
  const { executablePath, args } = launchOptions(names, ['SpareRendererForSitePerProcess']);
  return chromium.launch({ executablePath, args: [...args, '--js-flags=--no-opt --no-maglev'] });
}

/** Opens a new browser window with the time limit of the tests. All pages are opened in such windows. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  return withStepTimeout(await browser.newContext(options));
}

function withStepTimeout(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(stepTimeout);
  return context;
}

/** Starts the Chromium of a phone, which keeps its files in `folder`: opened again, it continues with them. */
export async function openPhone(folder: string, { offline = false } = {}): Promise<BrowserContext> {
  const options = { ...launchOptions(browserNames), viewport: viewports.phone, locale: 'en-GB', offline };
  return withStepTimeout(await chromium.launchPersistentContext(folder, options));
}

/** Kills the Chromium of `openPhone` with SIGKILL, like a phone that loses power: it cannot write anything on exit. */
export async function killPhone(phone: BrowserContext, folder: string): Promise<void> {
  const closeEvent = phone.waitForEvent('close');
  // The lock is a link whose target names the host and the process id.
  process.kill(Number(readlinkSync(join(folder, 'SingletonLock')).split('-').at(-1)), 'SIGKILL');
  await closeEvent;
}

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function launchOptions(
  names: readonly string[],
  extraDisabledFeatures: readonly string[] = [],
): { executablePath: string; args: string[] } {
  const onPath = (process.env.PATH ?? '').split(':').flatMap((folder) => names.map((name) => `${folder}/${name}`));
  const executablePath = [process.env.CHROMIUM_PATH ?? '', ...onPath].find((path) => path !== '' && existsSync(path));
  if (!executablePath) throw new Error('These tests need Chromium: install it, or name it in CHROMIUM_PATH.');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--host-resolver-rules=MAP ${plainHttpHost} 127.0.0.1`,
    `--disable-features=${[...disabledFeatures, ...extraDisabledFeatures].join()}`,
  ];
  return { executablePath, args };
}

export interface Problem {
  rule: string;
  help: string;
  /** CSS selectors of at most five elements. */
  at: string[];
}

/**
 * Violations that axe-core finds on the current page: WCAG A and AA, and its own best practices. Only lasting
 * violations count, since a busy computer may render late.
 */
export async function findAxeProblems(page: Page): Promise<Problem[]> {
  let problems = await analyze(page);
  for (let tries = 0; tries < 4 && problems.length > 0; tries += 1) {
    await page.waitForTimeout(250 * 2 ** tries);
    problems = await analyze(page);
  }
  return problems;
}

async function analyze(page: Page): Promise<Problem[]> {
  // The content security policy blocks inline scripts, but not evaluated code. axe-core stays loaded until the page is
  // left.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  // Without the asset `cssom`: it parses all stylesheets once more, for an experimental rule that does not run.
  const results = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"], preload: { assets: ["media"] } })',
  )) as AxeResults;
  return results.violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    at: nodes.slice(0, 5).map(({ target }) => target.join(' ')),
  }));
}

/** Collects all uncaught errors and console errors of a page from now on. Returns the array to which it adds them. */
export function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // The text of a failed request contains only the status, so its URL is added.
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  return errors;
}
