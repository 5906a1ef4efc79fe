/** Work by hand: many rows at once, single cells, files, labels. Each story leaves the demo as it was. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeProblems } from '../support/browser';
import { type House, openHouse, settled, type Visitor } from '../support/visit';

let house: House;
let visitor: Visitor;
beforeAll(async () => {
  house = await openHouse();
  visitor = await house.visit('admin');
});
afterAll(() => house.close());

interface Machine {
  id: number;
  serial_number: string;
  fleet_id: number;
  location_id: number | null;
}
const ticks = () => visitor.page.locator('main tbody input[type=checkbox]');
const soon = { timeout: 10_000 };

describe('many machines', () => {
  test('move to another fleet, which says where they come from, and back again', async () => {
    const { page } = visitor;
    const { data } = await visitor.api<{ data: Machine[] }>('GET', 'machines?per_page=100&sort=serial_number');
    const first = data.find(({ location_id }) => location_id !== null) as Machine;
    const fleets = await visitor.api<{ data: { id: number; name: string }[] }>('GET', 'fleets?per_page=2');
    const fleet = fleets.data.find(({ id }) => id !== first.fleet_id) as { id: number; name: string };
    const placeOf = async () => {
      const { fleet_id, location_id } = (await visitor.api<{ data: Machine }>('GET', `machines/${first.id}`)).data;
      return [fleet_id, location_id];
    };
    await visitor.open(`/machines?filter=${encodeURIComponent(JSON.stringify({ search: first.serial_number }))}`);
    await ticks().first().check();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 1 machine to a fleet' });
    await dialog.getByRole('row').nth(1).waitFor();
    await dialog.getByRole('combobox', { name: 'New fleet' }).fill(fleet.name);
    await dialog.getByRole('option', { name: fleet.name, exact: true }).first().click();
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move 1 machine' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('1 machine changed').waitFor();
    expect((await placeOf())[0]).not.toBe(first.fleet_id);
    expect(await axeProblems(page)).toEqual([]);
    await result.getByRole('button', { name: 'Undo' }).click();
    await result.getByText('1 machine: taken back').waitFor();
    expect(await placeOf()).toEqual([first.fleet_id, first.location_id]);
  });

  test('that are in use are named, and nothing is deleted', async () => {
    const { page } = visitor;
    await visitor.open('/fleets');
    await ticks().nth(0).check();
    await ticks().nth(1).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 fleets' }).click();
    const refused = page.getByRole('alertdialog', { name: 'Nothing was changed' });
    await expect.poll(() => refused.getByRole('link').count(), soon).toBe(2);
    await refused.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('region', { name: '2 selected' }).waitFor();
  });

  test('print labels, also all that match', async () => {
    const { page } = visitor;
    await visitor.open(`/machines?filter=${encodeURIComponent(JSON.stringify({ stock_state: ['in_repair'] }))}`);
    const { total } = await visitor.api<{ total: number }>('GET', 'machines?per_page=1&filter[stock_state]=in_repair');
    await page.getByLabel('Select all rows of this page').check();
    await page.getByRole('button', { name: /^Select all/ }).click();
    await page.getByRole('link', { name: 'Print labels' }).click();
    await expect.poll(() => page.locator('.sl-label').count(), soon).toBe(total);
  });
});

test('a machine has its own label', async () => {
  const { data } = await visitor.api<{ data: Machine[] }>('GET', 'machines?per_page=1');
  await visitor.open(`/machines/${data[0]?.id}`);
  await visitor.page.getByRole('link', { name: 'Print label' }).click();
  await expect.poll(() => visitor.page.locator('.sl-label').count(), soon).toBe(1);
  await visitor.page.getByLabel('First label at position').fill('5');
  await settled(visitor.page);
  expect(await visitor.page.locator('.sl-label').textContent()).toContain(data[0]?.serial_number);
});

test('users are blocked and unblocked, never deleted', async () => {
  const { page } = visitor;
  await visitor.open('/users');
  await ticks().first().check();
  await page.getByRole('button', { name: 'Block', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('button', { name: 'Blocked users' }).click();
  await expect.poll(() => page.getByText(/Nobody is blocked|Unblock/).count(), soon).toBeGreaterThan(0);
});

test('the named roles can be chosen for a file, not for deleting', async () => {
  const { page } = visitor;
  await visitor.open('/roles');
  await ticks().first().check();
  await page.getByRole('button', { name: 'Export selection' }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
});
