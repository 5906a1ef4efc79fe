/** Navigation: breadcrumbs, ways back, and what remains usable after an error. */
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let partner: Visitor;
beforeAll(async () => {
  admin = await testBrowser.visit('admin');
  partner = await testBrowser.visit('partner', { width: 'phone' });
});

const findFirst = async (visitor: Visitor, name: string) =>
  (await visitor.api<{ data: { id: number }[] }>('GET', `${name}?per_page=1`)).data[0]?.id;

describe('a tab that does not exist', () => {
  test.each(['machines', 'clients', 'fleets'])('of %s redirects to the first one', async (name) => {
    const { page, open, path } = admin;
    const recordPath = `/${name}/${await findFirst(admin, name)}`;
    for (const suffix of ['/nonsense', '/nonsense/deeper']) {
      await open(`${recordPath}${suffix}`);
      await expect.poll(path).toBe(recordPath);
    }
    const title = await page.getByRole('heading', { level: 1 }).textContent();
    const currentCrumb = page.getByRole('navigation', { name: 'Breadcrumbs' }).locator('[aria-current=page]');
    await expect.poll(() => currentCrumb.textContent()).toBe(title);
  });

  test('of the administration opens the not-found page', async () => {
    const { page, open } = admin;
    for (const path of ['/admin/nonsense', '/admin/fleets/nonsense', '/admin/authorization/nonsense']) {
      await open(path);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      expect(await page.getByRole('navigation', { name: 'Breadcrumbs' }).textContent()).toBe('Page not found');
    }
  });
});

describe('a row that does not exist', () => {
  test.each([
    'machines/99999999',
    'clients/99999999',
    'machines/99999999/edit',
    'machines/nonsense',
  ])('/%s says so in title and breadcrumbs', async (path) => {
    const { page, open } = admin;
    await open(`/${path}`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    const list = path.startsWith('machines') ? 'Machines' : 'Clients';
    await expect.poll(() => page.title()).toBe(`Not found · ${list} · Sweepline`);
    expect(await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('listitem').allTextContents()).toEqual(
      [list, 'Not found'],
    );
  });
});

describe('back on a phone', () => {
  test('leads from an edit page to its row if nothing has been typed', async () => {
    const { page, navigate, path } = partner;
    const recordPath = `/machines/${await findFirst(partner, 'machines')}`;
    await navigate(`${recordPath}/edit`);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect.poll(path).toBe(recordPath);
    await page.getByRole('link', { name: 'Cancel' }).waitFor({ state: 'detached' });
    await waitUntilSettled(page);
  });

  test('leads from a row to its list', async () => {
    const { page, navigate, path } = partner;
    await navigate(`/machines/${await findFirst(partner, 'machines')}`);
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Machines' }).click();
    await expect.poll(path).toBe('/machines');
    await page.getByRole('heading', { level: 1, name: 'Machines' }).waitFor();
  });
});

describe('toasts on a phone', () => {
  test('a persistent error covers no control, and disappears on a click', async () => {
    const { page, open } = partner;
    await page.route('**/api/v1/clients?*', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: '{"message":"The brushes are worn, and the water tank has been empty since yesterday morning."}',
      }),
    );
    await open('/clients');
    const error = page.getByRole('alert').filter({ hasText: 'The brushes are worn' });
    await error.waitFor();
    const findCoveredControls = async () => {
      const toast = await error.boundingBox();
      const controls = await page
        .locator('.sl-mobile-header button, main h1, main input, main .sl-button, main button')
        .all();
      const boxes = await Promise.all(
        controls.map(async (control) => ({
          name: (await control.textContent()) || (await control.getAttribute('aria-label')),
          box: await control.boundingBox(),
        })),
      );
      return boxes
        .filter(({ box }) => box && toast && box.y < toast.y + toast.height && box.y + box.height > toast.y)
        .map(({ name }) => name);
    };
    await expect.poll(findCoveredControls).toEqual([]);
    await error.getByRole('button').click();
    await expect.poll(() => error.count()).toBe(0);
    await page.unrouteAll();
  });
});

describe('account page', () => {
  test('reports that the profile could not be loaded, and retries', async () => {
    const visitor = await testBrowser.visit('operator');
    let isBroken = true;
    await visitor.page.route('**/api/v1/users/refresh*/**', (route) =>
      isBroken
        ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":"The pump stands still."}' })
        : route.continue(),
    );
    await visitor.open('/account');
    const notice = visitor.page.getByRole('alert').filter({ hasText: 'The pump stands still.' });
    await notice.waitFor();
    isBroken = false;
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => notice.count()).toBe(0);
    await waitUntilSettled(visitor.page);
  });

  test('shows changes that were made elsewhere, and keeps unsaved input', async () => {
    const visitor = await testBrowser.visit('site_manager');
    const { page, open, api, session } = visitor;
    const phone = `+49 30 ${Date.now()}`;
    await api('PATCH', `users/${session?.user.id}`, { phone });
    await page.route('**/api/v1/users/refresh*/**', async (route) => {
      await page.getByLabel('First name').fill('Typed');
      await route.continue();
    });
    await open('/account');
    await expect.poll(() => page.getByLabel('Phone').inputValue()).toBe(phone);
    expect(await page.getByLabel('First name').inputValue()).toBe('Typed');
  });
});

