/** Stock react-admin components on a custom page (examples/stock-page). Results are read through the API. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build, type Plugin, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { demoUrl } from '../support/demo';
import { root } from '../support/sources';
import { setUpTestBrowser, type Visitor } from '../support/visit';

interface FleetRow {
  id: number;
  name: string;
  client_id: number;
}

const outDir = mkdtempSync(join(tmpdir(), 'sweepline-stock-'));
const uniqueSuffix = Date.now().toString(36);
const testBrowser = setUpTestBrowser();
let admin: Visitor;
let page: Page;
let app: PreviewServer;
let clients: { id: number; name: string }[];

/** The product with the example's routes at its extension point. */
const withExample: Plugin = {
  name: 'stock-page',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === './customPages' && importer?.endsWith('src/app/routes.tsx')
      ? `${root}examples/stock-page/customPages.tsx`
      : undefined,
};

beforeAll(async () => {
  await build({ root, logLevel: 'warn', plugins: [withExample], build: { outDir, emptyOutDir: true, minify: false } });
  const proxy = { '/api': demoUrl(), '/storage': demoUrl() };
  app = await preview({ root, build: { outDir }, preview: { host: '127.0.0.1', port: 0, proxy } });
}, 600_000);
afterAll(async () => {
  await app.close();
  rmSync(outDir, { recursive: true, force: true });
});
beforeEach(async () => {
  admin = await testBrowser.visit('admin');
  page = admin.page;
  clients = (await admin.api<{ data: typeof clients }>('GET', 'clients?per_page=2&sort=id')).data;
});

const openStockPage = (path: string) => page.goto(new URL(path, app.resolvedUrls?.local[0]).href);
const addFleet = async (name: string) =>
  (await admin.api<{ data: FleetRow }>('POST', 'fleets', { name, client_id: clients[0]?.id })).data;
const readName = async ({ id }: FleetRow) => (await admin.api<{ data: FleetRow }>('GET', `fleets/${id}`)).data.name;
const writeCalls = () => admin.calls.filter((call) => /^(PUT|POST|DELETE) \/api\/v1\/fleets/.test(call));
const toast = (text: string) => page.getByRole('status').filter({ hasText: text });

/** Types another name into the form of a new fleet, and saves. */
async function rename(from: string, to: string): Promise<FleetRow> {
  const fleet = await addFleet(`${from} ${uniqueSuffix}`);
  await openStockPage(`/stock/fleets/${fleet.id}`);
  await page.getByLabel(/^Name/).fill(`${to} ${uniqueSuffix}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await toast('Undo').waitFor();
  return fleet;
}

test('a saved row is in the database once the toast has closed', async () => {
  const fleet = await rename('Old', 'New');
  expect([await readName(fleet), writeCalls()]).toEqual([`Old ${uniqueSuffix}`, []]);
  await expect.poll(() => toast('Undo').count()).toBe(0);
  await expect.poll(() => readName(fleet)).toBe(`New ${uniqueSuffix}`);
  expect(writeCalls()).toEqual([`PUT /api/v1/fleets/${fleet.id}`]);
  expect(admin.consoleErrors).toEqual([]);
});

test('an undone row is unchanged, also on the screen', async () => {
  const fleet = await rename('Kept', 'Regretted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => toast('Undo').count()).toBe(0);
  await openStockPage(`/stock/fleets/${fleet.id}`);
  await expect.poll(() => page.getByLabel(/^Name/).inputValue()).toBe(`Kept ${uniqueSuffix}`);
  expect([await readName(fleet), writeCalls()]).toEqual([`Kept ${uniqueSuffix}`, []]);
});

test('navigating to another page sends pending changes', async () => {
  const fleet = await rename('Before', 'Walked');
  // A toast does not close while it is hovered.
  await toast('Undo').dispatchEvent('mouseover');
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Machines' }).first().click();
  await expect.poll(() => readName(fleet)).toBe(`Walked ${uniqueSuffix}`);
});

test('closing the page sends pending changes', async () => {
  const fleet = await rename('Before', 'Closed');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => readName(fleet)).toBe(`Closed ${uniqueSuffix}`);
});

test('a created row contains the reference that was found by typing', async () => {
  const client = clients[1];
  await openStockPage('/stock/fleets/create');
  await page.getByLabel(/^Name/).fill(`Created ${uniqueSuffix}`);
  const searchResponse = page.waitForResponse((response) =>
    /\/clients\?.*filter\[search\]=/.test(decodeURIComponent(response.url())),
  );
  await page.getByRole('combobox', { name: /^Client/ }).fill(client?.name ?? '');
  await searchResponse;
  await page.getByRole('option', { name: client?.name, exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/stock\/fleets$/);
  const query = `fleets?filter[name]=${encodeURIComponent(`Created ${uniqueSuffix}`)}`;
  const { data } = await admin.api<{ data: FleetRow[] }>('GET', query);
  expect(data).toMatchObject([{ name: `Created ${uniqueSuffix}`, client_id: client?.id }]);
});

test('the list is exported as csv with the rows that were found', async () => {
  const fleet = await addFleet(`Exported ${uniqueSuffix}`);
  await openStockPage('/stock/fleets');
  await page.getByRole('textbox', { name: 'Search' }).fill(fleet.name);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const [heads, ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(heads?.split(',')).toEqual(expect.arrayContaining(['id', 'name', 'client_id']));
  expect(lines).toEqual([expect.stringContaining(fleet.name)]);
});

test('the list can be searched, has a name, and has our colours without axe violations', async () => {
  const fleet = await addFleet(`Found ${uniqueSuffix}`);
  await openStockPage('/stock/fleets');
  await page.getByRole('heading', { level: 1, name: 'Fleets' }).waitFor();
  expect(await page.title()).toBe('Fleets · Sweepline');
  await page.getByRole('textbox', { name: 'Search' }).fill(fleet.name);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.locator('tbody tr').click();
  await page.waitForURL(new RegExp(`/stock/fleets/${fleet.id}$`));
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem');
  await expect.poll(() => breadcrumbs.allTextContents()).toEqual(['Fleets', `Fleet ${fleet.name}`]);
  const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--sl-accent'));
  const [red, green, blue] = [1, 3, 5].map((offset) => Number.parseInt(accent.slice(offset, offset + 2), 16));
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByLabel(/^Name/).fill('Other');
  await expect
    .poll(() => save.evaluate((button) => getComputedStyle(button).backgroundColor))
    .toBe(`rgb(${red}, ${green}, ${blue})`);
  expect(await findAxeProblems(page)).toEqual([]);
  expect(admin.consoleErrors).toEqual([]);
});
