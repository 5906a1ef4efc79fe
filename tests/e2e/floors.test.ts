/** The page of a floor: its plan, scale, zones, maps of robots and coverage, as those who run a site use it. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { axeProblems } from '../support/browser';
import { openTestBrowser, type TestBrowser, type Visitor } from '../support/visit';

let testBrowser: TestBrowser;
let admin: Visitor;
beforeAll(async () => {
  testBrowser = await openTestBrowser();
  admin = await testBrowser.visit('admin');
});
afterAll(() => testBrowser.close());

/** A hall of 40 by 20, drawn at 100 to one. */
const plan = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 400 200">
  <rect width="400" height="200" fill="#fff"/><rect x="10" y="10" width="380" height="180" fill="none" stroke="#000"/>
</svg>`;

/** A floor at a site that the person sees. */
async function addFloor({ api }: Visitor): Promise<{ id: number; location: number }> {
  const { data: locations } = await api<{ data: { id: number }[] }>('GET', 'locations?per_page=1');
  const location = locations[0]?.id as number;
  const { data } = await api<{ data: { id: number } }>('POST', 'floors', {
    name: `Floor ${Date.now()}`,
    location_id: location,
    level: 90,
  });
  onTestFinished(async () => {
    await admin.api('DELETE', `floors/${data.id}`);
  });
  return { id: data.id, location };
}

async function uploadPlan(page: Page): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload plan' }).click(),
  ]);
  await chooser.setFiles({ name: 'hall.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(plan) });
  await page.getByRole('button', { name: 'Replace plan' }).waitFor();
}

/** Clicks places of the plan, as shares of its width and height from the upper left corner. */
async function clickPlan(map: Locator, places: readonly [number, number][]): Promise<void> {
  const box = await map.boundingBox();
  if (!box) throw new Error('The plan is not shown.');
  for (const [x, y] of places) await map.click({ position: { x: box.width * x, y: box.height * y } });
}

const press = async (page: Page, key: string, times: number) => {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
};

test.each<RoleName>([
  'site_manager',
  'customer_admin',
])('as %s a plan is uploaded, scaled, and zones are drawn by mouse and by keyboard', async (role) => {
  const visitor = await testBrowser.visit(role);
  const { page, open, api, consoleErrors } = visitor;
  const floor = await addFloor(visitor);
  await open(`/floors/${floor.id}/plan`);
  await uploadPlan(page);

  await page.getByRole('button', { name: 'Set scale' }).click();
  const point = page.getByRole('button', { name: 'Point A on the plan' });
  await point.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  // Between the first two points lies half of the width.
  await page.getByLabel('Distance A–B (m)').fill('20');
  await page.getByText('The plan is 40.00 m wide and 20.00 m deep.').waitFor();
  await page.getByText('Remaining error: 0.00 m, at most 0.00 m.').waitFor();
  await page.getByRole('button', { name: 'Save scale' }).click();
  await page.getByRole('button', { name: 'Draw zone' }).waitFor();

  const map = page.getByRole('region', { name: /^Plan of / });
  await page.getByRole('button', { name: 'Draw zone' }).click();
  await clickPlan(map, [
    [0.3, 0.4],
    [0.5, 0.6],
    [0.5, 0.4],
    [0.3, 0.6],
  ]);
  await page.getByText('The sides of the outline must not touch or cross').waitFor();
  expect(await page.getByRole('button', { name: 'Finish zone' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/^Area: [\d.]+ m²$/).waitFor();
  await page.getByRole('button', { name: 'Finish zone' }).click();
  await page.getByLabel('Name').fill('Corner');
  await page.getByLabel('Every n days').fill('2');

  await page.getByRole('button', { name: 'Draw zone' }).click();
  await page.getByRole('button', { name: 'Add corner' }).click();
  await page.getByRole('button', { name: 'Corner 1', exact: true }).and(page.locator(':focus')).waitFor();
  await press(page, 'Shift+ArrowLeft', 5);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Corner 2', exact: true }).and(page.locator(':focus')).waitFor();
  await press(page, 'Shift+ArrowRight', 3);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Corner 3', exact: true }).and(page.locator(':focus')).waitFor();
  await press(page, 'Shift+ArrowLeft', 1);
  await press(page, 'Shift+ArrowUp', 4);
  await page.getByText('Area: 8.0 m²').waitFor();
  await page.getByRole('button', { name: 'Finish zone' }).click();
  await page.getByLabel('Name').fill('Dock');
  await page.getByLabel('Kind').selectOption('dock');
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save zones' }).click();
  await page.getByText('Zones saved').waitFor();

  const read = async () =>
    (await api<{ data: Record<string, unknown>[] }>('GET', `zones?filter[floor_id]=${floor.id}&sort=name`)).data;
  expect(await read()).toMatchObject([
    { name: 'Corner', kind: 'clean', every_days: 2 },
    { name: 'Dock', kind: 'dock', area_m2: 8 },
  ]);

  // Split in two, and moved by its corner.
  await page.getByRole('button', { name: /^Dock / }).click();
  await page.getByRole('button', { name: 'Split zone' }).click();
  await page.getByRole('button', { name: 'Split here' }).click();
  await page.getByRole('button', { name: /^Dock 2 / }).waitFor();
  await page.getByRole('button', { name: 'Save zones' }).click();
  await page.getByRole('button', { name: 'Save zones' }).waitFor({ state: 'detached' });
  const zones = await read();
  expect(zones.map(({ name }) => name)).toEqual(['Corner', 'Dock', 'Dock 2']);
  expect(Number(zones[1]?.area_m2) + Number(zones[2]?.area_m2)).toBeCloseTo(8, 1);
  expect(consoleErrors).toEqual([]);
});
