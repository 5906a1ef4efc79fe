/** Reports on the screen, on paper, as a file and by mail. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { ReportContent } from '../../schema/features/reports';
import { cleanUpAfterwards, setUpTestBrowser, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

/** The last report that the page has received; the demo continues while it is open. */
function collectReports(page: Page): () => ReportContent | undefined {
  let latestReport: ReportContent | undefined;
  page.on('response', async (response) => {
    if (!/\/api\/v1\/reports\/\w+\?/.test(response.url()) || !response.ok()) return;
    const { data } = (await response.json()) as { data: ReportContent };
    latestReport = data;
  });
  return () => latestReport;
}

test('a proof of cleaning is chosen for a location and a month, printed and downloaded', async () => {
  const { page, open, api, path, consoleErrors } = await testBrowser.visit('customer_admin');
  const latestReport = collectReports(page);
  await open('/');
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  await expect.poll(path).toBe('/reports/cleaning');
  const { data: locations } = await api<{ data: { id: number; name: string }[] }>(
    'GET',
    'locations?per_page=1&sort=name&filter[cleaning_plan]=daily',
  );
  const [location] = locations;
  await page.getByRole('combobox', { name: 'Location' }).fill(location?.name ?? '');
  await page.getByRole('option', { name: location?.name, exact: true }).click();
  await expect.poll(path).toContain(`location_id=${location?.id}`);
  const month = await page.getByLabel('Month').inputValue();
  await expect
    .poll(() => [latestReport()?.location?.id, latestReport()?.by, latestReport()?.from])
    .toEqual([location?.id, 'day', `${month}-01`]);
  const total = page.getByRole('row').last();
  const expectedFigure = () => {
    const line = latestReport()?.lines.at(-1);
    return [
      `${line?.cleaned_days} of ${line?.planned_days}`,
      Math.round(Number(line?.area_m2)).toLocaleString('en-GB'),
    ];
  };
  await expect
    .poll(async () => {
      const words = await total.innerText();
      return expectedFigure().every((value) => words.includes(value));
    })
    .toBe(true);
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(latestReport()?.lines.length);

  await page.getByLabel('Lines per').selectOption('location');
  await expect.poll(() => latestReport()?.by).toBe('location');
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(latestReport()?.lines.length);
  await page.reload();
  await waitUntilSettled(page);
  expect(await page.getByLabel('Lines per').inputValue()).toBe('location');

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Excel' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`Proof_of_cleaning_${month}.xlsx`);

  await page.emulateMedia({ media: 'print' });
  await page.getByRole('heading', { name: 'Proof of cleaning', level: 2 }).waitFor();
  for (const hiddenElement of [
    page.getByRole('navigation', { name: 'Navigation' }),
    page.getByLabel('Month'),
    page.getByRole('button', { name: 'Excel' }),
  ])
    await hiddenElement.waitFor({ state: 'hidden' });
  expect(consoleErrors).toEqual([]);
});

test('a report is scheduled from its page, and appears in the list of schedules', async () => {
  const { page, open, api, path } = await testBrowser.visit('customer_admin');
  const { data: clients } = await api<{ data: { id: number; name: string }[] }>('GET', 'clients?per_page=1');
  await open(`/reports/service?client_id=${clients[0]?.id}`);
  const name = `Service due, ${clients[0]?.name}`;
  const readSchedules = async () =>
    (
      await api<{ data: { id: number; name: string; next_due: string | null }[] }>('GET', 'report_schedules')
    ).data.filter((schedule) => schedule.name === name);
  cleanUpAfterwards(async () => {
    for (const { id } of await readSchedules()) await api('DELETE', `report_schedules/${id}`);
  });
  await page.getByRole('link', { name: 'Send regularly' }).click();
  await page.getByRole('heading', { name: 'Send a report regularly' }).waitFor();
  await expect.poll(() => page.locator('#field-name').inputValue()).toBe(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Users is required.').first().waitFor();
  await page.locator('#field-emails').fill('reader@example.com');
  await page.locator('#field-emails').press('Enter');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(path).toMatch(/^\/report_schedules\/\d+/);
  await open('/reports/schedules');
  await page.getByRole('row').filter({ hasText: name }).getByText('Every month').waitFor();
  expect((await readSchedules()).map(({ next_due }) => next_due === null)).toEqual([false]);
});

test('users without price permission are not offered the cost report', async () => {
  const { page, open, path } = await testBrowser.visit('site_manager', { width: 'phone' });
  await open('/reports/costs');
  await expect.poll(path).toBe('/reports/cleaning');
  await waitUntilSettled(page);
  const tabs = page.getByRole('navigation', { name: 'Reports' }).getByRole('link');
  expect(await tabs.allInnerTexts()).toEqual(['Proof of cleaning', 'Proof of cleaning by run', 'Service due']);
  expect(await page.getByRole('button', { name: 'Excel' }).count()).toBe(0);
  await open('/reports/service?date=2035-01-01');
  await page.getByRole('columnheader', { name: 'Contact' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Maintenance so far' }).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
