/** The time in a message of a protocol of JSON. */
import { InvalidMessage } from '../timeline/observation';
import { timestamp } from './java';

const withoutOffset = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/;

/**
 * Seconds or milliseconds since 1970, as a number or as text, ISO 8601, or `yyyy-MM-dd HH:mm:ss`; a time that names no
 * offset is UTC. Throws `Unreadable`.
 */
export function momentOf(value: unknown): Date {
  if (typeof value === 'number' && Number.isFinite(value)) return timestamp(digits(value));
  if (typeof value === 'string') return timestamp(withoutOffset.test(value) ? `${value}Z` : value);
  throw new InvalidMessage('Not a time.');
}

/** Beyond 19 digits there is no time either: the clock is not believed, whatever it says. */
const digits = (value: number) => String(BigInt(Math.trunc(Math.min(1e18, Math.max(-1e18, value)))));
