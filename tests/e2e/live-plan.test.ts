/** A machine on its floor plan, at the position of its last message. */
import { beforeAll, expect, test } from 'vitest';
import { readPositionOnPlan } from '../support/readPositionOnPlan';
import { addRobotOnFloor, floorSize, observationAt, type RobotOnFloor } from '../support/robotOnFloor';
import { responseTo, setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let robot: RobotOnFloor;
let second = 0;
/** Sends a message; each is a second later than the previous one. */
const report = (x: number, y: number) => {
  second += 1;
  return robot.send([observationAt(new Date(Date.now() + second * 1000), { x, y, theta: 0 }, { battery: 80 })]);
};

beforeAll(async () => {
  admin = await testBrowser.visit('admin');
  robot = await addRobotOnFloor(admin);
  await report(5, 5);
});

test('the mark moves with each message, without a reload', async () => {
  const { page } = admin;
  const eventStream = responseTo(page, /^\/api\/v1\/events(\?|$)/);
  await admin.open(`/machines/${robot.machine}/location`);
  await eventStream;
  const plan = page.getByRole('region', { name: /on the plan of hall-/ });
  await plan.locator('.sl-plan__image').waitFor();
  await plan.locator('.sl-plan-machine').waitFor();
  await page.getByText('5.0 m, 5.0 m').waitFor();
  const delays: number[] = [];
  // The test machine may be busy at times, but not during all attempts.
  for (let round = 0; round === 0 || (round < 5 && Math.min(...delays) >= 2500); round += 1)
    for (const [x, y] of [
      [35, 15],
      [10, 12],
      [20, 4],
    ] as const) {
      const start = performance.now();
      await report(x, y);
      await page.getByText(`${x}.0 m, ${y}.0 m`).waitFor();
      delays.push(performance.now() - start);
      await expect
        .poll(() => readPositionOnPlan(plan, floorSize))
        .toEqual([x, y].map((metres) => expect.closeTo(metres, 0)));
    }
  expect(Math.min(...delays)).toBeLessThan(2500);
});

test('a floor without a plan shows its name, and an upload to users who may edit it', async () => {
  const robot = await addRobotOnFloor(admin, { hasPlan: false });
  await admin.open(`/machines/${robot.machine}/location`);
  await admin.page.getByText(/^The floor hall-\w+ has no plan yet\./).waitFor();
  await admin.page.getByRole('link', { name: 'Upload plan' }).click();
  await expect.poll(admin.path).toBe(`/floors/${robot.floor}`);
  await admin.page.getByRole('button', { name: 'Upload plan' }).waitFor();
});
