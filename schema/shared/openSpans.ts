/** Computes when a location is open. Whatever is called "out of hours" relies on it. Pure functions. */
import type { Hours, HoursSpan } from '../dsl/hours';
import { weekdayCodes } from '../dsl/hours';

/** A span of open time, in milliseconds since 1970: from `from` up to, but excluding, `to`. */
export interface OpenSpan {
  from: number;
  to: number;
}

export interface HoursOptions {
  /** IANA name. */
  zone: string;
  /** Whether a day is a public holiday. */
  isHoliday?: (day: string) => boolean;
}

const dayLength = 86_400_000;

export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayLength).toISOString().slice(0, 10);

/**
 * Returns the spans that begin on a day, in local time: those of its exception, else of the holiday, else of the
 * weekday; `undefined` if unknown.
 */
export function spansOfDay(
  day: string,
  { week, holidays, exceptions }: Hours,
  isHoliday?: HoursOptions['isHoliday'],
): readonly HoursSpan[] | undefined {
  const exception = exceptions.findLast(({ from, to }) => from <= day && day <= to);
  if (exception) return exception.spans;
  if (holidays && isHoliday?.(day)) return holidays;
  return week?.[weekdayCodes[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] as 'mo'];
}

/**
 * Returns the open time of a local day, including spans that began the day before. The spans are sorted, touching ones
 * are merged, and all lie between the start of the day and that of the next. `undefined` if the day's hours are
 * unknown.
 */
export function openSpans(day: string, hours: Hours, options: HoursOptions): OpenSpan[] | undefined {
  if (!spansOfDay(day, hours, options.isHoliday)) return undefined;
  const [start, end] = [momentAt(day, 0, options.zone), momentAt(shiftDay(day, 1), 0, options.zone)];
  return merge(
    [shiftDay(day, -1), day]
      .flatMap((from) => momentsOf(from, hours, options))
      .map(({ from, to }) => ({ from: Math.max(from, start), to: Math.min(to, end) })),
  );
}

/**
 * Like `openSpans`, but in clock times, for days that are drawn with 24 hours even if the clocks change. `undefined` if
 * the day's hours are unknown.
 */
export function clockSpans(day: string, hours: Hours, isHoliday?: HoursOptions['isHoliday']): HoursSpan[] | undefined {
  const midnight = Date.parse(`${shiftDay(day, 1)}T00:00:00Z`);
  const clock = (time: number) => (time === midnight ? '24:00' : new Date(time).toISOString().slice(11, 16));
  const spans = openSpans(day, hours, { zone: 'UTC', ...(isHoliday && { isHoliday }) });
  return spans?.map(({ from, to }) => ({ to: clock(to), from: clock(from) }));
}

/** Whether the location is open at a moment; `undefined` if the day's hours are unknown. */
export function isOpen(instant: Date, hours: Hours, options: HoursOptions): boolean | undefined {
  const time = instant.getTime();
  return openSpans(localDay(time, options.zone), hours, options)?.some(({ from, to }) => from <= time && time < to);
}

/** Returns when the location next opens or closes; `undefined` if that is more than two weeks ahead. */
export function nextChange(instant: Date, hours: Hours, options: HoursOptions): Date | undefined {
  const time = instant.getTime();
  const today = localDay(time, options.zone);
  const days = Array.from({ length: 16 }, (_, index) => shiftDay(today, index - 1));
  const spans = merge(days.flatMap((day) => momentsOf(day, hours, options)));
  const change = spans.flatMap(({ from, to }) => [from, to]).find((moment) => moment > time);
  const isTooLate = change !== undefined && localDay(change, options.zone) > shiftDay(today, 14);
  return change === undefined || isTooLate ? undefined : new Date(change);
}

/** Returns the local day of a moment. */
export function localDay(time: number, zone: string): string {
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 10);
}

function momentsOf(day: string, hours: Hours, { zone, isHoliday }: HoursOptions): OpenSpan[] {
  return (spansOfDay(day, hours, isHoliday) ?? []).map(({ from, to }) => ({
    from: momentAt(day, minutesOf(from), zone),
    to: momentAt(to > from ? day : shiftDay(day, 1), minutesOf(to), zone),
  }));
}

/** Minutes from midnight to a time written `HH:MM`. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

function merge(spans: readonly OpenSpan[]): OpenSpan[] {
  const mergedSpans: OpenSpan[] = [];
  for (const { from, to } of spans.filter((span) => span.from < span.to).sort((a, b) => a.from - b.from)) {
    const last = mergedSpans.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else mergedSpans.push({ from, to });
  }
  return mergedSpans;
}

/**
 * Returns the moment at which the clocks of a zone show a time: the first one if there are two, and the moment of the
 * change if the clocks skip that time. The search covers two days in both directions, as the largest change, in Samoa
 * in 2011, was one day.
 */
export function momentAt(day: string, minutes: number, zone: string): number {
  const clockTime = Date.parse(`${day}T00:00:00Z`) + minutes * 60_000;
  const wallTime = (time: number) => time + offsetAt(time, zone);
  const candidates = [-2, -1, 1, 2]
    .map((days) => clockTime - offsetAt(clockTime + days * dayLength, zone))
    .sort((a, b) => a - b);
  const exactTime = candidates.find((time) => wallTime(time) === clockTime);
  if (exactTime !== undefined) return exactTime;
  let [before, after] = [(candidates[0] as number) - 1, candidates.at(-1) as number];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallTime(middle) < clockTime) before = middle;
    else after = middle;
  }
  return after;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns by how many milliseconds the clocks of a zone are ahead of UTC. */
function offsetAt(time: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, format);
  const dateFields = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute, second } = dateFields;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}
