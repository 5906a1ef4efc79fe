/** Parses the parameters `from` and `to` of a machine's calls: moments, or inclusive days. */
import { isDay, parseInstant } from '../../../schema/dsl/isDay';
import { ApiError } from '../../context/errors';

const maxPeriodDays = 3700;
const dayLength = 86_400_000;
/** Start of the first day that PostgreSQL accepts in ISO 8601. */
const firstInstant = Date.parse('0001-01-01');

export interface RequestedPeriod<T> {
  from: T;
  to: T;
}

/** The parameters as declared by the query. */
export interface PeriodQuery {
  from?: string | null;
  to?: string | null;
}

/** Parses two moments in ISO 8601; a plain day stands for the whole day in UTC. Defaults to the last 24 hours. */
export function parseMoments(
  { from: start, to: end }: PeriodQuery,
  now: Date,
  maxDays = maxPeriodDays,
): RequestedPeriod<Date> {
  const to = parsePeriodInstant('to', end, now, dayLength);
  const from = parsePeriodInstant('from', start, daysBefore(to.getTime(), 1), 0);
  return requirePeriod({ from, to }, { length: to.getTime() - from.getTime(), maxDays });
}

function parsePeriodInstant(name: string, text: string | null | undefined, fallback: Date, length: number): Date {
  if (!text) return fallback;
  if (isDay(text)) return new Date(Date.parse(`${text}T00:00:00Z`) + length);
  // In a query string, the plus sign of an offset arrives as a space.
  const instant = parseInstant(text.replace(' ', '+'));
  if (!instant) throw ApiError.invalidAt(name, { key: 'instant' });
  return instant;
}

/** Returns the instant some days before another, but none before `firstInstant`. */
const daysBefore = (instant: number, days: number) => new Date(Math.max(firstInstant, instant - days * dayLength));

/** Reads two local days, inclusive. Defaults to the thirty days that end with `today`. */
export function readPeriodDays(query: PeriodQuery, today: string): RequestedPeriod<string> {
  const to = query.to ?? today;
  const from = query.from ?? daysBefore(Date.parse(to), 29).toISOString().slice(0, 10);
  return requirePeriod({ from, to }, { length: Date.parse(to) - Date.parse(from), maxDays: maxPeriodDays });
}

/** Returns the period. Throws 422 if it ends before it begins, or is longer than `maxDays`. */
function requirePeriod<T>(
  period: RequestedPeriod<T>,
  { length, maxDays }: { length: number; maxDays: number },
): RequestedPeriod<T> {
  if (length < 0) throw ApiError.invalidAt('to', { text: 'period_backwards' });
  if (length > maxDays * dayLength)
    throw ApiError.invalidAt('from', { text: 'period_too_long', values: { days: maxDays } });
  return period;
}
