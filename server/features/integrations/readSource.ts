/** Reads one value of a message by a mapping, in the units of our fields. Pure. */
import type { Problem } from '../../../schema/dsl/checks';
import { isDay } from '../../../schema/dsl/isDay';
import { type JsonPath, parsePath, readPath } from '../../../schema/dsl/jsonPath';
import { pathsOf, type SourceText, sourceOf, type TargetKind } from '../../../schema/dsl/messageMapping';
import { momentAt } from '../../../schema/shared/openSpans';
import { createBuildCache } from '../../shared/createBuildCache';
import { parseDeviceTime } from '../../telemetry/adapters/clock';
import { InvalidMessage } from '../../telemetry/timeline/observation';

/** The whole message, and the current object in it. */
export interface MessageContext {
  root: unknown;
  item: unknown;
}

/** A value in our unit, or a problem; neither if the message has no value, or an unknown word. */
export interface SourceReading {
  value?: unknown;
  /** The value as sent. */
  raw?: string;
  problem?: Problem;
}

const cachedPath = createBuildCache();
/** Parses a path that is known to be valid, once per text. */
export const parseCachedPath = (text: string): JsonPath => cachedPath(text, () => parsePath(text) as JsonPath);

/** Factors from units of vendors to the units of our fields. */
const factors: Readonly<Record<string, number>> = {
  ft2: 0.092_903_04,
  ml: 0.001,
  gal: 3.785_411_784,
  kWh: 1000,
  km: 1000,
  ft: 0.3048,
  mi: 1609.344,
  ms: 0.001,
  min: 60,
  h: 3600,
  'km/h': 1 / 3.6,
  share: 100,
};
/** Converts to our unit, rounded to twelve digits, so that 14611 ml do not become 14.611000000000001 l. */
const convertUnit = (value: number, unit = '') =>
  Object.hasOwn(factors, unit) ? Number((value * (factors[unit] as number)).toPrecision(12)) : value;

/** Returns the first value that is neither null nor an empty text; `undefined` if there is none. */
export function findValue(text: SourceText, context: MessageContext): unknown {
  for (const path of pathsOf(sourceOf(text))) {
    const value = readPath(parseCachedPath(path), context).find(
      (candidate) => candidate !== null && candidate !== undefined && candidate !== '',
    );
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Reads a single value; lists and `shares` have separate functions. */
export function readSource(text: SourceText, kind: TargetKind, context: MessageContext): SourceReading {
  const source = sourceOf(text);
  const value = findValue(text, context);
  if (value === undefined) return source.value === undefined ? {} : { value: source.value };
  if (typeof value === 'object') return { problem: { key: kind === 'text' || kind === 'word' ? 'text' : 'number' } };
  const sentWord = String(value);
  const word = source.words && translateWord(source.words, sentWord);
  if (source.words && word === undefined) return { raw: sentWord };
  return { raw: sentWord, ...convertValue(kind, word ?? value, source.unit) };
}

/** Removes leading underscores and lowers the case, because words do not differ by them. */
const normalizeWord = (word: string) => word.replace(/^_+/, '').toLowerCase();

function translateWord(words: Readonly<Record<string, string>>, word: string): string | undefined {
  const match = Object.keys(words).find(
    (vendorWord) => vendorWord !== '*' && normalizeWord(vendorWord) === normalizeWord(word),
  );
  return words[match ?? '*'];
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function convertValue(kind: TargetKind, value: unknown, unit: string | undefined): SourceReading {
  if (kind === 'text' || kind === 'word') return String(value) === '' ? {} : { value: String(value) };
  if (kind === 'boolean') {
    const flag = flags.get(String(value).toLowerCase());
    return flag === undefined ? { problem: { key: 'boolean' } } : { value: flag };
  }
  if (kind === 'instant') {
    const instant = parseInstant(value, unit);
    return instant ? { value: instant.toISOString() } : { problem: { key: 'instant' } };
  }
  const number = parseNumber(value);
  return number === undefined ? { problem: { key: 'number' } } : { value: convertUnit(number, unit) };
}

function parseNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A time without an offset, in the time zone of its source. */
const localForm = /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?$/;

/** Returns an instant of the years 2000 to 9999; no other can be the time of a run. */
function parseInstant(value: unknown, unit: string | undefined): Date | undefined {
  const instant = parseAnyInstant(value, unit);
  const year = instant?.getUTCFullYear() ?? Number.NaN;
  return year >= 2000 && year <= 9999 ? instant : undefined;
}

function parseAnyInstant(value: unknown, unit: string | undefined): Date | undefined {
  if (unit === 'unix_s' || unit === 'unix_ms') {
    const number = parseNumber(value);
    return number === undefined ? undefined : new Date(Math.round(unit === 'unix_s' ? number * 1000 : number));
  }
  const localMatch = typeof value === 'string' && localForm.exec(value.trim());
  if (localMatch) {
    const [, year, month, day, hours, minutes, seconds = '0', fraction = ''] = localMatch;
    const date = `${year}-${month}-${day}`;
    if (!isDay(date) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
    const time = Number(hours) * 60 + Number(minutes) + Number(`${seconds}${fraction}`) / 60;
    return new Date(momentAt(date, time, unit ?? 'UTC'));
  }
  try {
    return parseDeviceTime(value);
  } catch (error) {
    if (error instanceof InvalidMessage) return undefined;
    throw error;
  }
}

/**
 * Reads the numbers of an object as shares from 0 to 1. Keys become snake case, as in `suction_blade` for
 * `suctionBlade`. Omits other values.
 */
export function readShares(text: SourceText, context: MessageContext): SourceReading {
  const sentValue = findValue(text, context);
  if (sentValue === undefined) return {};
  if (typeof sentValue !== 'object' || sentValue === null || Array.isArray(sentValue))
    return { problem: { key: 'object' } };
  const isShare = sourceOf(text).unit === 'share';
  const shares = Object.entries(sentValue).flatMap(([name, value]): [string, number][] => {
    const number = parseNumber(value);
    const share = number === undefined ? Number.NaN : isShare ? number : Number((number / 100).toPrecision(12));
    return share >= 0 && share <= 1 ? [[snakeCase(name), share]] : [];
  });
  return shares.length === 0 ? {} : { value: Object.fromEntries(shares) };
}

const snakeCase = (name: string) =>
  name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '_')
    .toLowerCase()
    .slice(0, 60);
