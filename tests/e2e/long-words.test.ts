/**
 * Texts of the greatest length without a space fit the window, on every page of their rows. On a phone; with
 * `SWEEPLINE_TEST_WHOLE=yes` also on a desktop.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EntityName, registry } from '../../schema';
import type { Field } from '../../schema/dsl/field';
import { namedRoles } from '../../schema/shared/roles';
import { type Installation, startInstallation } from '../support/startInstallation';
import { type Session, setUpTestBrowser } from '../support/visit';

const testBrowser = setUpTestBrowser();
let installation: Installation;
let session: Session;
const ids: Partial<Record<EntityName, number>> = {};

const word = 'Reinigungsgesellschaftsbeauftragtenversammlung';
const longTextLength = 400;

/** A value of the greatest length for every text of an entity that anybody may type. */
const longestTexts = (name: EntityName): Record<string, string> =>
  Object.fromEntries(
    Object.entries(registry[name].fields as Record<string, Field>).flatMap(([field, { kind, max, format, write }]) =>
      (kind === 'text' || kind === 'longtext') && !format && write !== false
        ? [[field, word.repeat(50).slice(0, Math.min(max ?? longTextLength, longTextLength))]]
        : [],
    ),
  );

beforeAll(async () => {
  installation = await startInstallation();
  session = await installation.signIn();
  const { token } = session;
  const read = async (path: string) =>
    (await installation.api<{ data: { id: number }[] }>('GET', path, { token })).data[0]?.id;
  const create = async (name: EntityName, values: object, path: string = name) => {
    const body = { ...(path === name ? longestTexts(name) : {}), ...values };
    ids[name] = (await installation.api<{ data: { id: number } }>('POST', path, { token, body })).data.id;
    return ids[name];
  };
  const postal_code = '20095';
  const client_id = await create('clients', { postal_code, country_id: await read('countries'), image: null });
  const fleet_id = await create('fleets', { client_id, color: '#0b7a75' });
  const place = { latitude: 53.5, longitude: 10, holiday_region: null };
  const location_id = await create('locations', { ...place, fleet_id, postal_code });
  await create('floors', { location_id });
  await create('types', {});
  const machine_id = await create('machines', { fleet_id, location_id, stock_state: 'deployed' });
  await create('service_plans', { machine_id, every_months: 3 });
  await create('service_entries', { machine_id, date: '2026-01-05', kind: 'maintenance' });
  await create(
    'alerts',
    { problem: 'noise', report: word.repeat(8), is_out_of_use: true },
    `machines/${machine_id}/problems`,
  );
  await create('roles', { scope: 'all' });
  const role = await read(`roles?filter[name]=${namedRoles.operator.name}`);
  const language_id = await read('languages');
  await create('users', {
    client_id,
    language_id,
    role_ids: [role],
    machine_ids: [machine_id],
    email: `${'x'.repeat(60)}@${'y'.repeat(60)}.example.org`,
  });
});
afterAll(() => installation.stop());

const recordPages = (name: EntityName, ...tabs: string[]) =>
  ['', ...tabs].map((tab) => `/${name}/{${name}}${tab && `/${tab}`}`);

const widths = process.env.SWEEPLINE_TEST_WHOLE === 'yes' ? (['phone', 'desktop'] as const) : (['phone'] as const);
test.each(widths)('no page is wider than the screen of a %s', async (width) => {
  const { url } = installation.server;
  const { page, navigate } = await testBrowser.visit(undefined, { url, session, width, lang: 'de' });
  await navigate('/');
  const paths = [
    '/',
    '/machines',
    ...recordPages('machines', 'edit', 'service', 'location', 'logs', 'history'),
    ...recordPages('clients', 'edit'),
    ...recordPages('fleets', 'edit'),
    ...recordPages('locations', 'edit', 'calendar', 'floors'),
    ...recordPages('users', 'edit'),
    ...['floors', 'types', 'roles', 'alerts', 'service_plans'].flatMap((name) => recordPages(name as EntityName)),
    '/locations/calendar',
    '/alerts',
    '/users',
    '/users/access',
    '/clients',
    '/reports/cleaning',
    '/reports/costs',
    '/machines/labels',
    '/audit',
  ];
  const findTooWide = () =>
    page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const elements = [...document.querySelectorAll('main, main *')].filter(
        (element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === 'visible',
      );
      return elements.map(({ className, scrollWidth }) => `${className} ${scrollWidth}`);
    });
  const tooWide: string[] = [];
  for (const path of paths) {
    await navigate(path.replace(/\{(\w+)\}/, (_, name: EntityName) => String(ids[name])));
    tooWide.push(...(await findTooWide()).map((element) => `${path}: ${element}`));
  }
  expect(tooWide).toEqual([]);
});
