/** The page behind the link in verification mails. */
import { act, cleanup, configure, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore, TestMemoryRouter } from 'react-admin';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../src/app/queryClient';
import { VerifyEmail } from '../../src/pages/session/VerifyEmail';
import { createI18nProvider } from '../../src/providers/i18n';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

const call = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/call', () => ({ call }));

test('uses its token once, even if all queries are read again, as after a change of language', async () => {
  call.mockResolvedValueOnce({}).mockRejectedValue(new Error('This link is invalid.'));
  const client = createQueryClient(() => {});
  render(
    <TestMemoryRouter initialEntries={['/verify/abc']}>
      <AdminContext store={memoryStore()} i18nProvider={await createI18nProvider('en')} queryClient={client}>
        <Routes>
          <Route path="/verify/:token" element={<VerifyEmail />} />
        </Routes>
      </AdminContext>
    </TestMemoryRouter>,
  );
  const status = (await screen.findByRole('status')).textContent;
  await vi.waitFor(() => expect(screen.queryByText(/Loading/)).toBeNull());
  await act(() => client.invalidateQueries());
  expect(call).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(status).not.toBe('');
});
