/** A value that the server rejects stays in the editor of its cell, with the reason. */
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { AdminContext, AdminUI, type DataProvider, HttpError, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { types } from '../../schema/entities/types';
import { codesOf } from '../../schema/index';
import { resourceOf } from '../../src/app/resources';
import { createI18nProvider } from '../../src/providers/i18n';
import { session } from '../../src/providers/session';
import { ConfirmProvider } from '../../src/ui/ConfirmProvider';

// Pages load lazily, and the first one loads half of the application.
configure({ asyncUtilTimeout: 20_000 });

const row = { id: 1, version: 1, name: 'Old name', key_rules: [] };

let rejectUpdate: (error: Error) => void = () => {};

const dataProvider = {
  getList: async (resource: string) => (resource === 'types' ? { data: [row], total: 1 } : { data: [], total: 0 }),
  update: () =>
    new Promise((_, reject) => {
      rejectUpdate = reject;
    }),
} as unknown as DataProvider;

beforeEach(() => {
  const user = { id: 1, first_name: 'Ada', last_name: 'Example', roles: ['Admin'], countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify({ ...user, permissions: codesOf(types) }))}.x` });
  vi.stubGlobal('fetch', async () => new Response('{"data":[],"total":0}', { status: 200 }));
  const query = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('CSS', { escape: String });
  vi.stubGlobal('matchMedia', (media: string) => ({ ...query, media }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a rejected value stays in the editor of its cell, with the reason', async () => {
  const i18nProvider = await createI18nProvider('en');
  render(
    <TestMemoryRouter initialEntries={['/types']}>
      <AdminContext dataProvider={dataProvider} i18nProvider={i18nProvider} store={memoryStore()}>
        <ConfirmProvider>
          <AdminUI layout={({ children }) => <Suspense fallback="loading">{children}</Suspense>} disableTelemetry>
            {resourceOf(types)}
          </AdminUI>
        </ConfirmProvider>
      </AdminContext>
    </TestMemoryRouter>,
  );
  const user = userEvent.setup();
  const cell = await screen.findByRole('rowheader', { name: 'Old name' });
  cell.focus();
  await user.keyboard('{F2}');
  await user.clear(await screen.findByRole('textbox', { name: /Name/ }));
  await user.keyboard('Taken name{Enter}');
  await vi.waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  rejectUpdate(new HttpError('Invalid', 422, { errors: { name: 'This name is taken.' } }));

  const editor = within(await screen.findByRole('form', { name: 'Name' }));
  expect(await editor.findByText('This name is taken.')).toBeTruthy();
  expect(editor.getByRole('textbox').getAttribute('value')).toBe('Taken name');
});
