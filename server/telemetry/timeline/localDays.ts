/**
 * Local days of time zones as ranges of instants, from PostgreSQL's time zone table. Ranges never change, so the latest
 * ones are remembered; which zone a machine is in is still read with every message.
 */

import { sql } from 'drizzle-orm';
import type { Queries } from '../../db/core/database';
import { dayStartSql } from '../../db/core/dayStartSql';
import { pg } from '../../db/core/rowShape';
import { isoOfSeconds } from './timeline';

export interface LocalDay {
  /** `YYYY-MM-DD` */
  day: string;
  /** First second of the day, and of the next one; since 1970. */
  start: number;
  end: number;
}

export interface ZonedInstant {
  zone: string;
  /** Seconds since 1970. */
  at: number;
}

/** Days in memory per zone: devices send for today, and after a while offline for a few days before. */
const daysPerZone = 8;
/** Latest first. */
const daysByZone = new Map<string, LocalDay[]>();

/** The local day of an instant if it is in memory. */
export const findLocalDay = ({ zone, at }: ZonedInstant): LocalDay | undefined =>
  daysByZone.get(zone)?.find(({ start, end }) => start <= at && at < end);

/** Reads the local days of instants into memory. */
export async function loadLocalDays(tx: Queries, instants: readonly ZonedInstant[]): Promise<void> {
  const missingInstants = instants.filter((instant) => !findLocalDay(instant));
  if (missingInstants.length === 0) return;
  const rows = await tx.select(
    { zone: pg.text, day: pg.date, start: pg.double, end: pg.double },
    sql`
    select distinct i.zone, d.day, extract(epoch from b.start)::float8 as start,
      extract(epoch from b.end)::float8 as end
    from unnest(${sql.param(missingInstants.map(({ zone }) => zone))}::text[],
      ${sql.param(missingInstants.map(({ at }) => isoOfSeconds(at)))}::timestamptz[]) as i(zone, at)
    cross join lateral (select (i.at at time zone i.zone)::date as day) local
    cross join lateral (values (local.day - 1), (local.day)) d(day)
    cross join lateral (select ${dayStartSql(sql`d.day`, sql`i.zone`)} as start,
      ${dayStartSql(sql`(d.day + 1)`, sql`i.zone`)} as end) b
    where i.at >= b.start and i.at < b.end`,
  );
  for (const { zone, ...day } of rows)
    daysByZone.set(zone, [day, ...(daysByZone.get(zone) ?? [])].slice(0, daysPerZone));
}
