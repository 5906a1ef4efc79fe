/** A day of a Country Manager: a new client from its address to its machines, and nothing of other countries. */
import { expect } from 'vitest';
import {
  chooseFirstOption,
  chooseOption,
  createClient,
  fillFields,
  runLogInTask,
  searchList,
  selectRows,
  submitCreateForm,
} from '../../support/formActions';
import { leavePage, waitForToast } from '../../support/visit';
import { type Day, workingDay } from '../../support/workingDay';

interface NamedRow {
  id: number;
  name: string;
}

/** Adds a client of another country with a machine, both out of scope. */
async function addForeignClient({ admin, me }: Day) {
  const { data: user } = await admin.api<{ data: { country_ids: number[] } }>('GET', `users/${me.id}`);
  const { data: clients } = await admin.api<{ data: (NamedRow & { country_id: number })[] }>(
    'GET',
    'clients?per_page=100',
  );
  const client = clients.find(({ country_id }) => !user.country_ids.includes(country_id)) as NamedRow;
  const { data: machines } = await admin.api<{ data: { id: number; serial_number: string }[] }>(
    'GET',
    `machines?per_page=1&filter[client_id]=${client.id}`,
  );
  return { client, machine: machines[0] as { id: number; serial_number: string }, countries: user.country_ids };
}

