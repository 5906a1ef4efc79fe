/** The dialogs that assign a tracker to a machine. */
import { QueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { CoreAdminContext, type DataProvider } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { session } from '../../src/providers/session';
import { MachineTracker } from '../../src/resources/machines/MachineTracker';
import type { MachineRow } from '../../src/resources/machines/machineRow';
import { AssignTracker } from '../../src/resources/trackers/AssignTracker';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));

const machine = { id: 7, serial_number: 'SN-7', tracker_id: null };
const dataProvider = {
  getList: async () => ({ data: [machine], total: 1 }),
  getMany: async () => ({ data: [] }),
} as unknown as DataProvider;

beforeEach(() => {
  const permissions = ['trackers.edit', 'trackers.list', 'machines.edit'];
  const payload = { id: 1, roles: ['Partner'], permissions, countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
});
afterEach(() => {
  cleanup();
  session.end();
});

function openPage(element: ReactNode, entries = ['/']) {
  const page = (
    <CoreAdminContext dataProvider={dataProvider} queryClient={new QueryClient()}>
      {element}
    </CoreAdminContext>
  );
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: entries });
  render(<RouterProvider router={router} />);
  return router;
}

test('a second click while the tracker is being assigned does nothing', async () => {
  call.mockReturnValue(new Promise(() => {}));
  openPage(<AssignTracker tracker={{ id: 3, refno: 'T-3' }} onClose={() => {}} />);
  fireEvent.click(await screen.findByRole('radio'));
  const assign = screen.getByRole('button', { name: 'trackers.assign' });
  fireEvent.click(assign);
  fireEvent.click(assign);
  expect(call).toHaveBeenCalledTimes(1);
});

test('the dialog of a machine that is closed leaves no entry in the history', async () => {
  const router = openPage(<MachineTracker machine={machine as MachineRow} />, ['/inbox', '/machines/7?assign=3']);
  fireEvent.click(await screen.findByRole('button', { name: 'dialogs.cancel' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  await router.navigate(-1);
  expect(router.state.location.pathname).toBe('/inbox');
});
