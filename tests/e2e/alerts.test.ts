/**
 * Alert rules and alerts: a rule is written as a sentence with a preview, an alert opens, the bell counts it, and a
 * user acknowledges it.
 */
import { expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { addTestMachine, findFleet } from '../support/testMachine';
import { cleanUpAfterwards, leavePage, setUpTestBrowser, waitUntilSettled } from '../support/visit';
import type { DayLocation } from '../support/workingDayRows';

const testBrowser = setUpTestBrowser();

test('a Customer Admin creates a rule; a machine reports the error; a Site Manager acknowledges the alert', async () => {
  const { page, open, api, consoleErrors, session } = await testBrowser.visit('customer_admin');
  const ownUser = await api<{ data: { client_id: number } }>('GET', `users/${session?.user.id}`);
  const client = ownUser.data.client_id;
  const code = `E-${Date.now() % 1_000_000}`;

  await open(`/clients/${client}/alert_rules`);
  await leavePage(page, () => page.getByRole('link', { name: 'Add alert rule' }).click());
  await page.getByRole('textbox', { name: 'Name' }).fill(`Error ${code}`);
  await page.getByLabel('Event').selectOption({ label: 'has a battery below' });
  await page.getByLabel('Threshold').fill('0');
  await page.getByText('Complete the condition to see').waitFor();
  await page.getByLabel('Event').selectOption({ label: 'reports the error' });
  await page.getByLabel('Error code').fill(code);
  await page.getByText('This rule would never have fired.').waitFor();
  // Critical alerts are first in the inbox, however many warnings the demo has at this hour.
  await page.getByLabel('Severity').selectOption({ label: 'Critical' });
  await page.getByLabel('Quiet from').fill('22:00');
  await page.getByLabel('Quiet until').fill('06:30');
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: `Error ${code}` }).waitFor();
  const { data: createdRule } = await api<{ data: object[] }>('GET', `alert_rules?filter[name]=${code}`);
  expect(createdRule).toMatchObject([{ quiet_from: '22:00', quiet_to: '06:30' }]);

  const admin = await testBrowser.visit('admin');
  const machine = await addTestMachine(admin, { fleet_id: (await findFleet(admin, client)).id });
  await machine.send({ status: 'online', error: code });

  await page.getByRole('link', { name: /items? needs? you$/ }).click();
  await page
    .getByRole('region', { name: /^Needs a person now/ })
    .getByText(code)
    .first()
    .waitFor();
  await open('/alerts');
  await page.getByRole('link', { name: `${machine.serial_number} · error ${code}` }).click();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText(/acknowledged it$/).waitFor();
  await page.getByLabel('Comment').fill('Sensor cleaned');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByText('Sensor cleaned').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);

  await open(`/machines/${machine.id}`);
  await page
    .getByRole('list', { name: 'Alerts' })
    .getByRole('link', { name: `${machine.serial_number} · error ${code}` })
    .waitFor();
  expect(consoleErrors).toEqual([]);

  const phone = await testBrowser.visit('customer_admin', { width: 'phone' });
  await phone.open('/');
  await phone.page.getByRole('link', { name: /items? needs? you$/ }).click();
  await phone.page.getByRole('heading', { name: /^Needs a person now/ }).waitFor();
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);

  const { data: rules } = await api<{ data: { id: number }[] }>('GET', `alert_rules?filter[name]=${code}`);
  await api('DELETE', `alert_rules/${rules[0]?.id}`);
});

test.each([
  'site_manager',
  'operator',
] as const)('a %s without access to rules opens an alert, and no request is rejected', async (role) => {
  const admin = await testBrowser.visit('admin');
  const { page, open, api, consoleErrors, session } = await testBrowser.visit(role);
  const { data: user } = await admin.api<{ data: { location_ids: number[] } }>('GET', `users/${session?.user.id}`);
  const { data: place } = await admin.api<{ data: DayLocation }>('GET', `locations/${user.location_ids[0]}`);
  const machine = await addTestMachine(admin, { fleet_id: place.fleet_id, location_id: place.id });
  const code = `E-${Date.now() % 1_000_000}`;
  const rule = { client_id: place.client_id, name: `Error ${code}`, metric: 'error', error_code: code };
  const { data: createdRule } = await admin.api<{ data: { id: number } }>('POST', 'alert_rules', rule);
  cleanUpAfterwards(() => admin.api('DELETE', `alert_rules/${createdRule.id}`));
  await machine.send({ status: 'online', error: code });
  const findAlert = async () =>
    (await api<{ data: { id: number }[] }>('GET', `alerts?filter[machine_ids]=${machine.id}`)).data[0]?.id;
  await expect.poll(findAlert).toBeGreaterThan(0);
  await open(`/alerts/${await findAlert()}`);
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await waitUntilSettled(page);
  expect(await page.getByText('Rule', { exact: true }).count()).toBe(0);
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

test('an Operator reports a problem on a phone, and sees that it is acknowledged', async () => {
  const { page, open, api, consoleErrors } = await testBrowser.visit('operator', { width: 'phone', lang: 'de' });
  const { data: machines } = await api<{ data: { id: number }[] }>('GET', 'machines?per_page=1');
  const problem = `Wasser unter dem linken Rad ${Date.now()}`;
  await open(`/machines/${machines[0]?.id}`);
  await page.getByRole('button', { name: 'Problem melden' }).click();
  const dialog = page.getByRole('dialog', { name: 'Problem melden' });
  await dialog.getByText('Undicht').click();
  await dialog.getByLabel('Beschreiben Sie es in einem Satz').fill(problem);
  expect(await findAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Meldung senden' }).click();
  const entry = page.getByRole('list', { name: 'Alarme' }).getByRole('listitem').filter({ hasText: problem });
  await entry.getByText('Offen').waitFor();

  const inCharge = await testBrowser.visit('customer_admin');
  const { data: reportedAlerts } = await inCharge.api<{ data: { id: number; report: string }[] }>(
    'GET',
    'alerts?filter[metric]=reported&sort=-id&per_page=1',
  );
  expect(reportedAlerts[0]?.report).toBe(problem);
  await inCharge.api('POST', `alerts/${reportedAlerts[0]?.id}/acknowledge`);
  await entry.getByText(/hat bestätigt$/).waitFor();
  await inCharge.api('POST', `alerts/${reportedAlerts[0]?.id}/close`);
  expect(consoleErrors).toEqual([]);
});
