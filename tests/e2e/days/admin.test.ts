/** A day of an Admin: figures, custom roles, impersonation, the bin, the history, unknown devices, views for a role. */
import { expect } from 'vitest';
import { demoUrl } from '../../support/demo';
import { chooseOption, runLogInTask } from '../../support/formActions';
import { waitForToast, waitUntilSettled } from '../../support/visit';
import { type Day, workingDay } from '../../support/workingDay';

const password = 'Clean!Floor7';

/** Adds a user with a custom role that may only list machines. */
async function addColleague({ admin, addCleanUpStep, language }: Day, uniqueSuffix: string) {
  const readPermissionId = async (code: string) =>
    (await admin.api<{ data: { id: number }[] }>('GET', `permissions?filter[code_name]=${code}`)).data[0]?.id;
  const { data: role } = await admin.api<{ data: { id: number } }>('POST', 'roles', {
    name: `Nachtschicht ${uniqueSuffix}`,
    scope: 'all',
    permission_ids: [await readPermissionId('machines.list'), await readPermissionId('machines.show')],
  });
  const { data: languages } = await admin.api<{ data: { id: number }[] }>(
    'GET',
    `languages?filter[two_letter_code]=${language}`,
  );
  const { data: clients } = await admin.api<{ data: { id: number }[] }>('GET', 'clients?per_page=1');
  const email = `day.${uniqueSuffix.toLowerCase()}@demo.sweepline.example`;
  const { data: user } = await admin.api<{ data: { id: number } }>('POST', 'users', {
    first_name: 'Nora',
    last_name: `Nacht ${uniqueSuffix}`,
    email,
    language_id: languages[0]?.id,
    role_ids: [role.id],
    client_id: clients[0]?.id,
    password,
    password_confirmation: password,
  });
  addCleanUpStep(() => admin.api('DELETE', `users/${user.id}?permanent=1`).catch(() => undefined));
  return { role: role.id, user: user.id, email, name: `Nora Nacht ${uniqueSuffix}` };
}

