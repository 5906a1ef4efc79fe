/** Undo in the editor of zones, and what happens to its drafts when zones cannot be loaded again. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { session } from '../../src/providers/session';
import type { FloorRecord } from '../../src/resources/floors/floorRecord';
import { PlanTab } from '../../src/resources/floors/PlanTab';
import { ConfirmProvider } from '../../src/ui/ConfirmProvider';

vi.mock('../../src/map/plan/PlanView', () => ({ PlanView: () => null }));
vi.mock('../../src/map/plan/PlanPicture', () => ({ PlanPicture: () => null }));
vi.mock('../../src/resources/floors/ScaleEditor', () => ({ ScaleEditor: () => null }));
vi.mock('../../src/providers/useLive', () => ({ useLive: () => {} }));
const { fetchRows } = vi.hoisted(() => ({ fetchRows: vi.fn() }));
vi.mock('../../src/providers/rows', () => ({ fetchRows }));

const floor = {
  id: 1,
  name: 'Ground floor',
  width_m: 10,
  height_m: 10,
  plan: null,
  maps: [],
} as unknown as FloorRecord;
const zone = (id: number, name: string) => ({
  id,
  version: 1,
  name,
  kind: 'clean',
  every_days: null,
  polygon: [
    [id, 1],
    [id + 1, 1],
    [id, 2],
  ],
});

beforeEach(() => {
  const permissions = ['create', 'edit', 'delete', 'list'].map((action) => `zones.${action}`);
  const payload = { id: 1, roles: ['Partner'], permissions, countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
  fetchRows.mockResolvedValue({ data: [zone(1, 'Hall'), zone(3, 'Shop')] });
});
afterEach(() => {
  cleanup();
  session.end();
});

async function openEditor() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (
    <CoreAdminContext queryClient={client}>
      <QueryClientProvider client={client}>
        <ConfirmProvider>
          <PlanTab floor={floor} />
        </ConfirmProvider>
      </QueryClientProvider>
    </CoreAdminContext>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element: page }])} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Hall/ }));
  return client;
}
const nameInput = () => screen.getByRole<HTMLInputElement>('textbox');
const type = (value: string) => fireEvent.change(nameInput(), { target: { value } });
const undoButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'floors.undo' });

test('typing in one field is one undo step, and typing after an undo is another', async () => {
  await openEditor();
  type('Hall 1');
  type('Hall 12');
  fireEvent.click(undoButton());
  expect(nameInput().value).toBe('Hall');
  type('Hall 3');
  expect(undoButton().disabled).toBe(false);
  fireEvent.click(undoButton());
  expect(nameInput().value).toBe('Hall');
});

test('drafts survive a failed reload of the zones', async () => {
  const client = await openEditor();
  type('Great hall');
  fetchRows.mockRejectedValue(new Error('overloaded'));
  await act(() => client.invalidateQueries({ queryKey: ['zones'] }));
  await waitFor(() => expect(client.getQueryState(['zones', 'of_floor', 1])?.error).toBeTruthy());
  expect(nameInput().value).toBe('Great hall');
});
