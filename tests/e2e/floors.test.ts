/** The floor page: plan, scale, zones, robot maps and coverage. */
import type { Locator, Page } from 'playwright';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RoleName } from '../../schema/dsl/entity';
import { findAxeProblems } from '../support/browser';
import { demoUrl } from '../support/demo';
import { setUpTestBrowser, type Visitor, waitForToast } from '../support/visit';

/** By default each task is done by one of them. In days/floor.test.ts both do both. */
const roles = ['site_manager', 'customer_admin'] as const;
const isWhole = process.env.SWEEPLINE_TEST_WHOLE === 'yes';
const testBrowser = setUpTestBrowser();
let admin: Visitor;
beforeAll(async () => {
  admin = await testBrowser.visit('admin');
});

/** A hall of 40 by 20 m; 100 pixels are 10 m. */
const plan = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 400 200">
  <rect width="400" height="200" fill="#fff"/><rect x="10" y="10" width="380" height="180" fill="none" stroke="#000"/>
</svg>`;

/** Adds a floor at a location in the user's scope. */
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

/** Clicks points of the plan, given as fractions of its width and height from the upper left corner. */
async function clickPlan(map: Locator, places: readonly [number, number][]): Promise<void> {
  const box = await map.boundingBox();
  if (!box) throw new Error('The plan is not shown.');
  for (const [x, y] of places) await map.click({ position: { x: box.width * x, y: box.height * y } });
}

const pressKey = async (page: Page, key: string, times: number) => {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
};

test.each<RoleName>(
  isWhole ? roles : ['site_manager'],
)('as %s a plan is uploaded and scaled, and zones are drawn by mouse and keyboard', async (role) => {
  const visitor = await testBrowser.visit(role);
  const { page, open, api, consoleErrors } = visitor;
  const floor = await addFloor(visitor);
  // The former URL of the plan, when it was a later tab.
  await open(`/floors/${floor.id}/plan`);
  await expect.poll(visitor.path).toBe(`/floors/${floor.id}`);
  await uploadPlan(page);
  await page
    .getByRole('region', { name: /^Plan of / })
    .locator('img.sl-plan__image')
    .waitFor();

  await page.getByRole('button', { name: 'Set scale' }).click();
  const point = page.getByRole('button', { name: 'Point A on the plan' });
  await point.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  // The first two points are half the width apart.
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
  await pressKey(page, 'Shift+ArrowLeft', 5);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Corner 2', exact: true }).and(page.locator(':focus')).waitFor();
  await pressKey(page, 'Shift+ArrowRight', 3);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Corner 3', exact: true }).and(page.locator(':focus')).waitFor();
  await pressKey(page, 'Shift+ArrowLeft', 1);
  await pressKey(page, 'Shift+ArrowUp', 4);
  await page.getByText('Area: 8.0 m²').waitFor();
  await page.getByRole('button', { name: 'Finish zone' }).click();
  await page.getByLabel('Name').fill('Dock');
  await page.getByLabel('Kind').selectOption('dock');
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save zones' }).click();
  await waitForToast(page, 'Zones saved');

  const readZones = async () =>
    (await api<{ data: Record<string, unknown>[] }>('GET', `zones?filter[floor_id]=${floor.id}&sort=name`)).data;
  expect(await readZones()).toMatchObject([
    { name: 'Corner', kind: 'clean', every_days: 2 },
    { name: 'Dock', kind: 'dock', area_m2: 8 },
  ]);

  // Splits a zone.
  await page.getByRole('button', { name: /^Dock / }).click();
  await page.getByRole('button', { name: 'Split zone' }).click();
  await page.getByRole('button', { name: 'Split here' }).click();
  await page.getByRole('button', { name: /^Dock 2 / }).waitFor();
  await page.getByRole('button', { name: 'Save zones' }).click();
  await page.getByRole('button', { name: 'Save zones' }).waitFor({ state: 'detached' });
  const zones = await readZones();
  expect(zones.map(({ name }) => name)).toEqual(['Corner', 'Dock', 'Dock 2']);
  expect(Number(zones[1]?.area_m2) + Number(zones[2]?.area_m2)).toBeCloseTo(8, 1);
  expect(consoleErrors).toEqual([]);
});

/**
 * Adds a robot at the location that has driven two lanes of 8 m, on a map in decimetres. Resolves to the machine and the
 * times of its run.
 */
async function driveRobot(location: number, map: string): Promise<{ machine: number; start: number; end: number }> {
  const { api } = admin;
  const { data: site } = await api<{ data: { fleet_id: number } }>('GET', `locations/${location}`);
  const { data: tracker } = await api<{ data: { id: number } }>('POST', 'trackers', {
    refno: map,
    tracker_or_serial: map,
  });
  const { data: machine } = await api<{ data: { id: number } }>('POST', 'machines', {
    serial_number: map,
    custom_type: 'Prototype',
    fleet_id: site.fleet_id,
    location_id: location,
    tracker_id: tracker.id,
  });
  onTestFinished(async () => {
    await api('DELETE', `machines/${machine.id}`);
    await api('DELETE', `trackers/${tracker.id}`);
  });
  const { data } = await api<{ data: { secret: string } }>('POST', `trackers/${tracker.id}/secret`);
  // Starts after the machine was assigned to the location.
  const start = Date.now() + 100;
  const lanes = [4, 14].flatMap((y, lane) => [0, 20, 40, 60, 80].map((x) => ({ x: lane === 0 ? x : 80 - x, y })));
  const end = start + (lanes.length - 1) * 500;
  await expect.poll(() => Date.now()).toBeGreaterThan(end);
  const response = await fetch(`${demoUrl()}/api/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(
      lanes.map((place, index) => ({
        at: new Date(start + index * 500).toISOString(),
        state: 'cleaning',
        floor: { map_id: map, ...place },
      })),
    ),
  });
  expect(await response.json()).toMatchObject({ data: { stored: lanes.length } });
  return { machine: machine.id, start, end };
}

