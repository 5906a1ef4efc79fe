/** Reads the time of JSON messages. */
import { InvalidMessage } from '../timeline/observation';
import { parseTimestamp } from './javaDouble';

const isoWithoutOffset = /^\d{4}-\d{2}-\d{2}T[\d:.,]+$/;
/** A space in place of the `T`, if a fraction or an offset follows the minutes or seconds. */
const isoWithSpace = /^(\d{4}-\d{2}-\d{2}) (?=\d{2}:\d{2}(:\d{2})?[.,+Zz-])/;
/** Maximum milliseconds by which a trusted clock is ahead. */
export const maxClockLead = 5 * 60_000;
/** Larger numbers are milliseconds. */
const maxSeconds = 2_147_483_647;

/**
 * Seconds or milliseconds since 1970, as number or text; ISO 8601; or `yyyy-MM-dd HH:mm:ss`. UTC without an offset.
 * @throws InvalidMessage
 */
export function parseDeviceTime(value: unknown): Date {
  if (typeof value === 'number' && Number.isFinite(value))
    return Math.abs(value) < maxSeconds ? new Date(Math.round(value * 1000)) : parseTimestamp(printInteger(value));
  if (typeof value !== 'string') throw new InvalidMessage('Not a time.');
  const text = value.trim().replace(isoWithSpace, '$1T');
  return parseTimestamp(isoWithoutOffset.test(text) ? `${text}Z` : text);
}

/**
 * Like `parseDeviceTime`, for senders that get no error: an unreadable time counts as missing, so the time of receipt
 * applies.
 */
export function parseOptionalDeviceTime(value: unknown): Date | undefined {
  try {
    return value === undefined ? undefined : parseDeviceTime(value);
  } catch (error) {
    if (error instanceof InvalidMessage) return undefined;
    throw error;
  }
}

/** Prints an integer, clamped to the 19 digits that `parseTimestamp` reads; a clock beyond is not trusted anyway. */
const printInteger = (value: number) => String(BigInt(Math.trunc(Math.min(1e18, Math.max(-1e18, value)))));
