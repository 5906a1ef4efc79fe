// @vitest-environment jsdom
/** Impersonation ends in the own session: by button, on expiry, and never in place of a later session. */
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

test('restores the stashed session once', () => {
  view('view');
  endSession();
  expect(session.get()).toMatchObject({ t: 'own', ut: 'own user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});

test('ends a later session without restoring another', () => {
  view('view');
  session.set({ t: 'another login', ut: 'another user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});

test('logs out in a tab that did not start the impersonation', () => {
  session.set({ t: 'view', ut: 'viewed user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});
