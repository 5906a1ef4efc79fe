/** Without a network the application opens, and shows cached data with its age. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPhone } from '../support/browser';
import { demoUrl } from '../support/demo';
import { readStoredKeys } from '../support/readStoredKeys';
import { signIn, waitUntilSettled } from '../support/visit';

let folder: string;
let phone: BrowserContext;
let page: Page;

const openApp = async (options: { offline?: boolean } = {}) => {
  phone = await openPhone(folder, options);
  page = await phone.newPage();
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sweepline-phone-'));
  await openApp();
});
afterEach(async () => {
  await phone.close();
  rmSync(folder, { recursive: true, force: true });
});

const goto = async (path: string) => {
  await page.goto(`${demoUrl()}${path}`, { waitUntil: 'domcontentloaded' });
  await waitUntilSettled(page);
};
const cards = () => page.locator('main .sl-row-cards > li');
const banner = () => page.getByRole('status').filter({ hasText: /^No connection\. As of \d\d:\d\d\.$/ });
const isInstalled = () =>
  page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
const storedResponseKeys = () => readStoredKeys(page);

async function signInHere(): Promise<number> {
  const { token, user_token, user } = await signIn('operator');
  await page.goto(`${demoUrl()}/favicon.svg`);
  await page.evaluate(
    (sessionText) => localStorage.setItem('sweepline', sessionText),
    JSON.stringify({ sb: true, lang: 'en', t: token, ut: user_token }),
  );
  return user.id;
}

test('when reopened without a network, lists and pages show cached data and its age', async () => {
  await signInHere();
  await goto('/machines');
  const first = cards().first().getByRole('link').first();
  const name = (await first.textContent()) ?? '';
  await first.click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  const record = new URL(page.url()).pathname;
  await expect.poll(isInstalled).toBe(true);
  await expect.poll(async () => (await storedResponseKeys()).some((key) => key.includes(record.slice(1)))).toBe(true);
  await phone.close();

  await openApp({ offline: true });
  await goto('/machines');
  await cards().first().getByRole('link', { name, exact: true }).waitFor();
  await banner().waitFor();
  await goto(record);
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await banner().waitFor();
  // A page that was never opened has no cached data.
  await goto('/alerts');
  await page.locator('main .sl-empty').waitFor();

  await phone.setOffline(false);
  await banner().waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
});

test('logging out deletes cached data; account data is never stored', async () => {
  const user = await signInHere();
  await goto('/account/sessions');
  await goto('/machines');
  await expect.poll(async () => (await storedResponseKeys()).length).toBeGreaterThan(0);
  const keys = await storedResponseKeys();
  expect(keys.filter((key) => !key.startsWith(`${user} `) || key.includes('account'))).toEqual([]);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('alertdialog', { name: 'Log out?' }).getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel(/^Password/).waitFor();
  await expect.poll(storedResponseKeys).toEqual([]);
});

test('a session that the server ends leaves no data behind', async () => {
  await signInHere();
  await goto('/machines');
  await expect.poll(async () => (await storedResponseKeys()).length).toBeGreaterThan(0);
  await page.route(/\/api\/v1\/(?!events)/, (route) => route.fulfill({ status: 401, json: { message: 'No.' } }));
  await page.getByRole('link', { name: /needs? you$/ }).click();
  await page.getByLabel(/^Password/).waitFor();
  await expect.poll(storedResponseKeys).toEqual([]);
});

test('a page of the previous build still finds its scripts after an update', async () => {
  await signInHere();
  await goto('/machines');
  await expect.poll(isInstalled).toBe(true);
  // The server has a new build without the old assets; the page's scripts come from the device.
  await phone.route(/\/assets\//, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: /needs? you$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
});
