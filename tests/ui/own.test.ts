// @vitest-environment jsdom
/** A view as another user ends where it began: by button, by time, and never in place of a session that came since. */
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

test('the own session comes back, once', () => {
  view('view');
  endSession();
  expect(session.get()).toMatchObject({ t: 'own', ut: 'own user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});

test('a session that began since is ended, and nothing comes in its place', () => {
  view('view');
  session.set({ t: 'another login', ut: 'another user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});

test('a tab that did not begin the view logs out', () => {
  session.set({ t: 'view', ut: 'viewed user' });
  endSession();
  expect(session.get()).toMatchObject({ t: '', ut: '' });
});
