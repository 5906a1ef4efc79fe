/** Local time at a machine's location, which defines the days of its daily figures. */
import { sql } from 'drizzle-orm';
import { isDay } from '../../../schema/dsl/isDay';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { dayStartSql } from '../../db/core/dayStartSql';
import { pg } from '../../db/core/rowShape';
import { timeZoneSql } from '../../telemetry/timeline/days';
import { type PeriodQuery, parseMoments, type RequestedPeriod } from './period';

/** Time zone of the machine's location, and its current local day (`YYYY-MM-DD`). */
export async function readLocalTime(db: Queries, id: number, now: Date): Promise<{ zone: string; today: string }> {
  const localTime = await db.selectOne(
    { zone: pg.text, today: pg.text },
    sql`
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date::text as today
    from (select ${timeZoneSql(sql`l`)} as zone from machines m left join locations l on l.id = m.location_id
    where m.id = ${id}) z`,
  );
  if (!localTime) throw ApiError.notFound();
  return localTime;
}

/** Parses two moments like `parseMoments`, but a plain day stands for the whole local day at the machine's location. */
export async function readLocalMoments(
  db: Queries,
  { id, query: { from, to } }: { id: number; query: PeriodQuery },
  now: Date,
): Promise<RequestedPeriod<Date>> {
  const [firstDay, lastDay] = [from, to].map((text) => (text && isDay(text) ? text : null));
  if (!firstDay && !lastDay) return parseMoments({ from, to }, now);
  const { zone } = await readLocalTime(db, id, now);
  // In zones east of UTC, the first local day begins before the first instant that can be read.
  const startSql = sql`case when ${firstDay}::date is not null
    then greatest(${dayStartSql(sql`${firstDay}::date`, sql`${zone}`)}, '0001-01-01 00:00+00') end`;
  const bounds = await db.selectOne(
    { start: pg.timestamptz.nullable, end: pg.timestamptz.nullable },
    sql`select ${startSql} as start,
      ${dayStartSql(sql`(${lastDay}::date + 1)`, sql`${zone}`)} as end`,
  );
  return parseMoments({ from: bounds?.start?.toISOString() ?? from, to: bounds?.end?.toISOString() ?? to }, now);
}
