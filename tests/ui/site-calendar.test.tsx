/** The cleaning calendar and the sites of the dashboard where the reader's day is not that of the sites. */
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import { AdminContext, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OwnSites } from '../../src/pages/dashboard/OwnSites';
import { createI18nProvider } from '../../src/providers/i18n';
import { Calendar } from '../../src/resources/locations/Calendar';

configure({ asyncUtilTimeout: 20_000 });

const call = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/call', () => ({ call }));

/** The 29th in Kiritimati (UTC+14), the 28th from Hawaii to New Zealand. */
const instant = Date.parse('2026-11-28T10:30:00Z');
const site = { id: 3, name: 'Tarawa', time_zone: 'Pacific/Kiritimati', planned_area_m2: 400 };
let periods: string[];
let pageOfSites: (typeof site)[];

beforeEach(() => {
  vi.useFakeTimers({ now: instant, toFake: ['Date'] });
  periods = [];
  pageOfSites = [site];
  call.mockImplementation(async (_: string, { search, query }: { search: string; query?: Record<string, string> }) => {
    const { from = '', to = '' } = query ?? Object.fromEntries(new URLSearchParams(search));
    periods.push(`${from} ${to}`);
    const days = ['2026-11-28', '2026-11-29'].filter((day) => day >= from && day <= to);
    return {
      data: pageOfSites.map((row) => ({
        ...row,
        days: days.map((day) => ({ day, state: 'cleaned', cleaning: 60, area_m2: Number(day.slice(8)) })),
      })),
      total: pageOfSites.length,
    };
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(element: React.ReactElement) {
  render(
    <TestMemoryRouter>
      <AdminContext store={memoryStore()} i18nProvider={await createI18nProvider('en')}>
        {element}
      </AdminContext>
    </TestMemoryRouter>,
  );
  await screen.findByRole('table');
}
const lastDay = () => within(screen.getByRole('table')).getAllByRole('columnheader').at(-2)?.getAttribute('title');

test('the calendar of a site ends with the present day of the site, not with that of the reader', async () => {
  await show(<Calendar location={site.id} />);
  await vi.waitFor(() => expect(lastDay()).toBe('29.11.2026'));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Later' }).disabled).toBe(true);
  expect(periods).toEqual(['2026-11-01 2026-11-28', '2026-11-02 2026-11-29']);
});

test('the calendar of sites with the reader’s day is requested once', async () => {
  pageOfSites = [{ ...site, time_zone: 'UTC' }];
  await show(<Calendar />);
  expect(lastDay()).toBe('28.11.2026');
  expect(periods).toEqual(['2026-11-01 2026-11-28']);
});

test('the start page shows the work of the site’s own day', async () => {
  pageOfSites = [site, { ...site, id: 4, name: 'Greenwich', time_zone: 'UTC' }];
  await show(<OwnSites />);
  const items = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(items[0]).toContain('29');
  expect(items[1]).toContain('28');
});
