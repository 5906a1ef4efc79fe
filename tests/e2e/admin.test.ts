/** Administration pages keep their own URLs, in every section. */
import type { Page } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EntityName, registry } from '../../schema';
import { isCreatable, isReadOnly } from '../../schema/dsl/entity';
import { adminPathOf, sections } from '../../src/pages/admin/sections';
import { sendOsmAnd, setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
beforeAll(async () => {
  admin = await testBrowser.visit('admin');
});

const listedEntities = sections.flatMap(({ entities }) => entities);
const breadcrumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' });
const trailLinks = (page: Page) =>
  breadcrumbs(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
const trailPaths = async (page: Page) => (await trailLinks(page)).map(([, link]) => link);

/** Links of the page to rows outside the administration, although the administration has a page for them. */
const findExits = async (page: Page) => {
  const targets = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return targets.filter((target) => {
    const [, entity = '', id = ''] = target.split(/[/?]/);
    return listedEntities.includes(entity as EntityName) && /^(\d+|create)?$/.test(id);
  });
};

/** Opens the first row of a list through its link, and waits for its page. */
async function openFirst(listPath: string): Promise<string> {
  const { page, open, path } = admin;
  await open(listPath);
  await page.locator('main tbody th a').first().click();
  await expect.poll(path).toMatch(new RegExp(`^${listPath}/\\d+$`));
  await waitUntilSettled(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return path();
}

/** Waits until a list of the administration has replaced the page of a row, whose heading is its name. */
async function expectList(listPath: string): Promise<void> {
  await expect.poll(admin.path).toBe(listPath);
  await admin.page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
  await waitUntilSettled(admin.page);
}

// The demo lacks such rows.
beforeAll(async () => {
  const { data } = await admin.api<{ data: { id: number }[] }>('GET', 'clients?per_page=1');
  const values = { name: `Cloud ${Date.now()}`, preset: 'gausium', client_id: data[0]?.id };
  await admin.api('POST', 'integrations', values);
});

describe.each(listedEntities)('administration of %s', (name) => {
  const entity = registry[name];
  const list = adminPathOf(name);

  test('opens, edits and saves a row within /admin', async () => {
    const { page, path } = admin;
    const row = await openFirst(list);
    await expect.poll(async () => (await trailLinks(page)).at(-1)?.[1]).toBe(list);
    const links = await trailLinks(page);
    expect(links[0]).toEqual(['Administration', '/admin']);
    expect(await findExits(page)).toEqual([]);

    const tabs = page.locator('main .sl-record nav').first().getByRole('link');
    for (let index = 1; index < (await tabs.count()); index += 1) {
      const target = await tabs.nth(index).getAttribute('href');
      expect(target).toMatch(new RegExp(`^${row}/`));
      await tabs.nth(index).click();
      await expect.poll(path).toBe(target);
      await expect.poll(async () => (await trailPaths(page)).slice(-2)).toEqual([list, row]);
    }
    const editLink = page.getByRole('link', { name: 'Edit', exact: true });
    if (isReadOnly(entity) || name === 'clients') {
      expect(await editLink.count()).toBe(0);
      return;
    }
    await editLink.click();
    await expect.poll(path).toBe(`${row}/edit`);
    await waitUntilSettled(page);
    await expect.poll(() => trailPaths(page)).toEqual(expect.arrayContaining(['/admin', list, row]));
    await page.getByRole('link', { name: 'Cancel', exact: true }).click();
    await expect.poll(path).toBe(row);
    // The shortcut exists only on the page that shows this link.
    await editLink.waitFor();
    await waitUntilSettled(page);
    await page.keyboard.press('e');
    await expect.poll(path).toBe(`${row}/edit`);
    await waitUntilSettled(page);
    await page.locator('main form').evaluate((form: HTMLFormElement) => form.requestSubmit());
    await expect.poll(path).toBe(row);
    await breadcrumbs(page)
      .getByRole('link')
      .nth(links.length - 1)
      .click();
    await expectList(list);
  });

  if (!isCreatable(entity)) return;
  test('adds a row within /admin', async () => {
    const { page, open, path } = admin;
    if (path() !== list) await open(list);
    await page
      .getByRole('link', { name: /^(Add|New|Invite)/ })
      .first()
      .waitFor();
    await page.keyboard.press('n');
    await expect.poll(path).toBe(adminPathOf(name, 'create'));
    await waitUntilSettled(page);
    await expect.poll(async () => (await trailLinks(page))[0]).toEqual(['Administration', '/admin']);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expectList(list);
  });
});

test('/admin/companies/{id} edits, saves and discards the company next to its tabs', async () => {
  const { page } = admin;
  const row = await openFirst('/admin/companies');
  const contact = page.getByRole('textbox', { name: 'Contact', exact: true });
  const valueBefore = await contact.inputValue();
  await contact.fill('Inga Inside');
  await page.getByRole('button', { name: 'Discard changes', exact: true }).click();
  await expect.poll(() => contact.inputValue()).toBe(valueBefore);
  await contact.fill(`Inga Inside ${Date.now()}`);
  const newContact = await contact.inputValue();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await admin.api<{ data: object }>('GET', row.replace('/admin/companies', 'clients'))).data)
    .toMatchObject({ contact_name: newContact });
  await expect.poll(() => contact.inputValue()).toBe(newContact);
  expect(admin.path()).toBe(row);
});

test('adding, copying and deleting return to /admin', async () => {
  const { page, open, path } = admin;
  const name = `Inside ${Date.now()}`;
  await open(adminPathOf('types', 'create'));
  await page.locator('main form input[type=text]').first().fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect.poll(path).toMatch(/^\/admin\/fleets\/types\/\d+$/);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await expect.poll(path).toBe('/admin/fleets/types/create');
  await page.goBack();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expectList('/admin/fleets/types');
});

test('next and previous, keyboard, counts and relations stay within /admin', async () => {
  const { page, open, path } = admin;
  await open('/admin/fleets/machines');
  const first = page.locator('main tbody tr').first();
  await first.focus();
  await page.keyboard.press('x');
  await expect.poll(() => first.getByRole('checkbox').isChecked()).toBe(true);
  await first.focus();
  await page.keyboard.press('Enter');
  await expect.poll(path).toMatch(/^\/admin\/fleets\/machines\/\d+$/);
  await waitUntilSettled(page);
  const machine = path();
  await page.getByRole('button', { name: /^Next/ }).click();
  await expect.poll(path).not.toBe(machine);
  expect(path()).toMatch(/^\/admin\/fleets\/machines\/\d+$/);

  await openFirst('/admin/companies');
  const machineCount = page.locator('main a[href*="/admin/fleets/machines?filter="]').first();
  const count = await machineCount.textContent();
  await machineCount.click();
  await expect.poll(path).toMatch(/^\/admin\/fleets\/machines\?filter=/);
  await page.getByText(new RegExp(`^${count} results? found$`)).waitFor();
});

test('some lists use their entity’s own page: the inbox of unknown devices and the map', async () => {
  const { page, open, path } = admin;
  const device = `inside-${Date.now()}`;
  expect(await sendOsmAnd({ id: device, lat: 52.5, lon: 13.4 })).toBe(400);
  await open('/admin/fleets/trackers');
  await page.getByRole('button', { name: /^Inbox/ }).click();
  await expect.poll(path).toBe('/admin/fleets/trackers?view=inbox');
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Administration']);
  const waitingTracker = page.getByRole('link', { name: device, exact: true });
  await waitingTracker.waitFor();
  expect(await findExits(page)).toEqual([]);
  await waitingTracker.click();
  await expect.poll(path).toMatch(/^\/admin\/fleets\/trackers\/\d+$/);

  await open('/admin/fleets/machines?view=map');
  await page.locator('.sl-mapview__list').getByRole('button').first().click();
  const link = await page.locator('.sl-peek').getByRole('link').first().getAttribute('href');
  expect(link).toMatch(/^\/admin\/fleets\/machines\/\d+$/);
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Administration']);
});

test('a missing row links back to its list', async () => {
  const { page, open } = admin;
  await open('/admin/fleets/trackers/99999999');
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  expect((await trailLinks(page)).map(([, link]) => link)).toEqual([
    '/admin',
    '/admin/fleets',
    '/admin/fleets/trackers',
  ]);
  await page.locator('main').getByRole('link').click();
  await expectList('/admin/fleets/trackers');
});
