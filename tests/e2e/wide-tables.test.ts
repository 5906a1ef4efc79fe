/** Tables with many columns fit beside the open sidebar of a small laptop: nothing has to be scrolled sideways. */
import { expect, test } from 'vitest';
import { setUpTestBrowser, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
const endedFilter = encodeURIComponent(JSON.stringify({ outcome: ['completed', 'aborted'] }));

test.each(['de', 'pl'])('runs and reports of cleaning, costs and services fit at 1280 pixels (%s)', async (lang) => {
  const { page, open, navigate } = await testBrowser.visit('admin', { lang });
  // The font is only used if it is there at once.
  await open('/account');
  await page.evaluate(() => document.fonts.ready.then(() => true));
  for (const path of [
    `/runs?filter=${endedFilter}`,
    '/reports/cleaning',
    '/reports/cleaning?by=day',
    '/reports/costs',
    '/reports/service',
  ]) {
    await navigate(path);
    await page.locator('table tbody tr').first().waitFor();
    await waitUntilSettled(page);
    const excess = await page
      .locator('.sl-table-scroll, .sl-report')
      .evaluate((box) => Math.max(0, box.scrollWidth - box.clientWidth));
    expect([path, excess]).toEqual([path, 0]);
  }
});
