/** A record: its page, forms, deletion, and errors. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  cleanUpAfterwards,
  responseTo,
  setUpTestBrowser,
  type Visitor,
  waitForToast,
  waitUntilSettled,
} from '../support/visit';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let uniqueSuffix: string;
beforeEach(() => {
  // In a retry, names of the first attempt would be in use.
  uniqueSuffix = Date.now().toString(36);
});
beforeAll(async () => {
  admin = await testBrowser.visit('admin');
});

describe('a form', () => {
  test('shows missing values at each field, with a summary', async () => {
    await admin.open('/admin/companies/addcompany');
    const { page } = admin;
    await page.getByLabel(/^Name/).fill('x');
    await page.getByLabel(/^Postal code/).fill('abc');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/\d+ fields need your attention/).waitFor();
    for (const message of [
      'Street is required.',
      'City is required.',
      'Building is required.',
      'Country cannot be empty.',
      'Postal code must be a number.',
    ])
      expect([message, await page.getByText(message).count()]).toEqual([
        message,
        expect.toSatisfy((count: number) => count > 0),
      ]);
    expect(admin.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  test('asks for confirmation before unsaved changes are lost', async () => {
    await admin.open('/types/create');
    const { page, path } = admin;
    await page.getByLabel(/^Name/).fill('Unsaved');
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Machines' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(path()).toBe('/types/create');
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Machines' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await expect.poll(path).toBe('/machines');
    await page.getByRole('heading', { level: 1, name: 'Machines' }).waitFor();
  });

  test('shows problems found by the server at their fields', async () => {
    const { data } = await admin.api<{ data: { name: string }[] }>('GET', 'types?per_page=1');
    await admin.open('/types/create');
    await admin.page.getByLabel(/^Name/).fill(data[0]?.name ?? '');
    await admin.page.getByRole('button', { name: 'Create' }).click();
    await admin.page.getByText('Name is already in use.').first().waitFor();
  });
});

describe('creating, editing and deleting', () => {
  test('a machine type is added, edited and deleted, each with its toast; a red button confirms the deletion', async () => {
    const { page, path } = admin;
    await admin.open('/types/create');
    await page.getByLabel(/^Name/).fill(`Polisher ${uniqueSuffix}`);
    await page.getByRole('button', { name: 'Create' }).click();
    await waitForToast(page, 'Machine type added');
    await expect.poll(path).toMatch(/^\/types/);
    const { data } = await admin.api<{ data: { id: number }[] }>('GET', `types?filter[name]=Polisher ${uniqueSuffix}`);
    const id = data[0]?.id;
    await admin.open(`/types/${id}/edit`);
    await page.getByLabel(/^Name/).fill(`Burnisher ${uniqueSuffix}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForToast(page, 'Machine type changed');
    await admin.open(`/types/${id}`);
    await page.getByRole('heading', { level: 1, name: `Burnisher ${uniqueSuffix}` }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: /^Delete/ });
    await dialog.getByText('It is kept in the bin and can be restored.').waitFor();
    expect(await dialog.locator('svg').count()).toBeGreaterThan(0);
    const redColour = await dialog
      .getByRole('button', { name: 'Delete' })
      .evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(redColour).toBe('rgb(180, 35, 24)');
    const [response] = await Promise.all([
      responseTo(page, /\/types/),
      dialog.getByRole('button', { name: 'Delete' }).click(),
    ]);
    expect(response.status()).toBeLessThan(300);
    await waitForToast(page, 'Machine type deleted');
    expect((await admin.api<{ total: number }>('GET', `types?filter[name]=${uniqueSuffix}`)).total).toBe(0);
  });

  test('a toast is at the top right, and disappears by itself', async () => {
    const { page } = admin;
    await admin.open('/types/create');
    await page.getByLabel(/^Name/).fill(`Toast ${uniqueSuffix}`);
    await page.getByRole('button', { name: 'Create' }).click();
    // Measured at once, since the toast closes soon.
    const addedToast = await page.waitForFunction(() => {
      const { right, top, width } = document.querySelector('.sl-toast')?.getBoundingClientRect() ?? {};
      return width ? { right, top } : undefined;
    });
    const { right, top } = (await addedToast.jsonValue()) ?? {};
    expect(right).toBeGreaterThan(1280 - 60);
    expect(top).toBeLessThan(160);
    await page.mouse.move(10, 500);
    await page.locator('.sl-toast').waitFor({ state: 'detached' });
  });
});

describe('/machines/{id}', () => {
  test('has the tabs Data, Logs, Location and Statistics, the QR code, documentation, edit and delete', async () => {
    const { data } = await admin.api<{ data: { id: number; serial_number: string }[] }>(
      'GET',
      'machines?per_page=1&sort=id&filter[stock_state]=deployed&filter[tracker_id.not]=null',
    );
    await admin.open(`/machines/${data[0]?.id}`);
    const { page } = admin;
    await page.getByRole('heading', { level: 1, name: data[0]?.serial_number }).waitFor();
    for (const name of ['Data', 'Logs', 'Location', 'Statistics']) {
      await page
        .getByRole('link', { name, exact: true })
        .or(page.getByRole('tab', { name, exact: true }))
        .first()
        .click();
      await waitUntilSettled(page);
      expect([name, await page.getByText('Something went wrong').count()]).toEqual([name, 0]);
    }
    await expect.poll(() => page.getByText('Group by').count()).toBeGreaterThan(0);
    for (const word of ['Day', 'Week', 'Month'])
      expect(await page.getByText(word, { exact: true }).count()).toBeGreaterThan(0);
    await admin.open(`/machines/${data[0]?.id}`);
    for (const text of ['QR code', 'Documentation'])
      await expect.poll(() => page.getByText(text).count(), { message: text }).toBeGreaterThan(0);
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(1);
  });

  test('shows an operator no prices, and lets them edit the note but not delete the machine', async () => {
    const operator = await testBrowser.visit('operator');
    const { data } = await operator.api<{ data: { id: number }[] }>('GET', 'machines?per_page=1');
    await operator.open(`/machines/${data[0]?.id}`);
    await operator.page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    expect(await operator.page.getByText('Price', { exact: true }).count()).toBe(0);
    expect(await operator.page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await operator.open(`/machines/${data[0]?.id}/edit`);
    await operator.page.getByLabel(/^Note/).fill(`seen ${uniqueSuffix}`);
    await operator.page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await operator.api<{ data: { note: string } }>('GET', `machines/${data[0]?.id}`)).data.note)
      .toBe(`seen ${uniqueSuffix}`);
  });
});

describe('errors', () => {
  test('401 "Unauthenticated." clears the stored session and opens /login', async () => {
    const visitor = await testBrowser.visit('partner');
    await visitor.open('/machines');
    await visitor.api('POST', 'users/logout');
    const link = visitor.page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Clients' });
    // Instead of the click, a live event may cause the first rejected call.
    await Promise.any([link.click(), visitor.page.waitForURL('**/login')]);
    await expect.poll(visitor.path).toMatch(/^\/login/);
    expect(await visitor.page.evaluate(() => JSON.parse(localStorage.getItem('sweepline') ?? '{}'))).toMatchObject({
      t: '',
      ut: '',
    });
  });

  test('a failed call shows the message of the response as an error toast and on the console', async () => {
    const visitor = await testBrowser.visit('partner');
    await visitor.page.route('**/api/v1/clients?*', (route) =>
      route.fulfill({ status: 409, contentType: 'application/json', body: '{"message":"The brushes are worn."}' }),
    );
    await visitor.open('/clients');
    await visitor.page.getByRole('alert').filter({ hasText: 'The brushes are worn.' }).first().waitFor();
    expect(visitor.consoleErrors.join('\n')).toContain('The brushes are worn.');
  });

  test('without a message the toast is "Something went wrong, please try again"', async () => {
    const visitor = await testBrowser.visit('partner');
    await visitor.page.route('**/api/v1/clients?*', (route) =>
      route.fulfill({ status: 409, contentType: 'text/plain', body: 'no' }),
    );
    await visitor.open('/clients');
    await visitor.page.getByText('Something went wrong, please try again').first().waitFor();
  });

  test('an image that cannot be loaded falls back to the default one', async () => {
    const visitor = await testBrowser.visit('admin');
    await visitor.page.route('**/storage/images/**', (route) => route.fulfill({ status: 404 }));
    const countries = await visitor.api<{ data: { id: number }[] }>('GET', 'countries?per_page=1');
    const createdClient = await visitor.api<{ data: { id: number } }>('POST', 'clients', {
      name: `Logo ${uniqueSuffix}`,
      building: '1',
      street: 'Street',
      city: 'City',
      postal_code: '1',
      country_id: countries.data[0]?.id,
      image: 'http://127.0.0.1:9/missing.png',
    });
    // Other pages would also try to load the image, and fail.
    cleanUpAfterwards(() => visitor.api('DELETE', `clients/${createdClient.data.id}`));
    await visitor.open(`/clients/${createdClient.data.id}`);
    await visitor.page.getByAltText('Image not found').first().waitFor();
  });

  test('a page that throws shows "Something went wrong!" and a button that recovers it', async () => {
    const visitor = await testBrowser.visit('operator');
    let isBroken = true;
    await visitor.page.route('**/assets/Account-*.js', (route) => (isBroken ? route.abort() : route.continue()));
    await visitor.open('/machines');
    await visitor.page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Account' }).click();
    await visitor.page.getByText('Something went wrong!').waitFor();
    isBroken = false;
    await visitor.page.getByRole('button', { name: 'Try to reload page' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });
});
