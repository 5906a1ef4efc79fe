/** Key rules are edited on a tracker's page, previewed, and applied to stored messages. */
import { expect, onTestFinished, test } from 'vitest';
import { demoUrl } from '../support/demo';
import { setUpTestBrowser, waitForToast } from '../support/visit';

const testBrowser = setUpTestBrowser();

test('rules are chosen, previewed on the last messages, saved, and stored messages are replayed', async () => {
  const { page, open, api, consoleErrors } = await testBrowser.visit('admin');
  const name = `keys-${Date.now()}`;
  const { data: fleets } = await api<{ data: { id: number }[] }>('GET', 'fleets?per_page=1');
  const { data: tracker } = await api<{ data: { id: number } }>('POST', 'trackers', {
    refno: name,
    tracker_or_serial: name,
  });
  const { data: machine } = await api<{ data: { id: number } }>('POST', 'machines', {
    serial_number: name.toUpperCase(),
    custom_type: 'Prototype',
    fleet_id: fleets[0]?.id,
    tracker_id: tracker.id,
  });
  // Other tests depend on the machines of the demo.
  onTestFinished(async () => {
    await api('DELETE', `machines/${machine.id}`);
    await api('DELETE', `trackers/${tracker.id}`);
  });
  const response = await fetch(`${demoUrl()}/ingest/osmand?id=${name}&batteryLevel=55%25&state=docked`);
  expect(response.status).toBe(200);

  await open(`/trackers/${tracker.id}`);
  await page.getByRole('button', { name: 'Keys' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const meaningCell = dialog.getByRole('row').getByRole('cell').last();
  await expect.poll(() => meaningCell.textContent()).toBe('Online');
  await dialog.getByRole('button', { name: 'Battery level' }).click();
  await dialog.getByRole('button', { name: 'State words' }).click();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect.poll(() => meaningCell.textContent()).toBe('Charging, 55%');

  await dialog.getByLabel('Rules', { exact: true }).fill('batteryLevel => battery');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('must look like batteryLevel -> battery').waitFor();
  await dialog
    .getByLabel('Rules', { exact: true })
    .fill('batteryLevel -> battery\nstate = docked -> status = charging');
  await dialog.getByRole('button', { name: 'Save and read earlier messages again' }).click();
  await waitForToast(page, 'Rules saved, 1 message read again');
  const { data: updatedMachine } = await api<{ data: object }>('GET', `machines/${machine.id}`);
  expect(updatedMachine).toMatchObject({ status: 'Charging', battery: 55 });
  expect(consoleErrors.filter((error) => !error.includes('422'))).toEqual([]);
});
