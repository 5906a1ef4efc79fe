/** Printing a list: every matching row on numbered pages with filters and time, instead of what is on the screen. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin', { isOwnWindow: true });
  // The browser's print dialog would wait for input.
  await visitor.context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-print-called', 'yes');
  });
});

const printList = async () => {
  await visitor.page.getByRole('button', { name: 'More actions' }).click();
  await visitor.page.getByRole('menuitem', { name: 'Print', exact: true }).click();
};
const paper = () => visitor.page.locator('.sl-printed');

test('prints every matching row, with exact times, its date and the filters in words', async () => {
  const { page, api, open } = visitor;
  const filter = { stock_state: ['deployed'], is_dummy: false };
  const { total } = await api<{ total: number }>(
    'GET',
    'machines?per_page=1&filter[stock_state]=deployed&filter[is_dummy]=false',
  );
  await open(`/machines?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  const today = new Intl.DateTimeFormat('de-DE', { day: '2-digit', month: '2-digit', year: 'numeric' });
  const earliestLine = `Printed on ${today.format(new Date())}`;
  await printList();
  await page.locator('html[data-print-called]').waitFor();
  expect(total).toBeGreaterThan(10);
  expect(await paper().locator('tbody tr').count()).toBe(total);

  await page.emulateMedia({ media: 'print' });
  const words = await paper().innerText();
  // Midnight may pass during the test.
  expect([earliestLine, `Printed on ${today.format(new Date())}`].some((day) => words.includes(day))).toBe(true);
  expect(words).toContain('Stock state: ');
  expect(words).toMatch(/\d\d\.\d\d\.\d{4} \d\d:\d\d/);
  expect(words).not.toMatch(/\bago\b|yesterday/);
  expect(await page.locator('#root').isVisible()).toBe(false);

  const isNumbered = await page.evaluate(() =>
    [...document.styleSheets].some((sheet) =>
      [...sheet.cssRules].some(({ cssText }) => /^@page list\b.*counter\(pages\)/s.test(cssText)),
    ),
  );
  expect(isNumbered).toBe(true);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  const pages = pdf.match(/\/Type\s*\/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThanOrEqual(Math.ceil(total / 60));
  // After printing, the page looks as before.
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => paper().count()).toBe(0);
});

test('too many rows are rejected, with advice on how to narrow them down', async () => {
  const { page, open } = visitor;
  const rowsOfPrint = /\/machines\?.*per_page=1000/;
  await page.route(rowsOfPrint, (route) =>
    route.fulfill({ json: { data: [], total: 10_001, current_page: 1, last_page: 11, per_page: 1000 } }),
  );
  onTestFinished(() => page.unroute(rowsOfPrint));
  await open('/machines');
  await page.evaluate(() => document.documentElement.removeAttribute('data-print-called'));
  await printList();
  await page.getByText('At most 10,000 rows are printed at once. Narrow the list').waitFor();
  expect(await paper().count()).toBe(0);
  expect(await page.locator('html[data-print-called]').count()).toBe(0);
});

test('a printed dashboard has the states and its cards below each other, without controls', async () => {
  const { page, open } = visitor;
  await page.emulateMedia({ media: 'screen' });
  await open('/');
  const card = page.locator('.sl-performance__cards > *');
  await card.nth(1).waitFor();
  const controls = ['.sl-search', '.sl-performance__period', '.leaflet-control-zoom'];
  for (const control of controls) await page.locator(control).first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const [first, second] = [await card.nth(0).boundingBox(), await card.nth(1).boundingBox()];
  expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0));
  const bar = page.locator('.sl-states__bar');
  expect(await bar.evaluate((element) => getComputedStyle(element).printColorAdjust)).toBe('exact');
  for (const control of controls) expect(await page.locator(control).first().isVisible(), control).toBe(false);
});

const countPages = async () =>
  (
    (await visitor.page.pdf({ format: 'A4', preferCSSPageSize: true }))
      .toString('latin1')
      .match(/\/Type\s*\/Page\b/g) ?? []
  ).length;

test('labels that fit on one sheet are printed on one page', async () => {
  const { page, api, open } = visitor;
  await page.emulateMedia({ media: 'screen' });
  const { data } = await api<{ data: { id: number }[] }>('GET', 'machines?per_page=3');
  await open(`/machines/labels?ids=${data.map(({ id }) => id).join(',')}`);
  await page.locator('.sl-label').nth(2).waitFor();
  expect(await countPages()).toBe(1);
});

test('a printed machine has exact times', async () => {
  const { page, api, open } = visitor;
  await page.emulateMedia({ media: 'screen' });
  const { data } = await api<{ data: { id: number }[] }>('GET', 'machines?per_page=1&sort=-last_seen');
  await open(`/machines/${data[0]?.id}`);
  const time = page.locator('time[data-exact]').first();
  await time.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await time.evaluate((element) => getComputedStyle(element, '::after').content)).toMatch(
    /^"\d\d\.\d\d\.\d{4} \d\d:\d\d"$/,
  );
  expect(await time.locator('.sl-elapsed').isVisible()).toBe(false);
});
