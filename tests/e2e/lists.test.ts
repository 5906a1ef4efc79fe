/** Lists: pages, filters, sorting and columns. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoUrl } from '../support/demo';
import { firstLoadLimit, firstScriptsLimit, measureFirstLoad } from '../support/firstLoad';
import { addTestMachine, findFleet } from '../support/testMachine';
import { leavePage, setUpTestBrowser, type Visitor, waitForToast, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
let total: number;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin', { isOwnWindow: true });
  ({ total } = await visitor.api<{ total: number }>('GET', 'machines?per_page=1'));
});

const resultsFound = (count: number) => `${count.toLocaleString('en-GB')} results found`;
const rows = (page: Page) => page.locator('main tbody tr');
const column = (page: Page, index: number) =>
  rows(page).evaluateAll(
    (rows, index) => rows.map((row) => row.querySelectorAll('td, th')[index]?.textContent?.trim() ?? ''),
    index,
  );
const columnHeads = (page: Page) =>
  page
    .locator('main thead th')
    .evaluateAll((cells) => cells.map((cell) => cell.textContent?.trim() ?? '').filter((text) => text !== ''));
const listCalls = ({ calls }: Visitor) => calls.filter((call) => call.startsWith('GET /api/v1/machines?'));
const lastSearch = (visited: Visitor) => new URLSearchParams(listCalls(visited).at(-1)?.split('?')[1] ?? '');

describe('/machines', () => {
  test('shows 10 rows of page 1 with serial number, machine, location, fleet and tracker, and the total, with one request', async () => {
    await visitor.open('/machines');
    const { page } = visitor;
    await expect.poll(() => rows(page).count()).toBe(10);
    await page.getByText(resultsFound(total)).waitFor();
    expect(await columnHeads(page)).toEqual(
      expect.arrayContaining(['Serial number', 'Machine type', 'Location', 'Fleet', 'Tracker']),
    );
    expect(listCalls(visitor)).toHaveLength(1);
    expect([lastSearch(visitor).get('per_page'), lastSearch(visitor).get('page')]).toEqual(['10', '1']);
  });

  test('needs at most 3 API requests after login, apart from the inbox and saved views, which load later', () => {
    // Repeated calls are delayed counts after live events.
    const firstCalls = [
      ...new Set(visitor.calls.filter((call) => !/^GET \/api\/v1\/(saved_views\?|inbox$)/.test(call))),
    ];
    expect(visitor.calls.filter((call) => call.startsWith('GET /api/v1/alerts?'))).toEqual([]);
    expect(firstCalls.slice(3)).toEqual([]);
  });

  test('shows rows before it has loaded more JavaScript than the limit', async () => {
    const { javascript, scripts, discovered } = await measureFirstLoad(visitor.context, demoUrl());
    expect(javascript).toBeGreaterThan(50_000);
    expect(javascript).toBeLessThan(firstLoadLimit);
    expect(scripts).toBeGreaterThan(1);
    expect(scripts).toBeLessThanOrEqual(firstScriptsLimit);
    expect(discovered).toEqual([]);
  });

  test('turns pages with one request each', async () => {
    const { page } = visitor;
    const rowsBefore = await column(page, 1);
    const callCount = listCalls(visitor).length;
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => lastSearch(visitor).get('page')).toBe('2');
    await expect.poll(() => column(page, 1)).not.toEqual(rowsBefore);
    const last = Math.ceil(total / 10);
    await page.getByText(`Page 2 of ${last}`).waitFor();
    expect(listCalls(visitor)).toHaveLength(callCount + 1);
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByText(`Page ${last} of ${last}`).waitFor();
    await page.getByRole('button', { name: 'First page' }).click();
    await expect.poll(() => column(page, 1)).toEqual(rowsBefore);
  });

  test('changes the page size and returns to page 1', async () => {
    const { page } = visitor;
    await page.getByLabel('Results per page').selectOption('25');
    await expect.poll(() => rows(page).count()).toBe(25);
    expect(lastSearch(visitor).get('page')).toBe('1');
    expect(visitor.path()).toContain('perPage=25');
  });

  test('sorts by a column in both directions, and indicates the order', async () => {
    const { page } = visitor;
    const columnHead = page.locator('main thead th').filter({ hasText: 'Serial number' });
    await columnHead.getByRole('button').click();
    await expect.poll(() => columnHead.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(() => lastSearch(visitor).get('sort')).toBe('-serial_number');
    await waitUntilSettled(page);
    const serials = await column(page, 1);
    expect(serials).toEqual([...serials].sort().reverse());
  });

  test('searches while the user types, mirrors the search in the URL, and restores it from a URL', async () => {
    const { page } = visitor;
    const first = (await column(page, 1))[0] as string;
    await page.getByLabel('Search', { exact: true }).fill(first);
    await page.getByText(/^1 result found$/).waitFor();
    expect(await column(page, 1)).toEqual([first]);
    expect(decodeURIComponent(visitor.path())).toContain(first);
    await page.reload();
    await waitUntilSettled(page);
    await page.getByText(/^1 result found$/).waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe(first);
    const { data } = await visitor.api<{ data: { address: string }[] }>(
      'GET',
      'locations?per_page=1&filter[machines.is_dummy]=false',
    );
    const address = data[0]?.address ?? '';
    await page.getByLabel('Search', { exact: true }).fill(address);
    await expect.poll(() => lastSearch(visitor).get('filter[search]')).toBe(address);
    await waitUntilSettled(page);
    await expect.poll(() => rows(page).count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByText(resultsFound(total)).waitFor();
  });

  test('filters by removable chips that survive a reload', async () => {
    // The demo's own machines change their state at any time.
    const search = `CHIP-${Date.now()}`;
    const { id: fleet_id } = await findFleet(visitor);
    const addMachine = (index: number) => addTestMachine(visitor, { fleet_id, serial_number: `${search}-${index}` });
    const [cleaning] = [await addMachine(1), await addMachine(2)];
    await cleaning.send({ status: 'cleaning' });
    const filter = encodeURIComponent(JSON.stringify({ search, status: ['Cleaning'] }));
    await visitor.open(`/machines?filter=${filter}&page=1&perPage=10`);
    const { page } = visitor;
    await expect.poll(() => lastSearch(visitor).get('filter[status]')).toBe('Cleaning');
    const chip = page.getByRole('button', { name: /Remove filter/ });
    await chip.waitFor();
    await expect.poll(() => column(page, 2)).toEqual(['Cleaning']);
    await page.reload();
    await waitUntilSettled(page);
    await chip.click();
    await page.getByText(resultsFound(2)).waitFor();
  });

  test('shows, hides and reorders columns', async () => {
    await visitor.open('/machines');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit columns' });
    await dialog
      .getByLabel(/Tracker/)
      .first()
      .uncheck();
    await dialog
      .getByLabel(/Stock state/)
      .first()
      .check();
    await page.keyboard.press('Escape');
    await expect.poll(() => columnHeads(page)).toContain('Stock state');
    expect(await columnHeads(page)).not.toContain('Tracker');
  });

  test('selects rows, and offers bulk actions', async () => {
    await visitor.open('/machines');
    const { page } = visitor;
    const boxes = page.locator('main tbody input[type=checkbox]');
    await boxes.nth(1).check();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    const bar = page.getByRole('region', { name: '4 selected' });
    await bar.waitFor();
    expect(await bar.getByRole('button', { name: /Delete/ }).count()).toBe(1);
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await expect.poll(() => bar.count()).toBe(0);
  });

  test('rows do not move when the counts above them arrive late', async () => {
    const { page, open } = visitor;
    let releaseCounts = () => {};
    const released = new Promise<void>((resolve) => {
      releaseCounts = resolve;
    });
    await page.route('**/machines/facets*', async (route) => {
      await released;
      await route.continue();
    });
    await open('/machines');
    await expect.poll(() => rows(page).count()).toBe(10);
    const readTop = async () => (await rows(page).first().boundingBox())?.y;
    const topBefore = await readTop();
    releaseCounts();
    await page
      .getByRole('button', { name: /^Offline\s*[\d,]+$/ })
      .first()
      .waitFor();
    expect(await readTop()).toBe(topBefore);
    await page.unroute('**/machines/facets*');
  });

  test('switches to a map and back to the table', async () => {
    const { page } = visitor;
    await page.getByText('Map', { exact: true }).click();
    await page.locator('.leaflet-container').waitFor();
    await expect.poll(() => visitor.calls.filter((call) => call.includes('/machines/map')).length).toBeGreaterThan(0);
    await page.getByText('Table', { exact: true }).click();
    await expect.poll(() => rows(page).count()).toBe(10);
  });

  test('exports the filtered rows with the visible columns', async () => {
    await visitor.open('/machines?filter=%7B%22status%22%3A%5B%22Offline%22%5D%7D');
    const { page } = visitor;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export …' }).click();
    const dialog = page.getByRole('dialog', { name: /^Export / });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const [heads, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(heads).toContain('Stock state');
    expect(heads).not.toContain('Tracker');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.includes('Offline'))).toEqual([]);
    await waitForToast(page, 'in the file');
  });

  test('a phone gets cards with links to the machines instead of a table', async () => {
    const phone = await testBrowser.visit('admin', { width: 'phone' });
    await phone.open('/machines');
    await expect
      .poll(() => phone.page.locator('main li a[href^="#/machines/"], main li a[href^="/machines/"]').count())
      .toBeGreaterThanOrEqual(10);
    expect(await phone.page.locator('main table').count()).toBe(0);
  });
});