workingDay('admin', ['en', 'desktop'], async (day) => {
  const { page, translate, task, openFromMenu, open, path, admin, addCleanUpStep } = day;
  const uniqueSuffix = Date.now().toString(36).toUpperCase();
  const newUser = await addColleague(day, uniqueSuffix);
  const otherVisitor = await day.visit(undefined, { lang: day.language });

  await runLogInTask(day);

  await task('open the list behind a figure', async () => {
    const figure = page.getByRole('link', { name: new RegExp(`^${translate('dashboard.total_users')}`) });
    const total = (await day.api<{ data: { total_users: number } }>('GET', 'dashboard')).data.total_users;
    await figure.click();
    await page.getByText(translate('list.count', { smart_count: total }), { exact: true }).waitFor();
  });

  await task('open the administration', async () => {
    await openFromMenu('/admin/users');
    for (const section of ['fleets', 'authorization', 'companies']) {
      await open(`/admin/${section}`);
      await page.locator('main').getByText(/\d/).first().waitFor();
    }
  });

  await task('grant a permission, which applies to the open session', async () => {
    await otherVisitor.open('/login');
    await day.logIn(otherVisitor, { id: newUser.user, email: newUser.email, password });
    await otherVisitor.page.getByRole('heading', { level: 1, name: translate('dashboard.title') }).waitFor();
    await otherVisitor.open('/machines');
    expect(await otherVisitor.page.getByRole('link', { name: translate('resources.machines.add') }).count()).toBe(0);
    await open(`/roles/${newUser.role}/edit`);
    const box = page.getByRole('checkbox', {
      name: `${translate('resources.machines.plural')}: ${translate('actions.create')}`,
      exact: true,
    });
    await box.check();
    await page.getByRole('button', { name: translate('form.save'), exact: true }).click();
    await expect.poll(path).toBe(`/roles/${newUser.role}`);
    await otherVisitor.page.getByRole('link', { name: translate('resources.machines.add') }).waitFor();
  });

  // At the time of the change, a request of the page may be outside the other user's scope, which the browser logs.
  const ignoreRejectedRequests = () =>
    expect(day.consoleErrors.splice(0).filter((error) => error.startsWith('uncaught'))).toEqual([]);

  await task('impersonate another user', async () => {
    await open(`/users/${newUser.user}`);
    await page.getByRole('button', { name: translate('list.more') }).click();
    await page.getByRole('button', { name: translate('view.begin') }).click();
    await page.getByRole('region', { name: translate('view.title') }).waitFor();
    await page.getByText(newUser.name).first().waitFor();
    await waitUntilSettled(page);
    ignoreRejectedRequests();
  });

  await task('end the impersonation', async () => {
    await page.getByRole('button', { name: translate('view.end') }).click();
    await expect.poll(path).toMatch(/^\/users/);
    await waitUntilSettled(page);
    ignoreRejectedRequests();
  });

  await task('replace the role by another one', async () => {
    await open(`/roles/${newUser.role}`);
    await page.getByRole('button', { name: translate('role.replace') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').click();
    await dialog.getByRole('option', { name: translate('roles.operator'), exact: true }).click();
    await dialog.getByRole('button', { name: translate('role.replace') }).click();
    await expect
      .poll(
        async () => (await admin.api<{ data: { role_ids: number[] } }>('GET', `users/${newUser.user}`)).data.role_ids,
      )
      .not.toContain(newUser.role);
    await dialog.waitFor({ state: 'detached' });
  });

  await task('block the user, whose session ends at once', async () => {
    await open(`/users/${newUser.user}`);
    await page.getByRole('button', { name: translate('block.label'), exact: true }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: translate('block.label'), exact: true })
      .click();
    await waitForToast(page, translate('block.done'));
    await expect.poll(otherVisitor.path).toMatch(/^\/login/);
  });

  await task('read who changed what', async () => {
    await open('/admin/history');
    await page.getByRole('searchbox', { name: translate('list.search') }).fill(uniqueSuffix);
    await page.getByText(newUser.name).first().waitFor();
    await page
      .getByRole('button', { name: translate('list.more') })
      .first()
      .click();
    await page.getByRole('menuitem', { name: translate('files.open') }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('dialog')
        .getByRole('button', { name: translate('list.export'), exact: true })
        .click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
  });

  await task('restore a row from the bin, and purge another one', async () => {
    const names = ['A', 'B'].map((suffix) => `Walze ${suffix} ${uniqueSuffix}`);
    for (const name of names) {
      const { data } = await admin.api<{ data: { id: number } }>('POST', 'types', { name, tracking: false });
      await admin.api('DELETE', `types/${data.id}`);
    }
    await open(`/types?filter=${encodeURIComponent(JSON.stringify({ trashed: 'only', search: uniqueSuffix }))}`);
    const row = (name: string) => page.locator('main tbody tr, main li.sl-row-card').filter({ hasText: name });
    await row(names[0] as string)
      .getByRole('button', { name: translate('bin.restore') })
      .click();
    await row(names[0] as string).waitFor({ state: 'detached' });
    await row(names[1] as string)
      .getByRole('button', { name: translate('bin.remove') })
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: translate('bin.remove') })
      .click();
    await row(names[1] as string).waitFor({ state: 'detached' });
    const { data } = await admin.api<{ data: { id: number; name: string }[] }>(
      'GET',
      `types?filter[trashed]=with&filter[name]=${uniqueSuffix}`,
    );
    expect(data.map(({ name }) => name)).toEqual([names[0]]);
    await admin.api('DELETE', `types/${data[0]?.id}`);
  });

  await task('assign an unknown device', async () => {
    const device = `day-${uniqueSuffix}`;
    const { data: fleets } = await admin.api<{ data: { id: number }[] }>('GET', 'fleets?per_page=1');
    const { data: machine } = await admin.api<{ data: { id: number } }>('POST', 'machines', {
      serial_number: `AD-${uniqueSuffix}`,
      custom_type: 'Prototype',
      fleet_id: fleets[0]?.id,
    });
    addCleanUpStep(async () => {
      const { data: devices } = await admin.api<{ data: { id: number }[] }>('GET', `trackers?filter[refno]=${device}`);
      for (const { id } of devices) await admin.api('DELETE', `trackers/${id}`);
    });
    addCleanUpStep(() => admin.api('DELETE', `machines/${machine.id}`));
    await fetch(`${demoUrl()}/ingest/osmand?id=${device}&lat=52.5&lon=13.4&batt=71`);
    await open('/trackers?view=inbox');
    const waitingTracker = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: device, exact: true }) });
    await waitingTracker.getByRole('button', { name: translate('trackers.assign') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').or(dialog.getByRole('textbox')).first().fill(`AD-${uniqueSuffix}`);
    await dialog.getByRole('radio', { name: `AD-${uniqueSuffix}` }).check();
    await dialog.getByRole('button', { name: translate('trackers.assign') }).click();
    await waitForToast(page, translate('trackers.assigned_to', { machine: `AD-${uniqueSuffix}` }));
  });

  await task('save a default view for a role', async () => {
    await open(`/fleets?filter=${encodeURIComponent(JSON.stringify({ search: 'a' }))}`);
    await page.getByRole('button', { name: translate('views.title'), exact: true }).click();
    await page.getByRole('menuitem', { name: translate('views.save') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('#field-name').fill(`Rundgang ${uniqueSuffix}`);
    await dialog.locator('#field-is_default').check();
    await chooseOption(page, 'role_id', translate('roles.operator'));
    await dialog.getByRole('button', { name: translate('form.create'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await day.api<{ data: { id: number; is_default: boolean; role_id: number | null }[] }>(
      'GET',
      `saved_views?filter[name]=${uniqueSuffix}`,
    );
    addCleanUpStep(() => admin.api('DELETE', `saved_views/${data[0]?.id}`));
    expect(data).toMatchObject([{ is_default: true, role_id: expect.any(Number) }]);
  });

  await task('open a row with the search, by keyboard', async () => {
    await openFromMenu('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: translate('palette.title') }).waitFor();
    await page.keyboard.type(`AD-${uniqueSuffix}`);
    await page
      .getByRole('option', { name: new RegExp(`AD-${uniqueSuffix}`) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `AD-${uniqueSuffix}` }).waitFor();
  });

  await task('log out', day.logOut);

  await task('read the API documentation', async () => {
    const response = await page.request.get(`${demoUrl()}/api/v1/openapi.json`);
    expect(((await response.json()) as { openapi: string }).openapi).toBe('3.1.0');
    await page.goto(`${demoUrl()}/api/docs`);
    await page.getByText('service_plans').first().waitFor();
    await page.goto(`${demoUrl()}/login`);
    await waitUntilSettled(page);
  });
});
