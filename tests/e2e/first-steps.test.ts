/** An empty installation, from the first client to the first message of a device, on a separate server. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAxeProblems, launchHeadlessShell, openContext } from '../support/browser';
import { createFirstMachine, type Installation, startInstallation } from '../support/startInstallation';

let browser: Browser;
let installation: Installation;

beforeAll(async () => {
  [browser, installation] = await Promise.all([launchHeadlessShell(), startInstallation()]);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

test('the checklist follows every step live, and the fleet replaces it after the first message', async () => {
  const context = await openContext(browser, { serviceWorkers: 'block' });
  const page = await context.newPage();
  const { server, api, signIn } = installation;
  const { token, user_token } = await signIn();
  await context.addInitScript(
    (value) => localStorage.setItem('sweepline', value),
    JSON.stringify({ sb: true, lang: 'en', t: token, ut: user_token }),
  );
  await page.goto(server.url);
  const steps = page.getByRole('region', { name: 'First steps' });
  const doneSteps = () => steps.locator('li[data-done=true] h3').allInnerTexts();
  await steps.getByText('Waiting for its first message').waitFor();
  await page.getByRole('link', { name: /^Total users/ }).waitFor();
  expect(await doneSteps()).toEqual([]);
  expect(await findAxeProblems(page)).toEqual([]);

  const machine = await createFirstMachine(installation, token);
  await expect.poll(doneSteps).toHaveLength(4);

  const command = await steps.locator('.sl-first-steps__command code').innerText();
  const messageAddress = /curl "(.*)"/.exec(command)?.[1] ?? '';
  expect((await fetch(messageAddress)).status).toBe(400);
  await steps.getByText('A device has reported that belongs to no machine yet').waitFor();
  const { data: trackers } = await api<{ data: { id: number }[] }>('GET', 'trackers', { token });
  await api('POST', `trackers/${trackers[0]?.id}/assign`, { token, body: { machine_id: machine } });
  expect((await fetch(messageAddress)).status).toBe(200);
  await page
    .getByRole('region', { name: 'Machines by state' })
    .getByRole('link', { name: /Cleaning 1$/ })
    .waitFor();
  expect(await steps.count()).toBe(0);
});
