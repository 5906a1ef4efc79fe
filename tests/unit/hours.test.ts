import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Hours, type HoursSpan, hoursProblem, normalizeHours, weekdayCodes } from '../../schema/dsl/hours';
import { canonicalHours, parseHours } from '../../schema/dsl/parseHours';
import { clockSpans, isOpen, localDay, nextChange, openSpans, shiftDay } from '../../schema/shared/openSpans';

const textOf = (text: string) => parseHours(text)?.text;

describe('texts', () => {
  test.each([
    ['Mo-Fr 06:00-22:00', 'Mo-Fr 06:00-22:00'],
    ['Mon–Fri 6-22, Sat 8-14', 'Mo-Fr 06:00-22:00; Sa 08:00-14:00'],
    ['24/7', '24/7'],
    ['Mo-Su 06:00-23:00', 'Mo-Su 06:00-23:00'],
    ['Mo-Fr 08:00-12:00,13:00-17:30; PH off', 'Mo-Fr 08:00-12:00,13:00-17:30; PH off'],
    ['Mo-Sa 08:00-20:00; We off', 'Mo-Tu,Th-Sa 08:00-20:00'],
    ['Fr-Mo 22:00-06:00', 'Mo,Fr-Su 22:00-06:00'],
    ['Mo-Fr 18:00-26:00', 'Mo-Fr 18:00-02:00'],
    ['Mo-Fr 06:00-22:00; Sa 08:00-14:00; 2026-12-24 off', 'Mo-Fr 06:00-22:00; Sa 08:00-14:00; 2026-12-24 off'],
    ['2026 Dec 24-26 off', '2026-12-24-2026-12-26 off'],
    ['Mo-Fr 08:00-18:00; 24.12.2026 8-12', 'Mo-Fr 08:00-18:00; 2026-12-24 08:00-12:00'],
    ['Monday to Friday 9am-5:30pm', 'Mo-Fr 09:00-17:30'],
    ['Montag bis Freitag: 7:30 bis 18 Uhr, So geschlossen', 'Mo-Fr 07:30-18:00'],
    ['Mo, Di, Do 8.00-12.00 Uhr und 14.00-18.00 Uhr', 'Mo-Tu,Th 08:00-12:00,14:00-18:00'],
    ['So 10-16', 'Su 10:00-16:00'],
    ['lun.–ven. 08:00–18:00', 'Mo-Fr 08:00-18:00'],
    ['du lundi au vendredi de 8h30 à 12h, dimanche fermé', 'Mo-Fr 08:30-12:00'],
    ['lun–ven 08:00–18:00; dom chiuso', 'Mo-Fr 08:00-18:00'],
    ['pn.–pt. 08:00–18:00, so. 9-13', 'Mo-Fr 08:00-18:00; Sa 09:00-13:00'],
    ['od poniedziałek do piątek 6-14', 'Mo-Fr 06:00-14:00'],
    ['må–fr 08:00–18:00, lö 10-14', 'Mo-Fr 08:00-18:00; Sa 10:00-14:00'],
    ['täglich 6-22', 'Mo-Su 06:00-22:00'],
    ['08:00-18:00', 'Mo-Su 08:00-18:00'],
    ['Mo-Su off', 'Mo-Su off'],
    ['Mo-Su,PH 08:00-18:00, PH off', 'Mo-Su 08:00-18:00; PH off'],
    ['Mo-Fr 6-22 (ring twice)', 'Mo-Fr 06:00-22:00; "ring twice"'],
  ])('normalizes %s', (text, canonical) => {
    expect(textOf(text)).toBe(canonical);
  });

  test.each([
    ['by arrangement', '"by arrangement"'],
    ['Mo-Fr 8-18, Sa on request', 'Mo-Fr 08:00-18:00; "Sa on request"'],
    ['Mo-Fr 8-18 except July', '"Mo-Fr 8-18 except July"'],
    ['Mo-Fr', '"Mo-Fr"'],
    ['Mo-Fr constructor', '"Mo-Fr constructor"'],
    ['Mo 8-', '"Mo 8-"'],
    ['Mo 18:00+', '"Mo 18:00+"'],
    ['Dec 25 off; Mo-Fr 8-16', 'Mo-Fr 08:00-16:00; "Dec 25 off"'],
    ['Mo 25:00-99:00', '"Mo 25:00-99:00"'],
  ])('keeps ambiguous text as a note: %s', (text, canonical) => {
    expect(textOf(text)).toBe(canonical);
  });

  test('blank text has no opening hours', () => {
    expect([parseHours(''), parseHours(' ; '), canonicalHours({ week: null })]).toEqual([null, null, null]);
  });

  test('any text is parsed to valid hours, which survive printing and parsing again', () => {
    const piece = fc.constantFrom(
      'Mo-Fr ',
      'So',
      ' 8-18',
      ', ',
      '; ',
      '24/7',
      'PH',
      ' off',
      '2026-12-24',
      '"',
      '(',
      ')',
      '-',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 255 }),
      fc.array(piece).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (input) => {
        const hours = parseHours(input);
        if (hours) expect([hoursProblem(hours), parseHours(hours.text)]).toEqual([undefined, hours]);
      }),
      { numRuns: 500 },
    );
  });
});

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const span = fc.record({ to: fc.oneof(fc.constant('24:00'), time), from: time }).filter(({ from, to }) => from !== to);
const spans = fc.array(span, { maxLength: 3 });
const year = 2026;
const anyDay = fc.integer({ min: 0, max: 364 }).map((day) => shiftDay(`${year}-01-01`, day));
const exception = fc
  .record({ day: anyDay, days: fc.nat(3), spans })
  .map(({ day, days, spans: list }) => ({ to: shiftDay(day, days), from: day, spans: list }));
