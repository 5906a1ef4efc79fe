/** The service of a machine, as operators and users with cost permission see it. */
import { expect, test } from 'vitest';
import { formatDayOf } from '../../src/i18n/format';
import { cleanUpAfterwards, leavePage, responseTo, setUpTestBrowser } from '../support/visit';

const testBrowser = setUpTestBrowser();

interface Machine {
  id: number;
  serial_number: string;
}

test('an operator records a repair with a photo on a phone, and users with cost permission see the costs', async () => {
  const { page, open, api, consoleErrors } = await testBrowser.visit('operator', { width: 'phone' });
  const { data: machines } = await api<{ data: Machine[] }>('GET', 'machines?per_page=1&sort=id');
  const { id } = machines[0] as Machine;
  await open(`/machines/${id}/service`);
  await page.getByRole('button', { name: 'Add service entry' }).click();
  await page.getByText('Repair', { exact: true }).click();
  const note = `Nozzle replaced ${Date.now()}`;
  await page.getByLabel('Note').fill(note);
  expect(await page.getByLabel('Cost').count()).toBe(0);
  const photo = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page.locator('input[type=file]').setInputFiles({ name: 'nozzle.png', mimeType: 'image/png', buffer: photo });
  const buttons = await page.getByRole('button', { name: /^(Save|Cancel)$/ }).all();
  expect(buttons).toHaveLength(2);
  for (const button of buttons) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(56);
  await page.getByRole('button', { name: 'Save' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: note });
  await entry.getByRole('button', { name: 'nozzle.png' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(consoleErrors).toEqual([]);

  const payer = await testBrowser.visit('admin');
  await payer.open(`/machines/${id}/service`);
  const costs = payer.page.locator('section').filter({ has: payer.page.getByRole('heading', { name: 'Costs' }) });
  const costsBefore = await costs.locator('dd').allInnerTexts();
  const { data: entries } = await payer.api<{ data: { id: number; note: string }[] }>(
    'GET',
    `service_entries?filter[machine_id]=${id}&sort=-id&per_page=1`,
  );
  expect(entries[0]?.note).toBe(note);
  // Another user adds the bill; the open page updates by itself.
  const costsResponse = responseTo(payer.page, /\/costs\?/);
  await payer.api('PATCH', `service_entries/${entries[0]?.id}`, { cost: '123.45' });
  await costsResponse;
  await payer.page.getByRole('listitem').filter({ hasText: note }).getByText('€123.45').waitFor();
  await expect.poll(() => costs.locator('dd').allInnerTexts()).not.toEqual(costsBefore);

  // The bill replaces the photo.
  await payer.open(`/service_entries/${entries[0]?.id}`);
  await payer.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bill.txt', mimeType: 'text/plain', buffer: photo });
  await payer.page.getByText('Photo or file must be docx, doc, pdf, jpg or png.').waitFor();
  await payer.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bill.png', mimeType: 'image/png', buffer: photo });
  await payer.page.getByRole('button', { name: 'bill.png' }).waitFor();
  await payer.api('DELETE', `service_entries/${entries[0]?.id}`);
});

test('a new entry has the present day at the site, wherever it is made', async () => {
  // The two are 25 hours apart, so at any hour one of them has another day than the sites of the demo.
  const timeZone = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'].find(
    (zone) => formatDayOf(Date.now(), zone) !== formatDayOf(Date.now(), 'Europe/Berlin'),
  ) as string;
  const { page, open, api } = await testBrowser.visit('admin', { timeZone });
  const query = 'machines?filter[stock_state]=deployed&include=location&per_page=1';
  const [machine] = (await api<{ data: (Machine & { location: { time_zone: string } })[] }>('GET', query)).data;
  await open(`/machines/${machine?.id}/service`);
  await page.getByRole('button', { name: 'Add service entry' }).click();
  const form = page.getByRole('form', { name: 'Add service entry' });
  const siteDay = formatDayOf(Date.now(), machine?.location.time_zone);
  expect(siteDay).not.toBe(formatDayOf(Date.now(), timeZone));
  expect(await form.getByLabel(/^Date/).first().inputValue()).toBe(siteDay);
});

test('a plan of a machine shows when its next service is due, and the list marks overdue machines', async () => {
  const { page, open, api, path } = await testBrowser.visit('admin');
  const { data: fleets } = await api<{ data: { id: number }[] }>('GET', 'fleets?per_page=1');
  const serial_number = `LATE-${Date.now()}`;
  const { data: machine } = await api<{ data: Machine }>('POST', 'machines', {
    serial_number,
    custom_type: 'Prototype',
    fleet_id: fleets[0]?.id,
    stock_state: 'deployed',
    purchase_date: '2024-01-31',
    price: '1000.00',
    depreciation_rate: 50,
  });
  cleanUpAfterwards(() => api('DELETE', `machines/${machine.id}`));
  await api('POST', 'service_entries', { machine_id: machine.id, date: '2024-02-01', kind: 'repair' });
  await open(`/machines/${machine.id}/service`);
  // The machine has never run, so its hours are not shown.
  expect(await page.getByRole('listitem').filter({ hasText: 'Repair' }).innerText()).not.toContain('0:00 h');
  await page.getByText('No service is planned.').waitFor();
  await page.getByRole('link', { name: 'Add service plan' }).click();
  await page.locator('#field-name').fill('First inspection');
  await page.locator('#field-every_months').fill('1');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('overdue since 29.02.2024: every month, counted from 31.01.2024').waitFor();
  expect(path()).toBe(`/machines/${machine.id}/service`);

  await open('/');
  await leavePage(page, () => page.getByRole('link', { name: /^Service due/ }).click());
  await page.getByRole('searchbox').first().fill(serial_number);
  await page.getByText('1 result found').waitFor();
  const overdueRow = page.getByRole('row').filter({ hasText: serial_number });
  expect(await overdueRow.innerText()).toMatch(/29\.02\.2024\s+Overdue/);

  await open(`/machines/${machine.id}`);
  await page.getByText('Overdue').first().waitFor();
  await page.getByLabel('Book value on').fill('31.01.2025');
  await page.getByText('€500.00').waitFor();
});

test('a calendar URL is shown once, serves the calendar, and is revoked', async () => {
  const { page, open } = await testBrowser.visit('site_manager');
  await open('/account');
  await page.getByRole('button', { name: 'Create calendar address' }).click();
  const address = await page.getByRole('dialog').locator('output').innerText();
  const calendar = await page.request.get(address);
  expect([calendar.status(), (await calendar.text()).startsWith('BEGIN:VCALENDAR\r\n')]).toEqual([200, true]);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Revoke address' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke address' }).click();
  await page.getByRole('button', { name: 'Create calendar address' }).waitFor();
  expect((await page.request.get(address)).status()).toBe(404);
});
