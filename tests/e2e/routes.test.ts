/**
 * The route table with its guards, for each of the six roles and without a session. Admins load every URL. Country
 * Managers load one URL of each kind (permitted, forbidden, for logged-out users) and navigate to the rest, which have
 * the same guards. The other roles open one or two URLs with each guard, or all with `SWEEPLINE_TEST_WHOLE=yes`; their
 * working days (tests/e2e/days) open the rest.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type RoleName, roleNames } from '../../schema/dsl/entity';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

/** Paths by who may open them. */
const sixRoles = ['/machines', '/account', '/users', '/users/invitations'];
const everyone = ['/', '/clients'];
const adminOnly = ['/admin', '/admin/companies/addcompany', '/admin/fleets/addmachine'];
const loggedOutOnly = ['/login', '/forgotpassword', '/resetpassword/some-token-0123456789'];

describe('without a session', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await testBrowser.visit();
  });

  test.each([
    ...sixRoles,
    ...everyone,
    ...adminOnly,
    '/machines/1',
    '/clients/1',
    '/users/1',
    '/admin/users/1',
    '/nonsense',
  ])('%s leads to /login', async (path) => {
    await (path === '/machines' ? visitor.open : visitor.navigate)(path);
    await expect.poll(visitor.path).toMatch(/^\/login/);
    await visitor.page.getByLabel(/^Password/).waitFor();
  });

  test('a single navigation leads to the login, even if its page loads slowly', async () => {
    const { page, open, path } = await testBrowser.visit();
    await page.route(/Login-.*\.js/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue();
    });
    const steps: string[] = [];
    page.on('framenavigated', (frame) => steps.push(frame.url()));
    await open('/machines');
    await page.getByLabel(/^Password/).waitFor();
    expect(path()).toBe('/login');
    expect(steps.length).toBeLessThanOrEqual(3);
  });

  test.each(loggedOutOnly)('%s opens', async (path) => {
    await visitor.open(path);
    expect(visitor.path()).toBe(path);
    expect(await visitor.page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});

describe.each(roleNames.map((role) => [role] as const))('%s', (role: RoleName) => {
  let visitor: Visitor;
  let ids: Record<'machines' | 'clients' | 'users', number>;
  const opensAll = ['admin', 'country_manager'].includes(role) || process.env.SWEEPLINE_TEST_WHOLE === 'yes';
  const loadedPaths = [sixRoles[0], adminOnly[0], loggedOutOnly[0]];
  const openPath = (path: string) =>
    (role === 'admin' || loadedPaths.includes(path) ? visitor.open : visitor.navigate)(path);
  const expectDashboard = async () => {
    await expect.poll(visitor.path).toBe('/');
    await visitor.page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  };
  beforeAll(async () => {
    visitor = await testBrowser.visit(role);
    const firstId = async (name: string) =>
      (await visitor.api<{ data: { id: number }[] }>('GET', `${name}?per_page=1`)).data[0]?.id ?? 0;
    ids = { machines: await firstId('machines'), clients: await firstId('clients'), users: await firstId('users') };
  });

  const permittedPaths = [...sixRoles, ...everyone];
  test.each(opensAll ? permittedPaths : ['/machines', '/users/invitations'])('%s opens', async (path) => {
    await openPath(path);
    await expect.poll(visitor.path).toBe(path);
    await visitor.page.getByRole('heading', { level: 1 }).first().waitFor();
    if (path === '/users/invitations' && ['site_manager', 'operator'].includes(role))
      await visitor.page.getByText('Your role does not include it.').waitFor();
  });

  test('/machines/{id}, /clients/{id} and /users/{id} open', async () => {
    for (const name of ['machines', 'clients', 'users'] as const) {
      await openPath(`/${name}/${ids[name]}`);
      expect(visitor.path()).toMatch(new RegExp(`^/${name}/${ids[name]}`));
      await visitor.page.getByRole('heading', { level: 1 }).first().waitFor();
    }
  });

  test('/admin and all pages below it open only for Admins', async () => {
    const rowPaths = [
      `/admin/companies/${ids.clients}`,
      `/admin/users/${ids.users}`,
      `/admin/fleets/machines/${ids.machines}`,
    ];
    for (const path of opensAll ? [...adminOnly, ...rowPaths] : [...adminOnly.slice(0, 1), ...rowPaths.slice(0, 1)]) {
      await openPath(path);
      if (role === 'admin') expect(visitor.path()).toMatch(/^\/admin/);
      else await expectDashboard();
    }
  });

  test.each(opensAll ? loggedOutOnly : loggedOutOnly.slice(0, 1))('%s redirects to /', async (path) => {
    await openPath(path);
    await expectDashboard();
  });

  test('an unknown URL opens the not-found page', async () => {
    await openPath('/nowhere/at/all');
    await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  test('no page logged an error', () => expect(visitor.consoleErrors).toEqual([]));
});
