/**
 * Unknown devices: one appears with its first message, is assigned to a machine by scanning the machine's code, and is
 * removed again.
 */
import { encodeQR } from 'qr';
import { expect, onTestFinished, test } from 'vitest';
import { demoUrl } from '../support/demo';
import { simulateCamera } from '../support/simulateCamera';
import { setUpTestBrowser, waitForToast, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

test('an unknown device is assigned by scanning the machine’s code, and swapped on the machine’s page', async () => {
  const { page, context, open, api, consoleErrors } = await testBrowser.visit('admin');
  const reportUnknownDevice = async (device: string) => {
    const response = await fetch(`${demoUrl()}/ingest/osmand?id=${device}&lat=52.5&lon=13.4&batt=71`);
    expect(response.status).toBe(400);
  };
  const [first, second] = [`inbox-${Date.now()}`, `inbox-${Date.now()}-b`];
  await reportUnknownDevice(first);
  await reportUnknownDevice(second);
  const { data: fleets } = await api<{ data: { id: number }[] }>('GET', 'fleets?per_page=1');
  const { data: machine } = await api<{ data: { id: number; serial_number: string } }>('POST', 'machines', {
    serial_number: `IN-${Date.now()}`,
    custom_type: 'Prototype',
    fleet_id: fleets[0]?.id,
  });
  // Other tests depend on the machines of the demo.
  onTestFinished(async () => void (await api('DELETE', `machines/${machine.id}`)));
  // A camera that sees the code of this machine.
  const code = `${demoUrl()}/machines/${machine.id}`;
  await simulateCamera(context, code);

  await open('/trackers?view=inbox');
  const waitingTracker = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: first, exact: true }) });
  await waitingTracker.getByText('batt=71').waitFor();
  await waitingTracker.getByRole('button', { name: 'Assign to machine' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Scan QR code' }).click();
  await dialog.getByRole('radio', { name: machine.serial_number, checked: true }).waitFor();
  await dialog.getByRole('button', { name: 'Assign to machine' }).click();
  await waitForToast(page, `Assigned to ${machine.serial_number}`);
  await waitUntilSettled(page);
  await expect.poll(() => page.getByRole('link', { name: first, exact: true }).count()).toBe(0);

  const { data: rows } = await api<{ data: { id: number }[] }>('GET', `trackers?filter[search]=${second}`);
  await open(`/machines/${machine.id}?assign=${rows[0]?.id}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Swap tracker' }).click();
  await page.getByRole('link', { name: second, exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Remove from machine' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove from machine' }).click();
  await page.getByText('No tracker: this machine cannot report.').waitFor();
  expect(consoleErrors).toEqual([]);
});

test('a browser without a code reader decodes the code of a machine in JavaScript, and opens it', async () => {
  const { page, open, path, context, api } = await testBrowser.visit('operator', { width: 'phone', isOwnWindow: true });
  const [machine] = (await api<{ data: { id: number }[] }>('GET', 'machines?per_page=1')).data;
  const code = encodeQR(`${demoUrl()}/machines/${machine?.id}`, 'raw', { scale: 6, border: 4 });
  await context.addInitScript((modules: boolean[][]) => {
    Reflect.deleteProperty(window, 'BarcodeDetector');
    const captureCode = () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [640, 480];
      const brush = canvas.getContext('2d');
      setInterval(() => {
        brush?.fillRect(0, 0, 640, 480);
        for (const [y, row] of modules.entries())
          for (const [x, isDark] of row.entries()) {
            if (brush) brush.fillStyle = isDark ? '#000' : '#fff';
            brush?.fillRect(120 + x, 40 + y, 1, 1);
          }
      }, 100);
      return canvas.captureStream();
    };
    Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia: async () => captureCode() } });
  }, code);
  await open('/');
  await page.getByRole('button', { name: 'Scan QR code' }).click();
  await expect.poll(path).toBe(`/machines/${machine?.id}`);
});
