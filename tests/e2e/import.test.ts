/**
 * A file of another system becomes machines: mapped, validated, corrected, committed, undone. On a desktop in English,
 * and on a phone in German.
 */
import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import german from '../../locales/de/ui.json';
import english from '../../locales/en/ui.json';
import { findAxeProblems } from '../support/browser';
import { setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();

const variants = [
  { width: 'desktop', lang: 'en', texts: english.imports, inStock: 'In stock', fleet: 'Fleet' },
  { width: 'phone', lang: 'de', texts: german.imports, inStock: 'Auf Lager', fleet: 'Flotte' },
] as const;

/** Headings are unique per file, since a saved mapping for equal headings would be applied. */
const csvLines = (serial: string) =>
  [
    `Serial number;Machine type;Status;Price;Warranty ${serial}`,
    `${serial}-1;Sweeper;Ready to deploy;abc;24`,
    `${serial}-2;Sweeper;Ready to deploy;1.299,50;24`,
  ].join('\r\n');

const send = (page: Page, name: string, content: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

async function expectNoProblems({ page, consoleErrors }: Visitor): Promise<void> {
  await waitUntilSettled(page);
  expect(await findAxeProblems(page)).toEqual([]);
  expect(consoleErrors).toEqual([]);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(isWide).toBe(false);
}

/** Fills the number into a text with a placeholder. */
const countText = (text: string, count: number) =>
  new RegExp(
    `^(${text
      .split('||||')
      .map((form) => form.trim().replace('%{smart_count}', String(count)))
      .join('|')})$`,
  );

describe.each(variants)('an import on $width in $lang', ({ width, lang, texts, inStock, fleet }) => {
  test('creates the rows of a file, and undoes it', async () => {
    const visitor = await testBrowser.visit('admin', { width, lang });
    const { page, open, api, consoleErrors } = visitor;
    const serial = `IMP-${width}-${Date.now()}`;
    const { data: types } = await api<{ data: { id: number; name: string }[] }>('GET', 'types?per_page=1');
    await open('/machines/import');
    await expectNoProblems(visitor);
    await send(page, 'assets.csv', csvLines(serial).replaceAll('Sweeper', types[0]?.name ?? ''));

    await page.getByRole('heading', { name: texts.columns_title }).waitFor();
    await page.getByText(texts.left_out_unknown).waitFor();
    // A field with unique values cannot have the same value in all rows.
    expect(
      await page.getByRole('combobox', { name: texts.fixed_add }).locator('option[value=serial_number]').count(),
    ).toBe(0);
    await page.getByLabel('Status', { exact: true }).selectOption('stock_state');
    const picker = page.getByRole('combobox', { name: fleet, exact: true });
    await picker.click();
    await page.getByRole('listbox').getByRole('option').first().click();
    await expectNoProblems(visitor);
    const checkButton = page.getByRole('button', { name: texts.check, exact: true });
    // With reduced motion, the text of one state never appears on the colour of another state.
    const colours = await checkButton.evaluate((button: HTMLButtonElement) =>
      [false, true, false].map((disabled) => {
        button.disabled = disabled;
        return getComputedStyle(button).backgroundColor;
      }),
    );
    expect(new Set(colours).size).toBe(2);
    expect(colours[2]).toBe(colours[0]);
    await page.route(/\/check$/, (route) => route.abort(), { times: 1 });
    await checkButton.click();
    const error = page.locator('.sl-toast[data-type=error]');
    await error.waitFor();
    await checkButton.click();
    // The error disappears once the call succeeds.
    await error.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    consoleErrors.splice(0);

    await page.getByRole('button', { name: texts.explain }).click();
    const meaningPicker: Locator = page.locator('.sl-import-words select');
    await meaningPicker.selectOption({ label: inStock });
    await expectNoProblems(visitor);
    await page.locator('.sl-import-words').getByRole('button', { name: texts.check }).click();

    // The previous rows stay until they have been validated again.
    await page.locator('.sl-import-missing').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.sl-import-rows .sl-field-problem').count()).toBe(1);
    await page.getByRole('status').filter({ hasText: texts.blocked }).waitFor();
    const price = page.getByRole('textbox', { name: 'Price, 2' });
    await price.fill('12,50');
    await price.press('Enter');
    await page.getByRole('button', { name: texts.all, pressed: true }).waitFor();
    const commit = page.getByRole('button', { name: countText(texts.commit, 2) });
    await commit.waitFor();
    await expectNoProblems(visitor);
    await commit.click();

    await page.getByRole('heading', { name: texts.report_done }).waitFor();
    await expectNoProblems(visitor);
    const { data: createdRows } = await api<{ data: { id: number; price: string; stock_state: string }[] }>(
      'GET',
      `machines?filter[serial_number]=${serial}&sort=id`,
    );
    expect(createdRows).toMatchObject([
      { price: '12.50', stock_state: 'in_stock' },
      { price: '1299.50', stock_state: 'in_stock' },
    ]);
    await page.getByRole('button', { name: texts.undo }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: texts.undo }).click();
    await page.getByRole('heading', { name: texts.report_undone }).waitFor();
    await expectNoProblems(visitor);
    for (const { id } of createdRows) await api('DELETE', `machines/${id}?permanent=1`);
  });

  // The longer texts on the narrower screen suffice.
  if (width === 'desktop' && process.env.SWEEPLINE_TEST_WHOLE !== 'yes') return;
  test('reports files that cannot be read or have no rows, and can be cancelled', async () => {
    const visitor = await testBrowser.visit('admin', { width, lang });
    const { page, open } = visitor;
    await open('/machines/import');
    await send(page, 'picture.xlsx', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    await page.locator('.sl-drop [role=alert]').filter({ hasText: 'xlsx' }).waitFor();
    // Errors must look different from hints.
    const colours = await page
      .locator('.sl-drop > p')
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).color));
    expect(new Set(colours).size).toBe(colours.length);
    // The browser logs every rejected call.
    expect(visitor.consoleErrors.splice(0)).toHaveLength(1);
    await send(page, 'empty.csv', 'serial_number\n');
    await page.getByRole('heading', { name: texts.report_failed }).waitFor();
    await expectNoProblems(visitor);
    await page.getByRole('link', { name: texts.another }).click();
    await page.getByRole('button', { name: texts.choose }).waitFor();
    await send(page, 'given-up.csv', `serial_number\n${Date.now()}\n`);
    await page.getByRole('button', { name: texts.without_change }).click();
    await page.getByRole('button', { name: texts.cancel }).click();
    await page.getByRole('heading', { name: texts.report_cancelled }).waitFor();
    await expectNoProblems(visitor);
  });
});
