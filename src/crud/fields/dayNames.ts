import { type Language, localeOf } from '../../../schema/shared/languages';

/** Names of the weekdays, Monday first. */
export function dayNames(language: Language, weekday: 'long' | 'short'): string[] {
  const format = new Intl.DateTimeFormat(localeOf(language), { weekday, timeZone: 'UTC' });
  // 5 January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format((day + 4) * 86_400_000));
}