test.each<RoleName>(
  isWhole ? roles : ['customer_admin'],
)('as %s the map of a robot is linked, and its coverage is shown with the cleaned zone', async (role) => {
  const visitor = await testBrowser.visit(role);
  const { page, open, navigate, api, consoleErrors } = visitor;
  const { id, location } = await addFloor(visitor);
  await admin.api('PATCH', `floors/${id}`, { width_m: 20, height_m: 10 });
  await admin.api('POST', 'zones', {
    name: 'Strip',
    floor_id: id,
    kind: 'clean',
    every_days: 2,
    polygon: [
      [5, 1],
      [13, 1],
      [13, 3],
      [5, 3],
    ],
  });
  const map = `map-${Date.now()}`;
  const { machine, start, end } = await driveRobot(location, map);

  await open(`/floors/${id}/maps`);
  await page.getByText(map, { exact: true }).first().waitFor();
  await page.getByRole('button', { name: `Link ${map} to the floor` }).click();
  const fill = async (values: Record<string, number>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(String(value));
  };
  await fill({ 'Point 1: x on the map': 0, 'Point 1: y on the map': 4 });
  await fill({ 'Point 1: x on the plan (m)': 5, 'Point 1: y on the plan (m)': 1.4 });
  await fill({ 'Point 2: x on the map': 80, 'Point 2: y on the map': 14 });
  await fill({ 'Point 2: x on the plan (m)': 13, 'Point 2: y on the plan (m)': 2.4 });
  await page.getByText('Remaining error: 0.00 m, at most 0.00 m.').waitFor();
  await page.getByText('0.1000 m per unit').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save map' }).click();
  await page.getByRole('heading', { name: 'Maps on this floor' }).waitFor();
  const { data: floor } = await api<{ data: { maps: { transformation: object }[] } }>('GET', `floors/${id}`);
  expect(floor.maps).toMatchObject([
    { map_id: map, transformation: { x: expect.closeTo(5, 6), y: expect.closeTo(1, 6), mirrored: false } },
  ]);

  await admin.api('POST', 'runs', {
    machine_id: machine,
    floor_id: id,
    started_at: new Date(start).toISOString(),
    ended_at: new Date(end).toISOString(),
  });
  await navigate(`/floors/${id}/coverage`);
  await page.getByText('1 run', { exact: false }).first().waitFor();
  const row = page.getByRole('row', { name: /^Strip/ });
  // Two lanes of 0.6 m in a strip of 2 m.
  await row.getByText(/^(5[5-9]|6\d)%$/).waitFor();
  expect(await row.getByText('Not seen').count()).toBe(0);
  await page.locator('.leaflet-coverage-pane img').waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  expect(consoleErrors).toEqual([]);
});
