/** What people do with forms and lists on every day: coming in, choosing, filling in, adding, finding. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Day } from './day';

/** A picture of one square, as a logo. */
export const logo = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Chooses in the searchable picker of a field by a part of the name. */
export async function choose(page: Page, field: string, name: string): Promise<void> {
  const picker = page.locator(`#ask-${field}`);
  await picker.click();
  await picker.fill(name);
  await page.getByRole('listbox').getByRole('option', { name, exact: true }).first().click();
}

/** Chooses whatever a picker offers first. */
export async function chooseFirst(page: Page, field: string): Promise<void> {
  await page.locator(`#ask-${field}`).click();
  await page.getByRole('listbox').getByRole('option').first().click();
}

/** Types into the fields of a form. */
export async function fillIn(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`#ask-${name}`).fill(value);
}

/** How every day begins. */
export const comeIn = (day: Day) =>
  day.job('log in', async () => {
    await day.open('/login');
    await day.logIn(day, day.me);
    await day.page.getByRole('heading', { level: 1, name: day.says('dashboard.title') }).waitFor();
  });

/** Sends the form of a new row off, and waits until it is told to be there. */
export async function add({ page, says }: Day, resource: string): Promise<void> {
  await page.getByRole('button', { name: says('form.create'), exact: true }).click();
  await page
    .getByRole('status')
    .filter({ hasText: says(`resources.${resource}.added`) })
    .first()
    .waitFor();
}

/** A new client with its logo, from the list on; it goes when the day is over. */
export async function newClient(day: Day, values: { name: string } & Record<string, string>): Promise<number> {
  const { page, says, menu, path, admin, afterwards } = day;
  await menu('/clients');
  await page.getByRole('link', { name: says('resources.clients.add') }).click();
  await fillIn(page, values);
  await chooseFirst(page, 'country_id');
  await page.locator('input[type=file]').setInputFiles(logo);
  await page.getByRole('button', { name: says('form.create'), exact: true }).click();
  await expect.poll(path).toMatch(/^\/clients\/\d+/);
  const id = Number(/\d+/.exec(path())?.[0]);
  afterwards(() => admin.api('DELETE', `clients/${id}`));
  await page.getByRole('heading', { level: 1, name: values.name }).waitFor();
  return id;
}

/** Ticks the first rows of the list. */
export async function tick({ page }: Day, rows: number): Promise<void> {
  const ticks = page.locator('main li input[type=checkbox], main tbody input[type=checkbox]');
  for (let nth = 0; nth < rows; nth += 1) await ticks.nth(nth).check();
}

/** What the list shows when this is searched for; `found` is how many. */
export async function find({ page, says }: Day, text: string, found: number): Promise<void> {
  await page.getByRole('searchbox', { name: says('list.search') }).fill(text);
  await page
    .getByText(says(found === 0 ? 'list.nothing_found' : 'list.count', { smart_count: found }), { exact: true })
    .waitFor();
}
