/** A real Chromium, and axe-core inside its pages. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The two widths at which every page is checked. */
export const widths = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

/**
 * The suggestions below Chromium's address line, pages of their own that every new window loads although nobody sees
 * it: almost as much work as ours. The last list that Chromium is given is the one that counts, so this one holds what
 * matters here of Playwright's, too.
 */
const switchedOff = [
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

/** Starts the system's Chromium, or the one of `CHROMIUM_PATH`. */
export async function launchBrowser(): Promise<Browser> {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const onPath = (process.env.PATH ?? '').split(':').flatMap((folder) => names.map((name) => `${folder}/${name}`));
  const executablePath = [process.env.CHROMIUM_PATH ?? '', ...onPath].find((path) => path !== '' && existsSync(path));
  if (!executablePath) throw new Error('These tests need Chromium: install it, or name it in CHROMIUM_PATH.');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--disable-features=${switchedOff.join()}`,
  ];
  return chromium.launch({ executablePath, args });
}

export interface Problem {
  rule: string;
  help: string;
  /** Selectors of the elements, at most five. */
  at: string[];
}

/** What axe-core finds wrong on the page as it is now: WCAG A and AA and its own best practices. */
export async function axeProblems(page: Page): Promise<Problem[]> {
  // The page's content security policy allows no inline script: evaluated code is exempt, an added script tag would not
  // be. It stays as long as the page does.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  return results.violations.map(({ id, help, nodes }) => ({
    rule: id,
    help,
    at: nodes.slice(0, 5).map(({ target }) => target.join(' ')),
  }));
}

/**
 * Everything that went wrong in a page, collected from the moment of the call: uncaught errors and errors on the
 * console.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  return complaints;
}
