/** A wall: created by a user, opened without a login on a screen that runs for weeks. */
import { beforeAll, describe, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { demoUrl } from '../support/demo';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const views = ['now', 'work', 'map', 'timeline'] as const;
/** The name is unique, since several test runs may use the same server. */
const name = `Reception ${Date.now()}`;
const screens = { hd: [1920, 1080], uhd: [3840, 2160], upright: [1080, 1920] } as const;

const testBrowser = setUpTestBrowser();
let owner: Visitor;
let link: string;
/** The screen on which nobody has ever logged in. */
let screen: Visitor;

beforeAll(async () => {
  owner = await testBrowser.visit('customer_admin');
  screen = await testBrowser.visit();
});

/** Advances until the view is shown. */
async function turnTo({ page }: Visitor, view: string) {
  const current = () => page.locator('.sl-wall__view').getAttribute('data-view');
  for (let currentView = await current(); currentView !== view; currentView = await current()) {
    await page.keyboard.press('ArrowRight');
    await page.locator(`.sl-wall__view[data-view="${currentView}"]`).waitFor({ state: 'detached' });
  }
}
const contentOf = {
  now: (visitor: Visitor) => visitor.page.locator('.sl-wall__states .sl-wall__value', { hasText: /^\d/ }).first(),
  work: (visitor: Visitor) => visitor.page.locator('.sl-wall__chart svg').first(),
  map: (visitor: Visitor) => visitor.page.locator('.sl-map canvas').first(),
  timeline: (visitor: Visitor) => visitor.page.locator('.sl-wall__rows path').first(),
};

test('a user creates a wall from the dashboard; its link is shown once', async () => {
  const { page } = owner;
  await owner.open('/');
  await page.getByRole('link', { name: 'Show on a wall' }).click();
  await page.getByLabel('Name of the wall').fill(name);
  await page.getByLabel('Each for').selectOption('300');
  await page.getByRole('button', { name: 'Create wall' }).click();
  const wallUrl = new URL((await page.locator('.sl-secret').textContent()) ?? '');
  link = `${demoUrl()}/${wallUrl.search}${wallUrl.hash}`;
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByText(name).first().waitFor();
  expect(await page.content()).not.toContain('sww_');
});

test('the link opens without a password, and the token is removed from the URL', async () => {
  const { page } = screen;
  await page.goto(link);
  await contentOf.now(screen).waitFor();
  expect(page.url()).toBe(`${demoUrl()}/?wall=1&lang=en&show=now,work,map,timeline&seconds=300`);
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await page.reload();
  await contentOf.now(screen).waitFor();
});

describe.each(Object.entries(screens))('on a screen %s', (_, [width, height]) => {
  test.each(views)('%s fills the screen: no controls, no scrolling, no axe violations', async (view) => {
    const { page } = screen;
    await page.setViewportSize({ width, height });
    await turnTo(screen, view);
    await contentOf[view](screen).waitFor();
    expect(await page.locator('.sl-wall :is(a, button, input, select)').count()).toBe(0);
    const clippedElements = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.sl-wall :is(main, section, figure)')]
        .filter((part) => part.scrollHeight > part.clientHeight + 2 || part.scrollWidth > part.clientWidth + 2)
        .map(({ className, tagName }) => `${tagName} ${className}`),
    );
    expect(clippedElements).toEqual([]);
    expect(await findAxeProblems(page)).toEqual([]);
  });
});

test('the wall uses the language of its link', async () => {
  const german = await testBrowser.visit();
  await german.page.goto(link.replace('lang=en', 'lang=de'));
  await german.page.getByRole('heading', { name: 'Die Flotte jetzt' }).waitFor();
});

test('the wall does not affect the session of a user in the same browser', async () => {
  const storedToken = () => owner.page.evaluate('JSON.parse(localStorage.getItem("sweepline")).t');
  const tokenBefore = await storedToken();
  const secondPage = await owner.context.newPage();
  await secondPage.goto(link);
  await secondPage.locator('[data-view="now"]').waitFor();
  expect(await storedToken()).toBe(tokenBefore);
  await secondPage.close();
  await owner.open('/machines');
  expect(owner.path()).toContain('/machines');
});

test('the wall shows the age of its data while the server is down, and recovers automatically', async () => {
  await screen.page.setViewportSize({ width: 1920, height: 1080 });
  await turnTo(screen, 'now');
  await screen.context.setOffline(true);
  const age = screen.page.getByText(/^No connection\. As of \d\d\.\d\d\.\d{4} \d\d:\d\d\.$/);
  await age.waitFor();
  // The next views still show data that was loaded before.
  await turnTo(screen, 'work');
  await contentOf.work(screen).waitFor();
  await screen.context.setOffline(false);
  await age.waitFor({ state: 'detached' });
});

test('the wall frees the memory of previous views', async () => {
  const { page, context } = screen;
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const measure = async () => {
    await turnTo(screen, 'now');
    await contentOf.now(screen).waitFor();
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const metricOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { nodes: metricOf('Nodes'), listeners: metricOf('JSEventListeners') };
  };
  const runRound = async () => {
    for (const view of views) {
      await turnTo(screen, view);
      await contentOf[view](screen).waitFor();
    }
  };
  await runRound();
  const countsBefore = await measure();
  for (let count = 0; count < 5; count++) await runRound();
  const countsAfter = await measure();
  // A view has hundreds of nodes and a map dozens of listeners; the current view may differ by a few rows.
  expect(countsAfter.nodes).toBeLessThan(countsBefore.nodes + 400);
  expect(countsAfter.listeners).toBeLessThan(countsBefore.listeners + 60);
});

test('the wall shows nothing once it is revoked', async () => {
  const { page } = owner;
  await owner.open('/account/walls');
  const wallItem = page.getByRole('listitem').filter({ hasText: name });
  await wallItem.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await wallItem.waitFor({ state: 'detached' });
  await screen.page.reload();
  await screen.page.getByText('This wall was revoked or has expired.').waitFor();
  expect(await screen.page.evaluate('sessionStorage.getItem("sweepline")')).toContain('"t":""');
});
