/** Start screens of particular roles: the locations of a Site Manager, the installation of an Admin. */
import { expect, test } from 'vitest';
import { roleNames } from '../../schema/dsl/entity';
import { findAxeProblems } from '../support/browser';
import { loadTranslator } from '../support/loadTranslator';
import { setUpTestBrowser, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

test.each(
  roleNames,
)('the start screen of %s has sites for Site Managers only, and the installation for Admins only', async (role) => {
  const translate = await loadTranslator('de');
  const { page, open, consoleErrors } = await testBrowser.visit(role, { lang: 'de' });
  await open('/');
  await page.getByRole('region', { name: translate('inbox.title') }).waitFor();
  await waitUntilSettled(page);
  const count = (name: string) => page.getByRole('region', { name: translate(name) }).count();
  await expect
    .poll(async () => [await count('own_sites.title'), await count('installation.title')])
    .toEqual([role === 'site_manager' ? 1 : 0, role === 'admin' ? 1 : 0]);
  expect(consoleErrors).toEqual([]);
});

test.each([
  'desktop',
  'phone',
] as const)('the sites of a Site Manager today, with their calendar (%s)', async (width) => {
  const translate = await loadTranslator('en');
  const { page, open, api, path } = await testBrowser.visit('site_manager', { width });
  const { data: sites } = await api<{ data: { name: string }[] }>('GET', 'locations?per_page=12');
  expect(sites.length).toBeGreaterThan(0);
  await open('/');
  const ownSites = page.getByRole('region', { name: translate('own_sites.title') });
  await expect
    .poll(async () => (await ownSites.locator('li > a').allTextContents()).sort())
    .toEqual(sites.map(({ name }) => name).sort());
  // Three days before today and three after it, plus two other columns.
  expect(await ownSites.locator('thead th').count()).toBe(9);
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await ownSites.getByRole('link', { name: translate('calendar.title') }).click();
  await expect.poll(path).toBe('/locations/calendar');
});

test('the figures of the installation link to the rows that they count', async () => {
  const translate = await loadTranslator('en');
  const { page, open, api } = await testBrowser.visit('admin');
  await open('/');
  const health = page.getByRole('region', { name: translate('installation.title') });
  const devices = health.getByRole('link', { name: translate('installation.devices') });
  const { data } = await api<{ data: { devices: number } }>('GET', 'dashboard/installation');
  await devices.getByText(String(data.devices), { exact: true }).waitFor();
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  await devices.click();
  await page.getByText(translate('list.count', { smart_count: data.devices }), { exact: true }).waitFor();
});

test('an Operator’s phone shows what needs a person first, and both actions at the thumb', async () => {
  const translate = await loadTranslator('de');
  const { page, open } = await testBrowser.visit('operator', { width: 'phone', lang: 'de' });
  await open('/');
  const sections = page.locator('.sl-dashboard > section');
  await sections.nth(1).waitFor();
  const titles = await sections.locator('h2').allTextContents();
  expect(titles.slice(0, 2).map((title) => title.replace(/ \(\d+\)$/, ''))).toEqual([
    translate('inbox.title'),
    translate('own_machines.title'),
  ]);
  const actions = page.locator('.sl-own-machines__actions');
  const readBottom = async () =>
    Math.round((await actions.boundingBox())?.height ?? 0) + ((await actions.boundingBox())?.y ?? 0);
  expect(await readBottom()).toBe(844);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(readBottom).toBe(844);
});

test('each card of an Operator says since when the machine is in its state, or when it was last heard from', async () => {
  const translate = await loadTranslator('de');
  const { page, open } = await testBrowser.visit('operator', { lang: 'de' });
  await open('/');
  const states = page.locator('.sl-own-machine__state');
  await states.first().waitFor();
  const silent = await states.evaluateAll(
    (all, neverSeen) =>
      all
        .filter((state) => !state.querySelector('time') && !state.textContent?.includes(neverSeen))
        .map((state) => state.textContent),
    translate('machine.never_seen'),
  );
  expect(silent).toEqual([]);
});

test('an Operator can open what an inbox item is about', async () => {
  const translate = await loadTranslator('en');
  const { page, open, path } = await testBrowser.visit('operator');
  await open('/');
  const row = page.locator('.sl-inbox-row').first();
  const target = await row.locator('a.sl-inbox-title').getAttribute('href');
  await row.getByRole('link', { name: `${translate('inbox.acts.open')}: ` }).click();
  await expect.poll(path).toBe(target);
});

test('on a phone an inbox item offers its first action, the others in a menu', async () => {
  const translate = await loadTranslator('de');
  const { page, open } = await testBrowser.visit('customer_admin', { width: 'phone', lang: 'de' });
  await open('/');
  const row = page
    .locator('.sl-inbox-row')
    .filter({ hasText: translate('inbox.acts.acknowledge') })
    .first();
  await row.waitFor();
  expect(await row.locator('.sl-inbox-acts > .sl-button').allTextContents()).toEqual([
    translate('inbox.acts.acknowledge'),
  ]);
  await row.getByRole('button', { name: translate('inbox.more', { title: '' }).slice(0, 4) }).click();
  await page.getByRole('menuitem', { name: translate('inbox.acts.assign') }).waitFor();
});

test('on a phone the actions of a page with a list have an icon or words', async () => {
  const { page, open, api } = await testBrowser.visit('customer_admin', { width: 'phone' });
  const { data } = await api<{ data: { id: number }[] }>('GET', 'locations?per_page=1');
  await open(`/locations/${data[0]?.id}/machines`);
  const actions = page.locator('.sl-record > .sl-page-head .sl-page-actions > .sl-button');
  await actions.first().waitFor();
  const blankLabels = await actions.evaluateAll((elements) =>
    elements.filter((action) => getComputedStyle(action).fontSize === '0px' && action.querySelector('svg') === null),
  );
  expect(blankLabels).toEqual([]);
});
