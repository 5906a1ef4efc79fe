/** Parses typed durations, decimals, days and times. Pure. */
import type { Language } from '../../../schema/shared/languages';

/** The decimal separator of a language. */
export const decimalSeparator = (language: Language): ',' | '.' => (language === 'en' ? '.' : ',');

/**
 * Parses a duration to seconds: "12:05", "12", "1.200:30", "0:01:30"; `undefined` if it is not a duration. Separators
 * in the hours must separate thousands: "1,5" is neither 1.5 nor 15 hours.
 */
export function parseDuration(text: string): number | undefined {
  const [, hours, minutes = '0', seconds = '0'] =
    /^(\d+|\d{1,3}(?:[.,\s']\d{3})+)(?::([0-5]?\d)(?::([0-5]?\d))?)?$/.exec(text.trim().replace(/\s*h$/, '')) ?? [];
  const digits = hours?.replace(/\D/g, '');
  return digits ? Number(digits) * 3600 + Number(minutes) * 60 + Number(seconds) : undefined;
}

/**
 * Parses "31.12.2026", "31.12.26", "1/2/2026" or "2026-12-31" to "2026-12-31"; `undefined` for other formats. Does not
 * check whether the day exists; validation does.
 */
export function parseDay(text: string): string | undefined {
  const trimmedText = text.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmedText)) return trimmedText;
  const [, day, month, year] = /^(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4}|\d{2})$/.exec(trimmedText) ?? [];
  if (!day || !month || !year) return undefined;
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/**
 * Parses a decimal with comma or point, with or without thousands separators: "1.234,50" and "1,234.50" become
 * "1234.50". A single separator before three digits separates thousands, unless it is the language's decimal separator
 * or the number starts with a zero. Text that cannot be a number is returned without its spaces.
 */
export function parseDecimal(text: string, language: Language): string {
  const cleanText = text.replace(/[\s\u00a0\u202f'€%]/g, '');
  const last = Math.max(cleanText.lastIndexOf(','), cleanText.lastIndexOf('.'));
  if (last < 0 || !/^-?[\d.,]+$/.test(cleanText)) return cleanText;
  const separator = cleanText[last] as string;
  const hasThousands = separator !== decimalSeparator(language) && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(cleanText);
  if (hasThousands || cleanText.split(separator).length > 2) return cleanText.replaceAll(separator, '');
  return `${cleanText.slice(0, last).replaceAll(separator === ',' ? '.' : ',', '')}.${cleanText.slice(last + 1)}`;
}

/** Parses "6", "630", "6:30" or "06.30" to "06:30", up to "24:00"; `undefined` for anything else. */
export function parseTime(text: string): string | undefined {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:\s*[:.h]?\s*([0-5]\d))?$/.exec(text.trim()) ?? [];
  if (hours === '' || Number(hours) * 100 + Number(minutes) > 2400) return undefined;
  return `${hours.padStart(2, '0')}:${minutes}`;
}
