/** A day of a Partner: linked and new clients, users, documents, labels, alert rules and service plans. */
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
import { readMailsTo, workingDay } from '../../support/workingDay';

interface Machine {
  id: number;
  serial_number: string;
}

workingDay('partner', ['de', 'desktop'], async (day) => {
  const { page, translate, task, openFromMenu, open, path, admin, addCleanUpStep } = day;
  const uniqueSuffix = Date.now().toString(36).toUpperCase();
  const name = `Klinikum ${uniqueSuffix}`;
  let client = 0;

  await runLogInTask(day);

  await task('list only the linked clients', async () => {
    const { data: linkedClients, total } = await day.api<{ data: { id: number }[]; total: number }>(
      'GET',
      'clients?per_page=100',
    );
    const { data: allClients } = await admin.api<{ data: { id: number; name: string }[] }>(
      'GET',
      'clients?per_page=100',
    );
    const otherClient = allClients.find(({ id }) => !linkedClients.some((link) => link.id === id));
    await openFromMenu('/clients');
    await page.getByText(translate('list.count', { smart_count: total }), { exact: true }).waitFor();
    await searchList(day, otherClient?.name ?? '', 0);
  });

  await task('add a client', async () => {
    client = await createClient(day, {
      name,
      building: '1',
      street: 'Klinikweg',
      city: 'Musterstadt',
      postal_code: '04109',
    });
  });

  await task('invite its administrator', async () => {
    const email = `day.${uniqueSuffix.toLowerCase()}@klinikum.example`;
    await page.getByRole('link', { name: translate('users.new_invitation') }).click();
    await fillFields(page, { email });
    await chooseOption(page, 'role_id', translate('roles.customer_admin'));
    await chooseFirstOption(page, 'language_id');
    await submitCreateForm(day, 'invitations');
    const { data } = await day.api<{ data: { id: number }[] }>('GET', `invitations?filter[email]=${email}`);
    addCleanUpStep(() => admin.api('DELETE', `invitations/${data[0]?.id}`));
    await expect.poll(async () => (await readMailsTo(email)).map(({ text }) => text).join()).toContain('/invitation/');
  });

  await task('add a fleet with a machine and its tracker', async () => {
    const { data: fleet } = await day.api<{ data: { id: number } }>('POST', 'fleets', {
      name: `Klinik ${uniqueSuffix}`,
      client_id: client,
    });
    addCleanUpStep(() => admin.api('DELETE', `fleets/${fleet.id}`));
    const { data: tracker } = await admin.api<{ data: { id: number } }>('POST', 'trackers', {
      refno: `day-${uniqueSuffix}`,
      tracker_or_serial: `day-${uniqueSuffix}`,
      mode: 'http',
    });
    addCleanUpStep(() => admin.api('DELETE', `trackers/${tracker.id}`));
    await openFromMenu('/machines');
    await page.getByRole('link', { name: translate('resources.machines.add') }).click();
    await fillFields(page, { serial_number: `PA-${uniqueSuffix}-1` });
    await chooseFirstOption(page, 'type_id');
    await chooseOption(page, 'fleet_id', `Klinik ${uniqueSuffix}`);
    await page.getByRole('button', { name: translate('form.create'), exact: true }).click();
    await page.getByRole('heading', { level: 1, name: `PA-${uniqueSuffix}-1` }).waitFor();
    addCleanUpStep(() => admin.api('DELETE', `machines`, { filter: { serial_number: `PA-${uniqueSuffix}` } }));
    await admin.api('POST', `trackers/${tracker.id}/assign`, { machine_id: Number(/\d+/.exec(path())?.[0]) });
    await page
      .getByRole('link', { name: `day-${uniqueSuffix}` })
      .first()
      .waitFor();
    await day.api('POST', 'machines', {
      serial_number: `PA-${uniqueSuffix}-2`,
      custom_type: 'Prototype',
      fleet_id: fleet.id,
    });
  });

  const readMachine = async () =>
    (await day.api<{ data: Machine[] }>('GET', `machines?filter[serial_number]=PA-${uniqueSuffix}-1`))
      .data[0] as Machine;

  await task('upload a document of the machine', async () => {
    await open(`/machines/${(await readMachine()).id}`);
    const pdf = Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
    );
    await page
      .getByLabel(translate('machine.upload_document'))
      .setInputFiles({ name: 'Anleitung.pdf', mimeType: 'application/pdf', buffer: pdf });
    await page.getByText('Anleitung.pdf').first().waitFor();
  });

  await task('print labels for both machines', async () => {
    await openFromMenu('/machines');
    await searchList(day, `PA-${uniqueSuffix}`, 2);
    await selectRows(day, 2);
    await page.getByRole('link', { name: translate('labels.link') }).click();
    await expect.poll(() => page.locator('.sl-label').count()).toBe(2);
  });

  await task('add an alert rule', async () => {
    await open(`/clients/${client}/alert_rules`);
    await page
      .getByRole('link', { name: translate('resources.alert_rules.add') })
      .first()
      .click();
    await fillFields(page, { name: `Akku ${uniqueSuffix}` });
    await page.locator('#field-metric').selectOption('battery');
    await page.getByText(translate('alerting.never')).waitFor();
    await page.getByRole('button', { name: translate('form.create'), exact: true }).click();
    await page.getByRole('heading', { name: `Akku ${uniqueSuffix}` }).waitFor();
    const { data } = await day.api<{ data: { id: number }[] }>('GET', `alert_rules?filter[name]=${uniqueSuffix}`);
    addCleanUpStep(() => admin.api('DELETE', `alert_rules/${data[0]?.id}`));
  });

  await task('add a service plan, by keyboard', async () => {
    await open(`/machines/${(await readMachine()).id}/service`);
    await day.tabTo(page.getByRole('link', { name: translate('resources.service_plans.add') }));
    await page.keyboard.press('Enter');
    await day.tabTo(page.locator('#field-name'));
    await page.keyboard.type('Inspektion');
    await day.tabTo(page.locator('#field-every_months'));
    await page.keyboard.type('6');
    await page.keyboard.press('Control+s');
    await expect.poll(path).toMatch(/\/service$/);
    await page.getByText('Inspektion').first().waitFor();
  });

  await task('log out', day.logOut);
});
