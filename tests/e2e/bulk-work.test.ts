/** Manual work: bulk changes, single cells, files, labels. Each test leaves the demo unchanged. */
import { beforeAll, describe, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { addTestMachine, findFleet } from '../support/testMachine';
import { cleanUpAfterwards, setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin');
});

interface Machine {
  id: number;
  serial_number: string;
  fleet_id: number;
  location_id: number | null;
}
interface Fleet {
  id: number;
  name: string;
  working_radius: number;
}

async function addFleet(name: string, working_radius = 900): Promise<Fleet> {
  const { client_id } = await findFleet(visitor);
  const { data } = await visitor.api<{ data: Fleet }>('POST', 'fleets', { name, client_id, working_radius });
  cleanUpAfterwards(() => visitor.api('DELETE', `fleets/${data.id}`));
  return data;
}

/** Opens the list of fleets with a search. */
async function openFleets(search: string, count: number): Promise<void> {
  await visitor.open(`/fleets?filter=${encodeURIComponent(JSON.stringify({ search }))}`);
  await expect.poll(() => visitor.page.locator('main tbody tr[data-id]').count()).toBe(count);
}

const checkboxes = () => visitor.page.locator('main tbody input[type=checkbox]');

describe('bulk work on machines', () => {
  test('moves them to another fleet, showing their previous one, and undoes it', async () => {
    const { page } = visitor;
    const { data } = await visitor.api<{ data: Machine[] }>('GET', 'machines?per_page=100&sort=serial_number');
    const first = data.find(({ location_id }) => location_id !== null) as Machine;
    const fleets = await visitor.api<{ data: { id: number; name: string }[] }>('GET', 'fleets?per_page=2');
    const fleet = fleets.data.find(({ id }) => id !== first.fleet_id) as { id: number; name: string };
    const readPlacement = async () => {
      const { fleet_id, location_id } = (await visitor.api<{ data: Machine }>('GET', `machines/${first.id}`)).data;
      return [fleet_id, location_id];
    };
    await visitor.open(`/machines?filter=${encodeURIComponent(JSON.stringify({ search: first.serial_number }))}`);
    await checkboxes().first().check();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 1 machine to a fleet' });
    await dialog.getByRole('row').nth(1).waitFor();
    await dialog.getByRole('combobox', { name: 'New fleet' }).fill(fleet.name);
    await dialog.getByRole('option', { name: fleet.name, exact: true }).first().click();
    expect(await findAxeProblems(page)).toEqual([]);
    // The error appears above the dialog, which keeps the choice.
    await page.route(/\/api\/v1\/machines$/, (route) => route.abort(), { times: 1 });
    await dialog.getByRole('button', { name: 'Move 1 machine' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'cannot be reached' }).click();
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Move 1 machine' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('1 machine changed').waitFor();
    expect((await readPlacement())[0]).not.toBe(first.fleet_id);
    expect(await findAxeProblems(page)).toEqual([]);
    // A failed undo can be retried.
    await page.route(/\/api\/v1\/machines$/, (route) => route.abort(), { times: 1 });
    await result.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await result.getByRole('button', { name: 'Undo' }).click();
    await result.getByText('1 machine: taken back').waitFor();
    expect(await readPlacement()).toEqual([first.fleet_id, first.location_id]);
  });

  test('names the rows in use and deletes nothing', async () => {
    const { page } = visitor;
    const uniqueSuffix = Date.now().toString(36);
    for (const name of ['A', 'B'].map((suffix) => `Used ${suffix} ${uniqueSuffix}`))
      await addTestMachine(visitor, { fleet_id: (await addFleet(name)).id });
    await openFleets(uniqueSuffix, 2);
    await checkboxes().nth(0).check();
    await checkboxes().nth(1).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 fleets' }).click();
    const refusalDialog = page.getByRole('alertdialog', { name: 'Nothing was changed' });
    await expect.poll(() => refusalDialog.locator('a[href^="/fleets/"]').count()).toBe(2);
    expect(await refusalDialog.getByRole('link', { name: /^\d+ machines?$/ }).count()).toBe(2);
    await refusalDialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('region', { name: '2 selected' }).waitFor();
    const { total } = await visitor.api<{ total: number }>('GET', `fleets?filter[search]=${uniqueSuffix}`);
    expect(total).toBe(2);
  });

  test('prints labels, even for all matching rows', async () => {
    const { page } = visitor;
    await visitor.open(`/machines?filter=${encodeURIComponent(JSON.stringify({ stock_state: ['in_repair'] }))}`);
    const { total } = await visitor.api<{ total: number }>('GET', 'machines?per_page=1&filter[stock_state]=in_repair');
    await page.getByLabel('Select all rows of this page').check();
    await page.getByRole('button', { name: /^Select all/ }).click();
    await page.getByRole('link', { name: 'Print labels' }).click();
    await expect.poll(() => page.locator('.sl-label').count()).toBe(total);
  });
});

