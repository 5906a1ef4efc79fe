/** A vendor's message is mapped by clicks, and stored unreadable messages are read again. */
import { expect, onTestFinished, test } from 'vitest';
import { demoUrl } from '../support/demo';
import { setUpTestBrowser, waitForToast } from '../support/visit';

const testBrowser = setUpTestBrowser();

test('an example is mapped value by value and saved, and an earlier message is then read again', async () => {
  const { page, open, api, consoleErrors } = await testBrowser.visit('admin');
  const name = `hook-${Date.now()}`;
  const { data: fleets } = await api<{ data: { id: number; client_id: number }[] }>('GET', 'fleets?per_page=1');
  const { data: machine } = await api<{ data: { id: number } }>('POST', 'machines', {
    serial_number: name,
    custom_type: 'Prototype',
    fleet_id: fleets[0]?.id,
  });
  const { data: hook } = await api<{ data: { id: number } }>('POST', 'integrations', {
    name,
    preset: 'custom',
    client_id: fleets[0]?.client_id,
  });
  onTestFinished(async () => {
    await api('DELETE', `integrations/${hook.id}`);
    await api('DELETE', `machines/${machine.id}`);
  });

  await open(`/integrations/${hook.id}`);
  await page.getByText(`/api/v1/ingest/hooks/${hook.id}`, { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).click();
  const secret = await page.getByRole('dialog').getByText(/^swi_/).textContent();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  const message = {
    robot: name,
    jobs: [{ no: 1, begin: 1_786_879_513, end: 1_786_882_454, ft2: 1000, state: 'STOPPED' }],
  };
  const response = await fetch(`${demoUrl()}/api/v1/ingest/hooks/${hook.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  expect(await response.json()).toEqual({ data: { stored: 0, duplicates: 0, unread: 1 } });

  await open(`/integrations/${hook.id}/messages`);
  await page.getByText('Nothing in the message fits the mapping.').waitFor();
  await page.getByRole('link', { name: 'Use as example' }).click();
  const tree = page.getByRole('list', { name: 'Values of the message' });
  const mapValue = async (value: string, target: string, furtherSteps?: () => Promise<unknown>) => {
    await tree.getByRole('button', { name: value }).click();
    await page.getByLabel('What it becomes').selectOption(target);
    await furtherSteps?.();
    await page.getByRole('button', { name: 'Map', exact: true }).click();
  };
  await mapValue('no 1', 'runs.field.external_id');
  await mapValue(`robot ${name}`, 'runs.machine');
  await mapValue('begin', 'runs.field.started_at', () => page.getByLabel('Unit').selectOption('unix_s'));
  await page.getByText(/End/).first().waitFor();
  await mapValue('end', 'runs.field.ended_at', () => page.getByLabel('Unit').selectOption('unix_s'));
  await mapValue('ft2', 'runs.field.cleaned_area_m2', () => page.getByLabel('Unit').selectOption('ft2'));
  await mapValue('state', 'runs.field.outcome', () => page.getByLabel('Words').fill('STOPPED = aborted'));
  await page.getByText('Fits: would be stored').waitFor();
  await page.getByRole('button', { name: 'Save mapping' }).click();
  await waitForToast(page, 'Mapping saved');

  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Read again' }).click();
  await page.getByText('1 stored, 0 known before, 0 still without a fit').waitFor();
  await page.getByText('Every message fitted').waitFor();
  const { data: runs } = await api<{ data: object[] }>('GET', `runs?filter[machine_id]=${machine.id}`);
  expect(runs).toMatchObject([
    { external_id: '1', cleaned_area_m2: 92.903_04, duration_s: 2941, outcome: 'aborted', source: 'reported' },
  ]);
  expect(consoleErrors).toEqual([]);
});
