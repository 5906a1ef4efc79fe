/** An entity declared only by this test gets its list, form and record page from its declaration. */
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { AdminContext, AdminUI, type DataProvider, memoryStore, TestMemoryRouter } from 'react-admin';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codesOf } from '../../schema/index';
import { resourceOf } from '../../src/app/resources';
import { createI18nProvider } from '../../src/providers/i18n';
import { session } from '../../src/providers/session';
import { ConfirmProvider } from '../../src/ui/ConfirmProvider';
import { brushes } from '../support/brushes';

// Pages load lazily, and the first one loads half of the application.
configure({ asyncUtilTimeout: 20_000 });

const rows = [
  {
    id: 1,
    code: 'N-100',
    material: 'nylon',
    diameter: 300,
    price: '12.50',
    bought: '2026-02-01',
    is_worn: false,
    remarks: ['spare'],
    machine_id: 7,
    machine: { id: 7, serial_number: 'SN-7' },
    type_ids: [],
    types: [],
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  },
  {
    id: 2,
    code: 'N-200',
    material: 'steel',
    diameter: null,
    price: null,
    bought: null,
    is_worn: true,
    remarks: [],
    machine_id: 8,
    machine: { id: 8, serial_number: 'SN-8' },
    type_ids: [],
    types: [],
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  },
];

const createSpy = vi.fn();
const dataProvider = {
  getList: async (resource: string) => ({
    data: resource === 'brushes' ? rows : [{ id: 7, serial_number: 'SN-7' }],
    total: 2,
    meta: {},
  }),
  getOne: async () => ({ data: rows[0] }),
  getMany: async () => ({ data: [{ id: 7, serial_number: 'SN-7' }] }),
  getManyReference: async () => ({ data: [], total: 0 }),
  create: async (_: string, { data }: { data: object }) => {
    createSpy(data);
    return { data: { ...data, id: 3 } };
  },
} as unknown as DataProvider;

beforeEach(() => {
  const payload = {
    id: 1,
    first_name: 'Ada',
    last_name: 'Example',
    roles: ['Admin'],
    permissions: [...codesOf(brushes), 'machines.list', 'types.list'],
    countries: [],
    language: { id: 1, name: 'English' },
  };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }));
});
afterEach(cleanup);

const Frame = ({ children }: { children: ReactNode }) => (
  <main>
    <Suspense fallback="loading">{children}</Suspense>
  </main>
);

async function openPath(path: string): Promise<void> {
  const i18nProvider = await createI18nProvider('en');
  render(
    <TestMemoryRouter initialEntries={[path]}>
      <AdminContext dataProvider={dataProvider} i18nProvider={i18nProvider} store={memoryStore()}>
        <ConfirmProvider>
          <AdminUI layout={Frame} disableTelemetry>
            {resourceOf(brushes)}
          </AdminUI>
        </ConfirmProvider>
      </AdminContext>
    </TestMemoryRouter>,
  );
}

test('the list shows the declared columns and a link to each row', async () => {
  await openPath('/brushes');
  const link = await screen.findByRole('link', { name: 'N-100' });
  expect(link.getAttribute('href')).toMatch(/\/brushes\/1$/);
  const table = screen.getByRole('table');
  expect(within(table).getAllByRole('columnheader').length).toBeGreaterThanOrEqual(3);
  expect(within(table).getByText('SN-8')).toBeTruthy();
});

test('the form has every writable field, applies the rules, and sends the entered values', async () => {
  await openPath('/brushes/create');
  const user = userEvent.setup();
  // This entity has no texts, so its labels are their keys.
  const findInput = (field: string) => screen.findByLabelText(new RegExp(`brushes\\.fields\\.${field}\\b`));
  const code = await findInput('code');
  for (const field of ['material', 'diameter', 'price', 'bought', 'is_worn', 'remarks', 'machine_id', 'type_ids'])
    expect(await findInput(field)).toBeTruthy();
  await user.type(code, 'X');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findAllByText(/at least 3 characters/)).not.toEqual([]);
  expect(createSpy).not.toHaveBeenCalled();
  await user.type(code, '-300');
  await user.click(await findInput('machine_id'));
  await user.click(await screen.findByRole('option', { name: 'SN-7' }));
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await vi.waitFor(() => expect(createSpy).toHaveBeenCalledOnce(), 20_000);
  expect(createSpy.mock.lastCall?.[0]).toMatchObject({ code: 'X-300', material: 'nylon', machine_id: 7 });
});

test('the record page shows the row', async () => {
  await openPath('/brushes/1');
  expect(await screen.findByRole('heading', { name: 'N-100' })).toBeTruthy();
  expect(await screen.findByText('SN-7')).toBeTruthy();
  expect(screen.getByText('01.02.2026')).toBeTruthy();
});
