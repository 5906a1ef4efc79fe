/** The dialog that assigns an inbox item. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { AssignItem } from '../../src/pages/dashboard/AssignItem';
import { createI18nProvider } from '../../src/providers/i18n';

configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);

vi.mock('../../src/providers/auth', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  can: () => false,
  currentUser: () => ({ id: 7 }),
}));

test('users who cannot list users can only assign items to themselves', async () => {
  const onAssign = vi.fn(async () => {});
  render(
    <AdminContext store={memoryStore()} i18nProvider={await createI18nProvider('en')}>
      <AssignItem title="SC-7: silent" onAssign={onAssign} onClose={() => {}} />
    </AdminContext>,
  );
  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  const [act, ...others] = screen.getAllByRole('button').filter((button) => button !== cancel);
  expect(others).toEqual([]);
  fireEvent.click(act as HTMLElement);
  expect(onAssign).toHaveBeenCalledWith(7);
});
