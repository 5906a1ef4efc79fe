import { describe, expect, it } from 'vitest';
import { initialSession, readSession } from '../../src/providers/session';

describe('the persisted session', () => {
  it('starts with the sidebar open, in English, logged out', () => {
    expect(readSession(null)).toEqual({ sb: true, lang: 'en', t: '', ut: '' });
  });

  it('reads a stored session', () => {
    const storedSession = { sb: false, lang: 'pl', t: 'token', ut: 'user' };
    expect(readSession(JSON.stringify(storedSession))).toEqual(storedSession);
  });

  it('has exactly four keys, whatever else was stored', () => {
    expect(Object.keys(readSession('{"lang":"de","theme":"dark","t":"x"}'))).toEqual(['sb', 'lang', 't', 'ut']);
  });

  it.each([
    'not json',
    '[]',
    '7',
    'null',
    '{"sb":"yes","lang":"xx","t":7,"ut":null}',
    '{"lang":"constructor"}',
  ])('falls back to the defaults for %s', (storedText) => {
    expect(readSession(storedText)).toEqual(initialSession);
  });
});
