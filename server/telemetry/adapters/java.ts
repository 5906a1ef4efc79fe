/** Numbers and times as Traccar reads them, which uses Java's own readers. All throw `Unreadable`. */
import { InvalidMessage } from '../timeline/observation';

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?$/;

/** `Double.parseDouble`, without what is no number at all (NaN, Infinity) and without hexadecimal. */
export function double(written: string): number {
  const trimmed = written.trim();
  if (!decimal.test(trimmed)) throw new InvalidMessage(`Not a number: ${written.slice(0, 40)}`);
  const value = Number(trimmed.replace(/[fFdD]$/, ''));
  if (!Number.isFinite(value)) throw new InvalidMessage('A number out of range.');
  return value;
}

/** `Integer.parseInt`. */
export function int(written: string | undefined): number {
  const value = /^[+-]?\d+$/.test(written ?? '') ? Number(written) : Number.NaN;
  if (!(value >= -2_147_483_648 && value <= 2_147_483_647))
    throw new InvalidMessage(`Not an integer: ${String(written).slice(0, 40)}`);
  return value;
}

const zoned =
  /^([+-]?\d{4,9}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{0,9}))?)?(Z|[+-]\d{2}:\d{2}(?::\d{2})?)(\[[A-Za-z0-9/_+-]+\])?$/i;

/** `DateTimeFormatter.ISO_ZONED_DATE_TIME`: a date and a time with an offset. */
export function zonedDateTime(written: string): Date {
  const [, day, hours, minutes, seconds = '00', fraction = '', offset = ''] = zoned.exec(written) ?? [];
  const parsed =
    day && realDay(day) && Number(hours) < 24
      ? Date.parse(`${day}T${hours}:${minutes}:${seconds}.${`${fraction}000`.slice(0, 3)}Z`)
      : Number.NaN;
  if (Number.isNaN(parsed)) throw new InvalidMessage(`Not a time with an offset: ${written.slice(0, 40)}`);
  return new Date(parsed - offsetOf(offset));
}

function realDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.getUTCDate() === Number(day.slice(-2));
}

/** Milliseconds east of Greenwich. */
function offsetOf(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  if (hours > 18 || minutes > 59 || seconds > 59) throw new InvalidMessage('An offset out of range.');
  return (offset.startsWith('-') ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** `yyyy-MM-dd HH:mm:ss`, taken as UTC; a day past the end of its month is its last day, as Java has it. */
function plainDateTime(written: string): Date {
  const [, year, month, day, hours, minutes, seconds] = (
    /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(written) ?? []
  ).map(Number);
  if (
    !year ||
    !month ||
    month > 12 ||
    !day ||
    day > 31 ||
    Number(hours) > 23 ||
    Number(minutes) > 59 ||
    Number(seconds) > 59
  ) {
    throw new InvalidMessage(`Not a time: ${written.slice(0, 40)}`);
  }
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1, Math.min(day, last), hours, minutes, seconds));
}

/**
 * The time of an OsmAnd message: seconds or milliseconds since 1970, ISO 8601 with an offset, or `yyyy-MM-dd HH:mm:ss`.
 */
export function timestamp(written: string): Date {
  if (!/^[+-]?\d{1,19}$/.test(written)) return written.includes('T') ? zonedDateTime(written) : plainDateTime(written);
  const number = Number(written);
  const time = new Date(number < 2_147_483_647 ? number * 1000 : number);
  // Java counts on where JavaScript ends: a clock that far off is not believed in any case.
  if (Number.isNaN(time.getTime())) return new Date(number > 0 ? 8.64e15 : -8.64e15);
  return time;
}
