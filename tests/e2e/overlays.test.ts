/**
 * Overlays: no axe violations and no console errors while one is open. Escape closes it and returns the focus to the
 * element that opened it.
 */
import type { Locator, Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { findAxeProblems, viewports } from '../support/browser';
import { cleanUpAfterwards, setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

const clickButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();
const openMoreActions = (page: Page) => clickButton(page, 'More actions');

interface Overlay {
  path: string;
  open: (page: Page) => Promise<void>;
  role: 'dialog' | 'alertdialog' | 'menu' | 'listbox';
  /** Whether it exists on wide screens only. */
  isWide?: boolean;
}

const overlays: Record<string, Overlay> = {
  filters: { path: '/machines', role: 'dialog', open: (page) => clickButton(page, 'Filter …') },
  columns: { path: '/machines', role: 'dialog', open: (page) => clickButton(page, 'Columns') },
  'saved views': { path: '/machines', role: 'menu', open: (page) => clickButton(page, 'Views') },
  'more of a list': { path: '/machines', role: 'menu', open: openMoreActions },
  facet: { path: '/machines', role: 'dialog', open: (page) => clickButton(page, 'Machine type') },
  question: { path: '/machines/{machines}', role: 'alertdialog', open: (page) => clickButton(page, 'Delete') },
  language: { path: '/machines', role: 'menu', isWide: true, open: (page) => clickButton(page, /^Language/) },
  'more of a user': { path: '/users/{users}', role: 'dialog', open: openMoreActions },
  palette: {
    path: '/machines',
    role: 'dialog',
    open: async (page) => {
      await page.getByRole('button', { name: 'Columns', exact: true }).focus();
      await page.keyboard.press('Control+k');
    },
  },
  'row picker': {
    path: '/machines/create',
    role: 'listbox',
    open: (page) => page.getByRole('combobox', { name: /^Fleet/ }).click(),
  },
  'picker of many rows': {
    path: '/users/create',
    role: 'listbox',
    open: (page) => page.getByRole('combobox', { name: /^Fleets/ }).click(),
  },
};

describe.each([
  { width: 'desktop', dark: false },
  { width: 'phone', dark: true },
] as const)('accessibility at $width width, dark: $dark', ({ width, dark }) => {
  let admin: Visitor;
  let isPageUnchanged = false;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    admin = await testBrowser.visit('admin', { width, dark });
    for (const name of ['machines', 'users'])
      ids[name] = (await admin.api<{ data: { id: number }[] }>('GET', `${name}?per_page=1`)).data[0]?.id ?? 0;
  });

  const shownOverlays = Object.entries(overlays).filter(([, { isWide }]) => width === 'desktop' || !isWide);
  test.each(shownOverlays)('%s: Escape closes it and returns the focus', async (_, { path, open, role }) => {
    const { page } = admin;
    const address = path.replace(/\{(\w+)\}/, (_, name: string) => String(ids[name]));
    // An overlay that has closed leaves its page as it was.
    if (!isPageUnchanged || admin.path() !== address) await admin.open(address);
    isPageUnchanged = false;
    await open(page);
    const overlay = page.getByRole(role).first();
    await overlay.waitFor();
    if (role === 'listbox') await overlay.getByRole('option').first().waitFor();
    else await expect.poll(() => overlay.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.matches('button, [role=combobox]'))).toBe(true);
    expect(admin.consoleErrors.splice(0)).toEqual([]);
    isPageUnchanged = true;
  });

  test('the palette has a single tab stop', async () => {
    const { page } = admin;
    await admin.open('/machines');
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('option').nth(7).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
  });

  test('after a merge the focus returns to the previous input', async () => {
    const { page, api } = admin;
    await admin.open(`/machines/${ids.machines}/edit`);
    const note = page.getByRole('textbox', { name: 'Note', exact: true });
    await note.fill(`Mine ${Date.now()}`);
    await api('PATCH', `machines/${ids.machines}`, { note: `Theirs ${Date.now()}` });
    await page.keyboard.press('Control+s');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => note.evaluate((input) => input === document.activeElement)).toBe(true);
    // The browser logs the 412 as an error.
    admin.consoleErrors.splice(0);
  });

  test('Escape closes only the list of a picker, then the dialog around it', async () => {
    const { page } = admin;
    await admin.open('/machines');
    await clickButton(page, 'Filter …');
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    const picker = dialog.getByRole('combobox', { name: 'Condition 1: Field' });
    await expect.poll(() => picker.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option').first().waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await dialog.count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('on a phone', () => {
  const readBox = (target: Locator) =>
    target.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);

  test('long names of selected rows wrap inside the picker', async () => {
    const admin = await testBrowser.visit('admin', { width: 'phone' });
    const { page, api } = admin;
    const [client] = (await api<{ data: { id: number }[] }>('GET', 'clients?per_page=1')).data;
    const tag = Date.now();
    const names = [`${tag}${'Reinigungsflotte'.repeat(6)}`, `${tag} ${'Flughafen Terminal '.repeat(5)}`.trim()];
    for (const name of names) {
      const { data } = await api<{ data: { id: number } }>('POST', 'fleets', { name, client_id: client?.id });
      cleanUpAfterwards(() => api('DELETE', `fleets/${data.id}`));
    }
    await admin.open('/users/create');
    const picker = page.getByRole('combobox', { name: /^Fleets/ });
    for (const name of names) {
      await picker.fill(name);
      const option = page.getByRole('option', { name });
      await option.waitFor();
      const { left, right } = await readBox(option);
      expect([left >= 0, right <= viewports.phone.width]).toEqual([true, true]);
      await option.click();
    }
    await page.keyboard.press('Escape');
    const pickerBox = await readBox(page.locator('.sl-picker-box', { has: page.locator('.sl-tag') }));
    for (const name of names) {
      const remove = page.getByRole('button', { name: `Remove ${name}` });
      const [chip, button] = [await readBox(page.locator('.sl-tag', { has: remove })), await readBox(remove)];
      expect([chip.left >= pickerBox.left, chip.right <= pickerBox.right, button.right <= chip.right]).toEqual([
        true,
        true,
        true,
      ]);
      // A button that long names squeeze cannot be clicked.
      expect([button.width, button.height]).toEqual([18, 18]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewports.phone.width);
    expect(await findAxeProblems(page)).toEqual([]);
  });

  test('a toast above an open dialog is visible, announced and closed by keyboard', async () => {
    const admin = await testBrowser.visit('admin', { width: 'phone' });
    const { page } = admin;
    await admin.open('/machines');
    await clickButton(page, 'Views');
    await page.getByRole('menuitem', { name: /^Save this view/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill('Unreachable');
    await page.route(/\/saved_views$/, (route) => route.abort());
    await dialog.getByRole('button', { name: 'Create' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'cannot be reached' });
    await toast.waitFor();
    // It slides in.
    const isInside = ({ left, right, top, bottom }: Awaited<ReturnType<typeof readBox>>) =>
      left >= 0 && right <= viewports.phone.width && top >= 0 && bottom <= viewports.phone.height;
    await expect.poll(async () => isInside(await readBox(toast))).toBe(true);
    const { left, right, top, bottom } = await readBox(toast);
    const isUncovered = (element: Element, [x, y]: [number, number]) =>
      element.contains(document.elementFromPoint(x, y));
    expect(await toast.evaluate(isUncovered, [(left + right) / 2, (top + bottom) / 2] as [number, number])).toBe(true);
    expect(await findAxeProblems(page)).toEqual([]);
    const close = toast.getByRole('button');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return close.evaluate((button) => button === document.activeElement);
      })
      .toBe(true);
    await page.keyboard.press('Enter');
    await toast.waitFor({ state: 'detached' });
    expect(await dialog.count()).toBe(1);
  });
});

test('labels on a map keep their text while they fade out', async () => {
  const admin = await testBrowser.visit('admin');
  const { page } = admin;
  const { data } = await admin.api<{ data: { id: number; latitude: number | null; location_id: number | null }[] }>(
    'GET',
    'machines?per_page=100&sort=id',
  );
  const machine = data.find(({ latitude, location_id }) => latitude !== null && location_id !== null);
  await admin.open(`/machines/${machine?.id}/location`);
  const labels = page.locator('.sl-map__site');
  await labels.first().waitFor();
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const emptyLabel = [...document.querySelectorAll('.leaflet-tooltip')].find(
        ({ textContent }) => textContent === '',
      );
      if (!emptyLabel) return;
      document.body.setAttribute('data-nameless', emptyLabel.className);
      observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  // Below some zoom level labels do not fit and fade out, on every map of the page.
  await expect
    .poll(async () => {
      for (const zoomOut of await page.getByRole('button', { name: 'Zoom out' }).all())
        await zoomOut.dispatchEvent('click');
      return labels.count();
    })
    .toBe(0);
  expect(await page.locator('body').getAttribute('data-nameless')).toBeNull();
});
