/** The table of a grouped list. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { CoreAdminContext, type DataProvider, ListContextProvider } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { types } from '../../schema/entities/types';
import { codesOf } from '../../schema/index';
import { useColumns } from '../../src/crud/list/columns';
import { GroupedRows } from '../../src/crud/list/GroupedRows';
import { session } from '../../src/providers/session';

beforeEach(() => {
  session.set({ t: 't', ut: `x.${btoa(JSON.stringify({ id: 1, roles: [], permissions: codesOf(types) }))}.x` });
  const groups = { data: [{ value: 'Acme', label: 'Acme', count: 1, sums: {} }], total: 1 };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(groups), { status: 200 }));
  const query = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('matchMedia', (media: string) => ({ ...query, media }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const provider = {
  getList: async () => ({ data: [{ id: 1, version: 1, name: 'Old' }], total: 1 }),
} as unknown as DataProvider;
const context = (trashed: object) =>
  ({ filterValues: trashed, sort: { field: 'name', order: 'ASC' }, setSort: () => undefined }) as never;

const List = () => (
  <GroupedRows
    entity={types}
    by="manufacturer"
    columns={useColumns(types)}
    loadingReason={undefined}
    peek={undefined}
  />
);

test.each([{}, { trashed: 'only' }])('every row of a list with the filters %j has all columns', async (filters) => {
  render(
    <MemoryRouter>
      <CoreAdminContext dataProvider={provider}>
        <ListContextProvider value={context(filters)}>
          <List />
        </ListContextProvider>
      </CoreAdminContext>
    </MemoryRouter>,
  );
  fireEvent.click(await screen.findByRole('button', { expanded: false }));
  await screen.findByRole('rowheader', { name: 'Old' });
  const widths = screen
    .getAllByRole<HTMLTableRowElement>('row')
    .map(({ cells }) => [...cells].reduce((sum, { colSpan }) => sum + colSpan, 0));
  expect(widths.length).toBe(3);
  expect(new Set(widths).size).toBe(1);
});
