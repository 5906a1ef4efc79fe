/**
 * Three tasks by keyboard alone, each from the start of a page: finding an item, seeing its cause, assigning it. Every
 * step relies on visible focus and takes a limited number of keys.
 */
import { expect } from 'vitest';
import { createKeyboard } from '../../support/keyboard';
import { credentialsOf, waitUntilSettled } from '../../support/visit';
import { type Day, screenshotFolder, workingDay } from '../../support/workingDay';
import { createLocation, createMachine, type DayMachine } from '../../support/workingDayRows';

/** The assignee, who sees the sites of the demo's Site Manager like the other roles below. */
const { email } = credentialsOf('site_manager');

/** Adds a machine with a reported problem at a site of the Site Manager. */
async function addReportedProblem(day: Day): Promise<DayMachine & { report: string }> {
  const { admin, addCleanUpStep } = day;
  const { data } = await admin.api<{ data: { fleet_ids: number[] }[] }>('GET', `users?filter[email]=${email}`);
  const machine = await createMachine(day, await createLocation(day, data[0]?.fleet_ids[0] as number));
  const report = `Seen at ${Date.now().toString(36)}`;
  const problem = { problem: 'leak', report, is_out_of_use: true };
  const problemAlert = await admin.api<{ data: { id: number } }>('POST', `machines/${machine.id}/problems`, problem);
  addCleanUpStep(() => admin.api('POST', `alerts/${problemAlert.data.id}/close`, {}));
  return { ...machine, report };
}

/** The item about the machine in the assignee's inbox. */
async function readAssigneeItem(day: Day, serialNumber: string) {
  const assignee = await day.visit('site_manager');
  const { data } = await assignee.api<{ data: { items: { names: string[]; assignee: string | null }[] } }>(
    'GET',
    'inbox',
  );
  await assignee.close();
  return data.items.find(({ names }) => names.includes(serialNumber));
}

const roles = ['country_manager', 'site_manager'] as const;
const isWhole = screenshotFolder || process.env.SWEEPLINE_TEST_WHOLE === 'yes';
// Shortcuts, inbox and dialogs do not depend on the role.
for (const role of isWhole ? roles : roles.slice(0, 1))
  workingDay(role, ['en', 'desktop'], async (day) => {
    const { page, translate, task, open, path, me } = day;
    const { serial_number, report } = await addReportedProblem(day);
    const keyboard = createKeyboard(page);
    const ownItem = new RegExp(serial_number);
    const anyItem = /.+: .+/;

    await task('log in', async () => {
      await open('/login');
      await keyboard.pressUntil('Tab', translate('login.email'), 5);
      await keyboard.type(me.email);
      await keyboard.pressUntil('Tab', translate('login.password'), 3);
      await keyboard.type(me.password);
      await keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: translate('dashboard.title') }).waitFor();
    });

    await task('find an item past the navigation, by Tab and arrow keys', async () => {
      await open('/');
      keyboard.restart();
      await keyboard.press('Tab');
      await keyboard.expectFocus(translate('ra.navigation.skip_nav'));
      await keyboard.press('Enter');
      await page.getByRole('region', { name: translate('inbox.title') }).waitFor();
      const isFocusInInbox = () => page.evaluate(() => Boolean(document.activeElement?.closest('#inbox [data-key]')));
      while (!(await isFocusInInbox()) && keyboard.count() < 30) await keyboard.press('Tab');
      await keyboard.pressUntil('ArrowDown', ownItem, 10);
      expect(keyboard.count()).toBeLessThanOrEqual(25);
    });

    await task('see its cause from any page, and return', async () => {
      await open('/machines');
      keyboard.restart();
      await keyboard.press('g');
      await keyboard.press('i');
      await keyboard.expectFocus(anyItem);
      await keyboard.pressUntil('ArrowDown', ownItem, 10);
      await page.getByRole('listitem').filter({ hasText: serial_number }).getByText(report).waitFor();
      await keyboard.press('Enter');
      await expect.poll(path).toMatch(/^\/alerts\/\d+$/);
      await page.getByText(report).first().waitFor();
      await waitUntilSettled(page);
      expect(keyboard.count()).toBeLessThanOrEqual(13);
      // The shortcut opens the inbox again and focuses the row.
      await keyboard.press('g');
      await keyboard.press('i');
      await keyboard.expectFocus(anyItem);
    });

    await task('assign the item to a user', async () => {
      await open('/');
      keyboard.restart();
      await keyboard.press('g');
      await keyboard.press('i');
      await keyboard.expectFocus(anyItem);
      await keyboard.pressUntil('ArrowDown', ownItem, 10);
      await keyboard.press('e');
      await keyboard.expectFocus(translate('inbox.person'));
      await keyboard.type(email);
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await keyboard.press('Enter');
      await keyboard.pressUntil('Tab', new RegExp(`^${translate('inbox.acts.assign')}$`), 5);
      await keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => page.locator('.sl-inbox-row').filter({ hasText: serial_number }).count()).toBe(0);
      // Either the next row, or the title of an empty inbox.
      await keyboard.expectFocus(/.+/);
      expect(keyboard.count()).toBeLessThanOrEqual(20);
      expect(await readAssigneeItem(day, serial_number)).toMatchObject({ assignee: expect.stringMatching(/.+ .+/) });
    });
  });
