/** Local days of a time zone as instants. */
import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL: first instant of a local day (a date, or a timestamp at midnight). Where a clock goes back to midnight
 * (Atlantic/Azores, America/Havana), midnight occurs twice and PostgreSQL takes the second one; the day begins at the
 * first, right after the last microsecond of the day before. Where midnight is skipped, the day begins after the gap.
 */
export const dayStartSql = (day: SQL, zone: SQL): SQL =>
  sql`least(${day}::timestamp at time zone ${zone},
    (${day}::timestamp - interval '1 microsecond') at time zone ${zone} + interval '1 microsecond')`;