describe('built-in roles', () => {
  test('cannot be deleted', async () => {
    const { page, navigate, api } = admin;
    const { data } = await api<{ data: { id: number }[] }>('GET', 'roles?filter[name]=Site Manager');
    await navigate(`/roles/${data[0]?.id}`);
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
  });

  test('are also translated on the login page', async () => {
    const { page, open } = await testBrowser.visit();
    await open('/login');
    await page.getByRole('button', { name: /^Language/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Standortleiter' }).waitFor();
  });
});

describe('the role picker', () => {
  test('offers a custom role only to users with all of its permissions', async () => {
    const uniqueSuffix = Date.now().toString(36);
    const readPermissionId = async (code: string) =>
      (await admin.api<{ data: { id: number }[] }>('GET', `permissions?filter[code_name]=${code}`)).data[0]?.id;
    const roles = { [`Night shift ${uniqueSuffix}`]: 'machines.list', [`Wrecker ${uniqueSuffix}`]: 'machines.delete' };
    const createdRows: number[] = [];
    for (const [name, code] of Object.entries(roles)) {
      const { data } = await admin.api<{ data: { id: number } }>('POST', 'roles', {
        name,
        scope: 'machine',
        permission_ids: [await readPermissionId(code)],
      });
      createdRows.push(data.id);
    }
    try {
      const { page, open } = await testBrowser.visit('customer_admin');
      for (const [path, field] of [
        ['/invitations/create', '#field-role_id'],
        ['/users/create', '#field-role_ids'],
      ] as const) {
        await open(path);
        await page.locator(field).click();
        await page.getByRole('option', { name: 'Operator' }).waitFor();
        expect((await page.getByRole('option').allInnerTexts()).sort()).toEqual([
          'Customer Admin',
          `Night shift ${uniqueSuffix}`,
          'Operator',
          'Site Manager',
        ]);
      }
    } finally {
      for (const id of createdRows) await admin.api('DELETE', `roles/${id}`);
    }
  });
});

describe('by keyboard', () => {
  const focusedText = () => admin.page.evaluate(() => document.activeElement?.textContent?.trim());

  test('the focused field is never covered by the save bar', async () => {
    const { page, navigate } = admin;
    await navigate(`/machines/${await findFirst(admin, 'machines')}/edit`);
    await page.getByLabel(/^Note/).fill('seen');
    await page.getByText('Unsaved changes').waitFor();
    const readCoveredField = () =>
      page.evaluate(() => {
        const [field, bar] = [document.activeElement, document.querySelector('.sl-save-bar')].map((element) =>
          element?.getBoundingClientRect(),
        );
        return field && bar && !document.activeElement?.closest('.sl-save-bar') && field.bottom > bar.top
          ? document.activeElement?.id
          : undefined;
      });
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press('Tab');
      expect(await readCoveredField()).toBeUndefined();
    }
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  });

  test('a rejected form links to its problems', async () => {
    const { page, navigate } = admin;
    await navigate('/machines/create');
    await page.getByRole('button', { name: 'Create' }).click();
    const summary = page.getByRole('alert').filter({ hasText: 'need your attention' });
    await summary.waitFor();
    await expect.poll(() => summary.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await summary.getByRole('link').count()).toBeGreaterThan(0);
    const box = await summary.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(59);
    expect(box && box.y + box.height).toBeLessThan(900);
  });

  test('a new page starts at its top, as does the keyboard focus', async () => {
    const { page, navigate, path } = admin;
    await navigate('/machines?perPage=50');
    await page.evaluate(() => window.scrollTo(0, 700));
    await page.getByRole('row').nth(20).getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(path).toMatch(/^\/machines\/\d+/);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    await page.getByRole('link', { name: 'Logs', exact: true }).waitFor();
  });

  test('a selected tab keeps the focus', async () => {
    const { page, navigate } = admin;
    await navigate(`/machines/${await findFirst(admin, 'machines')}`);
    await page.getByRole('link', { name: 'Logs', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Event' }).waitFor();
    expect(await focusedText()).toBe('Logs');
  });

  test('Escape from a new filter returns the focus to the element that opened it', async () => {
    const { page, navigate } = admin;
    await navigate('/machines');
    await page.getByRole('button', { name: 'Filter …' }).click();
    await page.getByRole('dialog', { name: 'Filters' }).getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focusedText).toBe('Filter …');
  });

  test('arrow keys and letters move through the items of open menus', async () => {
    const { page, navigate } = admin;
    await navigate('/machines');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menu', { name: 'More actions' }).waitFor();
    await expect.poll(focusedText).toBe('Import file');
    await page.keyboard.press('ArrowDown');
    expect(await focusedText()).toBe('Export …');
    await page.keyboard.press('p');
    expect(await focusedText()).toBe('Print');
    await page.keyboard.press('Escape');
    const language = page.getByRole('button', { name: 'Language: English' });
    await language.click();
    await page.getByRole('menu', { name: 'Language' }).waitFor();
    await expect.poll(focusedText).toBe('English');
    await page.keyboard.press('ArrowUp');
    expect(await focusedText()).toBe('Italiano');
    await page.keyboard.press('Escape');
    await expect.poll(() => language.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});
