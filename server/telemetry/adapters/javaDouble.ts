/** Numbers and times as Traccar parses them, with Java's parsers. All but `findJavaDouble` throw `InvalidMessage`. */
import { InvalidMessage } from '../timeline/observation';

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?$/;

/** `Double.parseDouble`, without NaN, Infinity and hexadecimal. */
export function parseJavaDouble(text: string): number {
  const value = findJavaDouble(text);
  if (value === undefined) throw new InvalidMessage(`Not a number: ${text.slice(0, 40)}`);
  return value;
}

/**
 * Like `parseJavaDouble`, but returns `undefined` for other text. For values that are mostly words: an error per word
 * would cost more than the rest of the message.
 */
export function findJavaDouble(text: string): number | undefined {
  const trimmed = text.trim();
  const value = decimal.test(trimmed) ? Number(trimmed.replace(/[fFdD]$/, '')) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** `Integer.parseInt`. */
export function parseJavaInt(text: string | undefined): number {
  const value = /^[+-]?\d+$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (!(value >= -2_147_483_648 && value <= 2_147_483_647))
    throw new InvalidMessage(`Not an integer: ${String(text).slice(0, 40)}`);
  return value;
}

const zonedPattern =
  /^([+-]?\d{4,9}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{0,9}))?)?(Z|[+-]\d\d(?::?\d\d){0,2})(\[[\w/+-]+\])?$/i;

/**
 * `DateTimeFormatter.ISO_ZONED_DATE_TIME`: date and time with an offset. Beyond Java also what ISO 8601 allows: a comma
 * before the fraction, offsets as `+0200` and `+02`.
 */
export function parseZonedDateTime(text: string): Date {
  const [, day, hours, minutes, seconds = '00', fraction = '', offset = ''] = zonedPattern.exec(text) ?? [];
  const parsed =
    day && isRealDay(day) && Number(hours) < 24
      ? Date.parse(`${day}T${hours}:${minutes}:${seconds}.${`${fraction}000`.slice(0, 3)}Z`)
      : Number.NaN;
  const time = new Date(Number.isNaN(parsed) ? Number.NaN : parsed - parseOffset(offset));
  if (Number.isNaN(time.getTime())) throw new InvalidMessage(`Not a time with an offset: ${text.slice(0, 40)}`);
  return time;
}

function isRealDay(day: string): boolean {
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.getUTCDate() === Number(day.slice(-2));
}

/** Milliseconds east of Greenwich. */
function parseOffset(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (offset.match(/\d{2}/g) ?? []).map(Number);
  if (hours > 18 || minutes > 59 || seconds > 59) throw new InvalidMessage('An offset out of range.');
  return (offset.startsWith('-') ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** `yyyy-MM-dd HH:mm:ss` in UTC; a day past the end of its month becomes the last day, as in Java. */
function parsePlainDateTime(text: string): Date {
  const [, year, month, day, hours, minutes, seconds] = (
    /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(text) ?? []
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
    throw new InvalidMessage(`Not a time: ${text.slice(0, 40)}`);
  }
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1, Math.min(day, lastDay), hours, minutes, seconds));
}

/** Time of an OsmAnd message: seconds or milliseconds since 1970, ISO 8601 with offset, or `yyyy-MM-dd HH:mm:ss`. */
export function parseTimestamp(text: string): Date {
  if (!/^[+-]?\d{1,19}$/.test(text)) return text.includes('T') ? parseZonedDateTime(text) : parsePlainDateTime(text);
  const number = Number(text);
  const time = new Date(number < 2_147_483_647 ? number * 1000 : number);
  // Beyond JavaScript's range but within Java's; such a clock is not trusted anyway.
  if (Number.isNaN(time.getTime())) return new Date(number > 0 ? 8.64e15 : -8.64e15);
  return time;
}
