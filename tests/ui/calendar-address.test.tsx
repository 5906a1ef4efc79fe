/** The calendar address of the account. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../src/app/queryClient';
import { CalendarAddress } from '../../src/pages/account/CalendarAddress';
import { createI18nProvider } from '../../src/providers/i18n';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

const call = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/call', () => ({ call }));

test('a double click creates one address, since a second one would invalidate the first', async () => {
  call.mockImplementation((key: string) =>
    key === 'GET /calendar' ? Promise.resolve({ data: { created_at: null } }) : new Promise(() => {}),
  );
  render(
    <AdminContext
      store={memoryStore()}
      i18nProvider={await createI18nProvider('en')}
      queryClient={createQueryClient(() => {})}
    >
      <CalendarAddress />
    </AdminContext>,
  );
  const button = await screen.findByRole<HTMLButtonElement>('button');
  await vi.waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
  fireEvent.click(button);
  expect(call.mock.calls.filter(([key]) => key === 'POST /calendar')).toHaveLength(1);
});
