/** The page of a run: coverage on the floor plan, replay, figures and print. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { addRobotOnFloor, type RobotOnFloor, runAlongLanes } from '../support/robotOnFloor';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let robot: RobotOnFloor;
let run: number;

/** A full minute, an hour ago, so that the demo's own machines are not involved. */
const end = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000);
const seconds = 200;
const atSecond = (second: number) => new Date(end.getTime() - (seconds - second) * 1000).toISOString();

const findRun = async (machine: number): Promise<number> => {
  const path = `runs?filter[machine_id]=${machine}&filter[source]=reported`;
  return (await admin.api<{ data: { id: number }[] }>('GET', path)).data[0]?.id ?? 0;
};

beforeAll(async () => {
  admin = await testBrowser.visit('admin');
  robot = await addRobotOnFloor(admin);
  await robot.send(
    runAlongLanes(seconds / 25, end, {
      task_name: 'Morning tour',
      outcome: 'partial',
      planned_area_m2: 400,
      cleaned_area_m2: 300,
      interruptions: [
        { at: atSecond(50), reason: 'Emergency stop', resolved_at: atSecond(80) },
        { at: atSecond(150), reason: null, resolved_at: null },
      ],
    }),
  );
  run = await findRun(robot.machine);
});

/** Opens a run and waits for its complete plan. */
async function openRun({ open, page }: Visitor, id = run): Promise<void> {
  await open(`/runs/${id}`);
  await page.locator('.sl-plan-machine').waitFor();
}

describe('the page of a run', () => {
  beforeEach(() => openRun(admin));

  test('draws plan, zones by kind, coverage and interruptions', async () => {
    const { page } = admin;
    const plan = page.getByRole('region', { name: /^The run on the plan of hall-/ });
    await plan.locator('.sl-plan__image').waitFor();
    await plan.locator('.leaflet-coverage-pane img').waitFor();
    for (const name of ['North hall', 'Stairs', 'Charger', 'Start', 'End'])
      await plan.getByText(name, { exact: true }).waitFor();
    const dashPatterns = await plan
      .locator('.leaflet-overlay-pane path')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('stroke-dasharray') ?? 'solid'));
    expect(new Set(dashPatterns)).toEqual(new Set(['solid', '8 5', '2 5']));
    await plan.getByRole('button', { name: /Emergency stop · helped after 30 s/ }).waitFor();
    await plan.getByRole('button', { name: /No reason given · nobody helped/ }).waitFor();
  });

  test('shows its figures as 75%, not 75.00%, and their source', async () => {
    const { page } = admin;
    await page.getByText('Reported by the machine’s maker').waitFor();
    const figures = page.getByRole('region', { name: 'Figures' });
    await figures.getByText('75%', { exact: true }).waitFor();
    await figures.getByText('400 m²', { exact: true }).waitFor();
    await figures.getByText('Partial', { exact: true }).waitFor();
    await figures.getByText('North hall', { exact: true }).waitFor();
    await figures.getByText('0.6 m', { exact: true }).waitFor();
  });

  test('replays the run by keyboard: position, state, speed and battery at each time', async () => {
    const { page } = admin;
    const slider = page.getByRole('slider', { name: 'Moment of the replay' });
    const machineBox = () => page.locator('.sl-plan-machine').boundingBox();
    const boxBefore = await machineBox();
    await slider.focus();
    await slider.press('Home');
    expect(await slider.inputValue()).toBe(String(Date.parse(atSecond(0))));
    const instant = page.locator('.sl-run-moment');
    await instant.getByText('90%').waitFor();
    await instant.getByText('Cleaning').waitFor();
    await instant.getByText('1 m/s').waitFor();
    await expect.poll(machineBox).not.toEqual(boxBefore);
    await slider.press('ArrowRight');
    expect(Number(await slider.inputValue())).toBeGreaterThan(Date.parse(atSecond(0)));
    await slider.press('End');
    await instant.getByText('Charging').waitFor();
  });

  test('plays the replay until it is paused', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Replay' }).press('Space');
    const slider = page.getByRole('slider', { name: 'Moment of the replay' });
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(Date.parse(atSecond(2)));
    await page.getByRole('button', { name: 'Pause' }).press('Space');
    await page.getByRole('button', { name: 'Replay' }).waitFor();
  });

  test('shows the time of an interruption in the replay', async () => {
    const { page } = admin;
    await page
      .getByRole('listitem')
      .getByRole('button', { name: /Emergency stop/ })
      .click();
    const slider = page.getByRole('slider', { name: 'Moment of the replay' });
    await expect.poll(() => slider.inputValue()).toBe(String(Date.parse(atSecond(50))));
  });

  test('zooms and pans by keyboard, and resets the view', async () => {
    const { page } = admin;
    const image = page.locator('.sl-plan__image');
    const width = async () => Math.round((await image.boundingBox())?.width ?? 0);
    const left = async () => Math.round((await image.boundingBox())?.x ?? 0);
    const [fittedWidth, fittedLeft] = [await width(), await left()];
    await page.locator('.sl-plan .leaflet-container').focus();
    await page.keyboard.press('+');
    await expect.poll(width).toBeGreaterThan(fittedWidth);
    const zoomed = await left();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(left).not.toBe(zoomed);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(width).toBe(fittedWidth);
    await expect.poll(left).toBe(fittedLeft);
  });

  test('prints the whole plan as one picture', async () => {
    const { page } = admin;
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('img', { name: /^The run on the plan of/ }).waitFor();
    expect(await page.locator('.sl-plan').isVisible()).toBe(false);
    expect(await page.getByRole('slider').isVisible()).toBe(false);
    // The plan and the coverage, which load separately.
    await expect.poll(() => page.locator('.sl-plan-picture image').count()).toBe(2);
    await page.emulateMedia({ media: 'screen' });
  });
});

