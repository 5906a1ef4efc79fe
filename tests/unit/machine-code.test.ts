/** The QR code of a machine contains the URL of its page on its server. */
import { expect, test } from 'vitest';
import { parseMachineUrl } from '../../src/resources/trackers/parseMachineUrl';

test('a code identifies its machine', () => {
  for (const code of [
    'https://fleet.example.com/machines/17',
    'http://127.0.0.1:8080/machines/17',
    ' https://a.b/machines/17/logs ',
    'https://a.b/machines/17?assign=3',
  ])
    expect(parseMachineUrl(code), code).toBe(17);
});

test('any other code is rejected', () => {
  for (const code of [
    '',
    '17',
    '/machines/17',
    'https://a.b/machines',
    'https://a.b/machines/017',
    'https://a.b/machines/17x',
    'https://a.b/x/machines/17',
    'javascript:1//machines/17',
  ])
    expect(parseMachineUrl(code), code).toBeUndefined();
});
