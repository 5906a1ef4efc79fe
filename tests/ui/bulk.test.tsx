/** The result of bulk work: what it offers, how long it stays, and which rows a rejection names. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { CoreAdminContext, HttpError } from 'react-admin';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fleets } from '../../schema/entities/fleets';
import { users } from '../../schema/entities/users';
import { BulkResult } from '../../src/crud/bulk/BulkResult';
import { type BulkWork, useBulk } from '../../src/crud/bulk/useBulk';
import type { BulkWorkResult } from '../../src/providers/bulk';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const Page = ({ work }: { work: BulkWork }) => {
  const { run, element } = useBulk(fleets);
  return (
    <>
      <button type="button" onClick={() => void run(work)}>
        start
      </button>
      {element}
    </>
  );
};

const pageOf = (work: BulkWork) => (
  <MemoryRouter>
    <CoreAdminContext>
      <Page work={work} />
    </CoreAdminContext>
  </MemoryRouter>
);
const start = () => fireEvent.click(screen.getByRole('button', { name: 'start' }));
const changing = (result: BulkWorkResult): BulkWork => ({
  send: async () => result,
  resultText: 'toasts.bulk_changed',
  undo: async () => result,
});

test.each([
  ['rows that already had the value', { count: 3, undo: { changes: [] } }, []],
  ['too many rows', { count: 3000 }, ['many.too_many_to_undo']],
  ['changed rows', { count: 1, undo: { changes: [{ id: 1 }] } }, ['many.undo']],
])('%s', async (_, result, shown) => {
  render(pageOf(changing(result)));
  start();
  await screen.findByText('toasts.bulk_changed');
  expect(['many.too_many_to_undo', 'many.undo'].filter((text) => screen.queryByText(text))).toEqual(shown);
});

test('the result closes after 15 seconds, even if the list renders meanwhile', async () => {
  const work = changing({ count: 1 });
  const { rerender } = render(pageOf(work));
  start();
  await screen.findByText('toasts.bulk_changed');
  for (let second = 0; second < 16; second += 1) {
    rerender(pageOf({ ...work }));
    await act(() => vi.advanceTimersByTimeAsync(1000));
  }
  expect(screen.queryByText('toasts.bulk_changed')).toBeNull();
});

test('the result stays while it has the focus, even after the pointer has left it', () => {
  const onClose = vi.fn();
  render(
    <CoreAdminContext>
      <BulkResult text="Done" onClose={onClose} />
    </CoreAdminContext>,
  );
  const result = screen.getByRole('region');
  act(() => screen.getByRole('button').focus());
  fireEvent.pointerEnter(result);
  fireEvent.pointerLeave(result);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(onClose).not.toHaveBeenCalled();
  act(() => screen.getByRole('button').blur());
  act(() => void vi.advanceTimersByTime(15_000));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a rejection links to the rows that the server names, of whatever entity they are', async () => {
  const rejection = new HttpError('Unprocessable', 422, { rows: [{ id: 7, name: 'Ada Example', message: 'in use' }] });
  render(pageOf({ ...changing({ count: 1 }), send: () => Promise.reject(rejection), changedEntity: users }));
  start();
  expect((await screen.findByRole('link', { name: 'Ada Example' })).getAttribute('href')).toBe('/users/7');
});
