/** The dialog for the conditions of a list: where the focus goes, and which input a value has. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { CoreAdminContext } from 'react-admin';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machines } from '../../schema/entities/machines';
import { FilterDialog } from '../../src/crud/filter/FilterDialog';
import type { Filters } from '../../src/providers/filters';
import { session } from '../../src/providers/session';

beforeEach(() => {
  session.set({ t: 't', ut: `x.${btoa(JSON.stringify({ id: 1, roles: [], permissions: ['machines.list'] }))}.x` });
});
afterEach(cleanup);

const openDialog = (filters: Filters, at?: number) =>
  render(
    <CoreAdminContext>
      <FilterDialog entity={machines} filters={filters} at={at} onApply={() => undefined} onClose={() => undefined} />
    </CoreAdminContext>,
  );

test('several texts stay in one input for lines, even while only one of them is left', async () => {
  openDialog({ serial_number: ['a', 'b'] }, 0);
  const lines = await screen.findByPlaceholderText('filters.values');
  fireEvent.change(lines, { target: { value: 'a' } });
  expect(screen.getByPlaceholderText('filters.values')).toBe(lines);
});

test('the focus stays on a button for a new condition after one has been removed', async () => {
  const removeFirst = () =>
    fireEvent.click(screen.getAllByRole('button', { name: 'filters.remove_condition' })[0] as HTMLElement);
  const { unmount } = openDialog({ serial_number: ['a'], price: ['>=5'] }, 1);
  await waitFor(() => expect(document.activeElement).toHaveProperty('value', '5'));
  removeFirst();
  expect(document.activeElement?.textContent).toBe('filters.add_condition');
  unmount();

  openDialog({ 'any.0.0.serial_number': ['a'], 'any.0.1.serial_number': ['b'] }, 0);
  await waitFor(() => expect(document.activeElement).toHaveProperty('value', 'a'));
  removeFirst();
  expect(document.activeElement?.textContent).toBe('filters.add_alternative');
  removeFirst();
  expect(document.activeElement?.textContent).toBe('filters.add_condition');
});
