/** The page behind the link in invitations. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext, HttpError, memoryStore, TestMemoryRouter } from 'react-admin';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../src/app/queryClient';
import { AcceptInvitation } from '../../src/pages/session/AcceptInvitation';
import { createI18nProvider } from '../../src/providers/i18n';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

const call = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/call', () => ({ call }));

const open = async () =>
  render(
    <TestMemoryRouter initialEntries={['/invitation/abc']}>
      <AdminContext
        store={memoryStore()}
        i18nProvider={await createI18nProvider('en')}
        queryClient={createQueryClient(() => {})}
      >
        <Routes>
          <Route path="/invitation/:token" element={<AcceptInvitation />} />
        </Routes>
      </AdminContext>
    </TestMemoryRouter>,
  );

test('an unknown invitation is called invalid', async () => {
  call.mockRejectedValue(new HttpError('Not found.', 404));
  await open();
  await screen.findByText('This invitation is not valid or no longer valid.');
});

test('one that could not be read for another reason can be read again', async () => {
  call.mockRejectedValueOnce(new HttpError('Too many requests.', 429));
  await open();
  await screen.findByText('Too many requests.');
  expect(screen.queryByText(/no longer valid/)).toBeNull();
  call.mockResolvedValue({ data: { email: 'new@example.com', role: 'Operator', client: null, language: null } });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText(/new@example.com/);
});
