/** Advisory locks with equal keys would exclude each other, and one periodic task could block another one forever. */
import { expect, test } from 'vitest';
import { advisoryLocks } from '../../server/db/core/advisoryLocks';
import { readSources } from '../support/sources';

test('every advisory lock has a unique key from one list', () => {
  const keys = Object.values(advisoryLocks);
  expect(new Set(keys).size).toBe(keys.length);
  const literal = /\b7_?335_?112_?\d{3}\b|advisory\w*lock\w*\(\d|\.claim\(\d/;
  const rows = readSources().filter(({ path, text }) => /^(server|demo)\//.test(path) && literal.test(text));
  expect(rows.map(({ path }) => path)).toEqual(['server/db/core/advisoryLocks.ts']);
});
