/**
 * What floats above the page: no violation that axe-core finds and no complaint of the console while it is open, Escape
 * closes it, and the focus returns to where it came from.
 */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeProblems } from '../support/browser';
import { type House, openHouse, type Visitor } from '../support/visit';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();
const more = (page: Page) => press(page, 'More actions');

interface Overlay {
  path: string;
  open: (page: Page) => Promise<void>;
  role: 'dialog' | 'alertdialog' | 'menu' | 'listbox';
  /** Phones have another way. */
  isWide?: boolean;
}

const overlays: Record<string, Overlay> = {
  filters: { path: '/machines', role: 'dialog', open: (page) => press(page, 'Filter …') },
  columns: { path: '/machines', role: 'dialog', open: (page) => press(page, 'Columns') },
  'saved views': { path: '/machines', role: 'menu', open: (page) => press(page, 'Views') },
  'more of a list': { path: '/machines', role: 'menu', open: more },
  facet: { path: '/machines', role: 'dialog', open: (page) => press(page, 'Machine type') },
  question: { path: '/machines/{machines}', role: 'alertdialog', open: (page) => press(page, 'Delete') },
  language: { path: '/machines', role: 'menu', isWide: true, open: (page) => press(page, /^Language/) },
  'more of a user': { path: '/users/{users}', role: 'dialog', open: more },
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
] as const)('10 Accessibility at $width width, dark: $dark', ({ width, dark }) => {
  let admin: Visitor;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    admin = await house.visit('admin', { width, dark });
    for (const name of ['machines', 'users'])
      ids[name] = (await admin.api<{ data: { id: number }[] }>('GET', `${name}?per_page=1`)).data[0]?.id ?? 0;
  });

  const shown = Object.entries(overlays).filter(([, { isWide }]) => width === 'desktop' || !isWide);
  test.each(shown)('%s', async (_, { path, open, role }) => {
    const { page } = admin;
    await admin.open(path.replace(/\{(\w+)\}/, (_, name: string) => String(ids[name])));
    await open(page);
    const overlay = page.getByRole(role).first();
    await overlay.waitFor();
    if (role === 'listbox') await overlay.getByRole('option').first().waitFor();
    else await expect.poll(() => overlay.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.matches('button, [role=combobox]'))).toBe(true);
    expect(admin.complaints.splice(0)).toEqual([]);
  });

  test('Escape closes the list of a picker alone, then the dialog around it', async () => {
    const { page } = admin;
    await admin.open('/machines');
    await press(page, 'Filter …');
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    const picker = dialog.getByRole('combobox', { name: 'Condition 1: Field' });
    await expect.poll(() => picker.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await dialog.count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
