/**
 * Account pages: addresses, sessions, personal data, deletion. days/own-access.test.ts covers tokens and the second
 * factor. Each test has its own user.
 */
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { cleanUpAfterwards, setUpTestBrowser, type Visitor, waitUntilSettled } from '../support/visit';
import { readMailsTo } from '../support/workingDay';

const testBrowser = setUpTestBrowser();
let admin: Visitor;
beforeAll(async () => {
  admin = await testBrowser.visit('admin');
});

const password = 'Clean!Floor7';
let count = 0;

async function newUser(): Promise<string> {
  count += 1;
  const email = `account${count}-${Date.now()}@demo.sweepline.example`;
  const operatorRoles = await admin.api<{ data: { id: number }[] }>('GET', 'roles?filter[name]=Operator');
  const languages = await admin.api<{ data: { id: number }[] }>('GET', 'languages?filter[two_letter_code]=en');
  const clients = await admin.api<{ data: { id: number }[] }>('GET', 'clients?per_page=1');
  await admin.api('POST', 'users', {
    first_name: 'Rita',
    last_name: 'Reiniger',
    email,
    language_id: languages.data[0]?.id,
    role_ids: [operatorRoles.data[0]?.id],
    client_id: clients.data[0]?.id,
    password,
    password_confirmation: password,
  });
  return email;
}

/** Logs in with the form. */
async function logIn(email: string): Promise<Visitor> {
  const visitor = await testBrowser.visit();
  await visitor.open('/login');
  await fillIn(visitor.page, email);
  return visitor;
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const expectArrival = (visitor: Visitor) => expect.poll(visitor.path).toBe('/');

test('sessions: another session can be ended; ending all includes the current one', async () => {
  const email = await newUser();
  const [session, otherSession] = [await logIn(email), await logIn(email)];
  await expectArrival(session);
  await expectArrival(otherSession);
  await session.open('/account/sessions');
  const rows = session.page.getByRole('listitem').filter({ hasText: 'Chrome' });
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.first().innerText()).toContain('This session');
  await rows.getByRole('button', { name: 'End session' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await otherSession.page.reload();
  await expect.poll(otherSession.path).toBe('/login');
  await session.page.getByRole('button', { name: 'Log out everywhere' }).click();
  await session.page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await expect.poll(session.path).toBe('/login');
});

test('addresses: a second one is verified by its mail and made primary', async () => {
  const visitor = await logIn(await newUser());
  await expectArrival(visitor);
  const { page, open } = visitor;
  await open('/account');
  const address = `second-${Date.now()}@demo.sweepline.example`;
  await page.getByLabel(/^Further e-mail address/).fill(address);
  await page.getByRole('button', { name: 'Add address' }).click();
  const row = page.getByRole('listitem').filter({ hasText: address });
  await row.getByText('Not verified').waitFor();
  const outbox = await admin.page.request.get(new URL('/api/dev/outbox', page.url()).href);
  const { data } = (await outbox.json()) as { data: { to: string; text: string }[] };
  const link = /\/verifyemail\/[\w-]+/.exec(data.find(({ to }) => to.includes(address))?.text ?? '')?.[0] ?? '';
  await open(link);
  await page.getByText('The address is verified.').waitFor();
  await page.getByRole('link', { name: 'To your account' }).click();
  await row.getByRole('button', { name: 'Make primary' }).click();
  await row.getByText('Primary', { exact: true }).waitFor();
});

test('notifications: a setting is stored', async () => {
  const visitor = await logIn(await newUser());
  await expectArrival(visitor);
  const { page, open } = visitor;
  await open('/account/notifications');
  await page.getByLabel('Alert closed: E-mail').uncheck();
  const saveResponse = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && /account\/notifications/.test(response.url()),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await saveResponse;
  await page.reload();
  await waitUntilSettled(page);
  await page.getByLabel('Alert closed: E-mail').waitFor();
  expect(await page.getByLabel('Alert closed: E-mail').isChecked()).toBe(false);
  expect(await page.getByLabel('New alert: E-mail').isChecked()).toBe(true);
});

test('personal data is downloaded, then the account is deleted', async () => {
  const email = await newUser();
  const visitor = await logIn(email);
  await expectArrival(visitor);
  const { page, open, path } = visitor;
  await open('/account/data');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download data' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^sweepline-\d{4}-\d\d-\d\d\.json$/);
  await page.getByLabel(/^Current password/).fill(password);
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete your account?' })
    .getByRole('button', { name: 'Delete my account' })
    .click();
  await expect.poll(path).toBe('/login');
  await fillIn(page, email);
  await page.getByText('These credentials do not match our records.').waitFor();
});

test('an invitation opens in the language of the invitee', async () => {
  const read = async (path: string) => (await admin.api<{ data: { id: number }[] }>('GET', path)).data[0]?.id;
  const email = `invited-${Date.now()}@demo.sweepline.example`;
  const { data: invitation } = await admin.api<{ data: { id: number } }>('POST', 'invitations', {
    email,
    role_id: await read('roles?filter[name]=Admin'),
    language_id: await read('languages?filter[two_letter_code]=de'),
  });
  cleanUpAfterwards(() => admin.api('DELETE', `invitations/${invitation.id}`));
  const readLink = async () => /\/invitation\/\S+/.exec((await readMailsTo(email)).map(({ text }) => text).join())?.[0];
  await expect.poll(readLink).toBeDefined();
  const { page, open } = await testBrowser.visit();
  await open((await readLink()) ?? '');
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  await page.getByLabel(/^Vorname/).waitFor();
});