workingDay('country_manager', ['en', 'desktop'], async (day) => {
  const { page, translate, task, openFromMenu, open, path, admin, addCleanUpStep } = day;
  const uniqueSuffix = Date.now().toString(36).toUpperCase();
  const foreignClient = await addForeignClient(day);
  const name = `Hallenbad ${uniqueSuffix}`;
  let client = 0;

  await runLogInTask(day);

  await task('list the clients of the own countries', async () => {
    await openFromMenu('/clients');
    const { data, total } = await day.api<{ data: { country_id: number }[]; total: number }>(
      'GET',
      'clients?per_page=100',
    );
    await page.getByText(translate('list.count', { smart_count: total }), { exact: true }).waitFor();
    expect(data.filter(({ country_id }) => !foreignClient.countries.includes(country_id))).toEqual([]);
    await searchList(day, foreignClient.client.name, 0);
  });

  await task('find nothing of other countries', async () => {
    await open(`/machines/${foreignClient.machine.id}`);
    await page.getByText(translate('record.not_found_text')).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: translate('palette.title') }).fill(foreignClient.machine.serial_number);
    await page.getByText(translate('palette.nothing', { text: foreignClient.machine.serial_number })).waitFor();
    await page.keyboard.press('Escape');
    const { data: alerts } = await day.api<{ data: { client_id: number }[] }>('GET', 'alerts?per_page=1000');
    expect(alerts.filter(({ client_id }) => client_id === foreignClient.client.id)).toEqual([]);
    // The browser logs the rejected request.
    expect(day.consoleErrors.splice(0).filter((error) => !error.includes('404'))).toEqual([]);
  });

  await task('add a client with its logo', async () => {
    client = await createClient(day, {
      name,
      building: '7',
      street: 'Am Stadtbad',
      city: 'Musterstadt',
      postal_code: '01067',
    });
  });

  const fleets: number[] = [];
  await task('add its fleets', async () => {
    for (const fleet of ['Becken', 'Sauna']) {
      await open(`/fleets/create?source=${encodeURIComponent(JSON.stringify({ client_id: client }))}`);
      await fillFields(page, { name: `${fleet} ${uniqueSuffix}` });
      await submitCreateForm(day, 'fleets');
      const { data } = await day.api<{ data: NamedRow[] }>('GET', `fleets?filter[name]=${fleet} ${uniqueSuffix}`);
      fleets.push(data[0]?.id as number);
      addCleanUpStep(() => admin.api('DELETE', `fleets/${data[0]?.id}`));
    }
  });

  let location = 0;
  await task('add its location', async () => {
    await open('/locations/create');
    await fillFields(page, {
      name: `Eingang ${uniqueSuffix}`,
      address: 'Am Stadtbad 7',
      city: 'Musterstadt',
      postal_code: '01067',
    });
    await chooseOption(page, 'fleet_id', `Becken ${uniqueSuffix}`);
    await submitCreateForm(day, 'locations');
    const { data } = await day.api<{ data: NamedRow[] }>('GET', `locations?filter[name]=Eingang ${uniqueSuffix}`);
    location = data[0]?.id as number;
    addCleanUpStep(() => admin.api('DELETE', `locations/${location}`));
  });

  await task('add a machine with the form', async () => {
    await openFromMenu('/machines');
    await page.getByRole('link', { name: translate('resources.machines.add') }).click();
    await fillFields(page, { serial_number: `CM-${uniqueSuffix}-1`, price: '12500,50' });
    await chooseFirstOption(page, 'type_id');
    await chooseOption(page, 'fleet_id', `Becken ${uniqueSuffix}`);
    await chooseOption(page, 'location_id', `Eingang ${uniqueSuffix}`);
    await submitCreateForm(day, 'machines');
    addCleanUpStep(() => admin.api('DELETE', 'machines', { filter: { serial_number: `CM-${uniqueSuffix}` } }));
    const { data } = await day.api<{ data: { price: string }[] }>(
      'GET',
      `machines?filter[serial_number]=CM-${uniqueSuffix}-1`,
    );
    expect(data).toMatchObject([{ price: '12500.50' }]);
  });

  await task('move the location to the other fleet', async () => {
    await open(`/locations/${location}`);
    await page.getByRole('button', { name: translate('clients.move_location') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill(`Sauna ${uniqueSuffix}`);
    await dialog
      .getByRole('option', { name: `Sauna ${uniqueSuffix}` })
      .first()
      .click();
    await dialog.getByRole('button', { name: translate('clients.move'), exact: true }).click();
    await waitForToast(page, translate('clients.moved'));
    const { data } = await day.api<{ data: { fleet_id: number }[] }>(
      'GET',
      `machines?filter[serial_number]=CM-${uniqueSuffix}-1`,
    );
    expect(data).toMatchObject([{ fleet_id: fleets[1] }]);
  });

  await task('import machines from a file', async () => {
    await open('/machines/import');
    const rows = [2, 3].map((index) => `CM-${uniqueSuffix}-${index};Prototype;Sauna ${uniqueSuffix};1.000,00`);
    const file = ['serial_number;custom_type;fleet;price', ...rows].join('\r\n');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'machines.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await page.getByRole('button', { name: translate('imports.commit', { smart_count: 2 }) }).click();
    await page.getByRole('heading', { name: translate('imports.report_done') }).waitFor();
  });

  await task('change many machines at once', async () => {
    await openFromMenu('/machines');
    await searchList(day, `CM-${uniqueSuffix}`, 3);
    await selectRows(day, 3);
    await page.getByRole('button', { name: translate('bulk.edit'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: translate('bulk.choose_field') }).selectOption('note');
    await dialog.locator('#field-note').fill('Lieferung');
    await dialog
      .getByRole('button', {
        name: translate('bulk.edit_button', { counted: translate('resources.machines.counted', { smart_count: 3 }) }),
      })
      .click();
    await page
      .getByRole('region', { name: translate('many.result') })
      .getByRole('button', { name: translate('many.undo') })
      .click();
    await page
      .getByText(translate('many.undone', { counted: translate('resources.machines.counted', { smart_count: 3 }) }))
      .waitFor();
  });

  await task('undo the import', async () => {
    await open('/imports');
    await page.getByRole('link', { name: 'machines.csv' }).first().click();
    await page.getByRole('button', { name: translate('imports.undo') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: translate('imports.undo') })
      .click();
    await page.getByRole('heading', { name: translate('imports.report_undone') }).waitFor();
  });

  await task('read the costs of the fleet', async () => {
    await open(`/reports/costs?client_id=${client}`);
    await page.getByRole('row').filter({ hasText: uniqueSuffix }).first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: translate('reporting.excel') }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  });

  await task('read which services are due', async () => {
    await openFromMenu('/');
    const link = page.getByRole('link', { name: new RegExp(`^${translate('dashboard.service_due')}`) });
    await leavePage(page, () => link.click());
    await expect.poll(path).toMatch(/^\/machines\?/);
    await page.locator('.sl-due').first().waitFor();
    // A date or a word stays on one line, however narrow its cell is.
    const heights = await page
      .locator('.sl-due > *')
      .evaluateAll((parts) => parts.map((part) => (part as HTMLElement).offsetHeight));
    expect(heights.length).toBeGreaterThan(0);
    expect(heights.filter((height) => height > 30)).toEqual([]);
  });

  await task('rename the fleet, by keyboard', async () => {
    await open(`/fleets/${fleets[0]}`);
    await day.tabTo(page.getByRole('link', { name: translate('record.edit'), exact: true }));
    await page.keyboard.press('Enter');
    await day.tabTo(page.locator('#field-name'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(`Kinderbecken ${uniqueSuffix}`);
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: `Kinderbecken ${uniqueSuffix}` }).waitFor();
  });

  await task('read why a user has no access', async () => {
    await openFromMenu('/users');
    const { data } = await day.api<{ data: { id: number }[] }>('GET', 'users?per_page=1&filter[roles.name]=Operator');
    await open(`/users/access?user=${data[0]?.id}&resource=machines&action=delete`);
    await page.getByText(translate('access.no_permission')).waitFor();
  });

  await task('log out', day.logOut);
});
