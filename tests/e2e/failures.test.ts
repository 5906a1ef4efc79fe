/** Failures at start-up or of the server never leave a blank page. */
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright';
import { describe, expect, test } from 'vitest';
import { type Language, languageCodes } from '../../schema/shared/languages';
import { demoUrl } from '../support/demo';
import { setUpTestBrowser, waitUntilSettled } from '../support/visit';
import { idlePath } from '../support/windows';

const testBrowser = setUpTestBrowser();

const textsOf = (lang: Language) => {
  const path = new URL(`../../locales/${lang}/ui.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as {
    errors: Record<'title' | 'page_load' | 'reload' | 'network' | 'no_script', string>;
  };
};
const goto = (page: Page, path: string) => page.goto(`${demoUrl()}${path}`, { waitUntil: 'domcontentloaded' });
/** Stores the state of an earlier visit before the application opens. */
async function storeState(page: Page, text: string): Promise<void> {
  await goto(page, idlePath);
  await page.evaluate((value) => localStorage.setItem('sweepline', value), text);
}
/** Aborts the first `times` matching requests. */
async function abort(page: Page, path: RegExp, times = 1): Promise<() => number> {
  let abortedCount = 0;
  await page.route(path, async (route: Route) => {
    if (abortedCount >= times) return route.fallback();
    abortedCount += 1;
    return route.abort('connectionfailed');
  });
  return () => abortedCount;
}
/** Aborts matching requests of the first `times` documents. Returns a function that counts the requested documents. */
async function abortDocuments(page: Page, path: RegExp, times: number): Promise<() => number> {
  let documents = 0;
  await page.route(path, (route) => (documents > times ? route.fallback() : route.abort('connectionfailed')));
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return () => documents;
}
const machineRows = (page: Page) => page.locator('main tbody tr[data-id]');

test('a page of a list that fails to load says so, stays in the URL and loads at the next attempt', async () => {
  const { page, path } = await testBrowser.visit('admin');
  const failingPath = /\/api\/v1\/machines\?.*\bpage=2\b/;
  await page.route(failingPath, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":"The pump stands still."}' }),
  );
  await goto(page, '/machines?page=2&perPage=10');
  await page.getByRole('heading', { name: 'The list could not be loaded' }).waitFor();
  await page.locator('.sl-empty').getByText('The pump stands still.').waitFor();
  expect(path()).toContain('page=2');
  await page.unroute(failingPath);
  await page.getByRole('button', { name: 'Try again' }).click();
  await machineRows(page).nth(5).waitFor();
  expect(path()).toContain('page=2');
});

describe('errors at start-up', () => {
  test.each([
    ['the texts of the language', /\/assets\/ui-[^/]*\.js/],
    ['the texts of the entities', /\/assets\/entities-[^/]*\.js/],
    ['the page', /\/assets\/(MachinesList|ListPage|list)-[^/]*\.js/],
    ['the configuration', /\/api\/v1\/config/],
    ['the user', /refreshInformationAboutUser/],
    ['live events', /\/api\/v1\/events/],
    ['the first list', /\/api\/v1\/machines\?/],
  ])('%s fails once: the page still loads', async (name, path) => {
    const { page } = await testBrowser.visit('operator', { lang: 'de' });
    const abortedCalls = await abort(page, path);
    await goto(page, '/machines');
    await machineRows(page).nth(5).waitFor();
    if (!/user|configuration/.test(name)) expect(abortedCalls()).toBe(1);
  });

  test('without any script, the error screen appears in each language', async () => {
    const { page } = await testBrowser.visit();
    await abort(page, /\/assets\/[^/]*\.js/, Number.POSITIVE_INFINITY);
    await goto(page, '/machines');
    for (const lang of languageCodes) {
      const { errors } = textsOf(lang);
      await page.evaluate((code) => localStorage.setItem('sweepline', JSON.stringify({ lang: code })), lang);
      await goto(page, '/machines');
      await page.getByRole('alert').getByRole('heading', { name: errors.title }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      await page.getByText(errors.page_load).waitFor();
    }
  });

  test('in a browser whose scripts are off, the page says so in every language', async () => {
    const visitor = await testBrowser.visit();
    const context = await visitor.page.context().browser()?.newContext({ javaScriptEnabled: false });
    const page = await context?.newPage();
    if (!page) throw new Error('The browser opened no page.');
    await goto(page, '/machines');
    for (const lang of languageCodes)
      expect(await page.locator(`main p[lang=${lang}]`).textContent()).toBe(textsOf(lang).errors.no_script);
    await context?.close();
  });

  test.each([
    ['the application', /\/assets\/(app|index)-[^/]*\.js/],
    ['the framework', /\/assets\/framework-[^/]*\.js/],
  ])('%s fails: the error screen appears until the button is clicked', async (_, path) => {
    const { page } = await testBrowser.visit('operator', { lang: 'de' });
    const { errors } = textsOf('de');
    await abortDocuments(page, path, 1);
    await goto(page, '/machines');
    await page.getByRole('button', { name: errors.reload }).click();
    await machineRows(page).first().waitFor();
    expect(await page.getByRole('heading', { name: errors.title }).count()).toBe(0);
  });

  test.each([
    ['the texts of the language', '/machines', /\/assets\/(ui|entities)-[^/]*\.js/],
    ['the login page', '/login', /\/assets\/Login-[^/]*\.js/],
    ['a page', '/account', /\/assets\/Account-[^/]*\.js/],
  ])('%s keeps failing: the error screen appears until the button is clicked', async (_, path, file) => {
    const { page } = await testBrowser.visit(path === '/login' ? undefined : 'operator', { lang: 'fr' });
    const { errors } = textsOf('fr');
    const documents = await abortDocuments(page, file, 2);
    await goto(page, path);
    // A page that fails reloads once automatically.
    await expect.poll(documents).toBe(2);
    await page.getByRole('heading', { name: errors.title }).waitFor();
    await page.getByRole('button', { name: errors.reload }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => page.getByRole('heading', { name: errors.title }).count()).toBe(0);
  });

  // tests/ui/user-token.test.ts covers more of them.
  test.each([
    ['empty', ''],
    ['no JSON', 'a.b.c'],
  ])('a user token that cannot be parsed (%s) leads to /login once', async (name, ut) => {
    const { page, path, consoleErrors } = await testBrowser.visit();
    await storeState(page, JSON.stringify({ sb: true, lang: 'en', t: 'token', ut }));
    const steps: string[] = [];
    page.on('framenavigated', (frame) => steps.push(frame.url()));
    await goto(page, '/machines');
    await page.getByLabel(/^Password/).waitFor();
    expect(path()).toBe('/login');
    expect(steps.length).toBeLessThanOrEqual(3);
    expect(await page.evaluate(() => localStorage.getItem('sweepline'))).toBe(
      JSON.stringify({ sb: true, lang: 'en', t: '', ut: '' }),
    );
    if (name !== 'empty') expect(consoleErrors.join('\n')).toContain('The user token could not be read.');
  });

  // tests/ui/session.test.ts covers more of them.
  test.each(['garbage', '{"t":7,"ut":[]}'])('stored state %s leads to /login', async (text) => {
    const { page, path } = await testBrowser.visit();
    await storeState(page, text);
    await goto(page, '/');
    await page.getByLabel(/^Password/).waitFor();
    expect(path()).toBe('/login');
  });
});

describe('without the server', () => {
  const notice = (page: Page, lang: Language = 'en') =>
    page.locator('.sl-unreachable').filter({ hasText: textsOf(lang).errors.network });

  test.each([['en'], ['de']] as const)('a list says so in %s and recovers automatically', async (lang) => {
    const { page, context, open, navigate } = await testBrowser.visit('operator', { lang });
    await open('/machines');
    await machineRows(page).first().waitFor();
    await context.setOffline(true);
    await notice(page, lang).waitFor();
    await page.locator('main thead th button').nth(1).click();
    await context.setOffline(false);
    await notice(page, lang).waitFor({ state: 'detached' });
    await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
    await machineRows(page).first().waitFor();
    await navigate('/account');
  });

  test('a list on which the user turns the page offline says so, and shows that page when the network is back', async () => {
    const { page, context, open, path } = await testBrowser.visit('admin');
    await open('/machines');
    const first = await machineRows(page).first().innerText();
    await context.setOffline(true);
    await notice(page).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.locator('.sl-table-area .sl-loading').getByText(textsOf('en').errors.network).waitFor();
    // Longer than the retries of other queries take.
    await page.waitForTimeout(9000);
    expect(await machineRows(page).first().innerText()).toBe(first);
    await context.setOffline(false);
    await expect.poll(() => machineRows(page).first().innerText()).not.toBe(first);
    expect(path()).toContain('page=2');
    await notice(page).waitFor({ state: 'detached' });
  });

  test('a list that is opened offline says so, and loads when the network is back', async () => {
    const { page, context, open } = await testBrowser.visit('admin');
    await open('/clients');
    await context.setOffline(true);
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Users' }).click();
    await notice(page).waitFor();
    await context.setOffline(false);
    await machineRows(page).first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  });

  test('a record that is opened offline says so, and loads when the network is back', async () => {
    const { page, context, open } = await testBrowser.visit('operator');
    await open('/machines');
    await machineRows(page).nth(1).getByRole('link').first().click();
    await waitUntilSettled(page);
    await page.goBack();
    await machineRows(page).first().waitFor();
    const link = machineRows(page).first().getByRole('link').first();
    const name = (await link.textContent()) ?? '';
    await context.setOffline(true);
    await link.click();
    await notice(page).waitFor();
    // Shown in place of the record, during and after the retries of its call.
    await page.locator('main').locator('.sl-loading, .sl-empty').getByText(textsOf('en').errors.network).waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await notice(page).waitFor({ state: 'detached' });
  });

  test('with the server down although the browser is online, the page says so, retries and recovers', async () => {
    const { page, open } = await testBrowser.visit('operator');
    await open('/account');
    let isServerDown = true;
    await page.route(/\/(api\/|healthz)/, (route) =>
      isServerDown ? route.abort('connectionrefused') : route.fallback(),
    );
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Machines' }).click();
    await notice(page).waitFor();
    // Longer than the three retries of a query, so that the query has failed.
    await page.locator('main .sl-empty').getByText(textsOf('en').errors.network).waitFor();
    isServerDown = false;
    await machineRows(page).first().waitFor();
    await notice(page).waitFor({ state: 'detached' });
  });
});
