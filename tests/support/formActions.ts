/** Common actions of users in forms and lists: logging in, choosing, filling in, adding, searching. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { waitForToast } from './visit';
import type { Day } from './workingDay';

/** A logo: a single square. */
export const logoFile = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Chooses an option of a searchable picker by part of its name. */
export async function chooseOption(page: Page, field: string, name: string): Promise<void> {
  const picker = page.locator(`#field-${field}`);
  await picker.click();
  await picker.fill(name);
  await page.getByRole('listbox').getByRole('option', { name, exact: true }).first().click();
}

/** Chooses the first option of a picker. */
export async function chooseFirstOption(page: Page, field: string): Promise<void> {
  await page.locator(`#field-${field}`).click();
  await page.getByRole('listbox').getByRole('option').first().click();
}

/** Fills form fields. */
export async function fillFields(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`#field-${name}`).fill(value);
}

/** Logs in; the first task of every day. */
export const runLogInTask = (day: Day) =>
  day.task('log in', async () => {
    await day.open('/login');
    await day.logIn(day, day.me);
    await day.page.getByRole('heading', { level: 1, name: day.translate('dashboard.title') }).waitFor();
  });

/** Submits a create form and waits for the success message. */
export async function submitCreateForm({ page, translate }: Day, resource: string): Promise<void> {
  await page.getByRole('button', { name: translate('form.create'), exact: true }).click();
  await waitForToast(page, translate(`resources.${resource}.added`));
}

/** Creates a client with a logo, starting at the list. Deletes it at the end of the day. */
export async function createClient(day: Day, values: { name: string } & Record<string, string>): Promise<number> {
  const { page, translate, openFromMenu, path, admin, addCleanUpStep } = day;
  await openFromMenu('/clients');
  await page.getByRole('link', { name: translate('resources.clients.add') }).click();
  await fillFields(page, values);
  await chooseFirstOption(page, 'country_id');
  await page.locator('input[type=file]').setInputFiles(logoFile);
  await page.getByRole('button', { name: translate('form.create'), exact: true }).click();
  await expect.poll(path).toMatch(/^\/clients\/\d+/);
  const id = Number(/\d+/.exec(path())?.[0]);
  addCleanUpStep(() => admin.api('DELETE', `clients/${id}`));
  await page.getByRole('heading', { level: 1, name: values.name }).waitFor();
  return id;
}

/** Selects the first rows of the list. */
export async function selectRows({ page }: Day, rows: number): Promise<void> {
  const checkboxes = page.locator('main li input[type=checkbox], main tbody input[type=checkbox]');
  for (let index = 0; index < rows; index += 1) await checkboxes.nth(index).check();
}

/** Searches the list and expects `count` rows. */
export async function searchList({ page, translate }: Day, text: string, count: number): Promise<void> {
  await page.getByRole('searchbox', { name: translate('list.search') }).fill(text);
  await page
    .getByText(translate(count === 0 ? 'list.nothing_found' : 'list.count', { smart_count: count }), { exact: true })
    .waitFor();
}
