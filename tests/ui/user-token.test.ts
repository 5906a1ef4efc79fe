/** The user of the session: a user token that is unreadable or incomplete ends the session. */
import { afterEach, expect, test, vi } from 'vitest';
import { currentUser, endUnreadableSession } from '../../src/providers/auth';
import { initialSession, session } from '../../src/providers/session';

const tokenOf = (payload: unknown) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.x`;
const user = { id: 7, first_name: 'Ada', last_name: 'Brown', roles: ['Admin'], permissions: ['machines.list'] };

afterEach(() => {
  session.set(initialSession);
  vi.restoreAllMocks();
});

test('the current user is that of a readable token', () => {
  session.set({ t: 'token', ut: tokenOf(user) });
  endUnreadableSession();
  expect([currentUser(), session.get().t]).toEqual([user, 'token']);
});

test.each([
  ['one part', 'garbage'],
  ['no JSON', 'a.b.c'],
  ['the payload null', tokenOf(null)],
  ['a number as payload', tokenOf(7)],
  ['an empty payload', tokenOf({})],
  ['no lists', tokenOf({ ...user, roles: 'Admin', permissions: null })],
  ['the header alone', tokenOf(user).split('.')[0] as string],
])('a token with %s has no user, and ends the session', (_, ut) => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  session.set({ t: 'token', ut });
  endUnreadableSession();
  expect([currentUser(), session.get().t, session.get().ut]).toEqual([undefined, '', '']);
  expect(log).toHaveBeenCalledWith('The user token could not be read.', expect.anything());
});

test('an empty token has no user, which is not an error', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  session.set({ t: 'token', ut: '' });
  endUnreadableSession();
  expect([currentUser(), session.get().t]).toEqual([undefined, '']);
  expect(log).not.toHaveBeenCalled();
});