test('a machine has its own label', async () => {
  const { data } = await visitor.api<{ data: Machine[] }>('GET', 'machines?per_page=1');
  await visitor.open(`/machines/${data[0]?.id}`);
  await visitor.page.getByRole('link', { name: 'Print label' }).click();
  await expect.poll(() => visitor.page.locator('.sl-label').count()).toBe(1);
  await visitor.page.getByLabel('First label at position').fill('5');
  await waitUntilSettled(visitor.page);
  expect(await visitor.page.locator('.sl-label').textContent()).toContain(data[0]?.serial_number);
});

test('selected users can be blocked but not deleted, and the menu lists the blocked ones', async () => {
  const { page } = visitor;
  await visitor.open('/users');
  await checkboxes().first().check();
  await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('menuitemcheckbox', { name: 'Blocked users' }).click();
  await expect.poll(() => page.getByText(/Nobody is blocked|Unblock/).count()).toBeGreaterThan(0);
});

test('built-in roles can be selected for an export, but not for deletion', async () => {
  const { page } = visitor;
  await visitor.open(`/roles?filter=${encodeURIComponent(JSON.stringify({ search: 'Site Manager' }))}`);
  await checkboxes().first().check();
  await page.getByRole('button', { name: 'Export selection' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
});

describe('a single cell', () => {
  const initialRadius = 900;
  const readRadius = async ({ id }: Fleet) =>
    (await visitor.api<{ data: Fleet }>('GET', `fleets/${id}`)).data.working_radius;
  const radius = () => visitor.page.locator('main tbody tr').first().locator('[data-cell="working_radius"]');

  test('can be reached by arrow keys and edited in place; Escape discards the edit', async () => {
    const { page } = visitor;
    const fleet = await addFleet(`Cell ${Date.now()}`, initialRadius);
    await openFleets(fleet.name, 1);
    await page.locator('main tbody tr').first().focus();
    for (let step = 0; step < 9 && !(await radius().evaluate((cell) => cell === document.activeElement)); step += 1)
      await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F2');
    const input = page.getByRole('textbox', { name: /^Working radius/ });
    await input.fill('-1');
    await page.keyboard.press('Enter');
    await page.locator('.sl-cell-editor .sl-field-problem').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => input.count()).toBe(0);
    expect(await readRadius(fleet)).toBe(initialRadius);
    await page.keyboard.press('Enter');
    await input.fill('4711');
    await page.keyboard.press('Enter');
    await expect.poll(() => readRadius(fleet)).toBe(4711);
    await expect.poll(() => radius().textContent()).toContain('4,711');
  });

  test('can be overwritten after another user has changed it meanwhile', async () => {
    const { page } = visitor;
    const fleet = await addFleet(`Cell ${Date.now()}`, initialRadius);
    await openFleets(fleet.name, 1);
    await radius().dblclick({ position: { x: 8, y: 8 } });
    const input = page.getByRole('textbox', { name: /^Working radius/ });
    await input.waitFor();
    await visitor.api('PUT', `fleets/${fleet.id}`, { working_radius: 901 });
    await input.fill('902');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Somebody changed this in the meantime' });
    await dialog.getByRole('button', { name: 'Save this version' }).click();
    await expect.poll(() => readRadius(fleet)).toBe(902);
  });
});

test('a machine is dragged to another fleet of its client, and the move is undone', async () => {
  const { page } = visitor;
  const fleets = (
    await visitor.api<{ data: { id: number; name: string; client_id: number }[] }>('GET', 'fleets?per_page=100')
  ).data;
  const machines = (await visitor.api<{ data: (Machine & { client_id: number })[] }>('GET', 'machines?per_page=100'))
    .data;
  const machine = machines.find(
    ({ location_id, client_id }) =>
      location_id !== null && fleets.filter((fleet) => fleet.client_id === client_id).length > 1,
  ) as Machine & { client_id: number };
  const otherFleet = fleets.find(({ id, client_id }) => client_id === machine.client_id && id !== machine.fleet_id) as {
    id: number;
    name: string;
  };
  const location = (await visitor.api<{ data: { name: string } }>('GET', `locations/${machine.location_id}`)).data;
  const readFleet = async () => (await visitor.api<{ data: Machine }>('GET', `machines/${machine.id}`)).data.fleet_id;
  await visitor.open(`/clients/${machine.client_id}/fleets`);
  const card = page
    .locator('.sl-board-card', { has: page.getByRole('link', { name: location.name, exact: true }) })
    .first();
  await card.locator('summary').click();
  const link = card.getByRole('link', { name: machine.serial_number });
  await link.waitFor();
  await link
    .locator('..')
    .dragTo(page.getByRole('region', { name: otherFleet.name, exact: true }).getByRole('heading'));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('1 machine changed').waitFor();
  expect(await readFleet()).toBe(otherFleet.id);
  await result.getByRole('button', { name: 'Undo' }).click();
  await result.getByText('1 machine: taken back').waitFor();
  expect(await readFleet()).toBe(machine.fleet_id);
});
