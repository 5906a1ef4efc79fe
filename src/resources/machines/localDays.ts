/** Converts calendar days `YYYY-MM-DD` to instants in the user's time zone. */
import { addDays } from '../../charts/period';

/** The first instant of the day, ISO 8601. */
export const startOfLocalDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The first instant after the day, ISO 8601. */
export const endOfLocalDay = (day: string): string => startOfLocalDay(addDays(day, 1));
