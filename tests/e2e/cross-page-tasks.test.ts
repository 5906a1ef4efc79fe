/** Tasks that cross several pages. */
import { describe, expect, test } from 'vitest';
import { setUpTestBrowser, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

describe('changing the language', () => {
  test('keeps unsaved form input', async () => {
    const { page, open, api, session } = await testBrowser.visit('partner');
    await open('/locations/create');
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Halle 7');
    await page.getByRole('button', { name: 'Language: English' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Standort hinzufügen' }).waitFor();
    expect(await page.locator('#field-name').inputValue()).toBe('Halle 7');
    const { data } = await api<{ data: { id: number; two_letter_code: string }[] }>(
      'GET',
      'languages/all?per_page=100',
    );
    await api('PUT', `users/${session?.user.id}/language`, {
      language_id: data.find(({ two_letter_code }) => two_letter_code === 'en')?.id,
    });
  });
});

describe('a machine', () => {
  test('is deleted after confirmation, restored from the bin, and not requested in between', async () => {
    const { page, open, api, consoleErrors, path } = await testBrowser.visit('admin');
    const { data: fleets } = await api<{ data: { id: number }[] }>('GET', 'fleets?per_page=1');
    const { data: machine } = await api<{ data: { id: number; serial_number: string } }>('POST', 'machines', {
      serial_number: `AA-${Date.now()}`,
      custom_type: 'Prototype',
      fleet_id: fleets[0]?.id,
    });
    await open(`/machines/${machine.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor();
    await waitUntilSettled(page);
    expect(consoleErrors).toEqual([]);
    expect(await page.getByText('Not found').count()).toBe(0);

    const filter = JSON.stringify({ trashed: 'only', search: machine.serial_number });
    await open(`/machines?filter=${encodeURIComponent(filter)}`);
    const row = page.getByRole('row').filter({ hasText: machine.serial_number });
    await row.getByRole('button', { name: 'Restore' }).click();
    await row.waitFor({ state: 'detached' });
    await open(`/machines/${machine.id}`);
    expect(path()).toBe(`/machines/${machine.id}`);
    await page.getByRole('heading', { name: machine.serial_number }).waitFor();
    await api('DELETE', `machines/${machine.id}`);
  });
});
