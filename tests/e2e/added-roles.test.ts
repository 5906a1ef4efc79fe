/**
 * Custom roles with any permissions: the menu offers the permitted lists, every offered page opens, and no page makes a
 * call that is rejected. By default each list is permitted alone, and all other permissions together; with
 * `SWEEPLINE_TEST_WHOLE=yes` each of the others is also granted alone, and more random sets are tried.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPermissionsOf, entities } from '../../schema/index';
import { demoUrl } from '../support/demo';
import { callApi, type Session, setUpTestBrowser, type Visitor } from '../support/visit';

const isWhole = process.env.SWEEPLINE_TEST_WHOLE === 'yes';
const password = 'Clean!Floor7';
const codes = defaultPermissionsOf('admin');
const isList = (code: string) => code.endsWith('.list');

const testBrowser = setUpTestBrowser();
let admin: Visitor;
let visitor: Visitor;
let session: Session;
let role: number;
let ids: Map<string, number>;
const rejectedCalls: string[] = [];

beforeAll(async () => {
  admin = await testBrowser.visit('admin');
  const read = async <T>(path: string) => (await admin.api<{ data: T }>('GET', path)).data;
  const permissions = await read<{ id: number; code_name: string }[]>('permissions?per_page=1000');
  ids = new Map(permissions.map(({ id, code_name }) => [code_name, id]));
  const name = `Added ${Date.now()}`;
  ({ id: role } = (await admin.api<{ data: { id: number } }>('POST', 'roles', { name, scope: 'all' })).data);
  const email = `added.${Date.now()}@demo.sweepline.example`;
  const [language] = await read<{ id: number }[]>('languages?filter[two_letter_code]=en');
  const person = { first_name: 'Ada', last_name: 'Added', email, language_id: language?.id, role_ids: [role] };
  await admin.api('POST', 'users', { ...person, password, password_confirmation: password });
  session = await callApi<Session>('POST', '/api/v1/login', { body: { email, password } });
  visitor = await testBrowser.visit();
  // Chromium requests the icon for pages that name none, such as /healthz.
  await visitor.page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  visitor.page.on('response', (response) => {
    if (response.status() === 403) rejectedCalls.push(`${response.request().method()} ${response.url()}`);
  });
});
afterAll(async () => {
  for (const path of [`users/${session.user.id}`, `roles/${role}`]) {
    await admin.api('DELETE', path);
    await admin.api('DELETE', `${path}?permanent=1`);
  }
});

/** Opens the dashboard as a user with exactly these permissions. */
async function openDashboardWith(permissions: readonly string[]): Promise<string[]> {
  // Leaves the page of the previous permissions, whose calls would be rejected from now on.
  await visitor.page.goto(`${demoUrl()}/healthz`);
  await admin.api('PATCH', `roles/${role}`, { permission_ids: permissions.map((code) => ids.get(code)) });
  const path = `/api/v1/users/refreshInformationAboutUser/${session.user.id}`;
  const { user_token } = await callApi<{ user_token: string }>('GET', path, { token: session.token });
  const storedSession = JSON.stringify({ sb: true, lang: 'en', t: session.token, ut: user_token });
  await visitor.page.evaluate((value) => localStorage.setItem('sweepline', value), storedSession);
  rejectedCalls.length = 0;
  await visitor.open('/');
  const links = visitor.page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
  return links.evaluateAll((anchors) => anchors.map((link) => link.getAttribute('href') ?? ''));
}

/** Opens every page of the menu, and the first row of each list. No call may be rejected. */
async function openAllPages(menu: readonly string[], permissions: readonly string[]): Promise<void> {
  for (const path of menu.slice(1)) {
    await visitor.navigate(path);
    expect(visitor.path(), path).toContain(path);
  }
  for (const entity of entities.filter(
    ({ name }) => permissions.includes(`${name}.list`) && permissions.includes(`${name}.show`),
  )) {
    const rows = await callApi<{ data: { id: number }[] }>('GET', `/api/v1/${entity.name}?per_page=1`, {
      token: session.token,
    });
    if (!rows.data[0]) continue;
    await visitor.navigate(`/${entity.name}/${rows.data[0].id}`);
    expect(visitor.path(), entity.name).toMatch(new RegExp(`^/${entity.name}/`));
  }
  expect(rejectedCalls, `with ${permissions.join(', ')}`).toEqual([]);
}

test('without permissions the menu offers dashboard and account', async () => {
  const menu = await openDashboardWith([]);
  expect(menu).toEqual(['/', '/account']);
  await openAllPages(menu, []);
});

test('with clients and the list of users the menu offers Dashboard, Clients, Users and Account', async () => {
  const permissions = ['clients.list', 'clients.show', 'users.list'];
  const menu = await openDashboardWith(permissions);
  expect(menu).toEqual(['/', '/clients', '/users', '/account']);
  await openAllPages(menu, permissions);
});

test.each(entities.map(({ name }) => name))('with permission for %s alone its list and rows open', async (name) => {
  const permissions = [`${name}.list`, `${name}.show`].filter((code) => codes.includes(code));
  const menu = await openDashboardWith(permissions);
  expect(menu).toEqual(['/', name === 'invitations' ? '/users/invitations' : `/${name}`, '/account']);
  // The account is the same for every list.
  await openAllPages(menu.slice(0, -1), permissions);
});

test.each(
  fc
    .sample(fc.subarray(codes, { minLength: 5 }), { numRuns: isWhole ? 12 : 3, seed: 1523 })
    .map((permissions) => [permissions] as const),
)('with a random set of permissions every offered page opens (%#)', async (permissions) =>
  openAllPages(await openDashboardWith(permissions), permissions));

const otherCodes = codes.filter((code) => !isList(code));
const singleRoles = isWhole ? otherCodes.map((code) => [code, [code]] as const) : [];
test.each([
  ['all permissions except lists', otherCodes] as const,
  ...singleRoles,
])('with %s every offered page opens', async (_, permissions) => {
  const menu = await openDashboardWith(permissions);
  expect(menu).toEqual(['/', '/account']);
  await openAllPages(menu, permissions);
});

test('no page logged an error', () => expect(visitor.consoleErrors).toEqual([]));