test('without a plan shows a grid in metres, and an upload to users who may edit the floor', async () => {
  const robot = await addRobotOnFloor(admin, { hasPlan: false });
  await robot.send(runAlongLanes(2, end));
  await openRun(admin, await findRun(robot.machine));
  const { page } = admin;
  await page.locator('.leaflet-tile-pane canvas').first().waitFor();
  await page.getByText('This floor has no plan yet.').waitFor();
  await page.getByRole('link', { name: 'Upload plan' }).click();
  await expect.poll(admin.path).toBe(`/floors/${robot.floor}`);
  await page.getByRole('button', { name: 'Upload plan' }).waitFor();
});

test('a run without a floor shows how to link one', async () => {
  const { data } = await admin.api<{ data: { id: number } }>('POST', 'runs', {
    machine_id: robot.machine,
    started_at: '2026-01-05T08:00:00Z',
    ended_at: '2026-01-05T09:00:00Z',
  });
  await admin.open(`/runs/${data.id}`);
  await admin.page.getByText('Entered by a person').waitFor();
  await admin.page.getByText('The run is on no floor that is known').waitFor();
  await admin.page.getByRole('link', { name: 'Choose the floor' }).click();
  await expect.poll(admin.path).toBe(`/runs/${data.id}/edit`);
  await admin.page.locator('#field-floor_id').waitFor();
});

test.each([
  { width: 'desktop', dark: false },
  { width: 'phone', dark: true },
] as const)('axe finds nothing at $width width, dark: $dark', async ({ width, dark }) => {
  const visitor = await testBrowser.visit('admin', { width, dark, lang: 'de' });
  await openRun(visitor);
  expect(await findAxeProblems(visitor.page)).toEqual([]);
  const overflow = await visitor.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(visitor.consoleErrors).toEqual([]);
});

test('a day in the calendar of a location opens its runs', async () => {
  const { page, open, path } = admin;
  await open(`/locations/${robot.location}/calendar`);
  const day = page.locator('.sl-calendar').getByRole('link', { name: /m²/ }).first();
  await day.click();
  await expect.poll(path).toMatch(/^\/runs\?filter=/);
  await page.getByRole('link', { name: /Morning tour/ }).waitFor();
});
