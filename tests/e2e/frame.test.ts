/** The frame around every page: sidebar, header, mobile menu, login. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import germanApi from '../../locales/de/api.json';
import germanEntities from '../../locales/de/entities.json';
import german from '../../locales/de/ui.json';
import english from '../../locales/en/ui.json';
import polish from '../../locales/pl/ui.json';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { namedRoles } from '../../schema/shared/roles';
import { credentialsOf, setUpTestBrowser, waitForToast, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Navigation' });
const targets = (page: Page) =>
  navigation(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
const readStored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('sweepline') ?? '{}') as Record<string, unknown>);
const readWidth = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().width);

const menus: Record<RoleName, string[]> = {
  admin: ['/', '/machines', '/clients', '/account', '/users', '/admin/users'],
  country_manager: ['/', '/machines', '/clients', '/users', '/account'],
  partner: ['/', '/machines', '/clients', '/users', '/account'],
  customer_admin: ['/', '/machines', '/clients', '/users', '/account'],
  site_manager: ['/', '/machines', '/clients', '/account'],
  operator: ['/', '/machines', '/account'],
};

describe('sidebar', () => {
  test.each(roleNames)('shows the menu of %s with icons of 32 by 32, and the user below it', async (role) => {
    const { page, open, session } = await testBrowser.visit(role);
    await open('/machines');
    expect(await targets(page)).toEqual(menus[role]);
    const icon = await navigation(page).locator('svg').first().boundingBox();
    expect([icon?.width, icon?.height]).toEqual([32, 32]);
    const card = await page.locator('aside').textContent();
    expect(card).toContain(`${session?.user.first_name} ${session?.user.last_name}`);
    expect(card).toContain(namedRoles[role].name);
    expect(await navigation(page).locator('[aria-current=page]').getAttribute('href')).toBe('/machines');
  });

  test('is 300 px wide, or when collapsed 80 px with only icons and a heading of 3 characters; the state is stored', async () => {
    const { page, open } = await testBrowser.visit('operator');
    await open('/machines');
    expect(await readWidth(page, 'aside')).toBe(300);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await expect.poll(() => readWidth(page, 'aside')).toBe(80);
    expect((await navigation(page).locator('p').textContent())?.toLowerCase()).toBe('nav');
    expect(await navigation(page).locator('li span').count()).toBe(0);
    expect(await readStored(page)).toMatchObject({ sb: false });
    await page.reload();
    await waitUntilSettled(page);
    expect(await readWidth(page, 'aside')).toBe(80);
  });

  test('loads the texts of one language, without those of the server', async () => {
    // A window with an empty cache: responses from a cache have no body.
    const { page, open } = await testBrowser.visit('operator', { lang: 'de', isOwnWindow: true });
    const scripts: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.text());
    });
    await open('/machines');
    const code = (await Promise.all(scripts)).join('\n');
    const pageTexts = ({ dashboard, reporting, list }: typeof german) => [
      dashboard.error,
      reporting.empty_text,
      list.retry,
    ];
    expect(
      [...pageTexts(german), germanEntities.reports.about.costs].filter((text) => !code.includes(text)),
      'texts that were not loaded',
    ).toEqual([]);
    expect(
      [...pageTexts(english), ...pageTexts(polish), germanApi.api.limit_words].filter((text) => code.includes(text)),
      'texts that were loaded unnecessarily',
    ).toEqual([]);
  });

  test('choosing an item clears the filters of lists', async () => {
    const { page, open, path, api } = await testBrowser.visit('admin');
    const { total } = await api<{ total: number }>('GET', 'machines?per_page=1');
    await open('/machines?filter=%7B%22status%22%3A%5B%22Cleaning%22%5D%7D');
    await navigation(page).getByRole('link', { name: 'Machines' }).click();
    await expect.poll(path).toBe('/machines');
    await expect.poll(() => page.getByText(`${total.toLocaleString('en-GB')} results found`).count()).toBe(1);
  });

  test('logging out asks for confirmation, ends the session everywhere and redirects to /login', async () => {
    const { page, open, path, api } = await testBrowser.visit('operator');
    await open('/machines');
    const logout = page.locator('header').getByRole('button', { name: 'Log out' });
    await logout.click();
    const dialog = page.getByRole('alertdialog', { name: 'Log out?' });
    await dialog.getByText('You need to log in again to go on working.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(path()).toBe('/machines');
    await logout.click();
    await dialog.getByRole('button', { name: 'Log out' }).click();
    await expect.poll(path).toBe('/login');
    expect(await readStored(page)).toEqual({ sb: true, lang: 'en', t: '', ut: '' });
    await expect(api('GET', 'machines')).rejects.toThrow('401');
    await page.getByRole('button', { name: 'Partner' }).click();
    await expect.poll(path).toBe('/');
  });
});

describe('shared parts of pages', () => {
  test('the header has breadcrumbs with links, language, logout icon and a colour bar on top; the page is at least 700 px high', async () => {
    const { page, open, path } = await testBrowser.visit('admin');
    await page.setViewportSize({ width: 1280, height: 500 });
    await open('/machines/create');
    const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    expect(await breadcrumbs.getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    for (const name of ['Language: English', 'Log out'])
      expect(await page.locator('header').getByRole('button', { name }).count(), name).toBe(1);
    expect(await readWidth(page, '.sl-bar')).toBe(1280);
    expect(
      await page.locator('.sl-frame').evaluate((frame) => frame.getBoundingClientRect().height),
    ).toBeGreaterThanOrEqual(700);
    await breadcrumbs.getByRole('link', { name: 'Machines' }).click();
    await expect.poll(path).toBe('/machines');
  });

  test('the language picker lists six languages and marks the current one; choosing one switches interface, user and stored tokens, with a toast', async () => {
    const { page, open } = await testBrowser.visit('partner');
    await open('/machines');
    const storedBefore = await readStored(page);
    await page.getByRole('button', { name: 'Language: English' }).click();
    const list = page.getByRole('menu', { name: 'Language' });
    await list.waitFor();
    expect(await list.getByRole('menuitemradio').allInnerTexts()).toEqual([
      'English',
      'Deutsch',
      'Svenska',
      'Polski',
      'Français',
      'Italiano',
    ]);
    expect(await list.getByRole('menuitemradio', { checked: true }).textContent()).toBe('English');
    await list.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Maschinen' }).waitFor();
    await waitForToast(page, 'Sprache');
    const stateAfter = await readStored(page);
    expect(stateAfter.lang).toBe('de');
    expect(stateAfter.ut).not.toBe(storedBefore.ut);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('button', { name: /^Sprache/ }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Machines' }).waitFor();
  });

  test('choosing a language on the login page needs no call', async () => {
    const { page, open, calls } = await testBrowser.visit();
    await open('/login');
    const callCount = calls.length;
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('menuitemradio', { name: 'Polski' }).click();
    await expect.poll(async () => (await readStored(page)).lang).toBe('pl');
    expect(calls.slice(callCount).filter((call) => /language/.test(call))).toEqual([]);
  });

  test('dark mode follows the system', async () => {
    const { page, open } = await testBrowser.visit('operator', { dark: true });
    await open('/');
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe('rgb(14, 20, 24)');
  });
});

describe('on a phone', () => {
  test('the header has logo and menu button; the menu covers the screen, locks scrolling, lists navigation and languages, and closes on a choice', async () => {
    const { page, open, path } = await testBrowser.visit('customer_admin', { width: 'phone' });
    await open('/machines');
    expect(await page.locator('aside').count()).toBe(0);
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.waitFor();
    const box = await menu.boundingBox();
    expect([box?.width, box?.height]).toEqual([390, 844]);
    expect(await page.evaluate(() => document.body.style.overflow)).toBe('hidden');
    expect(await targets(page)).toEqual(menus.customer_admin);
    expect(await menu.getByRole('list', { name: 'Language' }).getByRole('button').count()).toBe(6);
    await menu.getByRole('link', { name: 'Clients' }).click();
    await expect.poll(path).toBe('/clients');
    await expect.poll(() => menu.count()).toBe(0);
    expect(await page.evaluate(() => document.body.style.overflow)).toBe('');
  });

  test('nothing is wider than a phone, or than a window of 1280 pixels at 400 %', async () => {
    const { page, navigate } = await testBrowser.visit('admin', { width: 'phone', lang: 'de' });
    for (const path of ['/', '/machines', '/clients', '/users', '/account', '/admin', '/machines/create']) {
      await navigate(path);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
    }
  });

  test('the layout applies below 768 px at load, and up to 768 px after 250 ms without a further resize', async () => {
    const { page, open } = await testBrowser.visit('operator');
    await page.setViewportSize({ width: 768, height: 900 });
    await open('/machines');
    expect(await page.locator('aside').count()).toBe(1);
    await page.setViewportSize({ width: 900, height: 900 });
    await page.waitForTimeout(400);
    expect(await page.locator('aside').count()).toBe(1);
    await page.setViewportSize({ width: 768, height: 900 });
    await page.getByRole('button', { name: 'Open menu' }).waitFor();
    expect(await page.locator('aside').count()).toBe(0);
  });
});

describe('login', () => {
  test('with a wrong password shows an error at its field, with the right one opens the dashboard with a toast', async () => {
    const { page, open, path } = await testBrowser.visit();
    await open('/login');
    const { email, password } = credentialsOf('country_manager');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel(/^Password/).fill('Wrong!Pass1');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('These credentials do not match our records.').first().waitFor();
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await expect.poll(path).toBe('/');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await waitForToast(page, 'You are logged in');
    expect(Object.keys(await readStored(page)).sort()).toEqual(['lang', 'sb', 't', 'ut']);
  });

  test('returns to the requested page', async () => {
    const { page, open, path } = await testBrowser.visit();
    await open('/clients');
    await page.getByRole('button', { name: 'Partner' }).click();
    await expect.poll(path).toBe('/clients');
  });

  test('"forgot password" reports a sent code for any address', async () => {
    const { page, open } = await testBrowser.visit();
    await open('/forgotpassword');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('We have sent a code to your email').first().waitFor();
  });
});
