import { expect, test } from 'vitest';
import { encodingFor } from '../../server/http/sharedBody';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR; q=0.1', 'br'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  [undefined, undefined],
])('for the encodings %s a response uses %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});
