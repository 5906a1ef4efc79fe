/** The rows of an import and the values that are entered for it. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { CoreAdminContext, type DataProvider } from 'react-admin';
import { afterEach, expect, test, vi } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { FieldValue } from '../../src/crud/imports/FieldValue';
import type { Import } from '../../src/crud/imports/import';
import { RowsTable } from '../../src/crud/imports/RowsTable';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../src/providers/call', () => ({ call }));

afterEach(cleanup);

test('the last page of rejected rows is left once its last row is corrected', async () => {
  let count = 26;
  call.mockImplementation(async (_: string, { search }: { search: string }) => {
    const page = Number(new URLSearchParams(search).get('page'));
    const rows = Array.from({ length: count }, (_, index) => index + 1).slice((page - 1) * 25, page * 25);
    return {
      data: rows.map((row) => ({ row, action: 'error', cells: {}, errors: [] })),
      last_page: Math.ceil(count / 25),
    };
  });
  const tableOf = (error: number) => (
    <CoreAdminContext>
      <RowsTable
        job={{ id: 1, state: 'checked', columns: [], counts: { error } } as unknown as Import}
        action="error"
      />
    </CoreAdminContext>
  );
  const { rerender } = render(tableOf(count));
  await screen.findByRole('rowheader', { name: '1' });
  fireEvent.click(screen.getByRole('button', { name: 'list.next_page' }));
  await screen.findByRole('rowheader', { name: '26' });
  count = 25;
  rerender(tableOf(count));
  expect(await screen.findByRole('rowheader', { name: '25' })).toBeTruthy();
});

test('a value that is no id leaves the picker of a reference empty', async () => {
  const provider = { getList: async () => ({ data: [], total: 0 }) } as unknown as DataProvider;
  render(
    <CoreAdminContext dataProvider={provider}>
      <FieldValue
        resource="machines"
        name="fleet_id"
        field={machines.fields.fleet_id}
        value="North"
        onValue={() => undefined}
        label="Fleet"
      />
    </CoreAdminContext>,
  );
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Fleet' })).value).toBe('');
});
