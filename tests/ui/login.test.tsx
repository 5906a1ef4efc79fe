/** The login page of a demo server. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext, HttpError, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../src/app/queryClient';
import { Login } from '../../src/pages/session/Login';
import { authProvider } from '../../src/providers/auth';
import { createI18nProvider } from '../../src/providers/i18n';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

const { call, toast } = vi.hoisted(() => ({ call: vi.fn(), toast: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));
vi.mock('../../src/ui/toast', () => ({ toast }));

test('a failed one-click login says why', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  call.mockImplementation(async (key: string) => {
    if (key === 'GET /demo') return { data: [{ email: 'admin@example.com', password: 'secret', role: 'Admin' }] };
    if (key === 'POST /login') throw new HttpError('Too many attempts.', 429);
    return { data: {} };
  });
  render(
    <TestMemoryRouter>
      <AdminContext
        store={memoryStore()}
        authProvider={authProvider}
        i18nProvider={await createI18nProvider('en')}
        queryClient={createQueryClient(() => {})}
      >
        <Login />
      </AdminContext>
    </TestMemoryRouter>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Admin' }));
  await vi.waitFor(() =>
    expect(toast).toHaveBeenCalledWith(expect.objectContaining({ type: 'error', message: 'Too many attempts.' })),
  );
});
