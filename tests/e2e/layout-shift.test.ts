/** The start screen of each role does not shift while it loads on a slow device. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { roleNames } from '../../schema/dsl/entity';
import { loadTranslator } from '../support/loadTranslator';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

const translate = await loadTranslator('en');

interface Shift {
  value: number;
  /** Elements that moved, with old and new positions. */
  moved: string[];
}

/** Layout shifts since the page was opened. */
const readShifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<Shift[]>((resolve) => {
        type Entry = PerformanceEntry & {
          value: number;
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        // Buffered entries arrive at once; a page may have none.
        const observer = new PerformanceObserver((list) => shifts.push(...(list.getEntries() as Entry[])));
        const shifts: Entry[] = [];
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => {
          observer.disconnect();
          resolve(
            shifts.map(({ value, sources }) => ({
              value,
              moved: sources.map(
                ({ node, previousRect: from, currentRect: to }) =>
                  `${(node as Element | null)?.className} ${from.top}+${from.height} → ${to.top}+${to.height}`,
              ),
            })),
          );
        }, 100);
      }),
  );

const allCases = roleNames.flatMap((role) => (['desktop', 'phone'] as const).map((width) => ({ role, width })));
/**
 * Roles with different start screens, at the width of those who use them most; Country Managers and Customer Admins have
 * that of a Partner. `SWEEPLINE_TEST_WHOLE=yes` opens every role's at both widths.
 */
const usualCases: typeof allCases = [
  { role: 'admin', width: 'desktop' },
  { role: 'partner', width: 'desktop' },
  { role: 'site_manager', width: 'phone' },
  { role: 'operator', width: 'phone' },
];
const cases = process.env.SWEEPLINE_TEST_WHOLE === 'yes' ? allCases : usualCases;

/** Opens the start screen on a slow device. Returns the sum of its layout shifts, and the moved elements. */
async function measureShift({ page, context, open }: Visitor): Promise<{ sum: number; shifts: string }> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await open('/');
  await page.getByRole('region', { name: translate('inbox.title') }).waitFor();
  await page.getByRole('link', { name: translate('dashboard.total_users') }).waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
  await page.evaluate(() => document.fonts.ready);
  const shifts = await readShifts(page);
  return { sum: shifts.reduce((total, { value }) => total + value, 0), shifts: JSON.stringify(shifts, undefined, 1) };
}

test.each(cases)('the start screen of $role does not shift at width $width', async ({ role, width }) => {
  const { sum, shifts } = await measureShift(await testBrowser.visit(role, { width, isOwnWindow: true }));
  expect(sum, shifts).toBeLessThan(0.01);
});

test('the page does not shift if its font arrives after its texts', async () => {
  const visitor = await testBrowser.visit('partner', { width: 'phone', isOwnWindow: true });
  const { page } = visitor;
  const texts = page.getByRole('region', { name: translate('inbox.title') });
  await page.route('**/*.woff2', async (route) => {
    await texts.waitFor();
    await route.continue();
  });
  const { sum, shifts } = await measureShift(visitor);
  expect(sum, shifts).toBeLessThan(0.01);
});
