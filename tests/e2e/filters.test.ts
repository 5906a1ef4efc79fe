/**
 * The filter dialog: conditions are added by keyboard, shown as chips and stored in the URL, and exports apply them.
 */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { addTestMachine, findFleet } from '../support/testMachine';
import { setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let visitor: Visitor;
beforeAll(async () => {
  visitor = await testBrowser.visit('admin');
});

const dialog = () => visitor.page.getByRole('dialog', { name: 'Filters' });
const filterOf = ({ path }: Visitor) =>
  JSON.parse(new URLSearchParams(path().split('?')[1]).get('filter') ?? '{}') as object;
const readTotal = async (query: string) =>
  (await visitor.api<{ total: number }>('GET', `machines?per_page=1&${query}`)).total;

test('conditions are added by keyboard, and appear in table, URL and chips', async () => {
  const { page } = visitor;
  await visitor.open('/machines');
  await page.getByRole('button', { name: 'Filter …' }).focus();
  await page.keyboard.press('Enter');
  await dialog().getByRole('combobox', { name: 'Condition 1: Field' }).waitFor();
  await page.keyboard.type('location city');
  await page.keyboard.press('Enter');
  await dialog().getByRole('combobox', { name: 'Condition 1: Comparison' }).selectOption({ label: 'begins with' });
  await dialog().getByRole('textbox', { name: 'Condition 1: Value' }).fill('B');
  await dialog().getByRole('button', { name: 'Add condition' }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Condition 2: Field');
  await page.keyboard.type('stock state');
  await page.keyboard.press('Enter');
  await dialog().getByRole('button', { name: 'Deployed', exact: true }).press('Enter');
  await dialog().getByRole('button', { name: 'Apply' }).press('Enter');
  await expect.poll(() => filterOf(visitor)).toEqual({ 'location.city.begins': ['B'], stock_state: ['deployed'] });
  const total = await readTotal('filter[location.city.begins]=B&filter[stock_state]=deployed');
  expect(total).toBeGreaterThan(0);
  await page.getByText(`${total} results found`).waitFor();
  await page.getByRole('button', { name: 'Location, City begins with “B”' }).waitFor();
  await page.getByRole('button', { name: 'Stock state is Deployed' }).waitFor();
});

test('the export contains the rows that match the conditions', async () => {
  const { page } = visitor;
  const total = await readTotal('filter[location.city.begins]=B&filter[stock_state]=deployed');
  await page.getByRole('button', { name: 'More actions' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export …' }).click();
  await page
    .getByRole('dialog', { name: /^Export / })
    .getByRole('button', { name: 'Export', exact: true })
    .click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.trim().split('\n')).toHaveLength(total + 1);
});

test('a chip opens its condition; an invalid value is shown at the input and not applied', async () => {
  const { page } = visitor;
  const stateBefore = filterOf(visitor);
  await page.getByRole('button', { name: 'Location, City begins with “B”' }).click();
  const value = dialog().getByRole('textbox', { name: 'Condition 1: Value' });
  await expect.poll(() => value.evaluate((input) => input === document.activeElement)).toBe(true);
  await value.fill('');
  await dialog().getByRole('button', { name: 'Apply' }).click();
  await dialog().getByText('Enter a value.').waitFor();
  expect(await value.getAttribute('aria-invalid')).toBe('true');
  expect(filterOf(visitor)).toEqual(stateBefore);
  await dialog().getByRole('combobox', { name: 'Condition 1: Comparison' }).selectOption({ label: 'is not empty' });
  await dialog().getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => filterOf(visitor)).toEqual({ 'location.city.not': 'null', stock_state: ['deployed'] });
  await page.getByRole('button', { name: 'Location, City is not empty' }).waitFor();
});

test('conditions are removed one by one, and the others survive a reload', async () => {
  const { page } = visitor;
  await page.getByRole('button', { name: 'Remove filter Stock state' }).click();
  await expect.poll(() => filterOf(visitor)).toEqual({ 'location.city.not': 'null' });
  await page.reload();
  await waitUntilSettled(page);
  await page.getByRole('button', { name: 'Location, City is not empty' }).waitFor();
});

test('alternatives are added by keyboard, shown as a sentence, and match the server’s count', async () => {
  const { page } = visitor;
  // The states of the demo's machines may change between two counts, so the test searches for its own machines.
  const search = `OR-${Date.now()}`;
  const { id: fleet_id } = await findFleet(visitor);
  const addMachine = (index: number) => addTestMachine(visitor, { fleet_id, serial_number: `${search}-${index}` });
  const [lowMachine, middleMachine] = [await addMachine(1), await addMachine(2), await addMachine(3)];
  await lowMachine.send({ status: 'parked', batt: 20 });
  await middleMachine.send({ status: 'parked', batt: 90 });
  const restOfFilter = { search, stock_state: ['deployed'] };
  await visitor.open(`/machines?filter=${encodeURIComponent(JSON.stringify(restOfFilter))}`);
  await page.getByRole('button', { name: 'Filter …' }).press('Enter');
  await dialog().getByRole('button', { name: 'Add “or” group' }).press('Enter');
  const field = (number: number) => dialog().getByRole('combobox', { name: `Condition ${number}: Field` });
  await expect.poll(() => field(3).evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('status');
  await page.getByRole('option', { name: 'Status', exact: true }).first().waitFor();
  await page.keyboard.press('Enter');
  await dialog().getByRole('button', { name: 'Offline', exact: true }).press('Enter');
  await field(4).focus();
  await page.keyboard.type('battery');
  await page.keyboard.press('Enter');
  await dialog().getByRole('combobox', { name: 'Condition 4: Comparison' }).selectOption({ label: 'less than (<)' });
  await dialog().getByRole('textbox', { name: 'Condition 4: Value' }).fill('40');
  await dialog().getByRole('button', { name: 'Add alternative' }).press('Enter');
  await expect.poll(() => field(5).evaluate((input) => input === document.activeElement)).toBe(true);
  await dialog().getByRole('button', { name: 'Remove condition 5' }).press('Enter');
  await dialog().getByRole('button', { name: 'Apply' }).press('Enter');
  const filter = { ...restOfFilter, 'any.0.0.status': ['Offline'], 'any.0.1.battery': ['<40'] };
  await expect.poll(() => filterOf(visitor)).toEqual(filter);
  const total = await readTotal(
    `filter[search]=${search}&filter[stock_state]=deployed&filter[any][0][0][status]=Offline&filter[any][0][1][battery]=<40`,
  );
  // The third machine has never sent a message, so it is Offline.
  expect(total).toBe(2);
  await page.getByText(`${total} results found`).waitFor();
  await page.getByRole('button', { name: /^Status is Offline or Battery < 40%$/ }).click();
  await dialog().getByRole('group', { name: 'Group 1' }).getByText('or', { exact: true }).waitFor();
  await dialog().getByRole('button', { name: 'Remove group 1' }).press('Enter');
  await dialog().getByRole('button', { name: 'Apply' }).press('Enter');
  await expect.poll(() => filterOf(visitor)).toEqual(restOfFilter);
  await page.getByText('3 results found').waitFor();
});

test.each([
  { width: 'desktop', dark: false },
  { width: 'phone', dark: true },
] as const)('axe finds nothing in the dialog: $width', async ({ width, dark }) => {
  const otherVisitor = await testBrowser.visit('admin', { width, dark, lang: 'de' });
  const filter = {
    status: ['Offline'],
    fleet_id: [1],
    battery: ['>=10', '<=80'],
    next_service_due: ['>=0d', '<=30d'],
    purchase_date: ['>=2020-01-01'],
    is_dummy: false,
    'any.0.0.mode': ['robotic'],
    'any.0.1.location.city': ['Berlin'],
  };
  await otherVisitor.open(`/machines?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  await otherVisitor.page.getByRole('button', { name: 'Filtern …' }).click();
  await otherVisitor.page
    .getByRole('dialog', { name: 'Filter' })
    .getByRole('combobox', { name: 'Bedingung 7: Feld' })
    .press('ArrowDown');
  await otherVisitor.page.getByRole('option', { name: 'Seriennummer', exact: true }).waitFor();
  expect(await findAxeProblems(otherVisitor.page)).toEqual([]);
  expect(otherVisitor.consoleErrors).toEqual([]);
});
