/** An empty installation: from the first client to the first message of a device, on a server of its own. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeProblems, launchBrowser } from '../support/browser';
import { type Server, startServer } from '../support/server';

let browser: Browser;
let server: Server;
const account = { email: 'first@example.com', password: 'Sweep!Line7' };

beforeAll(async () => {
  const env = { SWEEPLINE_DEMO: '0', SWEEPLINE_ADMIN_EMAIL: account.email, SWEEPLINE_ADMIN_PASSWORD: account.password };
  [browser, server] = await Promise.all([launchBrowser(), startServer({ env })]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('the checklist follows every step live and gives way to the fleet with the first message', async () => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  let token = '';
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    return (await response.json()) as T;
  };
  const create = async (resource: string, values: object) =>
    (await call<{ data: { id: number } }>('POST', resource, values)).data.id;
  const session = await call<{ token: string; user_token: string }>('POST', 'login', account);
  token = session.token;
  await context.addInitScript(
    (value) => localStorage.setItem('sweepline', value),
    JSON.stringify({ sb: true, lang: 'en', t: token, ut: session.user_token }),
  );
  await page.goto(server.url);
  const steps = page.getByRole('region', { name: 'First steps' });
  const doneSteps = () => steps.locator('li[data-done=true] h3').allInnerTexts();
  await steps.getByText('Waiting for its first message').waitFor();
  await page.getByRole('link', { name: /^Total users/ }).waitFor();
  expect(await doneSteps()).toEqual([]);
  expect(await axeProblems(page)).toEqual([]);

  const [country] = (await call<{ data: { id: number }[] }>('GET', 'countries')).data;
  const address = { street: 'Quay', building: '1', city: 'Hamburg', postal_code: '20095' };
  const client = await create('clients', {
    ...address,
    name: 'Harbour',
    country_id: country?.id,
    image: 'https://example.com/logo.png',
  });
  const fleet = await create('fleets', { name: 'North', color: '#0b7a75', client_id: client });
  const site = await create('locations', {
    name: 'Hall',
    fleet_id: fleet,
    address: 'Quay 1',
    city: 'Hamburg',
    postal_code: '20095',
  });
  const machine = await create('machines', {
    serial_number: 'S-1',
    custom_type: 'Sweeper',
    fleet_id: fleet,
    location_id: site,
  });
  await expect.poll(doneSteps, { timeout: 30_000 }).toHaveLength(4);

  const command = await steps.locator('.sl-first-steps__command code').innerText();
  const messageAddress = /curl "(.*)"/.exec(command)?.[1] ?? '';
  expect((await fetch(messageAddress)).status).toBe(400);
  await steps.getByText('A device has reported that belongs to no machine yet').waitFor({ timeout: 30_000 });
  const [tracker] = (await call<{ data: { id: number }[] }>('GET', 'trackers')).data;
  await call('POST', `trackers/${tracker?.id}/assign`, { machine_id: machine });
  expect((await fetch(messageAddress)).status).toBe(200);
  await page
    .getByRole('region', { name: 'Machines by state' })
    .getByRole('link', { name: /Cleaning 1$/ })
    .waitFor();
  expect(await steps.count()).toBe(0);
});
