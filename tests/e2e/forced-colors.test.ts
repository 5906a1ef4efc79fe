/** With a contrast theme of the operating system, information that only colours convey stays visible. */
import type { Locator } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

/** Opens a page with a contrast theme. */
async function openWithContrastTheme(path: string): Promise<Visitor> {
  const visitor = await testBrowser.visit('admin');
  await visitor.page.emulateMedia({ forcedColors: 'active' });
  await visitor.open(path);
  return visitor;
}

/** Number of different colours in the picture of an element. */
async function countColours(target: Locator): Promise<number> {
  const { data } = await sharp(await target.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colours = new Set<number>();
  for (let index = 0; index < data.length; index += 3) colours.add(data.readUIntBE(index, 3));
  return colours.size;
}

const outlineOf = (target: Locator) => target.evaluate((element) => getComputedStyle(element).outlineStyle);

test('states of the fleet and of a machine keep their colours and patterns', async () => {
  const { page, open, api } = await openWithContrastTheme('/');
  // Live figures may replace an element while its picture is taken.
  await expect.poll(() => countColours(page.locator('.sl-states__bar'))).toBeGreaterThan(3);
  const { data } = await api<{ data: { id: number }[] }>('GET', 'machines?filter[status]=Parked&per_page=1');
  await open(`/machines/${data[0]?.id}`);
  await expect.poll(() => countColours(page.locator('.sl-strip__bar').first())).toBeGreaterThan(3);
});

test('the current page, view, filter and row are outlined, others are not', async () => {
  const { page } = await openWithContrastTheme('/machines?filter=%7B%22status%22%3A%5B%22Parked%22%5D%7D');
  const rows = page.locator('main tbody tr[data-id]');
  await rows.nth(1).getByRole('checkbox').check();
  const navigation = page.getByRole('navigation', { name: 'Navigation' });
  const pairs: [current: Locator, other: Locator][] = [
    [navigation.getByRole('link', { name: 'Machines' }), navigation.getByRole('link', { name: 'Users' })],
    [page.locator('.sl-views [aria-pressed="true"]'), page.locator('.sl-views [aria-pressed="false"]').first()],
    [page.getByRole('button', { name: /^Parked/ }), page.getByRole('button', { name: /^Offline/ })],
    [rows.nth(1).locator('td').last(), rows.nth(2).locator('td').last()],
  ];
  for (const [current, other] of pairs)
    expect([await outlineOf(current), await outlineOf(other)]).toEqual(['double', 'none']);
  // The line of the focus is solid, also on the current page.
  await page.keyboard.press('Tab');
  const [current] = pairs[0] as (typeof pairs)[number];
  await current.focus();
  expect(await outlineOf(current)).toBe('solid');
});

test('a switch shows whether it is on', async () => {
  const { page } = await openWithContrastTheme('/machines/create');
  const toggle = page.getByRole('switch', { name: /^Dummy/ });
  /** Colours in the middle of both halves. */
  const readHalves = async () => {
    const { data, info } = await sharp(await toggle.screenshot({ animations: 'disabled' }))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const middle = Math.floor(info.height / 2) * info.width;
    return [0.27, 0.73].map((share) => data.readUIntBE(3 * (middle + Math.round(info.width * share)), 3));
  };
  const off = await readHalves();
  await toggle.check();
  const on = await readHalves();
  expect([off[0] === off[1], on[0] === on[1], off[0] === on[0]]).toEqual([false, false, false]);
});