/** The count of a tile, or of one without a tile because it is zero, once it is loaded. */
async function readCount(tile: Locator): Promise<string> {
  const count = tile.locator('.sl-figure-value, b');
  await expect.poll(() => count.textContent()).toMatch(/\d/);
  return (await count.textContent()) ?? '';
}

describe('other lists', () => {
  test.each([
    'clients',
    'users',
    'admin/fleets',
    'admin/fleets/trackers',
    'admin/fleets/machines',
    'admin/authorization',
    'admin/authorization/permissions',
    'users/invitations',
  ])('/%s shows its rows and their total', async (path) => {
    await visitor.navigate(`/${path}`);
    await expect.poll(() => rows(visitor.page).count()).toBeGreaterThan(0);
    await visitor.page
      .getByText(/results? found/)
      .first()
      .waitFor();
  });

  test('clicking an administration tab clears the stored list filter', async () => {
    await visitor.open('/admin/users');
    const { page } = visitor;
    const search = page.getByLabel('Search', { exact: true });
    await search.fill('nobody is called this');
    await expect.poll(() => rows(page).count()).toBe(0);
    await leavePage(page, () => page.getByRole('link', { name: 'Fleets', exact: true }).first().click());
    await leavePage(page, () => page.getByRole('link', { name: 'Accounts', exact: true }).click());
    await expect.poll(() => rows(page).count()).toBe(10);
    expect(await search.inputValue()).toBe('');
  });

  test('the dashboard counts users, new users, inactive users, companies and new companies, each with a link to a list with that total', async () => {
    const { page, navigate } = visitor;
    for (const name of [
      'Total users',
      'New users',
      'Inactive users',
      'Total companies',
      'New companies',
      'Service due',
    ]) {
      await navigate('/');
      const tile = page.getByRole('link').filter({ hasText: name });
      const figure = await readCount(tile);
      await tile.click();
      await page.getByText(new RegExp(`^${figure} results? found$`)).waitFor();
    }
  });

  test('the dashboard counts missed cleanings, and links to a calendar that shows these locations with their days', async () => {
    const { page, open, path } = visitor;
    await open('/');
    const tile = page.getByRole('link').filter({ hasText: 'Missed cleaning' });
    const missedCount = Number((await readCount(tile)).replaceAll(',', ''));
    await tile.click();
    await expect.poll(path).toMatch(/^\/locations\/calendar/);
    const sites = page.getByRole('region', { name: 'Cleaning calendar' }).getByRole('row');
    await page
      .getByText(missedCount === 0 ? 'No location matches.' : 'Cleaned', { exact: true })
      .first()
      .waitFor();
    await expect.poll(() => sites.count()).toBe(missedCount === 0 ? 0 : Math.min(missedCount, 25) + 1);
    await page.getByRole('combobox').first().selectOption({ label: 'All locations' });
    await expect.poll(() => sites.count()).toBe(26);
    expect(await page.getByText(/ · (Cleaned|Partly cleaned) · /).count()).toBeGreaterThan(0);
  });

  test('the dashboard finds machines by serial number', async () => {
    const { page, open, api, path } = visitor;
    const { data } = await api<{ data: { id: number; serial_number: string }[] }>(
      'GET',
      'machines?per_page=1&sort=-id',
    );
    await open('/');
    await page.getByLabel('Search by serial number, machine id or type').fill(data[0]?.serial_number ?? '');
    await page.getByRole('option', { name: data[0]?.serial_number }).first().click();
    await expect.poll(path).toBe(`/machines/${data[0]?.id}`);
    await page.getByRole('heading', { level: 1, name: data[0]?.serial_number }).waitFor();
  });
});
