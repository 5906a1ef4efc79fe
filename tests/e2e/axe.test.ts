/**
 * Every page at both widths, light and dark: no axe violations, no script errors and no console errors. Phone layouts
 * that repeat another's only with `SWEEPLINE_TEST_WHOLE=yes`.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { findAxeProblems } from '../support/browser';
import { setUpTestBrowser, type Visitor } from '../support/visit';

const testBrowser = setUpTestBrowser();

const pages = [
  '/',
  '/machines',
  '/machines/create',
  '/machines/{machines}',
  '/machines/{machines}/edit',
  '/machines/{machines}/service',
  '/service_entries',
  '/service_plans/create',
  '/clients',
  '/clients/{clients}',
  '/clients/{clients}/edit',
  '/users',
  '/users/{users}',
  '/users/invitations',
  '/account',
  '/account/password',
  '/account/notifications',
  '/account/sessions',
  '/account/tokens',
  '/account/two-factor',
  '/account/data',
  '/admin',
  '/admin/companies/addcompany',
  '/admin/fleets',
  '/admin/users',
  '/admin/authorization',
  '/fleets/create',
  '/locations/create',
  '/locations/calendar',
  '/locations/{locations}/calendar',
  '/machines/{machines}/statistics',
  '/machines/{machines}/location',
  '/machines/{machines}/logs',
  // Of one location: more rows would have the same cells.
  '/reports/cleaning?location_id={locations}',
  '/reports/runs',
  '/reports/costs',
  '/reports/service',
  '/reports/schedules',
  '/alerts',
  '/alert_rules/create',
  '/users/access',
  '/audit',
  '/machines/import',
  '/machines/labels',
  '/report_schedules/create',
  '/invitations/create',
  '/roles/create',
  '/nowhere',
];
/** Their phone layouts are those of other forms and lists above. */
const desktopPages = [
  '/clients/{clients}/edit',
  '/service_plans/create',
  '/fleets/create',
  '/report_schedules/create',
  '/invitations/create',
  '/admin/companies/addcompany',
  '/admin/fleets',
  '/admin/users',
  '/account/data',
  '/account/password',
  '/audit',
  '/clients',
  '/reports/costs',
  '/reports/service',
  '/service_entries',
  '/users/{users}',
];
const loggedOut = ['/login', '/forgotpassword', '/resetpassword/some-token-0123456789'];

test('axe detects violations', async () => {
  const { page } = await testBrowser.visit();
  await page.setContent(
    '<html lang="en"><title>Wrong</title><main><h1>Wrong</h1><img src="x.png"><input></main></html>',
  );
  expect((await findAxeProblems(page)).map(({ rule }) => rule)).toEqual(expect.arrayContaining(['image-alt', 'label']));
});

describe.each([
  { width: 'desktop', dark: false },
  { width: 'phone', dark: true },
] as const)('accessibility at $width width, dark: $dark', ({ width, dark }) => {
  let admin: Visitor;
  let visitor: Visitor;
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    admin = await testBrowser.visit('admin', { width, dark });
    visitor = await testBrowser.visit(undefined, { width, dark });
    for (const name of ['machines', 'clients', 'users', 'locations'])
      ids[name] = (await admin.api<{ data: { id: number }[] }>('GET', `${name}?per_page=1`)).data[0]?.id ?? 0;
  });

  const isWhole = width === 'desktop' || process.env.SWEEPLINE_TEST_WHOLE === 'yes';
  test.each(
    pages.filter((path) => isWhole || !desktopPages.includes(path)),
  )('%s has no violations and logs no error', async (path) => {
    // Opened from another page; routes.test.ts loads each page by its URL.
    await admin.navigate(path.replace(/\{(\w+)\}/, (_, name: string) => String(ids[name])));
    expect(await findAxeProblems(admin.page)).toEqual([]);
    expect(admin.consoleErrors.splice(0)).toEqual([]);
  });

  test.each(loggedOut)('%s has no violations and logs no error', async (path) => {
    await visitor.open(path);
    expect(await findAxeProblems(visitor.page)).toEqual([]);
    expect(visitor.consoleErrors.splice(0)).toEqual([]);
  });
});
