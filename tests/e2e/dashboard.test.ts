/** Charts of the dashboard: each mark shows its figure and links to the rows that it counts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { stateOrder } from '../../schema/features/dashboard';
import { firstScriptsLimit } from '../support/firstLoad';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('country_manager');
});

const region = (name: string) => visitor.page.getByRole('region', { name, exact: true });

describe('the dashboard', () => {
  test('shows the five states as one bar with segments proportional to their counts', async () => {
    const { page, open, path } = visitor;
    await open('/');
    const states = region('Machines by state');
    for (const state of stateOrder) await states.getByRole('link', { name: new RegExp(`^${state} \\d`) }).waitFor();
    // All values are read together, since the demo changes meanwhile. A state without machines has no segment.
    const [figures, widths] = await states.evaluate((card) => [
      [...card.querySelectorAll('li b')].map(({ textContent }) => Number(textContent?.replace(/\D/g, ''))),
      [...card.querySelectorAll('.sl-states__part')].map((part) => part.getBoundingClientRect().width),
    ]);
    const shares = (values: number[] = []) => {
      const sum = values.reduce((total, value) => total + value, 0);
      return values.filter((value) => value > 0).map((value) => expect.closeTo(value / sum, 1) as number);
    };
    expect(widths?.map((width) => width / widths.reduce((total, value) => total + value, 0))).toEqual(shares(figures));
    await states.getByRole('link', { name: 'Parked' }).click();
    await expect.poll(path).toMatch(/^\/machines\?/);
    await page.getByText(/^[\d,]+ results? found$/).waitFor();
  });

  test('requests the scripts of its figures at once, and each response only once', async () => {
    const { page, open } = visitor;
    await open('/');
    await region('Performance').locator('.sl-trend').first().waitFor();
    const { html, loads } = await page.evaluate(async () => ({
      html: await (await fetch(location.href)).text(),
      loads: performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => ({ path: new URL(name).pathname, startTime })),
    }));
    const firstCall = loads.find(({ path }) => path.startsWith('/api/v1/dashboard'))?.startTime ?? 0;
    const scripts = loads.filter(({ path, startTime }) => path.endsWith('.js') && startTime < firstCall);
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.length).toBeLessThanOrEqual(firstScriptsLimit);
    expect(scripts.filter(({ path }) => !html.includes(path.slice(1)))).toEqual([]);
    // Live events do not cause further requests of these.
    for (const figures of ['performance', 'runs'])
      expect(loads.filter(({ path }) => path === `/api/v1/dashboard/${figures}`)).toHaveLength(1);
  });

  test('aligns the figures of a row, also beside a label of two lines', async () => {
    const { page, open } = await testBrowser.visit('admin', { width: 'phone', lang: 'de' });
    await open('/');
    const people = page.getByRole('region', { name: 'Personen und Unternehmen' });
    await people
      .getByText('Alle Benutzer')
      .evaluate((label) => label.append(', auch die eingeladenen, die sich noch nie angemeldet haben'));
    const cards = await people.getByRole('listitem').evaluateAll((items) =>
      items.map((item) => ({
        row: Math.round(item.getBoundingClientRect().top),
        figure: Math.round(item.querySelector('.sl-figure-value')?.getBoundingClientRect().top ?? 0),
      })),
    );
    expect(cards.length).toBeGreaterThanOrEqual(4);
    const rows = [cards.slice(0, 2), cards.slice(2, 4)];
    for (const [left, right] of rows) expect(left).toEqual(right);
  });

  test('stores the length of its period in the URL', async () => {
    const { page, navigate, path } = visitor;
    await navigate('/');
    const performance = region('Performance');
    await performance.getByRole('combobox').selectOption({ label: 'Last 7 days' });
    await expect.poll(path).toContain('days=7');
    const rows = () => performance.locator('[data-chart=area_and_plan] tbody tr').count();
    await expect.poll(rows).toBe(7);
    await page.reload();
    await expect.poll(rows).toBe(7);
    expect(await performance.getByRole('combobox').inputValue()).toBe('7');
  });

  test('links its charts to the machines of a type, to a client and to the report', async () => {
    const { page, navigate, path, api } = visitor;
    const { data } = await api<{
      data: { types: { name: string; machines: number }[]; compared: { rows: { id: number; name: string }[] } };
    }>('GET', 'dashboard/performance?days=30');
    const [type] = data.types;
    const [client] = data.compared.rows;
    await navigate('/');
    await page.getByRole('link', { name: type?.name, exact: true }).click();
    await page.getByText(new RegExp(`^${type?.machines} results? found$`)).waitFor();
    await page.goBack();
    await page.locator('.sl-compared').getByRole('link', { name: client?.name, exact: true }).click();
    await expect.poll(path).toBe(`/clients/${client?.id}`);
    await page.goBack();
    await page
      .getByRole('link', { name: /^Area cleaned/ })
      .first()
      .click();
    await expect.poll(path).toMatch(/^\/reports\/cleaning\?from=/);
    // The URL changes first: the next test could return to the dashboard before the report has replaced it.
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  });

  test('opens exactly the runs behind a figure', async () => {
    const { page, navigate, path } = visitor;
    await navigate('/');
    const link = region('Performance')
      .getByRole('row', { name: /^Completed/ })
      .getByRole('link')
      .first();
    const linkText = await link.innerText();
    await link.click();
    await expect.poll(path).toMatch(/^\/runs\?/);
    await page.getByText(new RegExp(`^${linkText} results? found$`)).waitFor();
  });

  test('compares sites for users of one client, and opens without errors for operators', async () => {
    const admin = await testBrowser.visit('customer_admin');
    await admin.open('/');
    await admin.page.getByRole('heading', { name: 'Sites compared' }).waitFor();
    const operator = await testBrowser.visit('operator');
    await operator.open('/');
    await operator.page.getByRole('heading', { name: 'Machines by state' }).waitFor();
    expect(operator.consoleErrors).toEqual([]);
  });
});
