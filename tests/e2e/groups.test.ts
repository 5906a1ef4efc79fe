/** Grouped lists: by keyboard, in the URL, in saved views, with a record next to them, on a phone. */
import { expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { cleanUpAfterwards, setUpTestBrowser, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

interface Groups {
  data: { value: string; label: string; count: number }[];
}

test('by keyboard: a field is chosen, a group opens, and its row opens next to the list', async () => {
  const { page, open, path, api, consoleErrors } = await testBrowser.visit('admin');
  await open('/machines?filter=%7B%22stock_state%22%3A%5B%22deployed%22%5D%7D');
  await page.getByRole('button', { name: 'Group', exact: true }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Fleet', exact: true }).press('Enter');
  await expect.poll(path).toContain('by=fleet_id');
  expect(path()).toContain('stock_state');
  const { data } = await api<Groups>('GET', 'machines/groups?by=fleet_id&filter[stock_state]=deployed&per_page=50');
  const groupHeads = page.locator('.sl-group-head');
  await groupHeads.first().waitFor();
  expect(await groupHeads.count()).toBe(data.length);
  expect(await groupHeads.first().textContent()).toBe(`${data[0]?.label}${data[0]?.count}`);
  const button = groupHeads.first().getByRole('button');
  await button.press('Enter');
  const rows = page.locator('main tbody tr[data-id]');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(Math.min(25, data[0]?.count ?? 0));
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  await button.press('ArrowDown');
  expect(await rows.first().evaluate((row) => row === document.activeElement)).toBe(true);
  await page.keyboard.press('Space');
  const panel = page.locator('.sl-peek');
  await panel.locator('dd').first().waitFor();
  const title = await panel.locator('h2').first().textContent();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => panel.locator('h2').first().textContent()).not.toBe(title);
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  await button.press('Enter');
  await expect.poll(() => rows.count()).toBe(0);
  await page.reload();
  await groupHeads.first().waitFor();
  await page.getByRole('button', { name: 'Remove filter Stock state' }).click();
  await expect.poll(path).not.toContain('deployed');
  expect(path()).toContain('by=fleet_id');
  expect(consoleErrors).toEqual([]);
});

test('headings show sums of columns, and a saved view stores the grouping', async () => {
  const { page, open, path, api } = await testBrowser.visit('admin');
  const name = `Grouped ${Date.now()}`;
  const { data: view } = await api<{ data: { id: number } }>('POST', 'saved_views', {
    name,
    resource: 'machines',
    query: 'filter[is_dummy]=false&sort=serial_number&per_page=10&by=stock_state',
    columns: ['serial_number', 'stock_state', 'price', 'battery'],
  });
  cleanUpAfterwards(() => api('DELETE', `saved_views/${view.id}`));
  await open('/machines');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitemradio', { name }).click();
  await expect.poll(path).toContain('by=stock_state');
  const first = page.locator('.sl-group-head').first();
  await first.waitFor();
  const response = await api<{ data: { sums: { price: string } }[] }>(
    'GET',
    'machines/groups?by=stock_state&sums=price&filter[is_dummy]=false',
  );
  const price = Number(response.data[0]?.sums.price).toLocaleString('en-GB', { minimumFractionDigits: 2 });
  await expect.poll(() => first.locator('td').allTextContents()).toEqual([expect.stringContaining(price), '']);
  await page.getByRole('button', { name: 'Grouped by: Stock state' }).click();
  await page.getByRole('menuitemradio', { name: 'No groups' }).click();
  await page.locator('main tbody tr[data-id]').first().waitFor();
  expect(path()).not.toContain('by=');
});

test('an error can be retried, and an empty result is stated', async () => {
  const { page, open } = await testBrowser.visit('admin');
  // The list also retries by itself when a machine sends a message, so it may succeed only after the click.
  await page.route('**/machines/groups?**', async (route) =>
    (await page.evaluate('"clicked" in document.body.dataset'))
      ? route.continue()
      : route.fulfill({ status: 503, body: '{"message":"Away"}' }),
  );
  await open('/machines?by=status');
  const retry = page.getByRole('button', { name: 'Try again' });
  await page.evaluate(() =>
    document.addEventListener('click', () => document.body.setAttribute('data-clicked', ''), { capture: true }),
  );
  await retry.click();
  await page.locator('.sl-group-head').first().waitFor();
  await open('/machines?by=status&filter=%7B%22serial_number.is%22%3A%22nowhere%22%7D');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
});

test('on a phone, in German, groups are cards that fit the screen', async () => {
  const { page, open } = await testBrowser.visit('admin', { width: 'phone', lang: 'de', dark: true });
  await open('/machines?by=status');
  const group = page.locator('.sl-group-card').filter({ hasText: 'Offline' });
  await group.getByRole('button').first().click();
  await group.locator('.sl-row-card').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
});
