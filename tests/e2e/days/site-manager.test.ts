/** A day of a Site Manager: cleaned area, contacts, and open problems. */
import { expect } from 'vitest';
import { runLogInTask } from '../../support/formActions';
import { leavePage, responseTo, sendOsmAnd, waitUntilSettled } from '../../support/visit';
import { workingDay } from '../../support/workingDay';
import { createLocation, createMachine, mountTracker } from '../../support/workingDayRows';

workingDay('site_manager', ['en', 'desktop'], async (day) => {
  const { page, translate, task, openFromMenu, path, me, admin } = day;
  const { data: user } = await admin.api<{ data: { fleet_ids: number[]; client_id: number } }>('GET', `users/${me.id}`);
  const location = await createLocation(day, user.fleet_ids[0] as number);
  const machine = await createMachine(day, location);
  const device = await mountTracker(day, machine);
  const code = `E-${Date.now().toString(36)}`;
  const rule = { client_id: user.client_id, name: `Error ${code}`, metric: 'error', error_code: code };
  const { data: createdRule } = await admin.api<{ data: { id: number } }>('POST', 'alert_rules', rule);
  day.addCleanUpStep(() => admin.api('DELETE', `alert_rules/${createdRule.id}`));
  const button = (key: string) => page.getByRole('button', { name: translate(key), exact: true });
  const tab = (key: string) => page.getByRole('main').getByRole('link', { name: translate(key), exact: true });

  await runLogInTask(day);

  await task('open the cleanings missed yesterday', async () => {
    await page.getByRole('link', { name: translate('dashboard.missed_cleaning') }).click();
    await page.getByRole('heading', { level: 1, name: translate('calendar.title') }).waitFor();
  });

  await task('go back in the calendar of all sites', async () => {
    await page.getByRole('combobox').first().selectOption('');
    await button('calendar.earlier').click();
    await page.getByRole('rowheader').first().waitFor();
  });

  await task('open the proof of cleaning', async () => {
    await openFromMenu('/');
    await leavePage(page, () => page.getByRole('link', { name: translate('reporting.title') }).click());
    await page.getByLabel(translate('reporting.detail')).selectOption('location');
    await page.getByRole('rowheader').first().waitFor();
  });

  await task('change the contact of a site', async () => {
    await openFromMenu('/clients');
    await page.getByRole('main').locator(`a[href="/clients/${user.client_id}"]`).first().click();
    await tab('clients.locations').click();
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(location.name);
    await page.getByRole('main').getByRole('link', { name: location.name, exact: true }).click();
    await tab('record.edit').click();
    expect(await page.locator('#field-name').count()).toBe(0);
    await page.locator('#field-contact_name').fill('Petra Hausmeister');
    await page.locator('#field-contact_phone').fill('+49 351 4711');
    await button('form.save').click();
    await expect.poll(path).toBe(`/locations/${location.id}`);
    await page.getByText('Petra Hausmeister').waitFor();
  });

  await task('write a note on a machine', async () => {
    await openFromMenu('/machines');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(machine.serial_number);
    await page.getByText(translate('list.count', { smart_count: 1 }), { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: machine.serial_number, exact: true }).click();
    await tab('record.edit').click();
    await page.locator('#field-note').fill('Rolltor nur bis 18 Uhr offen');
    await button('form.save').click();
    await page.getByText('Rolltor nur bis 18 Uhr offen').waitFor();
  });

  await task('add a service entry, by keyboard', async () => {
    await day.tabTo(tab('service.title'));
    await page.keyboard.press('Enter');
    await day.tabTo(button('resources.service_entries.add'));
    await page.keyboard.press('Enter');
    await day.tabTo(page.getByRole('radio').first());
    await page.keyboard.press('ArrowRight');
    await day.tabTo(page.getByRole('textbox', { name: translate('resources.service_entries.fields.note') }));
    await page.keyboard.type('Filter gereinigt');
    await day.tabTo(button('form.save'));
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Filter gereinigt' }).waitFor();
  });

  await task('acknowledge, comment and close an alert', async () => {
    await sendOsmAnd({ id: device, timestamp: Date.now(), status: 'online', error: code });
    await page.locator('.sl-bell').click();
    await page
      .getByRole('region', { name: translate('inbox.title') })
      .getByRole('link', { name: code })
      .click();
    await button('alerting.acknowledge').click();
    await page.getByText(translate('alerting.done.acknowledged', { name: 'Robin Tagwerk' })).waitFor();
    await page.getByLabel(translate('alerting.comment')).fill('Sensor abgewischt');
    await button('alerting.send').click();
    await page.getByText('Sensor abgewischt').waitFor();
    await button('alerting.close').click();
    await page.getByText(translate('alerting.done.closed', { name: 'Robin Tagwerk' })).waitFor();
  });

  await task('list the users of the sites, without editing', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(translate('resources.users.plural'));
    await page
      .getByRole('option')
      .filter({ has: page.getByText(translate('resources.users.plural'), { exact: true }) })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: translate('resources.users.plural') }).waitFor();
    await waitUntilSettled(page);
    expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0);
    expect(await tab('resources.users.add').count()).toBe(0);
  });

  await task('download figures', async () => {
    await openFromMenu('/machines');
    await page.getByRole('main').locator('a[href^="/machines/"]').first().click();
    await tab('machine.statistics').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `${translate('machine.download')} (csv)` }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
  });

  await task('save a view of the own machines', async () => {
    await openFromMenu('/machines');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill('DAY');
    await expect.poll(path).toContain('DAY');
    await button('views.title').click();
    await page.getByRole('menuitem', { name: translate('views.save') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('#field-name').fill('Terminal 7');
    await dialog.getByRole('button', { name: translate('form.create') }).click();
    await page.getByRole('button', { name: 'Terminal 7', exact: true }).waitFor();
    await openFromMenu('/machines');
    await button('views.title').click();
    await page.getByRole('menuitemradio', { name: 'Terminal 7', exact: true }).click();
    await expect.poll(path).toContain('DAY');
  });

  const password = 'Neuer!Tag8';
  await task('change the password', async () => {
    await openFromMenu('/account');
    await tab('account.tabs.password').click();
    const fields = page.getByRole('main').locator('input[type=password]');
    await fields.nth(0).fill(me.password);
    await fields.nth(1).fill(password);
    await fields.nth(2).fill(password);
    const [response] = await Promise.all([responseTo(page, /\/password$/), button('account.change_password').click()]);
    expect(response.ok()).toBe(true);
  });

  await task('log out everywhere', async () => {
    await tab('account.tabs.sessions').click();
    await button('account.end_all').click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: translate('account.end_all') })
      .click();
    await expect.poll(path).toMatch(/^\/login/);
    await day.logIn(day, { ...me, password });
    await expect.poll(path).not.toMatch(/^\/login/);
    // Requests in flight were rejected when the session ended, which the browser logs.
    const errors = day.consoleErrors.splice(0).filter((error) => !error.includes('401'));
    expect(errors, errors.join('\n')).toEqual([]);
  });
});
