/** Serial day numbers of spreadsheets. */

/**
 * Converts a serial number to a day, with the time if it has a fraction. Supports both calendars of Excel, including
 * the fictitious 29 February 1900.
 */
export function parseSerialDay(serial: number, from1904: boolean): string {
  const days = Math.floor(serial) + (from1904 ? 1462 : 0);
  const date = new Date(Date.UTC(1899, 11, days < 60 ? 31 : 30) + days * 86_400_000);
  const seconds = Math.round((serial - Math.floor(serial)) * 86_400);
  if (Number.isNaN(date.getTime())) return String(serial);
  return seconds === 0
    ? date.toISOString().slice(0, 10)
    : new Date(date.getTime() + seconds * 1000).toISOString().slice(0, 19);
}
