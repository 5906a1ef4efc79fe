import { describe, expect, it } from 'vitest';
import { parseDay, parseDecimal, parseDuration } from '../../src/crud/fields/parseInput';

describe('a typed decimal', () => {
  it.each([
    ['12,5', 'de', '12.5'],
    ['12.5', 'de', '12.5'],
    ['1.234', 'de', '1234'],
    ['1.234', 'en', '1.234'],
    ['1,234', 'en', '1234'],
    ['1,234', 'de', '1.234'],
    ['1.234,50', 'de', '1234.50'],
    ['1,234.50', 'de', '1234.50'],
    ['1 234,50 €', 'fr', '1234.50'],
    ['1.234.567', 'de', '1234567'],
    ['-0,5', 'sv', '-0.5'],
    ['0.125', 'de', '0.125'],
    ['-0,125', 'en', '-0.125'],
    ['', 'en', ''],
    ['twelve', 'en', 'twelve'],
    ['1,2,x', 'en', '1,2,x'],
  ] as const)('%s in %s is %s', (text, language, number) => expect(parseDecimal(text, language)).toBe(number));
});

describe('a typed duration', () => {
  it.each([
    ['12:05', 43_500],
    ['12', 43_200],
    ['0:30', 1800],
    ['1.200:30', 4_321_800],
    ['1 200', 4_320_000],
    ['7:5 h', 25_500],
    ['1,234:30', 4_444_200],
    ['1\u202f234:30 h', 4_444_200],
    ['1,5', undefined],
    ['1.50:00', undefined],
    ['0:01:30', 90],
    ['12:75', undefined],
    ['0:01:75', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%s is %s seconds', (text, seconds) => expect(parseDuration(text)).toBe(seconds));
});

describe('a typed day', () => {
  it.each([
    ['31.12.2026', '2026-12-31'],
    ['1.2.26', '2026-02-01'],
    ['1/2/2026', '2026-02-01'],
    ['2026-02-01', '2026-02-01'],
    ['31.02.2026', '2026-02-31'],
    ['tomorrow', undefined],
    ['1.2.', undefined],
  ])('%s is %s', (text, day) => expect(parseDay(text)).toBe(day));
});
