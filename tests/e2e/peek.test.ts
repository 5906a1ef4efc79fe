/** A row beside its list, by keyboard: Space, arrows, Escape. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems } from '../support/browser';
import { openTestBrowser, settled, type TestBrowser } from '../support/visit';

let testBrowser: TestBrowser;
beforeAll(async () => {
  testBrowser = await openTestBrowser();
});
afterAll(() => testBrowser.close());

test.each(['machines', 'clients', 'locations', 'alerts'])('%s', async (resource) => {
  const { page, open, calls } = await testBrowser.visit('admin');
  await open(`/${resource}`);
  const rows = page.locator('main tbody tr[data-id]');
  await rows.nth(2).waitFor();
  await rows.first().focus();
  await page.keyboard.press('Space');
  const panel = page.locator('.sl-peek');
  await panel.locator('dd').first().waitFor();
  const title = await panel.locator('h2').first().textContent();
  const [list, beside] = [await page.locator('.sl-table-area').boundingBox(), await panel.boundingBox()];
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => panel.locator('h2').first().textContent()).not.toBe(title);
  expect(await rows.nth(1).getAttribute('aria-current')).toBe('true');
  expect(calls.filter((call) => call.startsWith(`GET /api/v1/${resource}/`)).length).toBeGreaterThanOrEqual(2);
  await settled(page);
  expect(await axeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  expect(await rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
});
