/** What people do with forms and lists on every day: choosing, filling in, finding. */
import type { Page } from 'playwright';
import type { Day } from './day';

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

/** What the list shows when this is searched for; `found` is how many. */
export async function find({ page, says }: Day, text: string, found: number): Promise<void> {
  await page.getByRole('searchbox', { name: says('list.search') }).fill(text);
  await page.getByText(says(found === 0 ? 'list.nothing_found' : 'list.count', { smart_count: found }), { exact: true }).waitFor();
}

/** A picture of one square, as a logo. */
export const logo = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64'),
};
