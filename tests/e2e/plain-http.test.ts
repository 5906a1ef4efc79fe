/** A server without HTTPS at a name other than localhost: browsers withhold some of their interfaces there. */
import { expect, test } from 'vitest';
import { plainHttpHost } from '../support/browser';
import { demoUrl } from '../support/demo';
import { setUpTestBrowser } from '../support/visit';

const testBrowser = setUpTestBrowser();

/** Opens the product at that name, as a new session of the demo login of a role. */
async function visitPlainHttp(role: 'admin' | 'operator') {
  const { session, api } = await testBrowser.visit(role);
  const url = demoUrl().replace('127.0.0.1', plainHttpHost);
  const visitor = await testBrowser.visit(undefined, { url, session });
  return { ...visitor, api };
}

test('an operator reports a problem', async () => {
  const { page, open, api } = await visitPlainHttp('operator');
  const [machine] = (await api<{ data: { id: number }[] }>('GET', 'machines?per_page=1')).data;
  await open(`/machines/${machine?.id}`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report a problem' });
  await dialog.getByText('Leak', { exact: true }).click();
  const words = `Without HTTPS ${crypto.randomUUID()}`;
  await dialog.getByRole('textbox').fill(words);
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await dialog.waitFor({ state: 'detached' });
  const alerts = await api<{ data: { report: string }[] }>(
    'GET',
    `alerts?filter[machine_ids]=${machine?.id}&filter[metric]=reported&sort=-id`,
  );
  expect(alerts.data[0]?.report).toBe(words);
});

test('an Admin copies a new secret', async () => {
  const { page, open } = await visitPlainHttp('admin');
  await open('/account/tokens');
  await page.getByRole('textbox', { name: 'Name' }).fill('Without HTTPS');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  const secret = await dialog.locator('.sl-secret').innerText();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await name.press('Control+v');
  expect(await name.inputValue()).toBe(secret);
});
