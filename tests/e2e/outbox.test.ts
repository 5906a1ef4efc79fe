/** Entries made offline are stored on the device, outlive a killed browser, and are sent once, in order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findAxeProblems, killPhone, openPhone } from '../support/browser';
import { readStoredKeys } from '../support/readStoredKeys';
import { createFirstMachine, databaseNames, type Installation, startInstallation } from '../support/startInstallation';
import { navigateWithin, type Session, waitUntilSettled } from '../support/visit';

// Both databases store entries by the same calls, which tests/api/writes.test.ts repeats on each.
const databases = process.env.SWEEPLINE_TEST_WHOLE === 'yes' ? databaseNames : databaseNames.slice(0, 1);
let installation: Installation;
let folder: string;
let phone: BrowserContext;
let page: Page;
let session: Session;
/** Included in the text of every entry of a test. */
let marker: string;
let machine: number;
let alert: number;

const api = <T>(path: string) => installation.api<{ data: T }>('GET', path, session);
const goto = async (path: string) => {
  await page.goto(`${installation.server.url}${path}`, { waitUntil: 'domcontentloaded' });
  await waitUntilSettled(page);
};
const openApp = async (options: { offline?: boolean } = {}) => {
  phone = await openPhone(folder, options);
  page = await phone.newPage();
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sweepline-outbox-'));
  marker = `outbox ${crypto.randomUUID()}`;
  await openApp();
  await page.goto(`${installation.server.url}/favicon.svg`);
  await page.evaluate(
    (sessionText) => localStorage.setItem('sweepline', sessionText),
    JSON.stringify({ sb: true, lang: 'en', t: session.token, ut: session.user_token }),
  );
});
afterEach(async () => {
  await phone.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens the pages on which entries are made, and waits until the phone has stored them and the application. Does not
 * wait until the application installs its worker, five seconds after it has loaded; offline.test.ts does.
 */
async function prepare(): Promise<void> {
  const paths = new Set<string>();
  page.on('response', (response) => {
    const path = response.url().split('/api/v1/')[1];
    const isStored = path && !/^(account|config|events|users)/.test(path);
    if (isStored && response.ok()) paths.add(path);
  });
  await goto(`/machines/${machine}/service`);
  await page.evaluate(() => void navigator.serviceWorker.register('/sw.js'));
  // A reload would lose the responses that are not stored yet.
  for (const path of [`/alerts/${alert}`, `/machines/${machine}`]) await navigateWithin(page, path);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  const findMissing = async () => {
    const keys = await readStoredKeys(page);
    return [...paths].filter((path) => !keys.includes(`${session.user.id} ${path}`));
  };
  await expect.poll(findMissing).toEqual([]);
}

const photo = () =>
  sharp({ create: { width: 3000, height: 20, channels: 3, background: 'navy' } })
    .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
const waitingNotice = (count: number) =>
  page.getByRole('button', { name: new RegExp(`^${count} entr(y|ies) waits? to be sent$`) });

async function reportProblem(words: string, withPhoto = false): Promise<void> {
  await goto(`/machines/${machine}`);
  await page.getByRole('button', { name: 'Report a problem' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report a problem' });
  await dialog.getByText('Leak', { exact: true }).click();
  if (withPhoto) {
    const file = { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: await photo() };
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('list', { name: '1 photo' }).waitFor();
  }
  await dialog.getByRole('textbox').fill(words);
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await dialog.waitFor({ state: 'detached' });
}
async function addServiceEntry(words: string): Promise<void> {
  await goto(`/machines/${machine}/service`);
  await page.getByRole('button', { name: 'Add service entry' }).click();
  const form = page.getByRole('form', { name: 'Add service entry' });
  await form.getByRole('textbox', { name: 'Note' }).fill(words);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
}
async function comment(words: string): Promise<void> {
  await goto(`/alerts/${alert}`);
  await page.getByRole('textbox', { name: 'Comment' }).fill(words);
  await page.getByRole('button', { name: 'Add comment' }).click();
}

/** Copies the pending entries until there are `count`, with numbered texts. */
const multiply = (count: number) =>
  page.evaluate(
    ({ count, marker }) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('sweepline');
        opening.onsuccess = () => {
          const change = opening.result.transaction('outbox', 'readwrite');
          const rows = change.objectStore('outbox');
          const readRequest = rows.getAll();
          readRequest.onsuccess = () => {
            const createdRows = readRequest.result as { id?: number; key: string; body: object }[];
            for (let index = createdRows.length; index < count; index++) {
              const { id: _, ...copy } = createdRows[index % createdRows.length] as (typeof createdRows)[number];
              const text = JSON.stringify(copy.body).replace(/ #\d+/, ` #${index}`);
              rows.add({ ...copy, key: crypto.randomUUID(), body: JSON.parse(text), words: `${marker} #${index}` });
            }
          };
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
          change.onerror = () => reject(change.error);
        };
      }),
    { count, marker },
  );

/** Numbers of the entries on the server, by kind, in order of arrival. */
async function readArrivals(): Promise<Record<'problems' | 'entries' | 'notes', number[]>> {
  const parseNumbers = (texts: (string | null)[]) =>
    texts.flatMap((text) => (text?.startsWith(marker) ? [Number(text.split('#')[1])] : []));
  const reports = await api<{ report: string }[]>(
    `alerts?filter[machine_ids]=${machine}&filter[metric]=reported&per_page=100&sort=id`,
  );
  const entries = await api<{ note: string }[]>(`service_entries?filter[machine_id]=${machine}&per_page=100&sort=id`);
  const notes = await api<{ text: string | null }[]>(`alerts/${alert}/notes`);
  return {
    problems: parseNumbers(reports.data.map(({ report }) => report)),
    entries: parseNumbers(entries.data.map(({ note }) => note)),
    notes: parseNumbers(notes.data.map(({ text }) => text)),
  };
}

describe.each(databases)('on %s', (database) => {
  beforeAll(async () => {
    installation = await startInstallation(database);
    session = await installation.signIn();
    machine = await createFirstMachine(installation, session.token);
    const body = { problem: 'noise', report: 'Rattles', is_out_of_use: false };
    const { token } = session;
    const { data } = await installation.api<{ data: { id: number } }>('POST', `machines/${machine}/problems`, {
      token,
      body,
    });
    alert = data.id;
  });
  afterAll(() => installation.stop());

  test('50 offline entries of every kind arrive once and in order after the browser was killed and restarted', async () => {
    await prepare();
    await phone.setOffline(true);
    await reportProblem(`${marker} #0`, true);
    await addServiceEntry(`${marker} #1`);
    await comment(`${marker} #2`);
    await waitingNotice(3).click();
    const list = page.getByRole('dialog', { name: 'Waiting to be sent' });
    await list.getByRole('listitem').nth(2).waitFor();
    expect(await list.innerText()).toContain('1 photo');
    expect(await findAxeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await multiply(50);
    await killPhone(phone, folder);

    await openApp({ offline: true });
    await goto(`/machines/${machine}`);
    await waitingNotice(50).waitFor();
    // Some responses of each kind are lost, although the server has processed the request: every seventh, while the
    // four kinds of calls take turns.
    let calls = 0;
    await phone.route(/\/(problems|comments|photos|service_entries)$/, async (route) => {
      if (route.request().method() !== 'POST' || ++calls % 7 !== 0) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await phone.setOffline(false);
    const everyThirdNumber = (from: number) =>
      Array.from({ length: 50 }, (_, index) => index).filter((index) => index % 3 === from);
    await expect
      .poll(readArrivals, { timeout: 200_000, interval: 500 })
      .toEqual({ problems: everyThirdNumber(0), entries: everyThirdNumber(1), notes: everyThirdNumber(2) });
    await page.getByRole('button', { name: /to be sent$/ }).waitFor({ state: 'detached' });
    expect(await readArrivals()).toEqual({
      problems: everyThirdNumber(0),
      entries: everyThirdNumber(1),
      notes: everyThirdNumber(2),
    });
  }, 400_000);

  test('logging out and the login page state how many entries wait, and the next login sends them', async () => {
    await prepare();
    await phone.setOffline(true);
    await comment(`${marker} #0`);
    await waitingNotice(1).waitFor();
    await page.goto(`${installation.server.url}/account`, { waitUntil: 'domcontentloaded' }).catch(() => undefined);
    await page.getByRole('button', { name: 'Log out' }).first().click();
    const question = page.getByRole('alertdialog');
    await question
      .getByText('1 entry has not been sent yet: it stays on this device until you log in again.')
      .waitFor();
    await question.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('1 entry waits on this device. Log in to send it.').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    await phone.setOffline(false);
    const { token, user_token } = await installation.signIn();
    await page.evaluate(
      (sessionText) => localStorage.setItem('sweepline', sessionText),
      JSON.stringify({ sb: true, lang: 'en', t: token, ut: user_token }),
    );
    await goto('/');
    await expect.poll(readArrivals).toMatchObject({ notes: [0] });
  });

  // The browser handles rejections, so one database suffices.
  if (database === databaseNames[0])
    test('a rejected entry stays with its reason until it is discarded', async () => {
      await prepare();
      await phone.setOffline(true);
      await comment(`${marker} #0`);
      await comment(`${marker} #1`);
      await waitingNotice(2).waitFor();
      let calls = 0;
      await phone.route(/\/comments$/, (route) =>
        ++calls === 1 ? route.fulfill({ status: 409, json: { message: 'The alert was closed.' } }) : route.continue(),
      );
      await phone.setOffline(false);
      await page.getByRole('button', { name: '1 entry was not accepted' }).click();
      const list = page.getByRole('dialog', { name: 'Waiting to be sent' });
      await list.getByText('Not accepted: The alert was closed.').waitFor();
      await list.getByText(`${marker} #0`).waitFor();
      // The next entry has been sent.
      await expect.poll(readArrivals).toMatchObject({ notes: [1] });
      await list.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
      await list.getByText('Everything has been sent.').waitFor();
    });
});
