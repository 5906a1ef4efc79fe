/** Parses days and instants from text. */

/** Whether `value` is a real day written `YYYY-MM-DD`. */
export function isDay(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (!year || Number(year) < 1) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

const instantForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-5]):[0-5]\d)?$/;

/**
 * Parses an instant in ISO 8601, in UTC unless it has an offset; `undefined` if PostgreSQL would reject it. That is the
 * case for days that do not exist, which JavaScript moves to the next month, for offsets of 16 hours and more, and for
 * years before 1 or after 9999.
 */
export function parseInstant(value: unknown): Date | undefined {
  const [, day, offset] = (typeof value === 'string' && instantForm.exec(value)) || [];
  if (day === undefined || !isDay(day)) return undefined;
  // Without an offset, JavaScript would use the time zone of the process; PostgreSQL uses UTC (`sessionSettings`).
  const instant = new Date(`${value}${offset === undefined ? 'Z' : ''}`);
  // Also false for NaN.
  return instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999 ? instant : undefined;
}

/** Whether `value` is a real instant in ISO 8601. */
export const isInstant = (value: unknown): value is string => parseInstant(value) !== undefined;

/** Appends `Z` to an instant without offset, so that JavaScript reads it in UTC, too. Returns other values as is. */
export const withOffset = (value: unknown): unknown =>
  isInstant(value) && instantForm.exec(value)?.[2] === undefined ? `${value}Z` : value;
