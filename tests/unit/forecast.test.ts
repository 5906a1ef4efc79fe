/** Due date of the next service: properties for any plan and usage. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMonths,
  earliestOf,
  type ForecastFacts,
  farthestDays,
  forecastOf,
  type Interval,
} from '../../server/features/service/forecast';

const day = fc
  .date({ min: new Date('2015-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const today = '2027-01-15';
const facts: fc.Arbitrary<ForecastFacts> = fc.record({
  since: day,
  used: fc.integer({ min: 0, max: 40_000 * 3600 }),
  perDay: fc.oneof(fc.constant(0), fc.double({ min: 0.5, max: 86_400, noNaN: true })),
  today: fc.constant(today),
});
const months = fc.integer({ min: 1, max: 240 });
const hours = fc.integer({ min: 1, max: 100_000 });
const interval: fc.Arbitrary<Interval> = fc.oneof(
  fc.record({ months, hours: fc.constant(null) }),
  fc.record({ months: fc.constant(null), hours }),
  fc.record({ months, hours }),
);
const isNotEarlier = (a: string | null, b: string | null) => (a ?? '~') >= (b ?? '~');
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

describe('the next service', () => {
  test('is forecast as in the example of the specification', () => {
    const forecast = forecastOf(
      { months: null, hours: 500 },
      { since: '2026-10-01', used: 312 * 3600, perDay: 6.1 * 3600, today },
    );
    expect(forecast).toEqual({ due: '2027-02-15', by: 'hours' });
  });

  test('is due by date or operating hours, whichever comes first', () => {
    fc.assert(
      fc.property(months, hours, facts, (months, hours, usage) => {
        const combinedForecast = forecastOf({ months, hours }, usage);
        const separateForecasts = [
          forecastOf({ months, hours: null }, usage),
          forecastOf({ months: null, hours }, usage),
        ];
        expect(combinedForecast.due).toBe(earliestOf(separateForecasts)?.due);
      }),
    );
  });

  test('is never postponed by more usage', () => {
    fc.assert(
      fc.property(interval, facts, fc.integer({ min: 0, max: 3_600_000 }), (plan, usage, extraUse) => {
        expect(
          isNotEarlier(forecastOf(plan, usage).due, forecastOf(plan, { ...usage, used: usage.used + extraUse }).due),
        ).toBe(true);
      }),
    );
  });

  test('is overdue exactly when the hours are used up', () => {
    fc.assert(
      fc.property(hours, facts, (hours, usage) => {
        const { due } = forecastOf({ months: null, hours }, usage);
        if (usage.used >= hours * 3600) expect(due && due < today).toBe(true);
        else if (usage.perDay > 0) expect(due && due > today && daysBetween(today, due) <= farthestDays).toBe(true);
        else expect(due).toBeNull();
      }),
    );
  });

  test('is due on the day on which the hours run out at the recent pace', () => {
    fc.assert(
      fc.property(hours, facts, (hours, usage) => {
        const { due } = forecastOf({ months: null, hours }, usage);
        const remainingUse = hours * 3600 - usage.used;
        fc.pre(due !== null && remainingUse > 0 && remainingUse / usage.perDay <= farthestDays);
        const days = daysBetween(today, due as string);
        expect(days * usage.perDay).toBeGreaterThanOrEqual(remainingUse - 1e-6);
        expect((days - 1) * usage.perDay).toBeLessThan(remainingUse + 1e-6);
      }),
    );
  });
});

describe('months', () => {
  test('end on the last day of a month that lacks the day', () => {
    expect([addMonths('2026-01-31', 1), addMonths('2027-12-31', 2), addMonths('2026-08-14', 6)]).toEqual([
      '2026-02-28',
      '2028-02-29',
      '2027-02-14',
    ]);
  });

  test('preserve their order', () => {
    fc.assert(fc.property(day, months, (from, count) => addMonths(from, count) < addMonths(from, count + 1)));
  });
});
