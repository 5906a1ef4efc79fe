/** Quiet hours between two local times of day. Pure. */
import { minutesOf } from '../../../schema/shared/openSpans';

/** Whether a text is `HH:MM`, from 00:00 to 23:59. */
export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

export interface QuietHours {
  /** Times of day; `from` later than `to` spans midnight. Equal times mean no quiet hours. */
  from: string | null;
  to: string | null;
  /** IANA time zone. */
  zone: string;
}

/** Returns `instant`, or the start of the first minute after it that is not quiet. */
export function afterQuietHours(instant: Date, quietHours: QuietHours): Date {
  if (!isQuiet(instant, quietHours)) return instant;
  // Searches minute by minute, because clocks change at night and may skip the end of the quiet hours.
  let time = Math.floor(instant.getTime() / minute) * minute;
  do time += minute;
  while (isQuiet(new Date(time), quietHours));
  return new Date(time);
}

const minute = 60_000;

/** Whether an instant is within the quiet hours. */
export function isQuiet(instant: Date, { from, to, zone }: QuietHours): boolean {
  if (!from || !to) return false;
  const [now, start, end] = [minuteAt(instant, zone), minutesOf(from), minutesOf(to)];
  return start <= end ? now >= start && now < end : now >= start || now < end;
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Minutes since local midnight by the wall clock. */
function minuteAt(instant: Date, zone: string): number {
  const timeFormat =
    timeFormats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  timeFormats.set(zone, timeFormat);
  return minutesOf(timeFormat.format(instant));
}
