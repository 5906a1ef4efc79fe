import Polyglot from 'node-polyglot';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../../schema/shared/languages';
import {
  formatAmount,
  formatCompact,
  formatDate,
  formatDateTime,
  formatDayOf,
  formatDuration,
  formatExactDuration,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRelative,
  formatSize,
  formatSpan,
  numbersIn,
  parseDate,
} from '../../src/i18n/format';
import { loadMessages } from '../../src/i18n/loadMessages';
import { countryName, languageName, ownName } from '../../src/i18n/names';
import { roleName } from '../../src/i18n/roles';

/** Languages separate groups of digits with different kinds of spaces, so all are replaced by plain spaces. */
const withPlainSpaces = (text: string) => text.replace(/\s/g, ' ');

test('a percentage is printed as the language does, and does not break before its sign', () => {
  expect(languageCodes.map((language) => formatPercent(97.25, { language }))).toEqual([
    '97.25%',
    ...['97,25\u00a0%', '97,25\u00a0%', '97,25%', '97,25\u00a0%', '97,25%'],
  ]);
  expect(formatPercent(99.96, { language: 'en', decimals: 0 })).toBe('100%');
});

describe('dates', () => {
  test('a day is printed as dd.mm.yyyy, and parsed from the same format', () => {
    expect(formatDate('2026-02-01')).toBe('01.02.2026');
    expect(parseDate('01.02.2026')).toBe('2026-02-01');
    expect(parseDate(' 1.2.2026 ')).toBe('2026-02-01');
    expect(parseDate('29.02.2024')).toBe('2024-02-29');
  });

  test.each([
    '29.02.2026',
    '31.04.2026',
    '00.01.2026',
    '1.13.2026',
    '01/02/2026',
    '2026-02-01',
    '01.02.26',
    '',
  ])('%j is not a day', (input) => {
    expect(parseDate(input)).toBeUndefined();
  });

  test('an instant is printed in the requested time zone, with 24 hours and across daylight saving', () => {
    expect(formatDateTime('2026-03-29T00:59:59Z', { timeZone: 'Europe/Berlin' })).toBe('29.03.2026 01:59');
    expect(formatDateTime('2026-03-29T01:00:00Z', { timeZone: 'Europe/Berlin' })).toBe('29.03.2026 03:00');
    expect(formatDateTime('2026-01-01T23:00:07Z', { timeZone: 'Europe/Berlin', seconds: true })).toBe(
      '02.01.2026 00:00:07',
    );
    expect(formatDayOf('2026-07-01T22:05:00Z', 'Europe/Warsaw')).toBe('02.07.2026');
  });

  test('elapsed time is printed in words of the language', () => {
    const now = '2026-11-20T12:00:00Z';
    const relativeTime = (instant: string, language: 'en' | 'de' | 'pl' | 'fr' = 'en') =>
      formatRelative(instant, { language, now });
    expect(relativeTime('2026-11-20T11:59:30Z')).toBe('now');
    expect(relativeTime('2026-11-20T11:55:00Z')).toBe('5 minutes ago');
    expect(relativeTime('2026-11-20T11:55:00Z', 'de')).toBe('vor 5 Minuten');
    expect(relativeTime('2026-11-20T11:55:00Z', 'pl')).toBe('5 minut temu');
    expect(relativeTime('2026-11-20T11:55:00Z', 'fr')).toBe('il y a 5 minutes');
    expect(relativeTime('2026-11-19T12:00:00Z')).toBe('yesterday');
    expect(relativeTime('2026-11-20T15:30:00Z')).toBe('in 3 hours');
    expect(relativeTime('2024-11-20T12:00:00Z')).toBe('2 years ago');
  });
});

