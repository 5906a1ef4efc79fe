/** Quiet hours: between two times of day at the place of the machine. Pure. */

/** `HH:MM`, from midnight to 23:59. */
export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

export interface Quiet {
  /**
   * Times of day; when `from` is later than `to` the night between them is quiet. The same time twice is never quiet.
   */
  from: string | null;
  to: string | null;
  /** IANA zone. */
  zone: string;
}

/** When a message that is ready at `at` may go out: at once, or with the first minute that is not quiet. */
export function afterQuietHours(at: Date, quiet: Quiet): Date {
  if (!isQuiet(at, quiet)) return at;
  // Minute by minute, because clocks are changed at night: whatever they jump over, the first minute that is not quiet
  // is found.
  let time = Math.floor(at.getTime() / minute) * minute;
  do time += minute;
  while (isQuiet(new Date(time), quiet));
  return new Date(time);
}

const minute = 60_000;

export function isQuiet(at: Date, { from, to, zone }: Quiet): boolean {
  if (!from || !to) return false;
  const [now, first, last] = [minuteAt(at, zone), minutesOf(from), minutesOf(to)];
  return first <= last ? now >= first && now < last : now >= first || now < last;
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes since the local midnight, by the clock on the wall. */
function minuteAt(at: Date, zone: string): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clocks.set(zone, clock);
  return minutesOf(clock.format(at));
}
