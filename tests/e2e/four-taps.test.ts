/** A problem with a photo is reported on a phone with at most four taps from the start screen. */
import { expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { demoUrl } from '../support/demo';
import { loadTranslator } from '../support/loadTranslator';
import { simulateCamera } from '../support/simulateCamera';
import { setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

const translate = await loadTranslator('en');
/** A picture of one pixel. */
const photo = {
  name: 'leak.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** Counts the taps from now on. Returns a function that reads their number. */
async function countTaps({ page }: Visitor): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const taps = { count: 0 };
    Object.assign(window, { taps });
    addEventListener('pointerdown', () => (taps.count += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { taps: { count: number } }).taps.count);
}

/** Taps the kind, adds a photo and sends. */
async function fillIn({ page }: Visitor, serialNumber: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `${translate('alerting.report.open')}: ${serialNumber}` });
  // The star is shown beside the question, not as one of the choices.
  expect(await dialog.locator('legend > span').evaluate((star) => getComputedStyle(star).display)).toBe('inline');
  await dialog.getByText(translate('resources.alerts.choices.problem.leak'), { exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByText(translate('alerting.report.photo'), { exact: true }).click();
  await (await chooser).setFiles(photo);
  await dialog.getByRole('list', { name: translate('alerting.report.photos', { smart_count: 1 }) }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: translate('alerting.report.send') }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Checks that the report has arrived with its photo, and closes it. */
async function expectReport({ api, session }: Visitor, machine: number): Promise<void> {
  const reporterName = `${session?.user.first_name} ${session?.user.last_name}`;
  const readLatest = async () =>
    (
      await api<{ data: { id: number; problem: string; reported_by: string }[] }>(
        'GET',
        `alerts?per_page=1&sort=-id&filter[machine_ids]=${machine}&filter[state]=open&filter[metric]=reported`,
      )
    ).data[0];
  await expect.poll(readLatest).toMatchObject({ problem: 'leak', reported_by: reporterName });
  const { id } = (await readLatest()) as { id: number };
  const readKinds = async () =>
    (await api<{ data: { kind: string }[] }>('GET', `alerts/${id}/notes`)).data.map(({ kind }) => kind);
  await expect.poll(readKinds).toContain('photo');
  const admin = await testBrowser.visit('admin');
  await admin.api('POST', `alerts/${id}/close`, {});
}

interface Machine {
  id: number;
  serial_number: string;
}

test('a problem is reported from the card of a machine', async () => {
  const visitor = await testBrowser.visit('operator', { width: 'phone' });
  const { page, api, open, consoleErrors } = visitor;
  const query = 'machines?per_page=1&sort=serial_number&filter[is_dummy]=false';
  const machine = (await api<{ data: Machine[] }>('GET', query)).data[0] as Machine;
  await open('/');
  const taps = await countTaps(visitor);
  const name = `${translate('alerting.report.open')}: ${machine.serial_number}`;
  await page.getByRole('button', { name }).click();
  await fillIn(visitor, machine.serial_number);
  expect(await taps()).toBeLessThanOrEqual(4);
  await expectReport(visitor, machine.id);
  expect(consoleErrors).toEqual([]);
});

test('a problem is reported by scanning the code on a machine, with a camera that opens with the report', async () => {
  const visitor = await testBrowser.visit('operator', { width: 'phone', isOwnWindow: true });
  const { page, api, open, context, consoleErrors } = visitor;
  const machine = (await api<{ data: Machine[] }>('GET', 'machines?per_page=1&sort=-serial_number')).data[0] as Machine;
  await simulateCamera(context, `${demoUrl()}/machines/${machine.id}`);
  await open('/');
  await waitUntilSettled(page);
  const taps = await countTaps(visitor);
  await page
    .locator('.sl-own-machines__actions')
    .getByRole('button', { name: translate('alerting.report.open') })
    .click();
  await fillIn(visitor, machine.serial_number);
  expect(await taps()).toBeLessThanOrEqual(4);
  await expectReport(visitor, machine.id);
  expect(consoleErrors).toEqual([]);
});
