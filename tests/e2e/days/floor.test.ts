/**
 * From an empty floor to a printed proof of cleaning: plan, scale, zones, robot map, a run watched live and replayed.
 */
import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Point } from '../../../schema/dsl/polygons';
import { namedRoles } from '../../../schema/shared/roles';
import { formatNumber } from '../../../src/i18n/format';
import { createPointer, readBoundingBox, readCentre } from '../../support/createPointer';
import { runLogInTask } from '../../support/formActions';
import { readPdf } from '../../support/readPdf';
import { readPositionOnPlan } from '../../support/readPositionOnPlan';
import { floorSize, hallDrawing } from '../../support/robotOnFloor';
import { freePort } from '../../support/startCluster';
import {
  createFirstMachine,
  databaseNames,
  type Installation,
  startInstallation,
} from '../../support/startInstallation';
import { cleaningOrder, connectVdaRobot, type VdaRobot } from '../../support/vdaRobot';
import { leavePage, setUpTestBrowser, waitForToast } from '../../support/visit';
import { type Day, dayLanguages, dayTimeout, dayWidths, runDay, screenshotFolder } from '../../support/workingDay';
import {
  createLocation,
  createMachine,
  type DayLocation,
  type DayMachine,
  mountTracker,
} from '../../support/workingDayRows';

const roles = ['site_manager', 'customer_admin'] as const;
const allCases = roles.flatMap((role) =>
  databaseNames.flatMap((database) =>
    dayLanguages.flatMap((language) => dayWidths.map((width) => ({ role, database, language, width }))),
  ),
);
/** The usual case; with `SWEEPLINE_TEST_WHOLE=yes` every combination. */
const usualCases: typeof allCases = [
  { role: 'site_manager', database: 'the embedded database', language: 'de', width: 'phone' },
];
const cases = screenshotFolder || process.env.SWEEPLINE_TEST_WHOLE === 'yes' ? allCases : usualCases;
const databases = [...new Set(cases.map(({ database }) => database))];

const { width_m: width, height_m: height } = floorSize;
const corners: readonly Point[] = [
  [0, 0],
  [width, 0],
];
/** Part of the hall that is to be cleaned. */
const hall: readonly Point[] = [
  [12, 5],
  [26, 5],
  [26, 15],
  [12, 15],
];
/** The robot's names for its map and its action. */
const map = 'level-0';
const order = 'tour-7';
/** Index of the lane point at which somebody presses the emergency stop. */
const stop = 10;
const closeTo = (metres: number) => expect.closeTo(metres, 0);
/** Lanes in that part. */
const lanes = [7, 8, 9].flatMap((y, lane) =>
  Array.from({ length: 7 }, (_, step): Point => [lane % 2 === 0 ? 13 + 2 * step : 25 - 2 * step, y]),
);
/** A first drive across the floor, with which the robot's map is linked. */
const firstDrive = Array.from({ length: 9 }, (_, step): Point => [4 + 4 * step, 3 + 1.75 * step]);

/** Converts a point of the floor to the robot's map, which has another origin and is rotated by 90°. */
const toRobotMap = ([x, y]: Point) => ({ x: y - 3, y: 4 - x });
const stateAt = (point: Point, fields: object) => ({
  agvPosition: { ...toRobotMap(point), theta: 0, mapId: map, positionInitialized: true },
  ...fields,
});
describe.each(databases)('on %s', (database) => {
  const testBrowser = setUpTestBrowser();
  let installation: Installation;
  let mqttPort: number;
  let fleet: { id: number; client_id: number };
  beforeAll(async () => {
    mqttPort = await freePort();
    installation = await startInstallation(database, { MQTT_PORT: String(mqttPort) });
    const { api, signIn } = installation;
    const { token } = await signIn();
    const { data: machine } = await api<{ data: { fleet_id: number } }>(
      'GET',
      `machines/${await createFirstMachine(installation, token)}`,
      { token },
    );
    fleet = (await api<{ data: typeof fleet }>('GET', `fleets/${machine.fleet_id}`, { token })).data;
  });
  afterAll(() => installation.stop());

  test.each(cases.filter((candidate) => candidate.database === database))(
    'a $role sets up a floor and prints a run: $language, $width',
    dayTimeout,
    async ({ role, language, width }) => {
      const session = await installation.signIn();
      const admin = await testBrowser.visit(undefined, { url: installation.server.url, session });
      const { data: roleRows } = await admin.api<{ data: { id: number }[] }>(
        'GET',
        `roles?filter[name]=${namedRoles[role].name}`,
      );
      const access = {
        role_ids: roleRows.map(({ id }) => id),
        client_id: fleet.client_id,
        fleet_ids: role === 'site_manager' ? [fleet.id] : [],
      };
      const screenshotSubfolder = `floor/${database}/${role}`;
      await runDay(
        { testBrowser, admin, access, language, width, screenshotSubfolder, hasTouch: width === 'phone' },
        async (day) => {
          // The installation is deleted as a whole, so no clean-up is needed.
          const preparation = { admin, addCleanUpStep: () => undefined };
          const place = await createLocation(preparation, fleet.id);
          const machine = await createMachine(preparation, place);
          const serial = await mountTracker(preparation, machine);
          const robot = await connectVdaRobot(admin, { port: mqttPort, machine: machine.id, serial });
          day.addCleanUpStep(robot.close);
          await runFloorTasks(day, { place, machine, robot });
        },
      );
    },
  );
});

