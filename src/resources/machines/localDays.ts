/** Calendar days `YYYY-MM-DD` as moments in the user's time zone. */
import { addDays } from '../../charts/period';

/** The day's first moment, ISO 8601. */
export const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The first moment after the day. */
export const endOf = (day: string): string => startOf(addDays(day, 1));
