/**
 * Every chart has a table one click away. The table is accessible by keyboard, has a name, contains the drawn figures,
 * and works at both widths, in dark mode and on paper.
 */
import type { Locator } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ChartName, chartPages } from '../../src/charts/chartPages';
import { findAxeProblems } from '../support/browser';
import { addRobotOnFloor, runAlongLanes } from '../support/robotOnFloor';
import { setUpTestBrowser, type Visitor } from '../support/visit';

/** Numbers of a table, one array per column except the first. */
type Columns = number[][];

const testBrowser = setUpTestBrowser();
const ids: Record<string, number> = {};
beforeAll(async () => {
  const admin = await testBrowser.visit('admin');
  const findFirst = async (path: string) =>
    (await admin.api<{ data: { id: number; location_id: number }[] }>('GET', path)).data[0];
  const machine = await findFirst('machines?per_page=1&sort=-robotic_time&filter[battery]=>=1');
  ids.machines = machine?.id ?? 0;
  ids.locations = machine?.location_id ?? 0;
  const robot = await addRobotOnFloor(admin);
  // Before today, as in the period of the dashboard.
  await robot.send(runAlongLanes(8, new Date(Math.floor(Date.now() / 60_000 - 26 * 60) * 60_000)));
  ids.runs = (await findFirst(`runs?filter[machine_id]=${robot.machine}&filter[source]=reported`))?.id ?? 0;
});

/** Converts `1,234:30 h` to hours, and `12 %` and `1,234` to the number with which they begin. */
function numberOf(text: string): number {
  const [, hours = '0', minutes = '0'] = /^([\d,.]+)(?::(\d\d))?/.exec(text) ?? [];
  return Number(hours.replaceAll(',', '')) + Number(minutes) / 60;
}

async function readColumns(chart: Locator): Promise<Columns> {
  const rows = await chart
    .locator('.sl-behind tbody tr')
    .evaluateAll((elements) => elements.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText)));
  return (rows[0] ?? []).map((_, column) => rows.map((row) => numberOf(row[column] ?? '')));
}

/** Checks that the bar heights of each series match the figures of the first columns. Bars of zero are not drawn. */
async function compareBars(chart: Locator): Promise<void> {
  const columns = await readColumns(chart);
  const heights = await chart
    .locator('.recharts-surface')
    .first()
    .evaluate((surface, count) => {
      const grid = surface.querySelector('.recharts-cartesian-grid-horizontal line');
      const [left, right] = [Number(grid?.getAttribute('x1')), Number(grid?.getAttribute('x2'))];
      return [...surface.querySelectorAll('g.recharts-bar')].map((bars) => {
        const heights = new Array<number>(count).fill(0);
        for (const bar of bars.querySelectorAll('.recharts-bar-rectangle path')) {
          const [x = 0, width = 0, height = 0] = ['x', 'width', 'height'].map((name) => Number(bar.getAttribute(name)));
          heights[Math.floor(((x + width / 2 - left) / (right - left)) * count)] = height;
        }
        return heights;
      });
    }, columns[0]?.length ?? 0);
  expect(heights.length).toBeGreaterThan(0);
  expectShares(heights, columns.slice(0, heights.length));
}

async function compareTrends(chart: Locator): Promise<void> {
  const pointHeights = await chart.locator('polyline').evaluateAll((lines) =>
    lines.map((line) => {
      const [bottom, top] = [25, 3];
      const heights = (line.getAttribute('points') ?? '')
        .split(' ')
        .map((point) => bottom - Number(point.split(',')[1]));
      return heights.map((height) => height / (bottom - top));
    }),
  );
  const columns = await readColumns(chart);
  expect(columns.length).toBeGreaterThan(0);
  expect(pointHeights.length).toBe(columns.length);
  for (const [index, line] of pointHeights.entries()) expectShares([line], [columns[index] as number[]]);
}

/** Checks that both are equal except for their scale. */
function expectShares(drawnColumns: Columns, figures: Columns): void {
  const shares = (columns: Columns) =>
    columns.map((column) => column.map((value) => value / Math.max(...columns.flat())));
  expect(Math.max(...figures.flat())).toBeGreaterThan(0);
  expect(drawnColumns.map(({ length }) => length)).toEqual(figures.map(({ length }) => length));
  const [left, right] = [shares(drawnColumns).flat(), shares(figures).flat()];
  const farthest = Math.max(...left.map((share, index) => Math.abs(share - (right[index] as number))));
  expect(farthest).toBeLessThan(0.03);
}

