/**
 * A day of a Customer Admin: users, rules, fleets and reports of the company. own-access.test.ts covers the user's own
 * access.
 */
import { expect } from 'vitest';
import { logoFile, runLogInTask } from '../../support/formActions';
import { leavePage } from '../../support/visit';
import { readMailsTo, workingDay } from '../../support/workingDay';
import { createLocation, createMachine, type DayMachine } from '../../support/workingDayRows';

interface Row {
  id: number;
  name: string;
}

workingDay('customer_admin', ['de', 'desktop'], async (day) => {
  const { page, translate, task, openFromMenu, open, path, me, admin, addCleanUpStep } = day;
  const { data: user } = await admin.api<{ data: { client_id: number } }>('GET', `users/${me.id}`);
  const clientPath = `clients/${user.client_id}`;
  const { data: client } = await admin.api<{ data: Row }>('GET', clientPath);
  const { data: fleets } = await admin.api<{ data: Row[] }>(
    'GET',
    `fleets?filter[client_id]=${user.client_id}&sort=name`,
  );
  const [from, to] = fleets as [Row, Row];
  const location = await createLocation(day, from.id);
  const machine: DayMachine = await createMachine(day, location);
  const uniqueSuffix = Date.now().toString(36);
  const addresses = [`uwe.${uniqueSuffix}@example.com`, `eva.${uniqueSuffix}@example.com`];
  const main = page.getByRole('main');
  const button = (key: string, options?: Record<string, unknown>) =>
    page.getByRole('button', { name: translate(key, options), exact: true });
  const link = (key: string) => main.getByRole('link', { name: translate(key), exact: true });
  const dialog = page.getByRole('dialog');
  const chooseOption = async (field: string, name: string) => {
    await page.locator(field).fill(name);
    await page.getByRole('option', { name }).first().click();
  };
  /** Deletes a row that the story creates, at the end of the day. */
  const deleteAfterwards = (resource: string, filter: string) =>
    addCleanUpStep(async () => {
      const { data } = await admin.api<{ data: Row[] }>('GET', `${resource}?${filter}`);
      for (const { id } of data) await admin.api('DELETE', `${resource}/${id}`);
    });
  deleteAfterwards('users', `filter[search]=${uniqueSuffix}@example.com`);
  deleteAfterwards('invitations', `filter[email]=${uniqueSuffix}@example.com`);
  deleteAfterwards('alert_rules', `filter[name]=${uniqueSuffix}`);
  deleteAfterwards('locations', `filter[name]=Halle ${uniqueSuffix}`);
  deleteAfterwards('saved_views', `filter[name]=${uniqueSuffix}`);
  deleteAfterwards('report_schedules', `filter[name]=${uniqueSuffix}`);

  await runLogInTask(day);

  await task('invite two people at once', async () => {
    await openFromMenu('/users');
    await link('users.invitations').click();
    await link('resources.invitations.add').click();
    await link('invite.many').click();
    await button('invite.send_none').waitFor();
    await page.getByLabel(translate('invite.addresses')).fill(addresses.join('; '));
    await page.getByRole('combobox', { name: translate('resources.invitations.fields.role_id') }).click();
    await page.getByRole('option', { name: translate('roles.operator') }).click();
    await button('invite.send', { smart_count: 2 }).click();
    await expect.poll(() => page.getByText(translate('invite.invited'), { exact: true }).count()).toBe(2);
  });

  await task('accept one invitation', async () => {
    const [mail] = await readMailsTo(addresses[0] as string);
    const invitedVisitor = await day.visit(undefined, { width: day.isPhone ? 'phone' : 'desktop', lang: day.language });
    await invitedVisitor.open(/\/invitation\/\S+/.exec(mail?.text ?? '')?.[0] ?? '/no-mail');
    await invitedVisitor.page.getByLabel(translate('resources.users.fields.first_name')).fill('Uwe');
    await invitedVisitor.page.getByLabel(translate('resources.users.fields.last_name')).fill(`Neu ${uniqueSuffix}`);
    for (const field of await invitedVisitor.page.locator('input[type=password]').all()) await field.fill(me.password);
    await invitedVisitor.page.locator('button[type=submit]').click();
    await invitedVisitor.page.getByRole('heading', { level: 1, name: translate('dashboard.title') }).waitFor();
    await invitedVisitor.close();
    await openFromMenu('/users');
    await link('users.invitations').click();
    await main
      .getByText(addresses[0] as string)
      .first()
      .waitFor();
  });

  await task('assign a location and another role, by keyboard', async () => {
    await openFromMenu('/users');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(uniqueSuffix);
    await main
      .getByRole('link', { name: `Neu ${uniqueSuffix}` })
      .or(main.getByRole('link', { name: /^Uwe/ }))
      .first()
      .click();
    await day.tabTo(link('record.edit'));
    await page.keyboard.press('Enter');
    for (const [field, name] of [
      ['#field-role_ids', translate('roles.site_manager')],
      ['#field-location_ids', location.name],
    ] as const) {
      await day.tabTo(page.locator(field));
      await page.keyboard.type(name);
      await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining(name)]);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Control+s');
    await expect.poll(path).toMatch(/^\/users\/\d+$/);
    await main.getByText(location.name).first().waitFor();
  });

  await task('add an alert rule as a sentence', async () => {
    await open(`/${clientPath}/alert_rules`);
    await link('resources.alert_rules.add').click();
    await page.locator('#field-name').fill(`Akku leer ${uniqueSuffix}`);
    await page.locator('#field-metric').selectOption('battery');
    await page.locator('.sl-rule').getByText(/30/).first().waitFor();
    await button('form.create').click();
    await page.getByRole('heading', { name: `Akku leer ${uniqueSuffix}` }).waitFor();
  });

  await task('move a location to another fleet, on the board', async () => {
    await open(`/${clientPath}/fleets`);
    await page.getByRole('button', { name: `${translate('clients.move_location')}: ${location.name}` }).click();
    await chooseOption('#move-to', to.name);
    await dialog.locator('button[type=submit]').click();
    await page.getByRole('region', { name: translate('many.result') }).waitFor();
    const response = await day.api<{ data: { fleet_id: number } }>('GET', `machines/${machine.id}`);
    expect(response.data.fleet_id).toBe(to.id);
  });

  await task('upload a logo', async () => {
    await open(`/${clientPath}/edit`);
    addCleanUpStep(() => admin.api('PATCH', clientPath, { image: null }));
    await page.locator('input[type=file]').setInputFiles(logoFile);
    await button('form.save').click();
    await expect.poll(path).toBe(`/${clientPath}`);
    await main.locator('img').first().waitFor();
  });

  await task('share a view with the whole company', async () => {
    await openFromMenu('/machines');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(machine.serial_number);
    await expect.poll(path).toContain(machine.serial_number);
    await button('views.title').click();
    await page.getByRole('menuitem', { name: translate('views.save') }).click();
    await dialog.locator('#field-name').fill(`Neu ${uniqueSuffix}`);
    await chooseOption('#field-client_id', client.name);
    await dialog.getByRole('button', { name: translate('form.create') }).click();
    await page.getByRole('button', { name: `Neu ${uniqueSuffix}`, exact: true }).waitFor();
  });

  await task('download the service report as a workbook', async () => {
    await openFromMenu('/');
    await leavePage(page, () => page.getByRole('link', { name: translate('reporting.title') }).click());
    await link('resources.report_schedules.choices.report.service').click();
    await expect.poll(path).toMatch(/^\/reports\/service/);
    await page.getByRole('rowheader').first().waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), button('reporting.excel').click()]);
    expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  });

  await task('schedule the report monthly by mail', async () => {
    await link('reporting.send').click();
    await page.locator('#field-name').fill(`Wartung ${uniqueSuffix}`);
    await page.locator('#field-emails').fill('bericht@example.com');
    await page.locator('#field-emails').press('Enter');
    await button('form.create').click();
    await expect.poll(path).toMatch(/^\/report_schedules\/\d+/);
  });

  await task('import locations from a file', async () => {
    await open('/locations/import');
    const lines = [
      `Name;Fleet;Address;Postal code;City;Info ${uniqueSuffix}`,
      `Halle ${uniqueSuffix};${from.name};Werkstraße 1;01067;Dresden;x`,
    ];
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'halls.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
    await button('imports.check').click();
    await button('imports.commit', { smart_count: 1 }).click();
    await page.getByText(translate('imports.report_done')).first().waitFor();
  });
});
