/** On a computer or phone whose clock is wrong, pages count from the server's time. */
import { expect, test } from 'vitest';
import { formatDayOf } from '../../src/i18n/format';
import { setUpTestBrowser } from '../support/visit';

const testBrowser = setUpTestBrowser();

test.each([
  ['35 minutes behind', -35],
  ['a day ahead', 24 * 60],
])('with a clock that is %s, times are those of a right clock', async (_, minutes) => {
  const visitor = await testBrowser.visit('admin', { isOwnWindow: true });
  const { page, open, api } = visitor;
  await page.addInitScript((milliseconds) => {
    const { now } = Date;
    const shiftedNow = () => now() + milliseconds;
    globalThis.Date = class extends Date {
      constructor(...parts: ConstructorParameters<typeof Date> | []) {
        super(...((parts.length === 0 ? [shiftedNow()] : parts) as ConstructorParameters<typeof Date>));
      }
      static override now = shiftedNow;
    } as DateConstructor;
  }, minutes * 60_000);
  const { data } = await api<{ data: { id: number; location: { time_zone: string } }[] }>(
    'GET',
    'machines?filter[status]=Parked&per_page=1&include=location',
  );
  const [machine] = data;
  const isCurrent = (text: string) => text === 'now' || /^\d+ minutes? ago$/.test(text);

  await open('/machines?sort=last_seen&order=DESC');
  const seenTexts = await page.locator('main tbody td time').allTextContents();
  expect(seenTexts.length).toBeGreaterThan(5);
  expect(seenTexts.filter((text) => !isCurrent(text))).toEqual([]);

  // The last segment of the timeline lasts until now.
  await open(`/machines/${machine?.id}`);
  const bar = page.locator('.sl-strip__bar').first();
  await bar.locator('button').first().waitFor();
  const gap = await bar.evaluate((element) => {
    const rightOf = (target: Element) => target.getBoundingClientRect().right;
    return rightOf(element) - Math.max(...[...element.children].map(rightOf));
  });
  expect(gap).toBeLessThan(3);

  await page.getByRole('main').getByRole('link', { name: 'Service', exact: true }).click();
  await page.getByRole('button', { name: 'Add service entry' }).click();
  const form = page.getByRole('form', { name: 'Add service entry' });
  await expect
    .poll(() => form.getByLabel(/^Date/).first().inputValue())
    .toBe(formatDayOf(Date.now(), machine?.location.time_zone));
  expect(visitor.consoleErrors).toEqual([]);
});
