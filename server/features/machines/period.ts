/** Parameters `from` and `to` of a machine's calls: moments, or inclusive days. */
import { isDay } from '../../../schema/dsl/checks';
import { ApiError } from '../../context/errors';

const longestDays = 3700;
const day = 86_400_000;

export interface RequestedPeriod<T> {
  from: T;
  to: T;
}

/** Two moments in ISO 8601; a plain day means all of it in UTC. By default the last 24 hours. */
export function momentsOf(search: URLSearchParams, now: Date): RequestedPeriod<Date> {
  const to = momentOf(search, 'to', now, day);
  const from = momentOf(search, 'from', new Date(to.getTime() - day), 0);
  return checked({ from, to }, to.getTime() - from.getTime());
}

function momentOf(search: URLSearchParams, name: string, fallback: Date, length: number): Date {
  const written = search.get(name);
  if (written === null || written === '') return fallback;
  if (isDay(written)) return new Date(Date.parse(`${written}T00:00:00Z`) + length);
  // In a query string the plus of an offset arrives as space.
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(written) ? new Date(written.replace(' ', '+')) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) throw ApiError.invalidAt(name, { key: 'instant' });
  return moment;
}

/** Two local days, inclusive. By default the thirty days that end with `today`. */
export function readPeriodDays(search: URLSearchParams, today: string): RequestedPeriod<string> {
  const to = dayOf(search, 'to', today);
  const from = dayOf(search, 'from', new Date(Date.parse(to) - 29 * day).toISOString().slice(0, 10));
  return checked({ from, to }, Date.parse(to) - Date.parse(from));
}

function dayOf(search: URLSearchParams, name: string, fallback: string): string {
  const written = search.get(name);
  if (written === null || written === '') return fallback;
  if (!isDay(written)) throw ApiError.invalidAt(name, { key: 'date' });
  return written;
}

function checked<T>(period: RequestedPeriod<T>, length: number): RequestedPeriod<T> {
  if (length < 0) throw ApiError.invalidAt('to', { text: 'period_backwards' });
  if (length > longestDays * day)
    throw ApiError.invalidAt('from', { text: 'period_too_long', values: { days: longestDays } });
  return period;
}
