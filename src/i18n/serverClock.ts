/**
 * The server's clock. Pages compare stored times with it instead of the device's clock: if that is wrong, a machine
 * would have been seen "in 30 minutes", or hours ago although it is cleaning.
 */

/** Milliseconds below which two clocks count as equal: responses take time, and their header has whole seconds. */
const tolerance = 30_000;

/** Milliseconds by which the server's clock is ahead of the device's. */
let offset = 0;

/** Converts a time of the device's clock, in milliseconds. */
export const serverTimeOf = (deviceTime: number): number => deviceTime + offset;

/** The present instant in milliseconds, like `Date.now()`. */
export const serverNow = (): number => serverTimeOf(Date.now());

/** The server's present day, `YYYY-MM-DD` in UTC, by which it calculates book values and what is overdue. */
export const serverDay = (): string => new Date(serverNow()).toISOString().slice(0, 10);

/**
 * Adjusts the server's clock to the `Date` header of a response (RFC 9110). `sentAt`: the device's time when it sent
 * the request.
 */
export function adjustServerClock(dateHeader: string | null, sentAt: number): void {
  const receivedAt = Date.now();
  const difference = Date.parse(dateHeader ?? '') - (sentAt + receivedAt) / 2;
  const isSlow = Math.abs(receivedAt - sentAt) > tolerance;
  if (isSlow || Number.isNaN(difference) || Math.abs(difference - offset) < tolerance) return;
  offset = Math.abs(difference) < tolerance ? 0 : difference;
}
