/** What people type, read: durations, decimals, days. Pure. */
import type { Language } from '../../../schema/shared/languages';

/** What stands between a number and its decimals. */
export const decimalOf = (language: Language): ',' | '.' => (language === 'en' ? '.' : ',');

/** Seconds of a typed duration: "12:05", "12", "1.200:30", "0:01:30"; `undefined` when it is none. */
export function readDuration(text: string): number | undefined {
  const [, hours, minutes = '0', seconds = '0'] =
    /^([\d.,\s\u00a0\u202f']+)(?::([0-5]?\d)(?::([0-5]?\d))?)?$/.exec(text.trim().replace(/\s*h$/, '')) ?? [];
  const digits = hours?.replace(/\D/g, '');
  return digits ? Number(digits) * 3600 + Number(minutes) * 60 + Number(seconds) : undefined;
}

/**
 * "2026-12-31" of "31.12.2026", "31.12.26", "1/2/2026" or "2026-12-31"; `undefined` for another form. Whether the day
 * exists is for the rules to say.
 */
export function readDay(text: string): string | undefined {
  const written = text.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return written;
  const [, day, month, year] = /^(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]\s*(\d{4}|\d{2})$/.exec(written) ?? [];
  if (!day || !month || !year) return undefined;
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/**
 * A decimal typed with comma or point, thousands separated or not: "1.234,50" and "1,234.50" are "1234.50". A single
 * other separator than the language's own before three digits separates thousands. What can be no number is given back
 * without spaces.
 */
export function readDecimal(text: string, language: Language): string {
  const plain = text.replace(/[\s\u00a0\u202f'€%]/g, '');
  const last = Math.max(plain.lastIndexOf(','), plain.lastIndexOf('.'));
  if (last < 0 || !/^-?[\d.,]+$/.test(plain)) return plain;
  const separator = plain[last] as string;
  const thousands = separator !== decimalOf(language) && /^-?\d{1,3}[.,]\d{3}$/.test(plain);
  if (thousands || plain.split(separator).length > 2) return plain.replaceAll(separator, '');
  return `${plain.slice(0, last).replaceAll(separator === ',' ? '.' : ',', '')}.${plain.slice(last + 1)}`;
}
