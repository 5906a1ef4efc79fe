/** Global search, keyboard shortcuts, and navigation between records. */
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin');
});

const field = () => visitor.page.getByRole('combobox', { name: 'Search everything' });
const options = () => visitor.page.getByRole('option');

describe('global search', () => {
  test('opens with Ctrl+K on any page, finds a machine by its serial number and opens it with Enter', async () => {
    const { data } = await visitor.api<{ data: { id: number; serial_number: string }[] }>(
      'GET',
      'machines?per_page=1&sort=-serial_number',
    );
    const [machine] = data;
    await visitor.open('/account');
    await visitor.page.keyboard.press('Control+k');
    await field().fill(machine?.serial_number ?? '');
    // The machine's runs also match its serial number.
    await options().filter({ hasText: machine?.serial_number }).first().waitFor();
    await visitor.page.keyboard.press('Enter');
    await expect.poll(() => visitor.path()).toBe(`/machines/${machine?.id}`);
    await visitor.page.getByRole('heading', { level: 1, name: machine?.serial_number }).waitFor();
    expect(await field().count()).toBe(0);
  });

  test('offers recently viewed rows, and finds pages and create forms by name', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Search everything' }).click();
    await page.getByRole('group', { name: 'Recently viewed' }).waitFor();
    await field().fill('add cl');
    await expect.poll(() => options().allInnerTexts()).toEqual(['Add client']);
    await field().fill('clie');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(1);
    await field().fill('zzqqxx');
    await page.getByText('Nothing found for “zzqqxx”.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => field().count()).toBe(0);
  });

  test('does not offer viewed rows that have been deleted', async () => {
    const { page } = visitor;
    const create = (name: string) =>
      visitor.api<{ data: { id: number } }>('POST', 'types', { name, tracking: false }).then(({ data }) => data.id);
    // Unique names, since a retry uses the same database.
    const tag = Date.now();
    const names = { deleted: `Viewed and deleted ${tag}`, kept: `Viewed and kept ${tag}` };
    const [deletedId, remainingId] = [await create(names.deleted), await create(names.kept)];
    for (const id of [deletedId, remainingId]) {
      await visitor.open(`/types/${id}`);
      await page.getByRole('heading', { level: 1, name: /^Viewed and/ }).waitFor();
    }
    const openRecentlyViewed = async () => {
      await page.keyboard.press('Control+k');
      const group = page.getByRole('group', { name: 'Recently viewed' });
      await group.getByText(names.kept).waitFor();
      return group.getByText(names.deleted);
    };
    await (await openRecentlyViewed()).waitFor();
    await page.keyboard.press('Escape');
    await visitor.api('DELETE', `types/${deletedId}`);
    await (await openRecentlyViewed()).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.reload();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(names.deleted);
  });

  test('offers an operator no rows out of scope', async () => {
    const operator = await testBrowser.visit('operator');
    const { data: foreignClients } = await visitor.api<{ data: { name: string }[] }>('GET', 'clients?per_page=100');
    const { data: ownClients } = await operator.api<{ data: { name: string }[] }>('GET', 'clients?per_page=100');
    const hiddenName =
      foreignClients.find(({ name }) => !ownClients.some((client) => client.name === name))?.name ?? '';
    expect(hiddenName).not.toBe('');
    await operator.open('/account');
    await operator.page.keyboard.press('Control+k');
    await operator.page.getByRole('combobox', { name: 'Search everything' }).fill(hiddenName);
    await operator.page.getByText(`Nothing found for “${hiddenName}”.`).waitFor();
  });
});

describe('keyboard shortcuts', () => {
  test('open pages and focus the search field of a list, but never while typing', async () => {
    const { page } = visitor;
    await visitor.navigate('/account');
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await expect.poll(() => visitor.path()).toMatch(/^\/clients/);
    await page.getByRole('searchbox', { name: 'Search' }).waitFor();
    const focusedType = () => page.evaluate(() => document.activeElement?.getAttribute('type'));
    await expect
      .poll(async () => {
        if ((await focusedType()) !== 'search') await page.keyboard.press('/');
        return focusedType();
      })
      .toBe('search');
    await page.keyboard.type('n?');
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('n?');
    expect(visitor.path()).toMatch(/^\/clients(\?|$)/);
  });

  test('are listed on a sheet that can disable them', async () => {
    const { page } = visitor;
    await page.evaluate(() => sessionStorage.removeItem('sweepline.keys'));
    await visitor.open('/account');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.keyboard.press('?');
    expect([visitor.path(), await sheet.count()]).toEqual(['/account', 0]);
    await page.evaluate(() => sessionStorage.removeItem('sweepline.keys'));
  });
});

describe('navigation between records', () => {
  test('a key opens the next record of the list, even across pages, and a button the previous one', async () => {
    const { page } = visitor;
    const { data } = await visitor.api<{ data: { id: number }[] }>('GET', 'machines?per_page=11&sort=serial_number');
    const ids = data.map(({ id }) => id);
    await visitor.open('/machines');
    await page.locator('main tbody tr').nth(9).getByRole('link').first().click();
    await page.getByText(/^10 of 1,/).waitFor();
    await page.keyboard.press('j');
    await page.getByText(/^11 of 1,/).waitFor();
    expect(visitor.path()).toBe(`/machines/${ids[10]}`);
    await page.getByRole('button', { name: 'Previous record' }).click();
    await page.getByText(/^10 of 1,/).waitFor();
    expect(visitor.path()).toBe(`/machines/${ids[9]}`);
  });

  test('a duplicate copies the values of the record except its serial number', async () => {
    const { page } = visitor;
    const { data } = await visitor.api<{ data: { id: number; fleet: { name: string } }[] }>(
      'GET',
      'machines?per_page=1&include=fleet',
    );
    await visitor.navigate(`/machines/${data[0]?.id}`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await expect.poll(() => visitor.path()).toMatch(/^\/machines\/create/);
    const values = () =>
      page.locator('main input').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    await expect.poll(values).toContain(data[0]?.fleet.name);
    expect(await page.getByLabel('Serial number').inputValue()).toBe('');
  });
});
