/**
 * Whether `name` is the name of a time zone. Offsets such as `+01`, which newer JavaScript accepts, are not: PostgreSQL
 * reads them with the opposite sign, as POSIX does.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
