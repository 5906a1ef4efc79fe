/** Parameters of the address that a page sets before it has been rendered for the latest address. */
import { act, cleanup, render } from '@testing-library/react';
import { createMemoryRouter, Route, RouterProvider, Routes } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useUpdateSearch } from '../../src/crud/shared/useUpdateSearch';

afterEach(cleanup);

/** Opens a page at `path`; returns its address, and its setter as first rendered. */
function openPath(path: string) {
  const setters: ReturnType<typeof useUpdateSearch>[] = [];
  const Page = () => {
    setters.push(useUpdateSearch());
    return null;
  };
  // In the application, pages are routes below its only route.
  const element = (
    <Routes>
      <Route path="*" element={<Page />} />
    </Routes>
  );
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  const [set = () => {}] = setters;
  return { router, set, address: () => router.state.location.pathname + router.state.location.search };
}

test('two concurrent choices are both stored', async () => {
  const { set, address } = openPath('/reports/cleaning?client_id=1');
  await act(async () => {
    set({ month: '2026-10' });
    set({ by: 'day', client_id: undefined });
  });
  expect(address()).toBe('/reports/cleaning?month=2026-10&by=day');
});

test('a choice after a click on another tab does not return to the former tab', async () => {
  const { router, set, address } = openPath('/reports/cleaning');
  await act(async () => {
    void router.navigate('/reports/runs');
    set({ month: '2026-10' });
  });
  expect(address()).toBe('/reports/runs?month=2026-10');
});

test('a choice on a page that is being left neither returns to it nor becomes a parameter of the next page', async () => {
  const { router, set, address } = openPath('/?days=30');
  await act(async () => {
    void router.navigate('/machines?page=2');
    set({ days: '7' });
  });
  expect(address()).toBe('/machines?page=2');
});
