/** The URL in a machine's code, opened without an account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let machine: { id: number; serial_number: string };
let client: number;

beforeAll(async () => {
  admin = await testBrowser.visit('admin');
  const { data } = await admin.api<{
    data: { id: number; serial_number: string; fleet: { client_id: number } }[];
  }>('GET', 'machines?per_page=1&sort=id&include=fleet');
  machine = data[0] as typeof machine;
  client = (data[0] as (typeof data)[number]).fleet.client_id;
});
afterAll(async () => {
  await admin.api('PATCH', `clients/${client}`, { public_reports: false });
});

test('opens the login if the client does not allow reports', async () => {
  const visitor = await testBrowser.visit();
  await visitor.open(`/machines/${machine.id}`);
  await visitor.page.waitForURL('**/login');
  expect(visitor.consoleErrors).toEqual([]);
});

test('accepts a report on a phone in German, and shows only the product', async () => {
  await admin.api('PATCH', `clients/${client}`, { public_reports: true });
  const visitor = await testBrowser.visit(undefined, { width: 'phone', lang: 'de' });
  const { page } = visitor;
  await visitor.open(`/machines/${machine.id}`);
  await page.getByRole('heading', { name: 'Problem melden' }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  expect(await page.textContent('main')).not.toContain(machine.serial_number);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  const words = `Wasser ${Date.now()}`;
  await page.getByText('Undicht').click();
  await page.getByRole('textbox', { name: 'Was stimmt nicht?' }).or(page.locator('textarea')).first().fill(words);
  await page.getByLabel('E-Mail (freiwillig)').fill('gast@example.com');
  await page.locator('button[type="submit"]').click();
  await page.getByText('Ihre Meldung ist bei den Zuständigen angekommen.').waitFor();
  const { data } = await admin.api<{ data: { report: string; reported_by: string }[] }>(
    'GET',
    'alerts?filter[metric]=reported&sort=-id&per_page=1',
  );
  expect(data[0]).toMatchObject({ report: words, reported_by: 'Public page · gast@example.com' });
});

test('opens the machine for logged-in users', async () => {
  await admin.open(`/machines/${machine.id}`);
  await admin.page.getByRole('heading', { name: machine.serial_number }).first().waitFor();
});
