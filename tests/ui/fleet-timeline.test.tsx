/** The fleet timeline: rows of a response, keyboard navigation, and updates by events. */
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AdminContext, memoryStore, TestMemoryRouter } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createI18nProvider } from '../../src/providers/i18n';
import type { LiveMessage } from '../../src/providers/useLive';
import { FleetTimeline } from '../../src/resources/machines/FleetTimeline';

configure({ asyncUtilTimeout: 20_000 });

const liveChannel = vi.hoisted(() => ({ send: (_: LiveMessage) => {} }));
vi.mock('../../src/providers/useLive', () => ({
  useLive: (_: string, handler: (message: LiveMessage) => void) => {
    liveChannel.send = handler;
  },
}));
const call = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/call', () => ({ call }));

const hour = 3_600_000;
const machine = (id: number) => ({
  id,
  serial_number: `SN-${id}`,
  group: id % 2 === 0 ? 7 : null,
  cleaning: 3600,
  charging: 0,
  parked: 7200,
  online: 0,
  offline: 0,
  pieces: id === 3 ? [0, 5] : [0, 2, 3600, 4],
});

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  call.mockImplementation(async (key: string, { query }: { query: { from: string } }) =>
    key === 'GET /machines/timeline'
      ? {
          data: {
            from: query.from,
            to: new Date().toISOString(),
            groups: [{ id: 7, name: 'Werk' }],
            machines: [2, 4, ...Array.from({ length: 300 }, (_, index) => 2 * index + 1)].map(machine),
          },
          last_page: 1,
        }
      : { data: [] },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const Address = () => {
  const { pathname, search } = useLocation();
  return <div data-testid="address">{pathname + search}</div>;
};

async function openTimeline(search = '') {
  const i18nProvider = await createI18nProvider('en');
  render(
    <TestMemoryRouter initialEntries={[`/machines${search}`]}>
      <AdminContext store={memoryStore()} i18nProvider={i18nProvider}>
        <FleetTimeline filter={[]} />
        <Address />
      </AdminContext>
    </TestMemoryRouter>,
  );
  await screen.findByRole('link', { name: /^SN-2,/ });
}

const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('aria-label'));

test('draws the first of many rows, with their current state and one path per state and block', async () => {
  await openTimeline();
  expect(links().slice(0, 4)).toEqual([
    'SN-2, Cleaning',
    'SN-4, Cleaning',
    'SN-1, Cleaning',
    'SN-3, before its first message',
  ]);
  expect(links().length).toBeLessThan(50);
  const paths = document.querySelector('.sl-fleet__bars svg')?.querySelectorAll('path') ?? [];
  expect([...paths].map((path) => path.getAttribute('fill'))).toEqual([
    'url(#fleet-parked)',
    'var(--sl-cleaning)',
    'url(#fleet-gap)',
  ]);
});

test('shows headings when grouped', async () => {
  await openTimeline('?group=location');
  expect(call.mock.lastCall?.[1]).toMatchObject({ query: { group: 'location', sort: 'name' } });
  const items = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(items.filter((text) => text?.includes('machine'))).toEqual(
    expect.arrayContaining(['Werk2 machines', 'Without300 machines']),
  );
});

test('moves between rows and pieces by arrow keys; Enter opens the machine at that time', async () => {
  await openTimeline();
  const user = userEvent.setup();
  screen.getByRole('link', { name: /^SN-2,/ }).focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('SN-4, Cleaning');
  const status = screen.getByRole('status');
  expect(within(status).getByText('SN-4')).toBeTruthy();
  await user.keyboard('{ArrowLeft}');
  expect(status.textContent).toContain('Parked');
  await user.keyboard('{End}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('SN-599, Cleaning');
  await user.keyboard('{Home}{Enter}');
  const address = screen.getByTestId('address').textContent ?? '';
  expect(address).toMatch(/^\/machines\/2\?at=/);
  expect(Date.now() - Date.parse(address.split('at=')[1] ?? '')).toBeGreaterThan(22 * hour);
});

test('keeps the focus on a row that is scrolled out of view', async () => {
  await openTimeline();
  const row = screen.getByRole('link', { name: /^SN-2,/ });
  row.focus();
  const area = screen.getAllByRole('region')[0] as HTMLElement;
  area.scrollTop = 200 * 28;
  fireEvent.scroll(area);
  await screen.findByRole('link', { name: /^SN-401,/ });
  expect(document.activeElement).toBe(row);
  expect(links()[0]).toBe('SN-2, Cleaning');
});

test('updates a machine’s state by its event', async () => {
  await openTimeline();
  const event = { status: 'Charging', status_since: new Date().toISOString() };
  act(() => liveChannel.send({ topic: 'resource/machines/4', type: 'updated', payload: event }));
  await screen.findByRole('link', { name: 'SN-4, Charging' }, { timeout: 5000 });
  expect(links()[0]).toBe('SN-2, Cleaning');
});

test('an event between two clock ticks renders only its machine', async () => {
  await openTimeline();
  const pathsOf = (name: RegExp) =>
    [...screen.getByRole('link', { name }).querySelectorAll('path')].map((path) => path.getAttribute('d'));
  const otherPaths = pathsOf(/^SN-2,/);
  const laterTime = Date.now() + 10 * 60_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(laterTime);
  const event = { status: 'Charging', status_since: new Date(laterTime).toISOString() };
  act(() => liveChannel.send({ topic: 'resource/machines/4', type: 'updated', payload: event }));
  await screen.findByRole('link', { name: 'SN-4, Charging' }, { timeout: 5000 });
  expect(pathsOf(/^SN-2,/)).toEqual(otherPaths);
  clock.mockRestore();
});

test('leaves keys with modifiers to the browser', async () => {
  await openTimeline();
  const row = screen.getByRole('link', { name: /^SN-2,/ });
  row.focus();
  expect(fireEvent.keyDown(row, { key: 'ArrowLeft', altKey: true })).toBe(true);
  expect(fireEvent.keyDown(row, { key: 'End', ctrlKey: true })).toBe(true);
  expect(document.activeElement).toBe(row);
});

test('does not take the focus back when the rows change after a key that moved nowhere', async () => {
  await openTimeline();
  const user = userEvent.setup();
  screen.getByRole('link', { name: /^SN-2,/ }).focus();
  await user.keyboard('{End}{End}');
  const select = screen.getByRole('combobox', { name: 'Group by' });
  const respond = call.getMockImplementation() as (key: string, request: object) => Promise<object>;
  call.mockImplementation(async (key: string, request: object) => {
    const response = (await respond(key, request)) as { data: { machines: object[] } };
    if (key === 'GET /machines/timeline') response.data.machines.splice(3);
    return response;
  });
  await user.selectOptions(select, 'location');
  await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(3));
  expect(document.activeElement).toBe(select);
});

test('another order starts at the first page', async () => {
  const respond = call.getMockImplementation() as (key: string, request: object) => Promise<object>;
  call.mockImplementation(async (key: string, request: object) => ({ ...(await respond(key, request)), last_page: 2 }));
  await openTimeline();
  const pages = () =>
    call.mock.calls
      .filter(([key]) => key === 'GET /machines/timeline')
      .map(([, { search }]) => new URLSearchParams(search).get('page'));
  call.mockClear();
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(pages()).toEqual(['2']));
  fireEvent.change(screen.getByRole('combobox', { name: 'Order' }), { target: { value: 'idle' } });
  await waitFor(() => expect(pages()).toHaveLength(2));
  expect(pages().at(-1)).not.toBe('2');
});
