/** Formats of values: dd.mm.yyyy in all six languages (specification, sections 5 and 9), numbers by language. */
import { type Language, localeOf } from '../../schema/shared/languages';
import { serverNow } from './serverClock';

/** Prints a calendar day `YYYY-MM-DD` as dd.mm.yyyy. Returns other text unchanged. */
export function formatDate(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  return year ? `${date}.${month}.${year}` : day;
}

/** Parses `1.2.2026` or `01.02.2026` to `2026-02-01`; `undefined` for anything that is not a calendar day. */
export function parseDate(text: string): string | undefined {
  const [, date = '', month = '', year = ''] = /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4})\s*$/.exec(text) ?? [];
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const instant = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day) ? day : undefined;
}

type InstantValue = string | number | Date;

/** Prints an instant as dd.mm.yyyy HH:mm, by default in the user's time zone. */
export function formatDateTime(
  instant: InstantValue,
  { timeZone, seconds = false }: { timeZone?: string; seconds?: boolean } = {},
): string {
  const parts = partsOf(instant, timeZone);
  return `${parts.day}.${parts.month}.${parts.year} ${parts.hour}:${parts.minute}${seconds ? `:${parts.second}` : ''}`;
}

/** Replaces spaces by no-break spaces, for a time or a figure with its unit inside a sentence. */
export const keepTogether = (text: string): string => text.replaceAll(' ', '\u00a0');

/** Prints the day of an instant as dd.mm.yyyy, by default in the user's time zone. */
export function formatDayOf(instant: InstantValue, timeZone?: string): string {
  const { day, month, year } = partsOf(instant, timeZone);
  return `${day}.${month}.${year}`;
}

const relativeUnits = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Relative time, such as "5 minutes ago" or "yesterday"; "now" below one minute. */
export function formatRelative(
  instant: InstantValue,
  { language, now = serverNow() }: { language: Language; now?: InstantValue },
): string {
  const { count, unit } = distanceOf(instant, now);
  return relative(language).format(count, unit);
}

/** Full units since an instant, zero seconds below one minute, for a text such as "for 5 minutes". */
export function elapsedSince(instant: InstantValue, now: InstantValue = serverNow()) {
  const { count, unit } = distanceOf(instant, now);
  return count < 0 ? { count: -count, unit } : { count: 0, unit: 'second' as const };
}

/** Distance from now in full units, negative in the past; zero seconds below one minute. */
function distanceOf(instant: InstantValue, now: InstantValue) {
  const seconds = (new Date(instant).getTime() - new Date(now).getTime()) / 1000;
  const [unit, length] = relativeUnits.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', Infinity];
  return { count: Math.trunc(seconds / length) || 0, unit } as const;
}

/** A number with the separators of the language; at most two decimals unless `decimals` fixes them. */
export function formatNumber(value: number, { language, decimals }: { language: Language; decimals?: number }): string {
  const text = numbers(
    language,
    decimals === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  );
  // Without a sign if nothing but zeros is left: -0.03 with one decimal is 0.0.
  return text.format(Math.abs(value) * 10 ** (decimals ?? 2) < 0.5 ? 0 : value);
}

/** Prints 97.25 as `97.25%` or `97,25 %`; at most two decimals unless `decimals` fixes them. */
export function formatPercent(
  percent: number,
  { language, decimals }: { language: Language; decimals?: number },
): string {
  return numbers(language, {
    style: 'percent',
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? 2,
  }).format(percent / 100);
}

/** Prints 0.974 as `97%` or `97 %`; a change with its sign. `roundsDown`: 100% only if it is whole. */
export function formatShare(
  share: number,
  { language, isChange = false, roundsDown = false }: { language: Language; isChange?: boolean; roundsDown?: boolean },
): string {
  const options = {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: isChange ? 'exceptZero' : 'auto',
    roundingMode: roundsDown ? 'floor' : 'halfExpand',
  };
  return numbers(language, options as Intl.NumberFormatOptions).format(share);
}

