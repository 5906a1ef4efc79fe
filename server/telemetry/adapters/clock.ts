/** Reads the time of JSON messages. */
import { InvalidMessage } from '../timeline/observation';
import { timestamp } from './java';

const withoutOffset = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/;

/**
 * Seconds or milliseconds since 1970, as number or text; ISO 8601; or `yyyy-MM-dd HH:mm:ss`. UTC without an offset.
 * @throws InvalidMessage
 */
export function momentOf(value: unknown): Date {
  if (typeof value === 'number' && Number.isFinite(value)) return timestamp(digits(value));
  if (typeof value === 'string') return timestamp(withoutOffset.test(value) ? `${value}Z` : value);
  throw new InvalidMessage('Not a time.');
}

/** Clamps to a range that BigInt digits can express; such a clock is not trusted anyway. */
const digits = (value: number) => String(BigInt(Math.trunc(Math.min(1e18, Math.max(-1e18, value)))));
