import { describe, expect, test } from 'vitest';
import { changeOf, periodBefore } from '../../src/charts/compare';
import { type Figures, hasNoFigures, hourMarks, totalOf } from '../../src/charts/figures';
import {
  addDays,
  countPeriodDays,
  dayOf,
  lastDays,
  longLabel,
  shortLabel,
  startOfDay,
  weekOf,
} from '../../src/charts/period';
import { formatShortDay, formatTimeRange, stripPieces, stripTicks } from '../../src/charts/segments';

describe('a period', () => {
  test('of n days ends today and includes today', () => {
    expect(lastDays(30, '2026-03-05')).toEqual({ from: '2026-02-04', to: '2026-03-05' });
    expect(lastDays(1, '2026-03-05')).toEqual({ from: '2026-03-05', to: '2026-03-05' });
    expect(countPeriodDays(lastDays(30, '2026-03-05'))).toBe(30);
  });

  test('counts calendar days across clock changes', () => {
    expect(countPeriodDays({ from: '2026-03-28', to: '2026-03-30' })).toBe(3);
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });

  test('begins with the local day of its location', () => {
    const lateEvening = new Date('2026-03-05T23:30:00Z');
    expect(dayOf(lateEvening, 'Europe/Berlin')).toBe('2026-03-06');
    expect(dayOf(lateEvening, 'America/New_York')).toBe('2026-03-05');
  });
});

