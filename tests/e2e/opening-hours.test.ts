/** Opening hours in the form and on the page of a location, by keyboard and on a phone. */
import { expect, test } from 'vitest';
import { findFleet } from '../support/testMachine';
import { cleanUpAfterwards, setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

async function addLocation(api: Visitor['api'], values: object): Promise<number> {
  const name = `Hours ${Date.now()}`;
  const place = { name, address: 'Platz 1', city: 'Hamburg', postal_code: '20095' };
  const { id: fleet_id } = await findFleet({ api });
  const { data } = await api<{ data: { id: number } }>('POST', 'locations', { ...place, fleet_id, ...values });
  cleanUpAfterwards(() => api('DELETE', `locations/${data.id}`));
  return data.id;
}

test('opening hours are entered per day, copied, validated and shown', async () => {
  const { page, api, open, path } = await testBrowser.visit('admin', { width: 'phone' });
  const { data: countries } = await api<{ data: { id: number }[] }>('GET', 'countries?filter[name]=Germany');
  const id = await addLocation(api, { time_zone: 'Europe/Berlin', holiday_country_id: countries[0]?.id });
  const nextYear = new Date().getFullYear() + 1;
  await open(`/locations/${id}/edit`);
  await page.getByRole('button', { name: 'Enter weekly hours' }).press('Enter');
  const opens = page.getByLabel('Monday opens');
  await opens.fill('25');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/Opening hours: enter two different times/)
    .first()
    .waitFor();
  await opens.fill('22');
  await opens.press('Tab');
  await page.keyboard.type('6');
  await page.getByRole('button', { name: 'Copy to all days: Monday' }).press('Enter');
  await page.getByRole('button', { name: 'Remove hours: Sunday, 22:00–06:00' }).press('Enter');
  await page.getByLabel('Public holidays', { exact: true }).selectOption('closed');
  await page.getByRole('button', { name: 'Add exception' }).press('Enter');
  await page.getByLabel('First day').first().fill(`24.12.${nextYear}`);
  await page.getByLabel('Region of public holidays').selectOption('Bayern – Stadt Augsburg');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(path).toBe(`/locations/${id}`);
  for (const text of ['Mon–Sat', '22:00–06:00', `24.12.${nextYear}`]) await page.getByText(text).first().waitFor();
  await page.getByText(/^(Open|Closed) until \d\d\.\d\d\.\d{4} \d\d:\d\d/).waitFor();
  const savedLocation = await api<{ data: { opening_hours: { text: string }; holiday_region: string } }>(
    'GET',
    `locations/${id}`,
  );
  expect(savedLocation.data.holiday_region).toBe('DE-BY-A');
  expect(savedLocation.data.opening_hours.text).toBe(`Mo-Sa 22:00-06:00; PH off; ${nextYear}-12-24 off`);
});

test('the calendar shades the days on which a site does not open, and names the shading', async () => {
  const { page, api, open } = await testBrowser.visit('admin');
  const id = await addLocation(api, { time_zone: 'Africa/Lagos' });
  const path = `/locations/${id}/calendar`;
  const cells = page.locator('.sl-calendar tbody td:not(:last-child)');
  const shadedColumns = async (opening_hours: string | null) => {
    await api('PATCH', `locations/${id}`, { opening_hours });
    await open(path);
    await cells.nth(27).waitFor();
    const shadedDays = await cells.evaluateAll((days) =>
      days.flatMap((day, column) => {
        const shade = day.querySelector('.sl-closed-day');
        if (!shade) return [];
        const [dayBox, shadeBox] = [day.getBoundingClientRect(), shade.getBoundingClientRect()];
        const isAligned = Math.abs(shadeBox.left - dayBox.left) < 1 && Math.abs(shadeBox.right - dayBox.right) < 1;
        return [{ column, isWeekend: (day as HTMLElement).dataset.weekend === 'true', isAligned }];
      }),
    );
    expect(await page.getByText('Closed all day', { exact: true }).count()).toBe(shadedDays.length > 0 ? 1 : 0);
    return shadedDays;
  };
  expect(await shadedColumns('Mo-Su 06:00-18:00')).toEqual([]);
  await page.getByTitle('Opening hours: 06:00–18:00').first().waitFor({ state: 'attached' });
  const weekends = await shadedColumns('Mo-Fr 22:00-24:00; Sa off; Su off');
  expect(weekends).toHaveLength(8);
  expect(weekends.every(({ isWeekend, isAligned }) => isWeekend && isAligned)).toBe(true);
  expect(await shadedColumns(null)).toEqual([]);
});
