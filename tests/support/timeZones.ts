/** Time zones according to `Intl`, to compare with the time zone table of the database. */

/** All zones of the IANA list. */
export const timeZones: readonly string[] = Intl.supportedValuesOf('timeZone');

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a function that converts an instant to the zone's clock time, written as milliseconds of UTC. */
export const clockOf = (zone: string) => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, format);
  return (ms: number): number => {
    const fields = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day, hour, minute, second } = fields;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000);
  };
};

/** Milliseconds; shorter than the interval between any two changes of a clock. */
const searchStep = 14 * 86_400_000;
const [first, last] = [Date.UTC(2021, 0, 1), Date.UTC(2028, 0, 1)];

/** Instants, to the minute, at which the clock of a zone changes from 2021 to 2027. */
export function zoneChanges(zone: string): number[] {
  const clock = clockOf(zone);
  const offset = (ms: number) => clock(ms) - ms;
  const changes: number[] = [];
  let currentOffset = offset(first);
  for (let from = first; from < last; from += searchStep) {
    const previousOffset = currentOffset;
    currentOffset = offset(from + searchStep);
    if (currentOffset === previousOffset) continue;
    let [lower, upper] = [from, from + searchStep];
    while (upper - lower > 60_000) {
      const middle = lower + Math.floor((upper - lower) / 120_000) * 60_000;
      if (offset(middle) === previousOffset) lower = middle;
      else upper = middle;
    }
    changes.push(upper);
  }
  return changes;
}

const hour = 3_600_000;
export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
export const dayAfter = (day: string) => dayOf(Date.parse(day) + 24 * hour);

/** First instant, to the minute, at which the clock of a zone shows a day. */
export function dayStart(zone: string, day: string): number {
  const clock = clockOf(zone);
  let [before, from] = [Date.parse(day) - 27 * hour, Date.parse(day) + 27 * hour];
  while (from - before > 60_000) {
    const middle = before + Math.floor((from - before) / 120_000) * 60_000;
    if (dayOf(clock(middle)) >= day) from = middle;
    else before = middle;
  }
  return from;
}
