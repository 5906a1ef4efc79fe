/** Pages for logged-out users, while somebody logs in in another tab. */
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LoggedOutOnly } from '../../src/layout/RequireRole';
import { session, storageKey } from '../../src/providers/session';

beforeEach(() => session.end());
afterEach(cleanup);

const Address = () => {
  const { pathname, search } = useLocation();
  return <p>{`${pathname}${search}`}</p>;
};

const renderLogin = (state?: object) =>
  render(
    <MemoryRouter initialEntries={[{ pathname: '/login', state }]}>
      <Routes>
        <Route path="/login" element={<LoggedOutOnly>login</LoggedOutOnly>} />
        <Route path="*" element={<Address />} />
      </Routes>
    </MemoryRouter>,
  );

const storeElsewhere = (values: object) =>
  act(() => {
    const newValue = JSON.stringify({ ...session.get(), ...values });
    localStorage.setItem(storageKey, newValue);
    window.dispatchEvent(new StorageEvent('storage', { key: storageKey, newValue, storageArea: localStorage }));
  });

test.each([
  ['the page that it had left', { nextPathname: '/machines', nextSearch: '?page=2' }, '/machines?page=2'],
  ['the dashboard', undefined, '/'],
])('a login in another tab leads to %s', (_, state, address) => {
  renderLogin(state);
  storeElsewhere({ lang: 'de' });
  expect(screen.getByText('login')).toBeTruthy();
  storeElsewhere({ t: 'token', ut: 'user' });
  expect(screen.getByText(address)).toBeTruthy();
});

test('a login on the page itself does not redirect, since react-admin does so', () => {
  renderLogin({ nextPathname: '/machines' });
  act(() => session.set({ t: 'token', ut: 'user' }));
  expect(screen.getByText('login')).toBeTruthy();
});

test('a logged-in user is redirected to the dashboard', () => {
  session.set({ t: 'token', ut: 'user' });
  renderLogin({ nextPathname: '/machines' });
  expect(screen.getByText('/')).toBeTruthy();
});
