/** Ctrl+K: text typed while the search loads appears in its field. */
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { AdminContext, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { Keyboard } from '../../src/layout/Keyboard';
import { createI18nProvider } from '../../src/providers/i18n';
import { openOverlay } from '../../src/ui/overlay';

configure({ asyncUtilTimeout: 20_000 });
vi.mock('../../src/providers/call', () => ({ call: () => new Promise(() => {}) }));

afterEach(() => {
  openOverlay(undefined);
  cleanup();
});

test('letters typed before the field is rendered go to the search, not to the page', async () => {
  const i18nProvider = await createI18nProvider('en');
  render(
    <TestMemoryRouter>
      <AdminContext store={memoryStore()} i18nProvider={i18nProvider}>
        <textarea aria-label="Comment" />
        <Keyboard />
      </AdminContext>
    </TestMemoryRouter>,
  );
  const commentInput = screen.getByLabelText('Comment');
  // Returns whether the page would have received the key.
  const press = (key: string, ctrlKey = false) => fireEvent.keyDown(commentInput, { key, ctrlKey });
  press('k', true);
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(['U', 'x', 'Backspace', 's', 'Enter'].map((key) => press(key))).toEqual([false, false, false, false, false]);
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('Us'));
});
