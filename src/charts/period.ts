/** Calendar days as `YYYY-MM-DD`, periods of days, and their grouping by day, week or month. */
import { serverNow } from '../i18n/serverClock';

export const groups = ['day', 'week', 'month'] as const;
/** Grouping of figures (specification, section 9). */
export type PeriodGroup = (typeof groups)[number];

/** Local days, both included. */
export interface Period {
  from: string;
  to: string;
}

/** Default length of a period, in days. */
export const defaultDays = 30;
/** Longest period, in days. */
export const maxPeriodDays = 3660;

/** The calendar day of an instant in a time zone (default: the user's). */
export function dayOf(instant: Date, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(instant);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The present calendar day in a time zone (default: the user's). */
export const presentDay = (timeZone?: string): string => dayOf(new Date(serverNow()), timeZone);

/** The latest present day: the user's, or that of a time zone which is ahead. */
export const latestPresentDay = (timeZones: Iterable<string>): string =>
  [...new Set(timeZones)].map(presentDay).reduce((latest, day) => (day > latest ? day : latest), presentDay());

/**
 * The first instant of a day in a time zone, ISO 8601; not always 00:00, since clocks may be set forward at midnight.
 */
export function startOfDay(day: string, timeZone: string): string {
  const [minute, hours] = [60_000, 15];
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let [before, start] = [-hours * 60, hours * 60];
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (dayOf(new Date(midnight + middle * minute), timeZone) < day) before = middle;
    else start = middle;
  }
  return new Date(midnight + start * minute).toISOString();
}

/** Adds days; a negative number subtracts. */
export function addDays(day: string, days: number): string {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

/** The period of `days` days that ends today: one day is today itself. */
export function lastDays(days: number, today: string): Period {
  return { from: addDays(today, 1 - days), to: today };
}

/** Number of days in a period. */
export function countPeriodDays({ from, to }: Period): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1;
}

/** The ISO 8601 week of a day: week 1 contains the year's first Thursday. */
export function weekOf(day: string): { week: number; year: number } {
  const thursday = new Date(`${day}T00:00:00Z`);
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  return { week: Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7), year };
}

/** The short label of a group, for the axis: `31.12.`, the week number, or `12.2026`. */
export function shortLabel(group: PeriodGroup, from: string): string {
  const [year, month, day] = from.split('-');
  return { day: () => `${day}.${month}.`, week: () => String(weekOf(from).week), month: () => `${month}.${year}` }[
    group
  ]();
}

/** The days of a group in full: `31.12.2026`, or `28.12.2026 – 03.01.2027`. */
export function longLabel({ from, to }: Period): string {
  const [first, last] = [from, to].map((day) => day.split('-').reverse().join('.'));
  return first === last ? `${first}` : `${first} – ${last}`;
}
