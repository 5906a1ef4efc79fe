/** History and bin: who changed which values, restoring earlier values, restoring and purging rows. */
import { beforeAll, expect, test } from 'vitest';
import { addTestMachine, findFleet, type TestMachine } from '../support/testMachine';
import { setUpTestBrowser, type Visitor, waitForToast, waitUntilSettled } from '../support/visit';

interface Row {
  id: number;
  [field: string]: unknown;
}

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let machine: TestMachine;
let manager: Visitor;
beforeAll(async () => {
  admin = await testBrowser.visit('admin');
  manager = await testBrowser.visit('country_manager');
  machine = await addTestMachine(admin, { fleet_id: (await findFleet(manager)).id });
});

const dialog = () => admin.page.getByRole('alertdialog');

test('changes by others appear on the open page, and an earlier value is restored', async () => {
  const [front, rear] = [`Front brush ${Date.now()}`, `Rear brush ${Date.now()}`];
  await admin.api('PATCH', `machines/${machine.id}`, { note: front });
  await admin.open(`/machines/${machine.id}/history`);
  const entries = admin.page.locator('.sl-history li');
  await entries.filter({ hasText: front }).waitFor();
  const { user } = manager.session as NonNullable<Visitor['session']>;
  await manager.api('PATCH', `machines/${machine.id}`, { note: rear });
  const entry = entries.filter({ hasText: `${user.first_name} ${user.last_name}` }).first();
  await entry.getByText(rear).waitFor();
  await entry.getByRole('button', { name: 'Restore: Note' }).click();
  await dialog().getByRole('button', { name: 'Restore value' }).click();
  await waitForToast(admin.page, 'Earlier value restored');
  const now = await admin.api<{ data: Row }>('GET', `machines/${machine.id}`);
  expect(now.data.note).toBe(front);
});

test('an Admin finds every change in one list, by entity', async () => {
  await admin.open('/admin/history');
  await admin.api('PATCH', `machines/${machine.id}`, { note: `Squeegee ${Date.now()}` });
  await admin.page.getByLabel('Search', { exact: true }).fill(machine.serial_number);
  // Until the search applies, the list shows other rows in the same place.
  await expect.poll(admin.path).toContain(machine.serial_number);
  await waitUntilSettled(admin.page);
  const rows = admin.page.locator('main tbody tr');
  await expect.poll(() => rows.filter({ hasNotText: machine.serial_number }).count()).toBe(0);
  const row = rows.filter({ hasText: machine.serial_number }).first();
  await row.getByText('Note').waitFor();
  await row.getByRole('link').first().click();
  await admin.page.getByRole('heading', { name: 'Changes' }).waitFor();
  await admin.page.getByRole('link', { name: 'Open', exact: true }).click();
  await admin.page.waitForURL(`**/machines/${machine.id}`);
  await admin.page.getByRole('heading', { level: 1, name: machine.serial_number }).waitFor();
  expect(admin.consoleErrors).toEqual([]);
});

test('a deleted row is restored, or purged after confirmation', async () => {
  const uniqueSuffix = Date.now().toString(36);
  const names = [`Bin A ${uniqueSuffix}`, `Bin B ${uniqueSuffix}`];
  const createdRows = await Promise.all(
    names.map((name) => admin.api<{ data: Row }>('POST', 'types', { name, tracking: true })),
  );
  await admin.api('DELETE', 'types', { ids: createdRows.map(({ data }) => data.id) });
  await admin.open(`/types?filter=${encodeURIComponent(JSON.stringify({ trashed: 'only', search: uniqueSuffix }))}`);
  const row = (name: string) => admin.page.locator('main tbody tr').filter({ hasText: name });
  await row(names[0] as string)
    .getByRole('button', { name: 'Restore' })
    .click();
  await row(names[0] as string).waitFor({ state: 'detached' });
  await row(names[1] as string)
    .getByRole('button', { name: 'Remove for good' })
    .click();
  await dialog().getByRole('button', { name: 'Remove for good' }).click();
  await row(names[1] as string).waitFor({ state: 'detached' });
  const { data } = await admin.api<{ data: Row[] }>('GET', `types?filter[trashed]=with&filter[name]=${uniqueSuffix}`);
  expect(data.map(({ name }) => name)).toContain(names[0]);
  expect(data.map(({ name }) => name)).not.toContain(names[1]);
});

test('open pages and untouched forms follow changes; users with conflicting edits decide field by field', async () => {
  const name = `Together ${Date.now()}`;
  const { data: type } = await admin.api<{ data: Row }>('POST', 'types', { name, tracking: true });
  const otherVisitor = await testBrowser.visit('admin');
  await otherVisitor.open(`/types/${type.id}`);
  await admin.open(`/types/${type.id}/edit`);
  const box = admin.page.getByLabel('Name', { exact: false }).first();
  await otherVisitor.api('PATCH', `types/${type.id}`, { name: `${name} a` });
  await otherVisitor.page.getByRole('heading', { level: 1, name: `${name} a` }).waitFor();
  await otherVisitor.page.getByText('Changed just now').waitFor();
  await admin.page.waitForFunction(
    (text) => [...document.querySelectorAll('input')].some(({ value }) => value === text),
    `${name} a`,
  );

  await box.fill(`${name} mine`);
  await otherVisitor.api('PATCH', `types/${type.id}`, { name: `${name} b`, tracking: false });
  await admin.page.getByText('changed this in the meantime. What you typed is kept.').waitFor();
  expect(await box.inputValue()).toBe(`${name} mine`);
  await admin.page.getByRole('button', { name: 'Save', exact: true }).click();
  const question = admin.page.getByRole('alertdialog');
  await question.getByText(`${name} a`).waitFor();
  await question.getByRole('group', { name: 'Name' }).getByRole('radio', { name: 'Yours' }).check();
  expect(
    await question.getByRole('group', { name: 'Tracking' }).getByRole('radio', { name: 'Theirs' }).isChecked(),
  ).toBe(true);
  await question.getByRole('button', { name: 'Save this version' }).click();
  await admin.page.waitForURL(`**/types/${type.id}`);
  const { data: now } = await admin.api<{ data: Row }>('GET', `types/${type.id}`);
  expect([now.name, now.tracking]).toEqual([`${name} mine`, false]);
});

test("the user's own change does not conflict, even if its event arrives before the response", async () => {
  const { page, open, api } = await testBrowser.visit('admin');
  await open(`/machines/${machine.id}/edit`);
  let releaseResponse = () => {};
  const released = new Promise<void>((resolve) => {
    releaseResponse = resolve;
  });
  let isWritten = false;
  await page.route(new RegExp(`/api/v1/machines/${machine.id}(\\?|$)`), async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    const response = await route.fetch();
    isWritten = true;
    await released;
    return route.fulfill({ response });
  });
  const refetch = page.waitForResponse(
    (response) =>
      isWritten && response.request().method() === 'GET' && response.url().includes(`/machines/${machine.id}?`),
  );
  const note = `Side brush ${Date.now()}`;
  await page.locator('#field-note').fill(note);
  await page.keyboard.press('Control+s');
  await (await refetch).finished();
  await expect.poll(async () => (await api<{ data: Row }>('GET', `machines/${machine.id}`)).data.note).toBe(note);
  expect(
    await page.getByText('changed this in the meantime').or(page.getByText('changed in the meantime')).count(),
  ).toBe(0);
  releaseResponse();
  await page.waitForURL(`**/machines/${machine.id}`);
});
