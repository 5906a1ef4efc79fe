/** The timeline view of the machines list, with pointer and keyboard. */
import { beforeAll, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { readPdf } from '../support/readPdf';
import { setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin');
});

const timelineCalls = () => visitor.calls.filter((call) => call.includes('/machines/timeline'));
const area = () => visitor.page.getByRole('region', { name: 'What the machines did' }).first();
const rows = () => area().getByRole('link');
const statusLine = () => visitor.page.locator('.sl-fleet__status');

test('opens with the switch next to table and map, and keeps the filters of the list', async () => {
  const { page } = visitor;
  await visitor.open(
    '/machines?filter=%7B%22status%22%3A%22Parked%22%7D&order=ASC&page=1&perPage=10&sort=serial_number',
  );
  await page.getByRole('button', { name: 'Timeline' }).click();
  await rows().first().waitFor();
  expect(timelineCalls().at(-1)).toContain('filter%5Bstatus%5D=Parked');
  expect(await rows().first().getAttribute('aria-label')).toMatch(/, Parked$/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => timelineCalls().at(-1)).not.toContain('Parked');
  expect(visitor.path()).toContain('view=timeline');
});

test('draws only the rows in view of 1,000 machines per page', async () => {
  await rows().first().waitFor();
  expect(await rows().count()).toBeLessThan(60);
  const first = await rows().first().textContent();
  await area().evaluate((element) => element.scrollTo(0, 500 * 28));
  await expect.poll(() => area().getByRole('link').nth(5).textContent()).not.toBe(first);
  expect(await rows().count()).toBeLessThan(60);
  await visitor.page.getByRole('navigation', { name: 'Page' }).getByText('Page 1 of 2').waitFor();
  await area().evaluate((element) => element.scrollTo(0, 0));
});

test('ends at the bottom of the window, so that only the rows scroll', async () => {
  const hiddenHeight = () => visitor.page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  await expect.poll(hiddenHeight).toBe(0);
  expect(await area().evaluate((element) => element.clientHeight)).toBeGreaterThan(300);
  // A chip of a filter takes a row above them.
  await visitor.page.getByRole('button', { name: /^Parked/ }).click();
  await visitor.page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await expect.poll(hiddenHeight).toBe(0);
  await visitor.page.getByRole('button', { name: 'Clear filters' }).click();
  // The rows of the next test move up by it.
  await visitor.page.getByRole('button', { name: 'Clear filters' }).waitFor({ state: 'detached' });
  await waitUntilSettled(visitor.page);
});

test('shows machine, state and start under the pointer; a click opens the machine at that time', async () => {
  const { page } = visitor;
  // The filter of the previous test may still move rows.
  let name = '';
  let position = { x: 0, y: 0 };
  await expect
    .poll(async () => {
      const box = await rows().nth(2).boundingBox();
      if (!box) return false;
      position = { x: box.x + box.width * 0.6, y: box.y + 14 };
      await page.mouse.move(position.x, position.y);
      name = (await rows().nth(2).textContent()) ?? '';
      return name !== '' && (await statusLine().textContent())?.includes(name);
    })
    .toBe(true);
  await expect
    .poll(() => statusLine().textContent())
    .toMatch(/(Parked|Charging|Cleaning|Online|Offline).*since \d\d\.\d\d\.\d{4}/);
  await page.mouse.click(position.x, position.y);
  await page.getByRole('heading', { name: /^Around \d\d\.\d\d\.\d{4} \d\d:\d\d$/ }).waitFor();
  await expect.poll(() => page.title()).toContain(name);
  const instant = Date.parse(new URLSearchParams(visitor.path().split('?')[1]).get('at') ?? '');
  const hours = (Date.now() - instant) / 3_600_000;
  expect(hours).toBeGreaterThan(5);
  expect(hours).toBeLessThan(16);
  await page.getByText('Last 7 days').click();
  await page.getByRole('heading', { name: 'Last 7 days' }).waitFor();
  expect(visitor.path()).not.toContain('at=');
});

test('is navigated by keyboard: arrow keys move between rows and pieces, Enter opens the machine', async () => {
  const { page } = visitor;
  await visitor.open('/machines?view=timeline&span=week&group=location');
  await rows().first().waitFor();
  expect(timelineCalls().at(-1)).toContain('group=location');
  await rows().first().focus();
  await page.keyboard.press('ArrowDown');
  const second = (await page.locator(':focus').textContent()) ?? '';
  await expect.poll(() => statusLine().textContent()).toContain(second);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => statusLine().textContent()).toContain('since');
  await page.keyboard.press('End');
  await expect.poll(() => page.locator(':focus').textContent()).not.toBe(second);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator(':focus').textContent()).toBe(second);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Around / }).waitFor();
  await expect.poll(() => page.title()).toContain(second);
});

test('sorts by idle time, and links to the table with the same machines', async () => {
  const { page } = visitor;
  await visitor.open('/machines?view=timeline');
  await page.getByLabel('Order').selectOption('Longest idle first');
  await expect.poll(() => timelineCalls().at(-1)).toContain('sort=idle');
  await page.locator('[data-dimmed="false"] .sl-fleet__scroll').waitFor();
  await page.getByText('Show as table').click();
  await expect.poll(() => page.locator('[data-chart="fleet_timeline"] tbody tr').count()).toBe(1000);
  const idle = await page
    .locator('[data-chart="fleet_timeline"] tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [3, 4]
          .map((index) => (row.children[index]?.textContent ?? '').split(/[:\s]/).map(Number))
          .reduce((sum, [hours = 0, minutes = 0]) => sum + hours * 60 + minutes, 0),
      ),
    );
  // Both columns truncate minutes.
  for (const [index, minutes] of idle.entries())
    if (index > 0) expect(minutes).toBeLessThanOrEqual((idle[index - 1] as number) + 2);
});

test.each([
  ['desktop', false],
  ['phone', true],
] as const)('has no accessibility violations and is not wider than the page: %s', async (width, dark) => {
  const otherVisitor = await testBrowser.visit('site_manager', { width, dark, lang: 'de' });
  await otherVisitor.open('/machines?view=timeline&group=type&span=week');
  await otherVisitor.page.locator('.sl-fleet__row').first().waitFor();
  await waitUntilSettled(otherVisitor.page);
  expect(await findAxeProblems(otherVisitor.page)).toEqual([]);
  expect(await otherVisitor.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('prints every row', async () => {
  const { page } = visitor;
  await visitor.open('/machines?view=timeline&filter=%7B%22status%22%3A%22Offline%22%7D');
  await rows().first().waitFor();
  const drawnCount = await rows().count();
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect.poll(() => rows().count()).toBeGreaterThan(drawnCount);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => rows().count()).toBe(drawnCount);
});

test('prints its period and its hours', async () => {
  const { page } = visitor;
  const { data } = await visitor.api<{ data: { id: number }[] }>('GET', 'machines?per_page=20');
  const filter = JSON.stringify({ id: data.map(({ id }) => id) });
  await visitor.open(`/machines?view=timeline&filter=${encodeURIComponent(filter)}`);
  await rows().first().waitFor();
  const hours = await page.locator('.sl-fleet__hours span').allTextContents();
  const period = (await page.locator('.sl-fleet__period').textContent())?.split(' – ') ?? [];
  expect(period).toHaveLength(2);
  expect(hours.length).toBeGreaterThan(3);
  await page.locator('.sl-fleet__scroll').evaluate((area) => area.scrollTo(0, 400));
  const paper = await readPdf(await page.pdf({ format: 'A4' }));
  expect(paper.missing([...hours, ...period])).toEqual([]);
});