describe('numbers', () => {
  test('separators follow the language', () => {
    expect(languageCodes.map((language) => withPlainSpaces(formatNumber(1234567.891, { language })))).toEqual([
      '1,234,567.89',
      '1.234.567,89',
      '1 234 567,89',
      '1 234 567,89',
      '1 234 567,89',
      '1.234.567,89',
    ]);
    expect(formatNumber(2, { language: 'de', decimals: 1 })).toBe('2,0');
    expect(formatNumber(-0.03, { language: 'en', decimals: 1 })).toBe('0.0');
    expect(formatNumber(-0.05, { language: 'en', decimals: 1 })).toBe('-0.1');
    expect(formatNumber(-0.001, { language: 'en' })).toBe('0');
  });

  test('compact numbers for axes use no suffix that could be read as metres', () => {
    expect(languageCodes.map((language) => withPlainSpaces(formatCompact(1_500_000, language)))).toEqual([
      '1.5M',
      '1,5 Mio.',
      '1,5 mn',
      '1,5 mln',
      '1,5 M',
      '1,5 Mln',
    ]);
  });

  test('numbers inside texts are printed the same way', () => {
    const phrases = { found: '%{smart_count} Ergebnis |||| %{smart_count} Ergebnisse', said: '%{name}: %{amount}' };
    const polyglot = new Polyglot({
      locale: 'de',
      phrases,
      replace: numbersIn(() => 'de'),
    } as Polyglot.PolyglotOptions);
    expect(polyglot.t('found', { smart_count: 1 })).toBe('1 Ergebnis');
    expect(polyglot.t('found', { smart_count: 12345 })).toBe('12.345 Ergebnisse');
    expect(polyglot.t('said', { name: "$& 4711 $'", amount: 1500.5 })).toBe("$& 4711 $': 1.500,5");
  });

  test('money is exact beyond floating-point precision', () => {
    expect(withPlainSpaces(formatMoney('9999999999.99', 'de'))).toBe('9.999.999.999,99 €');
    expect(withPlainSpaces(formatMoney('90071992547409.93', 'en'))).toBe('€90,071,992,547,409.93');
    expect(withPlainSpaces(formatMoney('-12.50', 'fr'))).toBe('-12,50 €');
    expect(formatAmount('90071992547409.93', 'en')).toBe('90,071,992,547,409.93');
    expect(formatAmount('0.0027', 'de', 4)).toBe('0,0027');
  });

  test('durations are printed as hours and minutes', () => {
    expect(formatDuration(0, 'en')).toBe('0:00 h');
    expect(formatDuration(59, 'en')).toBe('0:00 h');
    expect(formatDuration(3900, 'en')).toBe('1:05 h');
    expect(formatDuration(12345 * 3600 + 30 * 60, 'de')).toBe('12.345:30 h');
    expect(formatDuration(-30, 'de')).toBe('0:00 h');
    expect(formatDuration(-3900, 'de')).toBe('-1:05 h');
  });

  test('exact durations include seconds, spans use the largest exact unit', () => {
    expect(formatExactDuration(3900, 'en')).toBe('1:05 h');
    expect(formatExactDuration(90, 'en')).toBe('0:01:30 h');
    expect([90, 600, 5400, 86_400, 604_800].map((seconds) => formatSpan(seconds, 'de'))).toEqual([
      '90 s',
      '10 min',
      '90 min',
      '24 h',
      '168 h',
    ]);
  });

  test('file sizes use the units of the language', () => {
    expect(withPlainSpaces(formatSize(640, 'en'))).toBe('640 byte');
    expect(withPlainSpaces(formatSize(12 * 1024, 'de'))).toBe('12 kB');
    expect(withPlainSpaces(formatSize(1.5 * 1024 ** 2, 'fr'))).toBe('1,5 Mo');
  });
});

describe('names', () => {
  test('a country stored by its English name is translated', () => {
    expect(languageCodes.map((language) => countryName('Germany', language))).toEqual([
      'Germany',
      'Deutschland',
      'Tyskland',
      'Niemcy',
      'Allemagne',
      'Germania',
    ]);
    expect(countryName('Atlantis', 'de')).toBe('Atlantis');
  });

  test('built-in roles are translated, custom ones keep their name', async () => {
    await loadMessages('de');
    expect(roleName('Site Manager', 'de')).toBe('Standortleiter');
    expect(roleName('Night shift', 'de')).toBe('Night shift');
  });

  test('languages are named in their own language, as spelled in the specification', () => {
    expect(languageCodes.map(ownName)).toEqual(['English', 'Deutsch', 'Svenska', 'Polski', 'Français', 'Italiano']);
    expect(languageName('sv', 'de')).toBe('Schwedisch');
    expect(languageName('not a code', 'de')).toBe('not a code');
  });
});
