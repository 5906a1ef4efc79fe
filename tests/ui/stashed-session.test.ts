/**
 * Impersonation ends in the administrator's own session: by button or on expiry, and never in place of a later session.
 */
import { beforeEach, expect, test } from 'vitest';
import { session } from '../../src/providers/session';
import { endSession, stashSession } from '../../src/providers/stashedSession';

beforeEach(() => {
  sessionStorage.clear();
  session.set({ t: 'own', ut: 'own user' });
});
const view = (t: string) => {
  stashSession(t);
  session.set({ t, ut: 'viewed user' });
};

test('the stashed session is restored once', () => {
  view('view');
  endSession();
  expect(session.get()).toMatchObject({ t: 'own', ut: 'own user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});

test('ending a later session restores no other session', () => {
  view('view');
  session.set({ t: 'another login', ut: 'another user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});

test('a tab that did not start the impersonation logs out', () => {
  session.set({ t: 'view', ut: 'viewed user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});