test.each([
  ['2026-11-22', 'Europe/Berlin', '2026-11-21T23:00:00.000Z'],
  ['2026-07-01', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ['2026-01-01', 'Asia/Kolkata', '2025-12-31T18:30:00.000Z'],
  // No midnight on this day: clocks move from 0:00 to 1:00.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, start) => expect(startOfDay(day, zone)).toBe(start));

describe('the name of a group', () => {
  test('is the day, the week of ISO 8601 or the month', () => {
    expect(shortLabel('day', '2026-12-31')).toBe('31.12.');
    expect(shortLabel('week', '2026-12-28')).toBe('53');
    expect(shortLabel('month', '2026-12-01')).toBe('12.2026');
  });

  test.each([
    ['2026-01-01', 1, 2026],
    ['2027-01-01', 53, 2026],
    ['2024-12-30', 1, 2025],
    ['2026-06-15', 25, 2026],
  ])('%s is in week %i of %i', (day, week, year) => expect(weekOf(day)).toEqual({ week, year }));

  test('with full dates contains its first and last day once each', () => {
    expect(longLabel({ from: '2026-12-31', to: '2026-12-31' })).toBe('31.12.2026');
    expect(longLabel({ from: '2026-12-28', to: '2027-01-03' })).toBe('28.12.2026 – 03.01.2027');
  });
});

describe('figures', () => {
  const row = {
    from: '',
    to: '',
    charging: 0,
    parked: 5,
    online: 0,
    offline: 0,
    robotic: 0,
    manual: 0,
    teaching: 0,
    area_m2: 0,
    reported_area_m2: 0,
    distance_m: 0,
    messages: 0,
  };
  const rows: Figures[] = [
    { ...row, cleaning: 1800 },
    { ...row, cleaning: 5400 },
  ];
  test('have ticks at fractions of a day or whole days, from zero to about the highest bar', () => {
    expect(hourMarks(24)).toEqual([0, 6, 12, 18, 24]);
    expect(hourMarks(25)).toEqual([0, 6, 12, 18, 24]);
    expect(hourMarks(7.5)).toEqual([0, 2, 4, 6, 8]);
    expect(hourMarks(168)).toEqual([0, 48, 96, 144, 192]);
    expect(hourMarks(744)).toEqual([0, 168, 336, 504, 672]);
    expect(hourMarks(0)).toEqual([0, 1]);
  });

  test('are summed by column', () => expect(totalOf(rows, 'cleaning')).toBe(7200));
  test('are empty if every value of the columns is zero', () => {
    expect(hasNoFigures(rows, ['robotic', 'manual', 'teaching'])).toBe(true);
    expect(hasNoFigures(rows, ['cleaning', 'offline'])).toBe(false);
  });
});

describe('the strip of a day', () => {
  const hour = (hourOfDay: number) => Date.UTC(2026, 0, 5, hourOfDay);
  const iso = (hourOfDay: number) => new Date(hour(hourOfDay)).toISOString();
  const stretch = { from: hour(0), to: hour(20) };
  const piece = (state: 'Parked' | 'Cleaning', from: number, to: number | null, mode: string | null = null) => ({
    state,
    mode,
    from: iso(from),
    to: to === null ? null : iso(to),
    reason: 'message',
    source: null,
  });

  test('places each piece in proportion, clips it at both ends, and extends the open one to the end', () => {
    const pieces = stripPieces([piece('Parked', -5, 5), piece('Cleaning', 5, null)], stretch);
    expect(pieces.map(({ state, left, width }) => [state, left, width])).toEqual([
      ['Parked', 0, 25],
      ['Cleaning', 25, 75],
    ]);
  });

  test('merges neighbours that differ only in mode, and omits segments outside', () => {
    const pieces = stripPieces(
      [piece('Cleaning', 7, 9, 'robotic'), piece('Cleaning', 5, 7, 'manual'), piece('Parked', 21, 22)],
      stretch,
    );
    expect(pieces.map(({ left, width }) => [left, width])).toEqual([[25, 20]]);
  });

  test('labels some full hours, none at the edges', () => {
    const ticks = stripTicks({ from: hour(0) + 60_000, to: hour(24) });
    expect(ticks.length).toBeGreaterThanOrEqual(4);
    expect(ticks.every(({ time, left }) => time % 3_600_000 === 0 && left > 2 && left < 98)).toBe(true);
  });

  test('labels the midnights of a week', () => {
    const monday = new Date(2026, 0, 5, 12).getTime();
    const ticks = stripTicks({ from: monday, to: monday + 7 * 24 * 3_600_000 });
    expect(ticks.map(({ time }) => formatShortDay(time))).toEqual([
      '06.01.',
      '07.01.',
      '08.01.',
      '09.01.',
      '10.01.',
      '11.01.',
      '12.01.',
    ]);
  });
});

describe('the span of a piece', () => {
  const timeOf = (day: number, hour: number) => new Date(2026, 10, day, hour, 29).getTime();
  test('includes the day of its start if it ends on another day', () =>
    expect(formatTimeRange({ from: timeOf(19, 20), to: timeOf(20, 20) })).toEqual(['19.11.2026 20:29', '20:29']));
  test('includes its days on a strip that ends on another day', () => {
    expect(formatTimeRange({ from: timeOf(18, 8), to: timeOf(18, 20) }, timeOf(20, 9))).toEqual([
      '18.11.2026 08:29',
      '20:29',
    ]);
    expect(formatTimeRange({ from: timeOf(18, 8), to: timeOf(19, 20) }, timeOf(20, 9))).toEqual([
      '18.11.2026 08:29',
      '19.11.2026 20:29',
    ]);
    expect(formatTimeRange({ from: timeOf(19, 8), to: timeOf(20, 8) }, timeOf(20, 9))).toEqual([
      '19.11.2026 08:29',
      '08:29',
    ]);
  });
  test('consists of two clock times within a day', () =>
    expect(formatTimeRange({ from: timeOf(20, 8), to: timeOf(20, 20) })).toEqual(['08:29', '20:29']));
});

describe('previous period', () => {
  test('has the same length and ends the day before', () => {
    expect(periodBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({ from: '2026-01-29', to: '2026-02-28' });
    expect(periodBefore({ from: '2026-10-25', to: '2026-10-25' })).toEqual({ from: '2026-10-24', to: '2026-10-24' });
  });

  test('gives no percentage of zero', () => {
    expect(changeOf(112, 100)).toBeCloseTo(0.12);
    expect(changeOf(0, 50)).toBe(-1);
    expect(changeOf(5, 0)).toBeUndefined();
  });
});
