/** Issue "Power tools", item 5: reports on the screen, on paper and as a file. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReportAnswer } from '../../schema/reports';
import { type House, openHouse, settled } from '../support/visit';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

test('a proof of cleaning is chosen for a client and a month, printed and taken along', async () => {
  const { page, open, api, path, complaints } = await house.visit('admin');
  await open('/');
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  await expect.poll(path).toBe('/reports/cleaning');
  const { data: clients } = await api<{ data: { id: number; name: string }[] }>('GET', 'clients?per_page=1&sort=name');
  const [client] = clients;
  await page.getByRole('combobox', { name: 'Client' }).fill(client?.name ?? '');
  await page.getByRole('option', { name: client?.name }).click();
  await expect.poll(path).toContain(`client_id=${client?.id}`);
  await settled(page);
  const month = await page.getByLabel('Month').inputValue();
  const { data: answer } = await api<{ data: ReportAnswer }>('GET', `reports/cleaning?client_id=${client?.id}&month=${month}`);
  const total = answer.lines.at(-1);
  const last = page.getByRole('row').last();
  await expect.poll(() => last.innerText()).toContain(`${total?.cleaned_days} of ${total?.planned_days}`);
  expect(await last.innerText()).toContain(Math.round(Number(total?.area_m2)).toLocaleString('en-GB'));
  expect(await page.getByRole('rowheader').count()).toBe(answer.lines.length);

  await page.getByLabel('Lines per').selectOption('location');
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(answer.lines.filter(({ level }) => level !== 'day').length);
  await page.reload();
  await settled(page);
  expect(await page.getByLabel('Lines per').inputValue()).toBe('location');

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Excel' }).click()]);
  expect(file.suggestedFilename()).toBe(`Proof_of_cleaning_${month}.xlsx`);

  await page.emulateMedia({ media: 'print' });
  const letterhead = page.getByRole('heading', { name: 'Proof of cleaning', level: 2 });
  await letterhead.waitFor();
  for (const hidden of [page.getByRole('navigation', { name: 'Navigation' }), page.getByLabel('Month'), page.getByRole('button', { name: 'Excel' })])
    expect(await hidden.isVisible()).toBe(false);
  expect(complaints).toEqual([]);
});

test('whoever sees no prices finds no report of them', async () => {
  const { page, open, path } = await house.visit('customer_admin', { width: 'phone' });
  await open('/reports/costs');
  await expect.poll(path).toBe('/reports/cleaning');
  await settled(page);
  const tabs = page.getByRole('navigation', { name: 'Reports' }).getByRole('link');
  expect(await tabs.allInnerTexts()).toEqual(['Proof of cleaning', 'Service due']);
  await tabs.last().click();
  await page.getByRole('columnheader', { name: 'Contact' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Maintenance so far' }).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
