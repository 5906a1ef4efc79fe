/** Local time at a machine's location, which defines the days of its daily figures. */
import { sql } from 'drizzle-orm';
import { ApiError } from '../../context/errors';
import type { Queries } from '../../db/core/database';
import { pg } from '../../db/core/rowShape';
import { timeZoneSql } from '../../telemetry/timeline/days';

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
