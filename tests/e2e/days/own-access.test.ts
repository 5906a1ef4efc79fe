/** A Customer Admin manages their own access: API tokens, the second factor, personal data. */
import { expect } from 'vitest';
import { totpCode } from '../../support/totpCode';
import { responseTo } from '../../support/visit';
import { workingDay } from '../../support/workingDay';

workingDay('customer_admin', ['en', 'phone'], async (day) => {
  const { page, translate, task, openFromMenu, open, path, me } = day;
  const main = page.getByRole('main');
  const dialog = page.getByRole('dialog');
  const button = (key: string) => page.getByRole('button', { name: translate(key), exact: true });
  const link = (key: string) => main.getByRole('link', { name: translate(key), exact: true });

  await task('log in', async () => {
    await open('/login');
    await day.logIn(day, me);
    await page.getByRole('heading', { level: 1, name: translate('dashboard.title') }).waitFor();
  });

  await task('create and revoke an API token', async () => {
    await openFromMenu('/account');
    await link('account.tabs.tokens').click();
    await page.getByLabel(translate('account.token_name')).fill('Wochenbericht');
    await button('account.make_token').click();
    const token = await dialog.locator('output').innerText();
    const status = async () =>
      (
        await page.request.get(new URL('/api/v1/machines', page.url()).href, {
          headers: { Authorization: `Bearer ${token}` },
        })
      ).status();
    expect(await status()).toBe(200);
    await button('dialogs.close').last().click();
    await button('account.token_revoke').click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: translate('account.token_revoke') })
      .click();
    await page.getByText(translate('account.no_tokens')).waitFor();
    expect(await status()).toBe(401);
  });

  let codes: string[] = [];
  await task('enable two-factor login', async () => {
    await link('account.tabs.two_factor').click();
    await page.locator('main input[type=password]').fill(me.password);
    await button('account.factor_begin').click();
    await page.locator('main input[name=code]').fill(totpCode(await page.locator('output').innerText()));
    await button('account.factor_confirm').click();
    await dialog.getByRole('listitem').first().waitFor();
    codes = await dialog.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    await button('account.codes_kept').click();
  });

  await task('log in with a recovery code', async () => {
    await day.logOut();
    await day.logIn(day, me);
    const code = page.locator('input[name=code]');
    await code.fill('000000');
    await button('login.submit').click();
    await page.locator('.sl-field-problem:not(:empty)').waitFor();
    await code.fill(codes[0] as string);
    await button('login.submit').click();
    await expect.poll(path).toBe('/');
    // The API rejects the wrong code, which the browser logs.
    expect(day.consoleErrors.splice(0).filter((error) => !error.includes('422'))).toEqual([]);
  });

  await task('disable two-factor login', async () => {
    await open('/account/two-factor');
    const switchOffForm = page.locator('form').filter({ has: button('account.factor_off') });
    await switchOffForm.locator('input[type=password]').fill(me.password);
    await switchOffForm.locator('input[name=code]').fill(codes[1] as string);
    await Promise.all([responseTo(page, /second-factor\/off/), button('account.factor_off').click()]);
    await button('account.factor_begin').waitFor();
  });

  await task('download the own data', async () => {
    await link('account.tabs.data').click();
    const [file] = await Promise.all([page.waitForEvent('download'), button('account.export_button').click()]);
    expect(file.suggestedFilename()).toMatch(/^sweepline-.*\.json$/);
  });
});
