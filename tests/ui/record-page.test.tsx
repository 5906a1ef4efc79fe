/** The page of a record, on which users go from one record to the next. */
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { AdminContext, AdminUI, CustomRoutes, type DataProvider, memoryStore, TestMemoryRouter } from 'react-admin';
import { Link, Route } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codesOf } from '../../schema';
import { types } from '../../schema/entities/types';
import { RecordPage } from '../../src/crud/record/RecordPage';
import { createI18nProvider } from '../../src/providers/i18n';
import { session } from '../../src/providers/session';
import { ConfirmProvider } from '../../src/ui/ConfirmProvider';

configure({ asyncUtilTimeout: 20_000 });

const dataProvider = {
  getOne: async (_: string, { id }: { id: number }) => ({ data: { id: Number(id), version: 1, name: `Type ${id}` } }),
  getList: async () => ({ data: [], total: 0 }),
  getMany: async () => ({ data: [] }),
} as unknown as DataProvider;

beforeEach(() => {
  const user = { id: 1, first_name: 'Ada', last_name: 'Example', roles: ['Admin'], countries: [] };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify({ ...user, permissions: codesOf(types) }))}.x` });
  vi.stubGlobal('fetch', async () => Response.json({ data: [], total: 0 }));
  const query = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('matchMedia', (media: string) => ({ ...query, media }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  session.end();
});

test('what was typed in a tab does not move to the next record', async () => {
  const details = { label: 'Notes', element: () => <input aria-label="Note" /> };
  render(
    <TestMemoryRouter initialEntries={['/types/5']}>
      <AdminContext dataProvider={dataProvider} i18nProvider={await createI18nProvider('en')} store={memoryStore()}>
        <ConfirmProvider>
          <AdminUI layout={({ children }) => <Suspense fallback="loading">{children}</Suspense>} disableTelemetry>
            <CustomRoutes>
              <Route
                path="/types/:id/*"
                element={
                  <>
                    <Link to="/types/5">To 5</Link>
                    <Link to="/types/6">To 6</Link>
                    <RecordPage entity={types} details={details} />
                  </>
                }
              />
            </CustomRoutes>
          </AdminUI>
        </ConfirmProvider>
      </AdminContext>
    </TestMemoryRouter>,
  );
  const open = async (id: number) => {
    fireEvent.click(screen.getByRole('link', { name: `To ${id}` }));
    await screen.findByRole('heading', { name: `Type ${id}` });
  };
  const noteInput = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Note' });
  await screen.findByRole('heading', { name: 'Type 5' });
  // Both are cached then, so no placeholder is shown between them.
  for (const id of [6, 5]) await open(id);
  fireEvent.change(noteInput(), { target: { value: 'Leaks' } });
  await open(6);
  expect(noteInput().value).toBe('');
});