interface Site {
  place: DayLocation;
  machine: DayMachine;
  robot: VdaRobot;
}

async function runFloorTasks(day: Day, { place, machine, robot }: Site): Promise<void> {
  const { page, translate, task, isPhone, navigate, path } = day;
  await day.context.addInitScript(() => {
    // The browser's print dialog would wait for input.
    window.print = () => undefined;
  });
  const pointer = createPointer(page, isPhone);
  const button = (key: string, options?: Record<string, unknown>) =>
    page.getByRole('button', { name: translate(key, options), exact: true });
  const tab = (key: string) => page.getByRole('main').getByRole('link', { name: translate(key), exact: true });
  const floorName = `Ebene ${machine.serial_number}`;
  const shownPlan = page.getByRole('region', { name: translate('floors.plan_of', { name: floorName }) });
  /** Position in the window of a point on the floor. */
  const readScreenPoint = async (plan: Locator, [x, y]: Point) => {
    await plan.scrollIntoViewIfNeeded();
    const box = await readBoundingBox(plan.locator('.sl-plan__image'));
    return { x: box.x + (x / width) * box.width, y: box.y + (1 - y / height) * box.height };
  };
  const dragTo = async (handle: Locator, plan: Locator, to: Point) => {
    const target = await readScreenPoint(plan, to);
    await pointer.drag(await readCentre(handle), target);
  };

  await runLogInTask(day);

  await task('add a floor with its plan', async () => {
    await navigate(`/locations/${place.id}/floors`);
    await page
      .getByRole('link', { name: translate('resources.floors.add') })
      .first()
      .click();
    await page.locator('#field-name').fill(floorName);
    await button('form.create').click();
    await expect.poll(path).toMatch(/^\/floors\/\d+/);
    await tab('floors.tab_plan').click();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('floors.upload').click()]);
    await chooser.setFiles({ name: 'hall.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(hallDrawing) });
    await button('floors.replace').waitFor();
  });

  await task('set its scale', async () => {
    await button('floors.scale').click();
    await shownPlan.locator('.sl-plan__image').waitFor();
    for (const [index, corner] of corners.entries())
      await dragTo(
        page.getByRole('button', { name: translate('floors.plan_point', { name: 'AB'[index] }) }),
        shownPlan,
        corner,
      );
    await page.getByLabel(translate('floors.distance', { from: 'A', to: 'B' })).fill(String(width));
    const zero = formatNumber(0, { language: day.language, decimals: 2 });
    await page.getByText(translate('floors.error', { mean: zero, largest: zero })).waitFor();
    await button('floors.save_scale').click();
    await waitForToast(page, translate('floors.scale_saved'));
  });

  await task('draw two zones, one of them by keyboard', async () => {
    await button('floors.draw').click();
    for (const corner of hall) await pointer.tap(await readScreenPoint(shownPlan, corner));
    await button('floors.finish').click();
    await page.getByLabel(translate('resources.zones.fields.name')).fill('Halle');
    await page.getByLabel(translate('resources.zones.fields.every_days')).fill('1');
    await button('floors.draw').click();
    await button('floors.add_corner').click();
    for (const [number, keys] of [
      ['1', ['Shift+ArrowRight', 15, 'Enter', 1]],
      ['2', ['Shift+ArrowRight', 2, 'Enter', 1]],
      ['3', ['Shift+ArrowUp', 4]],
    ] as const) {
      const corner = page.getByRole('button', { name: translate('floors.corner', { number }), exact: true });
      await corner.and(page.locator(':focus')).waitFor();
      for (let index = 0; index < keys.length; index += 2)
        for (let time = 0; time < Number(keys[index + 1]); time += 1) await page.keyboard.press(String(keys[index]));
    }
    await button('floors.finish').click();
    await page.getByLabel(translate('resources.zones.fields.name')).fill('Ladestation');
    await page.getByLabel(translate('resources.zones.fields.kind')).selectOption('dock');
    await button('floors.save_zones').click();
    await waitForToast(page, translate('floors.zones_saved'));
  });

  await task('link the map of the robot', async () => {
    for (const point of firstDrive) await robot.send(stateAt(point, { driving: true }));
    await tab('floors.tab_maps').click();
    await button('floors.link_map', { map }).click();
    await shownPlan.locator('.sl-plan__image').waitFor();
    for (const [index, end] of [firstDrive[0], firstDrive.at(-1)].entries())
      await dragTo(
        shownPlan.getByRole('button', { name: translate('floors.plan_point', { name: index + 1 }) }),
        shownPlan,
        end as Point,
      );
    await button('floors.save_map').click();
    await page.getByRole('heading', { name: translate('floors.linked_maps') }).waitFor();
  });

  await task('watch the robot at work', async () => {
    await navigate(`/machines/${machine.id}/location`);
    const live = page.getByRole('region', {
      name: translate('plan.of_machine', { machine: machine.serial_number, name: floorName }),
    });
    await live.locator('.sl-plan__image').waitFor();
    // The drive to the first lane is not part of the run.
    for (const charge of [92, 91])
      await robot.send(
        stateAt(lanes[0] as Point, { driving: true, batteryState: { batteryCharge: charge, charging: false } }),
      );
    for (const index of lanes.keys()) {
      const isStopped = index === stop || index === stop + 1;
      const place = lanes[isStopped ? stop : index] as Point;
      await robot.send({
        ...stateAt(place, cleaningOrder(order, 'RUNNING')),
        driving: !isStopped,
        safetyState: { eStop: isStopped ? 'MANUAL' : 'NONE', fieldViolation: false },
        batteryState: { batteryCharge: 90 - index, charging: false },
      });
      if (index % 7 === 3) await expect.poll(() => readPositionOnPlan(live, floorSize)).toEqual(place.map(closeTo));
    }
    await robot.send(stateAt(lanes.at(-1) as Point, cleaningOrder(order, 'FINISHED')));
  });

  const findRun = async () => {
    const filter = `filter[machine_id]=${machine.id}&filter[source]=reported`;
    return (await day.admin.api<{ data: { id: number }[] }>('GET', `runs?${filter}`)).data[0]?.id;
  };
  await task('open its run as soon as it has ended', async () => {
    await tab('resources.runs.plural').click();
    await expect.poll(findRun).toBeGreaterThan(0);
    const run = `/runs/${await findRun()}`;
    await page.getByRole('main').locator(`a[href="${run}"]`).first().click();
    await expect.poll(path).toBe(run);
    await page.locator('.sl-plan-machine').waitFor();
    await page.locator('.leaflet-coverage-pane img').waitFor();
    await page
      .getByRole('region', { name: translate('plan.figures') })
      .getByText('Halle')
      .waitFor();
  });

  await task('replay the run', async () => {
    const slider = page.getByRole('slider', { name: translate('map.moment') });
    await slider.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await readBoundingBox(slider);
    const pointAt = (share: number) => ({ x: x + width * share, y: y + height / 2 });
    await pointer.drag(pointAt(0.99), pointAt(0.3));
    const instant = Number(await slider.inputValue());
    const [start, end] = [Number(await slider.getAttribute('min')), Number(await slider.getAttribute('max'))];
    expect((instant - start) / (end - start)).toBeCloseTo(0.3, 1);
    const point = lanes[Math.round(((instant - start) / (end - start)) * lanes.length)] as Point;
    await expect
      .poll(async () => (await readPositionOnPlan(page.locator('.sl-plan'), floorSize))[1])
      .toBeCloseTo(point[1], 0);
    await page
      .getByRole('listitem')
      .getByRole('button', { name: new RegExp(translate('plan.reasons.stopped_by_hand')) })
      .click();
  });

  await task('print the run', async () => {
    const paper = await readPdf(await page.pdf({ format: 'A4' }));
    expect(paper.missing([machine.serial_number, floorName, 'Halle', translate('plan.by_path')])).toEqual([]);
    // The plan, and the coverage drawn on it.
    expect(paper.pictures).toBeGreaterThanOrEqual(2);
  });

  await task('print the proof of cleaning', async () => {
    await day.openFromMenu('/');
    await leavePage(page, () => page.getByRole('link', { name: translate('reporting.title') }).click());
    await tab('resources.report_schedules.choices.report.runs').click();
    // By default the report shows the previous month.
    await page.getByLabel(translate('reporting.month')).selectOption({ index: 0 });
    await page.getByLabel(translate('reporting.detail')).selectOption('run');
    await page.getByRole('cell', { name: machine.serial_number }).first().waitFor();
    await page.locator('.sl-run-pictures image').nth(1).waitFor({ state: 'attached' });
    await button('reporting.print').click();
    const paper = await readPdf(await page.pdf({ format: 'A4', landscape: true }));
    expect(paper.missing([place.name, machine.serial_number, floorName])).toEqual([]);
    expect(paper.pictures).toBeGreaterThanOrEqual(2);
  });
}
