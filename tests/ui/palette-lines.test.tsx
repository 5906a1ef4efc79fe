/** Options of the global search do not move under the pointer when further results arrive. */
import { act, cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { AdminContext, memoryStore, TestMemoryRouter } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { codesOf, entities } from '../../schema/index';
import { Palette } from '../../src/layout/Palette';
import { createI18nProvider } from '../../src/providers/i18n';
import { session } from '../../src/providers/session';

configure({ asyncUtilTimeout: 20_000 });

const call = vi.hoisted(() => vi.fn());
vi.mock('../../src/providers/call', () => ({ call }));

const client = { data: [{ resource: 'clients', rows: [{ id: 7, name: 'Users of the north' }] }] };
let respond: (result: typeof client) => void;

beforeEach(() => {
  const permissions = entities.flatMap((entity) => codesOf(entity));
  const payload = { id: 1, roles: ['Admin'], permissions, countries: [], language: { id: 1, name: 'English' } };
  session.set({ t: 'token', ut: `e30.${btoa(JSON.stringify(payload))}.x` });
  call.mockImplementation(
    () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  );
});
afterEach(cleanup);

const Address = () => <div data-testid="address">{useLocation().pathname}</div>;
const address = () => screen.getByTestId('address').textContent;
const optionTexts = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
const findOption = (name: string) => screen.findByRole('option', { name });

/** Opens the search and types a text that a page matches at once; the matching record is still pending. */
async function search() {
  call.mockClear();
  const i18nProvider = await createI18nProvider('en');
  render(
    <TestMemoryRouter initialEntries={['/machines']}>
      <AdminContext store={memoryStore()} i18nProvider={i18nProvider}>
        <Palette onAct={() => {}} onClose={() => {}} />
        <Address />
      </AdminContext>
    </TestMemoryRouter>,
  );
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'users' } });
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce(), 20_000);
  expect(optionTexts()[0]).toBe('Users');
}

const receiveRecord = () =>
  act(async () => {
    respond(client);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

const optionAt = (index: number) => screen.getAllByRole('option')[index] as HTMLElement;

/** Moves the pointer by a number of pixels, which jsdom does not track. */
function moveOver(option: HTMLElement, distance: number): void {
  const event = new MouseEvent('pointermove', { bubbles: true });
  for (const name of ['movementX', 'movementY']) Object.defineProperty(event, name, { value: distance });
  fireEvent(option, event);
}

test('a click opens the pressed option, although a record arrives before the button is released', async () => {
  await search();
  const pressedOption = optionAt(0);
  fireEvent.pointerDown(pressedOption);
  fireEvent.mouseDown(pressedOption);
  await receiveRecord();
  const releasedOption = optionAt(0);
  fireEvent.pointerUp(releasedOption);
  fireEvent.mouseUp(releasedOption);
  // If press and release hit different elements, the click goes to their closest common ancestor.
  fireEvent.click(releasedOption === pressedOption ? pressedOption : screen.getByRole('listbox'));
  await vi.waitFor(() => expect(address()).toBe('/users'), 1000);
});

test('a record that arrives does not move the options while the pointer moves over them', async () => {
  await search();
  const shownOptions = optionTexts();
  moveOver(optionAt(0), 5);
  await receiveRecord();
  expect(optionTexts()).toEqual(shownOptions);
  fireEvent.click(optionAt(0));
  await vi.waitFor(() => expect(address()).toBe('/users'), 1000);
});

test('Enter after an arrow key opens the highlighted option, even if the options have just changed', async () => {
  await search();
  await receiveRecord();
  const field = screen.getByRole('combobox');
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Users');
  fireEvent.keyDown(field, { key: 'Enter' });
  await vi.waitFor(() => expect(address()).toBe('/users'), 1000);
});

test('the record appears once the pointer rests or leaves, and at once without a pointer', async () => {
  await search();
  moveOver(optionAt(0), 5);
  await receiveRecord();
  await findOption('Users of the north');
  cleanup();

  await search();
  moveOver(optionAt(0), 5);
  await receiveRecord();
  fireEvent.pointerLeave(screen.getByRole('listbox'));
  expect(optionTexts()[0]).toBe('Users of the north');
  cleanup();

  await search();
  // A resting pointer: browsers send this event when another element moves under it.
  moveOver(optionAt(0), 0);
  await receiveRecord();
  expect(optionTexts()[0]).toBe('Users of the north');
});

test('text typed while the pointer is over the options filters them at once', async () => {
  await search();
  moveOver(optionAt(0), 5);
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'fleets' } });
  expect(optionTexts()[0]).toBe('Fleets');
});
