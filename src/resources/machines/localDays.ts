/** Converts calendar days `YYYY-MM-DD` to instants in the user's time zone. */
import { addDays } from '../../charts/period';

/** The first instant of the day, ISO 8601. */
export const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The first instant after the day, ISO 8601. */
export const endOf = (day: string): string => startOf(addDays(day, 1));
