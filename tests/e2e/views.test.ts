/** Saved views: saving a list, opening it again, and opening it by default. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('country_manager');
});
/** Deletes views of earlier attempts and other files. */
async function deleteViews(): Promise<void> {
  const { data } = await visitor.api<{ data: { id: number }[] }>('GET', 'saved_views');
  for (const { id } of data) await visitor.api('DELETE', `saved_views/${id}`);
}
afterAll(deleteViews);

const menu = () => visitor.page.getByRole('button', { name: /^(Views|Silent)/ });

test('a list is saved with its filters, sort and page size, and opened again by its name', async () => {
  const { page } = visitor;
  await deleteViews();
  await visitor.open('/machines?filter=%7B%22status%22%3A%22Offline%22%7D&order=DESC&page=1&perPage=25&sort=last_seen');
  await menu().click();
  await page.getByText('No views saved yet.').waitFor();
  await page.getByRole('menuitem', { name: 'Save this view …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('Silent');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Silent' }).waitFor();
  await visitor.open('/machines');
  await menu().click();
  await page.getByRole('menuitemradio', { name: 'Silent' }).click();
  await expect.poll(() => new URLSearchParams(visitor.path().split('?')[1]).get('sort')).toBe('last_seen');
  await page.getByRole('button', { name: 'Silent' }).waitFor();
  const params = new URLSearchParams(visitor.path().split('?')[1]);
  expect([params.get('perPage'), params.get('filter')]).toEqual(['25', '{"status":"Offline"}']);
});

test('a default view opens the list from the menu, until it is deleted', async () => {
  const { page } = visitor;
  const { data } = await visitor.api<{ data: { id: number }[] }>('GET', 'saved_views');
  await visitor.api('PUT', `saved_views/${data[0]?.id}`, { is_default: true });
  const defaultViews = page.waitForResponse(/saved_views\?.*is_default/);
  await visitor.open('/');
  await defaultViews;
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Machines' }).click();
  await expect.poll(() => visitor.path()).toContain('last_seen');
  await waitUntilSettled(page);
  await menu().click();
  await page.getByRole('menuitem', { name: 'Delete “Silent” …' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Views' }).waitFor();
});

test('the create page refers to the list, and a link in a mail opens a view with its columns', async () => {
  const { page } = visitor;
  await visitor.open('/saved_views/create');
  await page.getByText('Open the list, arrange it and choose “Save this view …” under “Views”.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  const values = { name: 'Silent by mail', resource: 'fleets', query: 'sort=-name', columns: ['name', 'color'] };
  const { data } = await visitor.api<{ data: { id: number } }>('POST', 'saved_views', values);
  await visitor.open(`/fleets?filter=%7B%7D&sort=name&order=DESC&saved=${data.id}`);
  await expect.poll(() => page.locator('main thead th').allInnerTexts()).toEqual(['', 'Name', 'Colour']);
  await expect.poll(() => new URLSearchParams(visitor.path().split('?')[1]).get('saved')).toBeNull();
});

test('the width of a column can be set by pointer, double click and keyboard, survives a reload, and is stored in a view', async () => {
  const { page } = visitor;
  await deleteViews();
  // Rows whose states do not change, since the labels of states also affect the width of columns.
  await visitor.open('/machines?filter=%7B%22stock_state%22%3A%5B%22in_stock%22%5D%7D');
  await page.getByText(/results found/).waitFor();
  const columnHead = page.locator('main thead th[aria-label="Fleet"]');
  const edge = page.getByRole('separator', { name: 'Width of the column Fleet' });
  const width = () => columnHead.evaluate((cell) => Math.round(cell.getBoundingClientRect().width));
  const widthBefore = await width();
  const box = await edge.boundingBox();
  if (!box) throw new Error('no edge');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 100, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(widthBefore + 100);
  await page.reload();
  // Columns may change their width when rows arrive.
  await page.getByText(/results found/).waitFor();
  await expect.poll(width).toBe(widthBefore + 100);
  await edge.dblclick();
  await expect.poll(async () => (await width()) < widthBefore + 100).toBe(true);
  const fittedWidth = await width();
  await edge.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(width).toBe(fittedWidth + 64);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(fittedWidth + 48);
  await menu().click();
  await page.getByRole('menuitem', { name: 'Save this view …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('Silent and wide');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Silent and wide' }).waitFor();
  await edge.focus();
  await page.keyboard.press('Delete');
  await expect.poll(async () => (await width()) < fittedWidth + 48).toBe(true);
  await menu().click();
  await page
    .getByRole('menu', { name: 'Saved views' })
    .getByRole('menuitemradio', { name: 'Silent and wide', exact: true })
    .click();
  await expect.poll(width).toBe(fittedWidth + 48);
});
