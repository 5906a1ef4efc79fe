/** Actions of the search: choosing an action, then its target, by keyboard and within the user's permissions. */
import { describe, expect, test } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { findAxeProblems } from '../support/browser';
import { loadTranslator } from '../support/loadTranslator';
import { callApi, type Session, setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

interface Machine {
  id: number;
  serial_number: string;
  location_id: number | null;
  tracker_id: number | null;
}

const translate = await loadTranslator('en');
const field = ({ page }: Visitor) => page.locator('.sl-palette input');
const optionsOf = ({ page }: Visitor, title: string) => page.getByRole('group', { name: title }).getByRole('option');

/** Opens the search, types an action and chooses it, by keyboard. */
async function chooseAction(visitor: Visitor, action: string): Promise<void> {
  await visitor.page.keyboard.press('Control+k');
  await field(visitor).waitFor();
  await visitor.page.keyboard.type(action);
  await optionsOf(visitor, translate('palette.actions')).filter({ hasText: action }).first().waitFor();
  await moveTo(visitor, action);
  await visitor.page.keyboard.press('Enter');
}

/** Moves to the option with this text. */
async function moveTo({ page }: Visitor, text: string): Promise<void> {
  const selectedOption = page.getByRole('option', { selected: true });
  for (let steps = 0; steps < 20 && !(await selectedOption.textContent())?.includes(text); steps += 1)
    await page.keyboard.press('ArrowDown');
  expect(await selectedOption.textContent()).toContain(text);
}

/** Types a target and chooses it. */
async function chooseTarget(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.locator('.sl-palette-action').waitFor();
  await visitor.page.keyboard.type(name);
  const options = visitor.page.getByRole('option');
  await expect
    .poll(async () => [await options.count(), await options.filter({ hasText: name }).count()])
    .toEqual([1, 1]);
  await visitor.page.keyboard.press('Enter');
}

/** Tabs to the button with this text, and presses it. */
async function pressButton({ page }: Visitor, text: string): Promise<void> {
  const readFocusedText = () => page.evaluate(() => document.activeElement?.textContent);
  for (let steps = 0; steps < 30 && (await readFocusedText()) !== text; steps += 1) await page.keyboard.press('Tab');
  expect(await readFocusedText()).toBe(text);
  await page.keyboard.press('Enter');
}

describe('by keyboard alone', () => {
  test('a problem of a machine is reported, and its alert is acknowledged', async () => {
    const visitor = await testBrowser.visit('customer_admin');
    const { page, api, open } = visitor;
    const { data } = await api<{ data: Machine[] }>('GET', 'machines?per_page=1&sort=-serial_number');
    const machine = data[0] as Machine;
    const words = `Drips ${Date.now().toString(36)}`;
    await open('/account');
    await chooseAction(visitor, translate('alerting.report.open'));
    await chooseTarget(visitor, machine.serial_number);
    const dialog = page.getByRole('dialog', { name: translate('alerting.report.open') });
    await dialog.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    for (let steps = 0; steps < 5 && !(await isTextArea(visitor)); steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.type(words);
    await pressButton(visitor, translate('alerting.report.send'));
    await dialog.waitFor({ state: 'detached' });
    const readAlert = async () =>
      (
        await api<{ data: { id: number; report: string; state: string }[] }>(
          'GET',
          `alerts?per_page=20&filter[machine_ids]=${machine.id}`,
        )
      ).data.find(({ report }) => report === words);
    await expect.poll(readAlert).toMatchObject({ state: 'open' });

    const { id } = (await readAlert()) as { id: number };
    await open(`/alerts/${id}`);
    await page.keyboard.press('Control+k');
    await optionsOf(visitor, (await page.locator('h1').textContent()) ?? '')
      .first()
      .waitFor();
    await page.keyboard.type(translate('alerting.acknowledge'));
    await expect
      .poll(() => page.getByRole('option', { selected: true }).textContent())
      .toContain(translate('alerting.acknowledge'));
    await page.keyboard.press('Enter');
    await page.getByText(translate('inbox.acted.acknowledge')).waitFor();
    await expect.poll(readAlert).toMatchObject({ state: 'acknowledged' });
    await api('POST', `alerts/${id}/close`, {});
    expect(visitor.consoleErrors).toEqual([]);
  });

  test('a machine is moved from its page, with undo', async () => {
    const visitor = await testBrowser.visit('admin');
    const { page, api, open } = visitor;
    const { data } = await api<{ data: Machine[] }>('GET', 'machines?per_page=1&filter[location_id.not]=null');
    const machine = data[0] as Machine;
    const places = await api<{ data: { id: number; name: string }[] }>(
      'GET',
      `locations?per_page=1&filter[id.not]=${machine.location_id}`,
    );
    const place = places.data[0];
    await open(`/machines/${machine.id}`);
    await page.keyboard.press('Control+k');
    await optionsOf(visitor, machine.serial_number).first().waitFor();
    await page.keyboard.type(translate('many.move'));
    await moveTo(visitor, translate('many.move'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(translate('many.move_location')).focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('combobox').focus();
    await page.keyboard.type(place?.name ?? '');
    await page.getByRole('option', { name: place?.name, exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await pressButton(visitor, translate('many.move_button', { counted: '1 machine' }));
    const result = page.getByRole('region', { name: translate('many.result') });
    await result.waitFor();
    const readLocation = async () => (await api<{ data: Machine }>('GET', `machines/${machine.id}`)).data.location_id;
    expect(await readLocation()).not.toBe(machine.location_id);
    await result.getByRole('button', { name: translate('many.undo') }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(readLocation).toBe(machine.location_id);
    expect(visitor.consoleErrors).toEqual([]);
  });

  test('the dialog to assign a tracker and a label open; Backspace leaves the chosen action', async () => {
    const visitor = await testBrowser.visit('admin');
    const { page, api, open, path } = visitor;
    const { data } = await api<{ data: Machine[] }>('GET', 'machines?per_page=1&sort=-id');
    const machine = data[0] as Machine;
    await open('/account');
    await chooseAction(visitor, translate('palette.assign_tracker'));
    await chooseTarget(visitor, machine.serial_number);
    await page.getByRole('dialog').getByText(machine.serial_number).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await chooseAction(visitor, translate('alerting.close'));
    await page.locator('.sl-palette-action').waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.sl-palette-action').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await chooseAction(visitor, translate('labels.one'));
    await chooseTarget(visitor, machine.serial_number);
    await expect.poll(path).toBe(`/machines/labels?ids=${machine.id}`);
    await page.locator('.sl-label').waitFor();
    expect(visitor.consoleErrors).toEqual([]);
  });
});

const isTextArea = ({ page }: Visitor) => page.evaluate(() => document.activeElement?.tagName === 'TEXTAREA');

test.each(roleNames)('%s is offered only permitted actions', async (role: RoleName) => {
  const visitor = await testBrowser.visit(role);
  const claims = visitor.session?.user_token.split('.')[1] ?? '';
  const { permissions } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { permissions: string[] };
  const requiredPermissions = {
    'alerting.report.open': ['machines.report'],
    'palette.assign_tracker': ['trackers.edit', 'machines.edit', 'trackers.list'],
    'many.move': ['machines.edit'],
    'alerting.acknowledge': ['alerts.acknowledge'],
    'trackers.unassign': ['trackers.edit', 'machines.edit'],
    'clients.move_location': ['locations.edit'],
    'labels.one': ['machines.list'],
  };
  await visitor.open('/account');
  await visitor.page.keyboard.press('Control+k');
  const group = optionsOf(visitor, translate('palette.actions'));
  await group.filter({ hasText: translate('labels.one') }).waitFor();
  const names = await group.locator('.sl-palette-name').allInnerTexts();
  for (const [key, codes] of Object.entries(requiredPermissions))
    expect([key, names.includes(translate(key))]).toEqual([key, codes.every((code) => permissions.includes(code))]);
});

test('a user with a custom role is offered the actions that it permits', async () => {
  const admin = await testBrowser.visit('admin');
  const { data: permissions } = await admin.api<{ data: { id: number; code_name: string }[] }>(
    'GET',
    'permissions?per_page=1000',
  );
  const tag = Date.now().toString(36);
  const permittedCodes = ['alerts.list', 'alerts.show', 'alerts.acknowledge'];
  const { data: role } = await admin.api<{ data: { id: number } }>('POST', 'roles', {
    name: `Watch ${tag}`,
    scope: 'all',
    permission_ids: permissions.filter(({ code_name }) => permittedCodes.includes(code_name)).map(({ id }) => id),
  });
  const [language] = (await admin.api<{ data: { id: number }[] }>('GET', 'languages?filter[two_letter_code]=en')).data;
  const person = { email: `watch.${tag}@demo.sweepline.example`, password: 'Clean!Floor7' };
  const { data: user } = await admin.api<{ data: { id: number } }>('POST', 'users', {
    ...person,
    first_name: 'Wanda',
    last_name: 'Watch',
    language_id: language?.id,
    role_ids: [role.id],
    password_confirmation: person.password,
  });
  const session = await callApi<Session>('POST', '/api/v1/login', { body: person });
  const visitor = await testBrowser.visit(undefined, { isOwnWindow: true });
  const storedSession = JSON.stringify({ sb: true, lang: 'en', t: session.token, ut: session.user_token });
  await visitor.context.addInitScript((value) => localStorage.setItem('sweepline', value), storedSession);
  await visitor.open('/account');
  await visitor.page.keyboard.press('Control+k');
  const group = optionsOf(visitor, translate('palette.actions'));
  await group.first().waitFor();
  expect(await group.locator('.sl-palette-name').allInnerTexts()).toEqual([
    translate('alerting.acknowledge'),
    translate('alerting.close'),
  ]);
  for (const path of [`users/${user.id}`, `roles/${role.id}`]) await admin.api('DELETE', path);
});

test.each([
  ['desktop', 'en'],
  ['phone', 'de'],
] as const)('both steps have no axe violations and fit on the screen (%s, %s)', async (width, lang) => {
  const visitor = await testBrowser.visit('operator', { width, lang });
  const words = await loadTranslator(lang);
  const { page, open } = visitor;
  await open('/account');
  await page.getByRole('button', { name: words('palette.title') }).click();
  await field(visitor).fill(words('alerting.report.open'));
  await page.getByRole('option', { name: words('alerting.report.open') }).click();
  await page.locator('.sl-palette-action').waitFor();
  await page.getByRole('option').first().waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  const { right, width: dialogWidth } = await page.locator('.sl-palette').evaluate((dialog) => ({
    right: Math.max(...[...dialog.querySelectorAll('*')].map((child) => child.getBoundingClientRect().right)),
    width: dialog.getBoundingClientRect().right,
  }));
  expect(right).toBeLessThanOrEqual(dialogWidth);
  await page.getByRole('option').first().click();
  await page.getByRole('dialog', { name: words('alerting.report.open') }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
});