const weekOf = fc.record(Object.fromEntries(weekdayCodes.map((day) => [day, spans])));
const hoursOf = fc
  .record({
    note: fc.option(fc.string({ unit: 'grapheme', maxLength: 30 })),
    week: weekOf,
    holidays: fc.option(spans),
    exceptions: fc.array(exception, { maxLength: 3 }),
  })
  .map((hours) => normalizeHours(hours as Partial<Hours>) as Hours);
const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));

test('the text of hours parses to the same hours', () => {
  fc.assert(
    fc.property(hoursOf, (hours) => {
      expect(parseHours(hours.text)).toEqual(hours);
    }),
    { numRuns: 300 },
  );
});

/** Day and minutes since midnight in the local time of a zone. */
function clockAt(instant: Date, zone: string): { day: string; minute: number } {
  const text = instant.toLocaleString('sv-SE', { timeZone: zone });
  return { day: text.slice(0, 10), minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)) };
}
const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

describe('whether a location is open', () => {
  const isHoliday = (day: string) => day.endsWith('-01');
  const spansOn = (hours: Hours, day: string): HoursSpan[] => {
    const lastException = hours.exceptions.filter(({ from, to }) => from <= day && day <= to).at(-1);
    if (lastException) return lastException.spans;
    if (hours.holidays && isHoliday(day)) return hours.holidays;
    const name = new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
    return hours.week?.[name.slice(0, 2).toLowerCase() as 'mo'] ?? [];
  };

  test('follows the local time of the location, in every zone', () => {
    fc.assert(
      fc.property(hoursOf, anyZone, anyDay, fc.nat(1439), (hours, zone, day, minute) => {
        const instant = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000);
        const clock = clockAt(instant, zone);
        // Excludes days near a clock change, which have their own tests.
        const isPlain = [-1, 0, 1, 2].every(
          (days) => clockAt(new Date(instant.getTime() + days * 86_400_000), zone).minute === clock.minute,
        );
        fc.pre(isPlain);
        const isWithin = ({ from, to }: HoursSpan) =>
          minutes(from) <= clock.minute && (to < from || clock.minute < minutes(to));
        const continuesPastMidnight = ({ from, to }: HoursSpan) => to < from && clock.minute < minutes(to);
        const expected =
          spansOn(hours, clock.day).some(isWithin) ||
          spansOn(hours, shiftDay(clock.day, -1)).some(continuesPastMidnight);
        expect(isOpen(instant, hours, { zone, isHoliday })).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('spans of a day are sorted, disjoint and within the day; those of adjacent days meet', () => {
    fc.assert(
      fc.property(hoursOf, anyZone, anyDay, (hours, zone, day) => {
        const rows = openSpans(day, hours, { zone, isHoliday }) ?? [];
        const [firstRow] = rows;
        if (firstRow && isOpen(new Date(firstRow.from - 1), hours, { zone, isHoliday }))
          expect(openSpans(shiftDay(day, -1), hours, { zone, isHoliday })?.at(-1)?.to).toBe(firstRow.from);
        for (const [index, { from, to }] of rows.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThan(rows[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
          expect([localDay(from, zone), localDay(to - 1, zone)]).toEqual([day, day]);
          expect(isOpen(new Date(from), hours, { zone, isHoliday })).toBe(true);
          expect(isOpen(new Date(to - 1), hours, { zone, isHoliday })).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  const alwaysOpen = parseHours('24/7') as Hours;
  const lengthOf = (day: string, zone: string, hours = alwaysOpen) =>
    (openSpans(day, hours, { zone }) ?? []).reduce((sum, { from, to }) => sum + to - from, 0) / 3_600_000;

  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-10-25', 'Atlantic/Azores', 25],
    ['2026-11-01', 'America/Havana', 25],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2026-07-01', 'Asia/Kathmandu', 24],
    ['2011-12-30', 'Pacific/Apia', 0],
  ])('%s in %s lasts %d hours', (day, zone, hours) => {
    expect(lengthOf(day, zone)).toBe(hours);
  });

  test('clock changes shorten or lengthen the night', () => {
    const night = parseHours('Mo-Su 22:00-06:00') as Hours;
    const zone = 'Europe/Berlin';
    expect(['2026-03-29', '2026-03-30', '2026-10-25'].map((day) => lengthOf(day, zone, night))).toEqual([7, 8, 9]);
    const skippedHour = parseHours('Mo-Su 02:15-02:45') as Hours;
    expect([openSpans('2026-03-29', skippedHour, { zone }), lengthOf('2026-03-30', zone, skippedHour)]).toEqual([
      [],
      0.5,
    ]);
  });

  test('adjacent spans are merged, and the location closes at the end of the last one', () => {
    const hours = parseHours('Mo 08:00-12:00,12:00-24:00; Tu 00:00-06:00; We 07:00-08:00') as Hours;
    const instant = new Date('2026-01-05T09:00:00Z');
    expect(openSpans('2026-01-05', hours, { zone: 'UTC' })).toHaveLength(1);
    expect(nextChange(instant, hours, { zone: 'UTC' })?.toISOString()).toBe('2026-01-06T06:00:00.000Z');
    expect(nextChange(new Date('2026-01-06T06:00:00Z'), hours, { zone: 'UTC' })?.toISOString()).toBe(
      '2026-01-07T07:00:00.000Z',
    );
    expect(nextChange(instant, alwaysOpen, { zone: 'UTC' })).toBeUndefined();
  });

  test('two rules for the same date are added up; a span whose half of the day is open becomes the note', () => {
    const hours = parseHours('2026-12-24 08:00-10:00, 2026-12-24 14:00-16:00; Mo-Fr 1-5pm') as Hours;
    expect(hours.exceptions).toEqual([
      {
        from: '2026-12-24',
        to: '2026-12-24',
        spans: [
          { from: '08:00', to: '10:00' },
          { from: '14:00', to: '16:00' },
        ],
      },
    ]);
    expect(hours).toMatchObject({ week: null, note: 'Mo-Fr 1-5pm' });
    expect(parseHours('Mo-Fr 1pm-5pm')?.week?.mo).toEqual([{ from: '13:00', to: '17:00' }]);
  });

  test('a note alone does not decide whether it is open', () => {
    const hours = parseHours('by arrangement; 2026-12-24 off') as Hours;
    const isOpenOn = (day: string) => isOpen(new Date(`${day}T12:00:00Z`), hours, { zone: 'UTC' });
    expect([isOpenOn('2026-12-23'), isOpenOn('2026-12-24')]).toEqual([undefined, false]);
  });
});

describe('local hours of a day', () => {
  const hours = parseHours('Mo-Fr 22:00-06:00; Sa 08:00-12:00,12:00-14:00; Su off; PH 00:00-24:00') as Hours;
  test.each([
    ['2026-01-05', [['22:00', '24:00']]],
    [
      '2026-01-06',
      [
        ['00:00', '06:00'],
        ['22:00', '24:00'],
      ],
    ],
    [
      '2026-01-10',
      [
        ['00:00', '06:00'],
        ['08:00', '14:00'],
      ],
    ],
    ['2026-01-11', []],
    ['2026-01-01', [['00:00', '24:00']]],
  ])('%s', (day, spans) => {
    const result = clockSpans(day, hours, (date) => date === '2026-01-01');
    expect(result?.map(({ from, to }) => [from, to])).toEqual(spans);
  });
  test('are undefined without weekly hours', () => {
    expect(clockSpans('2026-01-05', parseHours('by arrangement') as Hours)).toBeUndefined();
  });
});
