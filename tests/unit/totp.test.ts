/** The test vectors of RFC 6238, appendix B, and RFC 4226, appendix D; RFC 4648, section 10. */
import { expect, test } from 'vitest';
import { seal, unseal } from '../../server/auth/encryptedSecret';
import { base32, codeAt, keyUri, stepAt, stepOf } from '../../server/auth/totp';

const digits = '1234567890';
const secretOf = (length: number) => Buffer.from(digits.repeat(7).slice(0, length));

test.each([
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
])('RFC 6238: at %i seconds', (seconds, sha1, sha256, sha512) => {
  const step = stepAt(new Date(seconds * 1000));
  expect(codeAt(secretOf(20), step, { digits: 8 })).toBe(sha1);
  expect(codeAt(secretOf(32), step, { digits: 8, algorithm: 'sha256' })).toBe(sha256);
  expect(codeAt(secretOf(64), step, { digits: 8, algorithm: 'sha512' })).toBe(sha512);
});

test('RFC 4226: six digits by counter', () => {
  const codes = Array.from({ length: 10 }, (_, step) => codeAt(secretOf(20), step));
  expect(codes).toEqual([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ]);
});

test('the code before and the one after also count, those further away do not', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  const step = stepAt(now);
  const found = [-2, -1, 0, 1, 2].map((away) => stepOf(secretOf(20), codeAt(secretOf(20), step + away), now));
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined]);
  expect(stepOf(secretOf(20), '', now)).toBeUndefined();
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648: %s', (given, expected) => {
  expect(base32(Buffer.from(given))).toBe(expected);
});

test('the address of the QR code names issuer and account', () => {
  const uri = new URL(keyUri({ secret: secretOf(20), account: 'a+b@example.com', issuer: 'Sweepline' }));
  expect([uri.protocol, uri.pathname, uri.searchParams.get('secret')]).toEqual([
    'otpauth:',
    '/Sweepline:a%2Bb%40example.com',
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  ]);
});

test('a sealed secret opens with the same key for the same owner only, and unchanged', () => {
  const [key, other] = [Buffer.from('one key'), Buffer.from('another')];
  const sealed = seal(key, secretOf(20), 'user 7');
  expect(unseal(key, sealed, 'user 7')).toEqual(secretOf(20));
  expect(sealed.includes(secretOf(20))).toBe(false);
  expect(() => unseal(other, sealed, 'user 7')).toThrow();
  expect(() => unseal(key, sealed, 'user 8')).toThrow();
  sealed[14] = (sealed[14] ?? 0) ^ 1;
  expect(() => unseal(key, sealed, 'user 7')).toThrow();
});
