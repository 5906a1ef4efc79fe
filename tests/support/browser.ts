/** A real Chromium with axe-core in its pages. */
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The two viewports in which every page is checked. */
export const widths = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/**
 * Disables the suggestions of Chromium's address bar, which load as separate pages in every new window and cost almost
 * as much as ours. Only the last such flag counts, so this one includes Playwright's.
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
 * Milliseconds that a page may take for one step. Three browsers and three servers share two cores, which may be slow
 * ones; waiting costs only those who wait in vain. `vitest.config.ts` has the same limit for polls.
 */
const stepTimeout = 90_000;

/** Starts the system's Chromium, or the one at `CHROMIUM_PATH`. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions(browserNames));

/**
 * The same by its headless shell, where installed: one engine, without the frame of a window, which is a quarter; and
 * without a process in reserve for the next page, which every new window would start.
 */
export const launchHeadlessShell = (): Promise<Browser> =>
  chromium.launch(launchOptions(['chromium-headless-shell', ...browserNames], ['SpareRendererForSitePerProcess']));

/** A new window of a browser with the time limit of the tests, in which every page is opened. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  return withStepTimeout(await browser.newContext(options));
}

function withStepTimeout(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(stepTimeout);
  return context;
}

/** Starts a phone's Chromium whose files stay in `folder`: closed and opened again, it continues with them. */
export async function openPhone(folder: string, { offline = false } = {}): Promise<BrowserContext> {
  const options = { ...launchOptions(browserNames), viewport: widths.phone, locale: 'en-GB', offline };
  return withStepTimeout(await chromium.launchPersistentContext(folder, options));
}

/** Ends the Chromium of `openPhone` by SIGKILL, as a phone without power: nothing is written on the way. */
export async function killPhone(phone: BrowserContext, folder: string): Promise<void> {
  const closed = phone.waitForEvent('close');
  // A link to the host and the process that use the files.
  process.kill(Number(readlinkSync(join(folder, 'SingletonLock')).split('-').at(-1)), 'SIGKILL');
  await closed;
}

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function launchOptions(
  names: readonly string[],
  moreDisabled: readonly string[] = [],
): { executablePath: string; args: string[] } {
  const onPath = (process.env.PATH ?? '').split(':').flatMap((folder) => names.map((name) => `${folder}/${name}`));
  const executablePath = [process.env.CHROMIUM_PATH ?? '', ...onPath].find((path) => path !== '' && existsSync(path));
  if (!executablePath) throw new Error('These tests need Chromium: install it, or name it in CHROMIUM_PATH.');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--disable-features=${[...disabledFeatures, ...moreDisabled].join()}`,
  ];
  return { executablePath, args };
}

export interface Problem {
  rule: string;
  help: string;
  /** Selectors of at most five elements. */
  at: string[];
}

/**
 * Violations that axe-core finds on the current page: WCAG A and AA, and its own best practices. A busy computer may
 * render late, so only lasting violations count.
 */
export async function axeProblems(page: Page): Promise<Problem[]> {
  let problems = await analyze(page);
  for (let tries = 0; tries < 4 && problems.length > 0; tries += 1) {
    await page.waitForTimeout(250 * 2 ** tries);
    problems = await analyze(page);
  }
  return problems;
}

async function analyze(page: Page): Promise<Problem[]> {
  // The content security policy blocks inline scripts, but not evaluated code. It stays until the page is left.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  return results.violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    at: nodes.slice(0, 5).map(({ target }) => target.join(' ')),
  }));
}

/** Collects everything that goes wrong in a page from now on: uncaught errors and console errors. */
export function consoleErrorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // The text of a failed load names the status only.
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  return errors;
}