/** A number shortened to a few digits, for axes: `1.5M`, `300K`, `1,5 Mio.`. */
export function formatCompact(value: number, language: Language): string {
  // British English would print `12m`, which reads as metres beside `m²`.
  const locale = language === 'en' ? 'en-US' : localeOf(language);
  const options = { notation: 'compact', maximumFractionDigits: 2 } as const;
  return cachedFormatter(`compact ${locale}`, () => new Intl.NumberFormat(locale, options)).format(value);
}

/** For node-polyglot's option `replace`: prints the numbers in texts with the separators of the language. */
export function numbersIn(language: () => Language) {
  return function (this: string, pattern: RegExp, fill: (match: string, name: string) => unknown): string {
    return this.replace(pattern, (match: string, name: string) => {
      const value = fill(match, name);
      return typeof value === 'number' ? formatNumber(value, { language: language() }) : String(value);
    });
  };
}

/**
 * Prints an amount in EUR from its exact decimal text, without floating point; two decimals unless `decimals` is given.
 */
export function formatMoney(amount: string, language: Language, decimals = 2): string {
  return numbers(language, {
    style: 'currency',
    currency: 'EUR',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount as `${number}`);
}

/** As `formatMoney`, without the currency. */
export const formatAmount = (amount: string, language: Language, decimals = 2): string =>
  numbers(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(amount as `${number}`);

/** Prints seconds as hours and minutes, truncated to the minute: `1:05 h`, `1,234:30 h`. */
export const formatDuration = (seconds: number, language: Language): string => `${formatHours(seconds, language)} h`;

/** As `formatDuration`, without the unit. */
export function formatHours(seconds: number, language: Language): string {
  const minutes = Math.trunc(Math.abs(seconds) / 60);
  const sign = seconds < 0 && minutes > 0 ? '-' : '';
  return `${sign}${formatNumber(Math.trunc(minutes / 60), { language })}:${String(minutes % 60).padStart(2, '0')}`;
}

/** As `formatDuration`, with the remaining seconds unless they are zero: `0:01:30 h`. */
export function formatExactDuration(seconds: number, language: Language): string {
  const restSeconds = Math.abs(seconds) % 60;
  const minutes = formatDuration(seconds, language);
  return restSeconds === 0 ? minutes : minutes.replace(/ h$/, `:${String(restSeconds).padStart(2, '0')} h`);
}

/** Prints a duration in the largest unit that divides it: `90 s`, `10 min`, `24 h`. */
export function formatSpan(seconds: number, language: Language): string {
  const [size, unit] = seconds % 60 !== 0 ? [1, 's'] : seconds % 3600 !== 0 ? [60, 'min'] : [3600, 'h'];
  return `${formatNumber(seconds / size, { language })} ${unit}`;
}

/** Prints bytes in a suitable unit: `640 byte`, `12 kB`, `1.5 MB`. As in the file size limits, 1 kB is 1024 bytes. */
export function formatSize(bytes: number, language: Language): string {
  const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2;
  const unit = (['byte', 'kilobyte', 'megabyte'] as const)[power];
  return numbers(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: power === 2 ? 1 : 0,
  }).format(bytes / 1024 ** power);
}

// Cached, because creating a formatter costs far more than using one, and a table formats thousands of values.
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();
function cachedFormatter<F extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: () => F,
): F {
  const formatter = (formatters.get(key) as F | undefined) ?? make();
  formatters.set(key, formatter);
  return formatter;
}

const numbers = (language: Language, options: Intl.NumberFormatOptions) =>
  cachedFormatter(
    `number ${language} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(localeOf(language), options),
  );

const relative = (language: Language) =>
  cachedFormatter(`relative ${language}`, () => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }));

type DatePart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function partsOf(instant: InstantValue, timeZone?: string): Record<DatePart, string> {
  const format = cachedFormatter(
    `parts ${timeZone ?? ''}`,
    () =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
      }),
  );
  return Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value])) as Record<
    DatePart,
    string
  >;
}