const readTableRows = (chart: Locator) =>
  chart
    .locator('.sl-behind tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText)));

/** Checks that the names of the pieces contain the values of their rows. */
async function compareWords(pieces: string[], rows: string[][]): Promise<void> {
  expect(pieces.length).toBeGreaterThan(0);
  expect(pieces.length).toBe(rows.length);
  for (const [index, piece] of pieces.entries())
    for (const word of rows[index]?.slice(0, 3) ?? []) expect(piece).toContain(word);
}

const compare: Record<ChartName, (chart: Locator, visitor: Visitor) => Promise<void>> = {
  area_and_plan: compareBars,
  runs: compareBars,
  states: compareBars,
  modes: compareBars,
  area: compareBars,
  battery: compareBars,
  trends: compareTrends,
  compared_trends: compareTrends,
  sites_today: async (chart, { api }) => {
    const { data } = await api<{ data: { today: { name: string }[] } }>('GET', 'dashboard/performance?days=30');
    const names = (await readTableRows(chart)).map(([name = '']) => name);
    expect(names.sort()).toEqual(data.today.map(({ name }) => name).sort());
  },
  timeline: async (chart) => {
    const pieces = await chart
      .getByRole('button')
      .evaluateAll((elements) => elements.map((piece) => piece.ariaLabel ?? ''));
    await compareWords(pieces, (await readTableRows(chart)).toReversed());
  },
  run_states: async (chart) => {
    const pieces = await chart
      .locator('i')
      .evaluateAll((elements) => elements.map((piece) => piece.getAttribute('title') ?? ''));
    await compareWords(pieces, await readTableRows(chart));
  },
  fleet_timeline: async (chart) => {
    const names = await chart.locator('.sl-fleet__row').allInnerTexts();
    expect(names.length).toBeGreaterThan(0);
    expect((await readTableRows(chart)).slice(0, names.length).map(([name]) => name)).toEqual(names);
    const states = ['cleaning', 'charging', 'parked', 'online', 'offline'];
    const columns = await chart
      .locator('.sl-fleet__bars svg')
      .first()
      .evaluate((svg, order) => {
        const widthOf = (state: string) =>
          [...svg.querySelectorAll('path')]
            .filter((path) => path.getAttribute('fill')?.includes(`-${state})`))
            .flatMap((path) => [...(path.getAttribute('d') ?? '').matchAll(/M(\d+) 4H(\d+)/g)])
            .reduce((sum, [, left, right]) => sum + Number(right) - Number(left), 0);
        return order.map(widthOf);
      }, states);
    const [first] = await readTableRows(chart);
    expectShares([columns], [(first ?? []).slice(1).map(numberOf)]);
  },
};

const names = Object.keys(chartPages) as ChartName[];

describe.each([
  { width: 'desktop', dark: false },
  { width: 'phone', dark: true },
] as const)('at $width width, dark: $dark', ({ width, dark }) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await testBrowser.visit('admin', { width, dark });
  });

  test.each([...new Set(Object.values(chartPages))])('the charts of %s agree with their tables', async (path) => {
    const { page, open, consoleErrors } = visitor;
    const address = path.replace(/\{(\w+)\}/, (_, name: string) => String(ids[name]));
    // The table of the timeline has a row for each machine of the fleet: one location suffices.
    const filter = encodeURIComponent(JSON.stringify({ location_id: ids.locations }));
    await open(path.includes('view=timeline') ? `${address}&filter=${filter}` : address);
    for (const name of names.filter((chart) => chartPages[chart] === path)) {
      const chart = page.locator(`[data-chart=${name}]`);
      const summary = chart.locator('summary');
      // Cards of tables are closed on a phone.
      if (width === 'phone' && name === 'compared_trends')
        await page.locator('.sl-performance__fold', { has: chart }).locator('> summary').click();
      await summary.waitFor();
      const label = await summary.getAttribute('aria-label');
      expect(label).toMatch(/^Show as table: ./);
      await summary.focus();
      await page.keyboard.press('Enter');
      await chart.getByRole('table').last().waitFor();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(label);
      await expect.poll(() => catchFailure(() => compare[name](chart, visitor))).toBe('');
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await findAxeProblems(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    const tables = await page.locator('[data-chart] .sl-behind').all();
    expect(tables.length).toBeGreaterThan(0);
    for (const table of tables)
      expect(await table.evaluate((area) => area.scrollHeight - area.clientHeight)).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: 'screen' });
    expect(consoleErrors).toEqual([]);
  });
});

/** Returns the failure as text, for polling: live figures may change between the reads of a comparison. */
const catchFailure = (work: () => Promise<void>): Promise<string> =>
  work().then(
    () => '',
    (error) => String(error),
  );

test('the label of the last hour of a strip is inside it, also on a phone', async () => {
  const { page, open } = await testBrowser.visit('admin', { width: 'phone', isOwnWindow: true });
  // 8:00 is at 97.8 % of the last 24 hours. Without the header, the page does not learn the server's time.
  await page.clock.setFixedTime(new Date(Date.now() - 86_400_000).setHours(8, 31));
  await page.addInitScript(() => {
    const { get } = Headers.prototype;
    Headers.prototype.get = function (name) {
      return name === 'Date' ? null : get.call(this, name);
    };
  });
  await open(`/machines/${ids.machines}`);
  const findLabelsOutside = () =>
    page.locator('.sl-strip').evaluate((strip) => {
      const { left, right } = (strip.querySelector('.sl-strip__bar') as HTMLElement).getBoundingClientRect();
      return [...strip.querySelectorAll('.sl-strip__hours span')].flatMap((label) => {
        const box = label.getBoundingClientRect();
        return box.left < left || box.right > right ? [`${label.textContent} ends at ${box.right} of ${right}`] : [];
      });
    });
  await page.locator('.sl-strip__hours').getByText('08:00').waitFor();
  await expect.poll(findLabelsOutside).toEqual([]);
});

test.each(['desktop', 'phone'] as const)('the plan is named at the end of its line (%s)', async (width) => {
  const { page, open } = await testBrowser.visit('admin', { width });
  await open('/');
  const chart = page.locator('[data-chart=area_and_plan]');
  const name = chart.locator('.recharts-surface text', { hasText: /^Planned$/ });
  await name.waitFor();
  const readBox = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [text, line, card] = [
    await readBox(name),
    await readBox(chart.locator('.recharts-line-curve').last()),
    await readBox(chart),
  ];
  expect(text.x).toBeGreaterThanOrEqual(line.x + line.width);
  expect(text.x + text.width).toBeLessThanOrEqual(card.x + card.width);
});
