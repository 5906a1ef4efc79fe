/** The unreadable messages of an integration. */
import { QueryClient } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { MessagesTab } from '../../src/resources/integrations/MessagesTab';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));
vi.mock('../../src/providers/useLive', () => ({ useLive: () => {} }));

afterEach(cleanup);

test('returns to the first page if the second one became empty', async () => {
  const message = { received_at: '2026-03-01T10:00:00.000Z', times: 1, body: '{}', problems: ['No serial number.'] };
  call.mockImplementation(async (_: string, { search }: { search: string }) =>
    new URLSearchParams(search).get('page') === '2'
      ? { data: [], last_page: 1 }
      : { data: [{ ...message, id: 1 }], last_page: 2 },
  );
  render(
    <MemoryRouter>
      <CoreAdminContext queryClient={new QueryClient()}>
        <MessagesTab integration={{ id: 7 }} />
      </CoreAdminContext>
    </MemoryRouter>,
  );
  await screen.findByText('No serial number.');
  fireEvent.click(screen.getByRole('button', { name: /next/i }));
  const pages = () => call.mock.calls.map(([, { search }]) => new URLSearchParams(search).get('page') ?? '1');
  await waitFor(() => expect(pages()).toEqual(['1', '2', '1']));
  await screen.findByText('No serial number.');
  expect(screen.queryByText('integrations.messages_none')).toBeNull();
});
