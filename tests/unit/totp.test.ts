/** Test vectors of RFC 6238 (appendix B), RFC 4226 (appendix D) and RFC 4648 (section 10). */
import { expect, test } from 'vitest';
import { base32, keyUri, stepOf } from '../../server/auth/totp';
import { seal, unseal } from '../../server/context/encryptedSecret';
import { totpCode } from '../support/totpCode';

// Uses a slice of Node's shared buffer pool, as values from the database do.
const secret = Buffer.from('12345678901234567890');
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('RFC 6238: at %i seconds', (seconds, code) => {
  expect(stepOf(secret, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
});

test.each([
  ...['755224', '287082', '359152', '969429', '338314'].map((code, step) => [step, code] as const),
  ...['254676', '287922', '162583', '399871', '520489'].map((code, index) => [index + 5, code] as const),
])('RFC 4226: counter %i', (step, code) => {
  expect(stepOf(secret, code, new Date(step * 30_000))).toBe(step);
});

test('accepts the current, the previous and the next code, but no others', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  const step = now.getTime() / 30_000;
  const steps = [-2, -1, 0, 1, 2].map((offset) => stepOf(secret, totpCode(key, now.getTime() + offset * 30_000), now));
  expect(steps).toEqual([undefined, step - 1, step, step + 1, undefined]);
});

test.each([
  '',
  '28708',
  '2870820',
  ' 287082',
  '-87082',
  '２８７０８２',
  'é87082',
])('rejects "%s", which is not six digits', (code) => {
  expect(stepOf(secret, code, new Date(59_000))).toBeUndefined();
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648: %s', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected);
});

test('the URI of the QR code contains issuer, account and parameters', () => {
  const uri = new URL(keyUri({ secret, account: 'a+b@example.com', issuer: 'Sweepline' }));
  expect([uri.protocol, uri.host, uri.pathname, Object.fromEntries(uri.searchParams)]).toEqual([
    'otpauth:',
    'totp',
    '/Sweepline:a%2Bb%40example.com',
    { secret: key, issuer: 'Sweepline', algorithm: 'SHA1', digits: '6', period: '30' },
  ]);
});

test('an encrypted secret can be decrypted only if it is unchanged, with the same key and for the same owner', () => {
  const [ownKey, otherKey] = [Buffer.from('one key'), Buffer.from('another')];
  const sealedSecret = seal(ownKey, secret, 'user 7');
  expect(unseal(ownKey, sealedSecret, 'user 7')).toEqual(secret);
  expect(sealedSecret.includes(secret)).toBe(false);
  expect(() => unseal(otherKey, sealedSecret, 'user 7')).toThrow();
  expect(() => unseal(ownKey, sealedSecret, 'user 8')).toThrow();
  sealedSecret[14] = (sealedSecret[14] ?? 0) ^ 1;
  expect(() => unseal(ownKey, sealedSecret, 'user 7')).toThrow();
});
