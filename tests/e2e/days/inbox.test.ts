/**
 * The inbox by keyboard alone: find an item, see its cause, assign it, snooze another one and bring it back. The
 * assignee sees the item.
 */
import { expect, onTestFinished, test } from 'vitest';
import { loadTranslator } from '../../support/loadTranslator';
import { credentialsOf, setUpTestBrowser, type Visitor, waitUntilSettled } from '../../support/visit';

const testBrowser = setUpTestBrowser();

const translate = await loadTranslator('en');

test('an item is found, understood and assigned without a mouse', async () => {
  const assigner = await testBrowser.visit('customer_admin');
  const { page, api, open, path, consoleErrors } = assigner;
  const siteManager = await testBrowser.visit('site_manager');
  const uniqueSuffix = Date.now().toString(36);
  const { data: machines } = await siteManager.api<{ data: { id: number; serial_number: string }[] }>(
    'GET',
    'machines?per_page=2',
  );
  const alerts: number[] = [];
  onTestFinished(async () => {
    for (const id of alerts) await api('POST', `alerts/${id}/close`, {}).catch(() => undefined);
  });
  for (const [index, { id }] of machines.entries()) {
    const report = { problem: index === 0 ? 'leak' : 'noise', report: `Seen at ${uniqueSuffix}`, is_out_of_use: true };
    const { data } = await siteManager.api<{ data: { id: number } }>('POST', `machines/${id}/problems`, report);
    alerts.push(data.id);
  }
  const [leaking] = machines;
  const rowOf = (visitor: Visitor) =>
    visitor.page
      .getByRole('region', { name: translate('inbox.title') })
      .getByRole('listitem')
      .filter({ hasText: leaking?.serial_number })
      .filter({ hasText: uniqueSuffix });

  // Find: the bell opens the first row, arrow keys move to the others.
  await open('/machines');
  const bell = page.locator('.sl-bell');
  await expect.poll(() => bell.getAttribute('aria-label')).not.toBe(translate('inbox.bell_none'));
  await bell.focus();
  await page.keyboard.press('Enter');
  await rowOf(assigner).waitFor();
  const focusedKey = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-key]')?.dataset.key);
  await expect.poll(focusedKey).toBeTruthy();
  const target = await rowOf(assigner).getAttribute('data-key');
  for (let steps = 0; (await focusedKey()) !== target && steps < 20; steps += 1) await page.keyboard.press('ArrowDown');
  expect(await focusedKey()).toBe(target);

  // See why: the text is in the row, Enter opens it, and Back returns to the inbox.
  await page.keyboard.press('Enter');
  await expect.poll(path).toBe(`/alerts/${alerts[0]}`);
  await page.getByText(`Seen at ${uniqueSuffix}`).first().waitFor();
  await page.goBack();
  await rowOf(assigner).getByRole('link').focus();

  // Snooze and bring back.
  await page.keyboard.press('s');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Enter');
  await rowOf(assigner).waitFor({ state: 'detached' });
  const snoozedButton = page.getByRole('button', {
    name: new RegExp(translate('inbox.aside', { smart_count: 1 }).replace('1', '\\d+')),
  });
  await snoozedButton.focus();
  await page.keyboard.press('Enter');
  await rowOf(assigner).getByRole('link').focus();
  await page.keyboard.press('a');
  await rowOf(assigner).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: translate('inbox.back') }).focus();
  await page.keyboard.press('Enter');
  await rowOf(assigner).getByRole('link').focus();

  // Assign to a user.
  await page.keyboard.press('e');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.keyboard.type(credentialsOf('site_manager').email);
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  for (let steps = 0; steps < 6; steps += 1) {
    const name = await page.evaluate(() => document.activeElement?.textContent);
    if (name === translate('inbox.acts.assign')) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await rowOf(assigner).waitFor({ state: 'detached' });

  // The assignee sees the item, and takes care of it.
  await siteManager.open('/');
  const [name, assignerName] = [siteManager, assigner].map(
    ({ session }) => `${session?.user.first_name} ${session?.user.last_name}`,
  );
  await rowOf(siteManager)
    .getByText(translate('inbox.given', { name, by: assignerName }))
    .waitFor();
  await rowOf(siteManager).getByRole('link').focus();
  await siteManager.page.keyboard.press('a');
  await rowOf(siteManager).waitFor({ state: 'detached' });
  await waitUntilSettled(siteManager.page);
  const { data: alert } = await api<{ data: { state: string } }>('GET', `alerts/${alerts[0]}`);
  expect(alert.state).toBe('acknowledged');
  expect([...consoleErrors, ...siteManager.consoleErrors]).toEqual([]);
});
