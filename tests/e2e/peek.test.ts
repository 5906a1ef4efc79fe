/** A row next to its list, map or timeline: by keyboard with Space, arrow keys and Escape, on a phone with buttons. */
import { expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { addTestMachine, findFleet } from '../support/testMachine';
import { setUpTestBrowser, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

test.each([
  '/machines',
  '/clients',
  '/locations',
  // Ascending, so that new alerts come at the end.
  '/alerts?sort=opened_at&order=ASC&filter={}',
])('Space opens a row of %s next to the list, and Escape closes it', async (path) => {
  const resource = /\w+/.exec(path)?.[0];
  const { page, open, calls } = await testBrowser.visit('admin');
  await open(path);
  const rows = page.locator('main tbody tr[data-id]');
  await rows.nth(2).waitFor();
  await rows.first().focus();
  await page.keyboard.press('Space');
  const panel = page.locator('.sl-peek');
  await panel.locator('dd').first().waitFor();
  const [list, panelBox] = [await page.locator('.sl-table-area').boundingBox(), await panel.boundingBox()];
  expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(panelBox?.x ?? 0);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => rows.nth(1).getAttribute('aria-current')).toBe('true');
  // Two alerts may have the same name, so rows are identified by id.
  const second = await rows.nth(1).getAttribute('data-id');
  await expect.poll(() => panel.locator('h2 a').first().getAttribute('href')).toBe(`/${resource}/${second}`);
  expect(calls.filter((call) => call.startsWith(`GET /api/v1/${resource}/`)).length).toBeGreaterThanOrEqual(2);
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  expect(await rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
});

test('the map, its list and the record stay in sync', async () => {
  const { page, open, calls, consoleErrors, session } = await testBrowser.visit('customer_admin');
  const machines = await addParkedMachines(session?.user.id ?? 0);
  const search = machines[0]?.name.slice(0, -1);
  await open(`/machines?view=map&filter=${encodeURIComponent(JSON.stringify({ search }))}`);
  const listButtons = page.locator('.sl-mapview__list li button');
  const names = () => listButtons.locator('.sl-mapview__serial').allTextContents();
  const panel = page.locator('.sl-peek');
  const title = () => panel.locator('h2').first().textContent();
  const current = () => page.locator('.sl-mapview__list [aria-current] .sl-mapview__serial').textContent();
  await listButtons.nth(2).waitFor();
  await waitUntilSettled(page);
  await listButtons.first().focus();
  await page.keyboard.press('Enter');
  for (const { name, longitude, latitude } of machines) {
    await expect.poll(title).toBe(name);
    expect(await current()).toBe(name);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(name);
    // The map is centred on the machine.
    const distanceToMiddle = async () =>
      Math.min(...parseMapCentres(calls).map(([x, y]) => Math.hypot(x - longitude, y - latitude)));
    await expect.poll(distanceToMiddle).toBeLessThan(0.005);
    await page.keyboard.press('ArrowDown');
  }
  await waitUntilSettled(page);
  expect(await names()).toEqual(machines.map(({ name }) => name));
  expect(await findAxeProblems(page)).toEqual([]);

  // A mark can also be selected, and the arrow keys continue from there.
  await page.keyboard.press('Escape');
  await expect.poll(() => panel.count()).toBe(0);
  await open(`/machines?view=map&filter=${encodeURIComponent(JSON.stringify({ search: machines[1]?.name }))}`);
  await expect.poll(names).toEqual([machines[1]?.name]);
  await waitUntilSettled(page);
  const map = await page.locator('.leaflet-container').boundingBox();
  await page.mouse.click((map?.x ?? 0) + (map?.width ?? 0) / 2, (map?.y ?? 0) + (map?.height ?? 0) / 2);
  await panel.locator('dd').first().waitFor();
  await expect.poll(current).toBe(await title());
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(await title());
  expect(await page.locator('.leaflet-popup').count()).toBe(0);
  expect(consoleErrors).toEqual([]);
});

/** Adds three machines of the user's client in a row, some kilometres apart, which do not move. */
async function addParkedMachines(user: number) {
  const admin = await testBrowser.visit('admin');
  const { data } = await admin.api<{ data: { client_id: number } }>('GET', `users/${user}`);
  const { id: fleet_id } = await findFleet(admin, data.client_id);
  const uniquePrefix = `MAP-${Date.now()}-`;
  const places = [1, 2, 3].map((index) => ({
    name: `${uniquePrefix}${index}`,
    latitude: 52.5,
    longitude: 13 + index / 20,
  }));
  for (const { name, latitude, longitude } of places) {
    const machine = await addTestMachine(admin, { fleet_id, serial_number: name });
    await machine.send({ status: 'parked', lat: latitude, lon: longitude, batt: 80 });
  }
  return places;
}

/** Centres of the map according to the rectangles of its requests. A cached view sends none. */
function parseMapCentres(calls: readonly string[]): [longitude: number, latitude: number][] {
  const views = calls.filter((call) => call.includes('/machines/map?') && !call.includes('zoom=2&'));
  return views.map((call) => {
    const box = new URLSearchParams(call.split('?')[1]).get('bbox') ?? '';
    const [west = 0, south = 0, east = 0, north = 0] = box.split(',').map(Number);
    return [(west + east) / 2, (south + north) / 2];
  });
}

test('a row of the timeline opens next to it, and arrow keys move on', async () => {
  const { page, open, path, consoleErrors } = await testBrowser.visit('customer_admin');
  await open('/machines?view=timeline');
  const rows = page.locator('.sl-fleet__row');
  await rows.nth(2).waitFor();
  const [first, second] = await rows.allTextContents();
  const title = () => page.locator('.sl-peek h2').first().textContent();
  await rows.first().focus();
  await page.keyboard.press('Space');
  await expect.poll(title).toBe(first);
  await page.keyboard.press('ArrowDown');
  await expect.poll(title).toBe(second);
  expect(await page.locator('.sl-fleet__row[aria-current]').textContent()).toBe(second);
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.sl-peek').count()).toBe(0);
  await rows.first().click({ position: { x: 20, y: 14 } });
  await expect.poll(title).toBe(first);
  expect(path()).toBe('/machines?view=timeline');
  expect(consoleErrors).toEqual([]);
});

test('on a phone a card opens in a sheet with buttons for the next and previous one', async () => {
  const { page, open, consoleErrors } = await testBrowser.visit('customer_admin', { width: 'phone' });
  await open('/machines');
  const cards = page.locator('.sl-row-card');
  const name = (index: number) => cards.nth(index).locator('.sl-identity-link').first().textContent();
  const panel = page.locator('.sl-peek');
  expect(await cards.first().locator('.sl-row-card-action > *').count()).toBe(1);
  await cards
    .first()
    .getByRole('button', { name: /^Details/ })
    .click();
  await expect.poll(() => panel.locator('h2').first().textContent()).toBe(await name(0));
  expect(await panel.getByRole('button', { name: 'Previous record' }).getAttribute('aria-disabled')).toBe('true');
  for (const index of [1, 2]) {
    await panel.getByRole('button', { name: 'Next record' }).click();
    await expect.poll(() => panel.locator('h2').first().textContent()).toBe(await name(index));
  }
  // The card stays visible above the sheet.
  const [card, sheet] = [await cards.nth(2).boundingBox(), await panel.boundingBox()];
  expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(sheet?.y ?? 0);
  expect(sheet?.width).toBe(390);
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => panel.count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('false');
  expect(consoleErrors).toEqual([]);
});
