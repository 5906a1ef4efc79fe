/**
 * Undoable mutations of react-admin: each runs once, when its toast closes or the user leaves the page, and never after
 * an undo.
 */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useAddUndoableMutation, useNotify } from 'ra-core';
import { CoreAdminContext } from 'react-admin';
import { MemoryRouter, useNavigate } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastArea, Toasts } from '../../src/ui/Toasts';
import { runMutations } from '../../src/ui/undoable';

const onSettled = vi.fn<(name: string, isUndo: boolean) => void>();

const Page = () => {
  const add = useAddUndoableMutation();
  const notify = useNotify();
  const navigate = useNavigate();
  const save = (name: string, target?: string) => {
    add(({ isUndo }) => onSettled(name, isUndo));
    notify(`saved ${name}`, { type: 'success', undoable: true, autoHideDuration: null });
    if (target) navigate(target);
  };
  return (
    <>
      <button type="button" onClick={() => save('one')}>
        save one
      </button>
      <button type="button" onClick={() => save('two')}>
        save two
      </button>
      <button type="button" onClick={() => save('one', '/list')}>
        save and go
      </button>
      <button type="button" onClick={() => navigate('/elsewhere')}>
        leave
      </button>
    </>
  );
};

const openPage = () =>
  render(
    <ToastArea>
      <MemoryRouter initialEntries={['/form']}>
        <CoreAdminContext i18nProvider={undefined}>
          <Toasts />
          <Page />
        </CoreAdminContext>
      </MemoryRouter>
    </ToastArea>,
  );
const press = (name: string | RegExp) => {
  const button = screen.getByRole('button', { name });
  fireEvent.pointerDown(button);
  fireEvent.click(button);
};

afterEach(async () => {
  runMutations();
  cleanup();
  onSettled.mockClear();
});

test('each toast settles its own mutation, in whatever order they close', async () => {
  openPage();
  press('save one');
  press('save two');
  await screen.findByText('saved one');
  fireEvent.click(await screen.findByRole('button', { name: /saved two/ }));
  await waitFor(() => expect(onSettled.mock.calls).toEqual([['two', false]]));
  fireEvent.click(screen.getAllByRole('button', { name: 'ra.action.undo' })[0] as HTMLElement);
  expect(onSettled.mock.calls).toEqual([
    ['two', false],
    ['one', true],
  ]);
});

test('an undone mutation never runs, whatever closes afterwards', async () => {
  openPage();
  press('save one');
  fireEvent.click(await screen.findByRole('button', { name: 'ra.action.undo' }));
  await waitFor(() => expect(screen.queryByText('saved one')).toBeNull());
  window.dispatchEvent(new Event('pagehide'));
  expect(onSettled.mock.calls).toEqual([['one', true]]);
});

test('the mutation stays undoable on the page that opens after saving; the next navigation sends it', async () => {
  openPage();
  press('save and go');
  await screen.findByText('saved one');
  expect(onSettled).not.toHaveBeenCalled();
  press('leave');
  await waitFor(() => expect(onSettled.mock.calls).toEqual([['one', false]]));
});

test('closing the page sends pending mutations once', async () => {
  openPage();
  press('save one');
  await screen.findByText('saved one');
  window.dispatchEvent(new Event('pagehide'));
  window.dispatchEvent(new Event('pagehide'));
  expect(onSettled.mock.calls).toEqual([['one', false]]);
});
