/** A day of an Operator next to the machines, on a phone. */
import { expect } from 'vitest';
import { demoUrl } from '../../support/demo';
import { runLogInTask } from '../../support/formActions';
import { waitUntilSettled } from '../../support/visit';
import { workingDay } from '../../support/workingDay';
import { createMachine, type DayLocation, type DayMachine } from '../../support/workingDayRows';

workingDay('operator', ['de', 'phone'], async (day) => {
  const { page, translate, task, openFromMenu, open, path, me, admin } = day;
  const { data: user } = await admin.api<{ data: { location_ids: number[] } }>('GET', `users/${me.id}`);
  const { data: place } = await admin.api<{ data: DayLocation }>('GET', `locations/${user.location_ids[0]}`);
  const machine = await createMachine(day, place);

  await runLogInTask(day);

  await task('list only the own machines', async () => {
    await openFromMenu('/machines');
    const { total } = await day.api<{ total: number }>('GET', 'machines?per_page=1');
    await page.getByText(translate('list.count', { smart_count: total }), { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: translate('resources.machines.add') }).count()).toBe(0);
  });

  await task('find no machines of others', async () => {
    const { data } = await admin.api<{ data: DayMachine[] }>('GET', 'machines?per_page=1&sort=-client_id');
    await open(`/machines/${data[0]?.id}`);
    await page.getByText(translate('record.not_found_text')).waitFor();
    // The API rejects the request, which the browser logs.
    expect(day.consoleErrors.splice(0).filter((error) => !error.includes('404'))).toEqual([]);
  });

  await task('read why a machine is offline', async () => {
    await openFromMenu('/machines');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(machine.serial_number);
    await page.getByText(translate('list.count', { smart_count: 1 }), { exact: true }).waitFor();
    await page.getByRole('link', { name: machine.serial_number, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: machine.serial_number }).waitFor();
    await page.getByText(translate('reasons.never')).first().waitFor();
  });

  await task('write a note, by keyboard', async () => {
    await day.tabTo(page.getByRole('link', { name: translate('record.edit'), exact: true }));
    await page.keyboard.press('Enter');
    await day.tabTo(page.locator('#field-note'));
    await page.keyboard.type('Bürste klemmt, steht am Tor 4');
    await page.keyboard.press('Control+s');
    await expect.poll(path).toBe(`/machines/${machine.id}`);
    await page.getByText('Bürste klemmt, steht am Tor 4').waitFor();
  });

  await task('add a service entry', async () => {
    await page.getByRole('link', { name: translate('service.title'), exact: true }).click();
    await page.getByRole('button', { name: translate('resources.service_entries.add') }).click();
    await page.getByText(translate('resources.service_entries.choices.kind.repair'), { exact: true }).click();
    await page
      .getByRole('textbox', { name: translate('resources.service_entries.fields.note') })
      .fill('Bürste getauscht');
    await page.getByRole('button', { name: translate('form.save') }).click();
    await page.getByRole('listitem').filter({ hasText: 'Bürste getauscht' }).waitFor();
  });

  await task('report a problem', async () => {
    await page.getByRole('button', { name: translate('alerting.report.open') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(translate('resources.alerts.choices.problem.damage'), { exact: true }).click();
    await dialog.getByLabel(translate('alerting.report.text')).fill('Bürste steht');
    await dialog.getByRole('button', { name: translate('alerting.report.send') }).click();
    await page
      .getByRole('list', { name: translate('alerting.title') })
      .getByRole('link', { name: machine.serial_number })
      .waitFor();
  });

  await task('read the log of another machine', async () => {
    const { data } = await day.api<{ data: DayMachine[] }>('GET', 'machines?per_page=1&sort=-last_seen');
    await openFromMenu('/machines');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(data[0]?.serial_number ?? '');
    await page.getByRole('link', { name: data[0]?.serial_number, exact: true }).click();
    await page.getByRole('link', { name: translate('machine.logs'), exact: true }).click();
    await page.getByText(translate('machine.levels.info'), { exact: true }).nth(1).waitFor();
  });

  await task('open the map', async () => {
    await openFromMenu('/machines');
    await page.getByRole('button', { name: translate('list.map'), exact: true }).click();
    await page.getByRole('heading', { name: translate('map.in_view') }).waitFor();
    await page.locator('.leaflet-container').waitFor();
  });

  await task('change the language and change it back', async () => {
    const [other, original] = day.language === 'en' ? (['de', 'en'] as const) : (['en', 'de'] as const);
    await day.chooseLanguage(other);
    await day.chooseLanguage(original);
  });

  await task('log out', day.logOut);

  await task('open the code on the machine', async () => {
    await page.goto(`${demoUrl()}/machines/${machine.id}`);
    await waitUntilSettled(page);
    expect(path()).toMatch(/^\/login/);
    await day.logIn(day, me);
    await page.getByRole('heading', { level: 1, name: machine.serial_number }).waitFor();
  });
});
